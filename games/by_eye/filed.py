"""A filed game from the options of its filing: name, seats, decks and spots, checked and made into a rulebook.

    {"name": "EZ Baccarat", "seats": 9, "decks": 8,
     "spots": [{"id": "player", "name": "Player", "main": true, "tip": true}, {"id": "tie", "name": "Tie"}]}

The spots are read by `filed_spots`, what else a filing may say (direction, positions, who may bank, …) by `filed_terms`.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.approval import Approval
from games.by_eye.filed_spots import NEEDS, missing_option, read_name, read_spots, wager_rules
from games.by_eye.filed_terms import OPTIONS, by_options, read_terms
from games.datafile import Entry, load_data_file
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.refusal import Refusal
from games.rulebook import OptionRule, Rulebook, Vocabulary, counting, read_common
from games.sheet_json import show
from games.terms import BACK_LINE, DECKS, MOST_BACK_LINE, MOST_DECKS, LaterWager

GAME_ID = "by_eye"
RULEBOOKS: tuple[str, ...] = ("by_eye",)
"""Ids of the game's rulebooks; `load_rulebook` takes one."""

MOST_SEATS = 12

_MUST = ("name", "seats", "decks", "spots")
_KEYS = tuple(dict.fromkeys((*_MUST, BACK_LINE, *OPTIONS)))
_WORDS = Vocabulary((), frozenset(), frozenset(), frozenset(), NEEDS, ())
_FOLDER = Path(__file__).parent


class Filed(NamedTuple):
    """A filed game: the rulebook with its seats and wagers, its options spelled out, and its wagers after the deal."""

    rulebook: Rulebook
    options: Mapping[str, Any]
    later: Mapping[str, LaterWager]


@cache
def load_rulebook(rulebook_id: str) -> Rulebook:
    """What holds for every filed game, without a wager; KeyError for another id, DataFileError for an invalid file."""
    return _rulebook_of(_data(rulebook_id), rulebook_id)


@cache
def _data(rulebook_id: str) -> dict[str, Any]:
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return load_data_file(_FOLDER / "rulebooks" / f"{rulebook_id}.toml")


def _rulebook_of(data: Mapping[str, Any], rulebook_id: str, approval: Approval | None = None) -> Rulebook:
    entry = Entry(data, f"{rulebook_id}.toml")
    order, bank = entry.table("order"), entry.table("bank")
    common = read_common(
        entry, order, bank, game=GAME_ID, words=_WORDS, file_stem=rulebook_id, approval=approval
    )
    for part in (order, bank, entry):
        part.done()
    return Rulebook(**common, default_options=MappingProxyType({}), meter=None)


@lru_cache(maxsize=512)
def procedure_rules_of(rulebook: Rulebook) -> ProcedureRules:
    """The procedure rules of a rulebook; DataFileError when their file is invalid."""
    return read_procedure_rules(_FOLDER / "procedures" / f"{rulebook.id}.toml", rulebook)


def read_filed(rulebook_id: str, options: Mapping[str, Any]) -> Filed:
    """The game that a filing's options describe; the same options give the same object.

    Refusal `unknown_option`, `missing_option` or `bad_option`, path `options.X`.
    """
    try:
        text = json.dumps(options, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        raise Refusal(
            "bad_option", "options", "these are no texts, numbers, flags and lists alone."
        ) from None
    return _read(rulebook_id, text)


@lru_cache(maxsize=512)
def _read(rulebook_id: str, text: str) -> Filed:
    options = json.loads(text)
    for name in options:
        if name not in _KEYS:
            what = f"a filed game has no such option; it has {', '.join(_KEYS)}."
            raise Refusal("unknown_option", f"options.{name}", what)
    for name in _MUST:
        if name not in options:
            raise missing_option(f"options.{name}", name)
    name = read_name(options["name"], "options.name")
    _number(options["seats"], "options.seats", "seats", 2, MOST_SEATS)
    if not isinstance(options["decks"], list):
        called = "decks, or the least and the most of them ([3, 8]),"
        _number(options["decks"], "options.decks", called, 1, MOST_DECKS)
    _number(
        options.get(BACK_LINE, 0), f"options.{BACK_LINE}", "back-line bettors of a spot", 0, MOST_BACK_LINE
    )
    spots = read_spots(options["spots"])
    ids = tuple(spot["id"] for spot in spots)
    approval, whole, kept, clauses = read_terms(options, _data(rulebook_id), ids)
    frame = _rulebook_of(whole, rulebook_id, approval)
    rulebook, later = _with_spots(frame, name, spots, clauses)
    return Filed(rulebook, {"name": name, **kept, "spots": spots}, later)


def _with_spots(
    frame: Rulebook, name: str, spots: list[dict[str, Any]], clauses: Mapping[str, str]
) -> tuple[Rulebook, Mapping[str, LaterWager]]:
    wagers, later = wager_rules(spots, clauses)
    ids = frozenset(wagers)
    main = frozenset(spot["id"] for spot in spots if spot["main"])
    rulebook = replace(
        frame,
        name=name,
        approval=by_options(frame.approval),
        options=MappingProxyType(_options(*frame.cards.decks)),
        wagers=MappingProxyType(wagers),
        main=main,
        action=counting(wagers, main),
        offered=ids,
        placed=ids.difference(later),
        needs=MappingProxyType({rule.id: rule.needs for rule in wagers.values()}),
        tip_spots=frozenset(spot["id"] for spot in spots if spot["tip"]),
    )
    return rulebook, MappingProxyType(later)


def _options(least: int, most: int) -> dict[str, OptionRule]:
    """How many decks are in use, which a range leaves to the table; no option where the filing says one number."""
    if least == most:
        return {}
    return {DECKS: OptionRule(DECKS, tuple(range(most, least - 1, -1)), at_table=True)}


def _number(given: Any, path: str, what: str, least: int, most: int) -> int:
    if type(given) is int and least <= given <= most:
        return given
    raise Refusal("bad_option", path, f"{what} are a number from {least} to {most}, not {show(given)}.")
