"""Rulebooks of baccarat: what the game adds to a rulebook of any game (`games.rulebook`)."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from games.baccarat.wagers import BANKER, MAIN, NEEDS, PLAYER, WAGER_IDS
from games.datafile import Entry, read_data_file
from games.money import Odds, parse_odds
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.rulebook import Rulebook, Vocabulary, read_common
from games.terms import BACK_LINE

GAME_ID = "baccarat"

RULEBOOKS: tuple[str, ...] = ("baccarat",)
"""Ids of the game's rulebooks; `load_rulebook` takes one."""

OPTIONS = ("coverage", "tips", BACK_LINE)

_WORDS = Vocabulary(WAGER_IDS, frozenset(WAGER_IDS), MAIN, frozenset(WAGER_IDS), NEEDS, OPTIONS)
_FOLDER = Path(__file__).parent
_CAUSES = {
    PLAYER: ("pays", "loses", "ties"),
    BANKER: ("pays", "loses", "ties", "seven"),
    "bank": ("uncovered", "short", "capped"),
}


class BaccaratRulebook(Rulebook, frozen=True, eq=False):
    """One room's rules of baccarat: `line_order` within a position, and what each wager `pays`."""

    line_order: tuple[str, ...]
    pays: Mapping[str, Odds]


@cache
def load_rulebook(rulebook_id: str) -> BaccaratRulebook:
    """The rulebook of that id; KeyError when there is none, DataFileError when its file is invalid."""
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return read_rulebook(_FOLDER / "rulebooks" / f"{rulebook_id}.toml")


@lru_cache(maxsize=512)
def procedure_rules_of(rulebook: Rulebook) -> ProcedureRules:
    """The procedure rules of a rulebook; DataFileError when their file is invalid."""
    return read_procedure_rules(_FOLDER / "procedures" / f"{rulebook.id}.toml", rulebook)


def read_rulebook(path: Path) -> BaccaratRulebook:
    """A rulebook from a file; DataFileError names the file and the key of the first fault."""
    entry = read_data_file(path)
    order, bank, pays = entry.table("order"), entry.table("bank"), entry.table("pays")
    common = read_common(entry, order, bank, game=GAME_ID, words=_WORDS, file_stem=path.stem)
    rulebook = BaccaratRulebook(
        **common,
        default_options=MappingProxyType({name: rule.default for name, rule in common["options"].items()}),
        meter=None,
        line_order=order.texts("lines", WAGER_IDS),
        pays=MappingProxyType({wager: pays.parsed(wager, parse_odds) for wager in common["wagers"]}),
    )
    for part in (order, bank, pays, entry):
        part.done()
    _check_clauses(rulebook, entry)
    return rulebook


def _check_clauses(rulebook: BaccaratRulebook, entry: Entry) -> None:
    """Refuse a file in which an outcome that the engine can come to has no clause."""
    for what in (*rulebook.wagers, "bank"):
        for cause in _CAUSES.get(what, ("pays", "misses")):
            if cause not in rulebook.clauses.get(what, {}):
                raise entry.error(f"clauses.{what}.{cause}", "is missing")
