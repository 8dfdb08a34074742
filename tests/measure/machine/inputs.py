"""Inputs of declared commands, drawn by their kinds: a new command is played without a change here.

An id is drawn from the rows that there are, by the input's name; what has a shape of its own (a round sheet, a fee schedule)
is the command's own example. What a kind forbids is never drawn: the API refuses it before a command sees it.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from typing import Any

from django.apps import apps
from hypothesis import strategies as st

from cardroom.core.commands import Declaration
from cardroom.core.json_types import (
    ByKey,
    Day,
    Digest,
    Document,
    Field,
    Flag,
    Group,
    Json,
    Many,
    Money,
    OneOf,
    Signature,
    Text,
    Whole,
)
from cardroom.people.models import Role, Staff
from tests.cast import BANK_HAND, HANDS, Cast, sheet

#: Of which model an input is that no model's name ends with.
_NAMED = {
    "corrects": "drop.CountSheet",
    "dealer": "people.Staff",
    "relieves": "people.Staff",
    "replaces": "floor.Relief",
    "dealer_id": "people.Staff",
    "entry_id": "floor.WaitingEntry",
    "game_id": "filings.GameFiling",
    "levy_id": "filings.Levy",
    "into_id": "people.Player",
    "owner_id": "people.Staff",
    "session_id": "usersessions.UserSession",
    "shift": "floor.Shift",
    "table": "floor.Table",
    "to_player_id": "people.Player",
}


@functools.cache
def model_of(name: str) -> str | None:
    """Of which model an input is the id, by its name: `call_id` of `ChipCall`; None for one that is no id."""
    if name in _NAMED or not name.endswith("_id"):
        return _NAMED.get(name)
    ends = "".join(part.capitalize() for part in name.removesuffix("_id").split("_"))
    models = [
        model
        for model in apps.get_models()
        if model.__module__.startswith("cardroom.") and not hasattr(model, "instance_type")
    ]
    found = [model for model in models if model.__name__ == ends]
    found = found or [model for model in models if model.__name__.endswith(ends)]
    return str(found[0]._meta.label) if len(found) == 1 else None


#: Keys of objects with any keys, by the name of the input.
KEYS = {
    "wagers": ("ante", "pair_plus", "six_card_bonus", "progressive"),
    "tips": ("ante", "pair_plus"),
    "wager_limits": ("ante", "pair_plus"),
    "chips": ("100", "500", "2500"),
    "hands": ("player_hand",),
    "options": ("table",),
    "decisions": ("2", "x"),
}
WORDS = ("ok", "the floor says so", "")
SEATS = range(1, 9)
AMOUNTS = (100, 500, 1000, 2000, 5000, 20000, 50, 1, 0, -100)
_PLAIN: dict[type, tuple[Any, ...]] = {
    Flag: (False, True),
    Day: (datetime.date(2026, 11, 18), datetime.date(2027, 1, 4)),
}
WHOLES = (0, 1, 2, 3, 5, 30, 52)


def drawn(data: st.DataObject, command: Declaration, cast: Cast) -> dict[str, Any]:
    """Draw the inputs of a command; those that may be left out are, half the time."""
    values = {
        each.name: value(data, each, cast, command)
        for each in command.inputs
        if each.required or data.draw(st.booleans(), label=f"give {each.name}")
    }
    return {**values, **read(command, values)}


def read(command: Declaration, values: dict[str, Any]) -> dict[str, str]:
    """The digest that a command names of what was read, where it does: the current one, for any other is refused at once."""
    if command.digest is None:
        return {}
    [name] = command.in_path
    found: Any = apps.get_model(model_of(name) or "")
    row = found._default_manager.filter(pk=values[name]).first()
    return {command.digest.name: "0" * 64 if row is None else row.digest}


def value(data: st.DataObject, given: Field, cast: Cast, command: Declaration) -> Any:
    """Draw one input, or one field of an object."""
    name, kind = given.name, given.kind

    def pick(choices: Any) -> Any:
        return data.draw(st.sampled_from(list(choices)), label=name)

    if given.nullable and data.draw(st.integers(0, 4), label=f"null {name}") == 0:
        return None
    if label := "floor.DropBox" if name == "boxes" and isinstance(kind, Whole) else model_of(name):
        return _id(data, label, cast, name)
    if isinstance(kind, OneOf):
        return pick([word for word, _ in kind.pairs])
    if isinstance(kind, Whole):
        return pick(
            _within(AMOUNTS if isinstance(kind, Money) else SEATS if "seat" in name else WHOLES, kind)
        )
    if isinstance(kind, Text):
        return pick(_texts(name, kind, command))
    if type(kind) in _PLAIN:
        return pick(_PLAIN[type(kind)])
    return _shaped(data, given, cast, command)


def _texts(name: str, kind: Text, command: Declaration) -> list[str]:
    if name.endswith("hand"):
        return [BANK_HAND, *HANDS.values()]
    said = (command.example[name],) if isinstance(command.example.get(name), str) else ()
    return [word for word in (*said, *WORDS) if word or kind.blank]


def _shaped(data: st.DataObject, given: Field, cast: Cast, command: Declaration) -> Any:
    """Draw what has parts, or a shape of its own."""
    name, kind = given.name, given.kind
    if isinstance(kind, Document):
        cents = st.sampled_from((500, 1000, 2000))
        return sheet({4: data.draw(cents, label="ante"), 5: data.draw(cents, label="ante")}, bank=_bank(cast))
    if isinstance(kind, Digest):
        return "0" * 64
    if isinstance(kind, Signature):
        return data.draw(st.sampled_from(signers(cast)), label=name)
    if isinstance(kind, Json):
        return command.example.get(name, {})
    if isinstance(kind, Group):
        return {
            field.key: value(data, field, cast, command)
            for field in kind.fields
            if field.required or data.draw(st.booleans(), label=f"give {field.name}")
        }
    if isinstance(kind, Many):
        size = data.draw(
            st.integers(kind.least, max(kind.least, min(kind.most or 3, 3))), label=f"how many {name}"
        )
        return [value(data, dataclasses.replace(kind.child, name=name), cast, command) for _ in range(size)]
    if isinstance(kind, ByKey):
        keys = data.draw(st.lists(st.sampled_from(KEYS[name]), unique=True, max_size=2), label=name)
        return {key: value(data, kind.child, cast, command) for key in keys}
    raise TypeError(
        f"{command.name} takes {name}, a {type(kind).__name__}: say in tests/measure/machine/inputs.py how it is drawn"
    )


def signers(cast: Cast) -> list[Staff]:
    """The people of the room who may be asked to sign, the outsider too."""
    return [
        cast.people[key]
        for key in ("floor", "floor_2", "shift_manager", "room_manager", "dealer", "outsider")
    ]


def _bank(cast: Cast) -> int:
    """The seat that holds the bank, or one that might."""
    turn = cast.state().turn
    return 3 if turn is None else turn.seat


def _within(choices: Any, kind: Whole) -> list[int]:
    least = kind.least if kind.least is not None else min(choices)
    most = kind.most if kind.most is not None else max(choices)
    return [each for each in choices if least <= each <= most] or [least]


def _id(data: st.DataObject, label: str, cast: Cast, name: str) -> int:
    """The id of a row that is there, the latest mostly, or one that is not."""
    model: Any = apps.get_model(label)
    rows = model._default_manager.order_by("-pk")
    if name == "dealer_id":
        rows = rows.filter(employments__role=Role.DEALER, employments__room=cast.room)
    elif hasattr(model, "room"):
        rows = rows.filter(room=cast.room)
    there = list(rows.values_list("pk", flat=True)[:6])
    return data.draw(st.sampled_from([*there[:1] * 4, *there, there[0] + 1000] if there else [1]), label=name)
