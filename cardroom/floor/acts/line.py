"""What comes of a lost line: acts that waited on a screen and were set aside instead of sent."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.acts import MOST_ID, Note, Size, Text, Whole
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..alerts import alert_clear, alert_raise
from ..commands import AtTable, table_act
from ..errors import BadInput
from ..models import Alert
from .second_person import given_reason

#: A tablet that has lost its line for an hour holds some two hundred acts.
MOST_ACTS = 500
#: The longest that one text of an act may be, and how many labels it may have: it was typed into a form of the site.
TEXT_LENGTH, MOST_LABELS = 400, 60

_Text = Annotated[str, Text(TEXT_LENGTH, blank=True)]


class WaitingAct(TypedDict):
    """An act as the screen kept it."""

    act: _Text
    title: _Text
    typed: Annotated[
        list[Annotated[list[_Text], Size(2, 2)]], Size(0, MOST_LABELS), "What was typed: label and value."
    ]
    at: Annotated[_Text, "When it was given, by the clock of the screen."]
    by: Annotated[_Text, "The name of the person who gave it."]
    key: Annotated[_Text, "Its Idempotency-Key."]
    version: Annotated[int, Whole(0, MOST_ID), "The version on which it was given."]


class SetAside(TypedDict):
    """How many acts were set aside."""

    set_aside: int


@table_act(
    "POST acts-set-aside",
    Right.RUN_ROUNDS,
    bumps_version=False,
    no_check="what was entered offline may always be reported",
    title="Set aside entries made offline",
    tag="Tables",
    example={
        "reason": "played on paper",
        "acts": [
            {
                "act": "deal",
                "title": "Deal",
                "typed": [["Seat 4", "ante $20"]],
                "at": "2026-11-21T20:00:00.000Z",
                "by": "Ada",
                "key": "0123",
                "version": 12,
            }
        ],
    },
)
def acts_set_aside(at: AtTable, *, reason: Note, acts: Annotated[list[WaitingAct], Size()]) -> SetAside:
    """Note in the journal acts that waited on a screen and will not be sent: what, when, by whom, and why not.

    `acts` are as the screen kept them, the first first. They change nothing at the table. An alert tells the floor, for
    something happened at the table that is not recorded.
    """
    reason = given_reason(reason, Phrase("Setting entries aside"))
    if not acts or len(acts) > MOST_ACTS:
        raise BadInput(
            "bad_acts",
            Phrase("Between 1 and {most_acts} entries are set aside at once.", most_acts=MOST_ACTS),
            path="acts",
        )
    at.journal("acts_set_aside", {"acts": acts}, reason=reason)
    titles = ", ".join(str(act["title"]) for act in acts)
    many = "An entry" if len(acts) == 1 else f"{len(acts)} entries"
    says = f"{many} made offline will not be sent ({titles}): {reason}"
    subject = "set aside"
    alert_raise(at, Alert.Kind.SYNC_LOST, subject, says if len(says) <= 300 else f"{says[:299]}…")
    # It is over as it comes; what is left is that the floor looks at it.
    alert_clear(at, Alert.Kind.SYNC_LOST, subject)
    return {"set_aside": len(acts)}
