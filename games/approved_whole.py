"""The whole of an approval: every term that it may say, beside what its rulebook says, with the clause of each.

Pages, API and rules pages show it; what differs is marked where it stands.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from games.approval import (
    APPROVAL,
    PAID_AS_NEXT,
    ApprovedTerm,
    Flag,
    Lines,
    OneOf,
    PaytableWays,
    Range,
    Several,
    TermValue,
    read_value,
    said_in,
)
from games.approved_terms import GROUPS
from games.approved_values import rotation_values
from games.game import Game
from games.money import Odds, dollars, parse_odds
from games.odds import OddsRow
from games.registry import game_of
from games.terms import Terms

_NOTHING = TermValue(None)


class WholeTerm(NamedTuple):
    """One term: what the rulebook says (`before`) and what holds (`now`), None where it is nothing; its full clause.

    `said`: the approval says it; else it is the rulebook's, or follows from something that the approval says, or `filed`:
    from the rotation profile that is filed in place of the rulebook's.
    """

    term: ApprovedTerm
    before: Any
    now: Any
    clause: str
    said: bool
    filed: bool = False

    @property
    def follows(self) -> bool:
        """Whether it differs without being said: a wager left out has no paytable."""
        return not self.said and self.before != self.now

    @property
    def lacks_clause(self) -> bool:
        return self.said and not self.clause

    @property
    def clause_text(self) -> str:
        """The clause as it stands beside its term: that of the room's document without its number."""
        return self.clause.partition(":")[2] if self.said else self.clause

    @property
    def before_text(self) -> str:
        return format_term(self.term, self.before)

    @property
    def now_text(self) -> str:
        return format_term(self.term, self.now)


class PaytableLine(NamedTuple):
    """One hand of a paytable: how many ways make it, what was and is paid (texts, empty for nothing), and units paid.

    `ways` and `units` are None where the game counts none, and where the line is paid as the next one.
    """

    hand: str
    name: str
    ways: int | None
    before: str
    now: str
    units: Fraction | None

    @property
    def differs(self) -> bool:
        return self.before != self.now


class PaytableSums(NamedTuple):
    """A paytable worked out: its lines from the best down, all deals, those that lose, and the bank's edge on the wager.

    `edge` is on these terms, `edge_before` on the rulebook's own; None where the odds are not worked out.
    """

    wager: str
    lines: tuple[PaytableLine, ...]
    of: int | None
    lost: int | None
    edge: Fraction | None
    edge_before: Fraction | None

    @property
    def of_text(self) -> str:
        return "" if self.of is None else f"{self.of:,}"

    @property
    def paid(self) -> Fraction | None:
        """The units paid in all deals together; None where a line has none."""
        units = [line.units for line in self.lines if line.now and line.ways is not None]
        return (
            None
            if self.of is None or None in units
            else sum((each or Fraction(0) for each in units), Fraction(0))
        )


def is_shown(each: WholeTerm) -> bool:
    """Whether a term belongs into the whole: not what follows for a wager that is not offered."""
    return each.said or each.filed or each.now is not None or isinstance(each.term.kind, Lines)


def grouped(whole: Sequence[WholeTerm]) -> list[tuple[str, list[WholeTerm]]]:
    """The terms that are shown, under their headings."""
    shown = [each for each in whole if is_shown(each)]
    by_group = [(group, [each for each in shown if each.term.group == group]) for group in GROUPS]
    return [(group, found) for group, found in by_group if found]


def whole_of(terms: Terms, base: Terms, rotation: str = "") -> tuple[WholeTerm, ...]:
    """Every term that holds on `terms` or on `base`, the same rulebook without an approval, in the order of the game.

    `rotation`: the profile that is filed; empty, the rulebook's own.
    """
    game = game_of(terms.rulebook.id)
    before, now = game.approved_values(base), _values(game, terms)
    said = _clauses(terms)
    filed: set[str] = set()
    if rotation and terms.rulebook.player_banked:
        own, other = dict(rotation_values(terms)), dict(rotation_values(terms, rotation))
        filed = {key for key in own.keys() | other.keys() if own.get(key) != other.get(key)} - said.keys()
        now = {key: value for key, value in now.items() if key not in own} | other
    return tuple(
        WholeTerm(
            term,
            before.get(term.key, _NOTHING).value,
            now.get(term.key, _NOTHING).value,
            said[term.key] if term.key in said else now.get(term.key, _NOTHING).clause,
            term.key in said,
            term.key in filed and before.get(term.key, _NOTHING).value != now.get(term.key, _NOTHING).value,
        )
        for term in game.approved_terms()
        if term.key in before or term.key in now
    )


