"""Decks, dealing, stub counts and irregularities: `000`, sections 1, 2, 4, 5, 7 to 9 and 14."""

from __future__ import annotations

import pytest

from games.procedures.dealing import Setup, dealing_order, why_not_change, why_not_dealing, why_not_recut
from games.procedures.decks import Deck, deck_due, why_not_deck, why_not_decks, why_not_in_use
from games.procedures.irregularities import what_follows
from games.procedures.rules import Objection
from games.procedures.stub_count import cards_missing, count_due, device_follows, why_not_deal
from games.procedures.stub_count import what_follows as count_follows
from games.registry import load_rulebook, procedure_rules_of

clause = pytest.mark.clause

RULES = procedure_rules_of(load_rulebook("massachusetts"))
RED, BLUE = Deck("A", "red"), Deck("B", "blue")


def of(objection: Objection | None) -> str | None:
    """The clause of an objection, None where there is none."""
    return objection and objection.clause.removeprefix("massachusetts:")


class TestDecks:
    @clause("massachusetts:2(a)")
    def test_one_deck_serves_a_table(self) -> None:
        assert why_not_decks(RULES, [RED], shuffler=False) is None
        assert of(why_not_decks(RULES, [], shuffler=False)) == "2(a)"
        assert of(why_not_decks(RULES, [RED, BLUE, Deck("C", "green")], shuffler=True)) == "2(a)"

    @clause("massachusetts:2(b)")
    def test_a_second_deck_needs_a_shuffling_machine(self) -> None:
        assert of(why_not_decks(RULES, [RED, BLUE], shuffler=False)) == "2(b)"
        assert why_not_decks(RULES, [RED, BLUE], shuffler=True) is None

    @clause("massachusetts:2(b)(2)")
    def test_two_decks_differ_in_colour(self) -> None:
        assert of(why_not_decks(RULES, [RED, Deck("B", "Red")], shuffler=True)) == "2(b)(2)"

    @clause("massachusetts:2(b)(4)")
    def test_each_deck_is_dealt_every_other_round(self) -> None:
        dealt = [deck_due(RULES, [RED, BLUE], last=None).deck]
        for _ in range(4):
            dealt.append(deck_due(RULES, [RED, BLUE], last=dealt[-1]).deck)
        assert dealt == ["A", "B", "A", "B", "A"]
        assert of(why_not_deck(RULES, [RED, BLUE], "A", last="A")) == "2(b)(4)"
        again = {"last": "A", "reason": "deck B is being counted"}
        assert of(why_not_deck(RULES, [RED, BLUE], "A", **again)) == "2(b)(4)"
        assert why_not_deck(RULES, [RED, BLUE], "A", **again, supervisor=True) is None
        assert why_not_deck(RULES, [RED], "A", last="A") is None
        assert deck_due(RULES, [RED], last="A").deck == "A"

    @clause("massachusetts:7(e)(2).2")
    def test_a_retired_deck_serves_no_more_and_is_replaced(self) -> None:
        gone = BLUE._replace(retired=True)
        assert deck_due(RULES, [RED, gone], last="A").deck == "A"
        assert of(why_not_deck(RULES, [RED, gone], "B", last="A", reason="it looks fine")) == "2(a)"
        assert of(why_not_decks(RULES, [gone], shuffler=True)) == "2(a)"


