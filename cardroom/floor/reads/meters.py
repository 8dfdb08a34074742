"""Queries on progressive meters: what they show now, the tables that play for them, and their rule (ruling 43)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple, TypedDict

from django.db.models import QuerySet

from games.meter import Meter, MeterRule, meter_rule, meter_seats, opened, wagered
from games.spots import PROGRESSIVE

from ..models import MeterMovement, ProgressiveMeter, ProgressiveWin, Round, Table
from .table_state import last_settled

#: The options of a game that tables of one meter have in common, and what they are called.
SHARED_OPTIONS = {
    "progressive_table": "progressive paytable",
    "meter_wins": "text on several wins of the meter",
}


def meter_rule_of(table: Table) -> MeterRule:
    """Return the rule of a table's meter: its rulebook's seed, its room's unit and contributions.

    ValueError where the game has no progressive.
    """
    room = table.room
    return meter_rule(
        table.book,
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
    """Return what the meter of a table shows and holds in reserve; None before it was opened."""
    return None if table.meter_id is None else meter_stands(table.meter_id)


def meter_stands(meter_id: int) -> Meter:
    """Return what a meter shows and holds in reserve."""
    last = MeterMovement.objects.filter(meter=meter_id).order_by("-id").first()
    return Meter(0, 0) if last is None else Meter(last.shown_cents, last.reserve_cents)


def linked_tables(table: Table) -> QuerySet[Table]:
    """Return the other tables that play for a table's meter, by number; none before it was opened."""
    if table.meter_id is None:
        return Table.objects.none()
    return Table.objects.filter(meter=table.meter_id).exclude(pk=table.pk).order_by("number")


def why_not_together(table: Table, other: Table) -> str | None:
    """None where two tables of a room may play for one meter, else what they do not have in common.

    The unit of a progressive wager and what it adds are the room's, and so the same at all of its tables.
    """
    if table.rulebook != other.rulebook:
        return f"{table} plays {_named(table)} and {other} {_named(other)}"
    defaults = table.book.default_options
    for option, name in SHARED_OPTIONS.items():
        if table.options.get(option, defaults.get(option)) != other.options.get(option, defaults.get(option)):
            return f"{table} and {other} differ in their {name}"
    return None


def _named(table: Table) -> str:
    return table.book.name


def unconfirmed_win(tables: Iterable[Table]) -> Round | None:
    """Return a round by which the meter was won at one of `tables` and that no supervisor has confirmed yet.

    It is the last settled one of its table: no other is opened there before.
    """
    for table in tables:
        last = last_settled(table)
        if last is None or not last.meter_cents or last.settlement is None:
            continue
        confirmed = ProgressiveWin.objects.filter(round=last, state=ProgressiveWin.State.CONFIRMED)
        if meter_seats(last.settlement["lines"]) - set(confirmed.values_list("seat", flat=True)):
            last.table = table
            return last
    return None


def added_since(meter: ProgressiveMeter, paid_cents: int) -> int:
    """Return what wagers alone have added to a meter since it showed `paid_cents`; 0 where anything else moved it."""
    movements = MeterMovement.objects.filter(meter=meter).order_by("-id")
    last, then = movements.first(), movements.filter(shown_cents=paid_cents).first()
    if last is None or then is None:
        return 0
    if movements.filter(id__gt=then.pk).exclude(kind=MeterMovement.Kind.WAGERED).exists():
        return 0
    return last.shown_cents - paid_cents


class MeterSeen(NamedTuple):
    """A meter as people see it: `movement` is its last one, 0 before it was opened; `tables` play for it, by number."""

    id: int | None
    name: str
    shown_cents: int
    reserve_cents: int
    movement: int
    tables: tuple[int, ...]


def meter_seen(table: Table) -> MeterSeen | None:
    """Return the meter of a table as people see it; None where the game has none.

    Before it was opened it shows its seed, and has no id.
    """
    if table.book.meter is None:
        return None
    last = MeterMovement.objects.filter(meter=table.meter_id).order_by("-id").first()
    if table.meter is None or last is None:
        seed = opened(meter_rule_of(table))[0]
        return MeterSeen(None, str(table), *seed, 0, (table.number,))
    numbers = sorted([table.number, *(other.number for other in linked_tables(table))])
    stands = (last.shown_cents, last.reserve_cents)
    return MeterSeen(table.meter_id, table.meter.name, *stands, last.pk, tuple(numbers))


def format_tables(numbers: Iterable[int], *, but: int | None = None) -> str:
    """Return tables by their numbers: "Table 2", "Tables 2, 3"; without the one numbered `but`."""
    listed = [str(number) for number in numbers if number != but]
    return f"Table{'s' * (len(listed) > 1)} {', '.join(listed)}" if listed else ""


class MeterRecord(TypedDict):
    """The progressive meter that a table plays for, alone or with linked tables."""

    id: Annotated[int | None, "Null of a table whose meter was never opened."]
    name: str
    shown_cents: int
    reserve_cents: int
    tables: Annotated[list[int], "Numbers of all tables that play for it."]


def meter_record(table: Table) -> MeterRecord | None:
    """Return the meter of a table as plain data, in cents; None where the game has none."""
    seen = meter_seen(table)
    if seen is None:
        return None
    return {
        "id": seen.id,
        "name": seen.name,
        "shown_cents": seen.shown_cents,
        "reserve_cents": seen.reserve_cents,
        "tables": list(seen.tables),
    }
