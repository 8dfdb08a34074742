"""Precondition checks: whether boxes may be put on and taken off, and a table may collect fees (4 CCR 12384)."""

from __future__ import annotations

from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..boxes import DROP, JACKPOT
from ..errors import WhyNot
from ..models import DropBox, Shift, Table
from ..reads.table_state import TableState, cached_per_state
from ..seat_time import rate_of

_NAMES = {DROP: Phrase("drop box"), JACKPOT: Phrase("jackpot box")}


def boxes_for_rounds(state: TableState) -> list[str]:
    """Return the kinds of boxes into which "no more bets" or the settlement of a round collects at this table."""
    if state.table.rake is not None or (state.live is not None and state.live.rake is not None):
        return [DROP]
    schedule = state.schedule
    if schedule is None:
        return []
    by_time = None if schedule.time is None else schedule.time.per
    charged = {row.box for row in schedule.tariff if row.cents and row.due != by_time}
    return [kind for kind in (DROP, JACKPOT) if kind in charged]


def boxes_missing(state: TableState) -> list[str]:
    """Return the kinds of boxes that the table collects into and that do not hang there.

    Where the house banks, cash for chips goes into the drop box.
    """
    needed = boxes_for_rounds(state)
    if (state.house_banks or rate_of(state) is not None) and DROP not in needed:
        needed.append(DROP)
    return _missing(state, needed)


def why_no_box(state: TableState, kinds: list[str] | None = None) -> WhyNot | None:
    """Nothing is collected where no box hangs, unless a supervisor lets the table go on without, for a reason.

    `kinds` are those that are needed; without it, those of a round.
    """
    missing = _missing(state, boxes_for_rounds(state) if kinds is None else kinds)
    if not missing or state.box_waiver is not None:
        return None
    names: str = _NAMES[missing[0]]
    if len(missing) > 1:
        names = Phrase("{box} and no {other}", box=names, other=_NAMES[missing[1]])
    return WhyNot(
        "no_drop_box",
        Phrase(
            "No {names} hangs at {table}, and nothing is collected without one. The floor or the count team sets one; a supervisor may let the table collect without one, with a reason.",
            names=names,
            table=state.table,
        ),
    )


@cached_per_state
def why_no_box_for_time(state: TableState) -> WhyNot | None:
    """Time is collected into the drop box like every other fee."""
    return why_no_box(state, [DROP])


@cached_per_state
def why_not_waive_box(state: TableState) -> WhyNot | None:
    """A supervisor lets an open table collect without a box while it lacks one, once for the shift."""
    if state.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=state.table)
        )
    if state.shift is None:
        return WhyNot("no_shift", Phrase("No shift is open in this room. A shift manager opens one first."))
    if not boxes_missing(state):
        return WhyNot(
            "no_box_missing",
            Phrase("No box is missing at {table}: nothing has to be overridden.", table=state.table),
        )
    if state.box_waiver is not None:
        return WhyNot(
            "box_waived",
            Phrase(
                "{ordered_by} lets {table} collect without a box already, until one is put on.",
                ordered_by=state.box_waiver.ordered_by,
                table=state.table,
            ),
        )
    return None


def why_not_place(room: Room) -> WhyNot | None:
    """Boxes are put on tables while a shift is open: a box belongs to it (4 CCR 12384)."""
    if not Shift.objects.filter(room=room, closed_at__isnull=True).exists():
        return WhyNot("no_shift", "No shift is open in this room. A shift manager opens one first.")
    return None


def why_not_place_at(table: Table, hanging: DropBox | None) -> WhyNot | None:
    """One box of a kind hangs at a table at a time; `hanging` is the one of the kind that is to be put on."""
    if hanging is not None:
        return WhyNot(
            "box_on_table",
            f"{hanging} hangs at {table} since {hanging.shift}. Drop it before another is put on.",
        )
    return None


def why_not_use(number: int, in_use: DropBox | None) -> WhyNot | None:
    """A box is used again once what was in it has been counted."""
    if in_use is None:
        return None
    where = (
        f"hangs at {in_use.table}" if in_use.dropped_at is None else f"waits for its count ({in_use.shift})"
    )
    return WhyNot("box_in_use", f"Box {number} {where}. Take another box, or correct the number.")


def why_not_drop(box: DropBox) -> WhyNot | None:
    """A box is dropped once."""
    if box.dropped_at is not None:
        return WhyNot("box_dropped", f"{box} was pulled from {box.table} before, by {box.dropped_by}.")
    return None


def _missing(state: TableState, kinds: list[str]) -> list[str]:
    if not kinds:
        return []
    there = {box.kind for box in state.boxes}
    return [kind for kind in kinds if kind not in there]
