"""The progressive meter of a table as it stands, and the rule that it goes by (ruling 43)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.meter import Meter, MeterRule, meter_rule, opened, wagered
from games.registry import load_rulebook
from games.spots import PROGRESSIVE

from ..models import MeterMovement, Table


def meter_rule_of(table: Table) -> MeterRule:
    """Return the rule of a table's meter: its rulebook's seed, its room's unit and contributions.

    ValueError where the game has no progressive.
    """
    room = table.room
    return meter_rule(
        load_rulebook(table.rulebook),
        unit_cents=room.progressive_unit_cents,
        contribution_cents=room.meter_contribution_cents,
        reserve_contribution_cents=room.meter_reserve_cents,
    )


def meter_shown(table: Table, wagers: int) -> int:
    """Return what the meter shows in cents for a round with that many progressive wagers, which add to it first.

    They are locked in before the deal; the movement of the meter is recorded as the round is settled, for a void leaves
    it as it was (ruling 44).
    """
    rule = meter_rule_of(table)
    stands = meter_of(table) or opened(rule)[0]
    return wagered(rule, stands, wagers)[0].shown_cents


def progressive_wagers(positions: Iterable[Mapping[str, Any]]) -> int:
    """Return how many positions, of a round's bets or of a sheet, have a progressive wager."""
    return sum(1 for position in positions if position["wagers"].get(PROGRESSIVE))


def meter_of(table: Table) -> Meter | None:
    """Return what the meter shows and holds in reserve; None before it was opened."""
    last = MeterMovement.objects.filter(table=table).order_by("-id").first()
    return None if last is None else Meter(last.shown_cents, last.reserve_cents)
