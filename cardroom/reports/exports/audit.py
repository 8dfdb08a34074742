"""Audits exports: the database's own record of them, and the files of the store against manifests, journal and rows."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cardroom.config.databases import snapshot
from cardroom.floor.models import JournalEntry
from cardroom.rooms.models import Room

from ..models import DayExport
from ..periods.period import day_of
from .making import EXPORT_COMMAND, export_data, exports_due
from .manifest import (
    MANIFEST,
    Manifest,
    NotWhole,
    content_of,
    days_in,
    file_faults,
    manifest_at,
    manifest_read,
    versions_in,
)
from .reading import day_written, table_read
from .store import Store

#: Rows of a file that differ from the database are named up to this number.
_MOST_NAMED: Final = 3


def record_breaks() -> Iterator[str]:
    """Compare the database's record of exports with itself and the journal; yield what differs. No store is asked."""
    entries = {
        entry.data["export"]: entry.data
        for entry in JournalEntry.objects.filter(command=EXPORT_COMMAND).iterator()
    }
    for made in DayExport.objects.select_related("room").order_by("pk").iterator(chunk_size=100):
        named = f"{made} of {made.room}"
        said = entries.pop(made.pk, None)
        try:
            manifest = manifest_read(made.manifest, named, made.room.code, made.gaming_day)
            data = export_data(made)
        except NotWhole as fault:
            yield str(fault)
            continue
        if manifest.hash != made.manifest_hash:
            yield f"{named}: its manifest does not have the fingerprint beside it"
        columns = (made.room.code, made.gaming_day, made.version, made.report_id)
        if columns != (manifest.room, manifest.day, manifest.version, manifest.report["id"]):
            yield f"{named}: the row and its manifest differ"
        if said != data:
            yield f"{named}: the journal {'has no entry about it' if said is None else 'says something else'}"
    for missing in entries:
        yield f"export {missing} is named in the journal, but there is none"


def store_breaks(
    store: Store, room: Room, first: datetime.date, last: datetime.date
) -> Iterator[tuple[datetime.date, list[str]]]:
    """Audit the exported gaming days `first` to `last` of a room; yield each day with what is wrong with it, often nothing."""
    found: dict[datetime.date, list[DayExport]] = {}
    for made in DayExport.objects.filter(room=room, gaming_day__range=(first, last)).order_by("version"):
        found.setdefault(made.gaming_day, []).append(made)
    stored = {day for day in days_in(store, room.code) if first <= day <= last}
    due = {report.first for report in exports_due(room).filter(first__range=(first, last))}
    for day in sorted({*found, *stored, *due}):
        yield day, list(_day_breaks(store, room, day, found.get(day, []), is_due=day in due))


def _day_breaks(
    store: Store, room: Room, day: datetime.date, made: Sequence[DayExport], *, is_due: bool
) -> Iterator[str]:
    if is_due:
        yield "the report of the day is not exported yet: see Exports on the site, or run manage.py export_days"
    known = {each.version for each in made}
    for version in versions_in(store, room.code, day):
        if version not in known:
            yield f"the store holds version {version}, which the database does not know: it was restored, or another site writes there"
    for each in made:
        try:
            manifest = manifest_at(store, room.code, day, each.version)
            if manifest is None:
                yield f"version {each.version} has no {MANIFEST} in the store: it is not whole, or was taken away"
                continue
            if manifest.text != each.manifest:
                yield f"the {MANIFEST} of version {each.version} is not what the journal says"
                continue
            if faults := list(file_faults(store, manifest)):
                yield from faults
                continue
        except NotWhole as fault:
            yield str(fault)
            continue
        if each is made[-1] and not is_due:
            yield from _row_breaks(store, room, manifest)


def _row_breaks(store: Store, room: Room, manifest: Manifest) -> Iterator[str]:
    """Compare the files of a day with the rows that the database has now."""
    with snapshot():
        written = day_written(day_of(room, manifest.day))
    for each in written:
        if hashlib.sha256(each.content).hexdigest() == manifest.files[each.dataset.name].sha256:
            continue
        then, now = (
            table_read(one).to_pylist()
            for one in (content_of(store, manifest, each.dataset.name), each.content)
        )
        if then != now:
            yield f"{manifest.files[each.dataset.name].file} has {len(then)} rows and the database {len(now)}{_first(then, now)}"


def _first(then: list[dict[str, Any]], now: list[dict[str, Any]]) -> str:
    """Say how the first rows that differ do."""
    named = []
    for was, is_ in zip(then, now, strict=False):
        if was != is_:
            differing = [f"{name} {was[name]} is {is_[name]} now" for name in was if was[name] != is_[name]]
            named.append(", ".join(differing))
        if len(named) == _MOST_NAMED:
            break
    return f"; {'; '.join(named)}" if named else ""
