"""The spots of a filed game: their form, checked, and the wager that each makes in the rulebook.

A spot that is not `main` stands beside a main wager, or with `alone` by itself too. One that `equals` another is as high as
that and is not typed. `fee: false` says that no fee may come of it; `action` whether it counts toward total table action, as a
main wager does where nothing is said. `after_deal` makes it a wager that is placed after the
deal: `{"of": "bet", "most": 2}` is at most twice the bet, with `whole` a multiple of it. `pays_at_most` are its best odds.
"""

import re
from collections.abc import Mapping
from typing import Any

from games.money import Odds, parse_odds
from games.refusal import Refusal
from games.rulebook import WagerRule
from games.sheet_json import is_text, show
from games.spots import PROGRESSIVE
from games.terms import LaterWager

MOST_SPOTS, MOST_LETTERS, MOST_TIMES = 20, 60, 20
NOTHING, MAIN = NEEDS = ("nothing", "main")
"""What a wager may require: nothing, or a main wager on the same position."""
EQUALS, FEE, ACTION, AFTER_DEAL, PAYS_AT_MOST = _TERMS = (
    "equals",
    "fee",
    "action",
    "after_deal",
    "pays_at_most",
)

_FLAGS = ("main", "tip", "alone")
_ID = re.compile(r"[a-z][a-z0-9_]{0,19}")
#: Ids with another meaning in limits of a table, in meters and on the round's page.
_TAKEN = frozenset({"tips", "bank", PROGRESSIVE})
_FRACTION = re.compile(r"([1-9][0-9]?)/([1-9][0-9]?)")


def read_spots(given: Any) -> list[dict[str, Any]]:
    """The spots of a filing's options, spelled out; Refusal with a path from `options.spots` on."""
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
        raise Refusal("bad_option", path, "no spot is main: at least one wager bears the table limit.")
    if not any(spot.get(ACTION, spot["main"]) for spot in spots):
        raise Refusal(
            "bad_option", path, "no spot counts toward total table action: at least one wager does."
        )
    for index, spot in enumerate(spots):
        _check_base(spots, spot, f"{path}[{index}]")
    return spots


