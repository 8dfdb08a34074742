"""PDF page layout: US Letter in black on white, portrait or landscape, with a header and a footer.

Each page shows the room, the period, who printed it when, and page x of y. The caller passes the story, a list of
flowables, and all other text.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from reportlab.lib.pagesizes import landscape, letter
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from .fonts import BOLD, PLAIN, draw, width_of

SIDE = 0.6 * inch
WIDTH = letter[0] - 2 * SIDE
"""Width of a story, in points."""
WIDTH_ACROSS = letter[1] - 2 * SIDE
"""Width of a story on landscape pages, in points."""

_TOP, _FOOT = 0.95 * inch, 0.7 * inch
_FOOT_LINE = 0.45 * inch


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

    `period` is the time that the document covers, or what else tells it from an older one; `printed_at` is the room's
    local time with its zone. `across` makes the pages landscape.
    """
    content = io.BytesIO()
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

    def head(canvas: Canvas, _: Any) -> None:
        _head(canvas, size, title, f"{room} · {period}")

    document.addPageTemplates([PageTemplate(id="page", frames=[frame], onPage=head)])
    foot = f"Printed {printed_at} by {printed_by}"
    document.build(list(story), canvasmaker=_numbered(size, foot))
    return content.getvalue()


def _head(canvas: Canvas, size: tuple[float, float], title: str, about: str) -> None:
    width, top = size
    draw(canvas, SIDE, top - 0.55 * inch, title, font=BOLD, size=15)
    draw(canvas, SIDE, top - 0.74 * inch, about, size=9)
    canvas.setLineWidth(0.8)
    canvas.line(SIDE, top - 0.82 * inch, width - SIDE, top - 0.82 * inch)


def _numbered(size: tuple[float, float], foot: str) -> type[Canvas]:
    """A canvas that writes each page's footer last, when the number of pages is known."""

    class Numbered(Canvas):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802  # reportlab's name
            self._pages.append(dict(self.__dict__))
            self._startPage()  # type: ignore[attr-defined]  # as reportlab itself does it

        def save(self) -> None:
            for number, page in enumerate(self._pages, start=1):
                self.__dict__.update(page)
                draw(self, SIDE, _FOOT_LINE, foot, size=8)
                place = f"Page {number} of {len(self._pages)}"
                draw(self, size[0] - SIDE - width_of(place, PLAIN, 8), _FOOT_LINE, place, size=8)
                Canvas.showPage(self)
            Canvas.save(self)

    return Numbered
