"""The terms of a round: a rulebook with the room's options put in, ready for the engine.

Terms of plain choices are made once and shared by the rounds played on them; those with a table or a rake of the room's
own are made for each sheet.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from games.collection import FeeSchedule, Rake
from games.money import MOST_CENTS
from games.paytables import OWN_LINES, Paytable, room_paytable, why_below
from games.refusal import Refusal
from games.rulebook import OptionRule, Rulebook, Version, load_rulebook
from games.wagers import PLACED_BEFORE_DEAL


class Terms(Struct, frozen=True, eq=False):
    """Everything the engine needs beside the sheet: a rulebook with the room's choices put in. Wagers go by name.

    `choices` holds the choice for every option of the rulebook. `lines` are the wagers of a position in the order in
    which they are settled, `placed` those that a sheet may give. `tips_last` settles all tips of the table after all
    wagers of the players. `forfeited[decision]` are the wagers that a decision gives up. Everything follows from the
    rulebook and the choices, so terms are equal where these are.
    """

    rulebook: Rulebook
    choices: Mapping[str, Any]
    coverage: str
    forfeits_first: bool
    tips_last: bool
    tip_spots: frozenset[str]
    fee_schedule: FeeSchedule | None
    rake: Rake | None
    pair_plus: Paytable
    pair_plus_requires_win: bool
    six_card_bonus: Paytable | None
    ante_bonus: Paytable | None
    bad_beat: Paytable | None
    progressive: Paytable | None
    progressive_on_fold: bool
    version: Version | None
    offered: frozenset[str]
    placed: frozenset[str]
    needs: Mapping[str, str]
    forfeited: Mapping[str | None, frozenset[str]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Terms):
            return NotImplemented
        return self.rulebook is other.rulebook and self.choices == other.choices

    def __hash__(self) -> int:
        return hash(self.rulebook.id)

    @property
    def options(self) -> dict[str, Any]:
        """The choice for every option, as the round sheet writes it."""
        return {name: _as_json(value) for name, value in self.choices.items()}

    @property
    def lines(self) -> tuple[str, ...]:
        """The wagers of a position in the order in which they are settled; envy, progressive and cover all come later."""
        return self.rulebook.line_order

    @property
    def cover_all(self) -> dict[int, Paytable]:
        """The tables of the cover all wager by the number of positions in the round."""
        return {int(players): table for players, table in self.rulebook.cover_all_tables.items()}

    @property
    def after_all_seats(self) -> tuple[str, ...]:
        """The wagers that are settled after all seats, in their order."""
        return self.rulebook.after_all_seats

    def clause(self, wager: str, cause: str) -> str:
        """The full id of the clause by which a wager comes out so."""
        return self.rulebook.full_clauses[wager][cause]


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
        if name not in ("ante_bonus_table", "pair_plus_table"):
            choices[name] = _read_choice(rulebook, rule, value)
    if "version" in rulebook.options:
        tables = rulebook.versions[choices["version"]].ante_bonus_tables
        choices["ante_bonus_table"] = tables[0]
        if "ante_bonus_table" in given:
            value = given["ante_bonus_table"]
            if type(value) is not str or value not in tables:
                raise _bad_option("ante_bonus_table", f"in version {choices['version']} it is {_or(tables)}")
            choices["ante_bonus_table"] = value
    if "pair_plus_table" in given:
        table = given["pair_plus_table"]
        # A designator's pair plus table may be named by the designator as well as by the rulebook.
        if type(table) is str and table == choices.get("designator"):
            table = rulebook.id
        choices["pair_plus_table"] = _read_choice(rulebook, rulebook.options["pair_plus_table"], table)
    return _put_in(rulebook, choices)


def _or(values: tuple[Any, ...]) -> str:
    return " or ".join([repr(value) for value in values])


def _bad_option(name: str, what: str) -> Refusal:
    return Refusal("bad_option", f"options.{name}", f"the value is not one of its own: {what}.")


def _read_choice(rulebook: Rulebook, rule: OptionRule, value: Any) -> Any:
    """One option's value, checked: an own paytable and a rake as what they are, all others as given."""
    if value is None:
        if rule.may_be_null:
            return None
        raise _bad_option(rule.name, f"null is not allowed, give {_or(rule.values) or 'a value'}")
    if rule.modes:
        return _read_rake(rule, value)
    for own in rule.values:
        # 1, 1.0 and true are equal in Python and three different values in JSON.
        if type(value) is type(own) and value == own:
            return value
    if rule.own_table and type(value) is not str:
        return _read_own_table(rulebook, rule, value)
    others = " or null" if rule.may_be_null else " or an object of odds by hand" if rule.own_table else ""
    printed = (
        "; the document prints the odds" if rule.name == "pair_plus_table" and not rule.own_table else ""
    )
    raise _bad_option(rule.name, f"it is {_or(rule.values)}{others}{printed}")


