"""The table, misdeals and the meter: `002`, paragraphs (1), (4), (5) and (16), and its source."""

from __future__ import annotations

from datetime import date

import pytest

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.errors import BadInput
from games.meter import (
    Meter,
    meter_rule,
    opened,
    wagered,
    why_not_end_game,
    why_not_withdraw,
    win_confirmed,
    win_keyed,
    win_withdrawn,
)
from games.procedures.dealing import dealing_order
from games.procedures.decks import Deck, why_not_decks
from games.procedures.irregularities import what_follows
from games.registry import load_rulebook, procedure_rules_of
from tests.cast import Cast
from tests.rules.rounds import at, refusal, settled, sheet

clause = pytest.mark.clause

RULES = procedure_rules_of(load_rulebook("south_dakota"))
RULE = meter_rule(load_rulebook("south_dakota"), contribution_cents=20, reserve_contribution_cents=10)


@clause("south_dakota:preamble", "south_dakota:source")
def test_the_rulebook_names_its_section_and_the_date_of_its_text() -> None:
    document = load_rulebook("south_dakota").document
    assert "20:18:16:15.02" in document.title
    assert document.in_force_from == date(2015, 7, 1)


@pytest.mark.django_db
def test_a_round_of_this_game_is_refused_at_a_table_set_to_another() -> None:
    cast = Cast().running()
    with pytest.raises(BadInput) as refused:
        cast.send(round_record, sheet=sheet("south_dakota", "Kh 7d 4c", at(1, "Ah Qd 2c")))
    assert (refused.value.code, refused.value.path) == ("rulebook_differs", "rulebook")


@clause("south_dakota:(1).2")
def test_a_single_deck_is_used() -> None:
    one, two = Deck("A", "red"), Deck("B", "blue")
    assert why_not_decks(RULES, [one], shuffler=True) is None
    objection = why_not_decks(RULES, [one, two], shuffler=True)
    assert objection is not None and objection.clause == "south_dakota:(1).2"
    twice = refusal("south_dakota", "Kh 7d 4c", at(1, "Ah Qd 2c"), at(2, "Ah 9s 3d"))
    assert twice == ("duplicate_card", "positions[1].hand")


@clause("south_dakota:(4).5")
def test_the_player_at_the_dealers_left_is_first_and_the_dealer_last() -> None:
    assert dealing_order({6, 3, 1}) == (1, 3, 6, "bank")


@clause("south_dakota:(5)")
def test_a_wrong_number_of_cards_is_always_a_misdeal() -> None:
    follows = what_follows(RULES, "wrong_number_of_cards")
    assert (follows.round, follows.cards, follows.clause) == ("void", "reshuffle", "south_dakota:(5)")


@clause("south_dakota:(5).2")
@pytest.mark.parametrize("irregularity", ["card_face_up", "bank_card_exposed"])
@pytest.mark.parametrize("count", [1, 2, 6])
def test_an_exposed_card_is_none_and_play_goes_on(irregularity: str, count: int) -> None:
    follows = what_follows(RULES, irregularity, count)
    assert (follows.round, follows.cards, follows.clause) == ("stands", "in_play", "south_dakota:(5).2")


class TestMeter:
    def round(self, hand: str, meter: Meter) -> list[dict[str, object]]:
        position = at(3, hand, progressive=100)
        return settled("south_dakota", "2c 4d 7h", position, meter=meter.shown_cents).lines

    @clause("south_dakota:(16).5")
    def test_it_starts_at_a_thousand_dollars(self) -> None:
        meter, movement = opened(RULE)
        assert (meter.shown_cents, movement.cents, movement.kind) == (100_000, 100_000, "opened")

    @clause("south_dakota:(16).6", "south_dakota:(16)(a)(v).2")
    def test_after_the_top_prize_it_shows_a_thousand_dollars_and_the_reserve(self) -> None:
        lines = self.round("As Ks Qs", Meter(250_000, 0))
        _, meter, _ = win_confirmed(
            RULE, Meter(250_000, 0), win_keyed(3, by="dealer"), lines, by="supervisor"
        )
        assert meter == Meter(100_000, 0)
        _, meter, _ = win_confirmed(
            RULE, Meter(250_000, 777), win_keyed(3, by="dealer"), lines, by="supervisor"
        )
        assert meter == Meter(100_777, 0)

    @clause("south_dakota:(16)(a)(v)", "south_dakota:(16)(a)(vi).2")
    def test_every_movement_is_kept_and_a_win_off_the_tray_is_none(self) -> None:
        meter, first = opened(RULE)
        meter, second = wagered(RULE, meter, 4)
        assert second is not None
        lines = self.round("As Ks Qs", meter)
        _, meter, rest = win_confirmed(RULE, meter, win_keyed(3, by="dealer"), lines, by="supervisor")
        log = [first, second, *rest]
        assert [(entry.kind, entry.cents) for entry in log] == [
            ("opened", 100_000),
            ("wagered", 80),
            ("win", -100_080),
            ("reseeded", 100_040),
        ]
        assert sum(entry.cents for entry in log) == meter.shown_cents == log[-1].shown_cents
        tray = self.round("9h 9d 9c", meter)
        assert win_confirmed(RULE, meter, win_keyed(3, by="dealer"), tray, by="supervisor")[1:] == (meter, ())

    @clause("south_dakota:(16)(a)(iii)")
    def test_a_win_is_keyed_in_and_waits_for_a_supervisor(self) -> None:
        lines = self.round("9h 9d 9c", Meter(100_000, 0))
        win = win_keyed(3, by="dealer")
        assert win.state == "pending"
        with pytest.raises(ValueError, match="call a supervisor"):
            win_confirmed(RULE, Meter(100_000, 0), win, lines, by="dealer")

    @clause("south_dakota:(16)(a)(iii).2")
    def test_a_key_pressed_by_mistake_is_undone_while_nobody_has_confirmed(self) -> None:
        lines = self.round("9h 9d 9c", Meter(100_000, 0))
        mistake = win_keyed(5, by="dealer")
        assert why_not_withdraw(mistake) is None
        assert win_withdrawn(mistake, by="dealer").state == "withdrawn"
        confirmed, _, _ = win_confirmed(
            RULE, Meter(100_000, 0), win_keyed(3, by="dealer"), lines, by="supervisor"
        )
        with pytest.raises(ValueError, match="confirmed already"):
            win_withdrawn(confirmed, by="dealer")

    @clause("south_dakota:(16)(a)(vi)")
    def test_the_game_does_not_end_while_a_win_is_open(self) -> None:
        lines = self.round("9h 9d 9c", Meter(100_000, 0))
        assert why_not_end_game(lines, []) is not None
        assert why_not_end_game(lines, [win_keyed(3, by="dealer")]) is not None
        confirmed, _, _ = win_confirmed(
            RULE, Meter(100_000, 0), win_keyed(3, by="dealer"), lines, by="supervisor"
        )
        assert why_not_end_game(lines, [confirmed]) is None
