"""Strict reader of TOML rules files: a misspelt key is an error and never falls back to a default."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

Value = TypeVar("Value")


class DataFileError(ValueError):
    """A rules file is invalid; the message names the file and the key. `key` and `what` say the same apart."""

    def __init__(self, message: str, key: str = "", what: str = "") -> None:
        super().__init__(message)
        self.key = key
        self.what = what


class Entry:
    """One table of a rules file, read key by key; `done` refuses keys that were not read."""

    def __init__(self, values: Mapping[str, Any], file: str, key: str = "") -> None:
        self._values = dict(values)
        self._file = file
        self._key = key

    def error(self, key: str, what: str) -> DataFileError:
        """A DataFileError for `key` of this table."""
        return DataFileError(f"{self._file}: {self._at(key)} {what}", self._at(key), what)

    def _at(self, key: str) -> str:
        return f"{self._key}.{key}" if self._key and key else key or self._key or "the file"

    def _take(self, key: str, kind: type[Value], called: str) -> Value:
        if key not in self._values:
            raise self.error(key, "is missing")
        value = self._values.pop(key)
        # bool is a subclass of int, but not a valid whole number here.
        if type(value) is not kind:
            raise self.error(key, f"must be {called}, not {value!r}")
        return value

    def has(self, key: str) -> bool:
        """Whether the table has `key` and it was not read yet."""
        return key in self._values

    def text(self, key: str) -> str:
        value = self._take(key, str, "a text")
        if not value:
            raise self.error(key, "must not be empty")
        return value

    def number(self, key: str, *, least: int = 0) -> int:
        value = self._take(key, int, "a whole number")
        if value < least:
            raise self.error(key, f"must be at least {least}, not {value}")
        return value

    def given(self, key: str) -> Any:
        """The raw value at `key`, for the caller to check."""
        return self._take(key, type(self._values.get(key)), "a value")

    def flag(self, key: str) -> bool:
        return self._take(key, bool, "true or false")

    def day(self, key: str) -> date:
        return self._take(key, date, "a date")

    def in_force_from(self) -> date | None:
        """The first day of a document's rules, None where it prints none: then they are in force (ruling 59)."""
        return self.day("in_force_from") if self.has("in_force_from") else None

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            raise self.error(key, f"is {value!r}, not one of {', '.join(allowed)}")
        return value

    def texts(self, key: str, allowed: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of distinct texts, each one of `allowed` where given."""
        values = self._take(key, list, "a list")
        for value in values:
            if type(value) is not str or (allowed is not None and value not in allowed):
                raise self.error(key, f"holds {value!r}" + (f", not one of {allowed}" if allowed else ""))
        if len(set(values)) != len(values):
            raise self.error(key, "names one thing twice")
        return tuple(values)

    def values(self, key: str) -> tuple[str | int | bool, ...]:
        """A list of the values a choice may take: texts, whole numbers or flags, at least one."""
        values = self._take(key, list, "a list")
        if not values or any(type(value) not in (str, int, bool) for value in values):
            raise self.error(key, "must hold texts, whole numbers or flags, at least one")
        return tuple(values)

    def table(self, key: str) -> "Entry":
        return Entry(self._take(key, dict, "a table"), self._file, self._at(key))

    def tables(self, key: str) -> list["Entry"]:
        """A list of tables (`[[key]]`), none where the key is left out."""
        if not self.has(key):
            return []
        values = self._take(key, list, "a list of tables")
        if any(not isinstance(value, dict) for value in values):
            raise self.error(key, "must be a list of tables")
        return [Entry(value, self._file, f"{self._at(key)}[{i}]") for i, value in enumerate(values)]

    def names(self) -> tuple[str, ...]:
        """The keys that were not read yet, in the order of the file."""
        return tuple(self._values)

    def parsed(self, key: str, parse: Callable[[str], Value]) -> Value:
        """A text run through `parse`, whose ValueError becomes an error at this key."""
        text = self.text(key)
        try:
            return parse(text)
        except ValueError as error:
            raise self.error(key, str(error)) from None

    def done(self) -> None:
        """Refuse every key that was not read."""
        for key in self._values:
            raise self.error(key, "is not a key that belongs here")


def read_data_file(path: Path) -> Entry:
    """The whole of a TOML file as one entry; DataFileError when it is missing or no TOML."""
    return Entry(load_data_file(path), path.name)


def load_data_file(path: Path) -> dict[str, Any]:
    """The data of a TOML file as it is written; DataFileError when it is missing or no TOML."""
    try:
        return _loaded(path.read_bytes(), path.name)
    except FileNotFoundError:
        raise DataFileError(f"{path.name}: there is no such rules file") from None


def read_data(data: bytes, file: str) -> Entry:
    """The bytes of a TOML file called `file` as one entry; DataFileError when they are no TOML."""
    return Entry(_loaded(data, file), file)


def _loaded(data: bytes, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise DataFileError(f"{file}: the file is no text in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DataFileError(f"{file}: {error}") from None
