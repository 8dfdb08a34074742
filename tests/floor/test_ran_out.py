"""Rounds that are not carded: where the bank ran out, and wagers after the deal (ruling 55)."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    later_bets_place,
    round_deal,
    round_finish,
    round_open,
)
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import Alert, JournalEntry, Round
from cardroom.floor.reads.table_record import table_record
from tests.cast import Cast
from tests.filing import table_settings
from tests.reports.commands import of_table, report
from tests.reports.played_shift import drawn, rows

from .test_corrections import as_recorded, correct

BLACKJACK: dict[str, Any] = {
    "name": "Blackjack",
    "seats": 8,
    "decks": 6,
    "spots": [
        {"id": "bet", "name": "Bet", "main": True},
        {"id": "pairs", "name": "Lucky Pairs"},
        {"id": "double", "name": "Double", "after_deal": {"of": "bet", "most": 1}},
        {"id": "split", "name": "Split", "after_deal": {"of": "bet", "most": 3, "whole": True}},
        {"id": "insurance", "name": "Insurance", "after_deal": {"of": "bet", "most": "1/2"}},
    ],
}


@pytest.fixture
def blackjack(running: Cast) -> Cast:
    """A table of blackjack at which seat 3 banks."""
    settings = table_settings(running.room, rulebook="by_eye", options=BLACKJACK)
    running.send(table_set, "floor", **settings, recording="fees")
    return running


def dealt(cast: Cast, bank_cents: int, wagers: dict[int, dict[str, int]]) -> None:
    cast.send(round_open, bank_wager_cents=bank_cents)
    cast.send(bets_place, positions=[{"seat": seat, "wagers": each} for seat, each in wagers.items()])
    cast.send(bets_close)
    cast.send(round_deal)


def at(seat: int, paid: int = 0, taken: int = 0, returned: int = 0, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "paid_cents": paid, "taken_cents": taken, "returned_cents": returned, **more}


WAGERS = {4: {"bet": 4000}, 5: {"bet": 4000, "pairs": 500}, 1: {"bet": 11_500}}
"""$200 in all. Seat 3 banks: settled are seats 4, 5 and 1."""


class TestWhereTheBankRanOut:
    def test_what_stands_behind_went_back_and_is_counted(self, blackjack: Cast) -> None:
        """A bank of $50: seat 4 is paid $40, seat 5 $10 of its $45; $35 went back there, and $115 of seat 1: $150."""
        dealt(blackjack, 5000, WAGERS)
        blackjack.send(round_finish, ran_out=at(5, paid=1000, returned=3500))
        round_ = Round.objects.get()
        assert (round_.uncovered_cents, round_.exhausted) == (15_000, True)
        assert round_.ran_out == {"seat": 5, "paid": 1000, "taken": 0, "returned": 3500}
        assert (round_.taken_cents, round_.paid_cents) == (0, 0)
        alert = Alert.objects.get(kind=Alert.Kind.BANK_EXHAUSTED)
        assert "$150 of wagers went back uncovered" in alert.text
        entry = JournalEntry.objects.get(command="round_finish")
        assert (entry.data["ran_out"], entry.data["uncovered"]) == (round_.ran_out, 15_000)
        made = report(blackjack)
        sums = of_table(made, blackjack.table.number)
        assert (sums["exhausted_banks"], sums["uncovered_cents"]) == (1, 15_000)
        assert made.typed_figures["differences"] == []
        call_command("verify", stdout=StringIO())

    def test_a_bank_of_one_cent_against_200_dollars_is_seen(self, blackjack: Cast) -> None:
        """$0.01 against $115 is told from the first wager on; it is paid of seat 4's $40; $39.99, $45 and $115 went back."""
        dealt(blackjack, 1, WAGERS)
        record = table_record(blackjack.state())["round"]
        assert record is not None and record["bank_below_main_wager_cents"] == 11_500
        assert JournalEntry.objects.get(command="bets_close").data["bank_below_main_wager"] == 11_500
        blackjack.send(round_finish, ran_out=at(4, paid=1, returned=3999))
        assert Round.objects.get().uncovered_cents == 3999 + 4500 + 11_500
        assert Alert.objects.filter(kind=Alert.Kind.BANK_EXHAUSTED).exists()

    def test_within_a_seat_it_ran_out_at_a_spot(self, blackjack: Cast) -> None:
        """Seat 5: its Bet was covered, of Lucky Pairs $2 were taken and $3 went back, and $115 behind it."""
        dealt(blackjack, 8200, WAGERS)
        blackjack.send(round_finish, ran_out=at(5, taken=200, returned=300, spot="pairs"))
        assert Round.objects.get().uncovered_cents == 300 + 11_500

    def test_it_begins_at_the_action_seat_and_goes_the_filed_way_round(self, blackjack: Cast) -> None:
        """Counter-clockwise from seat 3: seats 1, 5 and 4, so that $40 stands behind seat 5."""
        settings = table_settings(
            blackjack.room, rulebook="by_eye", options={**BLACKJACK, "direction": "counterclockwise"}
        )
        blackjack.send(table_set, "floor", **settings)
        dealt(blackjack, 5000, WAGERS)
        blackjack.send(round_finish, ran_out=at(5, returned=4500))
        assert Round.objects.get().uncovered_cents == 4500 + 4000

    def test_where_dice_or_a_button_name_the_seat_it_is_said_at_no_more_bets(self, blackjack: Cast) -> None:
        """From seat 5 on: seat 4 is the last, so that $115 of seat 1 and $40 stand behind seat 5. A correction says it too."""
        settings = table_settings(
            blackjack.room, rulebook="by_eye", options={**BLACKJACK, "starts": "named_seat"}
        )
        blackjack.send(table_set, "floor", **settings)
        blackjack.send(round_open, bank_wager_cents=5000)
        blackjack.send(
            bets_place, positions=[{"seat": seat, "wagers": each} for seat, each in WAGERS.items()]
        )
        with pytest.raises(BadInput, match="dice or a button name the seat") as refused:
            blackjack.send(bets_close)
        assert (refused.value.code, refused.value.path) == ("action_seat_required", "action_seat")
        assert Round.objects.get().state == Round.State.BETTING
        blackjack.send(bets_close, action_seat=5)
        blackjack.send(round_deal)
        blackjack.send(round_finish, ran_out=at(5, returned=4500))
        round_ = Round.objects.get()
        assert round_.uncovered_cents == 4500 + 11_500 + 4000
        with pytest.raises(BadInput) as refused:
            correct(blackjack, {**as_recorded(round_), "action_seat": None, "bank_wager_cents": 6000})
        assert (refused.value.code, refused.value.path) == ("action_seat_required", "action_seat")

    def test_the_bank_is_offered_the_filed_way_round_too(self, blackjack: Cast) -> None:
        """After two rounds of seat 3 the bank goes counter-clockwise: seat 2 is asked."""
        settings = table_settings(
            blackjack.room, rulebook="by_eye", options={**BLACKJACK, "direction": "counterclockwise"}
        )
        blackjack.send(table_set, "floor", **settings)
        for _ in range(2):
            dealt(blackjack, 50_000, WAGERS)
            blackjack.send(round_finish)
        step = blackjack.state().step
        assert (step.kind, step.seat) == ("offer", 2)

    def test_left_out_the_bank_covered_all(self, blackjack: Cast) -> None:
        dealt(blackjack, 5000, WAGERS)
        blackjack.send(round_finish)
        round_ = Round.objects.get()
        assert (round_.ran_out, round_.uncovered_cents, round_.exhausted) == (None, 0, False)
        assert not Alert.objects.filter(kind=Alert.Kind.BANK_EXHAUSTED).exists()

    @pytest.mark.parametrize(
        ("ran_out", "code", "path"),
        [
            (at(6, returned=100), "bad_seat", "ran_out.seat"),
            (at(4, returned=100, spot="pairs"), "bad_seat", "ran_out.spot"),
            (at(4, returned=4001), "beyond_wagers", "ran_out.returned_cents"),
            (at(4, taken=1000, returned=3001), "beyond_wagers", "ran_out.returned_cents"),
            (at(4, paid=-1), "bad_amount", "ran_out.paid_cents"),
            (at(4, paid=5001), "beyond_bank", "ran_out.paid_cents"),
            (at(1, taken=11_500), "beyond_bank", "ran_out.paid_cents"),
        ],
    )
    def test_what_cannot_be_is_refused_and_nothing_is_written(
        self, blackjack: Cast, ran_out: dict[str, Any], code: str, path: str
    ) -> None:
        dealt(blackjack, 5000, WAGERS)
        with pytest.raises(BadInput) as refused:
            blackjack.send(round_finish, ran_out=ran_out)
        assert (refused.value.code, refused.value.path) == (code, path)
        assert Round.objects.get().state == Round.State.BETS_CLOSED

    def test_the_database_holds_the_columns_together(self, blackjack: Cast) -> None:
        dealt(blackjack, 5000, WAGERS)
        round_ = Round.objects.get()
        round_.exhausted = True
        with pytest.raises(IntegrityError, match="a_bank_ran_out_where_it_says"), transaction.atomic():
            round_.save()

    def test_the_report_on_coverage_lists_what_went_back(self, blackjack: Cast) -> None:
        dealt(blackjack, 5000, WAGERS)
        blackjack.send(round_finish, ran_out=at(5, paid=1000, returned=3500))
        listed = rows(drawn(blackjack, "coverage"), "wagers")
        assert [(row["seat"], row["wager"], row["uncovered_cents"]) for row in listed] == [
            ("5", "all", 3500),
            ("1", "bet", 11_500),
        ]


