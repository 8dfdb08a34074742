"""What a filing says of its table beside name, seats and spots, given flat in its options and read like an approval.

    {"direction": "counter_clockwise", "decks": [3, 8], "positions": 2, "least_bank_cents": 10000,
     "may_bank": {"wagered_rounds": 3}, "number": "GEGR-004861", "sources": {"direction": "4, page 2"}}

Each name stands for a key of a rulebook's file (`games.approved_terms`), so the rulebook has the same fields as that of an
approval of a carded game.
"""

from collections.abc import Mapping
from typing import Any

from games.approval import (
    DATE,
    NUMBER,
    SOURCES,
    TITLE,
    Approval,
    ApprovedTerm,
    Range,
    Whole,
    read_approval,
)
from games.approved_terms import CARDS, COMMON, complete_common
from games.refusal import Refusal
from games.rulebook import CLOCKWISE, COUNTER_CLOCKWISE
from games.sheet_json import show
from games.terms import BACK_LINE, MOST_BACK_LINE, MOST_DECKS

#: The option of terms that say who may bank, an object of its own.
MAY_BANK = "may_bank"
_MAY_BANK_TERMS = ("rounds", "another_first", "wagered_rounds", "previous_round", "all_decline")
_KEYS = {
    "seats": "seats",
    "decks": "cards.decks",
    "direction": "order.direction",
    "starts": "order.starts",
    "positions": "positions.most_per_player",
    "adjacent": "positions.adjacent",
    BACK_LINE: "positions.back_line",
    "least_bank_cents": "bank.least_cents",
    **{f"{MAY_BANK}.{term}": f"{MAY_BANK}.{term}" for term in _MAY_BANK_TERMS},
}
_OPTIONS = {key: option for option, key in _KEYS.items()}
_TERMS = (
    *(term for term in COMMON if term.key in _OPTIONS and term.key != "positions.back_line"),
    ApprovedTerm("positions.back_line", "Bettors behind each seat", CARDS, Whole(0, MOST_BACK_LINE)),
    ApprovedTerm("cards.decks", "Decks in use", CARDS, Range(1, MOST_DECKS)),
)
#: Options that every filing gives: in its number's sources they may stand, and need not.
_ALWAYS = ("seats", "decks", BACK_LINE)
HEAD = (NUMBER, TITLE, DATE, SOURCES)
"""Options that name the document of the state."""
OPTIONS = (*(option for option in _KEYS if "." not in option), MAY_BANK, *HEAD)
"""All options that are read here."""

#: Another spelling of the direction, with the same meaning.
_SAME = {"counterclockwise": COUNTER_CLOCKWISE, "counter-clockwise": COUNTER_CLOCKWISE}
#: What an option is where it is left out; given so, it stays out of the options as they are kept.
_LEFT_OUT: Mapping[str, Any] = {"direction": CLOCKWISE, "positions": 1, "adjacent": False, MAY_BANK: {}}


def read_terms(
    options: Mapping[str, Any], data: Mapping[str, Any], spots: tuple[str, ...]
) -> tuple[Approval | None, dict[str, Any], dict[str, Any], dict[str, str]]:
    """The terms of a filing's options, put into `data`, the rulebook's file; `spots` are the ids of its spots.

    Gives the approval (None without number, title and sources), the whole file, the options spelled out, and by spot the
    clause of the document that offers it. Refusal `bad_option`, path `options.X`.
    """
    given = _spelled_out(options)
    sources, of_spots = _sources(given.get(SOURCES, {}), given, spots)
    document: dict[str, Any] = {name: given[name] for name in (NUMBER, TITLE, DATE) if name in given}
    for option, key in _KEYS.items():
        value = _of(given, option)
        if value is not None:
            _put(document, key, value)
    document[SOURCES] = {_KEYS[option]: clause for option, clause in sources.items()}
    try:
        approval, whole = read_approval(document, _TERMS, data)
    except Refusal as refusal:
        raise _as_option(refusal) from None
    needed = {
        key: clause
        for key, clause in approval.changed.items()
        if clause or _OPTIONS[key] not in _ALWAYS or (_OPTIONS[key] == "decks" and _ranges(given))
    }
    complete_common(whole, needed)
    kept = {name: given[name] for name in OPTIONS if name in given and given[name] != _LEFT_OUT.get(name)}
    kept["decks"] = given["decks"]
    kept[BACK_LINE] = whole["positions"][BACK_LINE]
    number = approval.number or "approval"
    clauses = {spot: f"{number}:{clause}" for spot, clause in of_spots.items()}
    if not approval.number and not approval.title and not given.get(SOURCES):
        return None, whole, kept, clauses
    return Approval(approval.number, approval.title, approval.day, needed), whole, kept, clauses


