"""The terms of a round: a rulebook of any game with the room's options put in, ready for the engine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from games.approval import APPROVAL, ApprovedTerm, example_for
from games.collection import PrintedSchedule, Rake
from games.money import MOST_CENTS
from games.phrases import Phrase
from games.refusal import Refusal
from games.rulebook import OptionRule, Rulebook
from games.spots import PROGRESSIVE, Spot

#: The option that says how many further bettors may wager on each player's spot.
BACK_LINE = "back_line"
#: The most that a filing may say there.
MOST_BACK_LINE = 7
#: The option that says how many decks are in use, where the rules leave that open; and the most of them.
DECKS = "decks"
MOST_DECKS = 12

AnyRulebook = TypeVar("AnyRulebook", bound=Rulebook)

_NOTHING: frozenset[str] = frozenset()


class LaterWager(NamedTuple):
    """What a wager after the deal may come to: `most_num / most_den` times the wager `of`; `whole`: a multiple of it."""

    of: str
    most_num: int
    most_den: int
    whole: bool

    def most_cents(self, base_cents: int) -> int:
        """The most in cents beside a wager of `base_cents`; a part of a cent falls away."""
        return base_cents * self.most_num // self.most_den

    @property
    def most(self) -> str:
        """How many times the other wager it may be: `2`, `1/2`."""
        return str(self.most_num) if self.most_den == 1 else f"{self.most_num}/{self.most_den}"


class Column(NamedTuple):
    """What a wager pays whose payouts go by the number of hands in the round: its lines from the best hand down."""

    wager: str
    name: str
    clause: str
    lines: tuple[tuple[str, str], ...]


class Terms:
    """What holds at a table for every game; each game has a subclass with its own tables and switches. Wagers go by name.

    `choices` holds the choice for every option of the rulebook, checked. `offered` are the wagers on the table, `placed`
    those that a sheet may give, `needs` the wagers that each requires, `main` those that bear the table limit and are
    charged a fee, `action` those that count toward total table action. `back_line` is how many further bettors may wager on the spot of each seat.
    `later` are the wagers that may be placed after the deal of a game that is not carded, by id (`LaterWager`).
    `decks` are those in use, the most where the table may choose and has not.
    `tips_last` settles all tips of the table after all wagers of the players.
    `clauses[wager][cause]` is the full id of the clause by which a wager comes out so. Everything follows from the rulebook
    and the choices, so terms are equal where these are.
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
        self.fee_schedule: PrintedSchedule | None = None if number is None else rulebook.fee_schedule(number)
        self.offered, self.placed, self.needs = rulebook.offered, rulebook.placed, rulebook.needs
        self.main, self.action = rulebook.main, rulebook.action
        self.later: Mapping[str, LaterWager] = {}
        self.back_line: int = choice(BACK_LINE) or rulebook.back_line
        decks = choice(DECKS)
        self.decks: int = decks if isinstance(decks, int) else rulebook.cards.decks[1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Terms):
            return NotImplemented
        return self.rulebook is other.rulebook and self.choices == other.choices

    def __hash__(self) -> int:
        return hash(self.rulebook.id)

    @property
    def options(self) -> dict[str, Any]:
        """The choice for every option, as the round sheet writes it."""
        return {name: self.option_as_json(value) for name, value in self.choices.items()}

    def option_as_json(self, value: Any) -> Any:
        """One choice as the round sheet writes it; a game overrides this for values that it parses."""
        return value._asdict() if isinstance(value, Rake) else value

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The wagers on the table as the layout has them, in the order of the rulebook."""
        return tuple(
            Spot(
                id=rule.id,
                name=rule.name,
                clause=self.rulebook.clause_id(rule.clause),
                limited=rule.id in self.placed and rule.id != PROGRESSIVE and rule.equals is None,
                charged=rule.id in self.main,
                action=rule.id in self.action,
                placed=rule.id in self.placed,
                needs=self.needs[rule.id],
                equals=rule.equals,
                tip=rule.id in self.tip_spots,
                meter=rule.id == PROGRESSIVE,
            )
            for rule in self.rulebook.wagers.values()
            if rule.id in self.offered
        )

    @property
    def late_tips(self) -> frozenset[str]:
        """The spots whose tips come with a decision, after the deal."""
        return self.tip_spots - self.placed

    def column(self, hands: int) -> Column | None:
        """What the wager pays in a round of so many positions whose payouts go by their number; None without one."""
        return None

    def main_cents(self, wagers: Mapping[str, int]) -> int:
        """What one position has on main wagers, in cents: its ante, as fees are charged."""
        return cents_on(wagers, self.main)

    def action_cents(self, wagers: Mapping[str, int]) -> int:
        """What the wagers of one position count toward total table action, in cents."""
        return cents_on(wagers, self.action)


def cents_on(wagers: Mapping[str, int], these: frozenset[str]) -> int:
    """What one position has on `these` of its wagers, in cents."""
    return sum([wagers.get(wager, 0) for wager in these])


#: How a game reads an option that its rulebooks let a room fill with a table of its own.
OwnTable = Callable[[OptionRule, Any], Any]


def read_choice(
    rule: OptionRule, value: Any, terms: Sequence[ApprovedTerm], own_table: OwnTable | None = None
) -> Any:
    """One option's value, checked: a rake and an own table are parsed, all others are kept as given.

    `terms` are what an approval of the game may say. Refusal `bad_option`.
    """
    if value is None:
        if rule.may_be_null:
            return None
        given = one_of(rule.values) or "a value"
        approved = _approved(rule.name, value, terms) if rule.printed else ""
        raise bad_option(rule.name, f"null is not allowed, give {given}{approved}")
    if rule.modes:
        return _read_rake(rule, value)
    if rule.text:
        return _read_text(rule, value)
    for own in rule.values:
        # 1, 1.0 and true are equal in Python and three different values in JSON.
        if type(value) is type(own) and value == own:
            return value
    if rule.own_table and own_table is not None and type(value) is not str:
        return own_table(rule, value)
    others = " or null" if rule.may_be_null else " or an object of odds by hand" if rule.own_table else ""
    printed = f"; the document prints the odds{_approved(rule.name, value, terms)}" if rule.printed else ""
    raise bad_option(rule.name, f"it is {one_of(rule.values)}{others}{printed}")


def without_table_choices(rulebook: Rulebook, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options without those that a filing may leave to the table."""
    rules = rulebook.options
    return {name: value for name, value in options.items() if name not in rules or not rules[name].at_table}