class TestInspection:
    @clause("massachusetts:4(b)")
    @pytest.mark.parametrize("missing", ["dealer", "floor", "first_player"])
    def test_dealer_floor_and_first_player_look_a_deck_over(self, missing: str) -> None:
        all_three = {"dealer", "floor", "first_player"}
        assert why_not_in_use(RULES, all_three) is None
        assert of(why_not_in_use(RULES, all_three - {missing})) == "4(b)"

    @clause("massachusetts:4(a)")
    def test_a_pre_shuffled_deck_is_handled_otherwise(self) -> None:
        assert of(why_not_in_use(RULES, set())) == "4(b)"
        assert why_not_in_use(RULES, {"pre_shuffled"}) is None

    @clause("massachusetts:4(d)")
    def test_of_two_decks_each_has_its_own_notes(self) -> None:
        notes = {"A": {"dealer", "floor", "first_player"}, "B": {"dealer"}}
        assert [of(why_not_in_use(RULES, notes[deck])) for deck in ("A", "B")] == [None, "4(b)"]

    @clause("massachusetts:5(e).2")
    def test_after_an_idle_spell_a_player_looks_again(self) -> None:
        notes = {"dealer", "floor", "first_player"}
        assert of(why_not_in_use(RULES, notes, since_idle=set())) == "5(e).2"
        assert why_not_in_use(RULES, notes, since_idle={"first_player"}) is None
        assert of(why_not_in_use(RULES, {"pre_shuffled"}, since_idle=set())) == "5(e).2"
        assert of(why_not_in_use(RULES, {"dealer"}, since_idle=set())) == "4(b)", "it has not been in use yet"
        assert why_not_in_use(RULES, {"pre_shuffled"}, since_idle={"pre_shuffled"}) is None, (
            "it came after it"
        )

    @clause("massachusetts:5(d)")
    def test_a_supervisor_has_the_cut_done_again_before_the_first_card(self) -> None:
        assert why_not_recut(RULES, supervisor=True, reason="cut too shallow", dealt=False) is None
        for supervisor, reason, dealt in ((False, "x", False), (True, " ", False), (True, "x", True)):
            assert of(why_not_recut(RULES, supervisor=supervisor, reason=reason, dealt=dealt)) == "5(d)"


class TestDealing:
    @clause("massachusetts:7(c)", "massachusetts:8(c)", "massachusetts:9(c)", "massachusetts:10(b).2")
    def test_the_deal_and_the_decisions_go_clockwise_from_the_dealers_left_the_dealer_last(self) -> None:
        # Seat 1 is at the dealer's left; one order serves every way of dealing.
        assert dealing_order({5, 2, 7, 1}) == (1, 2, 5, 7, "bank")

    @clause("massachusetts:8(a)", "massachusetts:8(b)(1)")
    def test_dealing_from_the_hand_needs_a_shuffling_machine(self) -> None:
        assert why_not_dealing(RULES, Setup(shuffler=True, method="hand")) is None
        assert of(why_not_dealing(RULES, Setup(shuffler=False, method="hand"))) == "8(b)(1)"
        assert why_not_dealing(RULES, Setup(shuffler=False, method="manual_shoe")) is None

    @clause("massachusetts:9(a)")
    def test_an_automated_shoe_is_one_of_the_ways_and_others_there_are_none(self) -> None:
        assert why_not_dealing(RULES, Setup(shuffler=False, method="automated_shoe")) is None
        assert why_not_dealing(RULES, Setup(shuffler=True, method="thrown")) is not None

    @clause("massachusetts:14(g)")
    def test_a_machine_leaves_the_table_before_another_way_is_used(self) -> None:
        machine, by_hand = (
            Setup(shuffler=True, method="manual_shoe"),
            Setup(shuffler=False, method="manual_shoe"),
        )
        assert of(why_not_change(RULES, machine, by_hand)) == "14(g)"
        assert why_not_change(RULES, machine, by_hand, removed=["shuffler"]) is None
        assert why_not_change(RULES, by_hand, machine) is None
        shoe = Setup(shuffler=True, method="automated_shoe")
        assert of(why_not_change(RULES, shoe, machine)) == "14(g)"
        assert why_not_change(RULES, shoe, machine, removed=["automated_shoe"]) is None


