"""The terms of a round: a rulebook with the room's options put in, ready for the engine."""

from collections.abc import Mapping
from typing import Any

from games.collection import Rake
from games.money import MOST_CENTS
from games.refusal import Refusal
from games.three_card_poker.paytables import OWN_LINES, Paytable, room_paytable, why_below
from games.three_card_poker.rulebook import OptionRule, Rulebook
from games.three_card_poker.wagers import PAIR_PLUS, SIX_CARD_BONUS

_NOTHING: frozenset[str] = frozenset()


class Terms:
    """Everything the engine needs beside the sheet: a rulebook with the room's choices put in. Wagers go by name.

    `choices` holds the choice for every option of the rulebook, checked by `read_options`. `placed` are the wagers that a
    sheet may give, `needs` the wagers that each requires. `tips_last` settles all tips of the table after all wagers of the
    players. `forfeited[decision]` are the wagers that a decision gives up. `clauses[wager][cause]` is the full id of the
    clause by which a wager comes out so. Everything follows from the rulebook and the choices, so terms are equal where
    these are.
    """

    def __init__(self, rulebook: Rulebook, choices: Mapping[str, Any]) -> None:
        choice = choices.get
        self.rulebook = rulebook
        self.choices = choices
        self.clauses = rulebook.full_clauses
        self.coverage: str = choices["coverage"] if rulebook.coverage == "option" else rulebook.coverage
        self.forfeits_first = choice("forfeits") == "first"
        self.tips_last = choice("tips") == "after_players"
        self.tip_spots = _NOTHING if choice("tips") == "none" else rulebook.tip_spots
        self.rake: Rake | None = choice("house_rake")
        number = choice("fee_schedule")
        self.fee_schedule = None if number is None else rulebook.fee_schedule(number)
        self.ante_bonus = _ante_bonus(rulebook, choices)
        self.pair_plus = _pair_plus(rulebook, choices)
        self.pair_plus_requires_win: bool = choice("pair_plus_requires_win", False)
        table = choice("six_card_bonus_table")
        self.six_card_bonus = None if table is None else rulebook.six_card_bonus_tables[table]
        table = choice("progressive_table")
        self.progressive = None if table is None else rulebook.progressive_tables[str(table)]
        self.progressive_on_fold: bool = choice("progressive_on_fold", True)
        self.placed, self.needs, self.forfeited = rulebook.placed, rulebook.needs, rulebook.forfeited
        if self.six_card_bonus is None:
            self.placed = self.placed - {SIX_CARD_BONUS}
        self.version = rulebook.versions[choices["version"]] if "version" in choices else None
        if self.version is not None and self.version.pair_plus_needs != "nothing":
            self.needs = {**self.needs, PAIR_PLUS: self.version.pair_plus_needs}
        if choice("pair_plus_on_fold") == "evaluate":
            self.forfeited = {**self.forfeited, "fold": self.forfeited["fold"] - {PAIR_PLUS}}

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
    def offered(self) -> frozenset[str]:
        """The wagers on the table."""
        offered = self.rulebook.offered
        return offered - {SIX_CARD_BONUS} if self.six_card_bonus is None else offered

    @property
    def cover_all(self) -> dict[int, Paytable]:
        """The tables of the cover all wager by the number of positions in the round."""
        return {int(players): table for players, table in self.rulebook.cover_all_tables.items()}


def default_terms(rulebook: Rulebook) -> Terms:
    """The terms of a rulebook with every option at its default."""
    return Terms(rulebook, rulebook.default_options)


def read_options(rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
    """The room's options, checked and put in; Refusal `unknown_option` or `bad_option`, path `options.X`."""
    choices = rulebook.default_options.copy()
    for name, value in given.items():
        rule = rulebook.options.get(name)
        if rule is None:
            raise Refusal(
                "unknown_option",
                f"options.{name}",
                f"{rulebook.id} has no such option; leave it out. It has {', '.join(rulebook.options)}.",
            )
        if name not in _DEPEND_ON_OTHERS:
            choices[name] = _read_choice(rulebook, rule, value)
    if "version" in choices:
        choices["ante_bonus_table"] = _read_ante_bonus_table(rulebook, choices["version"], given)
    if "pair_plus_table" in given:
        table = given["pair_plus_table"]
        # A designator's pair plus table may be named by the designator as well as by the rulebook.
        if type(table) is str and table == choices.get("designator"):
            table = rulebook.id
        choices["pair_plus_table"] = _read_choice(rulebook, rulebook.options["pair_plus_table"], table)
    return Terms(rulebook, choices)


#: Options whose values are known once another option is: the version of the game, the designator.
_DEPEND_ON_OTHERS = ("ante_bonus_table", "pair_plus_table")


def _read_ante_bonus_table(rulebook: Rulebook, version: str, given: Mapping[str, Any]) -> str:
    """One of the ante bonus tables of a version of the game, the first where none is given."""
    tables = rulebook.versions[version].ante_bonus_tables
    if "ante_bonus_table" not in given:
        return tables[0]
    for table in tables:
        if given["ante_bonus_table"] == table:
            return table
    raise _bad_option("ante_bonus_table", f"in version {version} it is {_or(tables)}")


def _or(values: tuple[Any, ...]) -> str:
    return " or ".join([repr(value) for value in values])


def _bad_option(name: str, what: str) -> Refusal:
    return Refusal("bad_option", f"options.{name}", f"the value is not one of its own: {what}.")


def _read_choice(rulebook: Rulebook, rule: OptionRule, value: Any) -> Any:
    """One option's value, checked: an own paytable and a rake are parsed, all others are kept as given."""
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


def _as_json(value: Any) -> Any:
    if isinstance(value, Rake):
        return value._asdict()
    if isinstance(value, Paytable):
        return {name: odds.num for name, odds in value.printed.items()}
    return value


def _ante_bonus(rulebook: Rulebook, choices: Mapping[str, Any]) -> Paytable | None:
    """The ante bonus table in force: the designator's, the one chosen, or the only one of the rulebook."""
    tables = rulebook.ante_bonus_tables
    if "designator" in choices:
        return tables[rulebook.designators[choices["designator"]].ante_bonus]
    if "ante_bonus_table" in choices:
        return tables[choices["ante_bonus_table"]]
    return next(iter(tables.values()), None)


def _pair_plus(rulebook: Rulebook, choices: Mapping[str, Any]) -> Paytable:
    """The pair plus table in force: the room's own, the designator's, or the rulebook's."""
    table = choices["pair_plus_table"]
    if isinstance(table, Paytable):
        return table
    if "designator" in choices:
        table = rulebook.designators[choices["designator"]].pair_plus
    return rulebook.pair_plus_tables[table]
