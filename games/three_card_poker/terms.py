"""The terms of Three Card Poker: a rulebook with the room's options put in, ready for the engine."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from games.approval import APPROVAL
from games.money import MOST_CENTS
from games.notices import format_odds
from games.paytables import Paytable
from games.rulebook import OptionRule
from games.terms import Column, Terms, bad_option, one_of, option_rule, read_choice, with_approval
from games.three_card_poker.approval import TERMS, approved_rulebook
from games.three_card_poker.hands import CLASS_IDS, HAND_NAMES
from games.three_card_poker.paytables import OWN_LINES, room_paytable, why_below
from games.three_card_poker.rulebook import ThreeCardRulebook
from games.three_card_poker.wagers import COVER_ALL, PAIR_PLUS, SIX_CARD_BONUS


class ThreeCardTerms(Terms):
    """Everything the engine needs beside the sheet: a rulebook with the room's choices put in.

    `forfeited[decision]` are the wagers that a decision gives up.
    """

    rulebook: ThreeCardRulebook

    def __init__(self, rulebook: ThreeCardRulebook, choices: Mapping[str, Any]) -> None:
        super().__init__(rulebook, choices)
        choice = choices.get
        self.ante_bonus = _ante_bonus(rulebook, choices)
        self.pair_plus = _pair_plus(rulebook, choices)
        self.pair_plus_requires_win: bool = choice("pair_plus_requires_win", False)
        table = choice("six_card_bonus_table")
        self.six_card_bonus = None if table is None else rulebook.six_card_bonus_tables[table]
        table = choice("progressive_table")
        self.progressive = None if table is None else rulebook.progressive_tables[str(table)]
        self.progressive_on_fold: bool = choice("progressive_on_fold", True)
        self.settling: str | None = choice("settling")
        self.meter_wins: str | None = choice("meter_wins")
        self.forfeited = rulebook.forfeited
        if self.six_card_bonus is None:
            self.offered = self.offered - {SIX_CARD_BONUS}
            self.placed = self.placed - {SIX_CARD_BONUS}
        self.version = rulebook.versions[choices["version"]] if "version" in choices else None
        if self.version is not None and self.version.pair_plus_needs != "nothing":
            self.needs = {**self.needs, PAIR_PLUS: self.version.pair_plus_needs}
        if choice("pair_plus_on_fold") == "evaluate":
            self.forfeited = {**self.forfeited, "fold": self.forfeited["fold"] - {PAIR_PLUS}}

    def option_as_json(self, value: Any) -> Any:
        if isinstance(value, Paytable):
            return {name: odds.num for name, odds in value.printed.items()}
        return super().option_as_json(value)

    @property
    def cover_all(self) -> dict[int, Paytable]:
        """The tables of the cover all wager by the number of positions in the round."""
        return {int(players): table for players, table in self.rulebook.cover_all_tables.items()}

    def column(self, hands: int) -> Column | None:
        table = self.cover_all.get(hands)
        if table is None:
            return None
        printed = sorted(table.printed.items(), key=lambda line: CLASS_IDS.index(line[0]), reverse=True)
        return Column(
            wager=COVER_ALL,
            name=self.rulebook.wagers[COVER_ALL].name,
            clause=self.rulebook.clause_id(table.clause),
            lines=tuple((HAND_NAMES[hand], format_odds(odds)) for hand, odds in printed),
        )


def default_terms(rulebook: ThreeCardRulebook) -> ThreeCardTerms:
    """The terms of a rulebook with every option at its default."""
    return ThreeCardTerms(rulebook, rulebook.default_options)


def read_options(rulebook: ThreeCardRulebook, given: Mapping[str, Any]) -> ThreeCardTerms:
    """The room's options and its approval, checked and put in; Refusal with a path from `options` on."""
    rulebook = with_approval(rulebook, given, approved_rulebook)
    choices = rulebook.default_options.copy()
    if APPROVAL in given:
        choices[APPROVAL] = given[APPROVAL]
        given = {name: value for name, value in given.items() if name != APPROVAL}
    for name, value in given.items():
        rule = option_rule(rulebook, name, value, TERMS)
        if name not in _DEPEND_ON_OTHERS:
            choices[name] = read_choice(rule, value, TERMS)
    if "version" in choices:
        choices["ante_bonus_table"] = _read_ante_bonus_table(rulebook, choices["version"], given)
    if "pair_plus_table" in given:
        table = given["pair_plus_table"]
        # A designator's pair plus table may be named by the designator as well as by the rulebook.
        if type(table) is str and table == choices.get("designator"):
            table = rulebook.id
        rule = rulebook.options["pair_plus_table"]
        choices["pair_plus_table"] = read_choice(rule, table, TERMS, partial(_read_own_table, rulebook))
    return ThreeCardTerms(rulebook, choices)


#: Options whose values are known once another option is: the version of the game, the designator.
_DEPEND_ON_OTHERS = ("ante_bonus_table", "pair_plus_table")


def _read_ante_bonus_table(rulebook: ThreeCardRulebook, version: str, given: Mapping[str, Any]) -> str:
    """One of the ante bonus tables of a version of the game, the first where none is given."""
    tables = rulebook.versions[version].ante_bonus_tables
    if "ante_bonus_table" not in given:
        return tables[0]
    for table in tables:
        if given["ante_bonus_table"] == table:
            return table
    raise bad_option("ante_bonus_table", f"in version {version} it is {one_of(tables)}")


_ROOM_LINES = (*OWN_LINES, "mini_royal")


def _read_own_table(rulebook: ThreeCardRulebook, rule: OptionRule, value: Any) -> Paytable:
    if not isinstance(value, Mapping) or not set(OWN_LINES) <= value.keys() <= set(_ROOM_LINES):
        raise bad_option(
            rule.name, f"give odds for {', '.join(OWN_LINES)} and, with its own line, mini_royal"
        )
    for number in value.values():
        if type(number) is not int or not 0 < number <= MOST_CENTS:
            raise bad_option(rule.name, "odds are whole numbers N above 0, meaning N to 1")
    floor = next(iter(rulebook.pair_plus_tables.values()))
    own = room_paytable({name: value[name] for name in _ROOM_LINES if name in value}, floor.clause)
    if rule.floor and (below := why_below(own, floor)) is not None:
        raise bad_option(rule.name, f"{below} pays less than the least odds printed in {floor.clause}")
    return own


def _ante_bonus(rulebook: ThreeCardRulebook, choices: Mapping[str, Any]) -> Paytable | None:
    """The ante bonus table in force: the designator's, the one chosen, or the only one of the rulebook."""
    tables = rulebook.ante_bonus_tables
    if "designator" in choices:
        return tables[rulebook.designators[choices["designator"]].ante_bonus]
    if "ante_bonus_table" in choices:
        return tables[choices["ante_bonus_table"]]
    return next(iter(tables.values()), None)


def _pair_plus(rulebook: ThreeCardRulebook, choices: Mapping[str, Any]) -> Paytable | None:
    """The pair plus table in force: the room's own, the designator's, or the rulebook's; None where it is not offered."""
    table = choices.get("pair_plus_table")
    if table is None or isinstance(table, Paytable):
        return table
    if "designator" in choices:
        table = rulebook.designators[choices["designator"]].pair_plus
    return rulebook.pair_plus_tables[table]
