"""Approval by a second person, who signs for one command with their user name or badge and their PIN.

Never with a password: it would be typed on somebody else's tablet. A command gets what was typed (`SignatureGiven`) and
asks for the person itself, once nothing else refuses it (`cardroom.floor.execution.carry_out`); a PIN is never stored,
journalled, logged or sent on.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated, TypedDict

from cardroom.core.json_types import Signature, Text

from .duties import DUTIES, Duty
from .models import Staff
from .pins import MOST_DIGITS

#: The second person of a command where what they must hold depends on the round, or on who gives the command; who calls the command
#: may hand over a `SignatureGiven`.
Approval = Annotated[Staff, Signature()]


def signed_for_duty(duty: Duty) -> Signature:
    """The kind of an input that is signed for what the administration does, by whom the table of duties says."""
    right = DUTIES[duty].second
    assert right is not None, f"to {duty.value} takes one person"
    return Signature(right=right)


class Approver(TypedDict):
    """What a second person types to sign, as a body has it."""

    username: Annotated[str, Text(150), "Their user name, or their badge in this room."]
    pin: Annotated[str, Text(MOST_DIGITS), "Four to six digits."]


@dataclasses.dataclass(frozen=True)
class SignatureGiven:
    """What a second person gave to sign: user name or badge, and PIN. `path` is the input that a refusal names.

    `touched`: they were chosen from the faces of a page, which tell who is on duty; a refusal says then how many tries are left.
    """

    named: str
    pin: str = dataclasses.field(repr=False)
    path: str = "approver"
    touched: bool = False
