"""Every sample round of a game that a player banks goes through HTTP and comes to what is written beside it, to the cent."""

from __future__ import annotations

import collections
from typing import Any

import pytest
from django.db import transaction

from cardroom.floor.models import Round, Shift, Transfer
from cardroom.people.names import named
from cardroom.reports.shift.making import shift_report_make
from tests.cast import Cast, written
from tests.kept import kept
from tests.samples import Mistake, mistakes, samples
from tests.samples import compared as plain

from .client import Caller
from .feed import Feed

Sheet = dict[str, Any]


#: Those that the house banks, of which the same is asked.
HOUSE_BANKED = {"massachusetts": 22, "south_dakota": 11, "shuffle_master": 9}
#: The games that run on the floor, and how many sheets of each there are at least.
GAMES = {"california": 25, "designated_player": 11, **HOUSE_BANKED}


def of_game(rulebook: str) -> list[tuple[Sheet, Sheet]]:
    """The sheets of a rulebook, each with the settlement that it must come to."""
    pairs = [(sample.sheet, sample.settlement) for sample in samples(rulebook)]
    assert len(pairs) >= GAMES[rulebook]
    return pairs


def refusals() -> list[Mistake]:
    """The sample mistakes that concern a game of the floor, or no rulebook at all."""
    return [mistake for mistake in mistakes() if mistake.rulebook in (None, *GAMES)]


@pytest.fixture
def cast(db: None) -> Cast:
    """Table 7 is open with a dealer, and nobody sits there."""
    return kept(_open)


def _open() -> Cast:
    cast = Cast()
    cast.open(seats=())
    return cast


@pytest.fixture
def feed(cast: Cast) -> Feed:
    """A program at that table."""
    return Feed(cast)


@pytest.mark.outside
@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_whole_and_step_by_step_is_settled_stored_moved_and_reported_as_written(
    feed: Feed, cast: Cast, game: str
) -> None:
    """Each sheet is played both ways from the same table; by turns, the one or the other stays and is reported."""
    pairs = of_game(game)
    for number, (sheet, expected) in enumerate(pairs):
        feed.prepare(sheet)
        ways = [feed.record, feed.step_through]
        taken_back, stays = ways if number % 2 else reversed(ways)
        with transaction.atomic():
            is_settled_as_written(feed, sheet, expected, taken_back(sheet))
            transaction.set_rollback(True)
        is_settled_as_written(feed, sheet, expected, stays(sheet))
    report = close_and_report(cast)
    total = report["figures"]["total"]
    assert report["figures"]["differences"] == []
    assert report["figures"]["over_limit"] == []
    settlements = [expected for _, expected in pairs]
    assert {
        "rounds_settled": total["rounds_settled"],
        "total_table_action_cents": total["total_table_action_cents"],
        "drop_expected_cents": total["drop_expected_cents"],
        "tips_cents": total["tips_cents"],
        "taken_cents": total["taken_cents"],
        "paid_cents": total["paid_cents"],
        "uncovered_cents": total["uncovered_cents"],
        "exhausted_banks": total["exhausted_banks"],
    } == {
        "rounds_settled": len(settlements),
        "total_table_action_cents": sum(one["total_table_action"] for one in settlements),
        "drop_expected_cents": sum(one["drop"] for one in settlements),
        "tips_cents": sum(one["tokes"] for one in settlements),
        "taken_cents": sum(line["taken"] for one in settlements for line in one["lines"]),
        "paid_cents": sum(line["paid"] for one in settlements for line in one["lines"]),
        "uncovered_cents": sum(line["uncovered"] for one in settlements for line in one["lines"]),
        "exhausted_banks": sum(bool(one["bank"] and one["bank"]["exhausted"]) for one in settlements),
    }
    drop = sum(one["drop"] for one in settlements)
    fees = [fee["cents"] for one in settlements for fee in one["fees"] if fee["payer"] == "bank"]
    charged = (total["player_fees_cents"], total["bank_fees_cents"], total["rake_cents"])
    # The designated player's game takes a rake, and no fees by a schedule.
    assert charged == ((drop - sum(fees), sum(fees), 0) if game == "california" else (0, 0, drop))


