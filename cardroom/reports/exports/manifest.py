"""The manifest of an exported gaming day: which files, of which content. A version without one is not whole.

It is canonical JSON, written last. Its SHA-256, and that of each file, are in the room's journal and in the next signed
checkpoint. Knows no database.

    {"files":[{"bytes":2211,"file":"rounds.parquet","name":"rounds","rows":12,"sha256":"…"},…],
     "format":"cardroom parquet","gaming_day":"2026-11-20","made_at":"2026-11-21T14:00:05.000000+00:00",
     "previous_day":"2026-11-19","replaces":"","report":{"content_hash":"…","id":9,"revision":0},
     "room":{"code":"alder-creek","id":1,"time_zone":"America/Los_Angeles"},"schema":1,"site":"0.2.0","version":1}
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, Final

from cardroom.core.canonical import canonical_json

from .schema import BY_NAME, SCHEMA
from .store import Store

FORMAT: Final = "cardroom parquet"
MANIFEST: Final = "manifest.json"
_VERSION: Final = re.compile(r"v([1-9][0-9]{0,5})")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class NotWhole(Exception):
    """A manifest or a file that is not what it must be; the message names it, its day, and what to do."""


@dataclasses.dataclass(frozen=True)
class FileSaid:
    """What a manifest says of one file."""

    name: str
    file: str
    rows: int
    bytes: int
    sha256: str


@dataclasses.dataclass(frozen=True)
class Manifest:
    """A manifest as it was written. `previous_day` is the gaming day of the room before it that has shifts; None: none."""

    text: str
    room: str
    day: datetime.date
    version: int
    previous_day: datetime.date | None
    report: dict[str, Any]
    files: dict[str, FileSaid]

    @property
    def hash(self) -> str:
        """The hex SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def folder(self) -> str:
        """Where it and its files are, below the store."""
        return folder_of(self.room, self.day, self.version)


def folder_of(room: str, day: datetime.date, version: int) -> str:
    """Return the folder of a version of a gaming day: "alder-creek/2026-11-20/v1"."""
    return f"{room}/{day.isoformat()}/v{version}"


def manifest_text(facts: dict[str, Any]) -> str:
    """Return the text of a manifest that says these facts."""
    return canonical_json({**facts, "format": FORMAT, "schema": SCHEMA})


def how_to_write_again(room: str, day: datetime.date) -> str:
    """What an administrator does about a gaming day in the store that cannot be used."""
    return f"Have the site write the day again: manage.py export_days {room} {day} --again."


def manifest_read(text: str, where: str, room: str, day: datetime.date) -> Manifest:
    """Read a manifest that lies at `where`; a refusal says how to write that `day` of that `room` again. Raises NotWhole."""
    again = how_to_write_again(room, day)
    try:
        facts = json.loads(text)
        if facts["format"] != FORMAT:
            raise NotWhole(
                f"{where} is no manifest of an exported gaming day: its format is {facts['format']!r}. {again}"
            )
        if facts["schema"] != SCHEMA:
            raise NotWhole(
                f"{where} has schema {facts['schema']!r}, and this version of the software reads schema {SCHEMA}. "
                f"{'Upgrade this software' if facts['schema'] > SCHEMA else again}"
            )
        files = {each["name"]: FileSaid(**each) for each in facts["files"]}
        previous = facts["previous_day"]
        found = Manifest(
            text=text,
            room=str(facts["room"]["code"]),
            day=datetime.date.fromisoformat(facts["gaming_day"]),
            version=int(facts["version"]),
            previous_day=None if previous is None else datetime.date.fromisoformat(previous),
            report=dict(facts["report"]),
            files=files,
        )
        if set(files) != set(BY_NAME) or not all(
            _HASH.fullmatch(each.sha256)
            and each.file == BY_NAME[name].file
            and {type(each.bytes), type(each.rows)} == {int}
            for name, each in files.items()
        ):
            raise NotWhole(f"{where} does not name the files of schema {SCHEMA}. {again}")
    except (ValueError, KeyError, TypeError, OverflowError) as fault:
        raise NotWhole(f"{where} cannot be read as a manifest: {fault!r}. {again}") from None
    return found


def days_in(store: Store, room: str) -> list[datetime.date]:
    """Return the gaming days of a room for which there is a folder."""
    return [day for name in store.names(room) if (day := _day_of(name)) is not None]


def _day_of(name: str) -> datetime.date | None:
    """The gaming day that a folder is named by; None of any other folder, such as "2026-13-45"."""
    try:
        return datetime.date.fromisoformat(name) if _DAY.fullmatch(name) else None
    except ValueError:
        return None


def versions_in(store: Store, room: str, day: datetime.date) -> list[int]:
    """Return the versions of a day that have a manifest, the first first. What has none was never finished."""
    named = sorted(
        int(match[1])
        for name in store.names(f"{room}/{day.isoformat()}")
        if (match := _VERSION.fullmatch(name))
    )
    return [version for version in named if MANIFEST in store.names(folder_of(room, day, version))]


def newest(store: Store, room: str, day: datetime.date) -> Manifest | None:
    """Return the manifest of the newest whole version of a day; None where there is none. Raises NotWhole."""
    versions = versions_in(store, room, day)
    return manifest_at(store, room, day, versions[-1]) if versions else None


def manifest_at(store: Store, room: str, day: datetime.date, version: int) -> Manifest | None:
    """Return the manifest of one version of a day; None where it has none. Raises NotWhole."""
    name = f"{folder_of(room, day, version)}/{MANIFEST}"
    content = store.read(name)
    if content is None:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError as fault:
        raise NotWhole(f"{store}/{name} is no text: {fault}. {how_to_write_again(room, day)}") from None
    found = manifest_read(text, f"{store}/{name}", room, day)
    if (found.room, found.day, found.version) != (room, day, version):
        raise NotWhole(
            f"{store}/{name} is of {found.folder}: it was moved there. Put it back. {how_to_write_again(room, day)}"
        )
    return found


def content_of(store: Store, manifest: Manifest, name: str) -> bytes:
    """Return the content of a file that a manifest names, of the size and the SHA-256 that it says. Raises NotWhole."""
    said = manifest.files[name]
    where = f"{store}/{manifest.folder}/{said.file}"
    content = store.read(f"{manifest.folder}/{said.file}")
    fault = None
    if content is None:
        fault = "is missing"
    elif len(content) != said.bytes:
        fault = f"has {len(content):,} bytes instead of {said.bytes:,}: it was cut off or written over"
    elif hashlib.sha256(content).hexdigest() != said.sha256:
        fault = "does not have the fingerprint of its manifest: it was changed"
    if content is None or fault is not None:
        raise NotWhole(
            f"{where} (gaming day {manifest.day}) {fault}. Put it back from a backup. "
            f"{how_to_write_again(manifest.room, manifest.day)}"
        )
    return content


def file_faults(store: Store, manifest: Manifest) -> Iterator[str]:
    """Yield what is wrong with the files that a manifest names."""
    for name in manifest.files:
        try:
            content_of(store, manifest, name)
        except NotWhole as fault:
            yield str(fault)
