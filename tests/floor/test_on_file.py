"""Tables open, and rounds begin, on what is filed and in force, with limits for every wager; on nothing else."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.filings import services
from cardroom.filings.errors import FilingError
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.checks.limits import limited_at, limits_missing
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
)
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Round, Table
from cardroom.rooms.models import Room
from tests.cast import BANK_HAND, HANDS, Cast, running_cast, sheet, written
from tests.fees.documents import OPTION_1
from tests.filing import (
    SINCE,
    filed_game,
    filed_long_ago,
    game_draft,
    lift_suspensions,
    schedule_draft,
    table_settings,
)
from tests.kept import kept


def refusal(cast: Cast, command: Any, who: str = "dealer", **arguments: Any) -> FloorError:
    """The error with which a command is refused; nothing has been written by it."""
    before = written()
    with pytest.raises(FloorError) as raised:
        cast.send(command, who, **arguments)
    assert written() == before
    return raised.value


@pytest.fixture
def cast(db: None) -> Cast:
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast()
    cast.send_room(shift_open, "shift_manager", name="Swing")
    return cast


@pytest.fixture
def running(db: None) -> Cast:
    return running_cast()


def by_hand(cast: Cast, **columns: Any) -> None:
    """Set the table behind the services' back, as older data may have it."""
    Table.objects.filter(pk=cast.table.pk).update(**columns)


class TestATableThatOpens:
    def test_it_has_a_filed_game(self, cast: Cast) -> None:
        assert refusal(cast, table_open, "floor").code == "game_not_filed"

    def test_it_has_a_filed_schedule(self, cast: Cast) -> None:
        cast.send(table_set, "floor", **table_settings(cast.room, schedule_id=cast.schedule(1).pk))
        by_hand(cast, schedule=None)
        assert refusal(cast, table_open, "floor").code == "schedule_missing"

    @pytest.mark.clause("california:fees.4")
    def test_its_schedule_has_no_fee_on_a_wager_that_bears_none(self, cast: Cast) -> None:
        by = cast.people["room_manager"]
        charged = {"payer": "player", "per": "wager", "wager": "pair_plus", "fee_cents": 50}
        document = {**OPTION_1, "lines": [*OPTION_1["lines"], charged]}
        schedule = filed_long_ago(
            FeeSchedule(
                room=cast.room, number=61, document=document, rulebook="california", title="Side fees"
            ),
            by,
        )
        settings = table_settings(cast.room, rulebook="california", options={}, schedule_id=schedule.pk)
        error = refusal(cast, table_set, "floor", **settings)
        assert (error.code, error.path) == ("wager_without_fee", "schedule_id")
        assert "Pair Plus" in error.message and error.extra == {"clause": "california:fees.4"}
        cast.send(table_set, "floor", **{**settings, "schedule_id": cast.schedule(1).pk})
        Table.objects.filter(pk=cast.table.pk).update(schedule=schedule)
        cast.table.refresh_from_db()
        assert refusal(cast, table_open, "floor").code == "wager_without_fee"

    def test_its_schedule_is_approved_for_its_game(self, cast: Cast) -> None:
        by, document = cast.people["room_manager"], cast.schedule(1).document
        assert cast.game.number == 1
        drafted = schedule_draft(room=cast.room, number=9, document=document, by=by, title="Nine", games=[1])
        schedule = services.file(drafted, by=by, effective_from=SINCE, state_reference="GEGA-000124")
        settings = table_settings(cast.room, options={"coverage": "net"})
        error = refusal(cast, table_set, "floor", **{**settings, "schedule_id": schedule.pk})
        assert (error.code, error.path) == ("schedule_of_another_approval", "schedule_id")
        assert "is approved for game 1, and not for" in error.message
        cast.send(table_set, "floor", **settings)
        by_hand(cast, schedule=schedule)
        cast.table.refresh_from_db()
        assert refusal(cast, table_open, "floor").code == "schedule_of_another_approval"

    def test_a_schedule_that_names_no_game_is_for_every_game_of_its_rulebook(self, cast: Cast) -> None:
        assert cast.schedule(1).games == []
        for options in ({}, {"coverage": "net"}):
            settings = table_settings(cast.room, options=options, schedule_id=cast.schedule(1).pk)
            assert settings["schedule_id"] == cast.schedule(1).pk
            cast.send(table_set, "floor", **settings)

    def test_it_has_limits_for_every_wager_that_the_game_offers(self, cast: Cast) -> None:
        settings = {"game_id": cast.game.pk, "schedule_id": cast.schedule(1).pk}
        cast.send(table_set, "floor", **settings, wager_limits={})
        error = refusal(cast, table_open, "floor")
        assert error.code == "limits_missing"
        assert "Pair Plus, 6 Card Bonus, Dealer tips" in error.message
        cast.send(table_set, "floor", **settings, wager_limits={"pair_plus": [100, 5000]})
        assert "6 Card Bonus, Dealer tips" in refusal(cast, table_open, "floor").message
        limits = {"pair_plus": [100, 5000], "six_card_bonus": [100, 2500], "tips": [100, 1000]}
        cast.send(table_set, "floor", **settings, wager_limits=limits)
        cast.send(table_open, "floor")

    def test_a_wager_that_is_not_offered_needs_none(self, cast: Cast) -> None:
        game = filed_game(cast.room, options={"tips": "none"})
        settings = {"game_id": game.pk, "schedule_id": cast.schedule(1).pk}
        limits = {"pair_plus": [100, 5000], "six_card_bonus": [100, 2500], "tips": [1, 1]}
        cast.send(table_set, "floor", **settings, wager_limits=limits)
        assert set(Table.objects.get(pk=cast.table.pk).wager_limits) == {"pair_plus", "six_card_bonus"}
        cast.send(table_open, "floor")

    def test_where_a_rake_is_taken_the_base_bet_has_limits_of_the_table(self, db: None) -> None:
        cast = Cast()
        settings = table_settings(cast.room, rulebook="designated_player", rake={"mode": "all", "cents": 100})
        settings["wager_limits"].pop("ante")
        cast.send_room(shift_open, name="Swing")
        cast.send(table_set, "floor", **settings)
        with pytest.raises(FloorError, match="No limits are set at Table 7 for Base Bet") as raised:
            cast.send(table_open, "floor")
        assert raised.value.code == "limits_missing"


