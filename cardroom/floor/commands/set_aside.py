"""Command that records offline commands which a screen set aside instead of sending them."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.json_types import MOST_ID, Note, Size, Text, Whole
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..alerts import alert_clear, alert_raise
from ..errors import BadInput
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert
from .second_person import given_reason

#: A tablet that has lost its line for an hour holds some two hundred commands.
MOST_COMMANDS = 500
#: The longest that one text of a command may be, and how many labels it may have: it was typed into a form of the site.
TEXT_LENGTH, MOST_LABELS = 400, 60

_Text = Annotated[str, Text(TEXT_LENGTH, blank=True)]


class WaitingCommand(TypedDict):
    """A command as the screen kept it."""

    command: _Text
    title: _Text
    typed: Annotated[
        list[Annotated[list[_Text], Size(2, 2)]], Size(0, MOST_LABELS), "What was typed: label and value."
    ]
    at: Annotated[_Text, "When it was given, by the clock of the screen."]
    by: Annotated[_Text, "The name of the person who gave it."]
    key: Annotated[_Text, "Its Idempotency-Key."]
    version: Annotated[int, Whole(0, MOST_ID), "The version on which it was given."]


class SetAside(TypedDict):
    """How many commands were set aside."""

    set_aside: int


@table_command(
    "POST commands-set-aside",
    Right.RUN_ROUNDS,
    bumps_version=False,
    no_check="what was entered offline may always be reported",
    title="Set aside entries made offline",
    tag="Tables",
    example={
        "reason": "played on paper",
        "commands": [
            {
                "command": "deal",
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
def commands_set_aside(
    tx: TableTransaction, *, reason: Note, commands: Annotated[list[WaitingCommand], Size()]
) -> SetAside:
    """Note in the journal commands that waited on a screen and will not be sent: what, when, by whom, and why not.

    `commands` are as the screen kept them, the first first. They change nothing at the table. An alert notifies the floor, for
    something happened at the table that is not recorded.
    """
    reason = given_reason(reason, Phrase("Setting entries aside"))
    if not commands or len(commands) > MOST_COMMANDS:
        raise BadInput(
            "bad_commands",
            Phrase(
                "Between 1 and {most_commands} entries are set aside at once.", most_commands=MOST_COMMANDS
            ),
            path="commands",
        )
    tx.journal("commands_set_aside", {"commands": commands}, reason=reason)
    titles = ", ".join(str(command["title"]) for command in commands)
    many = "An entry" if len(commands) == 1 else f"{len(commands)} entries"
    text = f"{many} made offline will not be sent ({titles}): {reason}"
    subject = "set aside"
    alert_raise(tx, Alert.Kind.SYNC_LOST, subject, text if len(text) <= 300 else f"{text[:299]}…")
    # It is over as it comes; what is left is that the floor looks at it.
    alert_clear(tx, Alert.Kind.SYNC_LOST, subject)
    return {"set_aside": len(commands)}
