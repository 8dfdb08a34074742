"""Verifies the database against checkpoints: its own, and those that were kept outside it."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from cardroom.core.dates import utc_exact
from cardroom.floor.models import JournalEntry
from cardroom.rooms.models import Room

from ..models import DayExport, PeriodReport, ShiftReport, SignedCheckpoint, TimeStamp
from ..periods.making import PERIOD_REPORT_COMMAND
from ..shift.making import REPORT_COMMAND
from ..stored.store import content_hash
from .deliveries import NotDelivered
from .document import SUFFIX, NotACheckpoint, SignedDocument, document_read, signature_fault
from .time_stamps import stamp_time

#: The models of stored reports, by the command that the journal keeps of each.
REPORTS: dict[str, type[ShiftReport | PeriodReport]] = {
    REPORT_COMMAND: ShiftReport,
    PERIOD_REPORT_COMMAND: PeriodReport,
}


class Kept(NamedTuple):
    """A checkpoint that was kept outside the database, and where."""

    file: str
    document: SignedDocument


def kept_read(paths: Iterable[Path]) -> list[Kept]:
    """Read checkpoints from files, and from directories those that end with `.checkpoint`, in the order of their numbers.

    Raises NotACheckpoint and OSError, with the name of the file.
    """
    kept = []
    for path in paths:
        files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not files:
            raise NotACheckpoint(f"{path} holds no file that ends with {SUFFIX}")
        for file in files:
            try:
                kept.append(Kept(str(file), document_read(file.read_bytes())))
            except NotACheckpoint as fault:
                raise NotACheckpoint(f"{file} {fault}") from None
    return sorted(kept, key=lambda each: (each.document.facts["room"]["code"], each.document.facts["number"]))


def against_breaks(kept: Sequence[Kept], known: Collection[str]) -> Iterator[str]:
    """Compare checkpoints from outside with one another and with the database; yield each break.

    `known` are the public keys that are believed. What a checkpoint says counts once its signature holds.
    """
    believed = []
    for each in kept:
        if fault := signature_fault(each.document, known):
            yield f"{each.file}: {each.document.name} {fault}"
        else:
            believed.append(each)
    of_rooms: defaultdict[str, list[Kept]] = defaultdict(list)
    for each in believed:
        of_rooms[each.document.facts["room"]["code"]].append(each)
    for of_room in of_rooms.values():
        yield from _order_breaks(of_room)
    for each in believed:
        for what in _database_breaks(each.document):
            yield f"{each.file}: {each.document.name} {what}"


def _order_breaks(kept: Sequence[Kept]) -> Iterator[str]:
    """Each names the one before it, where both were kept; of one number there is one."""
    for before, each in pairwise(kept):
        was, now = before.document, each.document
        step = now.facts["number"] - was.facts["number"]
        if step == 0 and now.hash != was.hash:
            yield f"{each.file}: {now.name} says something else than {before.file}: the room has signed two of a number"
        if step == 1 and now.facts["previous"] != was.hash:
            yield f"{each.file}: {now.name} does not name the one before it, {before.file}"


def _database_breaks(document: SignedDocument) -> Iterator[str]:
    facts = document.facts
    when = f"what was signed on {facts['at']}"
    for head in document.heads:
        entry = JournalEntry.objects.filter(chain=head.chain, seq=head.seq).values_list("hash", flat=True)
        if (found := entry.first()) != head.hash:
            is_not = "is not" if found else "is gone: the database has none of that number. It was"
            yield f"names entry {head.seq} of {head.chain}, which {is_not} {when}"
    for part in facts["reports"]:
        model = REPORTS[part["command"]]
        report = model._default_manager.filter(pk=part["report"]).first()
        if report is None:
            yield f"names report {part['report']} ({part['command']}), which is gone from the database"
        elif content_hash(report) != part["content_hash"]:
            yield f"names {report}, which does not say {when}"
    yield from _export_breaks(facts, when)
    own = SignedCheckpoint.objects.filter(room__code=facts["room"]["code"], number=facts["number"]).first()
    if own is None:
        yield "is gone from the database"
    elif own.hash != document.hash:
        yield "is another one in the database"


def _export_breaks(facts: Mapping[str, Any], when: str) -> Iterator[str]:
    for part in facts.get("exports", []):  # one that was signed before 0.2.0 names none
        made = DayExport.objects.filter(pk=part["export"]).first()
        if made is None:
            yield f"names export {part['export']} of gaming day {part['day']}, which is gone from the database"
        elif hashlib.sha256(made.manifest.encode()).hexdigest() != part["manifest"]:
            yield f"names {made}, which does not say {when}"


def own_breaks(known: Collection[str]) -> Iterator[str]:
    """Check the database's own checkpoints and time stamps against their signatures, one another and the journal.

    Without any `known` key, as in a copy of the database on another machine, each signature is by the key that it names.
    """
    for room in Room.objects.order_by("pk"):
        number, previous = 0, ""
        for each in SignedCheckpoint.objects.filter(room=room).order_by("number").iterator():
            yield from (f"{each}: {found}" for found in _own_faults(each, number + 1, previous, known))
            number, previous = each.number, each.hash
    for stamp in TimeStamp.objects.select_related("checkpoint__room").order_by("pk"):
        yield from (f"{stamp}: {found}" for found in _stamp_faults(stamp))


def last_breaks(known: Collection[str]) -> Iterator[str]:
    """Check the last checkpoint of each room alone: its signature, the one that it names, and the entries that it names."""
    for room in Room.objects.order_by("pk"):
        last_two = list(SignedCheckpoint.objects.filter(room=room).order_by("-number")[:2])
        for last in last_two[:1]:
            number, previous = (last_two[1].number, last_two[1].hash) if last_two[1:] else (0, "")
            yield from (f"{last}: {found}" for found in _own_faults(last, number + 1, previous, known))


def _own_faults(each: SignedCheckpoint, number: int, previous: str, known: Collection[str]) -> Iterator[str]:
    try:
        document = document_read(each.signed.file())
    except NotACheckpoint as fault:
        yield str(fault)
        return
    facts = document.facts
    if each.number != number:
        yield f"follows number {number - 1}: those between them are missing"
    columns = {
        "number": each.number,
        "at": utc_exact(each.made_at),
        "gaming_day": each.gaming_day.isoformat(),
        "cause": each.cause,
        "previous": previous,
        "hash": each.hash,
        "room": each.room_id,
    }
    signed = {**facts, "hash": document.hash, "room": facts["room"].get("id")}
    if differing := [name for name, value in columns.items() if signed.get(name) != value]:
        yield f"the row and the signed document differ in {', '.join(differing)}"
    if unsigned := signature_fault(document, known or {facts["key"]}):
        yield unsigned
    for head in document.heads:
        if not JournalEntry.objects.filter(chain=head.chain, seq=head.seq, hash=head.hash).exists():
            yield f"names entry {head.seq} of {head.chain}, which is not what was signed"


def _stamp_faults(stamp: TimeStamp) -> Iterator[str]:
    if settings.TSA_CERTIFICATE is None:
        return  # by whose certificate it holds is not known here
    try:
        text = stamp_time(base64.b64decode(stamp.token), stamp.checkpoint.document.encode())
    except NotDelivered as fault:
        yield str(fault)
    else:
        if text != stamp.stamped_at:
            yield f"says {text}, and the row {stamp.stamped_at}"
