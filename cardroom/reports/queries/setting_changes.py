"""Queries on changes of settings: element, before, after, when and who (11 VAC 20-20-240), from the models' histories.

Every model of the project with a history and a room of its own is looked at, and the room itself and its people; a
model that comes later needs no word here. Rules by which tips are shared keep no history, since one follows the
other, and decks none, since they come to a table and are retired.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Field, ForeignKey, Model, Q

from cardroom.documents.document import Kind
from cardroom.documents.formatting import formatted
from cardroom.filings.models import FeeSchedule
from cardroom.floor.models import Deck
from cardroom.people.models import Employment, Player, Staff
from cardroom.rooms.models import Room
from cardroom.tips.models import PoolRule
from cardroom.tips.reads.rules import format_rule
from fees import diff
from fees.errors import ScheduleRefused
from games.money import dollars

ADDED, CHANGED, REMOVED = "added", "changed", "removed"
DECK, TIP_RULE = "deck", "rule for tips"
_KINDS = {"+": ADDED, "~": CHANGED, "-": REMOVED}
#: Not settings: the key, and what a person's account holds for the framework alone.
_LEFT_OUT = frozenset(
    {"id", "room", "date_joined", "last_login", "password", "created_at", "revision", "edited_by"}
)
_LONGEST = 200


@dataclasses.dataclass(frozen=True)
class Change:
    """One element of one row that was changed; of a row that was added or removed, all of it.

    `kind` is what the model calls its rows ("table"), `row` the row's name, `pk` its key; `by` is empty where no user
    was signed in: management commands.
    """

    at: datetime.datetime
    kind: str
    row: str
    pk: int
    what: str
    element: str
    before: str
    after: str
    by: str
    reason: str


def changes_of(room: Room, since: datetime.datetime, until: datetime.datetime) -> list[Change]:
    """Return what was changed in `room` from `since` until `until` (UTC, excluded), in the order in which it was."""
    found = [change for model in kept_models() for change in changes_of_model(model, room, since, until)]
    found += [*_tip_rules(room, since, until), *_decks(room, since, until)]
    return sorted(found, key=lambda change: (change.at, change.kind, change.pk))


def kept_models() -> list[type[Model]]:
    """Return the models of a room with a history, by their names."""
    kept = [
        model
        for model in apps.get_models()
        # Rules for tips are given in words.
        if hasattr(model, "history")
        and model is not PoolRule
        and (model in (Room, Staff) or _has_room(model))
    ]
    return sorted(kept, key=lambda model: str(model._meta.verbose_name))


def _tip_rules(room: Room, since: datetime.datetime, until: datetime.datetime) -> Iterator[Change]:
    """Return the rules for tips that were filed, each against the one filed before it, and those that were withdrawn."""
    before: Any = None
    commands = PoolRule.history.filter(
        room_id=room.pk, history_date__lt=until, status__in=(PoolRule.Status.FILED, PoolRule.Status.WITHDRAWN)
    )
    for rule in commands.select_related("history_user").order_by("history_date", "history_id"):
        gone = rule.status == PoolRule.Status.WITHDRAWN
        after = None if gone else rule
        if rule.history_date >= since:
            yield Change(
                at=rule.history_date,
                kind=TIP_RULE,
                row=rule.title,
                pk=rule.id,
                what=REMOVED if gone else ADDED,
                element=f"from gaming day {rule.effective_to if gone else rule.effective_from}",
                before=format_rule(rule if gone else before),
                after=format_rule(after),
                by=str(rule.history_user),
                reason=rule.history_change_reason if gone else "",
            )
        before = after


def _decks(room: Room, since: datetime.datetime, until: datetime.datetime) -> Iterator[Change]:
    """Return the decks that were put on tables, and those that were retired."""
    there = Deck.objects.filter(room=room).select_related("table", "placed_by", "retired_by")
    for name, person, what in (("placed_at", "placed_by", ADDED), ("retired_at", "retired_by", REMOVED)):
        for deck in there.filter(**{f"{name}__gte": since, f"{name}__lt": until}):
            yield Change(
                at=getattr(deck, name),
                kind=DECK,
                row=f"{deck}, {str(deck.table).lower()}",
                pk=deck.pk,
                what=what,
                element="",
                before="",
                after="",
                by=str(getattr(deck, person)),
                reason=deck.retired_why if what == REMOVED else "",
            )


def changes_of_model(
    model: type[Model], room: Room, since: datetime.datetime, until: datetime.datetime
) -> Iterator[Change]:
    """Return the changes of the rows of one model in a room; three queries, however many there are."""
    history = model.history.model._default_manager.filter(_scope(model, room))  # type: ignore[attr-defined]
    rows = list(
        history.filter(history_date__gte=since, history_date__lt=until)
        .select_related("history_user")
        .order_by("history_date", "history_id")
    )
    earlier = history.filter(id__in={row.id for row in rows}, history_date__lt=since)
    last: dict[int, Any] = {row.id: row for row in earlier.order_by("history_date", "history_id")}
    names = _Names(model, [*rows, *last.values()], room)
    for row in rows:
        before = last.get(row.id)
        yield from _changes(model, before, row, names)
        last[row.id] = row


def _has_room(model: type[Model]) -> bool:
    return any(field.name == "room" for field in model._meta.fields)


def _scope(model: type[Model], room: Room) -> Q:
    """The condition on histories that a row belongs to the room: people do who have held a role there."""
    if model is Room:
        return Q(id=room.pk)
    if model is Staff:
        employments = Employment.history.filter(room_id=room.pk)
        return Q(id__in=employments.values_list("staff_id", flat=True))
    return Q(room_id=room.pk)


def _changes(model: type[Model], before: Any, row: Any, names: _Names) -> Iterator[Change]:
    what = _KINDS[row.history_type]
    common = {
        "at": row.history_date,
        "kind": str(model._meta.verbose_name),
        "row": names.row(row),
        "pk": row.id,
        "by": "" if row.history_user is None else str(row.history_user),
        "reason": row.history_change_reason or "",
    }
    if what != CHANGED:
        yield Change(**common, what=what, element="", before="", after="")
        return
    for field in _settings(model):
        now = getattr(row, field.attname)
        was = None if before is None else getattr(before, field.attname)
        if before is not None and was != now:
            if isinstance(was, dict) and isinstance(now, dict):
                if model is FeeSchedule and (charges := _charged(was, now)):
                    for each in charges:
                        yield Change(
                            **common, what=what, element=each.what, before=each.before, after=each.after
                        )
                    continue
                was, now = _apart(was, now), _apart(now, was)
            yield Change(
                **common,
                what=what,
                element=str(field.verbose_name),
                before=names.value(field, was),
                after=names.value(field, now),
            )


def _settings(model: type[Model]) -> Iterable[Field[Any, Any]]:
    """The fields of a model that its history keeps and that are settings."""
    kept = {field.name for field in model.history.model._meta.fields}  # type: ignore[attr-defined]
    return [field for field in model._meta.fields if field.name in kept and field.name not in _LEFT_OUT]


def _charged(was: Mapping[str, Any], now: Mapping[str, Any]) -> Sequence[diff.Change]:
    """What a schedule charges otherwise, line by line; nothing where one of the two cannot be read yet."""
    try:
        return diff.changes(was, now)
    except ScheduleRefused:
        return ()


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What one document says otherwise than the other, or alone."""
    return {key: value for key, value in one.items() if key not in other or other[key] != value}


