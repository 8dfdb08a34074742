"""Writes data as TOML text, which `tomllib` reads back to the same data: for files that people read and edit."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(table: Mapping[str, Any]) -> str:
    """Return `table` as TOML: its values in their order, then its tables, then its lists of tables, each indented.

    Values are texts, whole numbers, true and false, days, times of day and lists of those; ValueError for others.
    """
    return "\n".join(_lines(table, (), "")).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...], indent: str) -> Iterator[str]:
    for key, value in table.items():
        if not _is_table(value) and not _is_tables(value):
            yield f"{indent}{_key(key)} = {_value(value)}"
    for key, value in table.items():
        here = (*path, key)
        deeper = indent + "  " if path else indent
        if _is_table(value):
            yield ""
            yield f"{deeper}[{'.'.join(map(_key, here))}]"
            yield from _lines(value, here, deeper)
        elif _is_tables(value):
            for each in value:
                yield ""
                yield f"{deeper}[[{'.'.join(map(_key, here))}]]"
                yield from _lines(each, here, deeper)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, datetime.time) and value.tzinfo is None:
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    raise ValueError(f"{value!r} cannot be written as TOML")


def _text(text: str) -> str:
    # A JSON string is a TOML string with two exceptions: TOML escapes DEL, and has no surrogates.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
