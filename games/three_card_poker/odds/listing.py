"""Exact odds of every wager of a rulebook: one row for each paytable and option.

Paytables and switches come compiled as the engine settles by them (`games.three_card_poker.terms`), so that posted odds
and settlements cannot differ.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from games.odds import OddsRow, Situation, percent
from games.paytables import Paytable
from games.published import Published
from games.three_card_poker.odds.ante import AnteOdds, best_ante, with_fees
from games.three_card_poker.odds.ante_rules import ante_rules_of
from games.three_card_poker.odds.progressive import progressive
from games.three_card_poker.odds.side_wagers import (
    bad_beat,
    cover_all,
    pair_plus,
    pair_plus_if_won,
    six_card_bonus,
)
from games.three_card_poker.rulebook import ThreeCardRulebook, load_rulebook, procedure_rules_of
from games.three_card_poker.terms import ThreeCardTerms, read_options

_BEARING: Mapping[str, tuple[str, ...]] = {
    "ante": ("version", "ante_bonus_table", "designator"),
    "pair_plus": ("pair_plus_table", "pair_plus_requires_win", "designator"),
    "six_card_bonus": ("six_card_bonus_table",),
    "progressive": ("progressive_table",),
}
"""The options on which a wager's odds depend. Not among them: how folded hands fare (`progressive_on_fold`,
the stakes a fold forfeits), because nothing a side wager pays is ever worth folding; coverage, order and fees."""


def _ante_of(terms: ThreeCardTerms) -> AnteOdds:
    card_shown = "bank_card" in procedure_rules_of(terms.rulebook).calls
    return best_ante(ante_rules_of(terms), card_shown=card_shown)


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


def _published(terms: ThreeCardTerms, wager: str, paytable: Paytable | None) -> tuple[Published, ...]:
    """What the document prints of this wager on this table."""
    wanted = (wager, None if paytable is None else paytable.id)
    return tuple(each for each in terms.rulebook.published if (each.wager, each.table) == wanted)


class _Rows:
    """The rows of one set of terms, wager by wager."""

    def __init__(self, terms: ThreeCardTerms, situation: Situation) -> None:
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
        remarks = ("paid only if the hand wins",) if bearing.get("pair_plus_requires_win") else ()
        return OddsRow(terms.rulebook.id, wager, table, edge, hit, published, bearing, remarks, detail)

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
        if paytable is None:
            return
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
        rulebook, paytable, situation = self._terms.rulebook, self._terms.progressive, self._situation
        meter, rule = rulebook.meter, rulebook.progressive
        if paytable is None or rule is None or meter is None:
            return
        meter_cents = meter.seed_cents if situation.meter_cents is None else situation.meter_cents
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


def odds_on(terms: ThreeCardTerms, situation: Situation | None = None) -> list[OddsRow]:
    """Odds of every wager offered on these terms, a room's own choices put in: what its placard shows."""
    rows = _Rows(terms, situation or Situation())
    return [row for wager, make in _MAKERS.items() if wager in terms.offered for row in make(rows)]


def _choices(rulebook: ThreeCardRulebook) -> Iterator[dict[str, Any]]:
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
    rows: dict[tuple[str, str | None, Fraction | None, Fraction | None], OddsRow] = {}
    for options in _choices(rulebook):
        for row in odds_on(read_options(rulebook, options), situation):
            rows.setdefault((row.wager, row.table, row.edge, row.hit), row)
    order = list(_MAKERS)
    return sorted(rows.values(), key=lambda row: order.index(row.wager))


def ante_with_fees(terms: ThreeCardTerms, schedule: int, *, ante_cents: int, action_cents: int) -> OddsRow:
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
