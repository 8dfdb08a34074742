"""Procedure rules as data: every rulebook's file is read, held to its rulebook, and refused when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import games.three_card_poker
from games.datafile import DataFileError
from games.procedures.decks import Deck, deck_due, why_not_decks, why_not_in_use
from games.procedures.irregularities import irregularity_ids, what_follows
from games.procedures.rules import read_procedure_rules
from games.procedures.stub_count import MISDEAL, WRONG_COUNT
from games.procedures.stub_count import what_follows as count_follows
from games.registry import load_rulebook, procedure_rules_of
from games.three_card_poker.rulebook import RULEBOOKS

FOLDER = Path(games.three_card_poker.__file__).parent / "procedures"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_rulebook_has_its_conduct_and_its_voids_have_reasons_the_floor_knows(rulebook: str) -> None:
    rules = procedure_rules_of(load_rulebook(rulebook))
    known = {reason.id for reason in load_rulebook(rulebook).void_reasons}
    assert {WRONG_COUNT, MISDEAL} <= known
    for irregularity in irregularity_ids(rules):
        for count in (1, 2, 3):
            follows = what_follows(rules, irregularity, count)
            assert (follows.void_reason in known) == (follows.round == "void")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_wrong_deck_voids_and_goes_a_misdealt_hand_voids_and_the_deck_stays(rulebook: str) -> None:
    rules = procedure_rules_of(load_rulebook(rulebook))
    wrong = count_follows(rules, missing=-1, misdealt=False)
    assert (wrong.round, wrong.cards, wrong.void_reason) == ("void", "retire_deck", "wrong_deck_count")
    misdealt = count_follows(rules, missing=0, misdealt=True)
    assert (misdealt.round, misdealt.cards, misdealt.void_reason) == (
        "void",
        "reshuffle",
        "wrong_number_of_cards",
    )
    assert count_follows(rules, missing=0, misdealt=False).round == "stands"


@pytest.mark.parametrize("rulebook", ["california", "designated_player", "shuffle_master"])
def test_where_a_document_is_silent_rulings_44_and_45_decide(rulebook: str) -> None:
    rules = procedure_rules_of(load_rulebook(rulebook))
    fates = {
        (name, count): what_follows(rules, name, count)[:2]
        for name, count in (
            ("card_face_up", 1),
            ("card_face_up", 2),
            ("wrong_number_of_cards", 1),
            ("shuffler_failed", 1),
        )
    }
    assert fates == {
        ("card_face_up", 1): ("stands", "set_aside"),
        ("card_face_up", 2): ("void", "reshuffle"),
        ("wrong_number_of_cards", 1): ("void", "reshuffle"),
        ("shuffler_failed", 1): ("void", "reshuffle"),
    }
    all_three = {"dealer", "floor", "first_player"}
    assert why_not_in_use(rules, all_three) is None
    assert all(why_not_in_use(rules, all_three - {inspector}) for inspector in all_three)
    decks = [Deck("A", "red"), Deck("B", "blue")]
    assert why_not_decks(rules, decks, shuffler=True) is None
    assert why_not_decks(rules, [*decks, Deck("C", "green")], shuffler=True) is not None
    assert why_not_decks(rules, [decks[0], Deck("B", "red")], shuffler=True) is not None
    assert deck_due(rules, decks, last="A").deck == "B"


def test_an_irregularity_that_no_rule_names_is_an_error_that_lists_those_there_are() -> None:
    rules = procedure_rules_of(load_rulebook("massachusetts"))
    with pytest.raises(KeyError, match="wrong_number_of_cards"):
        what_follows(rules, "spilled_drink")
    with pytest.raises(ValueError, match="once or more"):
        what_follows(rules, "card_face_up", 0)


@pytest.mark.parametrize(
    ("written", "instead", "named"),
    [
        ('rulebook = "massachusetts"', 'rulebook = "california"', "rulebook"),
        ("[decks]", 'in_force_from = "2026"\n[decks]', "in_force_from"),
        ("least = 1", "least = 0", "decks.least"),
        ('colours_clause = "2(b)(2)"', "", "decks.colours_clause"),
        ('shuffler_clause = "2(b)"', "", "decks.shuffler_clause"),
        ("every_rounds = 5", "every_round = 5", "stub_count.every_round"),
        ('wrong = "7(e)(2).2"', "", "stub_count.wrong"),
        ('void_reason = "cards_face_up"', 'void_reason = "weather"', "void_reason"),
        ('cards = "set_aside"', 'cards = "eaten"', "cards"),
        ('by = ["dealer", "floor", "first_player"]', 'by = ["dealer", "cook"]', "inspection.by"),
    ],
)
def test_a_file_at_fault_is_refused_with_its_place(
    tmp_path: Path, written: str, instead: str, named: str
) -> None:
    text = (FOLDER / "massachusetts.toml").read_text(encoding="utf-8")
    assert written in text
    broken = tmp_path / "massachusetts.toml"
    broken.write_text(text.replace(written, instead, 1), encoding="utf-8")
    with pytest.raises(DataFileError) as refused:
        read_procedure_rules(broken, load_rulebook("massachusetts"))
    assert "massachusetts.toml" in str(refused.value) and named in str(refused.value)
