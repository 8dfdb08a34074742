"""Rules files are read strictly: a slip in one is refused with the file and the key."""

from pathlib import Path

import pytest

import games
from games.datafile import DataFileError
from games.registry import load_rulebook, read_options
from games.three_card_poker.rulebook import RULEBOOKS, read_rulebook
from games.three_card_poker.terms import default_terms

FOLDER = Path(games.__file__).parent / "three_card_poker" / "rulebooks"


def _broken(tmp_path: Path, rulebook_id: str, old: str, new: str) -> Path:
    text = (FOLDER / f"{rulebook_id}.toml").read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / f"{rulebook_id}.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("rulebook_id", "old", "new", "message"),
    [
        ("california", "seats = 7\n", "seat = 7\n", "seats is missing"),
        ("california", "seats = 7\n", 'seats = "7"\n', "seats must be a whole number, not '7'"),
        ("california", "seats = 7\n", "seats = true\n", "seats must be a whole number, not True"),
        ("california", "seats = 7\n", "seats = 0\n", "seats must be at least 1"),
        ("california", "[positions]", "[positions]\nextra = 1", "positions.extra is not a key"),
        ("california", 'id = "california"', 'id = "nevada"', "id is 'nevada' in the file of 'california'"),
        ("california", 'banked_by = "player"', 'banked_by = "bank"', "banked_by is 'bank', not one of"),
        ("california", '"two_rounds"', '"" ', "rotation must not be empty"),
        ("california", 'mini_royal = "200:1"', 'mini_royal = "200-1"', "mini_royal odds '200-1' are none of"),
        ("california", 'mini_royal = "200:1"', 'mini_royal = "0:1"', "mini_royal odds '0:1' are none of"),
        ("california", 'mini_royal = "200:1"', 'mini_royal = "2 for 3"', "mini_royal odds '2 for 3'"),
        ("california", 'mini_royal = "200:1"', 'mini_royale = "200:1"', "mini_royale is no hand"),
        ("california", "[options.coverage]", "[options.cover]", "options.cover is no option"),
        ("california", 'values = ["gross", "net"]', "values = []", "values must hold"),
        ("california", '"play", "pair_plus", "six', '"play", "play", "six', "names one thing twice"),
        (
            "california",
            'forfeits = ["ante", "pair_plus"]',
            'forfeits = ["ante", "blind"]',
            "fold.forfeits holds 'blind'",
        ),
        ("california", "[wagers.ante]", "[wagers.blind]", "wagers.blind is no wager"),
        ("california", "fee_cents = 100,", "fee_percent = 1,", "fee_cents is missing"),
        ("california", "from_cents = 10100", "from_cents = 400", "bands must rise"),
        ("california", "from_cents = 500,", "from_cents = 600,", "bands must rise"),
        ("california", "most_rates = 5", "most_rates = 1", "rates with the player fee, more than 1"),
        (
            "california",
            "{ from_cents = 500, fee",
            "{ to_cents = 1, from_cents = 500, fee",
            "to_cents is not a key",
        ),
        ("california", "ante_max_cents = 10000", "ante_most_cents = 10000", "ante_most_cents is not a key"),
        ("california", "ante_max_cents = 10000", "ante_max_cents = 0", "ante_max_cents must be at least 1"),
        ("california", "[collection]", "[collection]\nfewest_rates = 1", "fewest_rates is not a key"),
        ("massachusetts", "most_pair_plus_per_ante = 1", "most = 1", "most is not a key"),
        ("massachusetts", "meter_seed_cents = 100000", "meter_seed_cents = 0", "must be at least 1"),
        ("massachusetts", "adjacent = true", "adjacent = 1", "adjacent must be true or false"),
        ("massachusetts", "[document]", '[document]\nin_force_from = "now"', "must be a date"),
        ("shuffle_master", "[designators.TCP-01]", "[designators.TCP-01]\nrate = 1", "rate is not a key"),
    ],
)
def test_a_slip_in_a_rulebook_is_refused_by_file_and_key(
    tmp_path: Path, rulebook_id: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(DataFileError) as refused:
        read_rulebook(_broken(tmp_path, rulebook_id, old, new))
    assert str(refused.value).startswith(f"{rulebook_id}.toml: ")
    assert message in str(refused.value)


def test_no_fee_at_all_is_no_rate(tmp_path: Path) -> None:
    """Nothing, $1 and $2 are two rates."""
    text = (FOLDER / "california.toml").read_text(encoding="utf-8")
    text = text.replace("player_fee_cents = 100", "player_fee_cents = 0").replace(
        "most_rates = 5", "most_rates = 2"
    )
    file = tmp_path / "california.toml"
    file.write_text(text, encoding="utf-8")
    assert {schedule.player_fee_cents for schedule in read_rulebook(file).fee_schedules} == {0}


def test_a_file_that_is_no_toml_or_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"none\.toml: there is no such rules file"):
        read_rulebook(tmp_path / "none.toml")
    file = tmp_path / "broken.toml"
    file.write_text("id = ")
    with pytest.raises(DataFileError, match=r"broken\.toml"):
        read_rulebook(file)


def test_a_rulebook_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"nevada.*california"):
        load_rulebook("nevada")


def test_every_toml_file_in_the_folder_is_a_rulebook() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(RULEBOOKS)


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_every_single_choice_of_every_option_gives_terms_with_all_their_clauses(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    assert default_terms(rulebook).rulebook is rulebook
    for name, rule in rulebook.options.items():
        if name == "ante_bonus_table" or rule.modes:
            continue
        for value in rule.values:
            assert read_options(rulebook, {name: value}).options[name] == value


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_every_rulebook_names_what_a_page_or_placard_needs(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    assert {"ante", "play", "pair_plus"} <= rulebook.wagers.keys()
    assert all(rule.name and rule.clause for rule in rulebook.wagers.values())
    assert rulebook.tip_spots <= rulebook.wagers.keys()
    assert set(rulebook.default_options) == set(rulebook.options)
    assert rulebook.void_reasons
    assert rulebook.document.title and rulebook.document.authority


def test_names_of_spots_are_those_of_the_layout() -> None:
    names = {wager: rule.name for wager, rule in load_rulebook("designated_player").wagers.items()}
    assert (names["ante"], names["play"]) == ("Base Bet", "Call")
    names = {wager: rule.name for wager, rule in load_rulebook("california").wagers.items()}
    assert names == {
        "ante": "Ante",
        "play": "Play",
        "pair_plus": "Pair Plus",
        "six_card_bonus": "6 Card Bonus",
    }


def test_a_missing_clause_of_a_cause_the_engine_can_come_to_is_found_when_the_file_is_read(
    tmp_path: Path,
) -> None:
    with pytest.raises(DataFileError, match=r"clauses\.ante\.holds_unqualified is missing"):
        read_rulebook(_broken(tmp_path, "california", 'holds_unqualified = "winners.1.b.2"\n', ""))
