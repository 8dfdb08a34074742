"""A directory or an S3-compatible store, by fsspec: what is written there is there whole or not at all.

Addresses are `/absolute/path`, `file:///absolute/path` and `s3://bucket/prefix`. fsspec, and s3fs for `s3`, are packages of
requirements-parquet.txt, imported here alone and only when a store is opened. What an S3 store asks for (endpoint, key,
region) is read by its client where AWS's own tools read it: `AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`,
`AWS_SECRET_ACCESS_KEY`, `AWS_PROFILE` … or the machine's role. No message shows a key.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

#: How to get the packages, for every message about one that is missing.
HOW_TO_INSTALL: Final = "pip install --require-hashes -r requirements.txt -r requirements-parquet.txt"


class Patience(NamedTuple):
    """How long an S3 store may take: seconds until it is connected, seconds until it sends something, and tries of a request.

    A client tries a request `tries` times, and what broke off while it was read `again` times.
    """

    connect: int
    read: int
    tries: int
    again: int


#: That of a job, which nobody waits for.
PATIENCE: Final = Patience(connect=10, read=60, tries=4, again=5)
#: Characters of what a store's client says that a message quotes.
_MOST_SAID: Final = 200


class StoreRefused(Exception):
    """A store that cannot be read or written; the message says which, why and what to do."""


def package(name: str) -> Any:
    """Import a package of requirements-parquet.txt. Raises StoreRefused, saying how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise StoreRefused(
            f"The Python package {name} is not installed ({error}). Run: {HOW_TO_INSTALL}"
        ) from error


class Store:
    """A place for files, by their paths below its address (`alder-creek/2026-11-20/v1/manifest.json`)."""

    def __init__(
        self, address: str, options: Mapping[str, str] | None = None, patience: Patience = PATIENCE
    ) -> None:
        """Open the store at an address that `cardroom.config.values.store_address` returned; `options` are `endpoint_url` and `profile` of an S3 store."""
        self.address = address
        self.is_directory = address.startswith("/")
        fsspec = package("fsspec")
        if self.is_directory:
            self._files = fsspec.filesystem("file", skip_instance_cache=True)
            self._root = address
            return
        package("s3fs")
        self._files = fsspec.filesystem(
            "s3",
            use_listings_cache=False,
            skip_instance_cache=True,
            config_kwargs={
                "connect_timeout": patience.connect,
                "read_timeout": patience.read,
                "retries": {"total_max_attempts": patience.tries},
            },
            **dict(options or {}),
        )
        self._files.retries = patience.again
        self._root = address.removeprefix("s3://")

    def __str__(self) -> str:
        return self.address

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    def _must_be_there(self) -> None:
        """Raise StoreRefused where the directory is away: it is never made here, for a disk that is not mounted lacks it too."""
        if self.is_directory and not Path(self._root).is_dir():
            raise StoreRefused(
                f"{self.address} is no directory that is there. Mount the disk that holds it, or make the directory: this software "
                "never makes it (docs/parquet.md)."
            )

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None where there is none. Raises StoreRefused."""
        self._must_be_there()
        try:
            content: bytes = self._files.cat_file(self._path(name))
        except FileNotFoundError:
            return None
        except Exception as error:  # the clients of stores raise errors of their own packages
            raise self._refused(f"read {name}", error) from error
        return content

    def names(self, folder: str = "") -> list[str]:
        """Return the names in a folder, sorted; none where there is no such folder. Raises StoreRefused."""
        self._must_be_there()
        try:
            found = self._files.ls(self._path(folder), detail=False)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except Exception as error:  # as in `read`
            raise self._refused(f"list {folder or 'it'}", error) from error
        names = (str(path).rstrip("/").rpartition("/")[2] for path in found)
        return sorted(name for name in names if name and not name.startswith("."))

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all, over one that is there. Raises StoreRefused.

        In a directory it is written beside under a hidden name, brought to the disk, and renamed; an S3 store takes an
        object whole.
        """
        self._must_be_there()
        try:
            if self.is_directory:
                _write_beside(Path(self._root), name, content)
            else:
                self._files.pipe_file(self._path(name), content)
        except Exception as error:  # as in `read`
            raise self._refused(f"write {name}", error) from error

    def _refused(self, what: str, error: Exception) -> StoreRefused:
        return StoreRefused(
            # A job keeps 500 characters of an error, and what to do is at the end.
            f"Cannot {what} at {self.address}: {type(error).__name__}: {str(error)[:_MOST_SAID]}. Check that the place is there "
            "and answers, that its disk is not full, and that this site may read and write there."
        )


def _write_beside(root: Path, name: str, content: bytes) -> None:
    path = root / name
    for folder in reversed(path.relative_to(root).parents[:-1]):
        (root / folder).mkdir(exist_ok=True)  # never `root`, though it is taken away meanwhile
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)  # a name that a power cut takes away would be a manifest without its files
        finally:
            os.close(directory)
    finally:
        part.unlink(missing_ok=True)
