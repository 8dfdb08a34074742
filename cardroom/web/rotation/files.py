"""Renders the rotation as files: the inspector's printout (PDF) and the rows of a sheet (CSV), from what the page shows."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, LongTable, Paragraph, Spacer, Table, TableStyle

from cardroom.core.csv_cells import cell
from cardroom.core.dates import day_text, utc_text
from cardroom.documents.pdf_layout import WIDTH, printout
from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, markup
from cardroom.floor.models import Round
from cardroom.floor.reads.rotation import Period, TableRotation, total_of
from cardroom.rooms.models import Room

from ..parts.clock import moment_of, seconds_of
from .events import Entry, entries_of, exception_entry, figures_of, strays_of

#: The columns of the sheet. `counts` is no for what began before the period and lasts into it, and for mistakes.
COLUMNS = (
    *("room", "table", "kind", "at utc", "at room", "counts", "seat", "player", "what", "text"),
    *("recorded by", "rule", "clause"),
)

_TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=8.5, leading=10.5)
_BOLD = ParagraphStyle("bold", parent=_TEXT, fontName=BOLD)
_SMALL = ParagraphStyle("small", parent=_TEXT, fontSize=7.5, leading=9.5)
_HEAD = ParagraphStyle("head", parent=_BOLD, fontSize=11, leading=14, spaceBefore=10, spaceAfter=4)
_GRID: list[Any] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#999999")),
    ("LINEBELOW", (0, 0), (-1, 0), 0.9, colors.black),
    ("LEFTPADDING", (0, 0), (-1, -1), 2),
    ("RIGHTPADDING", (0, 0), (-1, -1), 4),
    ("TOPPADDING", (0, 0), (-1, -1), 2),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
]
_MARKS = {"exception": "EXCEPTION", "stop": "Stop", "turn": "Turn", "hand_over": "Hand-over"}


def rotation_pdf(
    rotations: Sequence[TableRotation], room: Room, *, printed_by: str, printed_at: datetime.datetime
) -> bytes:
    """Return the printout of one table's rotation, or of a whole room's, in the order given."""
    period = rotations[0].period
    title = f"Rotation of the bank, {rotations[0].table if len(rotations) == 1 else 'all tables'}"
    story: list[Flowable] = [_paragraph(_span(period, room)), Spacer(1, 6)]
    if len(rotations) > 1:
        story += [_paragraph("The room", _HEAD), *_overview(rotations)]
    for rotation in rotations:
        story += _table_story(rotation, room, alone=len(rotations) == 1)
    return printout(
        title=title,
        room=str(room),
        period=period.name,
        printed_by=printed_by,
        printed_at=moment_of(room, printed_at),
        story=story,
    )


def _span(period: Period, room: Room) -> str:
    return f"From {moment_of(room, period.since)} to {moment_of(room, period.until)}."


def _overview(rotations: Sequence[TableRotation]) -> list[Flowable]:
    """The figures of every table in a row, and their sum."""
    total = total_of(rotations)
    names = [name for name, _, _ in figures_of(total)]
    rows = [["", *(label for _, label, _ in figures_of(total))]]
    for name, figures in [*((str(each.table), each.figures) for each in rotations), ("Total", total)]:
        rows.append([name, *(str(getattr(figures, figure)) for figure in names)])
    heading = ParagraphStyle("heading", parent=_SMALL, fontName=BOLD)
    cells = [[_paragraph(text, heading if at == 0 else _TEXT) for text in row] for at, row in enumerate(rows)]
    return [
        Table(cells, colWidths=[WIDTH / len(rows[0])] * len(rows[0]), style=TableStyle(_GRID), repeatRows=1)
    ]


def _table_story(rotation: TableRotation, room: Room, *, alone: bool) -> Iterator[Flowable]:
    if not alone:
        yield _paragraph(str(rotation.table), _HEAD)
    figures = " · ".join(f"{label}: {count}" for _, label, count in figures_of(rotation.figures))
    yield _paragraph(f"{figures}.", _BOLD)
    yield _paragraph(_head(rotation), _SMALL)
    if rotation.exceptions:
        yield _paragraph("Exceptions", _HEAD)
        yield _entries([exception_entry(each) for each in rotation.exceptions], room)
    listed = [entry for run in rotation.runs for entry in entries_of(run, room)]
    listed += [exception_entry(each) for each in strays_of(rotation)]
    if listed:
        yield _paragraph("Offers and turns, in order", _HEAD)
        yield _entries(listed, room)
    else:
        yield _paragraph("The bank was not offered at this table in this time.")


def _head(rotation: TableRotation) -> str:
    if not rotation.head_seq:
        return "The journal of this table has no entry yet."
    return (
        f"Journal of this table: entry {rotation.head_seq}, verification code {rotation.head_hash}. To check it: "
        f"manage.py verify --head table:{rotation.table.pk}:{rotation.head_seq}:{rotation.head_hash}"
    )


def _entries(entries: Sequence[Entry], room: Room) -> Flowable:
    widths = [WIDTH * share for share in (0.1, 0.06, 0.15, 0.49, 0.2)]
    rows = [[_paragraph(text, _BOLD) for text in ("Time", "Seat", "Player", "What", "Recorded by")]]
    style = list(_GRID)
    for at, entry in enumerate(entries, start=1):
        mark = _MARKS.get(entry.kind)
        what = f"<b>{mark}</b>: {markup(entry.text)}" if mark else markup(entry.text)
        text = _BOLD if entry.kind == "turn" else _TEXT
        rows.append(
            [
                _paragraph(seconds_of(room, entry.at)),
                _paragraph("" if entry.seat is None else str(entry.seat)),
                _paragraph(entry.who, text),
                Paragraph(what, _TEXT),
                _paragraph(entry.by),
            ]
        )
        if entry.kind == "exception":
            style.append(("BOX", (0, at), (-1, at), 1.2, colors.black))
    return LongTable(rows, colWidths=widths, style=TableStyle(style), repeatRows=1)


def _paragraph(text: str, style: ParagraphStyle = _TEXT) -> Paragraph:
    return Paragraph(markup(text, style.fontName), style)


def rotation_csv(rotations: Sequence[TableRotation], room: Room) -> str:
    """Return one line a fact: each offer, stop, turn, round and exception, and the head of each table's journal.

    Of the lines that count, there are as many of each kind as the figures of the page say.
    """
    sheet = io.StringIO()
    # The carriage return before each line feed is what RFC 4180 asks for.
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for rotation in rotations:
        for row in _rows(rotation, room):
            writer.writerow([cell(room.name), rotation.table.number, *row])
    return sheet.getvalue()


def _rows(rotation: TableRotation, room: Room) -> Iterator[list[str]]:
    holds = rotation.period.holds
    for run in rotation.runs:
        for entry in entries_of(run, room):
            if entry.kind != "exception":
                counts = entry.kind != "back_line" and entry.stands and holds(entry.at)
                yield _row(entry, room, counts=counts)
        for round_ in run.rounds:
            yield _round(round_, room, counts=holds(round_.opened_at))
    for round_ in rotation.strays:
        yield _round(round_, room, counts=True)
    for each in rotation.exceptions:
        yield [*_row(exception_entry(each), room, counts=True)[:-2], each.rule, each.clause]
    head = f"{rotation.head_seq}:{rotation.head_hash}"
    yield ["journal", "", "", "", "", "", "head", head, "", "", ""]


def _row(entry: Entry, room: Room, *, counts: bool) -> list[str]:
    return [
        entry.kind,
        utc_text(entry.at) or "",
        moment_of(room, entry.at),
        "yes" if counts else "no",
        "" if entry.seat is None else str(entry.seat),
        cell(entry.who),
        entry.mark,
        cell(entry.text),
        cell(entry.by),
        "",
        "",
    ]


def _round(round_: Round, room: Room, *, counts: bool) -> list[str]:
    entry = Entry(
        "round",
        round_.state,
        round_.opened_at,
        round_.bank_seat,
        round_.bank_player.known_as if round_.bank_player else "",
        f"round {round_.number}, {day_text(round_.gaming_day)}",
    )
    return _row(entry, room, counts=counts)


def file_name(rotations: Sequence[TableRotation], room: Room, ending: str) -> str:
    """A name for the file, such as `alder-creek-table-7-rotation-2026-11-20-1804.pdf`, by the period's beginning."""
    what = f"table-{rotations[0].table.number}-" if len(rotations) == 1 else ""
    since = rotations[0].period.since.astimezone(room.zone)
    return f"{room.code}-{what}rotation-{since:%Y-%m-%d}-{since.astimezone(room.zone):%H%M}.{ending}"
