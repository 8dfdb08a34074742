"""A filed game from the options of its filing: name, seats, decks and spots, checked and made into a rulebook.

    {"name": "EZ Baccarat", "seats": 9, "decks": 8,
     "spots": [{"id": "player", "name": "Player", "main": true, "tip": true}, {"id": "tie", "name": "Tie"}]}

A spot that is not `main` stands beside a main wager, or with `alone` by itself too. `back_line` says how many further
bettors may wager on each player's spot; left out, none.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.datafile import read_data_file
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.refusal import Refusal
from games.rulebook import Rulebook, Vocabulary, WagerRule, read_common
from games.sheet_json import is_text, show
from games.spots import PROGRESSIVE
from games.terms import BACK_LINE, MOST_BACK_LINE

GAME_ID = "by_eye"
RULEBOOKS: tuple[str, ...] = ("by_eye",)
"""Ids of the game's rulebooks; `load_rulebook` takes one."""

MOST_SEATS, MOST_DECKS, MOST_SPOTS, MOST_LETTERS = 12, 12, 20, 60
NOTHING, MAIN = NEEDS = ("nothing", "main")
"""What a wager may require: nothing, or a main wager on the same position."""

_MUST = ("name", "seats", "decks", "spots")
_KEYS = (*_MUST, BACK_LINE)
_FLAGS = ("main", "tip", "alone")
_ID = re.compile(r"[a-z][a-z0-9_]{0,19}")
#: Ids with another meaning in limits of a table, in meters and on the round's page.
_TAKEN = frozenset({"tips", "bank", PROGRESSIVE})
_WORDS = Vocabulary((), frozenset(), frozenset(), frozenset(), NEEDS, ())
_FOLDER = Path(__file__).parent


class Filed(NamedTuple):
    """A filed game: the rulebook with its seats and wagers, its decks, and its options spelled out."""

    rulebook: Rulebook
    decks: int
    options: Mapping[str, Any]


@cache
def load_rulebook(rulebook_id: str) -> Rulebook:
    """What holds for every filed game, without a wager; KeyError for another id, DataFileError for an invalid file."""
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    path = _FOLDER / "rulebooks" / f"{rulebook_id}.toml"
    entry = read_data_file(path)
    order, bank = entry.table("order"), entry.table("bank")
    common = read_common(entry, order, bank, game=GAME_ID, words=_WORDS, file_stem=path.stem)
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
            raise _missing(f"options.{name}", name)
    name = _name(options["name"], "options.name")
    seats = _number(options["seats"], "options.seats", "seats", 2, MOST_SEATS)
    decks = _number(options["decks"], "options.decks", "decks", 1, MOST_DECKS)
    back_line = _number(
        options.get(BACK_LINE, 0), f"options.{BACK_LINE}", "back-line bettors of a spot", 0, MOST_BACK_LINE
    )
    spots = _spots(options["spots"])
    rulebook = _with_spots(load_rulebook(rulebook_id), name, seats, spots)
    said = {"name": name, "seats": seats, "decks": decks, BACK_LINE: back_line, "spots": spots}
    return Filed(rulebook, decks, said)


def _with_spots(frame: Rulebook, name: str, seats: int, spots: list[dict[str, Any]]) -> Rulebook:
    ids = frozenset(spot["id"] for spot in spots)
    needs = {spot["id"]: NOTHING if spot["main"] or spot["alone"] else MAIN for spot in spots}
    return replace(
        frame,
        name=name,
        seats=seats,
        wagers=MappingProxyType(
            {spot["id"]: WagerRule(spot["id"], spot["name"], "filing.3", needs[spot["id"]]) for spot in spots}
        ),
        main=frozenset(spot["id"] for spot in spots if spot["main"]),
        offered=ids,
        placed=ids,
        needs=MappingProxyType(needs),
        tip_spots=frozenset(spot["id"] for spot in spots if spot["tip"]),
    )


def _spots(given: Any) -> list[dict[str, Any]]:
    path = "options.spots"
    if not isinstance(given, list) or not given:
        raise Refusal("bad_option", path, "a game has a list of spots, at least one.")
    if len(given) > MOST_SPOTS:
        raise Refusal("bad_option", path, f"a game has {MOST_SPOTS} spots at most, not {len(given)}.")
    spots: list[dict[str, Any]] = []
    for index, each in enumerate(given):
        spot = _spot(each, f"{path}[{index}]")
        for key, called in (("id", "id"), ("name", "name")):
            if any(spot[key] == other[key] for other in spots):
                what = f"the {called} {show(spot[key])} is there twice; each spot has its own."
                raise Refusal("bad_option", f"{path}[{index}].{key}", what)
        spots.append(spot)
    if not any(spot["main"] for spot in spots):
        what = (
            "no spot is main: at least one wager bears the table limit and counts toward total table action."
        )
        raise Refusal("bad_option", path, what)
    return spots


def _spot(given: Any, path: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise Refusal("bad_option", path, f"a spot is an object of id and name, not {show(given)}.")
    for key in given:
        if key not in ("id", "name", *_FLAGS):
            what = f"a spot has no such key; it has id, name, {', '.join(_FLAGS)}."
            raise Refusal("unknown_option", f"{path}.{key}", what)
    for key in ("id", "name"):
        if key not in given:
            raise _missing(f"{path}.{key}", key)
    spot_id = given["id"]
    if type(spot_id) is not str or not _ID.fullmatch(spot_id) or spot_id in _TAKEN:
        what = (
            f"an id is a small letter and up to 19 small letters, digits or _, and none of "
            f"{', '.join(sorted(_TAKEN))}, not {show(spot_id)}."
        )
        raise Refusal("bad_option", f"{path}.id", what)
    spot: dict[str, Any] = {"id": spot_id, "name": _name(given["name"], f"{path}.name")}
    for flag in _FLAGS:
        value = given.get(flag, False)
        if type(value) is not bool:
            raise Refusal("bad_option", f"{path}.{flag}", f"it is true or false, not {show(value)}.")
        spot[flag] = value
    if spot["main"] and spot["alone"]:
        what = "a main wager stands alone anyway; leave it out."
        raise Refusal("bad_option", f"{path}.alone", what)
    return spot


def _missing(path: str, name: str) -> Refusal:
    return Refusal("missing_option", path, f"{name} must be given: it is the filing that says it.")


def _name(given: Any, path: str) -> str:
    if type(given) is str and is_text(given) and given.isprintable():
        name = " ".join(given.split())
        if 0 < len(name) <= MOST_LETTERS:
            return name
    raise Refusal("bad_option", path, f"a name is a text of 1 to {MOST_LETTERS} letters, not {show(given)}.")


def _number(given: Any, path: str, what: str, least: int, most: int) -> int:
    if type(given) is int and least <= given <= most:
        return given
    raise Refusal("bad_option", path, f"{what} are a number from {least} to {most}, not {show(given)}.")