class TestStubCount:
    @clause("massachusetts:1.stub")
    def test_the_stub_is_what_a_whole_deck_leaves_after_the_deal(self) -> None:
        # Five players and the dealer: 18 cards out, 34 left.
        assert cards_missing(cards=52, dealt=18, stub=34) == 0
        assert cards_missing(cards=52, dealt=18, stub=33) == 1
        assert cards_missing(cards=52, dealt=18, stub=35) == -1
        assert cards_missing(cards=52, dealt=19, stub=33) == 0, (
            "a card too many in a hand is not a card too many in the deck"
        )

    @pytest.mark.parametrize(
        "method",
        [
            pytest.param("manual_shoe", marks=clause("massachusetts:7(e)")),
            pytest.param("hand", marks=clause("massachusetts:8(e)")),
            pytest.param("automated_shoe", marks=clause("massachusetts:9(e)")),
        ],
    )
    def test_a_count_falls_due_after_five_rounds_and_a_sixth_takes_a_supervisor(self, method: str) -> None:
        due = [count_due(RULES, method, rounds, shuffler_counts=False).due for rounds in range(7)]
        assert due == [False] * 5 + [True] * 2
        assert why_not_deal(RULES, method, 4, shuffler_counts=False, supervisor=False) is None
        objection = why_not_deal(RULES, method, 5, shuffler_counts=False, supervisor=False)
        assert of(objection) == {"manual_shoe": "7(e)", "hand": "8(e)", "automated_shoe": "9(e)"}[method]
        assert why_not_deal(RULES, method, 5, shuffler_counts=False, supervisor=True) is None

    @clause("massachusetts:7(f)")
    def test_a_shuffler_that_counts_takes_its_place(self) -> None:
        counted = count_due(RULES, "manual_shoe", 50, shuffler_counts=True)
        assert (counted.due, counted.clause) == (False, "massachusetts:7(f)")
        assert why_not_deal(RULES, "manual_shoe", 50, shuffler_counts=True, supervisor=False) is None

    @clause("massachusetts:7(e)(1)")
    def test_a_right_count_lets_play_go_on(self) -> None:
        follows = count_follows(RULES, missing=0, misdealt=False)
        assert (follows.round, follows.cards, follows.clause) == (
            "stands",
            "in_play",
            "massachusetts:7(e)(1)",
        )

    @clause("massachusetts:7(e)(2)")
    def test_a_misdeal_from_a_whole_deck_voids_all_hands(self) -> None:
        follows = count_follows(RULES, missing=cards_missing(cards=52, dealt=19, stub=33), misdealt=True)
        assert (follows.round, follows.cards, follows.clause) == (
            "void",
            "reshuffle",
            "massachusetts:7(e)(2)",
        )

    @clause("massachusetts:7(e)(2).2")
    @pytest.mark.parametrize("stub", [33, 35])
    def test_a_wrong_deck_voids_all_hands_and_leaves_the_table(self, stub: int) -> None:
        follows = count_follows(RULES, missing=cards_missing(cards=52, dealt=18, stub=stub), misdealt=False)
        assert (follows.round, follows.cards, follows.clause) == (
            "void",
            "retire_deck",
            "massachusetts:7(e)(2).2",
        )

    @clause("massachusetts:7(f).2")
    def test_a_wrong_count_of_the_shuffler_removes_the_deck(self) -> None:
        follows = device_follows(RULES)
        assert (follows.round, follows.cards, follows.clause) == (
            "stands",
            "retire_deck",
            "massachusetts:7(f).2",
        )


@pytest.mark.parametrize(
    ("irregularity", "count", "fate", "cards", "of_clause"),
    [
        pytest.param("card_face_up", 1, "stands", "set_aside", "14(a)", marks=clause("massachusetts:14(a)")),
        pytest.param(
            "card_face_up", 2, "void", "reshuffle", "14(a).2", marks=clause("massachusetts:14(a).2")
        ),
        pytest.param(
            "card_face_up", 5, "void", "reshuffle", "14(a).2", marks=clause("massachusetts:14(a).2")
        ),
        pytest.param(
            "wrong_number_of_cards", 1, "void", "reshuffle", "14(c)", marks=clause("massachusetts:14(c)")
        ),
        pytest.param(
            "bank_card_exposed", 1, "void", "reshuffle", "14(d)", marks=clause("massachusetts:14(d)")
        ),
        pytest.param(
            "shuffler_failed", 1, "stands", "reshuffle", "14(e)", marks=clause("massachusetts:14(e)")
        ),
        pytest.param("shoe_failed", 1, "void", "reshuffle", "14(f)", marks=clause("massachusetts:14(f)")),
    ],
)
def test_what_follows_from_an_irregularity(
    irregularity: str, count: int, fate: str, cards: str, of_clause: str
) -> None:
    follows = what_follows(RULES, irregularity, count)
    assert (follows.round, follows.cards, follows.clause) == (fate, cards, f"massachusetts:{of_clause}")