def _clauses(terms: Terms) -> Mapping[str, str]:
    """What the approval says by key, with its full clauses; empty without one."""
    approval = terms.rulebook.approval
    return {} if approval is None else approval.changed


def _values(game: Game, terms: Terms) -> Mapping[str, TermValue]:
    """What holds of each term; what an approval says, and the game tells nothing of, as the approval has it."""
    values = dict(game.approved_values(terms))
    known = {term.key: term for term in game.approved_terms()}
    for key, given in said_in(terms.options.get(APPROVAL) or {}, tuple(known.values())).items():
        if key not in values and given is not False:
            value = read_value(known[key], given)
            values[key] = TermValue(value[0]["odds"] if isinstance(known[key].kind, Lines) else value)
    return values


def sums_of(key: str, terms: Terms, base: Terms) -> PaytableSums | None:
    """The paytable of a term worked out on `terms` beside `base`; None where neither pays by it."""
    game = game_of(terms.rulebook.id)
    before: Mapping[str, str] = game.approved_values(base).get(key, _NOTHING).value or {}
    now: Mapping[str, str] = _values(game, terms).get(key, _NOTHING).value or {}
    term = next(term for term in game.approved_terms() if term.key == key)
    assert isinstance(term.kind, Lines)
    if not before and not now:
        return None
    ways = game.paytable_ways(terms, key) if now else None
    by_hand = {} if ways is None else ways_by_line(term.kind, ways, now)
    lines = tuple(
        PaytableLine(
            hand,
            hand_name(ways, hand),
            by_hand.get(hand),
            before.get(hand, ""),
            now.get(hand, ""),
            units_paid(by_hand.get(hand), now.get(hand, "")),
        )
        for hand in term.kind.hands
    )
    wager = next((wager for wager, _ in term.decides), "") if ways is None else ways.wager
    edge, edge_before = _edge(game, wager, terms), _edge(game, wager, base)
    if ways is None:
        return PaytableSums(wager, lines, None, None, edge, edge_before)
    paid = sum(count for hand, count in by_hand.items() if hand in now)
    return PaytableSums(wager, lines, ways.of, ways.of - paid if ways.loses else 0, edge, edge_before)


def hand_name(ways: PaytableWays | None, hand: str) -> str:
    """A hand by its name, or by its id in words where the game names none."""
    return hand.replace("_", " ").capitalize() if ways is None else ways.names[hand]


def ways_by_line(kind: Lines, ways: PaytableWays, paid: Mapping[str, str]) -> dict[str, int]:
    """The ways of each line: a hand without a line of its own that is paid as the next one is counted there."""
    counts = dict(ways.by_hand)
    for hand, following in pairwise(kind.hands):
        if hand in PAID_AS_NEXT and hand not in paid and hand in counts:
            counts[following] = counts.get(following, 0) + counts.pop(hand)
    return counts


def units_paid(ways: int | None, odds: str) -> Fraction | None:
    """What a line pays in all of its deals together, in units of the wager won; None where it cannot be said."""
    if ways is None or not odds:
        return None
    pays = parse_odds(odds)
    return None if pays.meter else ways * won(pays)


def won(pays: Odds) -> Fraction:
    """What a win brings per unit, beyond the unit itself."""
    return Fraction(pays.num, pays.den) - (1 if pays.for_one else 0)


def _edge(game: Game, wager: str, terms: Terms) -> Fraction | None:
    return next((row.edge for row in game.odds_on(terms) if row.wager == wager), None)


def edges_of(terms: Terms) -> dict[str, OddsRow]:
    """The odds of each wager on these terms, by wager; of several rows the first."""
    rows: dict[str, OddsRow] = {}
    for row in game_of(terms.rulebook.id).odds_on(terms):
        rows.setdefault(row.wager, row)
    return rows


def format_term(term: ApprovedTerm, value: Any) -> str:
    """The value of a term in words; "none" where there is nothing of it."""
    kind = term.kind
    if value is None or value == "":
        return "none"
    if isinstance(kind, Flag):
        return "yes" if value else "no"
    if isinstance(kind, OneOf):
        return kind.words.get(value, format_id(value))
    if isinstance(kind, Several):
        return ", ".join(map(format_id, value)) or "none"
    if isinstance(kind, Range):
        least, most = value if isinstance(value, list | tuple) else (value, value)
        return str(least) if least == most else f"{least} to {most}"
    if isinstance(kind, Lines):
        return " · ".join(_short(odds) for odds in value.values())
    if term.key.endswith("_cents"):
        return dollars(value)
    return str(value)


def format_id(value: str) -> str:
    """An id in words: `pair_plus` as "pair plus"."""
    return str(value).replace("_", " ")


def _short(odds: str) -> str:
    """Odds in a row of them: 40 for 40:1."""
    return odds.removesuffix(":1")
