"""Placard content follows the terms that rounds are settled by, names a clause for all it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.datafile import DataFileError
from games.odds import Situation
from games.placard import GamePlacard, PostedWager
from games.registry import load_rulebook, read_options
from games.rotation.placard import rotation_rules
from games.rotation.profile import PROFILES, load_profile
from games.three_card_poker.odds.listing import odds_on
from games.three_card_poker.placard.content import read_placard_content
from games.three_card_poker.placard.game_placard import game_placard_of
from games.three_card_poker.rulebook import RULEBOOKS
from tests.traceability.catalogue import catalogue

OWN_TABLE = {"straight_flush": 45, "three_of_a_kind": 31, "straight": 7, "flush": 5, "pair": 1}
DATA = Path(__file__).parents[2] / "games" / "three_card_poker" / "placard"


def placard(rulebook: str, **options: Any) -> GamePlacard:
    return game_placard_of(read_options(load_rulebook(rulebook), options))


def wager(game: GamePlacard, wager_id: str) -> PostedWager:
    return next(each for each in game.wagers if each.id == wager_id)


def text(game: GamePlacard) -> str:
    return "\n".join(notice.text for notice in game.notices())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_it_names_is_a_provision_or_a_ruling(rulebook: str) -> None:
    game = placard(rulebook)
    named = {notice.clause for notice in game.notices()} | {game.spots_clause}
    named |= {each.clause for each in game.wagers}
    named |= {table.clause for each in game.wagers for table in each.tables}
    assert len(named) > 20
    assert {clause for clause in named if not clause.startswith("ruling ")} <= set(catalogue())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_each_wager_on_offer_stands_with_the_odds_that_are_counted_for_it(rulebook: str) -> None:
    terms = read_options(load_rulebook(rulebook), {})
    game = game_placard_of(terms)
    assert {each.id for each in game.wagers} == set(terms.offered)
    assert Counter(row.edge for each in game.wagers for row in each.odds) == Counter(
        row.edge for row in odds_on(terms)
    )


@pytest.mark.parametrize("rulebook", ["designated_player", "massachusetts"])
def test_a_rooms_own_table_takes_the_place_of_the_printed_one(rulebook: str) -> None:
    printed = wager(placard(rulebook), "pair_plus")
    own = wager(placard(rulebook, pair_plus_table=OWN_TABLE), "pair_plus")
    assert own.tables[0].name == "The house's own table"
    assert own.tables[0].lines == (
        ("Straight flush", "45 to 1"),
        ("Three of a kind", "31 to 1"),
        ("Straight", "7 to 1"),
        ("Flush", "5 to 1"),
        ("Pair", "1 to 1"),
    )
    assert own.odds[0].edge < printed.odds[0].edge


def test_what_a_switch_changes_is_said_otherwise() -> None:
    assert "uses up its wager" in text(placard("california"))
    assert "what it takes covers what it pays" in text(placard("california", coverage="net"))
    assert "before all others" in text(placard("california", forfeits="first"))
    assert "and last the bets for the dealer." in text(placard("california"))
    tips_last = text(placard("california", tips="after_players"))
    assert "Bets for the dealer are settled after all wagers of the players" in tips_last
    assert "and last the bets for the dealer" not in tips_last
    no_tips = text(placard("california", tips="none"))
    assert "Bets for the dealer are not taken at this table." in no_tips
    assert "A bet for the dealer" not in no_tips and "and last the bets for the dealer" not in no_tips
    assert "A fold loses Ante and Pair Plus." in text(placard("south_dakota"))
    evaluated = text(placard("south_dakota", pair_plus_on_fold="evaluate"))
    assert "A fold loses Ante; Pair Plus is still looked at." in evaluated
    given_up = "given up unseen, Ante, Pair Plus, 6 Card Bonus and Progressive with it"
    assert given_up in text(placard("massachusetts"))
    assert "Ante is no more than 5 times the Pair Plus." in text(
        placard("massachusetts", version="both_within_five")
    )
    assert "A folded hand wins none." in text(placard("massachusetts", progressive_on_fold=False))
    assert "paid only if the hand beats" in text(placard("designated_player", pair_plus_requires_win=True))
    six_cards = placard("designated_player", six_card_bonus_table="TCP-6B4")
    assert "6 Card Bonus stands on a folded hand too." in text(six_cards)
    assert "6 Card Bonus" not in text(placard("designated_player"))


@pytest.mark.parametrize(
    ("rake", "said"),
    [
        (None, "The house takes no rake at this table."),
        ({"mode": "all", "cents": 150}, "Every player in the round and the bank pay $1.50 a round."),
        (
            {"mode": "all_but_bank", "cents": 100},
            "Every player in the round pays $1 a round; the bank pays nothing.",
        ),
        ({"mode": "bank_only", "cents": 300}, "The bank pays $3 a round; other players pay nothing."),
    ],
)
def test_the_rake_is_said_by_form_and_amount(rake: dict[str, Any] | None, said: str) -> None:
    assert placard("designated_player", house_rake=rake).rake[0].text == said
    assert placard("california").rake == ()


def test_odds_of_a_progressive_go_by_the_meter_that_is_given() -> None:
    terms = read_options(load_rulebook("south_dakota"), {})
    low, high = (
        wager(game_placard_of(terms, Situation(meter_cents=cents)), "progressive").odds[0]
        for cents in (100_000, 500_000)
    )
    assert high.edge < low.edge


@pytest.mark.parametrize("profile", PROFILES)
def test_a_rotation_profile_says_when_the_bank_is_offered_and_what_then(profile: str) -> None:
    rules = list(rotation_rules(load_profile(profile)))
    assert "offered clockwise" in rules[0].text
    assert all(rule.clause for rule in rules)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('rulebook = "california"', 'rulebook = "south_dakota"', "rulebook"),
        ('closing = "dealing.5.3"', 'closes = "dealing.5.3"', "clauses.closing is missing"),
        ('pair_plus = "Bonus / Pair Plus"', 'bad_beat = "Bonus"', "spots.bad_beat is not a key"),
        ('flush = "rankings.flush"\n', "", "rankings.flush is missing"),
        ('clause = "notice.1"', 'claus = "notice.1"', r"notices\[0\].clause is missing"),
    ],
)
def test_a_file_at_fault_is_refused_with_its_key(tmp_path: Path, old: str, new: str, named: str) -> None:
    text = (DATA / "california.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "california.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataFileError, match=named):
        read_placard_content(path, load_rulebook("california"))
