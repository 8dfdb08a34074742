"""Approvals as data: what a room's own document says otherwise than the rulebook that it is based on.

An approval has the form of a rulebook's file (TOML; JSON in the API and in a round sheet) with the keys that differ alone,
its number, title and date, and under `sources`, by key, the clause of the room's document that says so:

    {"number": "GEGR-004861", "title": "Three Card Poker", "date": "2026-10-14",
     "seats": 8,
     "wagers": {"six_card_bonus": {"offered": false}},
     "pair_plus_tables": [{"id": "own", "odds": {"straight_flush": "40:1", "three_of_a_kind": "30:1", …}}],
     "sources": {"seats": "2, page 2", "wagers.six_card_bonus.offered": "1, page 1", "pair_plus_tables": "7.4, page 6"}}

Each game lists what its approvals may say (`ApprovedTerm`). `read_approval` checks the form and puts it into the data of the
rulebook's file; the game's reader of rulebooks reads the whole, as it reads what ships.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from games.datafile import DataFileError
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import is_text, show

#: The key of the round sheet's options, and of a filing's, that holds an approval.
APPROVAL = "approval"
NUMBER, TITLE, DATE, SOURCES = HEAD = ("number", "title", "date", "sources")
#: The most letters of an approval's number, of its title, and of a clause.
MOST_LETTERS = 120

#: The greatest number in odds; no paytable that is printed comes near it.
MOST_ODDS = 1_000_000
#: Digits of odds that are looked at: more of them are too many.
_MOST_DIGITS = 100

#: Words of what no approval may say: fees are filed as a schedule, in flat amounts.
_FORBIDDEN = ("percent", "commission", "fee", "rake", "share", "collection")


class Whole(NamedTuple):
    """A whole number from `least` to `most`."""

    least: int
    most: int


class Range(NamedTuple):
    """A whole number, or a list of the least and the most: how many of them are in use is then the table's to say."""

    least: int
    most: int


class OneOf(NamedTuple):
    """One of some words; `words` says what each means."""

    words: Mapping[str, str]


class Several(NamedTuple):
    """A list of distinct words, in the order in which they are given."""

    values: tuple[str, ...]


class Flag(NamedTuple):
    """True or false."""


class Text(NamedTuple):
    """A text of 1 to `MOST_LETTERS` letters."""


class Lines(NamedTuple):
    """A paytable: odds by hand, from the best down; `hands` are all that it may name."""

    hands: tuple[str, ...]


class Times(NamedTuple):
    """A list of distinct whole numbers from 1 to `most`: how many times another wager one may be, the usual first."""

    most: int


class Pays(NamedTuple):
    """The odds of a wager that is paid for one thing alone: `8:1`; a number N means N to 1."""


Kind = Whole | Range | OneOf | Several | Flag | Text | Lines | Times | Pays


class ApprovedTerm(NamedTuple):
    """One thing that an approval of a game may say: its key in a rulebook's file, its name, and what it may be.

    `group` heads it where the whole is shown. `decides` are the outcomes of which its clause is the reason, each as
    wager and cause (`Rulebook.clauses`).
    """

    key: str
    label: str
    group: str
    kind: Kind
    decides: tuple[tuple[str, str], ...] = ()


class TermValue(NamedTuple):
    """What a rulebook says of a term, in the form of an approval's value, and its full clause; empty where none is known."""

    value: Any
    clause: str = ""


class PaytableWays(NamedTuple):
    """How often each hand of a paytable comes: `by_hand` of all `of` deals, best first as `Lines.hands` has them.

    `wager` is the one whose odds they make. `loses`: it is lost with every other hand; else the table is a bonus beside it.
    """

    wager: str
    of: int
    by_hand: Mapping[str, int]
    names: Mapping[str, str]
    loses: bool = True