def _spot(given: Any, path: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise Refusal("bad_option", path, f"a spot is an object of id and name, not {show(given)}.")
    for key in given:
        if key not in ("id", "name", *_FLAGS, *_TERMS):
            what = f"a spot has no such key; it has id, name, {', '.join((*_FLAGS, *_TERMS))}."
            raise Refusal("unknown_option", f"{path}.{key}", what)
    for key in ("id", "name"):
        if key not in given:
            raise missing_option(f"{path}.{key}", key)
    spot_id = given["id"]
    if type(spot_id) is not str or not _ID.fullmatch(spot_id) or spot_id in _TAKEN:
        what = (
            f"an id is a small letter and up to 19 small letters, digits or _, and none of "
            f"{', '.join(sorted(_TAKEN))}, not {show(spot_id)}."
        )
        raise Refusal("bad_option", f"{path}.id", what)
    spot: dict[str, Any] = {"id": spot_id, "name": read_name(given["name"], f"{path}.name")}
    for flag in _FLAGS:
        spot[flag] = _flag(given, flag, False, path)
    if spot["main"] and spot["alone"]:
        what = "a main wager stands alone anyway; leave it out."
        raise Refusal("bad_option", f"{path}.alone", what)
    return spot | _terms_of(spot, given, path)


def _flag(given: Mapping[str, Any], key: str, otherwise: bool, path: str) -> bool:
    """True or false, `otherwise` where nothing is said; Refusal `bad_option`."""
    value = given.get(key, otherwise)
    if type(value) is not bool:
        raise Refusal("bad_option", f"{path}.{key}", f"it is true or false, not {show(value)}.")
    return value


def _terms_of(spot: Mapping[str, Any], given: Mapping[str, Any], path: str) -> dict[str, Any]:
    """What a spot says beside its flags, where it says it."""
    terms: dict[str, Any] = {}
    if given.get(EQUALS) is not None:
        terms[EQUALS] = given[EQUALS]
    if not _flag(given, FEE, True, path):
        if spot["main"]:
            what = "a main wager bears the fee; leave main out where no fee may come of it."
            raise Refusal("bad_option", f"{path}.{FEE}", what)
        terms[FEE] = False
    if (action := _flag(given, ACTION, spot["main"], path)) != spot["main"]:
        terms[ACTION] = action
    if given.get(AFTER_DEAL) is not None:
        terms[AFTER_DEAL] = _after_deal(given[AFTER_DEAL], f"{path}.{AFTER_DEAL}")
        for name in ("main", "tip", "alone", EQUALS, ACTION):
            if spot.get(name) or name in terms:
                what = (
                    "a wager after the deal is never main, equal to another or alone, bears no tip, and counts toward "
                    "no table action."
                )
                raise Refusal("bad_option", f"{path}.{name}", what)
    if given.get(PAYS_AT_MOST) is not None:
        terms[PAYS_AT_MOST] = read_odds(given[PAYS_AT_MOST], f"{path}.{PAYS_AT_MOST}").text
    return terms


def read_odds(given: Any, path: str) -> Odds:
    """Odds as `8:1` or `70 for 1`; a whole number N is N to 1. Refusal `bad_option`."""
    try:
        odds = parse_odds(f"{given}:1" if type(given) is int else given)
    except (TypeError, ValueError, AttributeError):
        odds = None
    if odds is None or odds.meter:
        raise Refusal("bad_option", path, f"odds are written 8:1 or 70 for 1, not {show(given)}.")
    return odds


def _after_deal(given: Any, path: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        what = f"it is an object of the wager and the most times it: of and most, not {show(given)}."
        raise Refusal("bad_option", path, what)
    for key in given:
        if key not in ("of", "most", "whole"):
            what = "a wager after the deal has no such key; it has of, most, whole."
            raise Refusal("unknown_option", f"{path}.{key}", what)
    for key in ("of", "most"):
        if key not in given:
            raise missing_option(f"{path}.{key}", key)
    whole = given.get("whole", False)
    if type(whole) is not bool:
        raise Refusal("bad_option", f"{path}.whole", f"it is true or false, not {show(whole)}.")
    most = given["most"]
    if not (type(most) is int and 1 <= most <= MOST_TIMES) and not (
        type(most) is str and _FRACTION.fullmatch(most)
    ):
        what = f"write how many times the other wager at most, 1 to {MOST_TIMES}, or a part as in 1/2, not {show(most)}."
        raise Refusal("bad_option", f"{path}.most", what)
    return {"of": given["of"], "most": most, **({"whole": True} if whole else {})}


def _check_base(spots: list[dict[str, Any]], spot: Mapping[str, Any], path: str) -> None:
    """Refuse a spot that hangs on one that is not there, on itself, or on one that hangs on another itself."""
    others = {
        other["id"]: other
        for other in spots
        if other is not spot and AFTER_DEAL not in other and EQUALS not in other
    }
    later = spot.get(AFTER_DEAL)
    for base, where in ((spot.get(EQUALS), EQUALS), (later and later["of"], f"{AFTER_DEAL}.of")):
        if base is not None and (type(base) is not str or base not in others):
            what = f"it names another spot that is placed by itself: {', '.join(others)}; not {show(base)}."
            raise Refusal("bad_option", f"{path}.{where}", what)


def wager_rules(
    spots: list[dict[str, Any]], clauses: Mapping[str, str]
) -> tuple[dict[str, WagerRule], dict[str, LaterWager]]:
    """The wagers of checked spots by id, and what those after the deal may come to; `clauses` are the document's by id."""
    rules, later = {}, {}
    for spot in spots:
        clause = clauses.get(spot["id"], "filing.3")
        rules[spot["id"]] = WagerRule(
            spot["id"],
            spot["name"],
            clause,
            NOTHING if spot["main"] or spot["alone"] else MAIN,
            no_fee_clause=None if spot.get(FEE, True) and AFTER_DEAL not in spot else clause,
            equals=spot.get(EQUALS),
            action=spot.get(ACTION),
        )
        if AFTER_DEAL in spot:
            said = spot[AFTER_DEAL]
            num, _, den = str(said["most"]).partition("/")
            later[spot["id"]] = LaterWager(said["of"], int(num), int(den or 1), said.get("whole", False))
    return rules, later


def missing_option(path: str, name: str) -> Refusal:
    """The refusal of a filing that leaves out what it must say."""
    return Refusal("missing_option", path, f"{name} must be given: it is the filing that says it.")


def read_name(given: Any, path: str) -> str:
    """A name without further blanks; Refusal `bad_option`."""
    if type(given) is str and is_text(given) and given.isprintable():
        name = " ".join(given.split())
        if 0 < len(name) <= MOST_LETTERS:
            return name
    raise Refusal("bad_option", path, f"a name is a text of 1 to {MOST_LETTERS} letters, not {show(given)}.")
