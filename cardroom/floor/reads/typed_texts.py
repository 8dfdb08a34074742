"""Query on texts that people typed in which a player's names stand: erasing the names does not reach them.

A name is erased where it stands (`cardroom.people.names`). What somebody wrote beside a fact is a record of its own, kept as it was
written: this finds it, so that whoever erases sees what stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, TypedDict

from django.apps import apps
from django.db import models
from django.db.models import Q

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant
from cardroom.people.models import Exclusion, Player, PlayerName
from cardroom.people.players import same_person

#: The columns that hold what somebody typed, in any table of a room; and the documents that repeat it.
TYPED: Final = frozenset(
    {
        *("camera", "claim", "correction_reason", "lifted_reason", "name", "note", "purpose", "reason", "reference"),
        *("rests_on", "retired_why", "review_found", "state_reference", "text", "title", "to", "url", "void_reason", "work"),
    }
)  # fmt: skip
DOCUMENTS: Final = {"floor.JournalEntry": "data", "inbox.Item": "figures"}
#: The place of the names themselves.
NAMES_STAND_IN: Final = (Player, PlayerName)
#: So many texts are named at most: the first ones.
MOST: Final = 200


class TypedText(TypedDict):
    """A text in which a name stands, and of which record it is."""

    record: Annotated[str, "Of what kind the record is."]
    id: int
    column: str
    at: Annotated[Instant | None, "When the record was made; null where it says no time."]
    text: Annotated[str, "Empty where not everybody who erases may read it: why somebody may not play."]


def texts_naming(player: Player) -> list[TypedText]:
    """Return the typed texts of the room in which a name of the person stands, by kind of record, at most `MOST`."""
    names = _names_of(player)
    if not names:
        return []
    said = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE)
    found: list[TypedText] = []
    for model in typed_models():
        for row, column, text in _rows_naming(model, player.room_id, names):
            if said.search(text):
                found.append(_typed_text(row, column, text))
            if len(found) == MOST:
                return found
    return found


def typed_models() -> list[type[models.Model]]:
    """Return the tables of a room that hold typed texts, by name."""
    every = (model for model in apps.get_models() if model.__module__.startswith("cardroom."))
    of_room = (model for model in every if any(each.name == "room" for each in model._meta.concrete_fields))
    return sorted(
        (
            model
            for model in of_room
            if not hasattr(model, "instance_type") and model not in NAMES_STAND_IN and typed_columns(model)
        ),
        key=lambda model: model._meta.label,
    )


def typed_columns(model: type[models.Model]) -> list[str]:
    """Return the columns of a table in which typed texts stand."""
    columns = [
        each.name
        for each in model._meta.concrete_fields
        if each.name in TYPED and isinstance(each, (models.CharField, models.TextField)) and not each.choices
    ]
    document = DOCUMENTS.get(model._meta.label)
    return [*columns, *([document] if document else [])]


def _names_of(player: Player) -> list[str]:
    """Every name of the person that a room gave, those of before too, without the numbers that tell two apart; longer ones first."""
    entries = Player.objects.filter(same_person(player), is_guest=False, erased_at__isnull=True)
    before = PlayerName.objects.filter(same_person(player, "player__"))
    pairs = [
        *entries.values_list("name", "other_name", "number"),
        *before.values_list("name", "other_name", "player__number"),
    ]
    names = {each.removesuffix(f" #{number}") for *both, number in pairs for each in both if each}
    return sorted(names, key=lambda name: (-len(name), name))


def _rows_naming(
    model: type[models.Model], room: int, names: Iterable[str]
) -> Iterator[tuple[models.Model, str, str]]:
    columns = typed_columns(model)
    has = Q()
    for column in columns:
        for name in names:
            has |= Q(**{f"{column}__icontains": name})
            if (
                column in DOCUMENTS.values()
            ):  # as a database without a type for JSON writes other letters than ASCII
                has |= Q(**{f"{column}__icontains": json.dumps(name)[1:-1]})
    for row in model._base_manager.filter(has, room=room).order_by("pk")[:MOST]:
        for column in columns:
            value = getattr(row, column)
            yield row, column, value if isinstance(value, str) else " · ".join(_texts_in(value))


def _texts_in(document: Any) -> Iterator[str]:
    """The texts of a document, wherever they stand in it."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for value in document.values():
            yield from _texts_in(value)
    elif isinstance(document, list):
        for value in document:
            yield from _texts_in(value)


def _typed_text(row: models.Model, column: str, text: str) -> TypedText:
    times = (each.attname for each in row._meta.concrete_fields if isinstance(each, models.DateTimeField))
    at = next((value for name in times if (value := getattr(row, name)) is not None), None)
    return {
        "record": str(row._meta.verbose_name),
        "id": row.pk,
        "column": column.replace("_", " "),
        "at": utc_text(at),
        "text": "" if isinstance(row, Exclusion) else text,
    }
