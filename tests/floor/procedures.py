"""What the tests of procedures share: a table's decks, its reminders, rounds that come to nothing."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.commands.decks import deck_inspect, deck_place
from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Deck, Round, Table
from cardroom.floor.reads.prompts import Prompt, prompts_of
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.people.models import Role, Staff
from tests.floor.site import Site


def reading_of(site: Site) -> TableState:
    return read_table(Table.objects.get(pk=site.table.pk))


def prompted(site: Site) -> dict[str, Prompt]:
    """The reminders of the table by kind; of several of a kind the first."""
    found: dict[str, Prompt] = {}
    for prompt in prompts_of(reading_of(site)):
        found.setdefault(prompt.kind, prompt)
    return found


def refused(site: Site, command: Any, actor: Staff | None = None, /, **arguments: Any) -> str:
    """The code with which a command is refused."""
    with pytest.raises(FloorError) as caught:
        site.send(command, actor, **arguments)
    return caught.value.code


def placed(site: Site, *colours: str) -> list[Deck]:
    """Put decks of these colours on the table."""
    return [
        Deck.objects.get(pk=site.send(deck_place, site.floor, colour=colour)["deck"]) for colour in colours
    ]


def looked_over(site: Site, deck: Deck) -> None:
    """Let all three look a deck over."""
    site.send(deck_inspect, deck_id=deck.pk, by="dealer")
    site.send(deck_inspect, site.floor, deck_id=deck.pk, by="floor")
    site.send(deck_inspect, deck_id=deck.pk, by="first_player")


def closed(site: Site, *seats: int) -> Round:
    """Open a round with antes at `seats` (seat 4 where none is named), and call "no more bets"."""
    site.bet(dict.fromkeys(seats or (4,), 1000))
    site.send(bets_close)
    return Round.objects.latest("id")


def dealt_and_voided(site: Site, times: int = 1) -> None:
    """Rounds that are dealt and come to nothing: cards have been used, and no money has moved."""
    for _ in range(times):
        closed(site)
        site.send(round_deal)
        site.send(round_void, reason="device failure", approver=site.people[Role.SHIFT_MANAGER])
