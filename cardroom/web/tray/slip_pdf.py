"""Renders a slip of a tray as a PDF to be signed: what was counted or moved, by denomination, and who signed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.platypus import Flowable, Paragraph, Spacer, Table, TableStyle

from cardroom.core.dates import day_text
from cardroom.documents.pdf_layout import WIDTH, printout
from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, markup
from cardroom.floor.models import TraySlip
from games.money import dollars

from ..parts.clock import moment_of

_LINE = colors.HexColor("#999999")
_TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=10, leading=13)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=TA_RIGHT)
_STRONG = ParagraphStyle("strong", parent=_TEXT, fontName=BOLD)
_STRONG_RIGHT = ParagraphStyle("strong_right", parent=_STRONG, alignment=TA_RIGHT)
_RULED = TableStyle(
    [("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE)],
)


def slip_pdf(slip: TraySlip, *, printed_by: str, printed_at: datetime.datetime) -> bytes:
    """Return a slip as a PDF of one page."""
    room = slip.room
    return printout(
        title=f"{slip_title(slip)}, slip {slip.number}",
        room=str(room),
        period=f"{slip.table}, gaming day {day_text(slip.shift.gaming_day)}, shift {slip.shift.name}",
        printed_by=printed_by,
        printed_at=moment_of(room, printed_at),
        story=list(_story(slip)),
    )


def slip_title(slip: TraySlip) -> str:
    """What a slip is called: "Fill", "Credit, reversed"."""
    kind = slip.get_kind_display().capitalize()
    return kind if slip.reverses_id is None else f"{kind} reversed"


def _story(slip: TraySlip) -> Iterator[Flowable]:
    yield _chips(slip)
    yield Spacer(0, 0.25 * inch)
    yield _facts(slip)
    yield Spacer(0, 0.35 * inch)
    yield _signatures(slip)


def _chips(slip: TraySlip) -> Flowable:
    head = [
        Paragraph("Chip", _STRONG),
        Paragraph("Number", _STRONG_RIGHT),
        Paragraph("Amount", _STRONG_RIGHT),
    ]
    rows = [head]
    for worth, number in sorted(slip.chips.items(), key=lambda each: int(each[0])):
        amount = dollars(int(worth) * number)
        rows.append(
            [
                Paragraph(dollars(int(worth)), _TEXT),
                Paragraph(f"{number:,}", _RIGHT),
                Paragraph(amount, _RIGHT),
            ]
        )
    total = Paragraph(dollars(slip.cents), _STRONG_RIGHT)
    rows.append([Paragraph("Total", _STRONG), Paragraph("", _RIGHT), total])
    return Table(rows, colWidths=[1.4 * inch, 1.2 * inch, 1.6 * inch], style=_RULED, hAlign="LEFT")


def _facts(slip: TraySlip) -> Flowable:
    facts = [("Time", moment_of(slip.room, slip.made_at))]
    if slip.difference_cents is not None and slip.expected_cents is not None:
        facts.append(("Expected", dollars(slip.expected_cents)))
        facts.append(("Over / (short)", dollars(slip.difference_cents)))
    if slip.note:
        facts.append(("Note", slip.note))
    if slip.reverses is not None:
        facts.append(("Reverses", f"slip {slip.reverses.number}: {slip.reason}"))
    rows = [[Paragraph(name, _STRONG), Paragraph(markup(text), _TEXT)] for name, text in facts]
    return Table(rows, colWidths=[1.4 * inch, WIDTH - 1.4 * inch], style=_RULED)


def _signatures(slip: TraySlip) -> Flowable:
    rows: list[list[Flowable | str]] = [
        [Paragraph(each, _STRONG) for each in ("Name", "Licence", "Signature")]
    ]
    for staff in (slip.made_by, slip.approved_by):
        cells = (str(staff), staff.licence_number or "–")
        rows.append([*(Paragraph(markup(each), _TEXT) for each in cells), ""])
    heights = [None, 0.45 * inch, 0.45 * inch]
    return Table(rows, colWidths=[2 * inch, 1.2 * inch, WIDTH - 3.2 * inch], rowHeights=heights, style=_RULED)