class Approval(Struct, frozen=True, eq=False):
    """The document by which a room may offer its game: number, title and date, and what it says otherwise.

    `changed` are the full clauses by key of what differs from the rulebook, empty where the clause is missing yet.
    """

    number: str
    title: str
    day: date | None
    changed: Mapping[str, str]

    @property
    def without_clause(self) -> tuple[str, ...]:
        """The keys whose clause is missing: it is not filed so."""
        return tuple(key for key, clause in self.changed.items() if not clause)


def approval_text(approval: Any) -> str:
    """An approval as one text, equal for equal ones; Refusal `wrong_type` for what is no JSON."""
    try:
        return json.dumps(approval, sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):
        raise Refusal(
            "wrong_type", "", "an approval holds texts, numbers, flags, lists and objects alone."
        ) from None


def read_approval(
    given: Any, terms: Sequence[ApprovedTerm], base: Mapping[str, Any]
) -> tuple[Approval, dict[str, Any]]:
    """Check an approval and put it into `base`, the data of a rulebook's file.

    Refusal `wrong_type`, `unknown_term`, `bad_term` or `forbidden_term`, with the path inside the approval.
    """
    if not isinstance(given, Mapping):
        what = Phrase("an approval is an object of its own keys, not {given}.", given=show(given))
        raise Refusal("wrong_type", "", what)
    by_key = {term.key: term for term in terms}
    said = said_in(given, terms)
    sources = _read_sources(given.get(SOURCES, {}), said)
    whole: dict[str, Any] = deepcopy(dict(base))
    number = _read_text(given.get(NUMBER, ""), NUMBER, may_be_empty=True)
    changed = {key: _full(number, sources[key]) if key in sources else "" for key in said}
    for key, value in said.items():
        _put(whole, key, read_value(by_key[key], value))
    for key, clause in changed.items():
        for wager, cause in by_key[key].decides:
            if wager in whole.get("clauses", {}):
                whole["clauses"][wager][cause] = clause or _full(number, key)
    title = _read_text(given.get(TITLE, ""), TITLE, may_be_empty=True)
    if title:
        whole["document"] = {**whole["document"], "title": title}
        whole["name"] = whole["name"] if "name" in said else title
    return Approval(number, title, _read_day(given.get(DATE)), MappingProxyType(changed)), whole


def said_in(given: Mapping[str, Any], terms: Sequence[ApprovedTerm]) -> dict[str, Any]:
    """What an approval says, by the keys of the terms and in their order; no value is looked at.

    Refusal `unknown_term` or `forbidden_term`.
    """
    by_key = {term.key: term for term in terms}
    said = dict(_flat({key: value for key, value in given.items() if key not in HEAD}, by_key))
    return {key: said[key] for key in by_key if key in said}


def approval_of(
    head: Mapping[str, str], said: Mapping[str, Any], sources: Mapping[str, str]
) -> dict[str, Any]:
    """An approval from what it says by key; what is empty in its head and its sources is left out."""
    approval: dict[str, Any] = {key: value for key, value in head.items() if value}
    for key, value in said.items():
        _put(approval, key, value)
    given = {key: clause for key, clause in sources.items() if clause and key in said}
    return {**approval, SOURCES: given} if given else approval


#: The most letters of an example in a message, and what stands there for a clause.
_MOST_EXAMPLE = 400
_CLAUSE = "its clause or page"


def example_for(option: str, value: Any, terms: Sequence[ApprovedTerm]) -> str:
    """The approval, as JSON, by which a document says what `option` was given for; empty where no term, or several, fit.

    `pair_plus_table` with odds is the term `pair_plus_tables`, `six_card_bonus_table` with null the wager left out, `qualifies`
    the term `bank.qualifies`.
    """
    try:
        said = _said_by_option(option, value, {term.key: term for term in terms})
        text = json.dumps(approval_of({}, said, dict.fromkeys(said, _CLAUSE))) if said else ""
    except (Refusal, TypeError, ValueError, RecursionError):
        return ""
    return text if len(text) <= _MOST_EXAMPLE else ""


