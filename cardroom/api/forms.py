"""What the API reads: forms with strict types. A form refuses keys that it does not know, and guesses nothing.

A whole number is a JSON number without a fraction: no text, no true and false. Text has no
characters that nobody sees (controls, line ends, zero-width and bidirectional ones).
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.settings import api_settings

from cardroom.core.json_types import MOST_CENTS
from cardroom.core.names import why_no_text
from cardroom.rooms.gaming_day import why_no_day

#: Ids fit the database's big integers.
MOST_ID = 2**63 - 1
MOST_SEATS = 99

#: The framework's codes of a form error that this API renames; all others are called the same.
_CODES = {
    "invalid": "wrong_type",
    "null": "wrong_type",
    "not_a_list": "wrong_type",
    "required": "missing_key",
    "min_value": "out_of_range",
    "max_value": "out_of_range",
    "max_length": "too_long",
    "min_length": "too_short",
    "invalid_choice": "unknown_choice",
    "blank": "empty",
    "surrogate_characters_not_allowed": "bad_text",
    "null_characters_not_allowed": "bad_text",
}


class Form(serializers.Serializer[Any]):
    """A JSON object with exactly these keys."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            message = ErrorDetail(f"Expected an object, not {_kind(data)}.", code="wrong_type")
            raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [message]})
        for key in data:
            if key not in self.fields:
                known = ", ".join(self.fields) or "none"
                message = ErrorDetail(
                    f"There is no key {key!r} here. Known keys: {known}.", code="unknown_key"
                )
                raise ValidationError({key: [message]})
        return super().to_internal_value(data)


class Nothing(Form):
    """No body, or an empty object."""


class Whole(serializers.IntegerField):
    """A whole number."""

    default_error_messages = {"whole": "Expected a whole number, not {kind}."}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise ValidationError(self.error_messages["whole"].format(kind=_kind(data)), code="wrong_type")
        return data


class Cents(Whole):
    """An amount in cents. Whether it may be 0, negative or this large in its place is for the rules to say."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": -MOST_CENTS, "max_value": MOST_CENTS, **kwargs})


class Id(Whole):
    """The id of a row."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=MOST_ID, **kwargs)


class Flag(serializers.BooleanField):
    """true or false, and nothing that looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise ValidationError(f"Expected true or false, not {_kind(data)}.", code="wrong_type")
        return data


class Words(serializers.CharField):
    """Text on one line, all of which can be seen."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError(f"Expected text, not {_kind(data)}.", code="wrong_type")
        if why := why_no_text(data):
            raise ValidationError(why, code="bad_text")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of a few words."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            raise ValidationError(f"Expected text, not {_kind(data)}.", code="wrong_type")
        return super().to_internal_value(data)


@extend_schema_field({"type": "object", "additionalProperties": {}})
class Document(serializers.JSONField):
    """A JSON object whose keys another part knows (the engine, for options)."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError(f"Expected an object, not {_kind(data)}.", code="wrong_type")
        return data


class ByWager(serializers.DictField):
    """Something for each wager, by the wager's id."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError(f"Expected an object, not {_kind(data)}.", code="wrong_type")
        return super().to_internal_value(data)


class Day(serializers.DateField):
    """A day that something can be asked or filed of: far from the ends of the calendar, past which nothing is counted."""

    def to_internal_value(self, value: Any) -> datetime.date:
        day = super().to_internal_value(value)
        if why := why_no_day(day):
            raise ValidationError(why, code="out_of_range")
        return day


class AddressNumber(serializers.IntegerField):
    """A whole number in an address's query."""

    def to_internal_value(self, data: Any) -> int:
        if not (isinstance(data, str) and data.isascii() and data.isdigit() and len(data) <= 18):
            raise ValidationError("Expected a whole number.", code="wrong_type")
        return int(data)


def read(form: type[Form], request: Request) -> dict[str, Any]:
    """Return what the body of `request` says, by `form`; raises DRF's ValidationError."""
    return _read(form, request.data)


def read_query(form: type[Form], request: Request) -> dict[str, Any]:
    """Return what the query of the address says, by `form`; raises DRF's ValidationError."""
    return _read(form, request.query_params.dict())


def read_sheet_document(request: Request) -> dict[str, Any]:
    """Return the body as it came, for the engine to read; what is no object could be no sheet."""
    if not isinstance(request.data, dict):
        message = f"A round sheet is an object, not {_kind(request.data)}."
        raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [ErrorDetail(message, code="wrong_type")]})
    return request.data


def error_code(code: str | None) -> str:
    """Return this API's name for a form error that the framework calls `code`."""
    return _CODES.get(code or "", code or "refused")


def _read(form: type[Form], data: Any) -> dict[str, Any]:
    filled = form(data=data)
    filled.is_valid(raise_exception=True)
    values: dict[str, Any] = filled.validated_data
    return values


def _kind(value: Any) -> str:
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number with a fraction",
        str: "text",
        list: "a list",
    }
    return "null" if value is None else kinds.get(type(value), "an object")
