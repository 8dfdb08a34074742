"""A placard on paper: US Letter, to be read standing at the table. Odds and fees first, then the rules, then versions."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.platypus import Flowable, KeepTogether, Paragraph, Spacer, Table, TableStyle

from cardroom.printing import printout
from cardroom.rooms.models import Room
from games.posting import Statement

from .clock import moment_of
from .money import dollars_of
from .placard import Placard
from .posted import Shown, shown_wagers

_WIDTH = 7.3 * inch
_GAP = 0.15 * inch
_PAYTABLES_A_ROW = 3

_TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=8.5, leading=10.5)
_SMALL = ParagraphStyle("small", parent=_TEXT, fontSize=7, leading=8.5, textColor=colors.HexColor("#333333"))
_HEADING = ParagraphStyle(
    "heading", parent=_TEXT, fontName="Helvetica-Bold", fontSize=10.5, leading=13, spaceBefore=6
)
_CELL = ParagraphStyle("cell", parent=_TEXT, fontSize=9, leading=11)
_RIGHT = ParagraphStyle("right", parent=_CELL, alignment=2)
_STRONG = ParagraphStyle("strong", parent=_CELL, fontName="Helvetica-Bold")
_STRONG_RIGHT = ParagraphStyle("strong_right", parent=_STRONG, alignment=2)
_RULES = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#999999")),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
    ]
)
_BARE = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
    ]
)


@dataclasses.dataclass(frozen=True)
class Sheet:
    """Where a placard hangs (`Table 7`; empty for a rulebook alone), in which room, and who prints it when (UTC)."""

    where: str
    room: Room | None
    printed_by: str
    printed_at: datetime.datetime


def placard_pdf(placard: Placard, sheet: Sheet, *, players: int | None = None) -> bytes:
    """Return the placard as a PDF; `players` marks the columns that hold for so many in the round."""
    name = placard.rulebook.name
    return printout(
        title=f"{name} - {sheet.where}"
        if sheet.where
        else f"{name} - {placard.rulebook.document.jurisdiction}",
        room=str(sheet.room) if sheet.room else "No table: the rules with the choices named below",
        period=f"Posted matter {placard.mark}",
        printed_by=sheet.printed_by,
        printed_at=moment_of(sheet.room, sheet.printed_at)
        if sheet.room
        else f"{sheet.printed_at:%Y-%m-%d %H:%M:%S} UTC",
        story=placard_story(placard, players=players),
    )


def placard_story(placard: Placard, *, players: int | None = None) -> list[Flowable]:
    """What the paper says, from top to bottom."""
    shown = shown_wagers(placard, players=players)
    return [
        _overview(placard, shown),
        *_paytables(shown),
        *(flowable for each in shown if each.matrix for flowable in _matrix(each)),
        *_fees(placard),
        *_rules(placard),
        *_versions(placard),
    ]


def _p(text: str, style: ParagraphStyle = _TEXT) -> Paragraph:
    # Helvetica as every reader has it knows the hyphen, and no minus sign.
    return Paragraph(escape(text.replace("−", "-")), style)


def _overview(placard: Placard, shown: Sequence[Shown]) -> Flowable:
    """Every wager with its area on the layout, its limit and its odds."""
    advantage = "Bank's advantage" if placard.rulebook.player_banked else "House advantage"
    headings = ("Wager", "On the layout", "Limit", advantage, "Wins", "Exactly")
    rows = [[_p(text, _STRONG) for text in headings]]
    for each in shown:
        limit = each.limit.says if each.limit else "equals the ante"
        cells = [_p(each.wager.name, _STRONG), _p(each.wager.spot, _CELL), _p(limit, _CELL)]
        odds = each.odds
        if odds is None:
            text = "by players, below" if each.matrix else "with the ante"
            cells += [_p(text, _CELL), _p("", _CELL), _p("", _CELL)]
        else:
            favours = " (favours the players)" if odds.favours_players else ""
            exact = f"{odds.exact}{f'; document: {odds.printed}' if odds.printed else ''}"
            remark = f" ({odds.remark})" if odds.remark else ""
            cells += [
                _p(odds.advantage + favours, _CELL),
                _p(odds.hit, _CELL),
                _p(exact + remark, _SMALL),
            ]
        rows.append(cells)
    widths = [0.95 * inch, 1.15 * inch, 1.15 * inch, 1.15 * inch, 0.8 * inch]
    return Table(rows, colWidths=[*widths, _WIDTH - sum(widths)], style=_RULES, hAlign="LEFT")


def _paytables(shown: Sequence[Shown]) -> Iterable[Flowable]:
    """The paytables side by side."""
    blocks = [_paytable(each) for each in shown if each.table is not None]
    width = (_WIDTH - (_PAYTABLES_A_ROW - 1) * _GAP) / _PAYTABLES_A_ROW
    for start in range(0, len(blocks), _PAYTABLES_A_ROW):
        row = blocks[start : start + _PAYTABLES_A_ROW]
        row += [[] for _ in range(_PAYTABLES_A_ROW - len(row))]
        cells = [cell for block in row for cell in (block, [])][:-1]
        widths = [each for _ in row for each in (width, _GAP)][:-1]
        yield KeepTogether([Table([cells], colWidths=widths, style=_BARE, hAlign="LEFT")])


def _paytable(shown: Shown) -> list[Flowable]:
    table = shown.table
    assert table is not None  # only wagers with one table come here
    width = (_WIDTH - (_PAYTABLES_A_ROW - 1) * _GAP) / _PAYTABLES_A_ROW
    rows = [[_p(hand, _CELL), _p(pays, _STRONG_RIGHT)] for hand, pays in table.lines]
    name = f" {table.name}" if table.name else ""
    return [
        _p(shown.wager.name, _HEADING),
        _p(f"{name.strip()}{', ' if name else ''}{table.clause}", _SMALL),
        Table(rows, colWidths=[width * 0.55, width * 0.45], style=_RULES, hAlign="LEFT"),
    ]


def _matrix(shown: Shown) -> Iterable[Flowable]:
    """Payouts that go by the number of players; the column in force is framed and says so."""
    head = [_p("Highest hand", _STRONG)]
    head += [
        _p(f"{column.players}{' - in force' if column.in_force else ''}", _STRONG_RIGHT)
        for column in shown.matrix
    ]
    rows = [head]
    rows += [[_p(hand, _CELL), *(_p(pays, _RIGHT) for _, pays in cells)] for hand, cells in shown.rows]
    rows.append(
        [_p("House advantage", _SMALL), *(_p(column.odds.advantage, _RIGHT) for column in shown.matrix)]
    )
    style = TableStyle(_RULES.getCommands())
    for number, column in enumerate(shown.matrix, start=1):
        if column.in_force:
            style.add("BOX", (number, 0), (number, -1), 1.2, colors.black)
    first = 1.3 * inch
    widths = [first, *[(_WIDTH - first) / len(shown.matrix)] * len(shown.matrix)]
    yield KeepTogether(
        [
            _p(f"{shown.wager.name}, by players in the round", _HEADING),
            Table(rows, colWidths=widths, style=style, hAlign="LEFT"),
        ]
    )


def _fees(placard: Placard) -> Iterable[Flowable]:
    """The fee schedule, or the form of the rake."""
    if placard.schedule is not None:
        yield _p(f"{placard.schedule.title}: table limit {placard.schedule.limit_label}", _HEADING)
        rows = [
            [
                _p(fee.payer, _CELL),
                _p(f"for each {fee.per}" if fee.per == "ante" else f"a round, {fee.per}", _CELL),
                _p(dollars_of(fee.cents), _STRONG_RIGHT),
                _p(fee.clause, _SMALL),
            ]
            for fee in placard.fees
        ]
        widths = [1.2 * inch, 3 * inch, 0.8 * inch]
        yield Table(rows, colWidths=[*widths, _WIDTH - sum(widths)], style=_RULES, hAlign="LEFT")
    elif placard.posting.rake:
        yield _p("House rake", _HEADING)
        yield from _said(placard.posting.rake)
    elif placard.rulebook.player_banked:
        yield _p("No fee is collected at this table.", _TEXT)


def _rules(placard: Placard) -> Iterable[Flowable]:
    """Rotation, order and coverage, and the notices, in two columns of small print."""
    sections = {section.title: section.statements for section in placard.posting.sections}
    left: list[Flowable] = []
    if placard.rotation:
        left += [_p("How the bank goes round", _HEADING), *_said(placard.rotation)]
    for title in ("Order of settlement", "What the bank covers"):
        left += [_p(title, _HEADING), *_said(sections[title])]
    right: list[Flowable] = [
        _p("Hands, best first", _HEADING),
        _p(", ".join(name.lower() for name, _ in placard.posting.ranking).capitalize() + "."),
        _p("Notices", _HEADING),
        *_said(placard.posting.notices),
    ]
    half = (_WIDTH - _GAP) / 2
    yield Table([[left, [], right]], colWidths=[half, _GAP, half], style=_BARE, hAlign="LEFT")


def _said(statements: Iterable[Statement]) -> list[Flowable]:
    small = '<font size="6.5" color="#333333">'
    return [
        Paragraph(f"{escape(each.says)} {small}{escape(each.clause)}</font>", _TEXT) for each in statements
    ]


def _versions(placard: Placard) -> Iterable[Flowable]:
    yield Spacer(1, 4)
    yield _p("; ".join(f"{what}: {which}" for what, which in placard.versions) + ".", _SMALL)
    yield _p(
        f"Posted matter {placard.mark}. A paper with another number than the screen's is out of date.", _SMALL
    )
