"""Several bettors on one spot through HTTP: sheets whole and step by step, replayed from a file, and who stands where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Round, Seating, Shift
from cardroom.people.models import Player
from cardroom.people.names import named
from cardroom.reports.shift.making import shift_report_make
from games.engine import settle_json
from tests.cast import Cast
from tests.filing import WIDE, filed_game, free_schedule, table_settings
from tests.samples import compared as plain

from .client import Caller
from .feed import Feed
from .test_replay import Run

Sheet = dict[str, Any]


def sheet(
    player: str, banker: str, *positions: tuple[int, str, dict[str, int]], bank: int = 100_000
) -> Sheet:
    return {
        "rulebook": "baccarat",
        "bank": {"seat": 1, "wager": bank},
        "positions": [{"seat": seat, "player": name, "wagers": wagers} for seat, name, wagers in positions],
        "player_hand": player,
        "banker_hand": banker,
    }


SHEETS = (
    # Two on the spot of seat 3, one each way.
    sheet("9h Kd", "8c Ts", (3, "Ann", {"player": 1000}), (3, "Bea", {"banker": 2000, "tie": 100})),
    # The bank runs out on the second bettor of seat 3; seat 4 and its back line come after.
    sheet(
        "9h Kd", "8c Ts", (3, "Ann", {"player": 1000}), (3, "Bea", {"player": 2000}), (4, "Col", {"player": 500}),
        (4, "Dot", {"banker": 500, "panda_8": 100}), bank=2500,
    ),
    # Bea comes first on the spot now, before Ann and Col; a Dragon 7.
    sheet("Kh Qd 6c", "2c Ts 5d", (3, "Bea", {"banker": 1000, "dragon_7": 100}), (3, "Ann", {"player": 1000}),
          (3, "Col", {"banker": 700, "dragon_7": 500})),
)  # fmt: skip


def test_every_sheet_whole_and_step_by_step_comes_to_what_the_engine_says(cast: Cast) -> None:
    cast.open(seats=())
    feed = Feed(cast)
    for each in SHEETS:
        for play in (feed.record, feed.step_through):
            feed.prepare(each)
            answer = play(each)
            expected = settle_json(each)
            assert plain(answer["settlement"])["lines"] == plain(expected)["lines"]
            assert plain(answer["settlement"])["net"] == plain(expected)["net"]
            record = feed.floor.get(f"rounds/{answer['round']}").said
            lines = answer["settlement"]["lines"]
            of_lines = [row for row in record["transfers"] if row["line"] is not None]
            assert of_lines
            assert all(row["player"] == lines[row["line"] - 1]["player"] for row in of_lines)
    shift = Shift.objects.get()
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    assert shift_report_make(shift.pk).typed_figures["differences"] == []


def test_a_file_of_them_is_replayed(cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cardroom.demo.replay.limits_proposed", lambda wagers, _: {each.key: list(WIDE) for each in wagers}
    )
    filed_game(cast.room, rulebook="baccarat")
    free_schedule(cast.room, "baccarat")
    file = tmp_path / "sheets.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in SHEETS))
    run = Run(file)
    assert run.status == 0, run.err
    stored = Round.objects.filter(table=cast.table).order_by("pk")
    assert [named(round_.settlement["lines"]) for round_ in stored if round_.settlement] == [
        settle_json(each)["lines"] for each in SHEETS
    ]
    standing = Seating.objects.filter(left_at=None, behind__gt=0).order_by("seat", "behind")
    assert [(stay.seat, stay.player.name) for stay in standing] == [(3, "Bea"), (3, "Col")], (
        "Ann kept her seat"
    )


def test_places_are_told_taken_and_refused(cast: Cast) -> None:
    cast.open(seats=(1, 3))
    floor = Caller(cast, "floor")
    table = f"tables/{cast.table.pk}"
    hal = Player.objects.create(room=cast.room, name="Hal Back")

    refused = floor.send("POST", f"{table}/seats/3/back-line", {"player_id": hal.pk})
    assert (refused.status, refused.code) == (409, "no_back_line")

    settings = table_settings(cast.room, rulebook="baccarat", options={"back_line": 1})
    assert floor.send("PUT", f"{table}/settings", settings).status == 200
    joined = floor.send("POST", f"{table}/seats/3/back-line", {"player_id": hal.pk})
    assert (joined.status, joined.said["seat"], joined.said["behind"]) == (200, 3, 1)
    seats = {seat["seat"]: seat for seat in floor.get(table).said["seats"]}
    assert seats[3]["back_line"] == [{"behind": 1, "player": {"id": hal.pk, "name": "Hal Back"}}]

    ida = Player.objects.create(room=cast.room, name="Ida Back")
    full = floor.send("POST", f"{table}/seats/3/back-line", {"player_id": ida.pk})
    assert (full.status, full.code) == (409, "spot_full")
    assert floor.send("POST", f"{table}/seats/3/back-line", {"player_id": 999_999}).code == "unknown_player"

    moved = floor.send("POST", f"{table}/seats/3/back-line/1/move", {"to_seat": 5})
    assert (moved.said["seat"], moved.said["behind"]) == (5, 0)
    back = floor.send("POST", f"{table}/seats/5/move", {"to_seat": 1, "to_back_line": True})
    assert (back.said["seat"], back.said["behind"]) == (1, 1)
    left = floor.send("DELETE", f"{table}/seats/1/back-line/1", None)
    assert (left.status, left.said["behind"]) == (200, 1)
    assert floor.send("DELETE", f"{table}/seats/1/back-line/1", None).code == "seat_empty"
