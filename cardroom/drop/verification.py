"""Proving what was counted: every sheet against its sum and its seal, every box against the sheets that it stands on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import F, Q, QuerySet

from cardroom.config.databases import snapshot
from cardroom.floor.journal_match import Recorded, recorded_verify
from cardroom.floor.models import JournalEntry, Transfer

from .agreement import count_that_stands
from .models import CountSheet, DropBox, VarianceCheck, VarianceNote
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
    yield from recorded_verify(_VARIANCE_CHECKS)
    with snapshot():  # else what is written meanwhile would have no entry
        found = [*_boxes_verify(), *_transfers_verify(), *_notes_verify()]
    yield from found


def _variance_checks() -> QuerySet[VarianceCheck]:
    return VarianceCheck.objects.all()


_VARIANCE_CHECKS = Recorded(
    "variance check",
    _variance_checks,
    ("variance_check",),
    "variance_check",
    {
        "box": lambda check: check.box_id,
        "sheet": lambda check: check.sheet_id,
        "expected_cents": lambda check: check.expected_cents,
        "counted_cents": lambda check: check.counted_cents,
        "threshold_cents": lambda check: check.threshold_cents,
        "disputed": lambda check: check.disputed,
        "over": lambda check: check.is_over,
    },
)


def _boxes_verify() -> Iterator[str]:
    """Hold every box against the entries of the commands that put it on, took it off and let its count stand."""
    placed = {box["box"]: {**box, "shift": entry.data["shift"]} for entry, box in _of_boxes("boxes_place")}
    dropped = {box["box"] for _, box in _of_boxes("boxes_drop")}
    stood = {entry.data["box"] for entry in JournalEntry.objects.filter(command="count_stands").iterator()}
    boxes = {box.pk: box for box in DropBox.objects.order_by("pk").iterator()}
    for pk, box in boxes.items():
        if (journaled := placed.get(pk)) is None:
            yield f"{box} (id {pk}): the journal has no entry about it"
            continue
        is_now = {"number": box.number, "kind": box.kind, "table": box.table_id, "shift": box.shift_id}
        for name, value in is_now.items():
            if journaled.get(name, value) != value:
                yield f"{box} (id {pk}): its {name} is not what the journal says"
        for what, has, text in (
            ("drop", box.dropped_at is not None, pk in dropped),
            ("count", box.counted_at is not None, pk in stood),
        ):
            if has != text:
                yield f"{box} (id {pk}): whether its {what} has come is not what the journal says"
    for missing in sorted((set(placed) | dropped | stood) - set(boxes)):
        yield f"drop box {missing}: stands in the journal, but there is none"


def _transfers_verify() -> Iterator[str]:
    """Hold the box that a transfer names against its table and account: what is expected in a box rests on it."""
    account = Q(box__kind=F("source")) | Q(box__kind=F("target"))
    astray = Transfer.objects.filter(box__isnull=False).filter(~Q(table=F("box__table")) | ~account)
    for transfer in astray.select_related("box").order_by("pk").iterator():
        yield f"transfer {transfer.pk} ({transfer}): names {transfer.box}, which is of another table or for other fees"


def _of_boxes(command: str) -> Iterator[tuple[JournalEntry, dict[str, Any]]]:
    for entry in JournalEntry.objects.filter(command=command).order_by("pk").iterator():
        for box in entry.data["boxes"]:
            yield entry, box


def _notes_verify() -> Iterator[str]:
    """Hold what was said of each variance, in its order, against the journal."""
    journaled: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for entry in JournalEntry.objects.filter(command="variance_answer").order_by("pk").iterator():
        journaled[entry.data["variance_check"]].append(
            (entry.data["after"], entry.data["owner"], entry.reason)
        )
    noted: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for note in VarianceNote.objects.order_by("variance_check", "seq").iterator():
        noted[note.variance_check_id].append((note.status, note.owner_id, note.text))
    for check in sorted({*journaled, *noted}):
        if journaled[check] != noted[check]:
            yield f"variance check {check}: what was said of it is not what the journal says"


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
    entries = JournalEntry.objects.filter(command__in=("count_enter", "count_correct")).order_by("pk")
    return {entry.data["sheet"]: entry.data["seal"] for entry in entries.iterator()}
