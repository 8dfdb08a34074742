"""Draws a chart for a PDF: in black and grey, with grid lines from the chart's own scale."""

from __future__ import annotations

from typing import Final, Literal

from reportlab.graphics.shapes import Drawing, Line, PolyLine, Rect, String
from reportlab.lib import colors

from cardroom.documents.pdf_layout.fonts import PLAIN, in_helvetica

from .document import Chart
from .formatting import charted

#: Space of a chart for the figures of its axis and for its labels, in points.
_AXIS: Final = 44
_LABELS: Final = 14
#: Points that a letter takes in the mean.
_LETTER: Final = 3.8
_GRID_LINE, _BAR, _EARLIER = colors.HexColor("#bbbbbb"), colors.HexColor("#555555"), colors.black


def bars_drawn(chart: Chart, width: float, height: float) -> Drawing:
    """Return bars over a base line, with a grid line above the tallest, and the earlier time as a line.

    A bar in part is an outline.
    """
    scale = chart.scale
    unit = (height - _LABELS - 6) / (scale.top - scale.bottom)
    each = (width - _AXIS) / len(chart.values)

    def y(value: int) -> float:
        return _LABELS + (value - scale.bottom) * unit

    drawing = Drawing(width, height)
    for value in scale.lines:
        line = Line(_AXIS, y(value), width, y(value), strokeColor=_GRID_LINE, strokeWidth=0.4)
        drawing.add(line)
        drawing.add(_label(_AXIS - 4, y(value) - 2, charted(chart, value), "end"))
    for at, (label, value) in enumerate(
        zip(chart.shown_labels((width - _AXIS) / _LETTER), chart.values, strict=True)
    ):
        left = _AXIS + each * (at + 0.12)
        base, tip = sorted((y(0), y(value)))
        in_part = bool(chart.in_part) and chart.in_part[at]
        drawing.add(_bar(left, base, each * 0.76, tip - base, in_part=in_part))
        if label:
            drawing.add(_label(_AXIS + each * (at + 0.5), 2, label, "middle"))
    drawing.add(Line(_AXIS, y(0), width, y(0), strokeColor=colors.black, strokeWidth=0.8))
    points = [
        place
        for at, value in enumerate(chart.before)
        if value is not None
        for place in (_AXIS + each * (at + 0.5), y(value))
    ]
    if len(points) > 2:
        drawing.add(PolyLine(points, strokeColor=_EARLIER, strokeWidth=1.4, strokeDashArray=[3, 2]))
    return drawing


def _bar(x: float, y: float, width: float, height: float, *, in_part: bool) -> Rect:
    bar = Rect(x, y, width, height)
    bar.fillColor, bar.strokeColor = (None, _BAR) if in_part else (_BAR, None)
    if in_part:
        bar.strokeDashArray = [2, 1.5]
    return bar


def _label(x: float, y: float, text: str, anchor: Literal["middle", "end"]) -> String:
    plain = in_helvetica(text) or text
    return String(x, y, plain, fontName=PLAIN, fontSize=6.5, textAnchor=anchor)
