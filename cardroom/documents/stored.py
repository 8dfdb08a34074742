"""Serializes parts of documents to plain data for a JSON field, and back without loss."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from .document import Answer, Chart, Column, Grid, Kind, Mark, Row, Sentence, Shade, Value
from .formatting import plain


def grid_data(grid: Grid) -> dict[str, Any]:
    """Serialize a grid to plain data: instants in UTC ending in `Z`, days as ISO dates, money in cents."""
    return {
        "name": grid.name,
        "title": grid.title,
        "text": grid.text,
        "empty": grid.empty,
        "columns": [
            {"name": each.name, "heading": each.heading, "kind": each.kind.value, "adds": each.adds}
            | ({"absent": each.absent} if each.absent else {})
            for each in grid.columns
        ],
        "rows": [
            {
                "values": {name: plain(value) for name, value in row.values.items()},
                "links": dict(row.links),
                "mark": row.mark.value,
                **(
                    {"shades": {name: shade.value for name, shade in row.shades.items()}}
                    if row.shades
                    else {}
                ),
            }
            for row in grid.rows
        ],
        **({"exact": dict(grid.exact)} if grid.exact else {}),
        **({"in_all": dict(grid.in_all)} if grid.in_all else {}),
    }


def grid_read(data: Mapping[str, Any]) -> Grid:
    """Return the grid that `grid_data` wrote."""
    columns = [
        Column(each["name"], each["heading"], Kind(each["kind"]), each["adds"], each.get("absent", ""))
        for each in data["columns"]
    ]
    kinds = {column.name: column.kind for column in columns}
    rows = [
        Row(
            {name: _value(value, kinds[name]) for name, value in row["values"].items()},
            row["links"],
            Mark(row["mark"]),
            {name: Shade(shade) for name, shade in row.get("shades", {}).items()},
        )
        for row in data["rows"]
    ]
    return Grid(
        data["name"],
        data["title"],
        columns,
        rows,
        text=data["text"],
        empty=data["empty"],
        exact=data.get("exact", {}),
        in_all=data.get("in_all", {}),
    )


def answer_data(answer: Answer) -> dict[str, Any]:
    """Serialize an answer to plain data."""
    return {
        "name": answer.name,
        "label": answer.label,
        "value": plain(answer.value),
        "kind": answer.kind.value,
        "mark": answer.mark.value,
        "link": answer.link,
    }


def answer_read(data: Mapping[str, Any]) -> Answer:
    """Return the answer that `answer_data` wrote."""
    kind = Kind(data["kind"])
    return Answer(
        data["name"], data["label"], _value(data["value"], kind), kind, Mark(data["mark"]), data["link"]
    )


def chart_data(chart: Chart) -> dict[str, Any]:
    """Serialize a chart to plain data."""
    return {
        "name": chart.name,
        "title": chart.title,
        "labels": list(chart.labels),
        "values": list(chart.values),
        "text_money": chart.text_money,
        "unit": chart.unit,
        **({"tenths": True} if chart.tenths else {}),
        **({"in_part": list(chart.in_part)} if any(chart.in_part) else {}),
        **({"links": list(chart.links)} if chart.links else {}),
    }


def chart_read(data: Mapping[str, Any]) -> Chart:
    """Return the chart that `chart_data` wrote."""
    return Chart(**data)


def instant_read(text: str | None) -> datetime.datetime | None:
    """Return the instant of a text in ISO 8601; None for None."""
    return None if text is None else datetime.datetime.fromisoformat(text)


def _value(value: Any, kind: Kind) -> Value:
    if isinstance(value, str) and kind is Kind.INSTANT:
        return datetime.datetime.fromisoformat(value)
    if isinstance(value, str) and kind is Kind.DAY:
        return datetime.date.fromisoformat(value)
    read: Value = value
    return read


def sentence_data(sentence: Sentence | None) -> dict[str, Any] | None:
    """Serialize what answers a document's question to plain data."""
    return None if sentence is None else {"text": sentence.text, "figures": list(sentence.figures)}


def sentence_read(data: Mapping[str, Any] | None) -> Sentence | None:
    """Return the sentence that `sentence_data` wrote."""
    return None if data is None else Sentence(data["text"], tuple(data["figures"]))
