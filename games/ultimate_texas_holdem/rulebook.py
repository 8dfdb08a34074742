"""Rulebooks of Ultimate Texas Hold'em: what the game adds to a rulebook of any game (`games.rulebook`)."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.approval import Approval
from games.datafile import Entry, load_data_file
from games.five_cards import FIVE_CARD_IDS, FiveCardClass
from games.paytables import Paytable, read_paytable
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.rulebook import Rulebook, Vocabulary, read_common
from games.ultimate_texas_holdem.wagers import (
    ANTE,
    BLIND,
    MAIN,
    NEEDS,
    PLACED_BEFORE_DEAL,
    PLAY,
    TIP_SPOTS,
    TRIPS,
    WAGER_IDS,
)

GAME_ID = "ultimate_texas_holdem"

RULEBOOKS: tuple[str, ...] = ("ultimate_texas_holdem",)
"""Ids of the game's rulebooks; `load_rulebook` takes one."""

OPTIONS = ("coverage", "forfeits", "tips")

#: The least class with which the bank qualifies, by id.
QUALIFYING: Mapping[str, FiveCardClass] = MappingProxyType(
    {
        "nothing": FiveCardClass.HIGH_CARD,
        "pair": FiveCardClass.PAIR,
        "two_pair": FiveCardClass.TWO_PAIR,
        "three_of_a_kind": FiveCardClass.THREE_OF_A_KIND,
    }
)
#: What an ante does against a bank that does not qualify: it goes back, is paid whatever the hand, or is compared.
UNQUALIFIED_ANTE = (PUSH, PAID, COMPARED) = ("push", "paid", "compared")
#: The most times the ante that a play wager may be.
MOST_TIMES = 9

_WORDS = Vocabulary(WAGER_IDS, PLACED_BEFORE_DEAL, MAIN, TIP_SPOTS, NEEDS, OPTIONS)
_FOLDER = Path(__file__).parent
_CAUSES = {
    ANTE: ("beats", "loses", "ties", "unqualified", "folded"),
    PLAY: ("beats", "loses", "ties"),
    BLIND: ("pays", "wins", "loses", "ties", "folded"),
    TRIPS: ("pays", "misses"),
}


class UltimateRulebook(Rulebook, frozen=True, eq=False):
    """One room's rules of Ultimate Texas Hold'em.

    `line_order` is the order of lines within a position. `raises` are the play wagers, in times the ante, at each point in
    turn: before the flop, after it, and on the whole board. `forfeits` are the wagers that a fold loses.
    """

    line_order: tuple[str, ...]
    raises: tuple[tuple[int, ...], ...]
    forfeits: frozenset[str]
    qualifies: str
    unqualified_ante: str
    blind_table: Paytable
    trips_table: Paytable | None


@cache
def load_rulebook(rulebook_id: str) -> UltimateRulebook:
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


def rulebook_of(data: Mapping[str, Any], file: str, approval: Approval | None = None) -> UltimateRulebook:
    """A rulebook from the data of `file`, with an `approval` put in or without; DataFileError names file and key."""
    entry = Entry(data, file)
    order, bank, play, fold = (entry.table(key) for key in ("order", "bank", "play", "fold"))
    common = read_common(
        entry,
        order,
        bank,
        game=GAME_ID,
        words=_WORDS,
        file_stem=file.removesuffix(".toml"),
        approval=approval,
    )
    rulebook = UltimateRulebook(
        **common,
        default_options=MappingProxyType({name: rule.default for name, rule in common["options"].items()}),
        meter=None,
        line_order=order.texts("lines", WAGER_IDS),
        raises=tuple(_read_times(play, point) for point in ("before_flop", "flop", "river")),
        forfeits=frozenset(fold.texts("forfeits", WAGER_IDS)),
        qualifies=bank.one_of("qualifies", tuple(QUALIFYING)),
        unqualified_ante=bank.one_of("unqualified_ante", UNQUALIFIED_ANTE),
        blind_table=read_paytable(entry.table("blind_table"), FIVE_CARD_IDS),
        trips_table=read_paytable(entry.table("trips_table"), FIVE_CARD_IDS)
        if TRIPS in common["wagers"]
        else None,
    )
    for part in (order, bank, play, fold, entry):
        part.done()
    _check_clauses(rulebook, entry)
    return rulebook


def _read_times(play: Entry, point: str) -> tuple[int, ...]:
    """How many times the ante a play wager may be at a point; none where it is left to later ones."""
    times = play.values(point)
    if any(type(each) is not int or not 0 < each <= MOST_TIMES for each in times) or len(set(times)) != len(
        times
    ):
        raise play.error(point, f"must list distinct whole numbers from 1 to {MOST_TIMES}")
    return tuple(int(each) for each in times)


def _check_clauses(rulebook: UltimateRulebook, entry: Entry) -> None:
    """Refuse a file in which an outcome that the engine can come to has no clause."""
    for wager in rulebook.wagers:
        folded = ("folded",) if wager in rulebook.forfeits and wager == TRIPS else ()
        _check_causes(rulebook, entry, wager, _CAUSES[wager] + folded)
    _check_causes(rulebook, entry, "bank", ("uncovered", "short", "capped"))


def _check_causes(rulebook: UltimateRulebook, entry: Entry, what: str, causes: tuple[str, ...]) -> None:
    for cause in causes:
        if cause not in rulebook.clauses.get(what, {}):
            raise entry.error(f"clauses.{what}.{cause}", "is missing")
