"""Which tests are of the floor, and why one may not be marked with a provision of a game that the floor cannot play.

A test that writes another rulebook into the row of a table proves nothing of a game that no service lets anybody play.
Its mark is refused when the tests are collected; the provision is planned until there are such tables.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.traceability.catalogue import PLAYED_ON_THE_FLOOR, Provision

#: Code of the floor, and the tests' own rooms with tables.
_FLOOR = ("cardroom.floor", "tests.cast", "tests.floor")
_DATABASE = {"db", "transactional_db"}


def why_not_marked(item: pytest.Item, provision: Provision) -> str | None:
    """None when `item` may carry a mark of `provision`, else why not."""
    if provision.rulebook in PLAYED_ON_THE_FLOOR or (reached := floor_reached(item)) is None:
        return None
    return (
        f"{provision.id} is marked on a test of the floor ({reached}), which can play no game by {provision.rulebook}: "
        "take the mark off, and plan the provision"
    )


def floor_reached(item: pytest.Item) -> str | None:
    """Say by what a test is one of the floor: the database, or the first name of the floor that it uses; None if by none."""
    fixtures = set(getattr(item, "fixturenames", ()))
    if _DATABASE & fixtures or item.get_closest_marker("django_db") is not None:
        return "it uses the database"
    function = getattr(item, "function", None)
    if not isinstance(function, FunctionType):
        return None
    return next(_floor_names(function, getattr(item, "cls", None), set()), None)


def _floor_names(function: FunctionType, owner: type | None, seen: set[FunctionType]) -> Iterator[str]:
    """The names of the floor that a function uses, by itself or through helpers of its own module or class."""
    if function in seen:
        return
    seen.add(function)
    for name in _names_in(function.__code__):
        used = function.__globals__.get(
            name, None if owner is None else inspect.getattr_static(owner, name, None)
        )
        module = _module_of(used)
        if module.startswith(_FLOOR):
            yield f"it uses {module}.{name}"
        elif isinstance(used, FunctionType) and used.__module__ == function.__module__:
            yield from _floor_names(used, owner, seen)


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _module_of(used: Any) -> str:
    if inspect.ismodule(used):
        return used.__name__
    return str(getattr(used, "__module__", "") or "")
