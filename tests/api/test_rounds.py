"""A round through the API: step by step, at once, and as it is read from the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Table
from tests.cast import Cast, sheet

from .client import Caller, Hand


def test_a_round_runs_from_the_banks_wager_to_settlement(hand: Hand, dealer: Caller, running: Cast) -> None:
    opened = hand.open()
    assert (opened.said["state"], opened.said["number"]) == ("betting", 1)
    assert opened.headers["ETag"] == f'"{opened.said["version"]}"'
    hand.bet({4: 1000, 6: 2000})
    closed = hand.close_bets()
    assert closed.said["state"] == "bets_closed"
    assert closed.said["fees"] == [
        {"payer": "Dee", "seat": 4, "cents": 100},
        {"payer": "Fay", "seat": 6, "cents": 100},
        {"payer": "bank", "seat": 3, "cents": 100},
    ]
    hand.deal()
    settled = hand.settle([4, 6])
    assert settled.said["state"] == "settled"
    # Seat 4 wins ante and play, seat 6 loses both.
    assert settled.said["settlement"]["net"] == {"Dee": 2000, "Fay": -4000}
    assert settled.said["settlement"]["drop"] == 300
    state = dealer.get(f"tables/{running.table.pk}")
    assert state.said["round"] is None
    assert state.said["turn"]["rounds"] == 1
    assert state.headers["ETag"] == f'"{settled.said["version"]}"'


def test_the_commands_of_a_round_take_no_more_queries_than_these(
    hand: Hand, running: Cast, django_assert_max_num_queries: Any
) -> None:
    commands: tuple[tuple[Callable[[], Any], int], ...] = (
        (hand.open, 20),
        (lambda: hand.bet({4: 1000, 6: 2000}), 18),
        (hand.close_bets, 20),
        (hand.deal, 20),
        (lambda: hand.settle([4, 6]), 21),
    )
    # One of each reads the version; on PostgreSQL one sets how long a lock is waited for.
    for command, queries in commands:
        with django_assert_max_num_queries(queries):
            command()


def test_a_whole_sheet_takes_thirty_four_queries_at_most(
    dealer: Caller, running: Cast, django_assert_max_num_queries: Any
) -> None:
    table = f"tables/{running.table.pk}"
    version, entries = dealer.version(table), JournalEntry.objects.filter(table=running.table).count()
    # On PostgreSQL one of them sets how long a lock is waited for.
    with django_assert_max_num_queries(34):
        dealer.post(f"{table}/rounds/record", sheet({4: 1000, 6: 2000}), version=version)
    written = Table.objects.get(pk=running.table.pk)
    assert (written.version, written.chain_seq) == (version + 1, entries + 5)
    assert list(chain_breaks(written)) == []
