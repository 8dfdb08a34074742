"""Endpoints from declared commands (`cardroom.core.commands`): for each its address, strict body and OpenAPI entry.

An address that is read too keeps its view, which is written by hand: the commands at it are added to that view's methods.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from django.urls import URLPattern, path
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.commands import COMMANDS, Declaration
from cardroom.core.json_types import Document, Field, Group, group_of
from cardroom.floor.errors import Forbidden
from cardroom.floor.reads.table_record import TableRecord
from cardroom.people.approval import SignatureGiven
from cardroom.people.sessions import TO_SEND, is_fresh

from .base import SignedInView, done
from .errors import ERROR, Error
from .headers import meta, meta_and_digest
from .operations import writes
from .reading import read_body, read_query, read_sheet


class TableVersion(TypedDict):
    """A command was carried out; `version` is the table's new one."""

    table: int
    version: int


class RoomVersion(TypedDict):
    """A command was carried out; `version` is the room's new one."""

    room: int
    version: int


class StaleTable(Error):
    """Given on an older version; `state` is the present one."""

    state: TableRecord


class StaleRoom(Error):
    """Given on an older version; `state` holds the present one."""

    state: RoomVersion


class FilingNow(TypedDict):
    """What a version of a filing is now."""

    id: int
    status: str
    revision: int
    digest: str


class StaleFiling(Error):
    """Given on another text than the filing has; `state` says what it is now."""

    state: FilingNow


#: What every command answers of its place.
_ANSWERS = {"table": group_of(TableVersion), "room": group_of(RoomVersion)}
#: The URL converters of path parameters that are no ids, by name (`cardroom.core.converters`).
_CONVERTERS: dict[str, str] = {"seat": "seat", "behind": "behind"}
_DIGEST = "If-Match is the filing's ETag, the digest of what was read: it is refused once the filing says anything else."
_ANY_VERSION = "Any version is taken, and it stays as it is."


def command_paths(reads: Mapping[str, type[SignedInView]]) -> list[URLPattern]:
    """Return a path for each address of a command or a read, with one view for all that may be done at it."""
    methods: dict[str, dict[str, Declaration]] = {}
    for command in COMMANDS.values():
        methods.setdefault(route_of(command), {})[command.method.lower()] = command
    views = {
        route: _view(methods.get(route, {}), reads.get(route, SignedInView))
        for route in [*methods, *(route for route in reads if route not in methods)]
    }
    return [path(route, view.as_view(), name=_dashed(view.__name__)) for route, view in views.items()]


def route_of(command: Declaration) -> str:
    """Return the address of a command as Django writes it: `tables/<id:table_id>/seats/<seat:seat>`."""
    return re.sub(r"{(\w+)}", lambda name: f"<{_CONVERTERS.get(name[1], 'id')}:{name[1]}>", command.path)


def body_of(command: Declaration) -> Group | None:
    """Return the object that is a command's body; None for a command without one."""
    for each in command.inputs:
        if isinstance(each.kind, Document):
            return each.kind.group
    return Group(_camel(command.name), "", command.body) if command.body else None


def answer_of(command: Declaration) -> Group:
    """Return what a command answers: its place and the place's new version, and what it says of itself."""
    return _joined(_ANSWERS[command.place], command.answer)


def _joined(base: Group, more: Group | None) -> Group:
    return base if more is None else dataclasses.replace(more, fields=(*base.fields, *more.fields))


def _view(methods: Mapping[str, Declaration], read: type[SignedInView]) -> type[SignedInView]:
    name = (
        "".join(_camel(command.name) for command in methods.values())
        if read is SignedInView
        else read.__name__
    )
    return type(name, (read,), {method: _handler(command) for method, command in methods.items()})


def _handler(command: Declaration) -> Callable[..., Response]:
    """Return the method of a view that reads a request, carries the command out and answers."""
    query = () if command.document is None else _beside(command)

    def handle(self: SignedInView, request: Request, **numbers: Any) -> Response:
        place, read = numbers.pop(f"{command.place}_id"), {}
        if command.digest is None:
            given = meta(request)
        else:
            given, read[command.digest.name] = meta_and_digest(request)
        arguments = {**_arguments_read(command, query, request), **read}
        if command.fresh and not is_fresh(request, TO_SEND):
            raise Forbidden(
                "fresh_sign_in_required",
                "This takes a fresh sign-in: give the password once more at /accounts/reauthenticate/.",
            )
        if command.signature is not None and arguments.get(command.signature.name) is not None:
            signed = arguments[command.signature.name]
            arguments[command.signature.name] = SignatureGiven(signed["username"], signed["pin"])
        return done(command(given, place, **numbers, **arguments))

    stale = (
        StaleFiling if command.digest is not None else StaleRoom if command.place == "room" else StaleTable
    )
    return writes(
        command.title,
        body_of(command),
        answer_of(command),
        description=f"{command.description}{_of_version(command)}",
        example=_example(command),
        stale=group_of(stale),
        signed=command.signature is not None,
        query=query,
        conflict=None if command.refusal is None else _joined(ERROR, command.refusal),
        right=command.right,
        tag=command.tag,
    )(handle)


def _of_version(command: Declaration) -> str:
    """What its If-Match is, where that is not the version of its place."""
    if command.digest is not None:
        return f"\n\n{_DIGEST}"
    return "" if command.bumps_version else f"\n\n{_ANY_VERSION}"


def _example(command: Declaration) -> dict[str, Any]:
    """The example of a command, signed where a signature is required."""
    signed = command.signature
    signature = {signed.name: {"username": "…", "pin": "…"}} if signed is not None and signed.required else {}
    return {**command.example, **signature}


def _arguments_read(command: Declaration, query: tuple[Field, ...], request: Request) -> dict[str, Any]:
    if command.document is None:
        return read_body(command.body, request)
    return {**read_query(query, request), command.document.name: read_sheet(request)}


def _beside(command: Declaration) -> tuple[Field, ...]:
    """The inputs that a command takes from the query string, because its body is a document."""
    return tuple(each for each in command.body if each is not command.document)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _dashed(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower()
