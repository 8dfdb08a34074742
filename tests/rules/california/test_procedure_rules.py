"""Two alternating decks: `001`, description of the deck and number of decks used."""

from __future__ import annotations

import pytest

from games.procedures.decks import Deck, deck_due, why_not_deck, why_not_decks
from games.procedures.rules import Objection
from games.registry import load_rulebook, procedure_rules_of

clause = pytest.mark.clause

RULES = procedure_rules_of(load_rulebook("california"))
RED, BLUE = Deck("A", "red"), Deck("B", "blue")


def of(objection: Objection | None) -> str | None:
    return objection and objection.clause


@clause("california:deck.3")
def test_a_table_has_two_decks_no_fewer_and_no_more() -> None:
    assert why_not_decks(RULES, [RED, BLUE], shuffler=True) is None
    for decks in ([], [RED], [RED, BLUE, Deck("C", "green")], [RED, BLUE._replace(retired=True)]):
        assert of(why_not_decks(RULES, decks, shuffler=True)) == "california:deck.3"


@clause("california:deck.3.a")
def test_their_backs_are_of_different_colours() -> None:
    assert of(why_not_decks(RULES, [RED, Deck("B", "RED")], shuffler=True)) == "california:deck.3.a"


@clause("california:deck.3.c")
def test_each_is_used_every_other_round() -> None:
    assert [deck_due(RULES, [RED, BLUE], last=last).deck for last in (None, "A", "B")] == ["A", "B", "A"]
    assert of(why_not_deck(RULES, [RED, BLUE], "B", last="B")) == "california:deck.3.c"
    again = {"last": "B", "reason": "deck A has a marked card"}
    assert of(why_not_deck(RULES, [RED, BLUE], "B", **again)) == "california:deck.3.c"
    assert why_not_deck(RULES, [RED, BLUE], "B", **again, supervisor=True) is None
    # Two decks, no fewer: the one that is left alone is no exception (ruling 45).
    assert of(why_not_deck(RULES, [BLUE], "B", **again)) == "california:deck.3.c"
    assert of(why_not_deck(RULES, [BLUE], "B", last="B", supervisor=True)) == "california:deck.3.c"
    assert why_not_deck(RULES, [BLUE], "B", last=None) is None


def test_cards_come_from_an_automatic_shuffler() -> None:
    assert RULES.shuffler_clause == "california:deck.1"