class TestWagersAfterTheDeal:
    def test_they_count_toward_no_fee_and_no_action_and_go_back_with_the_rest(self, blackjack: Cast) -> None:
        """Seat 4 doubles $40; the bank of $50 takes $50 of its $80, so that $30, $45 and $115 went back."""
        dealt(blackjack, 5000, WAGERS)
        before = Round.objects.get()
        blackjack.send(later_bets_place, positions=[{"seat": 4, "wagers": {"double": 4000}}])
        round_ = Round.objects.get()
        player = blackjack.players[4].ref
        assert round_.later_bets == [{"seat": 4, "player": player, "wagers": {"double": 4000}, "tips": {}}]
        assert (round_.fees, round_.total_table_action_cents) == (before.fees, 19_500)
        blackjack.send(round_finish, ran_out=at(4, taken=5000, returned=3000))
        assert Round.objects.get().uncovered_cents == 3000 + 4500 + 11_500

    @pytest.mark.parametrize(
        ("seat", "wagers", "code"),
        [
            (4, {"double": 4001}, "later_bet_too_high"),
            (4, {"split": 6000}, "later_bet_no_multiple"),
            (4, {"insurance": 2001}, "later_bet_too_high"),
            (4, {"bet": 1000}, "unknown_wager"),
            (4, {"double": 0}, "bad_amount"),
            (6, {"double": 100}, "bad_seat"),
        ],
    )
    def test_what_the_filing_does_not_allow_is_refused(
        self, blackjack: Cast, seat: int, wagers: dict[str, int], code: str
    ) -> None:
        dealt(blackjack, 5000, WAGERS)
        with pytest.raises(BadInput) as refused:
            blackjack.send(later_bets_place, positions=[{"seat": seat, "wagers": wagers}])
        assert refused.value.code == code

    def test_they_are_placed_between_deal_and_finish_alone(self, blackjack: Cast) -> None:
        double = [{"seat": 4, "wagers": {"double": 100}}]
        with pytest.raises(NotNow):
            blackjack.send(later_bets_place, positions=double)
        dealt(blackjack, 5000, WAGERS)
        blackjack.send(
            later_bets_place,
            positions=[
                {"seat": 4, "wagers": {"split": 12_000, "insurance": 2000}},
                {"seat": 5, "wagers": {"double": 100}},
            ],
        )
        blackjack.send(later_bets_place, positions=[{"seat": 5, "wagers": {}}])
        assert [bet["seat"] for bet in Round.objects.get().later_bets] == [4]
        blackjack.send(undo)
        assert [bet["seat"] for bet in Round.objects.get().later_bets] == [4, 5]
        blackjack.send(undo)
        assert Round.objects.get().later_bets == []
        blackjack.send(round_finish)
        with pytest.raises(NotNow):
            blackjack.send(later_bets_place, positions=double)

    def test_a_game_without_them_refuses_them(self, blackjack: Cast) -> None:
        plain = {**BLACKJACK, "spots": BLACKJACK["spots"][:2]}
        settings = table_settings(blackjack.room, rulebook="by_eye", options=plain)
        blackjack.send(table_set, "floor", **settings)
        dealt(blackjack, 5000, WAGERS)
        with pytest.raises(NotNow) as refused:
            blackjack.send(later_bets_place, positions=[{"seat": 4, "wagers": {"double": 100}}])
        assert refused.value.code == "no_later_bets"