class TestARound:
    """Each of these settings was taken by the floor, or was in older data, and a round began on it."""

    def why(self, cast: Cast) -> str:
        whole = refusal(cast, round_record, sheet=sheet({4: 1000}))
        assert refusal(cast, round_open, bank_wager_cents=20000).code == whole.code
        return whole.code

    def test_it_names_the_filed_game_that_it_opened_on(self, running: Cast) -> None:
        running.send(round_record, "dealer", sheet=sheet({4: 1000}))
        round_ = Round.objects.get()
        assert (round_.game, round_.schedule) == (running.game, running.schedule(1))

    def test_it_does_not_begin_without_a_filed_game(self, running: Cast) -> None:
        by_hand(running, game=None)
        assert self.why(running) == "game_not_filed"

    def test_it_does_not_begin_without_a_schedule(self, running: Cast) -> None:
        by_hand(running, schedule=None)
        assert self.why(running) == "schedule_missing"

    @pytest.mark.parametrize(
        "columns",
        [
            {"options": {"coverage": "net"}},
            {"rotation": "every_hand"},
            {"rulebook": "designated_player"},
        ],
    )
    def test_it_does_not_begin_on_settings_that_the_filing_does_not_say(
        self, running: Cast, columns: dict[str, Any]
    ) -> None:
        by_hand(running, **columns)
        with pytest.raises(FloorError) as raised:
            running.send(round_open, "dealer", bank_wager_cents=20000)
        assert raised.value.code == "settings_not_filed"

    @pytest.mark.postgresql
    def test_it_does_not_begin_under_a_profile_that_was_suspended_since_it_was_filed(
        self, running: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as before:
            lift_suspensions(before)
            game = filed_game(running.room, rotation="every_hour")
            settings = {"game_id": game.pk, "schedule_id": running.schedule(1).pk}
            running.send(table_set, "floor", **settings)
        error = refusal(running, round_open, bank_wager_cents=20000)
        assert (error.code, "is suspended" in error.message) == ("rotation_not_in_force", True)
        assert refusal(running, table_set, "floor", **settings).code == "rotation_not_in_force"

    def test_it_does_not_begin_on_a_rulebook_foreign_to_the_rooms_jurisdiction(self, running: Cast) -> None:
        settings = {"game_id": running.game.pk, "schedule_id": running.schedule(1).pk}
        Room.objects.filter(pk=running.room.pk).update(jurisdiction="massachusetts")
        assert self.why(running) == "rulebook_of_another_jurisdiction"
        assert refusal(running, table_set, "floor", **settings).code == "rulebook_of_another_jurisdiction"

    def test_it_does_not_begin_once_a_limit_is_missing(self, running: Cast) -> None:
        by_hand(running, wager_limits={})
        assert self.why(running) == "limits_missing"

    @pytest.mark.postgresql
    def test_a_game_withdrawn_since_blocks_the_next_one(self, running: Cast) -> None:
        running.send(round_record, "dealer", sheet=sheet({4: 1000}))
        day = running.room.shifts.get().gaming_day
        GameFiling.objects.filter(pk=running.game.pk).update(status="withdrawn", effective_to=day)
        assert self.why(running) == "game_not_in_force"


class TestTheDatabase:
    @pytest.mark.postgresql
    def test_no_table_opens_without_a_filed_game_or_what_it_collects(self, cast: Cast) -> None:
        for columns in ({}, {"game": cast.game}):
            by_hand(cast, **columns)
            with pytest.raises(IntegrityError, match="opens on a filed game"), transaction.atomic():
                by_hand(cast, state="open")
        by_hand(cast, schedule=cast.schedule(1))
        by_hand(cast, state="open")

    @pytest.mark.postgresql
    def test_no_round_begins_without_a_filed_game(self, running: Cast) -> None:
        running.send(round_open, "dealer", bank_wager_cents=20000)
        round_ = Round.objects.get()
        by_hand(running, version=0)
        fields = {field.attname: getattr(round_, field.attname) for field in Round._meta.concrete_fields}
        other = {**fields, "id": round_.pk + 1, "table_id": running.second_table.pk, "game_id": None}
        with pytest.raises(IntegrityError, match="begins on a filed game"), transaction.atomic():
            Round.objects.create(**other)


class TestWhatIsFiled:
    @pytest.mark.parametrize(
        "rulebook", ["massachusetts", "south_dakota", "designated_player", "shuffle_master"]
    )
    def test_a_room_files_games_and_schedules_of_its_own_jurisdiction_alone(
        self, cast: Cast, rulebook: str
    ) -> None:
        by = cast.people["compliance"]
        with pytest.raises(FilingError) as raised:
            game_draft(room=cast.room, number=9, rulebook=rulebook, by=by)
        assert raised.value.code == "rulebook_of_another_jurisdiction"
        assert "California" in raised.value.message
        document = cast.schedule(1).document
        with pytest.raises(FilingError) as refused:
            schedule_draft(room=cast.room, number=9, document=document, by=by, rulebook=rulebook)
        assert refused.value.code == "rulebook_of_another_jurisdiction"

    @pytest.mark.postgresql
    def test_a_filing_and_its_approval_are_of_two_people_in_the_database_too(self, cast: Cast) -> None:
        game = GameFiling.objects.create(
            room=cast.room, rulebook="california", number=9, version=1, title="Draft", options={}
        )
        by = cast.people["compliance"]
        filed = {
            "status": "filed",
            "effective_from": datetime.date(2025, 1, 1),
            "state_reference": "S",
            "filed_at": timezone.now(),
            "filed_by": by,
        }
        rows = GameFiling.objects.filter(pk=game.pk)
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**filed, approved_by=by)
        rows.update(**filed, approved_by=cast.people["room_manager"])
        with pytest.raises(IntegrityError, match="stays as it was filed"), transaction.atomic():
            rows.update(rotation="every_hand")


