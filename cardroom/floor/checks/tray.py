"""Whether a tray may be counted, chips moved in it, and a round played out of it: where the house banks alone."""

from __future__ import annotations

from games.phrases import Phrase

from ..boxes import DROP
from ..errors import WhyNot
from ..models import Table, TraySlip
from ..reads.table_reading import TableReading, once_a_reading
from .boxes import why_no_box
from .shifts import why_no_shift


def opener_of(reading: TableReading) -> TraySlip | None:
    """Return the opener that no closer has followed; None where the tray is closed."""
    last = reading.tray_count
    return last if last is not None and last.kind == TraySlip.Kind.OPENER else None


@once_a_reading
def why_tray_not_counted(reading: TableReading) -> WhyNot | None:
    """Where the house banks, an opener stands in the open shift before anything moves in the tray."""
    if not reading.house_banks:
        return None
    table, opener = reading.table, opener_of(reading)
    if opener is None:
        return WhyNot(
            "no_tray_opener",
            Phrase(
                "The tray of {table} has no opener. Two people count it and open it, on the page of the tray.",
                table=table,
            ),
        )
    if reading.shift is not None and opener.shift_id != reading.shift.pk:
        return WhyNot(
            "tray_of_another_shift",
            Phrase(
                "The tray of {table} was opened in {shift}. Count it and close it, then open it for {reading_shift}.",
                table=table,
                shift=opener.shift,
                reading_shift=reading.shift,
            ),
        )
    return None


@once_a_reading
def why_not_open_tray(reading: TableReading) -> WhyNot | None:
    """The tray of an open table is counted and opened once, in an open shift."""
    if why := _why_no_tray(reading):
        return why
    if reading.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=reading.table)
        )
    if (opener := opener_of(reading)) is not None:
        return WhyNot(
            "tray_open",
            Phrase(
                "Opener {number} stands at {table}. Close the tray first.",
                number=opener.number,
                table=reading.table,
            ),
        )
    return why_no_shift(reading)


@once_a_reading
def why_not_move_in_tray(reading: TableReading) -> WhyNot | None:
    """Chips come into a tray and leave it after its opener, in the open shift."""
    return _why_no_tray(reading) or why_no_shift(reading) or why_tray_not_counted(reading)


@once_a_reading
def why_not_close_tray(reading: TableReading) -> WhyNot | None:
    """A tray that is open is counted and closed between rounds, also after its shift was closed."""
    if why := _why_no_tray(reading):
        return why
    if opener_of(reading) is None:
        return why_tray_not_counted(reading)
    if reading.live is not None:
        return WhyNot(
            "round_live",
            Phrase(
                "Round {number} is in play. End it before you close the tray.", number=reading.live.number
            ),
        )
    return None


@once_a_reading
def why_not_buy_in(reading: TableReading) -> WhyNot | None:
    """Cash for chips goes into the drop box, and the chips come out of an open tray."""
    return why_not_move_in_tray(reading) or why_no_box(reading, [DROP])


@once_a_reading
def why_tray_open(reading: TableReading) -> WhyNot | None:
    """A table closes, and is set to a game that a player banks, once its tray is closed."""
    if not reading.house_banks or opener_of(reading) is None:
        return None
    return WhyNot(
        "tray_open",
        Phrase(
            "The tray of {table} is open. Two people count it and close it first, on the page of the tray.",
            table=reading.table,
        ),
    )


def _why_no_tray(reading: TableReading) -> WhyNot | None:
    if reading.house_banks:
        return None
    return WhyNot("player_banked", Phrase("A player banks at {table}: it has no tray.", table=reading.table))
