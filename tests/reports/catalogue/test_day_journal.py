"""The day's journal: each entry with both sides, by the room's accounts, from the current reports."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError

from cardroom.floor.models import Shift
from cardroom.reports.catalogue.day_journal import DAY_JOURNAL
from cardroom.reports.models import ShiftReport
from cardroom.reports.queries.parser import report_query_of
from cardroom.rooms.account_numbers import ACCOUNTS, read_account_numbers
from cardroom.rooms.models import Room
from tests.drop.room import CountTeam
from tests.reports.verification.test_verify_attacks import NOON, reported_room


@pytest.fixture
def room(db: None) -> CountTeam:
    """A shift of one round with an ante of $10: $1 of the player and $1 of the bank; $3 in the box; a hand-in of $25."""
    return reported_room()


def journal(room: CountTeam) -> Any:
    with time_machine.travel(NOON + datetime.timedelta(days=2), tick=False):
        query = report_query_of(
            DAY_JOURNAL, Room.objects.get(pk=room.room.pk), room.people["compliance"], NOON, first=NOON.date()
        )
        return DAY_JOURNAL.make(query)


def posted(room: CountTeam) -> list[tuple[str, int, int]]:
    grid = journal(room).grid("entries")
    return [
        (str(row.values["account"]), row.values["debit_cents"], row.values["credit_cents"])
        for row in grid.rows
    ]


def test_a_day_is_posted_with_both_sides_of_each_entry(room: CountTeam) -> None:
    total = ShiftReport.objects.get(restatement__isnull=True).typed_figures["total"]
    assert (total["player_fees_cents"], total["bank_fees_cents"], total["tips_cents"]) == (100, 100, 0)
    assert posted(room) == [
        ("Drop boxes not counted", 100, 0),
        ("Collection, players", 0, 100),
        ("Drop boxes not counted", 100, 0),
        ("Collection, player-dealers", 0, 100),
        ("Cash counted", 200, 0),
        ("Drop boxes not counted", 0, 200),
        ("Cash counted", 100, 0),
        ("Over / (short)", 0, 100),
        ("Tips held", 2500, 0),
        ("Tips payable", 0, 2500),
    ]


def test_it_adds_up_and_counted_boxes_leave_nothing_in_their_account(room: CountTeam) -> None:
    answers = {answer.name: answer.value for answer in journal(room).answers}
    assert answers == {"debit_cents": 3000, "difference_cents": 0, "boxes_cents": 0, "waiting": 0}
    accounts = {
        row.values["account"]: row.values["balance_cents"] for row in journal(room).grid("accounts").rows
    }
    assert accounts["Cash counted"] == 300 and accounts["Over / (short)"] == -100


def test_accounts_have_the_numbers_of_the_room(room: CountTeam) -> None:
    Room.objects.update(account_numbers="cash = 1010, tips_payable=2300")
    numbers = {
        row.values["account"]: row.values["account_number"] for row in journal(room).grid("accounts").rows
    }
    assert (numbers["Cash counted"], numbers["Tips payable"], numbers["Tips held"]) == ("1010", "2300", "")


def test_a_shift_without_a_report_is_named_and_not_posted(room: CountTeam) -> None:
    day = Shift.objects.get()
    Shift.objects.create(
        room=day.room, name="Graveyard", gaming_day=day.gaming_day, opened_at=NOON, opened_by=day.opened_by
    )
    waiting = journal(room).grid("waiting")
    assert [(row.values["shift"], row.values["why"]) for row in waiting.rows] == [
        (f"Graveyard, {str(day).split(', ', 1)[1]}", "it is open")
    ]
    assert len(posted(room)) == 10


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("cash 1010", "“cash 1010” is no account"),
        ("cash =", "Write the number of cash"),
        ("vault = 1", "“vault” is no account"),
        ("cash = 1, cash = 2", "cash has two numbers"),
        (f"cash = {'1' * 21}", "at most 20 characters"),
    ],
)
def test_numbers_that_cannot_be_read_are_refused(typed: str, text: str) -> None:
    with pytest.raises(ValidationError, match=text):
        read_account_numbers(typed)


def test_every_account_takes_a_number() -> None:
    typed = ", ".join(f"{name} = {at}" for at, name in enumerate(ACCOUNTS))
    assert read_account_numbers(typed) == {name: str(at) for at, name in enumerate(ACCOUNTS)}
    assert len(typed) < 800