def _read_rake(rule: OptionRule, value: Any) -> Rake:
    if not isinstance(value, Mapping) or value.keys() != {"mode", "cents"}:
        raise _bad_option(rule.name, 'give null or {"mode": …, "cents": …}')
    mode, cents = value["mode"], value["cents"]
    if type(mode) is not str or mode not in rule.values:
        raise _bad_option(rule.name, f"the mode is {_or(rule.values)}")
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        raise _bad_option(rule.name, "the rake is a whole number of cents above 0; use null for none")
    return Rake(mode, cents)


def _read_own_table(rulebook: Rulebook, rule: OptionRule, value: Any) -> Paytable:
    if not isinstance(value, Mapping) or not set(OWN_LINES) <= value.keys() <= set(_ROOM_LINES):
        raise _bad_option(
            rule.name, f"give odds for {', '.join(OWN_LINES)} and, with its own line, mini_royal"
        )
    for number in value.values():
        if type(number) is not int or not 0 < number <= MOST_CENTS:
            raise _bad_option(rule.name, "odds are whole numbers N above 0, meaning N to 1")
    floor = next(iter(rulebook.pair_plus_tables.values()))
    own = room_paytable({name: value[name] for name in _ROOM_LINES if name in value}, floor.clause)
    if rule.floor and (below := why_below(own, floor)) is not None:
        raise _bad_option(rule.name, f"{below} pays less than the least odds printed in {floor.clause}")
    return own


_ROOM_LINES = (*OWN_LINES, "mini_royal")


def _put_in(rulebook: Rulebook, chosen: Mapping[str, Any]) -> Terms:
    """The terms of checked choices."""
    ante_bonus, pair_plus = _paytables(rulebook, chosen)
    six_card = chosen.get("six_card_bonus_table")
    version = rulebook.versions[chosen["version"]] if "version" in chosen else None
    needs = {wager: rule.needs for wager, rule in rulebook.wagers.items()}
    if version is not None and version.pair_plus_needs != "nothing":
        needs["pair_plus"] = version.pair_plus_needs
    offered = frozenset(rulebook.wagers)
    if "six_card_bonus_table" in chosen and six_card is None:
        offered -= {"six_card_bonus"}
    fold_forfeits = rulebook.fold_forfeits
    if chosen.get("pair_plus_on_fold") == "evaluate":
        fold_forfeits -= {"pair_plus"}
    number = chosen.get("fee_schedule")
    progressive = chosen.get("progressive_table")
    return Terms(
        rulebook=rulebook,
        choices=chosen,
        coverage=chosen["coverage"] if rulebook.coverage == "option" else rulebook.coverage,
        forfeits_first=chosen.get("forfeits") == "first",
        tips_last=chosen.get("tips") == "after_players",
        tip_spots=frozenset() if chosen.get("tips") == "none" else rulebook.tip_spots,
        fee_schedule=None if number is None else rulebook.fee_schedule(number),
        rake=chosen.get("house_rake"),
        pair_plus=pair_plus,
        pair_plus_requires_win=chosen.get("pair_plus_requires_win", False),
        six_card_bonus=None if six_card is None else rulebook.six_card_bonus_tables[six_card],
        ante_bonus=ante_bonus,
        bad_beat=rulebook.bad_beat_table,
        progressive=None if progressive is None else rulebook.progressive_tables[str(progressive)],
        progressive_on_fold=chosen.get("progressive_on_fold", True),
        version=version,
        offered=offered,
        placed=offered & PLACED_BEFORE_DEAL,
        needs=needs,
        forfeited={
            None: frozenset(),
            "play": frozenset(),
            "fold": fold_forfeits,
            "surrender": rulebook.surrender_forfeits,
        },
    )


def _as_json(value: Any) -> Any:
    if isinstance(value, Rake):
        return value._asdict()
    if isinstance(value, Paytable):
        return {name: odds.num for name, odds in value.printed.items()}
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
    if isinstance(chosen["pair_plus_table"], Paytable):
        pair_plus = chosen["pair_plus_table"]
    return bonus, pair_plus
