"""Every sheet of the shared rounds whose game a player banks goes through HTTP and comes to what is written beside it, to the cent."""

from __future__ import annotations

import collections
import json
from typing import Any

import pytest

from cardroom.floor.models import Round, Shift, Transfer
from cardroom.reports.services import shift_report_make
from tests.cast import Cast, written
from tests.shared_data import shared

from .client import Caller
from .feed import Feed

Sheet = dict[str, Any]


#: The games that run on the floor, and how many sheets of each there are at least.
GAMES = {"california": 25, "designated_player": 11}


def of_game(rulebook: str) -> list[tuple[Sheet, Sheet]]:
    """The sheets of a rulebook, each with the settlement that it must come to."""
    sheets, settlements = (
        [json.loads(line) for line in shared("rounds", name).read_text().splitlines()]
        for name in ("sheets.jsonl", "settlements.jsonl")
    )
    pairs = [
        (sheet, settlement)
        for sheet, settlement in zip(sheets, settlements, strict=True)
        if sheet["rulebook"] == rulebook
    ]
    assert len(pairs) >= GAMES[rulebook]
    return pairs


def refusals() -> list[dict[str, Any]]:
    """The shared refusals that concern a game of the floor, or no rulebook at all."""
    rows = [json.loads(line) for line in shared("rounds", "refused.jsonl").read_text().splitlines()]
    return [row for row in rows if "raw" in row or row["sheet"].get("rulebook") in GAMES]


@pytest.fixture
def feed(cast: Cast) -> Feed:
    """Table 7 is open with a dealer, and nobody sits there."""
    cast.open_table(seats=())
    return Feed(cast)


@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_is_settled_stored_moved_and_reported_as_written(
    feed: Feed, cast: Cast, game: str
) -> None:
    pairs = of_game(game)
    for sheet, expected in pairs:
        feed.prepare(sheet)
        said = feed.record(sheet)
        assert plain(said["settlement"]) == plain(expected)
        round_ = Round.objects.get(pk=said["round"])
        assert plain(round_.settlement) == plain(expected)
        record = feed.floor.get(f"rounds/{round_.pk}").said
        assert plain(record["settlement"]) == plain(expected)
        assert balances(round_) == expected_balances(expected), sheet
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
        "taken_cents": sum(one["bank"]["won"] for one in settlements),
        "paid_cents": sum(one["bank"]["lost"] for one in settlements),
        "uncovered_cents": sum(line["uncovered"] for one in settlements for line in one["lines"]),
        "exhausted_banks": sum(one["bank"]["exhausted"] for one in settlements),
    }
    drop = sum(one["drop"] for one in settlements)
    fees = [fee["cents"] for one in settlements for fee in one["fees"] if fee["payer"] == "bank"]
    charged = (total["player_fees_cents"], total["bank_fees_cents"], total["rake_cents"])
    # The designated player's game takes a rake, and no fees by a schedule.
    assert charged == ((drop - sum(fees), sum(fees), 0) if game == "california" else (0, 0, drop))


@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_comes_to_the_same_step_by_step(feed: Feed, game: str) -> None:
    for sheet, expected in of_game(game):
        feed.prepare(sheet)
        said = feed.step_through(sheet)
        assert plain(said["settlement"]) == plain(expected)
        stepped = Round.objects.get(pk=said["round"])
        assert balances(stepped) == expected_balances(expected), sheet


def test_the_engine_alone_settles_every_shared_sheet_through_http(cast: Cast) -> None:
    outsider = Caller(cast, "outsider")
    sheets = shared("rounds", "sheets.jsonl").read_text().splitlines()
    settlements = shared("rounds", "settlements.jsonl").read_text().splitlines()
    for sheet, expected in zip(sheets, settlements, strict=True):
        said = outsider.post("settle", sheet.encode(), headers={})
        assert said.status == 200, said.said
        assert plain(said.said) == plain(json.loads(expected))


@pytest.mark.parametrize("row", refusals(), ids=lambda row: f"{row['code']}-{row['path']}")
def test_every_shared_refusal_is_refused_with_its_code_and_path(feed: Feed, row: dict[str, Any]) -> None:
    raw = (row["raw"] if "raw" in row else json.dumps(row["sheet"])).encode()
    alone = feed.floor.post("settle", raw, headers={})
    assert (alone.status in (400, 422), alone.code, alone.path) == (True, row["code"], row["path"])
    # The same at the table, where a round could begin: nothing is half written.
    feed.prepare(of_game(row.get("sheet", {}).get("rulebook", "california"))[0][0])
    before = written()
    reply = feed.floor.post(f"{feed.table}/rounds/record", raw)
    assert (reply.status, reply.code, reply.path) == (alone.status, row["code"], row["path"])
    assert written() == before


def close_and_report(cast: Cast) -> Any:
    """Close the shift and read its report, both through HTTP; the report is made as its task makes it."""
    manager = Caller(cast, "shift_manager")
    shift = Shift.objects.get()
    assert manager.post(f"rooms/{cast.room.pk}/shifts/{shift.pk}/close").status == 200
    shift_report_make(shift.pk)
    return manager.get(f"rooms/{cast.room.pk}/shifts/{shift.pk}/report").said


def plain(settlement: Sheet) -> Sheet:
    """A settlement as it is compared: without clauses and reasons, and fees in no order."""
    lines = [
        {key: value for key, value in line.items() if key not in ("clause", "reason")}
        for line in settlement["lines"]
    ]
    return {**settlement, "lines": lines, "fees": sorted(settlement["fees"], key=lambda fee: fee["seat"])}


def balances(round_: Round) -> dict[str, int]:
    """What the stored transfers of a round brought to each account, in cents."""
    moved: collections.Counter[str] = collections.Counter()
    for transfer in Transfer.objects.filter(round=round_):
        for account, cents in ((transfer.source, -transfer.cents), (transfer.target, transfer.cents)):
            moved[f"seat {transfer.seat}" if account == "seat" else account] += cents
    return {account: cents for account, cents in moved.items() if cents}


def expected_balances(settlement: Sheet) -> dict[str, int]:
    """The same from the written settlement: its lines and fees, by hand and past the ledger.

    A player is up by what was paid and down by what was taken; of a won tip the stake goes to the toke box with what
    the bank paid on it.
    """
    moved: collections.Counter[str] = collections.Counter()
    for line in settlement["lines"]:
        seat = f"seat {line['seat']}"
        moved["bank"] += line["taken"] - line["paid"]
        moved["tokes"] += line["toked"]
        moved[seat] += -(line["toked"] - line["paid"]) if line["toked"] else line["paid"] - line["taken"]
    for fee in settlement["fees"]:
        moved["drop"] += fee["cents"]
        moved["bank" if fee["payer"] == "bank" else f"seat {fee['seat']}"] -= fee["cents"]
    assert sum(moved.values()) == 0
    return {account: cents for account, cents in moved.items() if cents}
