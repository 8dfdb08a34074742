"""Template context of the players' display at a table: the bank, the offer, fees, cover, limits and what wagers pay.

Nothing private: people are seats, and no wager of a player is named.
"""

from __future__ import annotations

import dataclasses

from django.utils.translation import gettext as _

from cardroom.floor.reads.meters import meter_seen
from cardroom.floor.reads.table_state import TableState
from fees.document import (
    ANTE,
    JACKPOT,
    LARGEST_ANTE,
    OWN_ANTE,
    PERIODS,
    PLAYER,
    POSITION,
    POSITIONS,
    ROUND,
    TOTAL_TABLE_ACTION,
)
from fees.rates import Tariff
from games.money import dollars
from games.placard import PostedTable

from ..parts.languages import format_hand, format_pays, translated
from ..table.round_totals import RoundTotals, totals_fixed, totals_typed


@dataclasses.dataclass(frozen=True)
class PostedFee:
    """One collection fee of the schedule: who pays, for what, how much."""

    who: str
    what: str
    cents: int


@dataclasses.dataclass(frozen=True)
class Pays:
    """What one wager pays, by hand, the best first."""

    wager: str
    lines: list[tuple[str, str]]


@dataclasses.dataclass(frozen=True)
class PlayersDisplay:
    """A table as its players see it. `totals` are those of the round in play."""

    state: TableState
    totals: RoundTotals | None
    fees: list[PostedFee]
    waivers: list[str]
    pays: list[Pays]
    meter_cents: int | None

    @property
    def bank_seat(self) -> int | None:
        """The seat of the player-dealer; None where nobody banks, or the house does."""
        return None if self.state.turn is None else self.state.turn.seat

    @property
    def turn_round(self) -> int:
        """The round in a row that the bank plays, or plays next; the last one where the bank is offered before the next."""
        turn, live = self.state.turn, self.state.live
        if turn is None:
            return 0
        return turn.in_a_row if live is None and self.offered_seat is not None else turn.in_a_row + 1

    @property
    def turn_limit(self) -> int | None:
        return self.state.profile.offer_after_rounds

    @property
    def offered_seat(self) -> int | None:
        """The seat that is offered the bank, now or after this round."""
        if self.state.house_banks:
            return None
        step = self.state.step_after_round or self.state.step
        return step.seat if step.kind == "offer" else None

    @property
    def limit(self) -> str:
        """The table limit of the fee schedule; empty without one."""
        schedule = self.state.schedule
        if schedule is None:
            return ""
        least = dollars(schedule.ante_min_cents)
        if schedule.ante_max_cents is None:
            return _("from %(least)s, no limit") % {"least": least}
        return f"{least} – {dollars(schedule.ante_max_cents)}"

    @property
    def covers(self) -> str:
        """What of the main wagers, and of those after the deal, the bank's wager covers at even money; empty before any."""
        totals = self.totals
        if totals is None or not totals.positions or self.state.house_banks:
            return ""
        wagers = totals.main_cents + totals.later_cents
        if totals.wager_cents >= wagers:
            return _("Covers every wager at even money")
        return _("Covers %(covered)s of %(wagers)s at even money") % {
            "covered": dollars(totals.wager_cents),
            "wagers": dollars(wagers),
        }


def players_display_of(state: TableState) -> PlayersDisplay:
    """Return what the display shows of a table, in the language that is active."""
    totals = None
    if state.live is not None:
        totals = (
            totals_typed(state, state.live.bets) if state.live.bets_closed_at is None else totals_fixed(state)
        )
    meter = meter_seen(state.table)
    return PlayersDisplay(
        state=state,
        totals=totals,
        fees=_fees(state),
        waivers=_waivers(state),
        pays=[
            Pays(wager.name, [(format_hand(hand), format_pays(pays)) for hand, pays in table.lines])
            for wager in state.game.placard(state.terms).wagers
            for table in _in_force(wager.tables, state)
        ],
        meter_cents=None if meter is None else meter.shown_cents,
    )


def _in_force(tables: tuple[PostedTable, ...], state: TableState) -> list[PostedTable]:
    """The tables that hold: of those that go by the number of players, that of the round in play."""
    if all(table.players is None for table in tables):
        return list(tables)
    live = state.live
    count = len(live.bets) if live is not None and live.bets_closed_at is not None else None
    return [table for table in tables if table.players == count]


def _fees(state: TableState) -> list[PostedFee]:
    """The fees of the schedule, wagers by their names on the layout."""
    if state.schedule is None:
        return []
    return [_fee(tariff) for tariff in state.schedule.tariff_at(state.terms.rulebook)]


def _waivers(state: TableState) -> list[str]:
    """The published rules by which a fee is waived, as patrons read them."""
    rules = () if state.schedule is None else state.schedule.waivers
    return [f"{rule.title}: {rule.text}" for rule in rules]


def _fee(tariff: Tariff) -> PostedFee:
    """A fee of the schedule in the active language."""
    who = _("Each player") if tariff.payer == PLAYER else _("Player-dealer")
    if tariff.wager:
        what = f"{tariff.wager.replace('_', ' ')} {tariff.band}".strip()
    elif tariff.due in PERIODS:
        what = _("by the clock")
    elif tariff.due == TOTAL_TABLE_ACTION:
        what = _("total table action %(band)s") % {"band": tariff.band}
    elif tariff.due == OWN_ANTE:
        what = _("each %(wager)s") % {"wager": f"{translated(tariff.main)} {tariff.band}"}
    elif tariff.due == LARGEST_ANTE:
        what = _("largest %(wager)s %(band)s") % {"wager": translated(tariff.main), "band": tariff.band}
    elif tariff.due == POSITIONS:
        what = (
            _("one position in play")
            if tariff.band == "1"
            else _("%(band)s positions in play") % {"band": tariff.band}
        )
    else:
        what = {
            ANTE: _("each %(wager)s") % {"wager": translated(tariff.main)},
            POSITION: _("each position in play"),
            ROUND: _("each round"),
        }.get(tariff.due, tariff.due)
    if tariff.box == JACKPOT:
        what = _("%(what)s, into the jackpot") % {"what": what}
    return PostedFee(who, what, tariff.cents)
