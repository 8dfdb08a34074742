"""Places the decks of a demo room's tables."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.floor.commands.decks import deck_inspect, deck_place
from cardroom.floor.models import Table
from cardroom.floor.reads.table_procedures import decks_of
from cardroom.floor.reads.table_state import read_table

from .demo_room import DemoRoom


def decks_placed(demo: DemoRoom, number: int, colours: Iterable[str], *, dealer: str, floor: str) -> None:
    """Put decks on a table unless its past has left some, looked over as it opens by all who look.

    `dealer` and `floor` are user names.
    """
    decks = [deck.pk for deck in decks_of(demo.tables[number])]
    for deck in decks or [demo.at(number, floor, deck_place, colour=colour)["deck"] for colour in colours]:
        for by in read_table(Table.objects.get(pk=demo.tables[number].pk)).procedures.rules.inspection.by:
            demo.at(number, floor if by == "floor" else dealer, deck_inspect, deck_id=deck, by=by)
