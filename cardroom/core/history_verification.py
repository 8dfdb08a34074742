"""Verifies histories (django-simple-history): a row equals the newest entry of its history, and a row deleted there is gone.

What `manage.py` or a file sets up (people, rooms, players) has a history (django-simple-history) and no command. Whoever changes
such a row past the application leaves its history behind; whoever changes both has to find each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Model
from simple_history.utils import get_history_manager_for_model

_GONE, _MADE = "-", "+"


class HistoryBreak(NamedTuple):
    """A row that is not what its history says, and how."""

    model: str
    id: Any
    what: str

    def __str__(self) -> str:
        return f"{self.model} {self.id}: {self.what}"


def models_with_history() -> list[type[Model]]:
    """Return every model that has a history."""
    found = {
        tracked
        for model in apps.get_models()
        if (tracked := getattr(model, "instance_type", None)) is not None
    }
    return sorted(found, key=lambda model: model._meta.label)


def histories_verify(models: Iterable[type[Model]] | None = None) -> Iterator[HistoryBreak]:
    """Yield every row that is not what its history says; asked inside one snapshot of the database."""
    for model in models_with_history() if models is None else models:
        yield from _breaks(model)


def _breaks(model: type[Model]) -> Iterator[HistoryBreak]:
    history = get_history_manager_for_model(model).model
    names = [field.attname for field in history.tracked_fields]
    name = model._meta.label
    newest: dict[Any, tuple[Any, ...]] = {}
    entries = history._base_manager.order_by("pk").values_list(
        "pk", "history_type", model._meta.pk.attname, *names
    )
    for entry, kind, pk, *values in entries.iterator(chunk_size=2000):
        before = newest.get(pk)
        if (kind == _MADE) != (before is None or before[1] == _GONE):
            yield HistoryBreak(
                history._meta.label,
                entry,
                f"says {kind!r} of {name} {pk}, which does not follow from the entry before it",
            )
        newest[pk] = (entry, kind, values)
    rows = model._base_manager.order_by("pk").values_list("pk", *names)
    for pk, *values in rows.iterator(chunk_size=2000):
        entry, kind, known = newest.pop(pk, (None, _GONE, None))
        if kind == _GONE:
            yield HistoryBreak(name, pk, "has no history: it was not made through the application")
            continue
        for column, now, was in zip(names, values, known, strict=True):
            if now != was:
                yield HistoryBreak(name, pk, f"{column} is not what entry {entry} of its history says")
    for pk, (entry, kind, _) in newest.items():
        if kind != _GONE:
            yield HistoryBreak(name, pk, f"entry {entry} of its history names it, and it is gone")
