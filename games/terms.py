"""The terms of a round: a rulebook with the room's options put in, ready for the engine.

Terms are compiled once for each set of choices and shared by the rounds played on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from games.collection import FeeSchedule, Rake
from games.datafile import DataFileError
from games.money import MOST_CENTS
from games.paytables import OWN_LINES, Paytable, room_paytable, why_below
from games.refusal import Refusal
from games.rulebook import OptionRule, Rulebook, Version, load_rulebook
from games.wagers import (
    ANTE,
    ANTE_BONUS,
    BAD_BEAT,
    COVER_ALL,
    ENVY,
    PAIR_PLUS,
    PLACED_BEFORE_DEAL,
    PLAY,
    PROGRESSIVE,
    SIX_CARD_BONUS,
    WAGER_IDS,
    WAGER_NUMBERS,
)


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Everything the engine needs beside the sheet. Wagers are by number, paytables by class.

    `options` holds the room's choice for every option of the rulebook. `clauses[wager][cause]` is a full clause
    id. `offered` and `needs` go by name; `places` gives the number of each wager that a sheet may name.
    """

    rulebook: Rulebook
    options: Mapping[str, Any]
    coverage: str
    forfeits_first: bool
    fee_schedule: FeeSchedule | None
    rake: Rake | None
    pair_plus: Paytable
    pair_plus_requires_win: bool
    six_card_bonus: Paytable | None
    ante_bonus: Paytable | None
    bad_beat: Paytable | None
    cover_all: Mapping[int, Paytable]
    progressive: Paytable | None
    progressive_on_fold: bool
    version: Version | None
    lines: tuple[int, ...]
    tip_lines: tuple[int, ...]
    after_all_seats: tuple[int, ...]
    forfeited: Mapping[str, frozenset[int]]
    offered: frozenset[str]
    places: Mapping[str, int]
    needs: Mapping[str, str]
    clauses: tuple[Mapping[str, str], ...]
    bank_clauses: Mapping[str, str]


def default_terms(rulebook: Rulebook) -> Terms:
    """The terms of a rulebook with every option at its default."""
    return _read_plain_options(rulebook.id, (), (), ())


