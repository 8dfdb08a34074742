"""What the tests of procedures share: a table under another rulebook, its decks, its reminders, rounds for nothing.

The floor sets no table to a game that the house banks; what such a game asks of the table beside the money is the
floor's all the same, so the tests set the rulebook behind the services' back and go through the services from there. None of these tests bears the mark of a clause: it would say that such a game can be
played, and `tests.traceability.floor_level` refuses it.
"""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.acts.decks import deck_inspect, deck_place
from cardroom.floor.acts.rounds import round_deal, round_void
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Deck, Round, Table
from cardroom.floor.reads.prompts import Prompt, prompts_of
from cardroom.floor.reads.table_reading import TableReading, read_table
from cardroom.people.models import Role, Staff
from tests.floor.site import Site


def under(site: Site, rulebook: str, **columns: Any) -> Site:
    """Set the table to a rulebook that no service would set it to; the bank goes round by California's profile."""
    Table.objects.filter(pk=site.table.pk).update(rulebook=rulebook, rotation="two_rounds", **columns)
    return site


def reading_of(site: Site) -> TableReading:
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


def round_closed(site: Site) -> Round:
    """A round of the table whose bets are closed, with one position at seat 4 and nothing to be banked."""
    reading = reading_of(site)
    assert reading.shift is not None and reading.down is not None
    number = Round.objects.filter(table=site.table).count() + 1
    now = reading.now
    return Round.objects.create(
        room=site.room, table=site.table, gaming_day=reading.shift.gaming_day, number=number, state="dealt",
        source="steps", shift=reading.shift, dealer=reading.down.dealer, turn=reading.turn, game=reading.table.game, rulebook=reading.table.rulebook,
        bets=[{"seat": 4, "player": "Dee", "wagers": {"ante": 1000}, "tips": {}}], positions=1,
        opened_at=now, bets_closed_at=now,
    )  # fmt: skip


def dealt_and_voided(site: Site, times: int = 1) -> None:
    """Rounds that are dealt and come to nothing: cards have been used, and no money has moved."""
    for _ in range(times):
        round_closed(site)
        site.send(round_deal)
        site.send(round_void, reason="device failure", approver=site.people[Role.SHIFT_MANAGER])
