"""Query on what waits for an answer at tables: rows of every kind at once, for the strip of the table page and the board.

A kind names its open rows and the declared command that answers one, or the page where it is answered. What the command asks for
besides the row is a field of the form in the strip.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db.models import BigIntegerField, F, Model, Q, QuerySet, Value
from django.db.models.functions import Cast

from games.money import dollars
from games.phrases import Phrase

from ..models import ChipCall, Relief
from ..models.line_up import WAITS


@dataclasses.dataclass(frozen=True)
class WaitingKind:
    """Rows of `model` that are `open`: their columns, and the command that answers one.

    `since`, `note` and, where it is about money, `cents` are columns.

    `row_input` is the input of the command that is the row's id, and `does` the text of its button. Instead of a command, `page`
    is the name of a page of the table to which the button leads.
    """

    title: Phrase
    does: Phrase
    model: type[Model]
    open: Q
    since: str
    note: str
    cents: str = ""
    command: str = ""
    row_input: str = ""
    page: str = ""


KINDS = (
    WaitingKind(
        title=Phrase("Chip runner"),
        command="runner_answer",
        row_input="call_id",
        does=Phrase("Delivered"),
        model=ChipCall,
        open=Q(answered_at__isnull=True),
        since="called_at",
        cents="cents",
        note="note",
    ),
    WaitingKind(
        title=Phrase("Relief"),
        page="web:take_over",
        does=Phrase("Take over…"),
        model=Relief,
        open=WAITS,
        since="push__started_at",
        note="incoming__display_name",
    ),
)


@dataclasses.dataclass(frozen=True)
class Waiting:
    """A row that waits at `table` since an instant; `given` are the arguments of its command that are known."""

    kind: WaitingKind
    row: int
    table: int
    since: datetime.datetime
    text: str

    @property
    def given(self) -> dict[str, Any]:
        return {self.kind.row_input: self.row}


def waiting_at(tables: Collection[int]) -> dict[int, list[Waiting]]:
    """Return by table what waits there, what came first at the top: one query for all kinds."""
    first, *more = (_rows(number, kind, tables) for number, kind in enumerate(KINDS))
    found: dict[int, list[Waiting]] = defaultdict(list)
    for number, row, table, since, cents, note in sorted(
        first.union(*more, all=True) if more else first, key=lambda each: each[3]
    ):
        text = note if cents is None else f"{dollars(cents)} {note}".strip()
        found[table].append(Waiting(KINDS[number], row, table, since, text))
    return found


def _rows(number: int, kind: WaitingKind, tables: Collection[int]) -> QuerySet[Any, tuple[Any, ...]]:
    rows = kind.model._default_manager.filter(kind.open, table__in=tables).order_by()
    cents = F(kind.cents) if kind.cents else Cast(Value(None), BigIntegerField())
    return rows.values_list(Value(number), F("pk"), F("table_id"), F(kind.since), cents, F(kind.note))
