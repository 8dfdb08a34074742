"""Columns of the admin in words: dollars instead of cents, documents as lists instead of JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.money import dollars

Shown = Callable[[Any], Any]

#: Parts of a round's documents whose numbers are cents, as in a round sheet.
_OF_CENTS = frozenset({"wager", "wagers", "tips"})


def in_words(model: type[models.Model], name: Any) -> Any:
    """Return how a field is shown: for cents and documents a function of the row, any other name as it is."""
    if not isinstance(name, str):
        return name
    try:
        field = model._meta.get_field(name)
    except FieldDoesNotExist:
        return name
    if isinstance(field, models.IntegerField) and (name == "cents" or name.endswith("_cents")):
        return _column(
            field, lambda row: None if (cents := getattr(row, name)) is None else dollars(cents), order=name
        )
    if isinstance(field, models.JSONField):
        return _column(field, lambda row: format_document(getattr(row, name)))
    return name


def _column(field: Any, show: Shown, order: str | None = None) -> Shown:
    """A column under the field's own name, without "cents", sorted as the field is."""
    label = str(field.verbose_name).removesuffix("cents").strip() or "amount"
    shown: Shown = admin.display(description=label, ordering=order, empty_value="–")(show)
    # One address of a column for each field: lists find what they sort by its name.
    shown.__name__ = field.name
    return shown


def format_document(value: Any, name: str = "") -> str | SafeString:
    """Return a document as nested lists: names as words, cents as dollars, nothing as a dash."""
    if isinstance(value, Mapping):
        lines = [
            (_words(key), format_document(each, name if name in _OF_CENTS else key))
            for key, each in value.items()
        ]
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}: {}</li>", lines)) if lines else "–"
    if isinstance(value, list):
        if not any(isinstance(each, Mapping | list) for each in value):
            return ", ".join(str(format_document(each, name)) for each in value) or "–"
        each_shown = ((format_document(each, name),) for each in value)
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{}</li>", each_shown))
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and (name in _OF_CENTS or name == "cents" or name.endswith("_cents")):
        return dollars(value)
    return str(value)


def _words(key: str) -> str:
    return str(key).removesuffix("_cents").replace("_", " ")
