"""Who comes in at each table next, by the plan of the line-up or as somebody has chosen."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Mapping, Sequence

from cardroom.core.dates import time_text

from ..models import Down, Table
from .line_up import BREAK, MEAL, Dealer, LineUp, TablesInOrder, due_first, in_turn, minutes_of


@dataclasses.dataclass(frozen=True, eq=False)
class Row:
    """One table: who deals there, and who comes in there by the plan or as it was chosen (`incoming`; None: nobody).

    `comes_from` is the table where they deal now, None for one who is not dealing. `instead_of` would have come by the plan, but
    for `why`. `goes_to` is where who deals here goes: a table, `BREAK`, `MEAL`, or None: they stay.
    """

    table: Table
    string: str
    down: Down | None
    minutes: int
    over: int
    incoming: Dealer | None = None
    comes_from: Table | None = None
    instead_of: Dealer | None = None
    why: str = ""
    by_hand: bool = False
    goes_to: Table | str | None = None
    planned: int = 0

    @property
    def left(self) -> int:
        """Minutes until the down is over its time."""
        return max(0, self.planned - self.minutes)

    @property
    def share(self) -> int:
        """How much of its time the down has come to, in steps of a twentieth."""
        return min(20, self.minutes * 20 // self.planned) if self.planned else 0


def proposed(
    line_up: LineUp,
    names: Collection[str] | None = None,
    without: Collection[int] = (),
    chosen: Mapping[int, int] | None = None,
) -> list[Row]:
    """Return a row for each open table of the strings (`names`; None: all), with who comes in there by the plan.

    `without` are tables that are left out, `chosen` whom somebody has chosen, by table. A table to which nobody comes keeps its
    dealer, so that the next one of the string gets somebody else.
    """
    strings = [each for each in line_up.strings if names is None or each.name in names]
    shown = {table.pk for string in strings for table in string.tables}
    left_out = {pk for pk in without if pk in shown}
    while True:
        rows = [
            row
            for string in strings
            for row in _wave(line_up, string, left_out, _chosen(line_up, chosen, shown))
        ]
        stuck = {row.table.pk for row in rows if row.incoming is None} - left_out
        if not stuck:
            return _with_ways(line_up, rows)
        left_out |= stuck


def _chosen(line_up: LineUp, chosen: Mapping[int, int] | None, shown: Collection[int]) -> dict[int, Dealer]:
    found = {}
    for table, pk in (chosen or {}).items():
        if table in shown and pk in line_up.dealers:
            found[table] = line_up.dealers[pk]
    return found


def _wave(
    line_up: LineUp, string: TablesInOrder, left_out: Collection[int], chosen: Mapping[int, Dealer]
) -> list[Row]:
    """The rows of one string: each dealer to the next table, the longest away to the first, a substitute where one may not."""
    at = {dealer.down.table_id: dealer for dealer in line_up.dealing if dealer.down is not None}
    pushed = [table for table in string.tables if table.pk not in left_out]
    taken = set(chosen.values())
    away = [
        each
        for each in string.dealers
        if each.down is None
        and not each.elsewhere
        and each not in taken
        and (each.starts_at is None or each.starts_at <= line_up.now)
    ]
    waiting = in_turn(away, line_up.plan, line_up.now)
    free = [dealer for dealer in waiting if not why_not_come(dealer, line_up)]
    rows = []
    for table in string.tables:
        if table.pk in left_out:
            rows.append(_row(line_up, string, table, at))
            continue
        if table.pk in chosen:
            rows.append(_row(line_up, string, table, at, chosen[table.pk], by_hand=True))
            continue
        place = pushed.index(table)
        planned = at.get(pushed[place - 1].pk) if place else next(iter(waiting), None)
        why = "" if planned is None else _why_another(line_up, planned, taken, free)
        comes = planned if planned is not None and not why else next(iter(free), None)
        if (
            comes is None
            and planned is not None
            and place
            and planned not in taken
            and planned.expired is None
        ):
            comes, why = planned, ""  # nobody is there in their place
        if comes is None and not place and len(pushed) > 1:
            last = at.get(pushed[-1].pk)
            comes = last if last is not None and last not in taken else None  # a ring: nobody is on break
        if comes is not None:
            taken.add(comes)
            free = [dealer for dealer in free if dealer is not comes]
            waiting = [dealer for dealer in waiting if dealer is not comes]
        instead_of = planned if why and comes is not planned else None
        rows.append(
            _row(line_up, string, table, at, comes, instead_of=instead_of, why=why if instead_of else "")
        )
    return rows


def _why_another(
    line_up: LineUp, planned: Dealer, taken: Collection[Dealer], free: Collection[Dealer]
) -> str:
    """Why the one whose turn it is does not come in here: empty where they do."""
    if planned in taken:
        return "comes in elsewhere"
    if planned.down is None or planned.expired is not None:
        return why_not_come(planned, line_up)
    due = due_first(planned)
    until = line_up.now + datetime.timedelta(minutes=line_up.plan.down_minutes)
    if due is not None and due[1] <= until and free:
        what = "meal" if due[0] == MEAL else "rest"
        return f"{what} by {time_text(due[1], line_up.room.zone)}"
    return ""


def _row(
    line_up: LineUp,
    string: TablesInOrder,
    table: Table,
    at: Mapping[int, Dealer],
    incoming: Dealer | None = None,
    *,
    instead_of: Dealer | None = None,
    why: str = "",
    by_hand: bool = False,
) -> Row:
    here = at.get(table.pk)
    down = None if here is None else here.down
    if incoming is not None and incoming is here:  # chosen to go on
        incoming = None
    minutes, planned = minutes_of(down, line_up.now), line_up.plan.down_minutes
    comes_from = None if incoming is None or incoming.down is None else incoming.down.table
    return Row(
        table=table,
        string=string.name,
        down=down,
        minutes=minutes,
        over=0 if down is None else max(0, minutes - planned),
        planned=planned,
        incoming=incoming,
        comes_from=comes_from,
        instead_of=instead_of,
        why=why,
        by_hand=by_hand,
    )


def _with_ways(line_up: LineUp, rows: Sequence[Row]) -> list[Row]:
    """The rows with where each dealer goes who is relieved."""
    goes = {row.incoming.pk: row.table for row in rows if row.incoming is not None}
    plan = line_up.plan
    until = line_up.now + datetime.timedelta(minutes=plan.down_minutes + plan.break_minutes)
    found = []
    for row in rows:
        way: Table | str | None = None
        if row.incoming is not None and row.down is not None:
            way = goes.get(row.down.dealer_id)
            if way is None:
                due = line_up.dealers[row.down.dealer_id].meal_due
                way = MEAL if due is not None and due <= until else BREAK
        found.append(dataclasses.replace(row, goes_to=way))
    return found


def why_not_come(dealer: Dealer, line_up: LineUp) -> str:
    """Why somebody who is not dealing does not come in now; empty where they may."""
    if dealer.expired is not None:
        return f"{dealer.expired.what} expired"
    if dealer.elsewhere:
        return "deals in another room"
    if dealer.meal is not None and dealer.meal_until is not None and dealer.meal_until > line_up.now:
        return "at meal"
    if dealer.starts_at is not None and dealer.starts_at > line_up.now:
        return f"starts at {time_text(dealer.starts_at, line_up.room.zone)}"
    return ""
