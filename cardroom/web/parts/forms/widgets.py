"""Renderer of the table page's forms: the markup of a widget is rendered once and kept by what its template reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from django.forms.renderers import BaseRenderer, get_default_renderer
from django.http import HttpRequest
from django.utils import translation

#: Kept pieces of markup, after which all are dropped: some hundred for a table, and a few for each value that is typed.
MOST_KEPT = 20_000


class KeptWidgets(BaseRenderer):
    """Django's renderer of widgets, each asked once for the same template, context and language.

    A table page draws dozens of inputs, most of them alike on every table and after every command: the same names, classes
    and empty values. A widget's template reads nothing but its context, so that context is the key, whole.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, str] = {}

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> str:
        key = template_name, translation.get_language(), _as_key(context)
        if (markup := self._kept.get(key)) is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            markup = self._kept[key] = get_default_renderer().render(template_name, context, request)
        return markup

    def get_template(self, template_name: str) -> Any:
        return get_default_renderer().get_template(template_name)


def _as_key(value: Any) -> Hashable:
    """A value that a template reads, as part of a key: with its type, as 1 and True, a text and safe markup differ."""
    if isinstance(value, Mapping):
        return tuple((name, _as_key(each)) for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_as_key(each) for each in value)
    return type(value), str(value)
