"""Reads request bodies and query strings by the types that are declared (`cardroom.core.json_types`), strictly.

Nothing is guessed: a whole number is a JSON number without a fraction, no text, no true and false; text has no characters that
nobody sees (controls, line ends, zero-width and bidirectional ones); a key that is not declared is refused. The first mistake is
reported with its code, a sentence and its path (`positions[0].wagers.ante`).
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, NoReturn

from django.utils.dateparse import parse_date
from rest_framework.request import Request

from cardroom.core.json_types import (
    Base64,
    ByKey,
    Day,
    Field,
    Flag,
    Group,
    Json,
    Many,
    OneOf,
    Secret,
    Signature,
    Text,
    Whole,
    group_of,
)
from cardroom.core.names import why_no_text
from cardroom.floor.errors import BadInput
from cardroom.people.approval import Approver
from cardroom.rooms.gaming_day import why_no_day

#: Who signs, as a body has it.
APPROVER = group_of(Approver)


def read_body(fields: Sequence[Field], request: Request) -> dict[str, Any]:
    """Return by name what the body says. Raises BadInput (400)."""
    return _read_object(fields, request.data, "")


def read_query(fields: Sequence[Field], request: Request) -> dict[str, Any]:
    """Return by name what the query string says. Raises BadInput (400)."""
    numbers = {each.key for each in fields if isinstance(each.kind, Whole)}
    given = {
        key: _number(value, key) if key in numbers else value
        for key, value in request.query_params.dict().items()
    }
    return _read_object(fields, given, "")


def read_sheet(request: Request) -> dict[str, Any]:
    """Return the body as it came, for the engine to read; what is no object could be no sheet."""
    if not isinstance(request.data, dict):
        _refuse("wrong_type", f"A round sheet is an object, not {_named(request.data)}.", "")
    return request.data


def _read_object(fields: Sequence[Field], data: Any, path: str) -> dict[str, Any]:
    data = _object(data, path)
    known = [each.key for each in fields]
    for key in data:
        if key not in known:
            message = f"There is no key {key!r} here. Known keys: {', '.join(known) or 'none'}."
            _refuse("unknown_key", message, _under(path, key))
    values = {}
    for each in fields:
        here = _under(path, each.key)
        if each.key in data:
            values[each.name] = _read(each, data[each.key], here)
        elif each.required:
            _refuse("missing_key", "This field is required.", here)
        elif each.default is not None:  # written out or left out, it is the same command
            values[each.name] = each.default
    return values


def _read(field: Field, value: Any, path: str) -> Any:
    """Return one value as its command takes it."""
    if value is None:
        # A second person is left out, never null.
        if field.nullable and not isinstance(field.kind, Signature):
            return None
        _refuse("wrong_type", "This field may not be null.", path)
    match field.kind:
        case Group():
            return _read_object(field.kind.fields, value, path)
        case Signature():
            return _read_object(APPROVER.fields, value, path)
        case Many():
            return _read_many(field.kind, value, path)
        case ByKey(child):
            rows = _object(value, path)
            return {key: _read(child, inner, _under(path, key)) for key, inner in rows.items()}
    return _read_plain(field, value, path)


def _read_plain(field: Field, value: Any, path: str) -> Any:
    match field.kind:
        case Whole():
            return _read_whole(field.kind, value, path)
        case Text():
            return _read_text(field.kind, value, path)
        case OneOf():
            return _read_word(field.kind, value, path)
        case Day():
            return _read_day(value, path)
        case Json():
            return _object(value, path)
        case Flag():
            if not isinstance(value, bool):
                _refuse("wrong_type", f"Expected true or false, not {_named(value)}.", path)
            return value
    raise TypeError(f"no body holds {field.name}: {field.kind}")


def _object(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _refuse("wrong_type", f"Expected an object, not {_named(value)}.", path)
    return value


def _read_whole(kind: Whole, value: Any, path: str) -> int:
    if type(value) is not int:
        _refuse("wrong_type", f"Expected a whole number, not {_named(value)}.", path)
    if kind.most is not None and value > kind.most:
        _refuse("out_of_range", f"Ensure this value is less than or equal to {kind.most}.", path)
    if kind.least is not None and value < kind.least:
        _refuse("out_of_range", f"Ensure this value is greater than or equal to {kind.least}.", path)
    return value


def _read_text(kind: Text, value: Any, path: str) -> str:
    if not isinstance(value, str):
        _refuse("wrong_type", f"Expected text, not {_named(value)}.", path)
    text = value if isinstance(kind, Secret) else value.strip()
    if not text:
        return text if kind.blank else _refuse("empty", "This field may not be blank.", path)
    if why := why_no_text(value):
        _refuse("bad_text", why, path)
    if isinstance(kind, Base64) and len(text) > (kind.most or 0):
        _refuse("too_large", f"A file of at most {kind.most_bytes:,} bytes is taken here.", path)
    if kind.most is not None and len(text) > kind.most:
        _refuse("too_long", f"Ensure this field has no more than {kind.most} characters.", path)
    return text


def _read_word(kind: OneOf, value: Any, path: str) -> str:
    if not isinstance(value, str):
        _refuse("wrong_type", f"Expected text, not {_named(value)}.", path)
    if value not in dict(kind.pairs):
        _refuse("unknown_choice", f'"{value}" is not a valid choice.', path)
    return value


def _read_day(value: Any, path: str) -> datetime.date:
    try:
        day = parse_date(value)
    except (TypeError, ValueError):
        day = None
    if day is None:
        message = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD."
        _refuse("wrong_type", message, path)
    if why := why_no_day(day):
        _refuse("out_of_range", why, path)
    return day


def _read_many(kind: Many, value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        _refuse("wrong_type", f'Expected a list of items but got type "{type(value).__name__}".', path)
    if not value and kind.least and isinstance(kind.child.kind, Group):
        _refuse("empty", "This list may not be empty.", path)
    if len(value) < kind.least:
        _refuse("too_short", f"Ensure this field has at least {kind.least} elements.", path)
    if kind.most is not None and len(value) > kind.most:
        _refuse("too_long", f"Ensure this field has no more than {kind.most} elements.", path)
    return [_read(kind.child, inner, f"{path}[{index}]") for index, inner in enumerate(value)]


def _number(text: str, path: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        _refuse("wrong_type", "Expected a whole number.", path)
    return int(text)


def _refuse(code: str, message: str, path: str) -> NoReturn:
    raise BadInput(code, message, path=path, status=400)


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _named(value: Any) -> str:
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number with a fraction",
        str: "text",
        list: "a list",
    }
    return "null" if value is None else kinds.get(type(value), "an object")
