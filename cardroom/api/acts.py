"""Endpoints from declared acts (`cardroom.core.acts`): for each its address, strict body and OpenAPI entry.

An address that is read too keeps its view, which is written by hand: the acts at it are added to that view's methods.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.urls import URLPattern, path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core import acts
from cardroom.core.acts import ACTS, Act, Input
from cardroom.floor.errors import Forbidden
from cardroom.people.approval import SignatureGiven
from cardroom.people.sessions import TO_SEND, is_fresh

from . import forms
from .answers import Error, RoomVersion, Shape, StaleFiling, StaleRoom, StaleTable, TableAnswer
from .base import SignedInView, done
from .bodies import Approver
from .documents import BODIES, DOCUMENTS
from .headers import envelope, envelope_and_digest
from .operations import RESTING, command
from .settlements import RoundSheet

_ANSWERS: dict[str, type[Shape]] = {"table": TableAnswer, "room": RoomVersion}
#: The converters of what stands in an address and is no id, by name (`cardroom.core.converters`).
_CONVERTERS: dict[str, str] = {"seat": "seat", "behind": "behind"}
_DIGEST = "If-Match is the filing's ETag, the digest of what was read: it is refused once the filing says anything else."
_ANY_VERSION = "Any version is taken, and it stays as it is."


def act_paths(reads: Mapping[str, type[SignedInView]]) -> list[URLPattern]:
    """Return a path for each address of an act or a read, with one view for all that may be done at it."""
    methods: dict[str, dict[str, Act]] = {}
    for act in ACTS.values():
        methods.setdefault(route_of(act), {})[act.method.lower()] = act
    views = {
        route: _view(methods.get(route, {}), reads.get(route, SignedInView))
        for route in [*methods, *(route for route in reads if route not in methods)]
    }
    return [path(route, view.as_view(), name=_dashed(view.__name__)) for route, view in views.items()]


def route_of(act: Act) -> str:
    """Return the address of an act as Django writes it: `tables/<id:table_id>/seats/<seat:seat>`."""
    return re.sub(r"{(\w+)}", lambda name: f"<{_CONVERTERS.get(name[1], 'id')}:{name[1]}>", act.path)


def body_of(act: Act) -> type[forms.Form | RoundSheet] | None:
    """Return the form of an act's body; None for an act without one."""
    if act.document is not None:
        return BODIES[type(act.document.kind)]
    return _form(_camel(act.name), act.body) if act.body else None


def answer_of(act: Act) -> type[Shape]:
    """Return the shape of an act's answer: what it says of itself, with its place and the place's new version."""
    base = _ANSWERS[act.place]
    return base if act.answer is None else _shape(act.answer, base)


#: The form and the shape of an object, by its name: one name has one of each, so that the document has it once.
_MADE_FORMS: dict[str, type[forms.Form]] = {}
_MADE: dict[str, type[Shape]] = {}


def _view(methods: Mapping[str, Act], read: type[SignedInView]) -> type[SignedInView]:
    name = "".join(_camel(act.name) for act in methods.values()) if read is SignedInView else read.__name__
    return type(name, (read,), {method: _handler(act) for method, act in methods.items()})


def _handler(act: Act) -> Callable[..., Response]:
    """Return the method of a view that reads a request, carries the act out and answers."""
    body, query = body_of(act), None
    if act.document is not None:
        query = _form(f"{_camel(act.name)}Query", (each for each in act.body if each is not act.document))

    def handle(self: SignedInView, request: Request, **numbers: Any) -> Response:
        place, read = numbers.pop(f"{act.place}_id"), {}
        if act.digest is None:
            given = envelope(request)
        else:
            given, read[act.digest.name] = envelope_and_digest(request)
        arguments = {**_arguments_read(act, body, query, request), **read}
        if act.fresh and not is_fresh(request, TO_SEND):
            raise Forbidden(
                "fresh_sign_in_required",
                "This takes a fresh sign-in: give the password once more at /accounts/reauthenticate/.",
            )
        if act.signature is not None and arguments.get(act.signature.name) is not None:
            signed = arguments[act.signature.name]
            arguments[act.signature.name] = SignatureGiven(signed["username"], signed["pin"])
        return done(act.command(given, place, **numbers, **arguments))

    return command(
        act.title,
        body,
        answer_of(act),
        description=f"{act.description}{_of_version(act)}",
        example=_example(act),
        stale=StaleFiling if act.digest is not None else StaleRoom if act.place == "room" else StaleTable,
        further_errors=RESTING if act.signature is not None else None,
        query=query,
        conflict=None if act.refusal is None else _shape(act.refusal, Error),
        tag=act.tag,
    )(handle)


