"""URL path converters (`register_converter`): ids and seats as numbers; anything else does not match (404)."""

from __future__ import annotations

import functools

from django.urls import register_converter


class IdConverter:
    """The id of a row: short enough for the database's big integers."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class SeatConverter(IdConverter):
    """A seat number. Which seats there are is the rulebook's to say."""

    regex = "[1-9][0-9]?"


class BehindConverter(IdConverter):
    """A place on the back line of a spot."""

    regex = "[1-7]"


@functools.cache
def register() -> None:
    """Register the converters `<id:…>`, `<seat:…>` and `<behind:…>`."""
    register_converter(IdConverter, "id")
    register_converter(SeatConverter, "seat")
    register_converter(BehindConverter, "behind")