def is_settled_as_written(feed: Feed, sheet: Sheet, expected: Sheet, answer: Any) -> None:
    """Compare a round that was played with the file: its answer, its row, its record, and its transfers."""
    assert plain(answer["settlement"]) == plain(expected)
    round_ = Round.objects.get(pk=answer["round"])
    assert plain(named(round_.settlement)) == plain(expected)
    record = feed.floor.get(f"rounds/{round_.pk}").said
    assert plain(record["settlement"]) == plain(expected)
    assert balances(round_) == expected_balances(sheet, expected), sheet


def test_the_engine_alone_settles_every_sample_through_http(cast: Cast) -> None:
    outsider = Caller(cast, "outsider")
    for sample in samples():
        answer = outsider.post("settle", sample.text.encode(), headers={})
        assert answer.status == 200, answer.said
        assert plain(answer.said) == plain(sample.settlement)


@pytest.mark.parametrize("mistake", refusals(), ids=lambda mistake: f"{mistake.code}-{mistake.path}")
def test_every_sample_mistake_is_refused_with_its_code_and_path(feed: Feed, mistake: Mistake) -> None:
    raw = mistake.text.encode()
    alone = feed.floor.post("settle", raw, headers={})
    assert (alone.status in (400, 422), alone.code, alone.path) == (True, mistake.code, mistake.path)
    # The same at the table, where a round could begin: nothing is half written.
    feed.prepare(of_game(mistake.rulebook or "california")[0][0])
    before = written()
    reply = feed.floor.post(f"{feed.table}/rounds/record", raw)
    assert (reply.status, reply.code, reply.path) == (alone.status, mistake.code, mistake.path)
    assert written() == before


def close_and_report(cast: Cast) -> Any:
    """Close the shift and read its report, both through HTTP; the report is made as its task makes it."""
    manager = Caller(cast, "shift_manager")
    shift = Shift.objects.get()
    assert manager.post(f"rooms/{cast.room.pk}/shifts/{shift.pk}/close", {"confirmed": True}).status == 200
    shift_report_make(shift.pk)
    return manager.get(f"rooms/{cast.room.pk}/shifts/{shift.pk}/report").said


def balances(round_: Round) -> dict[str, int]:
    """What the stored transfers of a round brought to each account, in cents."""
    moved: collections.Counter[str] = collections.Counter()
    for transfer in Transfer.objects.filter(round=round_):
        for account, cents in ((transfer.source, -transfer.cents), (transfer.target, transfer.cents)):
            moved[f"seat {transfer.seat}" if account == "seat" else account] += cents
    return {account: cents for account, cents in moved.items() if cents}


def expected_balances(sheet: Sheet, settlement: Sheet) -> dict[str, int]:
    """The same from the written settlement: its lines and fees, by hand and past the ledger.

    A player is up by what was paid and down by what was taken; of a won tip the stake goes to the tip box with what
    the bank paid on it.
    """
    moved: collections.Counter[str] = collections.Counter()
    bank = "bank" if "bank" in sheet else "tray"
    for line in settlement["lines"]:
        seat = f"seat {line['seat']}"
        moved[bank] += line["taken"]
        moved["meter" if "of the meter" in str(line["odds"]) else bank] -= line["paid"]
        moved["tips"] += line["toked"]
        moved[seat] += -(line["toked"] - line["paid"]) if line["toked"] else line["paid"] - line["taken"]
    for fee in settlement["fees"]:
        moved["drop"] += fee["cents"]
        moved["bank" if fee["payer"] == "bank" else f"seat {fee['seat']}"] -= fee["cents"]
    assert sum(moved.values()) == 0
    return {account: cents for account, cents in moved.items() if cents}