def _of_version(act: Act) -> str:
    """What its If-Match is, where that is not the version of its place."""
    if act.digest is not None:
        return f"\n\n{_DIGEST}"
    return "" if act.bumps_version else f"\n\n{_ANY_VERSION}"


def _example(act: Act) -> dict[str, Any]:
    """The example of an act, signed where a signature is required."""
    signed = act.signature
    signature = {signed.name: {"username": "…", "pin": "…"}} if signed is not None and signed.required else {}
    return {**act.example, **signature}


def _arguments_read(act: Act, body: Any, query: type[forms.Form] | None, request: Request) -> dict[str, Any]:
    if act.document is None:
        given = forms.read(body or forms.Nothing, request)
        return {each.name: given[each.key] for each in act.body if each.key in given}
    parameters = forms.read_query(query or forms.Nothing, request)
    return {**parameters, act.document.name: forms.read_sheet_document(request)}


def _form(name: str, inputs: Iterable[Input]) -> type[forms.Form]:
    return type(name, (forms.Form,), {each.key: _field(each) for each in inputs})


def _group_form(kind: acts.Group) -> Any:
    if kind.name not in _MADE_FORMS:
        _MADE_FORMS[kind.name] = _form(kind.name, kind.fields)
    return _MADE_FORMS[kind.name]


def _field(each: Input) -> Any:
    """Return the strict field that reads an input."""
    options: dict[str, Any] = {"help_text": each.help} if each.help else {}
    if each.default is not None:
        options["default"] = each.default
    elif not each.required:
        options["required"] = False
    # A second person is left out, never null.
    if each.nullable and not isinstance(each.kind, acts.Signature):
        options["allow_null"] = True
    match each.kind:
        case acts.Group():
            return _group_form(each.kind)(**options)
        case acts.Many(child, least, most) if isinstance(child.kind, acts.Group):
            rows: Any = _group_form(child.kind)
            return rows(many=True, allow_empty=least == 0, max_length=most, **options)
        case acts.Many(child, least, most):
            if least:
                options["min_length"] = least
            return serializers.ListField(child=_field(child), max_length=most, **options)
        case acts.ByKey(child):
            return forms.ByWager(child=_field(child), **options)
    return _plain_field(each, options)


def _plain_field(each: Input, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    match each.kind:
        case acts.Whole(least, most):
            return forms.Whole(min_value=least, max_value=most, **options)
        case acts.Text(int() as most, blank):
            return forms.Words(max_length=most, allow_blank=blank, **options)
        case acts.OneOf():
            return forms.Choice(choices=each.kind.pairs, **options)
        case acts.Flag():
            return forms.Flag(**options)
        case acts.Day():
            return forms.Day(**options)
        case acts.Signature():
            return Approver(**options)
        case acts.Json():
            return forms.Document(**options)
    raise TypeError(f"no body holds {each.name}: {each.kind}")


def _shape_field(each: Input) -> Any:
    """Return the field that writes a part of an answer down for the OpenAPI document."""
    options: dict[str, Any] = {"help_text": each.help} if each.help else {}
    if not each.required:
        options["required"] = False
    if each.nullable:
        options["allow_null"] = True
    match each.kind:
        case acts.Whole():
            return serializers.IntegerField(**options)
        case acts.OneOf():
            return serializers.ChoiceField(choices=each.kind.pairs, **options)
        case acts.Text():
            return serializers.CharField(**options)
        case acts.Flag():
            return serializers.BooleanField(**options)
        case acts.Many(child) if isinstance(child.kind, acts.Group | acts.Document):
            return _shape(child.kind)(many=True, **options)
        case acts.Many(child):
            return serializers.ListField(child=_shape_field(child), **options)
        case acts.Group() | acts.Document():
            return _shape(each.kind)(**options)
    raise TypeError(f"no answer holds {each.name}: {each.kind}")


def _shape(kind: acts.Group | acts.Document, base: type[Shape] = serializers.Serializer) -> type[Shape]:
    """Return the shape of an object."""
    if isinstance(kind, acts.Document):
        return DOCUMENTS[type(kind)]
    if kind.name not in _MADE:
        fields = {each.name: _shape_field(each) for each in kind.fields}
        _MADE[kind.name] = type(kind.name, (base,), {"__doc__": kind.doc, **fields})
    return _MADE[kind.name]


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _dashed(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower()