def _said_by_option(option: str, value: Any, terms: Mapping[str, ApprovedTerm]) -> dict[str, Any]:
    """What an option was given for, by the keys of the terms; empty where no term, or several, fit."""
    wager = f"wagers.{option.removesuffix('_table')}.offered"
    if value in (None, False) and wager in terms:
        return {wager: False}
    if (
        option not in terms
        and isinstance(value, Mapping)
        and any(key.startswith(f"{option}.") for key in terms)
    ):
        return said_in({option: value}, list(terms.values()))
    fits = (
        [option]
        if option in terms
        else [key for key in terms if key == f"{option}s" or key.endswith(f".{option}")]
    )
    if len(fits) != 1:
        return {}
    kind = terms[fits[0]].kind
    if isinstance(kind, Lines) and not isinstance(value, list | tuple):
        best = next(hand for hand in kind.hands if hand not in PAID_AS_NEXT)
        value = [{"odds": value if isinstance(value, Mapping) else {best: "40:1"}}]
    return {fits[0]: value}


def refused_by(error: DataFileError) -> Refusal:
    """The refusal of a whole that the game's reader does not take."""
    return Refusal("bad_term", error.key, Phrase("{key} {what}.", key=error.key, what=error.what))


def put_lines(whole: dict[str, Any], changed: Mapping[str, str], lines: Sequence[str]) -> None:
    """Settle the `lines` of a seat in the order that the approval says, each of them once; Refusal `bad_term`."""
    chosen = whole["order"]["lines"] if "order.lines" in changed else list(lines)
    if sorted(chosen) != sorted(lines):
        what = Phrase("it lists each line of a seat once: {lines}.", lines=", ".join(lines))
        raise Refusal("bad_term", "order.lines", what)
    whole["order"]["lines"] = chosen


def without_wager(
    whole: dict[str, Any], changed: Mapping[str, str], wager: str, name: str, paytable: str
) -> None:
    """Take a wager that is not offered out of the data of a rulebook's file, wherever it is named.

    `name` is what the wager is called, `paytable` the key of its odds. Refusal `bad_term` where the approval says something of
    it all the same: in its own terms, its paytable, a list of wagers, or what another wager needs.
    """
    for key in changed:
        table, _, term = key.rpartition(".")
        if key == paytable:
            what = Phrase("{wager} is not offered: it has no paytable.", wager=name)
            raise Refusal("bad_term", key, what)
        if table == f"wagers.{wager}" and term != "offered":
            what = Phrase("{wager} is not offered: leave this out, or say that it is.", wager=name)
            raise Refusal("bad_term", key, what)
        if key in _NAMING and wager in _said_of(whole, key):
            what = Phrase("{wager} is not offered: take {id} out of the list.", wager=name, id=wager)
            raise Refusal("bad_term", key, what)
        if term == "needs" and wager in _said_of(whole, key):
            what = Phrase("{wager} is not offered: no other wager needs it.", wager=name)
            raise Refusal("bad_term", key, what)
    for key in _NAMING:
        table, _, listed = key.partition(".")
        if listed in whole.get(table, {}):
            whole[table][listed] = [each for each in whole[table][listed] if each != wager]
    whole["wagers"].pop(wager, None)
    whole["clauses"].pop(wager, None)
    whole["tips"]["spots"] = [spot for spot in whole["tips"]["spots"] if spot != wager]
    whole["published"] = [each for each in whole.get("published", []) if each["wager"] != wager]


#: The keys of a rulebook's file that list wagers.
_NAMING = ("order.lines", "order.after_all_seats", "fold.forfeits")


def _said_of(whole: Mapping[str, Any], key: str) -> Any:
    """The value of a key in the data of a rulebook's file."""
    for name in key.split("."):
        whole = whole[name]
    return whole


def _flat(
    given: Mapping[str, Any], by_key: Mapping[str, ApprovedTerm], below: str = ""
) -> Iterator[tuple[str, Any]]:
    """What an approval says, by key: `bank.qualifies` for what lies in a table."""
    for name, value in given.items():
        key = f"{below}{name}"
        if key in by_key:
            yield key, value
        elif isinstance(value, Mapping) and any(known.startswith(f"{key}.") for known in by_key):
            yield from _flat(value, by_key, f"{key}.")
        else:
            raise _unknown(key, by_key)


