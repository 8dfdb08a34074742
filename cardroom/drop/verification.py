"""Verifies counts: every sheet against its sum, every box against its sheets and the transfers that name it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Q

from cardroom.config.databases import snapshot
from cardroom.floor.models import Transfer

from .agreement import count_that_stands
from .models import CountSheet, DropBox
from .pieces import pieces_cents


def sheets_verify() -> Iterator[str]:
    """Yield every sheet that does not add up, every box whose count should not stand, every transfer in a wrong box."""
    with snapshot():
        found = [*_sheets_verify(), *_boxes_verify(), *_transfers_verify()]
    yield from found


def _sheets_verify() -> Iterator[str]:
    for sheet in CountSheet.objects.select_related("box").order_by("pk").iterator(chunk_size=500):
        if sheet.total_cents != pieces_cents(sheet.pieces):
            yield (
                f"count sheet {sheet.pk} ({sheet}): says {sheet.total_cents} cents, its pieces come to "
                f"{pieces_cents(sheet.pieces)}"
            )


def _boxes_verify() -> Iterator[str]:
    counted = DropBox.objects.filter(counted_at__isnull=False).prefetch_related("sheets")
    for box in counted.order_by("pk").iterator(chunk_size=500):
        if count_that_stands(sorted(box.sheets.all(), key=lambda sheet: sheet.seq)) is None:
            yield f"{box} (id {box.pk}): its count stands, but no two counts agree and none was made after them"


def _transfers_verify() -> Iterator[str]:
    """Check that the box a transfer names is of its table and account: what is expected in a box depends on it."""
    account = Q(box__kind=F("source")) | Q(box__kind=F("target"))
    astray = Transfer.objects.filter(box__isnull=False).filter(~Q(table=F("box__table")) | ~account)
    for transfer in astray.select_related("box").order_by("pk").iterator():
        yield f"transfer {transfer.pk} ({transfer}): names {transfer.box}, which is of another table or for other fees"