def read_options(rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
    """The room's options, checked and put in; Refusal `unknown_option` or `bad_option`, path `options.X`."""
    if not given:
        return default_terms(rulebook)
    # 1 and true are equal to Python and different options: the types are part of what is remembered.
    values = tuple(given.values())
    try:
        return _read_plain_options(rulebook.id, tuple(given), values, tuple(map(type, values)))
    except TypeError:  # an object among them, which cannot be remembered
        return _read_options(rulebook, given)


@lru_cache(maxsize=512)
def _read_plain_options(
    rulebook_id: str, names: tuple[str, ...], values: tuple[Any, ...], types: tuple[type, ...]
) -> Terms:
    return _read_options(load_rulebook(rulebook_id), dict(zip(names, values, strict=True)))


def _read_options(rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
    choices = rulebook.default_options
    for name, value in given.items():
        rule = rulebook.options.get(name)
        if rule is None:
            raise Refusal(
                "unknown_option",
                f"options.{name}",
                f"{rulebook.id} has no such option; leave it out. It has {', '.join(rulebook.options)}.",
            )
        if name != "ante_bonus_table":
            choices[name] = _read_choice(rulebook, rule, value)
    if "version" in rulebook.options:
        tables = rulebook.versions[choices["version"]].ante_bonus_tables
        choices["ante_bonus_table"] = tables[0]
        if "ante_bonus_table" in given:
            value = given["ante_bonus_table"]
            if type(value) is not str or value not in tables:
                raise _bad_option("ante_bonus_table", f"in version {choices['version']} it is {_or(tables)}")
            choices["ante_bonus_table"] = value
    # A designator's pair plus table may be named by the designator as well as by the rulebook.
    table = given.get("pair_plus_table")
    if type(table) is str and table not in (rulebook.id, choices.get("designator")):
        raise _bad_option("pair_plus_table", f"give {rulebook.id!r} or an object of odds by hand")
    return _compile(rulebook.id, tuple(choices.items()))


def _or(values: tuple[Any, ...]) -> str:
    return " or ".join([repr(value) for value in values])


def _bad_option(name: str, what: str) -> Refusal:
    return Refusal("bad_option", f"options.{name}", f"the value is not one of its own: {what}.")


def _read_choice(rulebook: Rulebook, rule: OptionRule, value: Any) -> Any:
    """One option's value in hashable form."""
    if value is None:
        if rule.may_be_null:
            return None
        raise _bad_option(rule.name, f"null is not allowed, give {_or(rule.values) or 'a value'}")
    if rule.modes:
        return _read_rake(rule, value)
    if rule.own_table:
        return rulebook.id if type(value) is str else _read_own_table(rulebook, rule, value)
    for own in rule.values:
        # 1, 1.0 and true are equal in Python and three different values in JSON.
        if type(value) is type(own) and value == own:
            return value
    raise _bad_option(rule.name, f"it is {_or(rule.values)}{' or null' if rule.may_be_null else ''}")


def _read_rake(rule: OptionRule, value: Any) -> Rake:
    if not isinstance(value, Mapping) or value.keys() != {"mode", "cents"}:
        raise _bad_option(rule.name, 'give null or {"mode": …, "cents": …}')
    mode, cents = value["mode"], value["cents"]
    if type(mode) is not str or mode not in rule.values:
        raise _bad_option(rule.name, f"the mode is {_or(rule.values)}")
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        raise _bad_option(rule.name, "the rake is a whole number of cents above 0; use null for none")
    return Rake(mode, cents)


def _read_own_table(rulebook: Rulebook, rule: OptionRule, value: Any) -> tuple[tuple[str, int], ...]:
    lines = (*OWN_LINES, "mini_royal")
    if not isinstance(value, Mapping) or not set(OWN_LINES) <= value.keys() <= set(lines):
        raise _bad_option(
            rule.name, f"give odds for {', '.join(OWN_LINES)} and, with its own line, mini_royal"
        )
    for number in value.values():
        if type(number) is not int or not 0 < number <= MOST_CENTS:
            raise _bad_option(rule.name, "odds are whole numbers N above 0, meaning N to 1")
    own = tuple((name, value[name]) for name in lines if name in value)
    if rule.floor:
        floor = next(iter(rulebook.pair_plus_tables.values()))
        below = why_below(room_paytable(dict(own), floor.clause), floor)
        if below is not None:
            raise _bad_option(rule.name, f"{below} pays less than the least odds printed in {floor.clause}")
    return own


@lru_cache(maxsize=512)
def _compile(rulebook_id: str, choices: tuple[tuple[str, Any], ...]) -> Terms:
    rulebook = load_rulebook(rulebook_id)
    chosen = dict(choices)
    ante_bonus, pair_plus = _paytables(rulebook, chosen)
    six_card = chosen.get("six_card_bonus_table")
    version = rulebook.versions[chosen["version"]] if "version" in chosen else None
    needs = {wager: rule.needs for wager, rule in rulebook.wagers.items()}
    if version is not None and version.pair_plus_needs != "nothing":
        needs["pair_plus"] = version.pair_plus_needs
    offered = frozenset(rulebook.wagers) - (
        {"six_card_bonus"} if "six_card_bonus_table" in chosen and six_card is None else frozenset()
    )
    lines = tuple(WAGER_NUMBERS[wager] for wager in rulebook.line_order)
    number = chosen.get("fee_schedule")
    terms = Terms(
        rulebook=rulebook,
        options=MappingProxyType({name: _as_json(name, value) for name, value in choices}),
        coverage=chosen["coverage"] if rulebook.coverage == "option" else rulebook.coverage,
        forfeits_first=chosen.get("forfeits") == "first",
        fee_schedule=None if number is None else rulebook.fee_schedule(number),
        rake=chosen.get("house_rake"),
        pair_plus=pair_plus,
        pair_plus_requires_win=chosen.get("pair_plus_requires_win", False),
        six_card_bonus=None if six_card is None else rulebook.six_card_bonus_tables[six_card],
        ante_bonus=ante_bonus,
        bad_beat=rulebook.bad_beat_table,
        cover_all=MappingProxyType({int(players): t for players, t in rulebook.cover_all_tables.items()}),
        progressive=rulebook.progressive_tables[str(chosen["progressive_table"])]
        if "progressive_table" in chosen
        else None,
        progressive_on_fold=chosen.get("progressive_on_fold", True),
        version=version,
        lines=lines,
        tip_lines=tuple(line for line in lines if WAGER_IDS[line] in rulebook.tip_spots),
        after_all_seats=tuple(WAGER_NUMBERS[wager] for wager in rulebook.after_all_seats),
        forfeited=MappingProxyType(
            {
                "fold": frozenset(WAGER_NUMBERS[wager] for wager in rulebook.fold_forfeits),
                "surrender": frozenset(WAGER_NUMBERS[wager] for wager in rulebook.surrender_forfeits),
            }
        ),
        offered=offered,
        places=MappingProxyType(
            {
                wager: number
                for wager, number in WAGER_NUMBERS.items()
                if wager in offered & PLACED_BEFORE_DEAL
            }
        ),
        needs=MappingProxyType(needs),
        clauses=tuple(_full_clauses(rulebook, wager) for wager in WAGER_IDS),
        bank_clauses=_full_clauses(rulebook, "bank"),
    )
    _check_clauses(terms)
    return terms


def _as_json(name: str, value: Any) -> Any:
    if isinstance(value, Rake):
        return value._asdict()
    if name == "pair_plus_table" and isinstance(value, tuple):
        return dict(value)
    return value


def _paytables(rulebook: Rulebook, chosen: Mapping[str, Any]) -> tuple[Paytable | None, Paytable]:
    """The ante bonus and pair plus tables in force, whichever way this rulebook names them."""
    bonus = next(iter(rulebook.ante_bonus_tables.values()), None)
    pair_plus = next(iter(rulebook.pair_plus_tables.values()))
    if "designator" in chosen:
        designator = rulebook.designators[chosen["designator"]]
        bonus = rulebook.ante_bonus_tables[designator.ante_bonus]
        pair_plus = rulebook.pair_plus_tables[designator.pair_plus]
    if "ante_bonus_table" in chosen:
        bonus = rulebook.ante_bonus_tables[chosen["ante_bonus_table"]]
    if isinstance(chosen["pair_plus_table"], tuple):
        pair_plus = room_paytable(dict(chosen["pair_plus_table"]), pair_plus.clause)
    return bonus, pair_plus


def _full_clauses(rulebook: Rulebook, what: str) -> Mapping[str, str]:
    clauses = rulebook.clauses.get(what, {})
    return MappingProxyType({cause: rulebook.clause_id(clause) for cause, clause in clauses.items()})


def _check_clauses(terms: Terms) -> None:
    """Every cause the engine can come to on these terms has its clause; DataFileError otherwise."""
    rulebook = terms.rulebook
    unqualified_ante = (
        ("beats_unqualified", "holds_unqualified")
        if rulebook.unqualified_ante == "compared"
        else ("wins_unqualified",)
    )
    causes: dict[int, tuple[str, ...]] = {
        ANTE: ("beats", "loses", "ties", "folded", *unqualified_ante),
        PLAY: ("beats", "loses", "ties", "unqualified"),
        PAIR_PLUS: ("pays", "misses", *(("not_won",) if terms.pair_plus_requires_win else ())),
        SIX_CARD_BONUS: ("pays", "misses"),
        BAD_BEAT: ("pays", "misses"),
        COVER_ALL: ("pays", "misses"),
        PROGRESSIVE: ("pays", "meter", "misses", *(() if terms.progressive_on_fold else ("folded",))),
        ENVY: ("pays",),
        ANTE_BONUS: ("pays",),
    }
    for cause, wagers in (("folded", "fold"), ("surrendered", "surrender")):
        for wager in terms.forfeited[wagers]:
            causes[wager] += (cause,)
    standing = {WAGER_NUMBERS[wager] for wager in rulebook.wagers} | set(terms.lines + terms.after_all_seats)
    for wager in standing:
        for cause in causes[wager]:
            if cause not in terms.clauses[wager]:
                raise DataFileError(f"{rulebook.id}.toml: clauses.{WAGER_IDS[wager]}.{cause} is missing")
    bank = {"house": (), "funds": ("uncovered",)}.get(terms.coverage, ("uncovered", "short", "capped"))
    for cause in bank:
        if cause not in terms.bank_clauses:
            raise DataFileError(f"{rulebook.id}.toml: clauses.bank.{cause} is missing")
