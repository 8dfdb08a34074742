"""Registry of open items at the close of a shift: the floor's own, and what an app above it registers.

`cardroom.tips` registers tips that are not shared out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, TypedDict

from .models import Alert, DropBox, Round, Shift, Table
from .models.alerts import OPEN
from .reads.tray import tables_with_open_trays

#: So many of a kind are named one by one.
MOST_NAMED = 8


class OpenItemRow(TypedDict):
    """Something that was open as a shift was closed."""

    kind: Annotated[str, "tables, trays, rounds, alerts, boxes_on_tables, boxes_not_counted, tips …"]
    count: int
    text: Annotated[str, "A sentence for people."]


@dataclasses.dataclass(frozen=True)
class OpenItem:
    """Something that is open: `kind` for programs, how many, and a sentence for people that says what to do."""

    kind: str
    count: int
    text: str

    def to_json(self) -> OpenItemRow:
        """The same as plain data."""
        return {"kind": self.kind, "count": self.count, "text": self.text}


Provider = Callable[[Shift], Iterable[OpenItem]]
_providers: list[Provider] = []


def register_open_items(provider: Provider) -> None:
    """Let `provider` say what is open of its own when a shift is about to be closed; once for each provider."""
    if provider not in _providers:
        _providers.append(provider)


def open_items(shift: Shift) -> list[OpenItem]:
    """Return what is open as `shift` is closed, the floor's own first."""
    return [*_of_floor(shift), *(item for provider in _providers for item in provider(shift))]


def named(names: Iterable[object]) -> str:
    """Return names as a list in words, with the number of those that are left out."""
    all_names = [str(name) for name in names]
    left = len(all_names) - MOST_NAMED
    return ", ".join(all_names[:MOST_NAMED]) + (f" and {left} more" if left > 0 else "")


def _of_floor(shift: Shift) -> Iterator[OpenItem]:
    tables = list(Table.objects.filter(room=shift.room, state=Table.State.OPEN).order_by("number"))
    if tables:
        text = f"{named(tables)}: open. They stay open and go on in the next shift."
        yield OpenItem("tables", len(tables), text)
    if trays := tables_with_open_trays(Table.objects.filter(room=shift.room)):
        text = f"Trays not counted: {named(trays)}. Two people count each and close it."
        yield OpenItem("trays", len(trays), text)
    live = Round.objects.filter(room=shift.room, table__in=tables, ended_at__isnull=True)
    rounds = list(live.select_related("table").order_by("table__number"))
    if rounds:
        text = f"A round is in play at {named(each.table for each in rounds)}. Bets that are closed count in this shift."
        yield OpenItem("rounds", len(rounds), text)
    waiting = Alert.objects.filter(OPEN, room=shift.room, acknowledged_at__isnull=True)
    alerts = list(waiting.select_related("table").order_by("id"))
    if alerts:
        names = named(f"{alert.get_kind_display()} ({alert.table})" for alert in alerts)
        text = f"Alerts that nobody has answered: {names}. The report counts them."
        yield OpenItem("alerts", len(alerts), text)
    yield from _boxes_open(shift)


def _boxes_open(shift: Shift) -> Iterator[OpenItem]:
    """Name the boxes that hang at tables, and those that were taken off and wait for their count."""
    boxes = DropBox.objects.filter(room=shift.room, counted_at__isnull=True).select_related("table")
    boxes = boxes.order_by("table__number", "pk")
    hanging = [box for box in boxes if box.dropped_at is None]
    waiting = [box for box in boxes if box.dropped_at is not None]
    if hanging:
        names = named(f"{box} at {box.table}" for box in hanging)
        yield OpenItem("boxes_on_tables", len(hanging), f"Boxes not pulled: {names}. Two people pull them.")
    if waiting:
        names = named(f"{box} of {box.table}" for box in waiting)
        yield OpenItem("boxes_not_counted", len(waiting), f"Boxes not counted: {names}.")
