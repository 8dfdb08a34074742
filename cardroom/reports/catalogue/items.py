"""Report on exceptions as items: what was found in a time, how far each is, and what was said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.db.models import Prefetch

from cardroom.core.dates import minute_text
from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.inbox.kinds import kind_of, says_of
from cardroom.inbox.models import Item, ItemStep
from cardroom.inbox.reads.items import item_address
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery

_KINDS: Final = (
    Column("kind", "Kind"),
    Column("items", "Found", Kind.COUNT, adds=True),
    Column("open", "Open", Kind.COUNT, adds=True),
    Column("explained", "Explained", Kind.COUNT, adds=True),
    Column("referred", "Referred", Kind.COUNT, adds=True),
    Column("closed", "Closed", Kind.COUNT, adds=True),
)
_ITEMS: Final = (
    Column("happened_at", "When", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("kind", "Kind"),
    Column("text", "The record says"),
    Column("state", "State"),
    Column("owner", "Owner"),
    Column("said", "What was said"),
    Column("closed", "Closed by"),
    Column("closed_at", "Closed", Kind.INSTANT),
    Column("camera", "Camera"),
    Column("camera_at", "Camera at"),
)
_NOTES: Final = (
    "Each is listed on the gaming day on which it happened, with the state that it has now.",
    "An item is closed once it is explained, signed by a second person who has not explained it and whom it is not about.",
)
_MARKS: Final = {Item.State.OPEN: Mark.STOP, Item.State.EXPLAINED: Mark.LOOK, Item.State.REFERRED: Mark.LOOK}


def items(query: ReportQuery) -> ReportDocument:
    """List the items of the time asked about."""
    rows = Item.objects.filter(room=query.room, gaming_day__range=(query.first, query.last))
    if query.table is not None:
        rows = rows.filter(table=query.table)
    if query.shift is not None:
        rows = rows.filter(shift=query.shift)
    steps = ItemStep.objects.select_related("made_by", "approved_by").order_by("pk")
    found = list(
        rows.select_related("room", "table", "owner")
        .prefetch_related(Prefetch("steps", steps))
        .order_by("happened_at", "pk")
    )
    said = says_of(found)
    left = sum(not item.is_closed for item in found)
    return query.document(
        "items",
        "Exceptions worked off",
        answers=[
            Answer("items", "Exceptions", len(found), Kind.COUNT),
            Answer("not_closed", "Not closed", left, Kind.COUNT, Mark.LOOK if left else Mark.DONE),
            Answer("closed", "Closed by two", len(found) - left, Kind.COUNT),
        ],
        grids=[
            Grid("kinds", "By kind", _KINDS, _by_kind(found), empty="Nothing was found."),
            Grid("items", "Exceptions", _ITEMS, [_row(item, said[item.pk]) for item in found], empty="None."),
        ],
        notes=_NOTES,
    )


def _by_kind(found: Sequence[Item]) -> list[Row]:
    counts: dict[str, Counter[str]] = {}
    for item in found:
        counts.setdefault(_kind(item), Counter())[item.state] += 1
    return [
        Row(
            {"kind": kind, "items": states.total(), **{str(state): states[state] for state in Item.State}},
            mark=Mark.LOOK if states.total() > states[Item.State.CLOSED] else Mark.NONE,
        )
        for kind, states in sorted(counts.items())
    ]


def _row(item: Item, text: str) -> Row:
    said = [step for step in item.steps.all() if step.what in (ItemStep.What.EXPLAIN, ItemStep.What.REFER)]
    closed = [step for step in item.steps.all() if step.what == ItemStep.What.CLOSE]
    return Row(
        {
            "happened_at": item.happened_at,
            "table": None if item.table is None else item.table.number,
            "kind": _kind(item),
            "text": text,
            "state": f"{item.get_state_display()}{', no longer holds' if item.gone_at else ''}",
            "owner": "" if item.owner is None else str(item.owner),
            "said": "; ".join(f"{step.made_by}: {step.note}" for step in said),
            "closed": f"{closed[-1].made_by} and {closed[-1].approved_by}"
            if item.is_closed and closed
            else "",
            "closed_at": item.closed_at,
            "camera": item.camera,
            "camera_at": "" if item.camera_at is None else minute_text(item.camera_at, item.room.zone),
        },
        {"text": item_address(item)},
        _MARKS.get(Item.State(item.state), Mark.NONE),
    )


def _kind(item: Item) -> str:
    kind = kind_of(item.kind)
    return item.kind if kind is None else kind.name


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("items"):
        return f"{figures.several('items', 'exception').capitalize()} was found in this time"
    if not figures.number("not_closed"):
        return f"All of {figures.several('items', 'exception')} are closed by two people"
    return f"{figures.text('not_closed')} of {figures.several('items', 'exception')} not closed, {figures.text('closed')} closed by two people"


ITEMS = Report(
    name="items",
    title="Exceptions worked off",
    text="What went otherwise, who explained it, and who closed it?",
    right=Right.SEE_ITEMS,
    make=items,
    answer=_answer,
    by_shift=True,
)
