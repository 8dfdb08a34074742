"""The decks of a demo room's tables."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.floor.acts.decks import deck_inspect, deck_place

from .demo_room import DemoRoom


def decks_placed(demo: DemoRoom, number: int, colours: Iterable[str], *, dealer: str, floor: str) -> None:
    """Put decks on a table, looked over as it opens by all who look; `dealer` and `floor` are user names."""
    for colour in colours:
        deck = demo.at(number, floor, deck_place, colour=colour)["deck"]
        for who, by in ((dealer, "dealer"), (floor, "floor"), (dealer, "first_player")):
            demo.at(number, who, deck_inspect, deck_id=deck, by=by)
