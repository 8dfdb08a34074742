"""Exact odds of every wager of a rulebook: one row for each paytable and option.

Paytables and switches come compiled as the engine settles by them (`games.three_card_poker.terms`), so that posted odds and settlements
cannot differ.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from games.three_card_poker.odds.ante import AnteOdds, best_ante, with_fees
from games.three_card_poker.odds.progressive import progressive
from games.three_card_poker.odds.side_wagers import (
    bad_beat,
    cover_all,
    pair_plus,
    pair_plus_if_won,
    six_card_bonus,
)
from games.three_card_poker.paytables import Paytable
from games.three_card_poker.procedure_rules import load_procedure_rules
from games.three_card_poker.published import Published
from games.three_card_poker.rulebook import RULEBOOKS, Rulebook, load_rulebook
from games.three_card_poker.terms import Terms, read_options

_BEARING: Mapping[str, tuple[str, ...]] = {
    "ante": ("version", "ante_bonus_table", "designator"),
    "pair_plus": ("pair_plus_table", "pair_plus_requires_win", "designator"),
    "six_card_bonus": ("six_card_bonus_table",),
    "progressive": ("progressive_table",),
}
"""The options on which a wager's odds depend. Not among them: how folded hands fare (`progressive_on_fold`,
the stakes a fold forfeits), because nothing a side wager pays is ever worth folding; coverage, order and fees."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The inputs of odds besides the rules.

    `meter_cents` None is the rulebook's seed; `unit_cents` is one progressive wager (ruling 43: $1 unless
    the room sets another); `others` counts the hands of other players that can bring envy.
    """

    meter_cents: int | None = None
    unit_cents: int = 100
    others: int = 0


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One wager on one table. A negative `edge` is the player's advantage.

    `table` is None where the wager has but one way to be paid. `options` are the room's choices on which the
    row depends; `detail` holds figures of this kind of wager alone, ready for JSON.
    """

    rulebook: str
    wager: str
    table: str | None
    edge: Fraction
    hit: Fraction
    published: tuple[Published, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def favours_players(self) -> bool:
        return self.edge < 0

    def to_json(self) -> dict[str, Any]:
        """The row as `odds --json` prints it: fractions as text, percentages to six places."""
        return {
            "rulebook": self.rulebook,
            "wager": self.wager,
            "table": self.table,
            "edge": str(self.edge),
            "edge_percent": percent(self.edge),
            "hit": str(self.hit),
            "hit_percent": percent(self.hit),
            "published": _published_json(self),
            "favours_players": self.favours_players,
            "options": dict(self.options),
            "detail": dict(self.detail),
        }


def percent(share: Fraction) -> float:
    """A share as percent, to six places."""
    return float(round(share * 100, 6))


@dataclass(frozen=True, slots=True)
class Comparison:
    """An exact share beside the percentage a document prints for it.

    `apart` is how far the exact one lies above the printed one, in percent; `agrees` whether it rounds to it
    at the digits printed.
    """

    published: Published
    apart: Fraction
    agrees: bool


def compare(row: OddsRow) -> list[Comparison]:
    """Every figure the document prints for this row, beside the exact one."""
    comparisons = []
    for published in row.published:
        exact = row.edge if published.figure == "edge" else row.hit
        apart = exact * 100 - Fraction(published.percent)
        comparisons.append(Comparison(published, apart, abs(apart) <= Fraction(published.half_a_digit)))
    return comparisons


def _published_json(row: OddsRow) -> dict[str, Any] | None:
    shown: dict[str, Any] = {}
    for each in compare(row):
        figure = each.published.figure
        shown[f"{figure}_percent"] = float(each.published.percent)
        shown[f"{figure}_difference"] = float(round(each.apart, 6))
        shown[f"{figure}_agrees"] = each.agrees
        shown[f"{figure}_clause"] = load_rulebook(row.rulebook).clause_id(each.published.clause)
    return shown or None


def _ante_of(terms: Terms) -> AnteOdds:
    bonus = terms.ante_bonus
    return best_ante(
        ante_compared=terms.rulebook.unqualified_ante == "compared",
        bonus=None if bonus is None else bonus.odds,
        card_shown="bank_card" in load_procedure_rules(terms.rulebook.id).calls,
    )


def _limits_of(odds: AnteOdds) -> dict[str, Any]:
    """The hands on either side of the decision; if the bank shows a card, the best play by card."""
    shown = odds.shown
    if shown is None:
        return {
            "lowest_played_is_worth": str(odds.lowest_played),
            "highest_folded_would_be_worth": str(odds.highest_folded),
        }
    return {
        "shown_card": [
            {
                "card": each.card,
                "play_from": each.play_from,
                "always_from": each.always_from,
                "also_played": list(each.also_played),
                "also_folded": list(each.also_folded),
                "played": str(each.played),
                "played_percent": percent(each.played),
            }
            for each in shown.cards
        ],
        "edge_by_limits": str(shown.edge_by_limits),
        "edge_by_limits_percent": percent(shown.edge_by_limits),
    }


def _published(terms: Terms, wager: str, paytable: Paytable | None) -> tuple[Published, ...]:
    """What the document prints of this wager on this table."""
    wanted = (wager, None if paytable is None else paytable.id)
    return tuple(each for each in terms.rulebook.published if (each.wager, each.table) == wanted)


class _Rows:
    """The rows of one set of terms, wager by wager."""

    def __init__(self, terms: Terms, situation: Situation) -> None:
        self._terms = terms
        self._situation = situation

    def _row(
        self,
        wager: str,
        table: str | None,
        edge: Fraction,
        hit: Fraction,
        paytable: Paytable | None,
        **detail: Any,
    ) -> OddsRow:
        terms = self._terms
        bearing = {name: terms.options[name] for name in _BEARING.get(wager, ()) if name in terms.options}
        published = _published(terms, wager, paytable)
        return OddsRow(terms.rulebook.id, wager, table, edge, hit, published, bearing, detail)

    def _label(self, paytable: Paytable) -> str:
        """The label of a table: its designator if it has one; a room's own table has none."""
        rulebook = self._terms.rulebook
        designator: str | None = self._terms.options.get("designator")
        printed = paytable.id in rulebook.pair_plus_tables or paytable.id in rulebook.ante_bonus_tables
        return designator if designator is not None and printed else paytable.id

    def ante(self) -> Iterator[OddsRow]:
        odds, bonus = _ante_of(self._terms), self._terms.ante_bonus
        yield self._row(
            "ante",
            None if bonus is None else self._label(bonus),
            odds.edge,
            odds.hit,
            bonus,
            decision=odds.decision,
            played=str(odds.played),
            played_percent=percent(odds.played),
            **_limits_of(odds),
        )

    def pair_plus(self) -> Iterator[OddsRow]:
        paytable = self._terms.pair_plus
        odds = (pair_plus_if_won if self._terms.pair_plus_requires_win else pair_plus)(paytable.odds)
        yield self._row("pair_plus", self._label(paytable), odds.edge, odds.hit, paytable)

    def six_card_bonus(self) -> Iterator[OddsRow]:
        paytable = self._terms.six_card_bonus
        if paytable is not None:
            odds = six_card_bonus(paytable.odds)
            yield self._row("six_card_bonus", paytable.id, odds.edge, odds.hit, paytable)

    def bad_beat(self) -> Iterator[OddsRow]:
        paytable = self._terms.rulebook.bad_beat_table
        if paytable is not None:
            odds = bad_beat(paytable.odds)
            yield self._row("bad_beat", None, odds.edge, odds.hit, paytable)

    def cover_all(self) -> Iterator[OddsRow]:
        for players, paytable in sorted(self._terms.cover_all.items()):
            by_class = {kind: pays for kind, pays in enumerate(paytable.odds) if pays is not None}
            odds = cover_all(by_class, players)
            yield self._row(
                "cover_all",
                f"{players} player{'s' * (players > 1)}",
                odds.edge,
                odds.hit,
                paytable,
                players=players,
            )

    def progressive(self) -> Iterator[OddsRow]:
        paytable, rule, situation = self._terms.progressive, self._terms.rulebook.progressive, self._situation
        if paytable is None or rule is None:
            return
        meter_cents = rule.meter_seed_cents if situation.meter_cents is None else situation.meter_cents
        odds = progressive(
            paytable.odds,
            rule.envy_cents,
            meter_cents=meter_cents,
            unit_cents=situation.unit_cents,
            others=situation.others,
        )
        yield self._row(
            "progressive",
            paytable.id,
            odds.edge,
            odds.hit,
            paytable,
            meter_cents=odds.meter_cents,
            unit_cents=odds.unit_cents,
            envy_hands=odds.others,
            envy_hands_need_the_wager=rule.hit_needs_progressive,
            envy_cents_per_hand=str(odds.envy_cents),
            fair_meter_cents=odds.fair_meter_cents,
        )


_MAKERS: Mapping[str, Callable[[_Rows], Iterator[OddsRow]]] = {
    "ante": _Rows.ante,
    "pair_plus": _Rows.pair_plus,
    "six_card_bonus": _Rows.six_card_bonus,
    "bad_beat": _Rows.bad_beat,
    "cover_all": _Rows.cover_all,
    "progressive": _Rows.progressive,
}


def odds_on(terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
    """Odds of every wager offered on these terms, a room's own choices put in: what its placard shows."""
    rows = _Rows(terms, situation or Situation())
    return [row for wager, make in _MAKERS.items() if wager in terms.offered for row in make(rows)]


def _choices(rulebook: Rulebook) -> Iterator[dict[str, Any]]:
    """The defaults, then every other value of each option that bears on odds, one at a time."""
    yield {}
    for version, rule in rulebook.versions.items():
        for table in rule.ante_bonus_tables:
            yield {"version": version, "ante_bonus_table": table}
    for name in dict.fromkeys(name for names in _BEARING.values() for name in names):
        if name in rulebook.options and not (rulebook.versions and name in ("version", "ante_bonus_table")):
            for value in rulebook.options[name].values:
                yield {name: value}


def odds_of(rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
    """Every wager of a rulebook on every table it prints; rows that two choices share appear once.

    KeyError for an id that is no rulebook's.
    """
    rulebook = load_rulebook(rulebook_id)
    rows: dict[tuple[str, str | None, Fraction, Fraction], OddsRow] = {}
    for options in _choices(rulebook):
        for row in odds_on(read_options(rulebook, options), situation):
            rows.setdefault((row.wager, row.table, row.edge, row.hit), row)
    order = list(_MAKERS)
    return sorted(rows.values(), key=lambda row: order.index(row.wager))


def all_odds(situation: Situation | None = None) -> list[OddsRow]:
    """Every wager of every rulebook."""
    return [row for rulebook_id in RULEBOOKS for row in odds_of(rulebook_id, situation)]


def ante_with_fees(terms: Terms, schedule: int, *, ante_cents: int, action_cents: int) -> OddsRow:
    """The ante as its player meets it under a fee schedule, the bank's side in `detail`.

    KeyError when the rulebook has no such schedule; ValueError for an ante or action outside it.
    """
    ante = _ante_of(terms)
    counted = with_fees(
        ante, terms.rulebook.fee_schedule(schedule), ante_cents=ante_cents, action_cents=action_cents
    )
    return OddsRow(
        rulebook=terms.rulebook.id,
        wager="ante",
        table=f"fee schedule {schedule}",
        edge=counted.edge,
        hit=ante.hit,
        options={"fee_schedule": schedule},
        detail={
            "decision": ante.decision,
            "ante_cents": ante_cents,
            "action_cents": action_cents,
            "player_fee_cents": counted.player_fee_cents,
            "bank_fee_cents": counted.bank_fee_cents,
            "player_loss_cents": str(counted.player_loss_cents),
            "bank_win_cents": str(counted.bank_win_cents),
            "bank_edge": str(counted.bank_edge),
            "bank_edge_percent": percent(counted.bank_edge),
        },
    )
