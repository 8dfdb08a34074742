"""Renders a placard as a PDF: one US Letter page, to be read standing at the table, as large as what is posted allows."""

from __future__ import annotations

import bisect
import dataclasses
import datetime
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.platypus import Flowable, Paragraph, Spacer, Table, TableStyle

from cardroom.core.dates import moment_text
from cardroom.documents.pdf_layout import printout
from cardroom.documents.pdf_layout.fonts import fonts_of, markup
from cardroom.rooms.models import Room
from games.money import dollars
from games.notices import Notice

from ..parts.clock import moment_of
from ..parts.languages import format_hand, format_pays, translated
from ..templatetags.formatting import short_clause
from .placard import Placard
from .wagers import Shown, shown_wagers

_WIDTH = 7.3 * inch
_HEIGHT = 9.2 * inch
_GAP = 0.15 * inch
_MOST_PAYTABLES_A_ROW = 4
#: Sizes, the largest first: the first that fits on one page is taken, and the last one even if it needs more.
_SCALES = (1.3, 1.2, 1.1, 1.0, 0.9, 0.8, 0.75)

_LINE = colors.HexColor("#999999")
_PLAIN = ("VALIGN", (0, 0), (-1, -1), "TOP")
_BARE = TableStyle(
    [_PLAIN, *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM"))]
)


@dataclasses.dataclass(frozen=True)
class PrintContext:
    """Where a placard hangs (`Table 7`; empty for a rulebook alone), in which room, and who prints it when (UTC)."""

    where: str
    room: Room | None
    printed_by: str
    printed_at: datetime.datetime

    @property
    def clock(self) -> str:
        """The instant on the room's clock, without a room in UTC."""
        if self.room is None:
            return moment_text(self.printed_at, datetime.UTC)
        return moment_of(self.room, self.printed_at)


def placard_pdf(placard: Placard, print_context: PrintContext, *, players: int | None = None) -> bytes:
    """Return the placard as a PDF; `players` marks the columns that hold for so many in the round."""
    rulebook = placard.rulebook
    return printout(
        title=f"{rulebook.name} · {print_context.where or rulebook.document.jurisdiction}",
        room=str(print_context.room) if print_context.room else _("The rules, with the choices named below"),
        period=_("posted rules %(mark)s") % {"mark": placard.mark},
        printed_by=print_context.printed_by,
        printed_at=print_context.clock,
        story=placard_story(placard, players=players),
    )


def placard_story(placard: Placard, *, players: int | None = None) -> list[Flowable]:
    """What the paper says, from top to bottom, in the largest size that keeps it on one page."""
    shown = shown_wagers(placard, players=players)

    def fits(scale: float) -> bool:
        return sum(_height(flowable) for flowable in _Writer(placard, shown, scale).story()) <= _HEIGHT

    found = bisect.bisect_left(_SCALES, True, hi=len(_SCALES) - 1, key=fits)
    # A flowable keeps what it was measured to: the page gets fresh ones.
    return _Writer(placard, shown, _SCALES[found]).story()


def _height(flowable: Flowable) -> float:
    height: float = flowable.wrap(_WIDTH, _HEIGHT)[1]
    return height + flowable.getSpaceBefore() + flowable.getSpaceAfter()


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


class _Writer:
    """Writes one placard at one size."""

    def __init__(self, placard: Placard, shown: Sequence[Shown], scale: float) -> None:
        self.placard, self.shown, self.scale = placard, shown, scale
        tables = sum(each.table is not None for each in shown)
        self.paytables_a_row = max(1, min(_MOST_PAYTABLES_A_ROW, tables))
        language = get_language() or ""
        plain, bold = fonts_of(language)
        text = ParagraphStyle(
            "text",
            fontName=plain,
            fontSize=8.5 * scale,
            leading=10.5 * scale,
            # Chinese has no blanks between words.
            wordWrap="CJK" if language.startswith("zh") else None,
        )
        self.text = text
        self.notice = ParagraphStyle("notice", parent=text, spaceAfter=1.5 * scale)
        self.small = ParagraphStyle("small", parent=text, fontSize=7 * scale, leading=8.5 * scale)
        self.heading = ParagraphStyle(
            "heading", parent=text, fontName=bold, fontSize=10.5 * scale, leading=13 * scale
        )
        self.cell = ParagraphStyle("cell", parent=text, fontSize=9 * scale, leading=11 * scale)
        self.right = ParagraphStyle("right", parent=self.cell, alignment=TA_RIGHT)
        self.strong = ParagraphStyle("strong", parent=self.cell, fontName=bold)
        self.strong_right = ParagraphStyle("strong_right", parent=self.strong, alignment=TA_RIGHT)
        self.rules = TableStyle(
            [
                _PLAIN,
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
                *((f"{side}PADDING", (0, 0), (-1, -1), 2) for side in ("LEFT", "RIGHT")),
                *((f"{side}PADDING", (0, 0), (-1, -1), 1.5 * scale) for side in ("TOP", "BOTTOM")),
            ]
        )

    def story(self) -> list[Flowable]:
        return [
            self.overview(),
            *(flowable for each in self.shown for flowable in self.by_card(each)),
            *self.paytables(),
            *(flowable for each in self.shown if each.matrix for flowable in self.matrix(each)),
            *self.fees(),
            *self.small_print(),
            *self.versions(),
        ]

    def p(self, text: str, style: ParagraphStyle | None = None) -> Paragraph:
        style = style or self.text
        return Paragraph(markup(text, style.fontName), style)

    def clause(self, clause: str) -> str:
        """A clause within this rulebook, never broken in two; what the room's own document says is marked ◆."""
        return short_clause(clause, self.placard.rulebook).replace(" ", "\N{NO-BREAK SPACE}")

    def notices(self, notices: Iterable[Notice]) -> list[Flowable]:
        mark = f'<font size="{6.5 * self.scale}" color="#444444">'
        return [
            Paragraph(
                f"{markup(translated(each.text), self.notice.fontName)}\N{NO-BREAK SPACE}"
                f"{mark}{markup(self.clause(each.clause), self.notice.fontName)}</font>",
                self.notice,
            )
            for each in notices
        ]

    def gap(self) -> Spacer:
        return Spacer(1, 7 * self.scale)

    def overview(self) -> Flowable:
        """Every wager with its area on the layout, its limit and its odds."""
        rulebook = self.placard.rulebook
        advantage = _("Bank's edge") if rulebook.player_banked else _("House edge")
        headings = (_("Wager"), _("On the layout"), _("Limit"), advantage, _("Wins"), _("Exactly"))
        rows: list[list[Flowable]] = [[self.p(text, self.strong) for text in headings]]
        for each in self.shown:
            limit = (
                translated(each.limit.text)
                if each.limit
                else _("equals the %(wager)s") % {"wager": self.needed(each)}
            )
            cells = (each.wager.spot, limit)
            rows.append(
                [
                    self.p(each.wager.name, self.strong),
                    *(self.p(cell, self.cell) for cell in cells),
                    *self.odds(each),
                ]
            )
        if (tips := self.placard.tip_limit) is not None:
            tip_cells = (_("beside a wager"), translated(tips.text), _("with the wager beside it"), "", "")
            rows.append(
                [self.p(_("Dealer tips"), self.strong), *(self.p(each, self.cell) for each in tip_cells)]
            )
        widths = [0.95 * inch, 1.15 * inch, 1.2 * inch, 0.95 * inch, 0.9 * inch]
        return Table(rows, colWidths=[*widths, _WIDTH - sum(widths)], style=self.rules, hAlign="LEFT")

    def needed(self, shown: Shown) -> str:
        """The name of the wager that this one follows."""
        wagers = self.placard.rulebook.wagers
        needs = wagers[shown.wager.id].needs
        return wagers[needs].name if needs in wagers else ""

    def odds(self, shown: Shown) -> list[Flowable]:
        odds = shown.odds
        if odds is None:
            needed = self.needed(shown)
            where = (
                _("by players, below")
                if shown.matrix
                else _("with the %(wager)s") % {"wager": needed}
                if needed
                else _("not on record")
            )
            return [self.p(where, self.cell), self.p(""), self.p("")]
        favours = f" ({_('favours the players')})" if odds.favours_players else ""
        printed = _("document: %(figures)s") % {"figures": translated(odds.printed)}
        exact = odds.exact + (f"; {printed}" if odds.printed else "")
        remark = f" ({translated(odds.remark)})" if odds.remark else ""
        return [
            self.p(translated(odds.advantage) + favours, self.cell),
            self.p(translated(odds.hit), self.cell),
            self.p(exact + remark, self.small),
        ]

    def by_card(self, shown: Shown) -> Iterator[Flowable]:
        """The best play by the card that the bank shows, a column for each card."""
        if shown.odds is None or not shown.odds.by_card:
            return
        cards = shown.odds.by_card
        rows = [
            [self.p(_("Bank shows"), self.small), *(self.p(each.card, self.strong) for each in cards)],
            [self.p(_("Play from"), self.small), *(self.p(each.play_from, self.small) for each in cards)],
        ]
        first = 0.8 * inch
        widths = [first, *[(_WIDTH - first) / len(cards)] * len(cards)]
        yield self.gap()
        yield self.p(
            _("%(wager)s: best play by the card that the bank shows, this hand or better")
            % {"wager": shown.wager.name},
            self.heading,
        )
        yield Table(rows, colWidths=widths, style=self.rules, hAlign="LEFT")

    def paytables(self) -> Iterator[Flowable]:
        """The paytables side by side."""
        blocks = [self.paytable(each) for each in self.shown if each.table is not None]
        for start in range(0, len(blocks), self.paytables_a_row):
            row = blocks[start : start + self.paytables_a_row]
            row += [[] for _ in range(self.paytables_a_row - len(row))]
            cells = [cell for block in row for cell in (block, [])][:-1]
            widths = [each for _ in row for each in (self.column, _GAP)][:-1]
            yield self.gap()
            yield Table([cells], colWidths=widths, style=_BARE, hAlign="LEFT")

    @property
    def column(self) -> float:
        """How wide one paytable is, in points."""
        return (_WIDTH - (self.paytables_a_row - 1) * _GAP) / self.paytables_a_row

    def paytable(self, shown: Shown) -> list[Flowable]:
        table = shown.table
        assert table is not None  # only wagers with one table come here
        rows = [
            [self.p(format_hand(hand), self.cell), self.p(format_pays(pays), self.strong_right)]
            for hand, pays in table.lines
        ]
        name = f"{translated(table.name)}, " if table.name else ""
        return [
            self.p(shown.wager.name, self.heading),
            self.p(f"{name}{self.clause(table.clause)}", self.small),
            Table(rows, colWidths=[self.column * 0.58, self.column * 0.42], style=self.rules, hAlign="LEFT"),
            Spacer(1, 3 * self.scale),
            *self.notices(shown.wager.text),
        ]

    def matrix(self, shown: Shown) -> Iterator[Flowable]:
        """Payouts that go by the number of players; the column in force is framed and says so."""
        head = [self.p(_("Highest hand"), self.strong)]
        head += [
            self.p(f"{column.players}{' ' + _('in force') if column.in_force else ''}", self.strong_right)
            for column in shown.matrix
        ]
        rows = [head]
        for hand, cells in shown.rows:
            columns = (self.p(format_pays(pays), self.right) for _column, pays in cells)
            rows.append([self.p(format_hand(hand), self.cell), *columns])
        edges = (self.p(column.odds.advantage, self.right) for column in shown.matrix)
        rows.append([self.p(_("House edge"), self.cell), *edges])
        style = TableStyle(self.rules.getCommands())
        for number, column in enumerate(shown.matrix, start=1):
            if column.in_force:
                style.add("BOX", (number, 0), (number, -1), 1.2, colors.black)
        first = 1.3 * inch
        widths = [first, *[(_WIDTH - first) / len(shown.matrix)] * len(shown.matrix)]
        yield self.gap()
        yield self.p(_("%(wager)s, by players in the round") % {"wager": shown.wager.name}, self.heading)
        yield Table(rows, colWidths=widths, style=style, hAlign="LEFT")
        yield Spacer(1, 3 * self.scale)
        yield from self.notices(shown.wager.text)

    def fees(self) -> Iterator[Flowable]:
        """The fee schedule, or the form of the rake."""
        placard = self.placard
        yield self.gap()
        if placard.schedule is not None:
            schedule = placard.schedule
            limit = _("table limit %(limit)s") % {"limit": schedule.limit_label}
            yield self.p(f"{schedule.title}: {limit}", self.heading)
            rows = [
                [
                    self.p(translated(fee.who), self.cell),
                    self.p(_("for each %(unit)s") % {"unit": translated(fee.for_each)}, self.cell),
                    self.p(dollars(fee.cents), self.strong_right),
                    self.p(self.clause(fee.clause), self.small),
                ]
                for fee in placard.tariff
            ]
            widths = [1.3 * inch, 3.2 * inch, 0.8 * inch]
            yield Table(rows, colWidths=[*widths, _WIDTH - sum(widths)], style=self.rules, hAlign="LEFT")
            for rule in schedule.waivers:
                whose = translated(rule.whose)
                if rule.most_positions is None:
                    covers = _("Covers %(whose)s.") % {"whose": whose}
                else:
                    covers = ngettext(
                        "Covers %(whose)s, with at most %(most)s position in play.",
                        "Covers %(whose)s, with at most %(most)s positions in play.",
                        rule.most_positions,
                    ) % {"whose": whose, "most": rule.most_positions}
                yield self.p(f"{rule.title}: {rule.text} {covers}", self.small)
        elif placard.game.rake:
            yield self.p(_("House rake"), self.heading)
            yield from self.notices(placard.game.rake)
        elif placard.rulebook.player_banked:
            yield self.p(_("No fee is collected at this table."), self.heading)

    def small_print(self) -> Iterator[Flowable]:
        """Wagers without a paytable, rotation, order and coverage beside the ranking and the notices."""
        game = self.placard.game
        left: list[Flowable] = []
        for each in self.shown:
            if each.table is None and not each.matrix:
                left += [self.p(each.wager.name, self.heading), *self.notices(each.wager.text), self.gap()]
        if self.placard.rotation:
            left += [
                self.p(_("How the bank goes round"), self.heading),
                *self.notices(self.placard.rotation),
                self.gap(),
            ]
        for section in self.placard.sections:
            left += [
                self.p(translated(section.title), self.heading),
                *self.notices(section.notices),
                self.gap(),
            ]
        names = ", ".join(_lower(format_hand(name)) for name, _made in game.ranking)
        right: list[Flowable] = []
        if names:
            right += [
                self.p(translated(game.ranking_title), self.heading),
                self.p(f"{names[:1].upper()}{names[1:]}."),
                self.gap(),
            ]
        if game.general_notices:
            right += [self.p(_("Notices"), self.heading), *self.notices(game.general_notices)]
        half = (_WIDTH - _GAP) / 2
        yield self.gap()
        yield Table([[left, [], right]], colWidths=[half, _GAP, half], style=_BARE, hAlign="LEFT")

    def versions(self) -> Iterator[Flowable]:
        yield self.gap()
        if (approval := self.placard.rulebook.approval) is not None:
            yield self.p(
                _("◆ as %(number)s says: the room's own document") % {"number": approval.number}, self.small
            )
        for pairs in (self.placard.choices, self.placard.versions):
            named = (f"{translated(what)}: {translated(which)}" for what, which in pairs)
            yield self.p("; ".join(named) + ".", self.small)
        text = _("Posted rules %(mark)s: a paper with another number than the screen's is out of date.")
        yield self.p(text % {"mark": self.placard.mark}, self.small)
