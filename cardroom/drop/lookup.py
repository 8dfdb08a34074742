"""What the floor asks about drop boxes (`cardroom.floor.boxes`)."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Max

from cardroom.floor.boxes import HangingBox
from cardroom.floor.models import Shift, Table

from .models import DropBox


class DropBoxes:
    """Answers from the table of boxes."""

    def hanging(self, tables: Collection[int]) -> Mapping[int, list[HangingBox]]:
        """Return by table id the boxes that hang there; one query."""
        found: defaultdict[int, list[HangingBox]] = defaultdict(list)
        rows = DropBox.objects.filter(table__in=tables, dropped_at__isnull=True)
        for table, number, kind, shift in rows.order_by("kind").values_list(
            "table", "number", "kind", "shift"
        ):
            found[table].append(HangingBox(number, kind, shift))
        return found

    def last_dropped(self, table: Table, shift: Shift) -> datetime.datetime | None:
        """Return when a drop box of the shift was last taken off the table."""
        boxes = DropBox.objects.filter(table=table, shift=shift, kind=DropBox.Kind.DROP)
        last: datetime.datetime | None = boxes.aggregate(last=Max("dropped_at"))["last"]
        return last
