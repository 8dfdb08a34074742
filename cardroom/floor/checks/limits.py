"""Limits by wager, the table's own and its schedule's: which it needs to open, whether a bet keeps within both (ruling 43)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fees.rates import Schedule
from games.meter import why_not_unit
from games.money import dollars
from games.phrases import Phrase
from games.registry import terms_of
from games.spots import PROGRESSIVE

from ..errors import BadInput
from ..models import Table
from ..places import place_of
from ..reads.meters import meter_rule_of
from ..reads.table_state import TableState

#: The one limit that holds for every tip wager of a position, spot by spot.
TIPS = "tips"
_TIPS_NAME = Phrase("Dealer tips")
#: What a form proposes in cents; a bonus goes up to the main wager's own greatest where that is more than this.
_LEAST, _MOST = 100, 10_000
_LEAST_MAIN = 500

Limits = Mapping[str, Any]


class Limited(NamedTuple):
    """A wager that needs limits of the table: its key among them, its name on the layout, whether it is a main wager.

    `recommended_cents` is the least that the rules recommend, where they recommend any.
    """

    key: str
    name: str
    main: bool = False
    recommended_cents: int | None = None


class Breach(NamedTuple):
    """A wager outside its limits: where it lies in a bet (`wagers.pair_plus`), and a sentence."""

    path: str
    text: str


def limited_wagers(rulebook_id: str, options: Mapping[str, Any], *, main_by_schedule: bool) -> list[Limited]:
    """Return the wagers that are limited by the table: all that the game offers, and tips where it takes any.

    What follows from a decision or from another wager needs none, a progressive wager is the room's one unit, and a schedule
    limits the main wager itself.
    """
    terms = terms_of(rulebook_id, options)
    wagers = [
        Limited(spot.id, spot.name, spot.charged, terms.rulebook.wagers[spot.id].recommended_cents)
        for spot in terms.spots
        if spot.limited and not (spot.charged and main_by_schedule)
    ]
    return [*wagers, Limited(TIPS, _TIPS_NAME)] if terms.tip_spots else wagers


def limited_at(table: Table) -> list[Limited]:
    """Return the wagers that the table's own limits are for, as it is set."""
    return limited_wagers(table.rulebook, table.sheet_options, main_by_schedule=table.schedule_id is not None)


def names_limited_at(table: Table) -> dict[str, str]:
    """The same: the name on the layout by key."""
    return {each.key: each.name for each in limited_at(table)}


def limits_missing(table: Table) -> list[Limited]:
    """Return the wagers that the game offers and for which no limits stand yet."""
    return [each for each in limited_at(table) if each.key not in table.wager_limits]


def limits_proposed(wagers: list[Limited], schedule: Schedule | None) -> dict[str, list[int]]:
    """Return limits in cents that a form may propose: $1 to $100, of a main wager from $5, or from what is recommended.

    A bonus may go as high as the main wager where the schedule's own greatest is less, and no further than the bands that
    the schedule has for it.
    """
    greatest = None if schedule is None else schedule.ante_max_cents
    most = _MOST if greatest is None else max(_LEAST, min(_MOST, greatest))
    proposed = {
        each.key: [each.recommended_cents or (_LEAST_MAIN if each.main else _LEAST), most] for each in wagers
    }
    if schedule is None:
        return proposed
    return {key: _within(limits, schedule.bounds_of(key)) for key, limits in proposed.items()}


def _within(limits: list[int], bounds: tuple[int, int | None] | None) -> list[int]:
    """The limits drawn into `bounds`, those of the bands of a fee; None: there are no such bands."""
    if bounds is None:
        return limits
    least, most = bounds
    return [max(limits[0], least), max(least, limits[1] if most is None else min(limits[1], most))]


def why_outside_fees(limits: Limits, schedule: Schedule, names: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the first wager whose limits go beyond the bands that the schedule has for it, and a sentence; else None."""
    for wager, (least, most) in limits.items():
        for cents in (least, most):
            if why := schedule.why_outside_bands(wager, cents, names.get(wager, "")):
                return wager, why
    return None


def check_limits(state: TableState, limited: Mapping[str, str], bet: Mapping[str, Any], here: str) -> None:
    """Refuse a bet, which the engine has read, outside the table's own limits or those of its schedule.

    `limited` are the wagers that the table's own limits are for (`names_limited_at`), read once for all bets of a round;
    `here` is where the caller's input names the bet.
    """
    if breach := _own_breach(state.table, limited, bet) or _schedule_breach(state, bet):
        raise BadInput("outside_table_limits", breach.text, path=f"{here}.{breach.path}")


def _own_breach(table: Table, limited: Mapping[str, str], bet: Mapping[str, Any]) -> Breach | None:
    """The first wager or tip of `bet` outside the table's own limits, or None.

    A wager without limits is refused too: none opens at such a table, but it may have been set since.
    """
    unit = bet["wagers"].get(PROGRESSIVE)
    if unit is not None and (why := why_not_unit(meter_rule_of(table), unit)):
        return Breach(f"wagers.{PROGRESSIVE}", Phrase("Seat {place}: {why}.", place=place_of(bet), why=why))
    for wager, cents in bet["wagers"].items():
        if wager in limited and (why := _why_outside(table, wager, limited[wager], cents)):
            return Breach(f"wagers.{wager}", Phrase("Seat {place}: {why}", place=place_of(bet), why=why))
    if TIPS in limited:
        for spot, cents in (bet.get("tips") or {}).items():
            if why := _why_outside(table, TIPS, Phrase("a dealer tip"), cents):
                return Breach(f"tips.{spot}", Phrase("Seat {place}: {why}", place=place_of(bet), why=why))
    return None


def _schedule_breach(state: TableState, bet: Mapping[str, Any]) -> Breach | None:
    """The first main wager of `bet` outside the limits of the table's schedule, each by itself (ruling 56), or None.

    Or the first other wager for whose amount the schedule has bands, and none that holds it.
    """
    schedule, book = state.schedule, state.terms.rulebook
    if schedule is None:
        return None
    for wager, cents in bet["wagers"].items():
        name = book.wagers[wager].name if wager in book.wagers else ""
        why = schedule.why_outside_limits(cents, name) if wager in book.main else None
        if why := why or schedule.why_outside_bands(wager, cents, name):
            return Breach(f"wagers.{wager}", Phrase("Seat {place}: {why}", place=place_of(bet), why=why))
    return None


def _why_outside(table: Table, key: str, name: str, cents: int) -> str | None:
    if key not in table.wager_limits:
        return Phrase(
            "no limits are set for {name} at {table}. The floor sets them first.", name=name, table=table
        )
    least, most = table.wager_limits[key]
    if least <= cents <= most:
        return None
    return Phrase(
        "{name} of {cents} is outside {table}'s limits {least} to {most}.",
        name=name,
        cents=dollars(cents),
        table=table,
        least=dollars(least),
        most=dollars(most),
    )
