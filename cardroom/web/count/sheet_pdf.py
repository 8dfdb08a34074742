"""Renders the count sheet of a shift as a PDF to be signed: what 4 CCR 12385 asks a daily count sheet to hold.

Establishment, gaming day and shift, date and time, each box with its table and its amount, how many boxes were
counted, names and signature lines. A corrected figure stays, struck through, with initials, time and reason.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator

from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.platypus import Flowable, KeepTogether, Paragraph, Table, TableStyle

from cardroom.core.dates import day_text
from cardroom.documents.pdf_layout import WIDTH, printout
from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, markup
from cardroom.drop.models import CountSheet
from cardroom.drop.pieces import Denomination
from cardroom.drop.reads.boxes import BoxCount, ShiftCount
from cardroom.people.models import Staff
from games.money import dollars

from ..parts.clock import clock_of, moment_of
from .page import initials_of, piece_name, sheet_rows

_LINE = colors.HexColor("#999999")
_TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=9, leading=11)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=TA_RIGHT)
_STRONG = ParagraphStyle("strong", parent=_TEXT, fontName=BOLD)
_STRONG_RIGHT = ParagraphStyle("strong_right", parent=_STRONG, alignment=TA_RIGHT)
_HEADING = ParagraphStyle("heading", parent=_STRONG, fontSize=11, leading=14, spaceBefore=10, spaceAfter=4)
_RULED = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.black),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("TOPPADDING", (0, 0), (-1, -1), 3),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
)


def count_sheet_pdf(count: ShiftCount, *, printed_by: str, printed_at: datetime.datetime) -> bytes:
    """Return the count sheet of a shift as a PDF. Boxes whose count does not stand are on it without a figure."""
    shift = count.shift
    return printout(
        title="Drop count sheet",
        room=str(shift.room),
        period=f"gaming day {day_text(shift.gaming_day)}, shift {shift.name}",
        printed_by=printed_by,
        printed_at=moment_of(shift.room, printed_at),
        story=list(_story(count)),
    )


def _story(count: ShiftCount) -> Iterator[Flowable]:
    yield _facts(count)
    yield Paragraph("Boxes", _HEADING)
    yield _boxes(count)
    if pieces := _pieces(count):
        yield Paragraph("What was counted", _HEADING)
        yield pieces
    corrections = [sheet for each in count.counted for sheet in each.sheets if sheet.corrects_id]
    if corrections:
        yield Paragraph("Corrections", _HEADING)
        for sheet in corrections:
            yield Paragraph(_correction(count, sheet), _TEXT)
    yield KeepTogether([Paragraph("Names and signatures", _HEADING), _signatures(count)])


def _facts(count: ShiftCount) -> Flowable:
    shift, room = count.shift, count.shift.room
    ended = "is open" if shift.closed_at is None else f"to {moment_of(room, shift.closed_at)}"
    made = [sheet.made_at for each in count.counted for sheet in each.sheets if not sheet.corrects_id]
    facts = [
        ("Establishment", f"{room.name}, licence {room.licence_number or 'not on file'}"),
        ("Gaming day and shift", f"{shift.gaming_day:%A, %B %d, %Y}, {shift.name}"),
        ("Shift", f"{moment_of(room, shift.opened_at)} {ended}"),
        ("Counted", f"{moment_of(room, min(made))} to {moment_of(room, max(made))}" if made else "not yet"),
        ("Boxes counted", f"{len(count.counted)} of {len(count.boxes)}"),
        *_totals(count),
    ]
    if not count.complete:
        facts.append(("Not complete", "; ".join(_missing(count))))
    rows = [[Paragraph(name, _STRONG), Paragraph(markup(text), _TEXT)] for name, text in facts]
    return Table(rows, colWidths=[1.5 * inch, WIDTH - 1.5 * inch], style=TableStyle(_RULED.getCommands()[:2]))


def _totals(count: ShiftCount) -> Iterator[tuple[str, str]]:
    """What the boxes of each kind come to, and those that hung over a change of shift."""
    yield ("Total of drop boxes" if count.has_jackpot else "Total", dollars(count.drop.counted_cents))
    if count.has_jackpot:
        yield "Total of jackpot boxes", dollars(count.jackpot.counted_cents)
    if count.changes_known:
        yield "Over a change of shift", "; ".join(each.text for each in count.changes_known)


def _missing(count: ShiftCount) -> Iterator[str]:
    left = len(count.boxes) - len(count.counted)
    if left:
        yield "1 box is not counted" if left == 1 else f"{left} boxes are not counted"
    if not count.boxes and not count.over_change:
        yield "no box was put on in this shift"
    if any(each.cents < 0 and each.box.counted_at is None for each in count.over_change):
        yield "a box of the shift before, with money of this one, is not counted"
    for bare in count.without_box:
        yield f"table {bare.number} {bare.text}"


def _boxes(count: ShiftCount) -> Flowable:
    room = count.shift.room
    head = ("Box", "Table", "Pulled, by and before", "Counted by", "Amount")
    rows: list[list[Flowable | str]] = [
        [Paragraph(each, _STRONG_RIGHT if each == "Amount" else _STRONG) for each in head]
    ]
    for each in count.boxes:
        box = each.box
        off = "hangs at its table"
        if box.dropped_at is not None:
            off = f"{moment_of(room, box.dropped_at)}<br/>{markup(f'{box.dropped_by}, {box.witness}')}"
        counters = ", ".join(str(staff) for staff in each.counters) if each.stands else "–"
        when = f"<br/>{clock_of(room, box.counted_at)}" if box.counted_at else ""
        rows.append(
            [
                Paragraph(f"{box.number}{' jackpot' if box.kind == box.Kind.JACKPOT else ''}", _TEXT),
                Paragraph(str(box.table.number), _TEXT),
                Paragraph(off, _TEXT),
                Paragraph(markup(counters) + when, _TEXT),
                Paragraph(_amount(each), _RIGHT),
            ]
        )
    totals = list(count.kinds)
    for kind in totals:
        name = "" if len(totals) == 1 else " drop boxes" if kind is totals[0] else " jackpot boxes"
        named = Paragraph(f"Total of {len(kind.counted)}{name} counted", _STRONG)
        rows.append([named, "", "", "", Paragraph(dollars(kind.counted_cents), _STRONG_RIGHT)])
    widths = [0.6 * inch, 0.6 * inch, 2.5 * inch, WIDTH - 5.2 * inch, 1.5 * inch]
    spans = [("SPAN", (0, -1 - at), (3, -1 - at)) for at in range(len(totals))]
    style = TableStyle([*_RULED.getCommands(), *spans])
    return Table(rows, colWidths=widths, repeatRows=1, style=style)


def _amount(each: BoxCount) -> str:
    """The figure that stands; above it those that it corrects, struck through, each with the initials of both."""
    if each.sheet is None:
        return "not counted"
    lines = [
        f"<strike>{dollars(row.sheet.total_cents)}</strike>" for row in sheet_rows(each.sheets) if row.struck
    ]
    initials = ""
    if each.sheet.corrects_id:
        initials = f"<br/><font size=7>{markup(_initials(each.sheet))}</font>"
    return "<br/>".join([*lines, f"<b>{dollars(each.sheet.total_cents)}</b>"]) + initials


def _initials(sheet: CountSheet) -> str:
    return f"{initials_of(str(sheet.made_by))} / {initials_of(str(sheet.approved_by))}"


def _correction(count: ShiftCount, sheet: CountSheet) -> str:
    assert sheet.corrects is not None
    text = (
        f"Box {sheet.box.number}: {dollars(sheet.corrects.total_cents)} became "
        f"{dollars(sheet.total_cents)}, {moment_of(count.shift.room, sheet.made_at)}, by {sheet.made_by}, "
        f"approved by {sheet.approved_by}: {sheet.reason}"
    )
    return markup(text)


def _pieces(count: ShiftCount) -> Flowable | None:
    """All counted boxes together by denomination."""
    pieces: Counter[Denomination] = Counter()
    for each in count.counted:
        for row in each.sheet.pieces if each.sheet else []:
            pieces[Denomination(row["kind"], row["cents"])] += row["pieces"]
    if not pieces:
        return None
    rows = [
        [Paragraph("Piece", _STRONG), Paragraph("Number", _STRONG_RIGHT), Paragraph("Worth", _STRONG_RIGHT)]
    ]
    rows.extend(
        [
            Paragraph(piece_name(kind), _TEXT),
            Paragraph(f"{pieces[kind]:,}", _RIGHT),
            Paragraph(dollars(kind.cents * pieces[kind]), _RIGHT),
        ]
        for kind in sorted(pieces, key=lambda each: (each.kind != "chip", -each.cents))
    )
    return Table(
        rows, colWidths=[1.6 * inch, 1 * inch, 1.2 * inch], style=_RULED, hAlign="LEFT", repeatRows=1
    )


def _signatures(count: ShiftCount) -> Flowable:
    """A line for each person who took boxes off, counted or signed for a correction."""
    did: dict[int, tuple[Staff, list[str]]] = {}

    def note(staff: Staff | None, what: str) -> None:
        if staff is not None:
            _, done = did.setdefault(staff.pk, (staff, []))
            if what not in done:
                done.append(what)

    for each in count.boxes:
        note(each.box.dropped_by, "drop")
        note(each.box.witness, "drop")
        # Who is counting a box whose count does not stand is not said on paper.
        for sheet in each.sheets if each.stands else ():
            note(sheet.made_by, "correction" if sheet.corrects_id else "count")
            note(sheet.approved_by, "correction")
    rows: list[list[Flowable | str]] = [
        [Paragraph(each, _STRONG) for each in ("Name", "Licence", "Took part in", "Signature", "Date")]
    ]
    for staff, done in sorted(did.values(), key=lambda each: str(each[0])):
        cells = (str(staff), staff.licence_number or "–", ", ".join(done))
        rows.append([*(Paragraph(markup(each), _TEXT) for each in cells), "", ""])
    rows.extend(["", "", "", "", ""] for _ in range(max(0, 2 - len(did))))
    widths = [1.6 * inch, 1 * inch, 1.4 * inch, WIDTH - 5 * inch, 1 * inch]
    heights = [None, *[0.36 * inch] * (len(rows) - 1)]
    return Table(rows, colWidths=widths, rowHeights=heights, style=_RULED)
