"""Authorization at a table: a dealer's right holds at that of their open down alone."""

from __future__ import annotations

from cardroom.people.models import Role, Staff
from cardroom.people.rights import Right, holds
from games.phrases import Phrase

from ..errors import WhyNot
from ..models import Table


def bound_to_own_table(actor: Staff, roles: frozenset[Role], right: Right) -> bool:
    """Whether `right` holds at the table of one's open down alone: a dealer's does, floor staff and programs work anywhere."""
    if right not in (Right.RUN_ROUNDS, Right.SEAT_PLAYERS) or Role.PROGRAM in roles:
        return False
    return not holds(roles, actor, Right.RUN_ROUNDS_ANYWHERE)


def why_not_own_table(
    actor: Staff, roles: frozenset[Role], right: Right, table: Table, dealer_id: int | None
) -> WhyNot | None:
    """A dealer works at the table of the open down, whose dealer is `dealer_id`."""
    if not bound_to_own_table(actor, roles, right) or dealer_id == actor.pk:
        return None
    return WhyNot(
        "not_your_table",
        Phrase(
            "{actor} has no open down at {table}. The floor starts one there, or acts in your place.",
            actor=actor,
            table=table,
        ),
    )
