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
from cardroom.people.models import Staff
from tests.cast import Cast


def reading_of(cast: Cast) -> TableState:
    return read_table(Table.objects.get(pk=cast.table.pk))


def prompted(cast: Cast) -> dict[str, Prompt]:
    """The reminders of the table by kind; of several of a kind the first."""
    found: dict[str, Prompt] = {}
    for prompt in prompts_of(reading_of(cast)):
        found.setdefault(prompt.kind, prompt)
    return found


def refused(cast: Cast, command: Any, actor: str | Staff = "dealer", /, **arguments: Any) -> str:
    """The code with which a command is refused."""
    with pytest.raises(FloorError) as caught:
        cast.send(command, actor, **arguments)
    return caught.value.code


def placed(cast: Cast, *colours: str) -> list[Deck]:
    """Put decks of these colours on the table."""
    return [Deck.objects.get(pk=cast.send(deck_place, "floor", colour=colour)["deck"]) for colour in colours]


def looked_over(cast: Cast, deck: Deck) -> None:
    """Let all three look a deck over."""
    cast.send(deck_inspect, deck_id=deck.pk, by="dealer")
    cast.send(deck_inspect, "floor", deck_id=deck.pk, by="floor")
    cast.send(deck_inspect, deck_id=deck.pk, by="first_player")


def closed(cast: Cast, *seats: int) -> Round:
    """Open a round with antes at `seats` (seat 4 where none is named), and call "no more bets"."""
    cast.bet(dict.fromkeys(seats or (4,), 1000))
    cast.send(bets_close)
    return Round.objects.latest("id")


def dealt_and_voided(cast: Cast, times: int = 1) -> None:
    """Rounds that are dealt and come to nothing: cards have been used, and no money has moved."""
    for _ in range(times):
        closed(cast)
        cast.send(round_deal)
        cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
