"""Backup of a site on SQLite by SQLite's own online backup: a file that is the database of one moment."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

from .copying import CopyRefused


@contextlib.contextmanager
def sqlite_backup(source: BaseDatabaseWrapper, file: Path) -> Iterator[Path]:
    """Copy an SQLite database in one snapshot, yield the copy for checks, and name it `file` after the block.

    Writers are not blocked. The file appears complete or not at all, and is its owner's alone: it holds what the database
    holds, password hashes too. Raises CopyRefused where the file exists.
    """
    if file.exists():
        raise CopyRefused(f"{file} is there already. Name a new file: a backup is never written over.")
    with tempfile.TemporaryDirectory(prefix=".cardroom-backup-", dir=file.parent) as name:
        copy = Path(name) / "site.sqlite3"
        copy.touch(mode=0o600)
        source.ensure_connection()
        with contextlib.closing(sqlite3.connect(copy)) as target:
            source.connection.backup(target)
        yield copy
        with contextlib.closing(sqlite3.connect(copy)) as target:
            target.execute("PRAGMA journal_mode = DELETE")  # into its one file: no write-ahead log remains
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        try:
            os.link(copy, file)  # unlike a rename, it refuses a name that was taken meanwhile
        except FileExistsError:
            raise CopyRefused(
                f"{file} was written by somebody else meanwhile, and is left as it is."
            ) from None
