"""Backup archive: one file with all rows of a site on SQLite or PostgreSQL, and a manifest of them.

The file is a ZIP archive of two: `site.sqlite3`, the site as an SQLite database that this version can run on, and
`manifest.json`, with the counts and sums of that database and the SHA-256 of its bytes.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypedDict

from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.config.databases import database_settings, opened, settings_for_reading
from cardroom.config.values import Database
from cardroom.floor.journal import chain_name
from cardroom.floor.models import Table
from cardroom.rooms.models import Room

from .copying import CopyRefused, site_copy
from .tally import Tally

FORMAT = 1
_DATABASE = "site.sqlite3"
_MANIFEST = "manifest.json"
_CHUNK = 1024 * 1024


class Manifest(TypedDict):
    """A backup's manifest: when it was made (UTC), tallies by table, and the heads of its journal chains."""

    format: int
    made_at: str
    tables: dict[str, Tally]
    heads: list[dict[str, Any]]
    sha256: str


@contextlib.contextmanager
def backup_made(
    file: Path, now: datetime.datetime, say: Callable[[str], None]
) -> Iterator[tuple[Path, Manifest]]:
    """Copy the database from a snapshot, yield the copy for checks, and pack it into `file` after the block.

    Writers are not blocked. The file appears complete or not at all, readable by its owner alone: it holds what the
    database holds, password hashes too. Raises CopyRefused where the file exists, and what `site_copy` raises.
    """
    if file.exists():
        raise CopyRefused(f"{file} is there already. Name a new file: a backup is never written over.")
    with _workplace(file.parent) as folder:
        database = folder / _DATABASE
        with opened("source", settings_for_reading()) as source, _opened_file(database) as target:
            tallies = site_copy(source, target, say)
            heads = _heads(target)
        manifest = Manifest(
            format=FORMAT, made_at=now.isoformat(timespec="seconds"), tables=tallies, heads=heads, sha256=""
        )
        yield database, manifest
        _settle(database)
        manifest["sha256"] = _sha256(database)
        packed = folder / "packed"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(_MANIFEST, json.dumps(manifest, indent=1, sort_keys=True))
            archive.write(database, _DATABASE)
        with packed.open("rb") as written:
            os.fsync(written.fileno())
        packed.chmod(0o600)
        packed.replace(file)


def backup_restore(file: Path, target: BaseDatabaseWrapper, say: Callable[[str], None]) -> Manifest:
    """Fill an empty database from a backup and verify it against the manifest, which is returned.

    Raises CopyRefused for a file that is no backup or is damaged, and what `site_copy` raises.
    """
    with _workplace(None) as folder, _archive(file) as archive:
        manifest = _manifest(file, archive)
        database = folder / _DATABASE
        with archive.open(_DATABASE) as packed, database.open("wb") as out:
            shutil.copyfileobj(packed, out, _CHUNK)
        if _sha256(database) != manifest["sha256"]:
            raise CopyRefused(
                f"{file} is damaged: its database is not the one that its manifest was written for."
            )
        with _opened_file(database) as source:
            site_copy(source, target, say, expected=manifest["tables"])
    return manifest


@contextlib.contextmanager
def _archive(file: Path) -> Iterator[zipfile.ZipFile]:
    """Open a backup. Any error of the archive, inside the block too, becomes a CopyRefused that names the file."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except FileNotFoundError:
        raise CopyRefused(f"There is no file {file}.") from None
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as fault:
        raise CopyRefused(f"{file} is no backup, or not a whole one: {fault}") from None


def _manifest(file: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        manifest: Manifest = json.loads(archive.read(_MANIFEST))
        known = manifest["format"] == FORMAT
    except (ValueError, TypeError) as fault:
        raise CopyRefused(f"The manifest of {file} cannot be read: {fault}") from None
    if not known:
        raise CopyRefused(f"{file} is of format {manifest['format']}; this version reads format {FORMAT}.")
    return manifest


def _opened_file(database: Path) -> contextlib.AbstractContextManager[BaseDatabaseWrapper]:
    return opened("file", database_settings(Database(engine="sqlite3", name=str(database))))


def _heads(database: BaseDatabaseWrapper) -> list[dict[str, Any]]:
    """Return the heads of the journal chains of all rooms and tables, as in a shift report."""
    holders: list[Room | Table] = [
        *Room.objects.using(database.alias).order_by("pk"),
        *Table.objects.using(database.alias).order_by("pk"),
    ]
    return [
        {"chain": chain_name(holder), "seq": holder.chain_seq, "hash": holder.chain_hash}
        for holder in holders
    ]


def _settle(database: Path) -> None:
    """Checkpoint an SQLite database into its one file: no write-ahead log remains."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def _workplace(beside: Path | None) -> Iterator[Path]:
    """A temporary directory (mode 0700), removed after the block; `beside` names the file system to use."""
    with tempfile.TemporaryDirectory(prefix=".cardroom-backup-", dir=beside) as name:
        yield Path(name)
