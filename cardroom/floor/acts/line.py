"""What comes of a lost line: acts that waited on a screen and that somebody set aside instead of sending."""

from __future__ import annotations

from typing import Any

from cardroom.people.rights import Right

from ..alerts import alert_clear, alert_raise
from ..errors import BadInput
from ..models import Alert
from .commands import Answer, AtTable, table_command

REASON_LENGTH = 200
#: A tablet that has lost its line for an hour holds some two hundred acts.
MOST_ACTS = 500


@table_command(Right.RUN_ROUNDS, moves=False)
def acts_set_aside(at: AtTable, *, reason: str, acts: list[dict[str, Any]]) -> Answer:
    """Note in the journal acts that waited on a screen and will not be sent: what, when, by whom, and why not.

    `acts` are as the screen kept them, the first first: `{"act", "title", "typed", "at", "by", "key", "version"}`. They
    change nothing at the table. An alert tells the floor, for something happened at the table that is not recorded.
    """
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH:
        raise BadInput(
            "reason_required",
            f"Setting acts aside needs a reason of 1 to {REASON_LENGTH} characters.",
            path="reason",
        )
    if not acts or len(acts) > MOST_ACTS:
        raise BadInput("bad_acts", f"Between 1 and {MOST_ACTS} acts are set aside at once.", path="acts")
    at.journal("acts_set_aside", {"acts": acts}, reason=reason)
    titles = ", ".join(str(act["title"]) for act in acts)
    many = "An act" if len(acts) == 1 else f"{len(acts)} acts"
    says = f"{many} from when the line was down will not be sent ({titles}): {reason}"
    subject = "set aside"
    alert_raise(at, Alert.Kind.SYNC_LOST, subject, says if len(says) <= 300 else f"{says[:299]}…")
    # It is over as it comes; what is left is that somebody looks at it.
    alert_clear(at, Alert.Kind.SYNC_LOST, subject)
    return {"set_aside": len(acts)}
