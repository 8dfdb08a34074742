"""What a rulebook says of the terms that its approvals may say otherwise, of every carded game."""

import pytest

from games.approval import TermValue
from games.notices import Notice
from games.refusal import Refusal
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


@pytest.mark.parametrize(
    ("rulebook", "wager", "main"),
    [
        ("california", "pair_plus", {"ante"}),
        ("baccarat", "tie", {"player", "banker"}),
        ("ultimate_texas_holdem", "blind", {"ante"}),
    ],
)
def test_an_approval_says_which_wagers_count_toward_table_action(
    rulebook: str, wager: str, main: set[str]
) -> None:
    said = {"number": "G-1", "wagers": {wager: {"action": True}}, "sources": {f"wagers.{wager}.action": "3"}}
    game, terms = game_of(rulebook), terms_of(rulebook, {"approval": said})
    assert terms.main == main
    assert terms.action == {*main, wager}
    assert [spot.id for spot in terms.spots if spot.action] == [
        spot.id for spot in terms.spots if spot.id in {*main, wager}
    ]
    assert game.approved_values(terms)[f"wagers.{wager}.action"] == TermValue(True, "G-1:3")
    posted = {each.id: each.text for each in game.placard(terms).wagers}
    assert Notice("It counts toward total table action.", "G-1:3") in posted[wager]
    none = {"wagers": {each: {"action": False} for each in main}}
    with pytest.raises(Refusal, match="nothing that counts toward total table action") as refused:
        terms_of(rulebook, {"approval": none})
    assert (refused.value.code, refused.value.path) == ("bad_term", "options.approval.wagers")


@pytest.mark.parametrize("rulebook", WITH_TERMS)
def test_hands_of_a_paytable_are_counted_out_of_all_deals(rulebook: str) -> None:
    game, terms = game_of(rulebook), terms_of(rulebook, {})
    for term in game.approved_terms():
        ways = game.paytable_ways(terms, term.key)
        if ways is not None:
            assert 0 < sum(ways.by_hand.values()) <= ways.of


#: Terms on which a rulebook says nothing, and what it is called.
SILENT = {"name", "cards.shuffler", "may_bank.wagered_rounds", "may_bank.previous_round"}


@pytest.mark.parametrize("rulebook", ["baccarat", "ultimate_texas_holdem"])
def test_every_provision_of_a_rulebook_of_our_own_has_its_clause(rulebook: str) -> None:
    values = game_of(rulebook).approved_values(terms_of(rulebook, {}))
    assert {key for key, value in values.items() if not value.clause} == SILENT