class _Names:
    """What rows and values are called: rows that are referred to are read once a model."""

    def __init__(self, model: type[Model], rows: Iterable[Any], room: Room) -> None:
        self._zone, self._model = room.zone, model
        self._referred: dict[str, Mapping[int, Any]] = {}
        rows = list(rows)
        for field in _settings(model):
            if isinstance(field, ForeignKey):
                wanted = {getattr(row, field.attname) for row in rows} - {None}
                to = field.related_model
                assert not isinstance(to, str)
                self._referred[field.name] = to._default_manager.in_bulk(wanted) if wanted else {}

    def row(self, row: Any) -> str:
        """What a row was called then; its own words need rows of others, which may be gone."""
        if self._model is Player:
            return f"player:{row.id}"
        role = getattr(row, "role", None)
        if role is not None and "staff" in self._referred:
            return f"{self._name('staff', row.staff_id)}, {role.replace('_', ' ')}"
        for name in ("name", "title", "display_name", "username", "number"):
            if called := getattr(row, name, None):
                version = getattr(row, "version", None)
                return f"{called}, version {version}" if version else str(called)
        return f"number {row.id}"

    def value(self, field: Field[Any, Any], value: Any) -> str:
        """A value in words: money with its unit, what is empty as nothing."""
        if value is None or value == "" or field.name == "name_digest":
            return ""
        if field.name in self._referred:
            return self._name(field.name, value)
        if field.name.endswith("_cents") and isinstance(value, int):
            return dollars(value)
        if isinstance(value, datetime.datetime):
            return formatted(value, Kind.INSTANT, self._zone)
        if isinstance(value, bool):
            return "yes" if value else "no"
        text = (
            json.dumps(value, sort_keys=True, ensure_ascii=False)
            if isinstance(value, dict | list)
            else str(value)
        )
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

    def _name(self, field: str, pk: int) -> str:
        found = self._referred[field].get(pk)
        if isinstance(found, Player):
            return found.ref
        return f"number {pk}" if found is None else str(found)
