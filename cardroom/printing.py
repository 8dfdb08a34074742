"""Paper of the house: US Letter in black on white; on each page the room, the period, who printed it when, and page x of y.

Layout alone: whoever prints brings the story, a list of flowables, and says everything else in words.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from reportlab.lib.pagesizes import letter
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

SIDE = 0.6 * inch
WIDTH = letter[0] - 2 * SIDE
"""How wide a story may be, in points."""

_TOP, _FOOT = 0.95 * inch, 0.7 * inch


def printout(
    *, title: str, room: str, period: str, printed_by: str, printed_at: str, story: Sequence[Flowable]
) -> bytes:
    """Return a PDF of `story` under `title`.

    `period` is the time that the paper is about, or what else tells it from an older one; `printed_at` is the instant
    on the room's clock, with its zone.
    """
    paper = io.BytesIO()
    document = BaseDocTemplate(
        paper, pagesize=letter, title=title, author=printed_by, subject=f"{room}, {period}", invariant=True
    )
    frame = Frame(
        SIDE,
        _FOOT,
        WIDTH,
        letter[1] - _TOP - _FOOT,
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )

    def head(canvas: Canvas, _: Any) -> None:
        _head(canvas, title, room, period)

    document.addPageTemplates([PageTemplate(id="page", frames=[frame], onPage=head)])
    foot = f"Printed {printed_at} by {printed_by}"
    document.build(list(story), canvasmaker=_numbered(foot))
    return paper.getvalue()


def _head(canvas: Canvas, title: str, room: str, period: str) -> None:
    top = letter[1]
    canvas.setFont("Helvetica-Bold", 15)
    canvas.drawString(SIDE, top - 0.55 * inch, title)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(SIDE, top - 0.74 * inch, f"{room} · {period}")
    canvas.setLineWidth(0.8)
    canvas.line(SIDE, top - 0.82 * inch, letter[0] - SIDE, top - 0.82 * inch)


def _numbered(foot: str) -> type[Canvas]:
    """A canvas that knows how many pages there are when it writes the foot of each."""

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
                self.setFont("Helvetica", 8)
                self.drawString(SIDE, 0.45 * inch, foot)
                self.drawRightString(letter[0] - SIDE, 0.45 * inch, f"Page {number} of {len(self._pages)}")
                Canvas.showPage(self)
            Canvas.save(self)

    return Numbered