def _unknown(key: str, by_key: Mapping[str, ApprovedTerm]) -> Refusal:
    if any(word in key.lower() for word in _FORBIDDEN):
        what = Phrase(
            "fees are no term of a game: file a schedule of flat amounts, never a share of wagers or winnings "
            "(Penal Code 337j(f))."
        )
        return Refusal("forbidden_term", key, what)
    what = Phrase(
        "the game knows no term {key}; an approval may say {known}.", key=show(key), known=", ".join(by_key)
    )
    return Refusal("unknown_term", key, what)


def _read_sources(given: Any, said: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(given, Mapping):
        what = Phrase("sources are an object of clauses by key, not {given}.", given=show(given))
        raise Refusal("wrong_type", SOURCES, what)
    sources = {}
    for key, clause in given.items():
        if key not in said:
            what = Phrase("the approval says nothing of {key}; leave its clause out.", key=show(key))
            raise Refusal("unknown_term", f"{SOURCES}.{key}", what)
        if text := _read_text(clause, f"{SOURCES}.{key}", may_be_empty=True):
            sources[key] = text
    return sources


def _full(number: str, clause: str) -> str:
    """A clause of the room's own document, as `GEGR-004861:7.4, page 6`."""
    return f"{number or APPROVAL}:{clause}"


def _put(whole: dict[str, Any], key: str, value: Any) -> None:
    *tables, last = key.split(".")
    for name in tables:
        whole = whole.setdefault(name, {})
    whole[last] = value


def read_value(term: ApprovedTerm, value: Any) -> Any:
    """The value of a term, checked by its kind; Refusal with the path inside the approval."""
    kind, key = term.kind, term.key
    if isinstance(kind, Whole):
        return _read_whole(value, key, kind.least, kind.most)
    if isinstance(kind, Range):
        return _read_range(value, key, kind)
    if isinstance(kind, Flag):
        return _read_flag(value, key)
    if isinstance(kind, OneOf):
        return _read_one_of(value, key, kind.words)
    if isinstance(kind, Several):
        return _read_several(value, key, kind.values)
    if isinstance(kind, Lines):
        return _read_tables(value, key, kind.hands)
    if isinstance(kind, Times):
        return _read_times(value, key, kind.most)
    return _odds_text(value, key) if isinstance(kind, Pays) else _read_text(value, key)


def _read_flag(value: Any, key: str) -> bool:
    if type(value) is not bool:
        raise _bad(key, Phrase("it is true or false, not {value}.", value=show(value)))
    return value


def _read_one_of(value: Any, key: str, words: Mapping[str, str]) -> str:
    if type(value) is not str or value not in words:
        known = ", ".join(words)
        raise _bad(key, Phrase("it is one of {known}, not {value}.", known=known, value=show(value)))
    return value


def _read_whole(value: Any, key: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        what = Phrase(
            "it is a whole number from {least} to {most}, not {value}.",
            least=least,
            most=most,
            value=show(value),
        )
        raise _bad(key, what)
    return value


def _read_range(value: Any, key: str, kind: Range) -> list[int]:
    """The least and the most, which may be one number."""
    bounds = value if isinstance(value, list | tuple) else [value, value]
    if len(bounds) != 2:
        raise _bad(key, Phrase("write one number, or the least and the most: [3, 8]."))
    least, most = (_read_whole(bound, key, kind.least, kind.most) for bound in bounds)
    if least > most:
        raise _bad(key, Phrase("the least, {least}, is above the most, {most}.", least=least, most=most))
    return [least, most]


def _read_several(value: Any, key: str, known: tuple[str, ...]) -> list[str]:
    if not isinstance(value, list | tuple):
        raise _bad(key, Phrase("it is a list, not {value}.", value=show(value)))
    for each in value:
        if type(each) is not str or each not in known:
            what = Phrase("it lists {known}, not {value}.", known=", ".join(known), value=show(each))
            raise _bad(key, what)
    if len(set(value)) != len(value):
        raise _bad(key, Phrase("it names one thing twice."))
    return list(value)


def _read_times(value: Any, key: str, most: int) -> list[int]:
    if not isinstance(value, list | tuple) or not value:
        raise _bad(key, Phrase("it is a list, not {value}.", value=show(value)))
    times = [_read_whole(each, key, 1, most) for each in value]
    if len(set(times)) != len(times):
        raise _bad(key, Phrase("it names one thing twice."))
    return times


def _odds_text(value: Any, path: str) -> Any:
    """Odds as they are read from a rulebook's file; a number N means N to 1."""
    if any(int(part) > MOST_ODDS for part in re.findall("[0-9]+", str(value)[:_MOST_DIGITS])):
        what = Phrase("odds go up to {most}, not {value}.", most=f"{MOST_ODDS:,}", value=show(value))
        raise Refusal("bad_term", path, what)
    return f"{value}:1" if type(value) is int else value


def _read_tables(value: Any, key: str, hands: tuple[str, ...]) -> list[dict[str, Any]]:
    """The one paytable of an approval, its odds as texts; a number N means N to 1."""
    if not isinstance(value, list | tuple) or len(value) != 1 or not isinstance(value[0], Mapping):
        raise _bad(
            key, Phrase("write the one table that the approval prints: a list of one object with odds.")
        )
    table = value[0]
    for name in table:
        if name not in ("id", "odds"):
            raise Refusal("unknown_term", f"{key}[0].{name}", Phrase("a paytable has an id and odds."))
    odds = table.get("odds")
    if not isinstance(odds, Mapping) or not odds:
        raise Refusal("bad_term", f"{key}[0].odds", Phrase("give odds by hand, such as 40:1."))
    for hand in odds:
        if hand not in hands:
            what = Phrase(
                "{hand} is no hand of this table; it knows {hands}.", hand=show(hand), hands=", ".join(hands)
            )
            raise Refusal("unknown_term", f"{key}[0].odds.{hand}", what)
    paid = {hand: _odds_text(each, f"{key}[0].odds.{hand}") for hand, each in odds.items()}
    _check_gap(paid, hands, f"{key}[0].odds")
    return [{"id": table.get("id", "own"), "odds": paid}]


def _check_gap(paid: Mapping[str, Any], hands: tuple[str, ...], path: str) -> None:
    """Refuse a table that pays a hand and not a better one; the best of all may be paid as the next one is."""
    lowest = max(hands.index(hand) for hand in paid)
    for hand in hands[:lowest]:
        if hand not in paid and hand not in PAID_AS_NEXT:
            what = Phrase("{hand} pays nothing, and a lower hand is paid: give its odds.", hand=hand)
            raise Refusal("bad_term", f"{path}.{hand}", what)


#: Hands that are paid as the one below them where a table has no line of theirs (rulings 1 and 25).
PAID_AS_NEXT = ("mini_royal_spades", "mini_royal")


def _read_text(value: Any, key: str, *, may_be_empty: bool = False) -> str:
    if type(value) is str and is_text(value) and value.isprintable():
        text = " ".join(value.split())
        if len(text) <= MOST_LETTERS and (text or may_be_empty):
            return text
    what = Phrase("it is a text of 1 to {most} letters, not {value}.", most=MOST_LETTERS, value=show(value))
    raise _bad(key, what)


def _read_day(value: Any) -> date | None:
    """The day of an approval; a date that its document does not print is absent (ruling 59)."""
    if value is None or value == "":
        return None
    if type(value) is date:
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise _bad(DATE, Phrase("it is a day, as in 2026-10-14, not {value}.", value=show(value))) from None


def _bad(key: str, what: str) -> Refusal:
    return Refusal("bad_term", key, what)
