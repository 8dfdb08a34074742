"""A table plays a filed game: one at a time, in force, set between rounds, and no round begins after its last day."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, Round, Table
from cardroom.floor.services.filings import game_draft, game_file, game_withdraw
from cardroom.floor.services.rounds import round_open, round_record
from cardroom.floor.services.tables import table_set
from cardroom.offered.models import GameFiling
from tests.cast import Cast, sheet, written


@pytest.fixture
def cast(db: None) -> Cast:
    return Cast()


def in_days(cast: Cast, days: int) -> datetime.date:
    return timezone.localdate(timezone=cast.room.zone) + datetime.timedelta(days=days)


def refused(code: str, path: str, cast: Cast, **settings: Any) -> None:
    before = written()
    with pytest.raises(FloorError) as raised:
        cast.send(table_set, "floor", **{"schedule_id": None, **settings})
    assert (raised.value.code, raised.value.path) == (code, path)
    assert written() == before


def test_a_table_takes_rulebook_and_options_from_its_filed_game(cast: Cast) -> None:
    said = {"number": 4, "rulebook": "california", "options": {"coverage": "net"}, "title": "Net game"}
    game = cast.send_room(game_draft, "compliance", **said)["game"]
    cast.send_room(
        game_file, "compliance", game_id=game, effective_from=in_days(cast, -9), state_reference="GEGA-4"
    )
    cast.send(table_set, "floor", game_id=game, schedule_id=None)
    table = Table.objects.get(pk=cast.table.pk)
    assert (table.game_id, table.rulebook, table.options) == (game, "california", {"coverage": "net"})
    entry = JournalEntry.objects.filter(act="table_set").latest("pk")
    assert entry.data["after"]["game"] == game
    cast.send(table_set, "floor", rulebook="california", options={}, schedule_id=None)
    assert Table.objects.get(pk=cast.table.pk).game is None


def test_a_table_is_set_to_a_filing_in_force_and_to_no_other(cast: Cast) -> None:
    draft = cast.send_room(game_draft, "compliance", number=2, rulebook="california", options={})["game"]
    refused("game_not_in_force", "game_id", cast, game_id=draft)
    refused("unknown_game", "game_id", cast, game_id=999)
    refused("game_missing", "game_id", cast)
    refused("game_says_it", "rulebook", cast, game_id=cast.game.pk, rulebook="california")
    refused("game_says_it", "options", cast, game_id=cast.game.pk, options={})
    banked = cast.send_room(game_draft, "compliance", number=3, rulebook="massachusetts", options={})["game"]
    cast.send_room(
        game_file, "compliance", game_id=banked, effective_from=in_days(cast, -1), state_reference="M-1"
    )
    refused("house_banked", "rulebook", cast, game_id=banked)


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
        cast.send_room(game_withdraw, "compliance", game_id=there.pk, reason="x")
    assert raised.value.status == 404


def test_a_round_keeps_a_copy_of_what_was_played_whatever_is_filed_later(cast: Cast) -> None:
    cast.open_table()
    cast.send(table_set, "floor", game_id=cast.game.pk, schedule_id=cast.schedule(1).pk)
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    said = {"number": 1, "rulebook": "california", "options": {"coverage": "net"}}
    draft = cast.send_room(game_draft, "compliance", **said)["game"]
    cast.send_room(
        game_file, "compliance", game_id=draft, effective_from=in_days(cast, 1), state_reference="GEGA-2"
    )
    assert Round.objects.get().options == {}


def test_no_round_opens_once_the_tables_game_is_no_longer_in_force(cast: Cast) -> None:
    cast.open_table()
    cast.send(table_set, "floor", game_id=cast.game.pk, schedule_id=None)
    cast.bank_to(3)
    shift = cast.room.shifts.get()
    cast.send_room(game_withdraw, "compliance", game_id=cast.game.pk, reason="no longer offered")
    shift.gaming_day = in_days(cast, 2)
    shift.save()
    before = written()
    with pytest.raises(FloorError) as raised:
        cast.send(round_open, "dealer", bank_wager_cents=20000)
    assert raised.value.code == "game_not_in_force"
    assert written() == before
