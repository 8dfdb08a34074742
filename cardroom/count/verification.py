"""Proving what was counted: every sheet against its sum and its seal, every box against the sheets that it stands on."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.models import JournalEntry

from .agreement import count_that_stands
from .models import CountSheet, DropBox
from .pieces import pieces_cents
from .seal import seal_of


def sheets_verify() -> Iterator[str]:
    """Yield every sheet that is not what it was when it was handed in, and every box whose count should not stand.

    The journal's chain holds each seal; that the chain itself holds is `cardroom.floor.journal`'s to prove.
    """
    sealed = _seals()
    for sheet in CountSheet.objects.select_related("box").order_by("pk").iterator():
        for what in _sheet_breaks(sheet, sealed.pop(sheet.pk, None)):
            yield f"count sheet {sheet.pk} ({sheet}): {what}"
    for missing in sorted(sealed):
        if CountSheet.objects.filter(pk=missing).exists():  # written while the others were read
            continue
        yield f"count sheet {missing}: stands in the journal, but there is none"
    counted = DropBox.objects.filter(counted_at__isnull=False).prefetch_related("sheets")
    for box in counted.order_by("pk").iterator(chunk_size=500):
        if count_that_stands(sorted(box.sheets.all(), key=lambda sheet: sheet.seq)) is None:
            yield f"{box} (id {box.pk}): its count stands, but no two counts agree and none was made after them"


def _sheet_breaks(sheet: CountSheet, sealed: str | None) -> Iterator[str]:
    if sheet.total_cents != pieces_cents(sheet.pieces):
        yield f"says {sheet.total_cents} cents, its pieces come to {pieces_cents(sheet.pieces)}"
    if seal_of(sheet) != sheet.seal:
        yield "was changed after it was sealed"
    if sealed is None:
        sealed = _seals().get(sheet.pk)  # written since the journal was read
    if sealed is None:
        yield "has no entry in the journal"
    elif sealed != sheet.seal:
        yield "differs from its seal in the journal"


def _seals() -> dict[int, str]:
    """The seal of each sheet, as the journal holds it."""
    entries = JournalEntry.objects.filter(act__in=("count_enter", "count_correct")).order_by("pk")
    return {entry.data["sheet"]: entry.data["seal"] for entry in entries.iterator()}
