"""Precondition checks: whether a tray may be counted, chips moved in it, and a round played out of it, where the house banks."""

from __future__ import annotations

from games.phrases import Phrase

from ..boxes import DROP
from ..errors import WhyNot
from ..models import Table, TraySlip
from ..reads.table_state import TableState, cached_per_state
from .boxes import why_no_box
from .shifts import why_no_shift


def opener_of(state: TableState) -> TraySlip | None:
    """Return the opener that no closer has followed; None where the tray is closed."""
    last = state.tray_count
    return last if last is not None and last.kind == TraySlip.Kind.OPENER else None


@cached_per_state
def why_tray_not_counted(state: TableState) -> WhyNot | None:
    """Where the house banks, the open shift needs an opener before anything moves in the tray."""
    if not state.house_banks:
        return None
    table, opener = state.table, opener_of(state)
    if opener is None:
        return WhyNot(
            "no_tray_opener",
            Phrase(
                "The tray of {table} has no opener. Two people count it and open it, on the page of the tray.",
                table=table,
            ),
        )
    if state.shift is not None and opener.shift_id != state.shift.pk:
        return WhyNot(
            "tray_of_another_shift",
            Phrase(
                "The tray of {table} was opened in {shift}. Count it and close it, then open it for {reading_shift}.",
                table=table,
                shift=opener.shift,
                reading_shift=state.shift,
            ),
        )
    return None


@cached_per_state
def why_not_open_tray(state: TableState) -> WhyNot | None:
    """The tray of an open table is counted and opened once, in an open shift."""
    if why := _why_no_tray(state):
        return why
    if state.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=state.table)
        )
    if (opener := opener_of(state)) is not None:
        return WhyNot(
            "tray_open",
            Phrase(
                "Opener {number} stands at {table}. Close the tray first.",
                number=opener.number,
                table=state.table,
            ),
        )
    return why_no_shift(state)


@cached_per_state
def why_not_move_in_tray(state: TableState) -> WhyNot | None:
    """Chips come into a tray and leave it after its opener, in the open shift."""
    return _why_no_tray(state) or why_no_shift(state) or why_tray_not_counted(state)


@cached_per_state
def why_not_close_tray(state: TableState) -> WhyNot | None:
    """A tray that is open is counted and closed between rounds, also after its shift was closed."""
    if why := _why_no_tray(state):
        return why
    if opener_of(state) is None:
        return why_tray_not_counted(state)
    if state.live is not None:
        return WhyNot(
            "round_live",
            Phrase("Round {number} is in play. End it before you close the tray.", number=state.live.number),
        )
    return None


@cached_per_state
def why_not_buy_in(state: TableState) -> WhyNot | None:
    """Cash for chips goes into the drop box, and the chips come out of an open tray."""
    return why_not_move_in_tray(state) or why_no_box(state, [DROP])


@cached_per_state
def why_tray_open(state: TableState) -> WhyNot | None:
    """A table closes, and is set to a game that a player banks, once its tray is closed."""
    if not state.house_banks or opener_of(state) is None:
        return None
    return WhyNot(
        "tray_open",
        Phrase(
            "The tray of {table} is open. Two people count it and close it first, on the page of the tray.",
            table=state.table,
        ),
    )


def _why_no_tray(state: TableState) -> WhyNot | None:
    if state.house_banks:
        return None
    return WhyNot("player_banked", Phrase("A player banks at {table}: it has no tray.", table=state.table))