def with_approval(
    rulebook: AnyRulebook, given: Mapping[str, Any], approved: Callable[[str, Any], AnyRulebook]
) -> AnyRulebook:
    """The rulebook with the approval of the options put in by the game's `approved`, where there is one.

    Refusal with the path from `options.approval` on.
    """
    if APPROVAL not in given:
        return rulebook
    try:
        return approved(rulebook.id, given[APPROVAL])
    except Refusal as refusal:
        raise refusal.under(f"options.{APPROVAL}") from None


def _approved(option: str, value: Any, terms: Sequence[ApprovedTerm]) -> str:
    """Where what a room's own document says otherwise than a rulebook goes (`games.approval`), the end of a sentence."""
    if not terms:
        return ""
    example = example_for(option, value, terms)
    return f"; what a room's own approval says otherwise is written under options.{APPROVAL}" + (
        f": {example}" if example else ""
    )


def read_choices(
    rulebook: Rulebook, given: Mapping[str, Any], terms: Sequence[ApprovedTerm]
) -> dict[str, Any]:
    """The choice for every option of a rulebook, each by itself, with the approval that `with_approval` has put in.

    `terms` are what an approval of the game may say; a game without any takes none. Refusal `unknown_option` or `bad_option`, path `options.X`.
    """
    choices = dict(rulebook.default_options)
    for name, value in given.items():
        if name == APPROVAL:
            if rulebook.approval is None:  # nothing has read it: no terms of it are put in
                raise takes_no_approval(rulebook.id).under(f"options.{APPROVAL}")
            choices[name] = value
        else:
            choices[name] = read_choice(option_rule(rulebook, name, value, terms), value, terms)
    return choices


def takes_no_approval(rulebook_id: str) -> Refusal:
    """The refusal of an approval by a game that takes none."""
    what = Phrase(
        "{id} takes no approval: leave it out, or file the game on another rulebook.", id=rulebook_id
    )
    return Refusal("unknown_option", "", what)


def option_rule(rulebook: Rulebook, name: str, value: Any, terms: Sequence[ApprovedTerm]) -> OptionRule:
    """The rule of an option by its name; Refusal `unknown_option`."""
    rule = rulebook.options.get(name)
    if rule is None:
        raise Refusal(
            "unknown_option",
            f"options.{name}",
            f"{rulebook.id} has no such option; leave it out. It has {', '.join(rulebook.options)}"
            f"{_approved(name, value, terms)}.",
        )
    return rule


def bad_option(name: str, what: str) -> Refusal:
    """The refusal of an option's value: `what` says which it may have."""
    return Refusal("bad_option", f"options.{name}", f"the value is not one of its own: {what}.")


def one_of(values: tuple[Any, ...]) -> str:
    """Values in a sentence: `'gross' or 'net'`."""
    return " or ".join([repr(value) for value in values])


#: The most letters of a text of the room's own.
MOST_LETTERS = 300


def _read_text(rule: OptionRule, value: Any) -> str:
    if type(value) is not str or not 0 < len(value) <= MOST_LETTERS or value != value.strip():
        raise bad_option(
            rule.name, f"give a text of 1 to {MOST_LETTERS} letters without blanks around it, or null"
        )
    return value


def _read_rake(rule: OptionRule, value: Any) -> Rake:
    if not isinstance(value, Mapping) or value.keys() != {"mode", "cents"}:
        raise bad_option(rule.name, 'give null or {"mode": …, "cents": …}')
    mode, cents = value["mode"], value["cents"]
    if type(mode) is not str or mode not in rule.values:
        raise bad_option(rule.name, f"the mode is {one_of(rule.values)}")
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        raise bad_option(rule.name, "the rake is a whole number of cents above 0; use null for none")
    return Rake(mode, cents)
