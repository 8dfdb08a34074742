"""House rake at a table of a designated player: known before the deal, taken as hands are settled, none of dead hands."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from cardroom.demo.replay import Replay
from cardroom.filings import services
from cardroom.filings.errors import FilingError
from cardroom.filings.models import FeeSchedule
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import bets_close, round_open, round_record, round_void
from cardroom.floor.commands.seats import player_seat
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, Offer, Round, Table, Transfer
from cardroom.floor.reads.bets import rake_preview
from cardroom.floor.reads.table_state import read_table
from cardroom.rooms.models import Room
from tests.cast import BANK_HAND, HANDS, JACK_HIGH, Cast, table_7
from tests.filing import schedule_draft, table_settings
from tests.kept import kept

from .test_corrections import as_recorded, balances
from .test_rounds import moved, refused

#: Seat 4's jack high loses to the bank's king high, seat 5's ace high beats it.
ANTES = {4: 1000, 5: 2000}


def set_rake(cast: Cast, rake: dict[str, Any] | None, **more: Any) -> None:
    chosen = table_settings(cast.room, rulebook="designated_player", rake=rake, **more)
    cast.send(table_set, "floor", **chosen)


@pytest.fixture
def raked(db: None) -> Cast:
    """A table of a designated player, $1.50 from every player and the bank; seat 3 banks."""
    return kept(_raked)


def _raked() -> Cast:
    cast = Cast()
    cast.open()
    set_rake(cast, {"mode": "all", "cents": 150})
    cast.bank_to(3)
    return cast


def filed_schedule(cast: Cast) -> FeeSchedule:
    """A schedule of fees that the room has filed for the designated player's game."""
    by = cast.people["room_manager"]
    cast.room.refresh_from_db()  # it has gone over to another jurisdiction
    document = cast.room.feeschedule_versions.get(number=1).document
    draft = schedule_draft(room=cast.room, number=8, document=document, by=by, rulebook="designated_player")
    return services.file(
        draft, by=by, effective_from=datetime.date(2026, 1, 1), state_reference="test filing 8"
    )


