"""Endpoints from declared commands (`cardroom.core.commands`): for each its address, strict body and OpenAPI entry.

An address that is read too keeps its view, which is written by hand: the commands at it are added to that view's methods.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.urls import URLPattern, path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core import json_types
from cardroom.core.commands import COMMANDS, Declaration
from cardroom.core.json_types import Field
from cardroom.floor.errors import Forbidden
from cardroom.people.approval import SignatureGiven
from cardroom.people.sessions import TO_SEND, is_fresh

from . import forms
from .answers import Error, RoomVersion, Shape, StaleFiling, StaleRoom, StaleTable, TableAnswer
from .base import SignedInView, done
from .bodies import Approver
from .documents import BODIES, DOCUMENTS
from .headers import meta, meta_and_digest
from .operations import RESTING, writes
from .settlements import RoundSheet

_ANSWERS: dict[str, type[Shape]] = {"table": TableAnswer, "room": RoomVersion}
#: The converters of what stands in an address and is no id, by name (`cardroom.core.converters`).
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


def body_of(command: Declaration) -> type[forms.Form | RoundSheet] | None:
    """Return the form of a command's body; None for a command without one."""
    if command.document is not None:
        return BODIES[type(command.document.kind)]
    return _form(_camel(command.name), command.body) if command.body else None


def answer_of(command: Declaration) -> type[Shape]:
    """Return the shape of a command's answer: what it says of itself, with its place and the place's new version."""
    base = _ANSWERS[command.place]
    return base if command.answer is None else _shape(command.answer, base)


#: The form and the shape of an object, by its name: one name has one of each, so that the document has it once.
_MADE_FORMS: dict[str, type[forms.Form]] = {}
_MADE: dict[str, type[Shape]] = {}


def _view(methods: Mapping[str, Declaration], read: type[SignedInView]) -> type[SignedInView]:
    name = (
        "".join(_camel(command.name) for command in methods.values())
        if read is SignedInView
        else read.__name__
    )
    return type(name, (read,), {method: _handler(command) for method, command in methods.items()})


def _handler(command: Declaration) -> Callable[..., Response]:
    """Return the method of a view that reads a request, carries the command out and answers."""
    body, query = body_of(command), None
    if command.document is not None:
        query = _form(
            f"{_camel(command.name)}Query", (each for each in command.body if each is not command.document)
        )

    def handle(self: SignedInView, request: Request, **numbers: Any) -> Response:
        place, read = numbers.pop(f"{command.place}_id"), {}
        if command.digest is None:
            given = meta(request)
        else:
            given, read[command.digest.name] = meta_and_digest(request)
        arguments = {**_arguments_read(command, body, query, request), **read}
        if command.fresh and not is_fresh(request, TO_SEND):
            raise Forbidden(
                "fresh_sign_in_required",
                "This takes a fresh sign-in: give the password once more at /accounts/reauthenticate/.",
            )
        if command.signature is not None and arguments.get(command.signature.name) is not None:
            signed = arguments[command.signature.name]
            arguments[command.signature.name] = SignatureGiven(signed["username"], signed["pin"])
        return done(command(given, place, **numbers, **arguments))

    return writes(
        command.title,
        body,
        answer_of(command),
        description=f"{command.description}{_of_version(command)}",
        example=_example(command),
        stale=StaleFiling
        if command.digest is not None
        else StaleRoom
        if command.place == "room"
        else StaleTable,
        further_errors=RESTING if command.signature is not None else None,
        query=query,
        conflict=None if command.refusal is None else _shape(command.refusal, Error),
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


def _arguments_read(
    command: Declaration, body: Any, query: type[forms.Form] | None, request: Request
) -> dict[str, Any]:
    if command.document is None:
        given = forms.read(body or forms.Nothing, request)
        return {each.name: given[each.key] for each in command.body if each.key in given}
    parameters = forms.read_query(query or forms.Nothing, request)
    return {**parameters, command.document.name: forms.read_sheet_document(request)}


def _form(name: str, inputs: Iterable[Field]) -> type[forms.Form]:
    return type(name, (forms.Form,), {each.key: _field(each) for each in inputs})


def _group_form(kind: json_types.Group) -> Any:
    if kind.name not in _MADE_FORMS:
        _MADE_FORMS[kind.name] = _form(kind.name, kind.fields)
    return _MADE_FORMS[kind.name]


def _field(each: Field) -> Any:
    """Return the strict field that reads an input."""
    options: dict[str, Any] = {"help_text": each.help} if each.help else {}
    if each.default is not None:
        options["default"] = each.default
    elif not each.required:
        options["required"] = False
    # A second person is left out, never null.
    if each.nullable and not isinstance(each.kind, json_types.Signature):
        options["allow_null"] = True
    match each.kind:
        case json_types.Group():
            return _group_form(each.kind)(**options)
        case json_types.Many(child, least, most) if isinstance(child.kind, json_types.Group):
            rows: Any = _group_form(child.kind)
            return rows(many=True, allow_empty=least == 0, max_length=most, **options)
        case json_types.Many(child, least, most):
            if least:
                options["min_length"] = least
            return serializers.ListField(child=_field(child), max_length=most, **options)
        case json_types.ByKey(child):
            return forms.ByWager(child=_field(child), **options)
    return _plain_field(each, options)


def _plain_field(each: Field, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    match each.kind:
        case json_types.Whole(least, most):
            return forms.Whole(min_value=least, max_value=most, **options)
        case json_types.Text(int() as most, blank):
            return forms.Words(max_length=most, allow_blank=blank, **options)
        case json_types.OneOf():
            return forms.Choice(choices=each.kind.pairs, **options)
        case json_types.Flag():
            return forms.Flag(**options)
        case json_types.Day():
            return forms.Day(**options)
        case json_types.Signature():
            return Approver(**options)
        case json_types.Json():
            return forms.Document(**options)
    raise TypeError(f"no body holds {each.name}: {each.kind}")


def _shape_field(each: Field) -> Any:
    """Return the field that writes a part of an answer down for the OpenAPI document."""
    options: dict[str, Any] = {"help_text": each.help} if each.help else {}
    if not each.required:
        options["required"] = False
    if each.nullable:
        options["allow_null"] = True
    match each.kind:
        case json_types.Whole():
            return serializers.IntegerField(**options)
        case json_types.OneOf():
            return serializers.ChoiceField(choices=each.kind.pairs, **options)
        case json_types.Text():
            return serializers.CharField(**options)
        case json_types.Flag():
            return serializers.BooleanField(**options)
        case json_types.Many(child) if isinstance(child.kind, json_types.Group | json_types.Document):
            return _shape(child.kind)(many=True, **options)
        case json_types.Many(child):
            return serializers.ListField(child=_shape_field(child), **options)
        case json_types.Group() | json_types.Document():
            return _shape(each.kind)(**options)
    raise TypeError(f"no answer holds {each.name}: {each.kind}")


def _shape(
    kind: json_types.Group | json_types.Document, base: type[Shape] = serializers.Serializer
) -> type[Shape]:
    """Return the shape of an object."""
    if isinstance(kind, json_types.Document):
        return DOCUMENTS[type(kind)]
    if kind.name not in _MADE:
        fields = {each.name: _shape_field(each) for each in kind.fields}
        _MADE[kind.name] = type(kind.name, (base,), {"__doc__": kind.doc, **fields})
    return _MADE[kind.name]


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _dashed(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower()
