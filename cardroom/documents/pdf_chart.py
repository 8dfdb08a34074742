"""Draws a chart for a PDF: in black and grey, with grid lines from the chart's own scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib import colors

from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, in_helvetica

from .document import Chart
from .formatting import charted

#: Space of a chart for the figures of its axis and for its labels, in points.
_AXIS: Final = 44
_LABELS: Final = 14
#: Points that a figure takes above its bar.
_FIGURE: Final = 10
#: Points that a letter takes in the mean.
_LETTER: Final = 3.8
#: Points between the lines of a hatched bar.
_HATCH: Final = 4
_GRID_LINE, _BAR, _EARLIER = colors.HexColor("#bbbbbb"), colors.HexColor("#8c8c8c"), colors.black


def bars_drawn(chart: Chart, width: float, height: float) -> Drawing:
    """Return bars over axes, with a grid line above the tallest, its value over each where there is room, and the earlier time.

    A bar in part is hatched, and the earlier time is a thick line across each bar's place.
    """
    scale = chart.scale
    unit = (height - _LABELS - 10) / (scale.top - scale.bottom)
    each = (width - _AXIS) / len(chart.values)
    # A value stands over its bar where all of them have room.
    told = max(len(charted(chart, value)) for value in chart.values) * _LETTER <= each

    def y(value: int) -> float:
        return _LABELS + (value - scale.bottom) * unit

    drawing = Drawing(width, height)
    for value in scale.lines:
        line = Line(_AXIS - 3, y(value), width, y(value), strokeColor=_GRID_LINE, strokeWidth=0.4)
        drawing.add(line)
        drawing.add(_label(_AXIS - 4, y(value) - 2, charted(chart, value), "end"))
    for at, (label, value) in enumerate(
        zip(chart.shown_labels((width - _AXIS) / _LETTER), chart.values, strict=True)
    ):
        left = _AXIS + each * (at + 0.12)
        base, tip = sorted((y(0), y(value)))
        in_part = bool(chart.in_part) and chart.in_part[at]
        for shape in _bar(left, base, each * 0.76, tip - base, in_part=in_part):
            drawing.add(shape)
        middle = _AXIS + each * (at + 0.5)
        then = chart.before[at] if chart.before else None
        if then is not None:
            drawing.add(
                Line(
                    left - 2, y(then), left + each * 0.76 + 2, y(then), strokeColor=_EARLIER, strokeWidth=1.6
                )
            )
        if told and value:
            drawing.add(
                _label(
                    middle,
                    y(chart.figure_above(at, _FIGURE / unit)) + 2,
                    charted(chart, value),
                    "middle",
                    BOLD,
                )
            )
        if label:
            drawing.add(Line(middle, y(0), middle, y(0) - 3, strokeColor=colors.black, strokeWidth=0.6))
            drawing.add(_label(middle, 2, label, "middle"))
    drawing.add(Line(_AXIS, y(0), width, y(0), strokeColor=colors.black, strokeWidth=0.8))
    drawing.add(Line(_AXIS, y(scale.bottom), _AXIS, y(scale.top), strokeColor=colors.black, strokeWidth=0.8))
    return drawing


def _bar(x: float, y: float, width: float, height: float, *, in_part: bool) -> Iterator[Rect | Line]:
    bar = Rect(x, y, width, height)
    bar.fillColor, bar.strokeColor = (None, _BAR) if in_part else (_BAR, None)
    yield bar
    if in_part:
        yield from _hatched(x, y, width, height)


def _hatched(x: float, y: float, width: float, height: float) -> Iterator[Line]:
    """Lines that rise to the right across a bar, from edge to edge."""
    offset = _HATCH - height
    while offset < width:
        begins, ends = max(offset, 0), min(offset + height, width)
        yield Line(
            *(x + begins, y + begins - offset, x + ends, y + ends - offset), strokeColor=_BAR, strokeWidth=0.8
        )
        offset += _HATCH


def _label(x: float, y: float, text: str, anchor: Literal["middle", "end"], font: str = PLAIN) -> String:
    plain = in_helvetica(text) or text
    return String(x, y, plain, fontName=font, fontSize=6.5, textAnchor=anchor)
