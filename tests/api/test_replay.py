"""`manage.py replay` plays a file of sheets at a table, and says what became of each."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from cardroom.demo.furnish import LICENCE
from cardroom.floor.commands.rounds import round_open
from cardroom.floor.commands.seats import player_seat
from cardroom.floor.models import Offer, Round, Seating, Turn
from cardroom.people.models import Employment, Player, Role
from cardroom.people.names import named
from cardroom.rooms.models import Room
from games.registry import load_rulebook
from tests.cast import Cast, sheet
from tests.filing import WIDE, filed_game, free_schedule
from tests.samples import compared as plain
from tests.samples import samples, write_sheets

from .test_sample_rounds import GAMES, of_game


class Run:
    """One run of the command: its status and what it printed."""

    def __init__(self, file: Path, *arguments: str) -> None:
        out, err = io.StringIO(), io.StringIO()
        try:
            call_command("replay", str(file), "--room", "cache-slough", *arguments, stdout=out, stderr=err)
            self.status = 0
        except SystemExit as end:
            self.status = int(end.code or 0)
        self.out, self.err = out.getvalue(), err.getvalue()

    def total(self, name: str) -> str:
        """The figure that stands beside `name`."""
        (line,) = [line for line in self.out.splitlines() if line.strip().startswith(name)]
        return line.strip().removeprefix(name).strip()


def sheets_file(folder: Path, *sheets: Any) -> Path:
    file = folder / "sheets.jsonl"
    file.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in sheets))
    return file


@pytest.fixture(autouse=True)
def filed(db: None, cast: Cast) -> None:
    """The room has filed the game of the sheets, and a schedule that charges nothing for those that name none."""
    filed_game(cast.room)
    free_schedule(cast.room)


@pytest.mark.outside  # hundreds of sheets, each played command by command
@pytest.mark.parametrize("game", GAMES)
def test_every_sample_is_played_or_refused_with_a_reason(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """In a room where nothing is open yet, on what it has filed. Games of other jurisdictions are none of its own."""
    monkeypatch.setattr(
        "cardroom.demo.replay.limits_proposed", lambda wagers, _: {each.key: list(WIDE) for each in wagers}
    )
    pairs = of_game(game)
    for sheet_, _ in pairs:
        options = dict(sheet_.get("options") or {})
        options.pop("fee_schedule", None)
        filed_game(cast.room, rulebook=game, options=options)
    if load_rulebook(game).player_banked:
        free_schedule(cast.room, game)
    run = Run(write_sheets(tmp_path))
    settlements = [expected for _, expected in pairs]
    assert run.status == 1
    others = len(samples()) - len(settlements)
    assert (run.total("rounds"), run.total("refused")) == (str(len(settlements)), str(others)), run.err
    assert run.total("taken") == dollars(sum(line["taken"] for one in settlements for line in one["lines"]))
    assert run.total("paid") == dollars(sum(line["paid"] for one in settlements for line in one["lines"]))
    assert run.total("fees") == dollars(sum(one["drop"] for one in settlements))
    assert run.total("tips") == dollars(sum(one["tokes"] for one in settlements))
    assert run.total("total table action") == dollars(sum(one["total_table_action"] for one in settlements))
    uncovered = sum(line["uncovered"] for one in settlements for line in one["lines"])
    assert run.total("uncovered") == dollars(uncovered)
    stored = Round.objects.filter(table=cast.table).order_by("pk")
    assert [plain(named(round_.settlement)) for round_ in stored] == [plain(one) for one in settlements]
    codes = {line.split(": ")[1].split(" at ")[0] for line in run.err.splitlines()}
    assert codes == {"rulebook_of_another_jurisdiction"}


def test_a_sheet_on_options_that_are_not_filed_is_refused_and_a_demo_room_files_them(
    cast: Cast, tmp_path: Path
) -> None:
    net = sheet({4: 1000}, options={"coverage": "net"})
    run = Run(sheets_file(tmp_path, net))
    assert "line 1: game_not_filed at options" in run.err
    assert not Round.objects.exists()
    Room.objects.filter(pk=cast.room.pk).update(licence_number=LICENCE)
    assert Run(sheets_file(tmp_path, net)).status == 0
    assert Round.objects.get().game.options == {"coverage": "net"}


def test_the_bank_moves_by_offers_alone(cast: Cast, tmp_path: Path) -> None:
    """Seats between are asked and decline; three sheets of one bank in a row take a new turn, after all declined."""
    run = Run(
        sheets_file(tmp_path, *[sheet({4: 1000, 5: 1000}, bank=3)] * 3, sheet({4: 1000, 3: 1000}, bank=5))
    )
    assert run.status == 0, run.err
    assert [(turn.seat, turn.rounds, turn.renewed) for turn in Turn.objects.order_by("pk")] == [
        (3, 2, False),
        (3, 1, True),
        (5, 1, False),
    ]
    answers = [(offer.seat, offer.answer) for offer in Offer.objects.order_by("pk")]
    assert answers == [(3, "accepted"), (4, "declined"), (5, "declined"), (4, "declined"), (5, "accepted")]


def test_players_move_swap_and_make_room_as_the_sheets_say(cast: Cast, tmp_path: Path) -> None:
    swapped = sheet({4: 1000, 5: 1000}, bank=3)
    swapped["positions"][0]["player"], swapped["positions"][1]["player"] = "Eve", "Dee"
    moved = sheet({4: 1000, 6: 1000}, bank=3)
    moved["positions"][0]["player"], moved["positions"][1]["player"] = "New Face", "Eve"
    run = Run(sheets_file(tmp_path, sheet({4: 1000, 5: 1000}, bank=3), swapped, moved))
    assert run.status == 0, run.err
    sitting = Seating.objects.filter(left_at__isnull=True).order_by("seat")
    assert {s.seat: s.player.name for s in sitting} == {3: "seat 3", 4: "New Face", 5: "Dee", 6: "Eve"}
    assert Player.objects.filter(room=cast.room, name="New Face").count() == 1


def test_a_seat_without_a_name_keeps_who_sits_there(running: Cast, tmp_path: Path) -> None:
    nameless = sheet({4: 1000, 5: 1000}, bank=3)
    for position in nameless["positions"]:
        del position["player"]
    before = Seating.objects.count()
    assert Run(sheets_file(tmp_path, nameless)).status == 0
    assert Seating.objects.count() == before
    assert set(named(Round.objects.get().settlement["net"])) == {"Dee", "Eve"}


def test_what_is_refused_is_told_by_line_and_the_rest_is_played(cast: Cast, tmp_path: Path) -> None:
    site = {
        "rulebook": "massachusetts",
        "bank_hand": "Kh 7d 4c",
        "positions": [{"seat": 4, "hand": "Js Jh 5c", "wagers": {"ante": 1000}, "decision": "play"}],
    }
    bad_card = sheet({4: 1000})
    bad_card["bank_hand"] = "Kh 7d 1c"
    charged = sheet({4: 1000}, options={"fee_schedule": 1})
    unseen = sheet({4: 1000})
    unseen["positions"][0]["player"] = "D\N{ZERO WIDTH SPACE}ee"
    run = Run(sheets_file(tmp_path, sheet({4: 1000}), "{", "", bad_card, site, unseen, charged))
    assert run.status == 1
    assert (run.total("rounds"), run.total("refused")) == ("2", "5")
    found = [line.split(": ")[:2] for line in run.err.splitlines()]
    assert found == [
        ["line 2", "bad_json"],
        ["line 3", "bad_json"],
        ["line 4", "bad_card at bank_hand"],
        ["line 5", "rulebook_of_another_jurisdiction at rulebook"],
        ["line 6", "bad_player_name"],
    ]


def test_a_round_in_play_is_not_played_over(running: Cast, tmp_path: Path) -> None:
    running.send(round_open, "dealer", bank_wager_cents=1000)
    with pytest.raises(CommandError, match="in play"):
        Run(sheets_file(tmp_path, sheet({4: 1000})))
    assert Round.objects.count() == 1


def test_somebody_who_sits_at_another_table_is_not_pulled_away(running: Cast, tmp_path: Path) -> None:
    run = Run(sheets_file(tmp_path, sheet({4: 1000})), "--table", "8")
    assert run.status == 1
    assert "line 1: player_elsewhere" in run.err
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--table", "99"], "Tables: 7, 8"),
        (["--room", "nowhere"], "Rooms of this site: cache-slough, gold-bar"),
    ],
)
def test_a_table_or_room_that_is_none_is_told(
    cast: Cast, tmp_path: Path, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        Run(sheets_file(tmp_path, sheet({4: 1000})), *arguments)


def test_a_room_without_a_shift_manager_cannot_replay(cast: Cast, tmp_path: Path) -> None:
    Employment.objects.filter(room=cast.room, role=Role.SHIFT_MANAGER).delete()
    with pytest.raises(CommandError, match="no shift manager"):
        Run(sheets_file(tmp_path, sheet({4: 1000})))


def test_a_file_that_is_not_there_is_told(cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        Run(tmp_path / "nothing.jsonl")


def test_a_second_table_has_its_own_dealer(running: Cast, tmp_path: Path) -> None:
    strangers = sheet({4: 1000})
    strangers["positions"][0]["player"] = "Stranger"
    assert Run(sheets_file(tmp_path, strangers), "--table", "8").status == 0
    assert Round.objects.get().dealer == running.people["dealer_2"]
    running.send(player_seat, "floor", running.second_table, seat=7, player_id=running.waiting[0].pk)


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"