class TestLimits:
    @pytest.mark.parametrize(
        ("bet", "path"),
        [
            ({"wagers": {"ante": 1000, "pair_plus": 100_000_000}}, "wagers.pair_plus"),
            ({"wagers": {"ante": 1000, "pair_plus": 1}}, "wagers.pair_plus"),
            ({"wagers": {"ante": 1000, "six_card_bonus": 2501}}, "wagers.six_card_bonus"),
            ({"wagers": {"ante": 1000}, "tips": {"ante": 99}}, "tips.ante"),
            ({"wagers": {"ante": 1000}, "tips": {"ante": 1001}}, "tips.ante"),
            ({"wagers": {"ante": 499}}, "wagers.ante"),
        ],
    )
    def test_a_wager_or_tip_outside_them_is_refused(
        self, running: Cast, bet: dict[str, Any], path: str
    ) -> None:
        self.limit(running)
        running.send(round_open, "dealer", bank_wager_cents=20000)
        error = refusal(running, bets_place, positions=[{"seat": 4, **bet}])
        assert (error.code, error.path) == ("outside_table_limits", f"positions[0].{path}")

    def test_a_tip_on_play_is_held_against_them_as_it_comes(self, running: Cast) -> None:
        self.limit(running, tips=[200, 1000])
        tipped = sheet({4: 1000})
        tipped["positions"][0]["tips"] = {"ante": 500, "play": 100}
        error = refusal(running, round_record, sheet=tipped)
        assert (error.code, error.path) == ("outside_table_limits", "positions[0].tips.play")
        running.send(round_open, "dealer", bank_wager_cents=20000)
        running.send(
            bets_place, "dealer", positions=[{"seat": 4, "wagers": {"ante": 1000}, "tips": {"ante": 500}}]
        )
        running.send(bets_close, "dealer")
        running.send(round_deal, "dealer")
        position = {"seat": 4, "hand": HANDS[4], "decision": "play", "tips": {"play": 100}}
        error = refusal(running, round_settle, bank_hand=BANK_HAND, positions=[position])
        assert error.path == "positions[0].tips.play"
        position["tips"] = {"play": 200}
        running.send(round_settle, "dealer", bank_hand=BANK_HAND, positions=[position])

    def test_they_stay_when_left_out_and_fall_away_with_the_wager(self, running: Cast) -> None:
        self.limit(running)
        running.send(table_set, "floor", game_id=running.game.pk, schedule_id=running.schedule(2).pk)
        table = Table.objects.get(pk=running.table.pk)
        assert table.wager_limits["six_card_bonus"] == [100, 2500]
        assert limits_missing(table) == []
        assert [each.name for each in limited_at(table)] == ["Pair Plus", "6 Card Bonus", "Dealer tips"]
        running.send(table_close, "floor")
        running.send(table_open, "floor")

    def limit(self, cast: Cast, tips: list[int] | None = None) -> None:
        limits = {"pair_plus": [100, 5000], "six_card_bonus": [100, 2500], "tips": tips or [100, 1000]}
        cast.send(
            table_set,
            "floor",
            game_id=cast.game.pk,
            schedule_id=cast.schedule(1).pk,
            wager_limits=limits,
        )
