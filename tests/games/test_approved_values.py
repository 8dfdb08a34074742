"""What a rulebook says of the terms that its approvals may say otherwise, of every carded game."""

import pytest

from games.registry import WITH_RULES, game_of, terms_of

WITH_TERMS = [rulebook for rulebook in WITH_RULES if game_of(rulebook).approved_terms()]


def test_every_carded_game_takes_approvals() -> None:
    assert list(WITH_RULES) == WITH_TERMS


@pytest.mark.parametrize("rulebook", WITH_TERMS)
def test_what_a_rulebook_says_of_a_term_may_be_said_by_an_approval_and_changes_nothing(rulebook: str) -> None:
    game, terms = game_of(rulebook), terms_of(rulebook, {})
    offered = {term.key for term in game.approved_terms()}
    values = game.approved_values(terms)
    assert values.keys() <= offered
    for key in (
        "fold.forfeits",
        "pays.banker",
        "play.before_flop",
        "cards.decks",
        "bank.qualifies",
    ):
        if key in values:
            table, name = key.split(".")
            again = terms_of(rulebook, {"approval": {table: {name: values[key].value}}})
            assert game.approved_values(again)[key].value == values[key].value


@pytest.mark.parametrize("rulebook", WITH_TERMS)
def test_hands_of_a_paytable_are_counted_out_of_all_deals(rulebook: str) -> None:
    game, terms = game_of(rulebook), terms_of(rulebook, {})
    for term in game.approved_terms():
        ways = game.paytable_ways(terms, term.key)
        if ways is not None:
            assert 0 < sum(ways.by_hand.values()) <= ways.of