def settings(cast: Cast, rake: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """What sets the table to the designated player's game with that rake, which is filed with it."""
    return table_settings(cast.room, rulebook="designated_player", rake=rake, **more)


def rake_by_seat(round_: Round) -> dict[int, int]:
    """What went into the drop box for a round, in cents by seat."""
    current = Transfer.objects.filter(
        round__number=round_.number, kind="rake", reverses__isnull=True, reversals__isnull=True
    )
    return dict(current.values_list("seat", "cents"))


class TestSetting:
    def test_it_stands_in_the_tables_settings_and_in_the_journal(self, raked: Cast) -> None:
        table = table_7()
        assert (table.rulebook, table.rake_mode, table.rake_cents) == ("designated_player", "all", 150)
        entry = JournalEntry.objects.filter(command="table_set").latest("seq")
        assert (entry.data["before"]["rake"], entry.data["after"]["rake"]) == (
            None,
            {"mode": "all", "cents": 150},
        )

    def test_a_rake_needs_the_cards(self, raked: Cast) -> None:
        chosen = settings(raked, {"mode": "all", "cents": 100})
        refused(raked, "rake_needs_cards", table_set, "floor", **chosen, recording="fees")

    @pytest.mark.parametrize(
        "rake",
        [
            {"mode": "all", "cents": 0},
            {"mode": "all", "cents": "1%"},
            {"mode": "winners", "cents": 100},
            {"mode": "all", "cents": 1.5},
        ],
    )
    def test_what_is_no_rake_of_the_game_is_not_filed(self, raked: Cast, rake: dict[str, Any]) -> None:
        with pytest.raises(FilingError) as caught:
            settings(raked, rake)
        assert (caught.value.code, caught.value.path) == ("bad_option", "options.house_rake")

    def test_a_table_has_fees_or_a_rake_never_both(self, raked: Cast) -> None:
        filed = filed_schedule(raked)
        chosen = settings(raked, {"mode": "all", "cents": 100})
        refused(raked, "fees_or_rake", table_set, "floor", **{**chosen, "schedule_id": filed.pk})
        raked.send(table_set, "floor", **settings(raked, None, schedule_id=filed.pk))
        assert table_7().rake is None
        raked.play(ANTES)
        assert (moved("rake"), moved("fee")) == (0, 300)

    @pytest.mark.parametrize("change", [{"recording": "fees"}, {"rake_cents": 0}, {"rake_cents": None}])
    def test_the_database_keeps_a_rake_whole_and_by_the_cards(
        self, raked: Cast, change: dict[str, Any]
    ) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Table.objects.update(**change)

    def test_the_database_keeps_fees_and_rake_apart(self, raked: Cast) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Table.objects.update(schedule=filed_schedule(raked))

    def test_it_is_set_between_rounds_only(self, raked: Cast) -> None:
        raked.bet(ANTES)
        chosen = settings(raked, {"mode": "all", "cents": 200})
        refused(raked, "round_live", table_set, "floor", **chosen)

    def test_a_dealer_does_not_set_it(self, raked: Cast) -> None:
        chosen = settings(raked, {"mode": "all", "cents": 200})
        refused(raked, "forbidden", table_set, "dealer", **chosen)

    def test_seat_eight_is_left_before_a_game_of_seven_seats(self, raked: Cast) -> None:
        hal = raked.waiting[0]
        raked.send(player_seat, seat=8, player_id=hal.pk)
        chosen = table_settings(raked.room)
        error = refused(raked, "seat_beyond", table_set, "floor", **chosen)
        assert "Hal sits at seat 8" in error.message


class TestRound:
    def test_it_is_known_before_the_deal_and_taken_after_it(self, raked: Cast) -> None:
        raked.bet(ANTES)
        state = read_table(table_7())
        assert state.live is not None
        quoted = rake_preview(state, state.live, state.live.bets)
        assert quoted is not None
        assert {fee.seat: fee.cents for fee in quoted.fees} == {4: 150, 5: 150, 3: 150}
        raked.send(bets_close)
        assert (moved("rake"), Round.objects.get().fees, Round.objects.get().drop_cents) == (0, [], 0)
        entry = JournalEntry.objects.get(command="bets_close")
        assert entry.data["rake"] == {"mode": "all", "cents": 150}

    def test_every_live_hand_and_the_bank_pay_as_the_round_is_settled(self, raked: Cast) -> None:
        answer = raked.play(ANTES, hands={4: JACK_HIGH})
        round_ = Round.objects.get()
        assert rake_by_seat(round_) == {4: 150, 5: 150, 3: 150}
        assert answer["settlement"]["drop"] == round_.rake_cents == round_.drop_cents == 450
        assert (round_.player_fees_cents, round_.bank_fee_cents, moved("fee")) == (0, 0, 0)
        assert round_.options["house_rake"] == {"mode": "all", "cents": 150}
        assert balances(round_) == {
            ("seat", 4): -2000 - 150,
            ("seat", 5): 4000 - 150,
            ("bank", None): -2000 - 150,
            ("drop", None): 450,
        }

    def test_a_dead_hand_pays_none(self, raked: Cast) -> None:
        """Seat 4 has staked $40 against funds of $20: dead. Seat 5 is covered to the cent."""
        raked.play({4: 2000, 5: 1000}, wager=2000)
        round_ = Round.objects.get()
        assert rake_by_seat(round_) == {5: 150, 3: 150}
        assert (round_.rake_cents, round_.uncovered_cents, round_.exhausted) == (300, 4000, True)

    @pytest.mark.parametrize("mode", ["all", "all_but_bank", "bank_only"])
    def test_when_every_hand_is_dead_nobody_pays(self, raked: Cast, mode: str) -> None:
        set_rake(raked, {"mode": mode, "cents": 150})
        raked.play(ANTES, wager=500)
        round_ = Round.objects.get()
        assert (round_.state, round_.rake_cents, round_.fees) == ("settled", 0, [])
        assert not round_.transfers.exists()

    def test_after_every_hand_the_bank_is_offered(self, raked: Cast) -> None:
        raked.play(ANTES)
        refused(raked, "offer_due", round_open, bank_wager_cents=20_000)
        raked.send(offer_answer, seat=4, answer="ineligible", reason="left the licence at home")
        raked.send(offer_answer, seat=5, answer="accepted")
        assert Offer.objects.filter(answer="ineligible").count() == 1
        raked.play({4: 1000})
        assert Round.objects.latest("pk").bank_seat == 5

    @pytest.mark.parametrize("setting", ["refund", "keep"])
    def test_a_void_takes_none_whatever_the_room_does_with_fees(self, raked: Cast, setting: str) -> None:
        Room.objects.filter(pk=raked.room.pk).update(fees_on_void=setting)
        raked.deal(ANTES)
        raked.send(round_void, reason="exposed card", approver=raked.people["shift_manager"])
        round_ = Round.objects.get()
        assert (round_.state, round_.drop_cents, round_.refunded_cents) == ("void", 0, 0)
        assert not round_.transfers.exists()

    def test_no_more_bets_is_undone_without_a_cent_moved(self, raked: Cast) -> None:
        raked.bet(ANTES)
        raked.send(bets_close)
        raked.send(undo, reason="one bet more", approver=raked.people["floor"])
        assert (Round.objects.get().state, Transfer.objects.count()) == ("betting", 0)
        raked.send(bets_close)

    def test_the_database_knows_no_rake_beside_fees_or_before_settlement(self, raked: Cast) -> None:
        raked.deal(ANTES)
        for change in ({"rake_cents": 100}, {"rake_cents": -100}):
            with pytest.raises(IntegrityError), transaction.atomic():
                Round.objects.update(**change)


class TestWholeSheet:
    SHEET: dict[str, Any] = {
        "rulebook": "designated_player",
        "bank": {"seat": 3, "wager": 2000},
        "bank_hand": BANK_HAND,
        "positions": [
            {"seat": seat, "hand": HANDS[seat], "wagers": {"ante": cents}, "decision": "play"}
            for seat, cents in ((4, 2000), (5, 1000))
        ],
    }

    def test_it_is_recorded_with_the_tables_own_rake(self, raked: Cast) -> None:
        raked.send(round_record, sheet=self.SHEET)
        round_ = Round.objects.get()
        assert rake_by_seat(round_) == {5: 150, 3: 150}
        assert round_.sheet is not None
        assert round_.sheet["options"]["house_rake"] == {"mode": "all", "cents": 150}

    @pytest.mark.parametrize(
        "rake", [None, {"mode": "all", "cents": 100}, {"mode": "bank_only", "cents": 150}]
    )
    def test_one_of_another_rake_is_refused(self, raked: Cast, rake: dict[str, Any] | None) -> None:
        error = refused(
            raked, "options_differ", round_record, sheet={**self.SHEET, "options": {"house_rake": rake}}
        )
        assert getattr(error, "path", "") == "options.house_rake"

    def test_a_replay_sets_the_rake_that_the_sheet_names(self, raked: Cast) -> None:
        replay = Replay(table_7(), raked.people["shift_manager"])
        rake = {"mode": "bank_only", "cents": 300}
        settings(raked, rake)
        settled = replay.play(json.dumps({**self.SHEET, "options": {"house_rake": rake}}).encode())
        assert settled["fees"] == [{"payer": "bank", "seat": 3, "cents": 300}]
        assert table_7().rake_cents == 300


class TestCorrection:
    @pytest.mark.parametrize(
        ("drop", "rake", "differs"),
        [("as_recorded", {4: 150, 5: 150, 3: 150}, 450), ("as_due", {5: 150, 3: 150}, 300)],
    )
    def test_a_hand_found_dead_is_corrected_and_the_drop_as_it_lies_or_as_due(
        self, raked: Cast, drop: str, rake: dict[int, int], differs: int
    ) -> None:
        """The bank had $20 and not $200, and seat 4 $20 on its ante: dead."""
        raked.play({4: 2000, 5: 1000})
        played = Round.objects.get()
        record = as_recorded(played)
        record["bank_wager_cents"] = 2000
        raked.send(round_correct, **record, reason="wager misread", approver=raked.people["floor"], drop=drop)
        corrected = Round.objects.latest("pk")
        assert corrected.rake_cents == differs
        assert rake_by_seat(corrected) == rake
        assert corrected.settlement is not None
        assert (corrected.settlement["drop"], corrected.uncovered_cents) == (differs, 4000)
        bumps_version = balances(played, corrected)
        assert (bumps_version["drop", None], sum(bumps_version.values())) == (differs, 0)
        assert bumps_version.get(("seat", 4), 0) == -rake.get(4, 0)


def test_an_outsider_sets_nothing(raked: Cast) -> None:
    outsider = raked.people["rival_floor"]
    with pytest.raises(FloorError) as caught:
        raked.send(
            table_set,
            outsider,
            **table_settings(
                raked.room,
                rulebook="designated_player",
                options={},
                schedule_id=None,
                rake={"mode": "all", "cents": 1},
            ),
        )
    assert caught.value.status in (403, 404)
    assert Table.objects.get(pk=raked.table.pk).rake_cents == 150
