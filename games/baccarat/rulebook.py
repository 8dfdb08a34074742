"""Rulebooks of baccarat: what the game adds to a rulebook of any game (`games.rulebook`)."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.approval import Approval
from games.baccarat.wagers import BANKER, MAIN, NEEDS, PLAYER, WAGER_IDS
from games.datafile import Entry, load_data_file
from games.money import Odds, parse_odds
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.rulebook import OptionRule, Rulebook, Vocabulary, read_common
from games.terms import BACK_LINE, DECKS

GAME_ID = "baccarat"

RULEBOOKS: tuple[str, ...] = ("baccarat",)
"""Ids of the game's rulebooks; `load_rulebook` takes one."""

OPTIONS = ("coverage", "tips", BACK_LINE)

THREE_CARD_SEVEN = (PUSHES, PAID) = ("push", "paid")
"""What a banker's win with a seven of three cards does to the banker's wager."""

_WORDS = Vocabulary(WAGER_IDS, frozenset(WAGER_IDS), MAIN, frozenset(WAGER_IDS), NEEDS, OPTIONS)
_FOLDER = Path(__file__).parent
_CAUSES = {
    PLAYER: ("pays", "loses", "ties"),
    BANKER: ("pays", "loses", "ties", "seven"),
    "bank": ("uncovered", "short", "capped"),
}


class BaccaratRulebook(Rulebook, frozen=True, eq=False):
    """One room's rules of baccarat: `line_order` within a position, and what each wager `pays`.

    `three_card_seven` is what a banker's win with a seven of three cards does to the banker's wager.
    """

    line_order: tuple[str, ...]
    three_card_seven: str
    pays: Mapping[str, Odds]


@cache
def load_rulebook(rulebook_id: str) -> BaccaratRulebook:
    """The rulebook of that id; KeyError when there is none, DataFileError when its file is invalid."""
    return rulebook_of(base_data(rulebook_id), f"{rulebook_id}.toml")


def base_data(rulebook_id: str) -> dict[str, Any]:
    """The data of a rulebook's file, for an approval to be put into; KeyError when there is none."""
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return load_data_file(_FOLDER / "rulebooks" / f"{rulebook_id}.toml")


@lru_cache(maxsize=512)
def procedure_rules_of(rulebook: Rulebook) -> ProcedureRules:
    """The procedure rules of a rulebook; DataFileError when their file is invalid."""
    return read_procedure_rules(_FOLDER / "procedures" / f"{rulebook.id}.toml", rulebook)


def rulebook_of(data: Mapping[str, Any], file: str, approval: Approval | None = None) -> BaccaratRulebook:
    """A rulebook from the data of `file`, with an `approval` put in or without; DataFileError names file and key."""
    entry = Entry(data, file)
    order, bank, banker, pays = (entry.table(key) for key in ("order", "bank", "banker", "pays"))
    common = read_common(
        entry,
        order,
        bank,
        game=GAME_ID,
        words=_WORDS,
        file_stem=file.removesuffix(".toml"),
        approval=approval,
    )
    options = {**common.pop("options"), **_decks_option(*common["cards"].decks)}
    rulebook = BaccaratRulebook(
        **common,
        options=MappingProxyType(options),
        default_options=MappingProxyType({name: rule.default for name, rule in options.items()}),
        meter=None,
        line_order=order.texts("lines", WAGER_IDS),
        three_card_seven=banker.one_of("three_card_seven", THREE_CARD_SEVEN),
        pays=MappingProxyType({wager: pays.parsed(wager, parse_odds) for wager in common["wagers"]}),
    )
    for part in (order, bank, banker, pays, entry):
        part.done()
    _check_clauses(rulebook, entry)
    return rulebook


def _decks_option(least: int, most: int) -> dict[str, OptionRule]:
    """How many decks are in use, the most first; no option where the rules say one number."""
    if least == most:
        return {}
    return {DECKS: OptionRule(DECKS, tuple(range(most, least - 1, -1)), at_table=True)}


def _check_clauses(rulebook: BaccaratRulebook, entry: Entry) -> None:
    """Refuse a file in which an outcome that the engine can come to has no clause."""
    for what in (*rulebook.wagers, "bank"):
        for cause in _CAUSES.get(what, ("pays", "misses")):
            if cause not in rulebook.clauses.get(what, {}):
                raise entry.error(f"clauses.{what}.{cause}", "is missing")
