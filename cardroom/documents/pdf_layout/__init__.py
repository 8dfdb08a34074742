"""PDF page layout: US Letter in black on white, portrait or landscape, with a header and a footer.

Each page shows the room, the period, who printed it when, and page x of y. The caller passes the story, a list of
flowables, and all other text.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.lib.pagesizes import landscape, letter
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from .fonts import draw, fonts_of, width_of

SIDE = 0.6 * inch
WIDTH = letter[0] - 2 * SIDE
"""Width of a story, in points."""
WIDTH_ACROSS = letter[1] - 2 * SIDE
"""Width of a story on landscape pages, in points."""

_TOP, _FOOT = 0.95 * inch, 0.7 * inch
HEIGHT = letter[1] - _TOP - _FOOT
"""Height of a story on one page, in points."""
HEIGHT_ACROSS = letter[0] - _TOP - _FOOT
"""Height of a story on one landscape page, in points."""
_FOOT_LINE = 0.45 * inch
_FOOT_SIZE = 8


def printout(
    *,
    title: str,
    room: str,
    period: str,
    printed_by: str,
    printed_at: str,
    story: Sequence[Flowable],
    across: bool = False,
) -> bytes:
    """Return a PDF of `story` under `title`.

    `period` is the time that the document covers, or what else distinguishes it from an older one; `printed_at` is the room's
    local time with its zone. `across` makes the pages landscape.
    """
    content = io.BytesIO()
    fonts = fonts_of(get_language() or "")
    size = landscape(letter) if across else letter
    document = BaseDocTemplate(
        content, pagesize=size, title=title, author=printed_by, subject=f"{room}, {period}", invariant=True
    )
    frame = Frame(
        SIDE,
        _FOOT,
        size[0] - 2 * SIDE,
        size[1] - _TOP - _FOOT,
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )

    def head(canvas: Canvas, _document: Any) -> None:
        _head(canvas, size, fonts, title, f"{room} · {period}")

    def foot(canvas: Canvas, _document: Any) -> None:
        _foot(canvas, size, fonts, _("Printed %(when)s by %(who)s") % {"when": printed_at, "who": printed_by})

    document.addPageTemplates([PageTemplate(id="page", frames=[frame], onPage=head, onPageEnd=foot)])
    document.build(list(story), canvasmaker=_Numbered)
    return content.getvalue()


def _head(canvas: Canvas, size: tuple[float, float], fonts: tuple[str, str], title: str, about: str) -> None:
    width, top = size
    draw(canvas, SIDE, top - 0.55 * inch, title, font=fonts[1], size=15)
    draw(canvas, SIDE, top - 0.74 * inch, about, font=fonts[0], size=9)
    canvas.setLineWidth(0.8)
    canvas.line(SIDE, top - 0.82 * inch, width - SIDE, top - 0.82 * inch)


def _foot(canvas: Canvas, size: tuple[float, float], fonts: tuple[str, str], printed: str) -> None:
    draw(canvas, SIDE, _FOOT_LINE, printed, font=fonts[0], size=_FOOT_SIZE)
    canvas.saveState()
    canvas.translate(size[0] - SIDE, _FOOT_LINE)
    canvas.doForm(_place(canvas.getPageNumber()))
    canvas.restoreState()


def _place(number: int) -> str:
    """The name of the form XObject that says `Page x of y`, to the left of its origin."""
    return f"place-{number}"


class _Numbered(Canvas):
    """A canvas that draws the forms of its pages' places at the end, when the number of pages is known."""

    def save(self) -> None:
        pages = self.getPageNumber() - 1
        for number in range(1, pages + 1):
            self.beginForm(_place(number), lowerx=-200, lowery=-_FOOT_SIZE, upperx=0, uppery=_FOOT_SIZE)
            font, _bold = fonts_of(get_language() or "")
            text = _("Page %(number)s of %(pages)s") % {"number": number, "pages": pages}
            draw(self, -width_of(text, font, _FOOT_SIZE), 0, text, font=font, size=_FOOT_SIZE)
            self.endForm()
        super().save()