def by_options(approval: Approval | None) -> Approval | None:
    """The approval with the clauses of what differs by the names of options."""
    if approval is None:
        return None
    changed = {_OPTIONS[key]: clause for key, clause in approval.changed.items()}
    return Approval(approval.number, approval.title, approval.day, changed)


def _spelled_out(options: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: options[name] for name in OPTIONS if options.get(name, "") not in ("", None)}
    if "direction" in given:
        direction = given["direction"]
        given["direction"] = _SAME.get(direction, direction) if type(direction) is str else direction
    given.setdefault(BACK_LINE, 0)
    terms = given.get(MAY_BANK, {})
    if not isinstance(terms, Mapping):
        what = f"it is an object of {', '.join(_MAY_BANK_TERMS)}, not {show(terms)}."
        raise Refusal("bad_option", f"options.{MAY_BANK}", what)
    for term in terms:
        if term not in _MAY_BANK_TERMS:
            what = f"who may bank has no such term; it has {', '.join(_MAY_BANK_TERMS)}."
            raise Refusal("unknown_option", f"options.{MAY_BANK}.{term}", what)
    return given


def _of(given: Mapping[str, Any], option: str) -> Any:
    table, _, term = option.partition(".")
    return given.get(table, {}).get(term) if term else given.get(option)


def _ranges(given: Mapping[str, Any]) -> bool:
    return isinstance(given["decks"], list)


def _sources(
    sources: Any, given: Mapping[str, Any], spots: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    """The clauses by option, and those of spots (`spots.tie`) by spot; Refusal for what the filing says nothing of."""
    of_options: dict[str, str] = {}
    of_spots: dict[str, str] = {}
    if not isinstance(sources, Mapping):
        what = f"sources are an object of clauses by option, not {show(sources)}."
        raise Refusal("bad_option", f"options.{SOURCES}", what)
    for option, clause in sources.items():
        table, _, spot = option.partition(".")
        if table == "spots" and spot in spots:
            if type(clause) is not str or not clause.strip():
                what = f"a clause is a text, not {show(clause)}."
                raise Refusal("bad_option", f"options.{SOURCES}.{option}", what)
            of_spots[spot] = clause
        elif option in _KEYS and _of(given, option) is not None:
            of_options[option] = clause
        else:
            what = f"the filing says nothing of {show(option)}; leave its clause out."
            raise Refusal("bad_option", f"options.{SOURCES}.{option}", what)
    return of_options, of_spots


def _put(document: dict[str, Any], key: str, value: Any) -> None:
    *tables, last = key.split(".")
    for name in tables:
        document = document.setdefault(name, {})
    document[last] = value


def _as_option(refusal: Refusal) -> Refusal:
    """A refusal of a term by the option that says it."""
    below, _, key = refusal.path.rpartition(f"{SOURCES}.")
    option = f"{SOURCES}.{_OPTIONS.get(key, key)}" if below or key != refusal.path else ""
    option = option or _OPTIONS.get(refusal.path, refusal.path)
    return Refusal("bad_option", f"options.{option}", refusal.message)
