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
    action_wagers_on_record,
    game_of,
    load_rulebook,
    main_wagers,
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

    def test_a_filing_says_which_of_its_spots_count_toward_table_action(self) -> None:
        terms = terms_of("by_eye", with_spot(2, action=True))
        assert terms.main == {"player", "banker"}
        assert terms.action == {"player", "banker", "tie"}
        said = terms_of("by_eye", with_spot(1, action=False))
        assert said.main == {"player", "banker"}
        assert said.action == {"player"}
        assert terms_of("by_eye", with_spot(0, action=True)) == terms_of("by_eye", BACCARAT)
        posted = {
            each.id: [notice.text for notice in each.text] for each in game_of("by_eye").placard(said).wagers
        }
        assert "It does not count toward total table action." in posted["banker"]

    def test_its_main_wagers_are_those_that_count(self) -> None:
        assert main_wagers("by_eye", BACCARAT) == {"player", "banker"}
        assert main_wagers("by_eye", with_spot(1, main=False)) == {"player"}
        assert main_wagers("california", {}) == load_rulebook("california").main
        assert action_wagers_on_record("by_eye", {}) == frozenset()

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
            (with_spot(2, action=1), "bad_option", "options.spots[2].action"),
            (
                with_spot(2, action=True, after_deal={"of": "player", "most": 1}),
                "bad_option",
                "options.spots[2].action",
            ),
            (
                {**BACCARAT, "spots": [{**each, "action": False} for each in BACCARAT["spots"]]},
                "bad_option",
                "options.spots",
            ),
            (with_spot(2, pays="8:1"), "unknown_option", "options.spots[2].pays"),
            (with_spot(0, alone=True), "bad_option", "options.spots[0].alone"),
            ({**BACCARAT, "name": date(2026, 1, 1)}, "bad_option", "options"),
        ],
    )
    def test_a_slip_is_refused_with_its_place(self, options: dict[str, Any], code: str, path: str) -> None:
        assert refused(options) == (code, path)

    def test_its_terms_reach_the_fields_of_an_approval(self) -> None:
        terms = terms_of(
            "by_eye",
            {
                **BACCARAT,
                "direction": "counterclockwise",
                "decks": [3, 8],
                "positions": 2,
                "adjacent": True,
                "starts": "named_seat",
                "least_bank_cents": 10_000,
                "may_bank": {"wagered_rounds": 3, "previous_round": True, "all_decline": "game_ends"},
                "number": "GEGR-004861",
                "sources": {"direction": "4, page 2", "spots.tie": "7"},
            },
        )
        book = terms.rulebook
        assert (book.direction, book.seat_order) == ("counter_clockwise", "counterclockwise_from_action")
        assert (book.cards.decks, game_of("by_eye").deal(terms).decks) == ((3, 8), 8)
        assert (book.max_positions, book.positions_adjacent, book.named_start) == (2, True, True)
        assert book.least_bank_cents == 10_000
        assert (book.may_bank.wagered_rounds, book.may_bank.previous_round) == (3, True)
        assert book.may_bank.all_decline == "game_ends"
        assert book.sources["order.direction"] == "GEGR-004861:4, page 2"
        assert [spot.clause for spot in terms.spots if spot.id == "tie"] == ["GEGR-004861:7"]
        assert book.approval is not None
        assert "decks" in book.approval.without_clause
        assert "direction" not in book.approval.without_clause
        assert terms_of("by_eye", terms.options) == terms

    def test_left_out_its_terms_are_as_before(self) -> None:
        book = rulebook_with("by_eye", BACCARAT)
        assert (book.direction, book.cards.decks, book.max_positions) == ("clockwise", (8, 8), 1)
        assert (book.approval, book.least_bank_cents, book.named_start) == (None, None, False)
        said = {**BACCARAT, "direction": "clockwise", "positions": 1, "may_bank": {}}
        assert terms_of("by_eye", said) == terms_of("by_eye", BACCARAT)

    @pytest.mark.parametrize(
        ("said", "code", "path"),
        [
            ({"direction": "left"}, "bad_option", "options.direction"),
            ({"decks": [8, 3]}, "bad_option", "options.decks"),
            ({"decks": [1, 13]}, "bad_option", "options.decks"),
            ({"decks": [3]}, "bad_option", "options.decks"),
            ({"decks": "3-8"}, "bad_option", "options.decks"),
            ({"positions": 13}, "bad_option", "options.positions"),
            ({"adjacent": 1}, "bad_option", "options.adjacent"),
            ({"least_bank_cents": 0}, "bad_option", "options.least_bank_cents"),
            ({"may_bank": 3}, "bad_option", "options.may_bank"),
            ({"may_bank": {"turns": 3}}, "unknown_option", "options.may_bank.turns"),
            ({"may_bank": {"rounds": 0}}, "bad_option", "options.may_bank.rounds"),
            ({"sources": {"direction": "4"}}, "bad_option", "options.sources.direction"),
            ({"sources": {"spots.player": ""}}, "bad_option", "options.sources.spots.player"),
            ({"sources": {"seats": 3}}, "bad_option", "options.sources.seats"),
            ({"date": "soon"}, "bad_option", "options.date"),
            ({"fee": 100}, "unknown_option", "options.fee"),
        ],
    )
    def test_a_slip_in_a_term_is_refused_with_its_place(
        self, said: dict[str, Any], code: str, path: str
    ) -> None:
        assert refused({**BACCARAT, **said}) == (code, path)

    @pytest.mark.parametrize(
        ("said", "code", "place"),
        [
            ({"equals": "tie"}, "bad_option", "equals"),
            ({"equals": "ante"}, "bad_option", "equals"),
            ({"fee": "no"}, "bad_option", "fee"),
            ({"after_deal": 2}, "bad_option", "after_deal"),
            ({"after_deal": {"of": "player"}}, "missing_option", "after_deal.most"),
            ({"after_deal": {"of": "nobody", "most": 1}}, "bad_option", "after_deal.of"),
            ({"after_deal": {"of": "player", "most": 0}}, "bad_option", "after_deal.most"),
            ({"after_deal": {"of": "player", "most": "2:1"}}, "bad_option", "after_deal.most"),
            ({"after_deal": {"of": "player", "most": 1, "at": 2}}, "unknown_option", "after_deal.at"),
            ({"after_deal": {"of": "player", "most": 1}, "tip": True}, "bad_option", "tip"),
            ({"after_deal": {"of": "player", "most": 1}, "equals": "player"}, "bad_option", "equals"),
            ({"pays_at_most": "8 to 1"}, "bad_option", "pays_at_most"),
        ],
    )
    def test_a_slip_in_a_spot_is_refused_with_its_place(
        self, said: dict[str, Any], code: str, place: str
    ) -> None:
        assert refused(with_spot(2, **said)) == (code, f"options.spots[2].{place}")

    def test_a_main_wager_bears_the_fee(self) -> None:
        assert refused(with_spot(0, fee=False)) == ("bad_option", "options.spots[0].fee")

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


