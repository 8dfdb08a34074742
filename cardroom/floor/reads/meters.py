"""The progressive meter of a table as it stands, and the rule that it goes by (ruling 43)."""

from __future__ import annotations

from games.meter import Meter, MeterRule, meter_rule
from games.registry import load_rulebook

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


def meter_of(table: Table) -> Meter | None:
    """Return what the meter shows and holds in reserve; None before it was opened."""
    last = MeterMovement.objects.filter(table=table).order_by("-id").first()
    return None if last is None else Meter(last.shown_cents, last.reserve_cents)
