"""A game that is filed by its spots and settled by eye: what its filing may say, and what a table may wager."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from games.engine import check_wagers, read_bets, read_recorded_sheet, read_sheet
from games.exposure import exposure
from games.jurisdictions import jurisdictions
from games.refusal import Refusal
from games.registry import (
    game_of,
    load_rulebook,
    main_wagers,
    main_wagers_on_record,
    procedure_rules_of,
    rulebook_with,
    terms_of,
)

BACCARAT: dict[str, Any] = {
    "name": "Baccarat",
    "seats": 9,
    "decks": 8,
    "spots": [
        {"id": "player", "name": "Player", "main": True, "tip": True},
        {"id": "banker", "name": "Banker", "main": True},
        {"id": "tie", "name": "Tie"},
        {"id": "pairs", "name": "Either Pair", "alone": True},
    ],
}


def with_spot(index: int, **changes: Any) -> dict[str, Any]:
    spots = [dict(spot) for spot in BACCARAT["spots"]]
    spots[index] |= changes
    return {**BACCARAT, "spots": spots}


def document(*positions: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "rulebook": "by_eye",
        "options": BACCARAT,
        "bank": {"seat": 1, "wager": 50_000},
        "positions": list(positions),
        **more,
    }


def refused(options: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(Refusal) as raised:
        terms_of("by_eye", options)
    return raised.value.code, raised.value.path


class TestFiling:
    def test_its_options_are_the_terms(self) -> None:
        terms = terms_of("by_eye", BACCARAT)
        assert (terms.rulebook.name, terms.rulebook.seats) == ("Baccarat", 9)
        assert [(spot.id, spot.name, spot.charged, spot.needs, spot.tip) for spot in terms.spots] == [
            ("player", "Player", True, "nothing", True),
            ("banker", "Banker", True, "nothing", False),
            ("tie", "Tie", False, "main", False),
            ("pairs", "Either Pair", False, "nothing", False),
        ]
        assert game_of("by_eye").deal(terms).decks == 8
        assert terms.placed == {"player", "banker", "tie", "pairs"}

    def test_options_that_are_spelled_out_are_the_same_terms(self) -> None:
        terms = terms_of("by_eye", BACCARAT)
        assert terms_of("by_eye", terms.options) == terms
        assert hash(terms_of("by_eye", terms.options)) == hash(terms)
        assert terms_of("by_eye", with_spot(0, name="Punto")) != terms

    def test_its_main_wagers_are_those_that_count(self) -> None:
        assert main_wagers("by_eye", BACCARAT) == {"player", "banker"}
        assert main_wagers("by_eye", with_spot(1, main=False)) == {"player"}
        assert main_wagers("california", {}) == load_rulebook("california").main
        assert main_wagers_on_record("by_eye", {}) == frozenset()

    @pytest.mark.parametrize(
        ("options", "code", "path"),
        [
            ({}, "missing_option", "options.name"),
            ({**BACCARAT, "name": ""}, "bad_option", "options.name"),
            ({**BACCARAT, "name": "x" * 61}, "bad_option", "options.name"),
            ({**BACCARAT, "name": 21}, "bad_option", "options.name"),
            ({**BACCARAT, "seats": 1}, "bad_option", "options.seats"),
            ({**BACCARAT, "seats": 13}, "bad_option", "options.seats"),
            ({**BACCARAT, "seats": True}, "bad_option", "options.seats"),
            ({**BACCARAT, "seats": 9.0}, "bad_option", "options.seats"),
            ({**BACCARAT, "decks": 0}, "bad_option", "options.decks"),
            ({**BACCARAT, "coverage": "net"}, "unknown_option", "options.coverage"),
            ({**BACCARAT, "spots": []}, "bad_option", "options.spots"),
            ({**BACCARAT, "spots": {}}, "bad_option", "options.spots"),
            ({**BACCARAT, "spots": ["player"]}, "bad_option", "options.spots[0]"),
            ({**BACCARAT, "spots": BACCARAT["spots"][2:]}, "bad_option", "options.spots"),
            ({**BACCARAT, "spots": [{"id": "bet"}]}, "missing_option", "options.spots[0].name"),
            ({**BACCARAT, "spots": [{"name": "Bet"}]}, "missing_option", "options.spots[0].id"),
            (with_spot(1, id="player"), "bad_option", "options.spots[1].id"),
            (with_spot(1, name="Player"), "bad_option", "options.spots[1].name"),
            (with_spot(2, id="Tie"), "bad_option", "options.spots[2].id"),
            (with_spot(2, id="tips"), "bad_option", "options.spots[2].id"),
            (with_spot(2, id="progressive"), "bad_option", "options.spots[2].id"),
            (with_spot(2, id="x" * 21), "bad_option", "options.spots[2].id"),
            (with_spot(2, tip="yes"), "bad_option", "options.spots[2].tip"),
            (with_spot(2, pays="8:1"), "unknown_option", "options.spots[2].pays"),
            (with_spot(0, alone=True), "bad_option", "options.spots[0].alone"),
            ({**BACCARAT, "name": date(2026, 1, 1)}, "bad_option", "options"),
        ],
    )
    def test_a_slip_is_refused_with_its_place(self, options: dict[str, Any], code: str, path: str) -> None:
        assert refused(options) == (code, path)

    def test_it_may_be_filed_in_california_alone(self) -> None:
        permit = {each.id for each in jurisdictions().values() if each.permits("by_eye")}
        assert permit == {"california"}

    def test_a_game_without_its_filing_has_no_wagers(self) -> None:
        book = load_rulebook("by_eye")
        assert (dict(book.wagers), book.rotation) == ({}, "two_rounds")
        assert rulebook_with("by_eye", BACCARAT).rotation == "two_rounds"
        reasons = {reason.id for reason in book.void_reasons}
        voids = {
            each.consequence.void_reason
            for each in procedure_rules_of(load_rulebook("by_eye")).irregularities
        }
        assert voids - {None} <= reasons


class TestWagers:
    def test_a_round_at_no_more_bets(self) -> None:
        bets = read_bets(
            document(
                {"seat": 2, "player": "Bo", "wagers": {"player": 2000, "tie": 500}, "tips": {"player": 100}},
                {"seat": 9, "wagers": {"banker": 3000, "pairs": 200}},
            )
        )
        assert bets.total_table_action == 5000
        assert read_bets(bets.to_json()) == bets

    @pytest.mark.parametrize(
        ("position", "code", "path"),
        [
            ({"seat": 10, "wagers": {"player": 100}}, "bad_seat", "seat"),
            ({"seat": 2, "wagers": {}}, "no_wager", "wagers"),
            ({"seat": 2, "wagers": {"ante": 100}}, "unknown_key", "wagers.ante"),
            ({"seat": 2, "wagers": {"tie": 100}}, "wager_needs_main", "wagers.tie"),
            ({"seat": 2, "wagers": {"pairs": 100, "tie": 100}}, "wager_needs_main", "wagers.tie"),
            ({"seat": 2, "wagers": {"player": 0}}, "bad_amount", "wagers.player"),
            (
                {"seat": 2, "wagers": {"banker": 100}, "tips": {"banker": 1}},
                "tip_not_allowed",
                "tips.banker",
            ),
            (
                {"seat": 2, "wagers": {"banker": 100}, "tips": {"player": 1}},
                "tip_needs_wager",
                "tips.player",
            ),
            ({"seat": 2, "wagers": {"banker": 100}, "tips": {"ante": 1}}, "unknown_key", "tips.ante"),
        ],
    )
    def test_a_wager_that_the_filing_does_not_allow(
        self, position: dict[str, Any], code: str, path: str
    ) -> None:
        with pytest.raises(Refusal) as raised:
            check_wagers("by_eye", BACCARAT, position)
        assert (raised.value.code, raised.value.path) == (code, path)

    def test_a_wager_may_stand_alone_where_the_filing_says_so(self) -> None:
        assert check_wagers("by_eye", BACCARAT, {"seat": 2, "wagers": {"pairs": 100}}).wagers == {
            "pairs": 100
        }

    def test_the_bank_has_no_wager_and_a_seat_one_position(self) -> None:
        bet = {"seat": 1, "wagers": {"player": 100}}
        with pytest.raises(Refusal, match="seat 1 banks"):
            read_bets(document(bet))
        with pytest.raises(Refusal, match="has a position already"):
            read_bets(document({**bet, "seat": 2}, {**bet, "seat": 2}))

    def test_cards_are_refused(self) -> None:
        sheet = document({"seat": 2, "wagers": {"player": 100}}, player_hand="4h 4d", banker_hand="Kd 7c")
        for read in (read_sheet, read_recorded_sheet):
            with pytest.raises(Refusal) as raised:
                read(sheet)
            assert raised.value.code == "settled_by_eye"
        with pytest.raises(Refusal) as raised:
            game_of("by_eye").settle_wagers(read_bets(document({"seat": 2, "wagers": {"player": 100}})))
        assert raised.value.code == "settled_by_eye"

    def test_what_the_bank_faces_is_not_known(self) -> None:
        rulebook, bet = rulebook_with("by_eye", BACCARAT), {"seat": 2, "wagers": {"player": 100}}
        assert exposure(rulebook, BACCARAT, [bet]) is None


def test_the_placard_says_name_spots_and_order_and_no_odds() -> None:
    terms = terms_of("by_eye", BACCARAT)
    placard = game_of("by_eye").placard(terms)
    assert placard.rulebook.name == "Baccarat"
    assert [wager.spot for wager in placard.wagers] == ["PLAYER", "BANKER", "TIE", "EITHER PAIR"]
    assert not any(wager.odds or wager.tables for wager in placard.wagers)
    assert "approved" in placard.section("order").notices[0].text
    assert all(notice.clause for notice in placard.notices())
