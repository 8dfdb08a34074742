"""A table plays a filed game: one at a time, in force, set between rounds, and no round begins after its last day."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.utils import timezone

from cardroom.filings.models import GameFiling
from cardroom.floor.commands.filings import games
from cardroom.floor.commands.rounds import round_open, round_record
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, Round, Table
from tests.cast import Cast, sheet, written


def in_days(cast: Cast, days: int) -> datetime.date:
    return timezone.localdate(timezone=cast.room.zone) + datetime.timedelta(days=days)


def refused(code: str, path: str, cast: Cast, **settings: Any) -> None:
    before = written()
    with pytest.raises(FloorError) as raised:
        cast.send(table_set, "floor", **settings)
    assert (raised.value.code, raised.value.path) == (code, path)
    assert written() == before


def digest_of(game: int) -> str:
    return GameFiling.objects.get(pk=game).digest


def filed(cast: Cast, *, since: int = -9, **fields: Any) -> int:
    """Draft and file a game through the commands; return its id."""
    given = {"rulebook": "california", "options": {}, **fields}
    game = cast.send_room(games.draft, "compliance", **given)["game"]
    first, signs = in_days(cast, since), cast.people["room_manager"]
    cast.send_room(
        games.file,
        "compliance",
        game_id=game,
        digest=digest_of(game),
        effective_from=first,
        state_reference="GEGA-4",
        approver=signs,
    )
    return int(game)


def test_a_table_takes_everything_that_is_played_from_its_filed_game(cast: Cast) -> None:
    game = filed(cast, number=4, options={"coverage": "net"}, rotation="intervening", title="Net game")
    cast.send(table_set, "floor", game_id=game, schedule_id=cast.schedule(1).pk)
    table = Table.objects.get(pk=cast.table.pk)
    assert (table.game_id, table.rulebook, table.options) == (game, "california", {"coverage": "net"})
    assert (table.rotation, cast.state().profile.id, table.rake) == ("intervening", "intervening", None)
    entry = JournalEntry.objects.filter(command="table_set").latest("pk")
    assert entry.data["after"]["game"] == game


def test_a_table_is_set_to_a_filing_in_force_and_to_no_other(cast: Cast) -> None:
    draft = cast.send_room(games.draft, "compliance", number=2, rulebook="california", options={})["game"]
    charged = {"schedule_id": cast.schedule(1).pk}
    refused("game_not_in_force", "game_id", cast, game_id=draft, **charged)
    refused("unknown_game", "game_id", cast, game_id=999, **charged)
    refused("schedule_missing", "schedule_id", cast, game_id=cast.game.pk, schedule_id=None)
    refused("unknown_schedule", "schedule_id", cast, game_id=cast.game.pk, schedule_id=999)
    limits = {"wager_limits": {"jackpot": [1, 2]}}
    refused("unknown_wager", "wager_limits.jackpot", cast, game_id=cast.game.pk, **charged, **limits)


@pytest.mark.parametrize(
    "by_hand",
    [
        {"rulebook": "california"},
        {"options": {"coverage": "net"}},
        {"rotation": "two_rounds"},
        {"rake": {"mode": "all", "cents": 100}},
    ],
)
def test_the_floor_sets_nothing_that_a_filing_says(cast: Cast, by_hand: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        cast.send(table_set, "floor", game_id=cast.game.pk, schedule_id=cast.schedule(1).pk, **by_hand)


def test_another_rooms_filing_is_not_there(cast: Cast) -> None:
    by = cast.people["rival_compliance"]
    there = GameFiling.objects.create(
        room=cast.rival,
        rulebook="california",
        number=1,
        version=1,
        title="Theirs",
        status="filed",
        effective_from=in_days(cast, -1),
        state_reference="R-1",
        filed_at=timezone.now(),
        filed_by=by,
    )
    refused("unknown_game", "game_id", cast, game_id=there.pk)
    with pytest.raises(FloorError) as raised:
        cast.send_room(
            games.withdraw,
            "compliance",
            approver=cast.people["room_manager"],
            game_id=there.pk,
            digest=there.digest,
            reason="x",
        )
    assert raised.value.status == 404


def test_a_round_keeps_a_copy_of_what_was_played_whatever_is_filed_later(cast: Cast) -> None:
    cast.open()
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    filed(cast, number=1, options={"coverage": "net"}, since=1)
    assert Round.objects.get().options == {}


def test_no_round_opens_once_the_tables_game_is_no_longer_in_force(cast: Cast) -> None:
    cast.open()
    cast.bank_to(3)
    shift = cast.room.shifts.get()
    cast.send_room(
        games.withdraw,
        "compliance",
        approver=cast.people["room_manager"],
        game_id=cast.game.pk,
        digest=cast.game.digest,
        reason="no longer offered",
    )
    shift.gaming_day = in_days(cast, 2)
    shift.save()
    before = written()
    with pytest.raises(FloorError) as raised:
        cast.send(round_open, "dealer", bank_wager_cents=20000)
    assert raised.value.code == "game_not_in_force"
    assert "no version of it is" in raised.value.message
    assert written() == before


def test_a_superseded_version_is_refused_by_the_name_of_the_one_in_force(cast: Cast) -> None:
    cast.open()
    cast.bank_to(3)
    later = filed(cast, number=1, options={"coverage": "net"}, title="Net game", since=1)
    shift = cast.room.shifts.get()
    shift.gaming_day = in_days(cast, 2)
    shift.save()
    with pytest.raises(FloorError, match="Net game, version 2 is") as raised:
        cast.send(round_open, "dealer", bank_wager_cents=20000)
    assert raised.value.code == "game_not_in_force"
    assert Table.objects.get(pk=cast.table.pk).game_id != later