HOLDEM: dict[str, Any] = {
    "name": "Ultimate Texas Hold'em",
    "seats": 7,
    "decks": 1,
    "spots": [
        {"id": "ante", "name": "Ante", "main": True},
        {"id": "blind", "name": "Blind", "equals": "ante", "fee": False, "pays_at_most": "500:1"},
        {"id": "trips", "name": "Trips", "pays_at_most": "50:1"},
        {"id": "play", "name": "Play", "after_deal": {"of": "ante", "most": 4, "whole": True}},
    ],
}


class TestSpotsThatHangOnAnother:
    def test_a_blind_equals_its_ante_and_need_not_be_typed(self) -> None:
        typed = check_wagers("by_eye", HOLDEM, {"seat": 2, "wagers": {"ante": 1000, "blind": 1000}})
        left_out = check_wagers("by_eye", HOLDEM, {"seat": 2, "wagers": {"ante": 1000, "trips": 500}})
        assert typed.wagers == {"ante": 1000, "blind": 1000}
        assert left_out.wagers == {"ante": 1000, "blind": 1000, "trips": 500}

    @pytest.mark.parametrize(
        ("wagers", "code", "path"),
        [
            ({"ante": 1000, "blind": 500}, "wager_not_equal", "wagers.blind"),
            ({"blind": 500}, "wager_needs_main", "wagers.blind"),
            ({"ante": 1000, "play": 4000}, "unknown_key", "wagers.play"),
        ],
    )
    def test_a_wager_that_does_not_hang_so(self, wagers: dict[str, int], code: str, path: str) -> None:
        with pytest.raises(Refusal) as raised:
            check_wagers("by_eye", HOLDEM, {"seat": 2, "wagers": wagers})
        assert (raised.value.code, raised.value.path) == (code, path)

    def test_a_side_wager_that_equals_another_is_not_placed_without_it(self) -> None:
        mirror = {"id": "mirror", "name": "Mirror", "equals": "trips"}
        filed = {**HOLDEM, "spots": [*HOLDEM["spots"], mirror]}
        with pytest.raises(Refusal, match="Mirror equals Trips, which is not placed") as raised:
            check_wagers("by_eye", filed, {"seat": 2, "wagers": {"ante": 1000, "mirror": 500}})
        assert (raised.value.code, raised.value.path) == ("wager_not_equal", "wagers.mirror")

    def test_the_rulebook_says_what_bears_a_fee_and_what_comes_later(self) -> None:
        terms = terms_of("by_eye", HOLDEM)
        assert set(terms.rulebook.without_fee) == {"blind", "play"}
        assert terms.placed == {"ante", "blind", "trips"}
        assert {spot.id: spot.placed for spot in terms.spots}["play"] is False
        posted = {each.id: each.text[0].text for each in game_of("by_eye").placard(terms).wagers}
        assert posted["blind"] == "Is as high as Ante, and is laid with it."
        assert posted["play"] == "May be placed after the deal: a multiple of Ante, up to 4 times as much."


class TestExposure:
    def test_it_is_the_sum_at_the_best_odds_with_what_may_follow(self) -> None:
        """$10 ante at 1:1 and $10 blind at 500:1, $5 trips at 50:1, a play of $40 at 1:1: 10 + 5000 + 250 + 40 = $5,300."""
        spots = [dict(spot) for spot in HOLDEM["spots"]]
        spots[0]["pays_at_most"], spots[3]["pays_at_most"] = "1:1", 1
        options = {**HOLDEM, "spots": spots}
        bet = {"seat": 2, "wagers": {"ante": 1000, "trips": 500}}
        found = exposure(rulebook_with("by_eye", options), options, [bet])
        assert found is not None
        assert (found.total, found.even_money) == (530_000, None)

    def test_without_the_odds_of_one_wager_nobody_knows_it(self) -> None:
        bet = {"seat": 2, "wagers": {"ante": 1000}}
        assert exposure(rulebook_with("by_eye", HOLDEM), HOLDEM, [bet]) is None


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
