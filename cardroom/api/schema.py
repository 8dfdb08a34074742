"""The OpenAPI entry of an operation: its parameters, body and answers from the types that they are declared with.

A handler says what it is (`Operation`, written by the decorators of `operations`); drf-spectacular asks `OperationSchema` for the
rest. Each object that goes in or comes out is a component of the document, named as its `TypedDict` or its command.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, cast

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import append_meta, build_choice_description_list, list_hash
from drf_spectacular.utils import Direction, OpenApiExample, OpenApiParameter, OpenApiResponse

from cardroom.core.json_types import (
    Anything,
    ByKey,
    Day,
    Document,
    Field,
    Flag,
    Group,
    Json,
    Many,
    Moment,
    OneOf,
    Signature,
    Text,
    Whole,
)
from cardroom.people.rights import Right

from .reading import APPROVER

_INT32 = range(-(2**31), 2**31)
#: Kinds that say nothing further.
_PLAIN: dict[type, dict[str, Any]] = {
    Flag: {"type": "boolean"},
    Day: {"type": "string", "format": "date"},
    Moment: {"type": "string", "format": "date-time"},
    Anything: {},
    Json: {"type": "object", "additionalProperties": {}},
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Operation:
    """What one method of one address does: what it is asked and what it answers."""

    summary: str
    tag: str
    #: The right that it takes; None: whoever is signed in may.
    right: Right | None
    #: What it answers; a list of it where `many`.
    answer: Group
    many: bool = False
    description: str = ""
    #: Its id, where the address alone would give two of them the same.
    name: str | None = None
    headers: Sequence[OpenApiParameter] = ()
    query: Sequence[Field] = ()
    body: Group | None = None
    errors: dict[int, OpenApiResponse] = dataclasses.field(default_factory=dict)
    example: dict[str, Any] | None = None


class OperationSchema(AutoSchema):
    """Tells drf-spectacular what the handler of a view declares."""

    @property
    def operation(self) -> Operation:
        """What the handler declares."""
        found: Operation = getattr(self.view, self.method.lower()).operation
        return found

    def get_operation_id(self) -> str:
        """Return its name, or one made from the address: reads of lists end in `list`."""
        if self.operation.name is not None:
            return self.operation.name
        found: str = super().get_operation_id()
        return found.removesuffix("retrieve") + "list" if self.operation.many else found

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:  # type: ignore[override]  # drf-spectacular's, without arguments
        return self.operation.description

    def get_tags(self) -> list[str]:
        return [self.operation.tag]

    def get_override_parameters(self) -> list[Any]:
        """Return the headers and the address's query."""
        query = []
        for each in self.operation.query:
            drawn = _drawn(dataclasses.replace(each, nullable=False), self, "request")
            said = drawn.pop("description", "")
            query.append(OpenApiParameter(each.key, drawn, description=said))
        return [*self.operation.headers, *query]

    def get_request_serializer(self) -> Any:
        return self.operation.body

    def get_response_serializers(self) -> Any:
        """Return the answer and the refusals by status."""
        answer: Any = self.operation.answer
        if self.operation.many:
            answer = {"type": "array", "items": self.resolve_serializer(answer, "response").ref}
        done = OpenApiResponse(answer, description=self._of_answer())
        return {200: done, **self.operation.errors}

    def _of_answer(self) -> str:
        """What an answer is: the first paragraph of what is said of its shape."""
        said, _, _ = self.operation.answer.doc.partition("\n\n")
        said = " ".join(said.split())
        return f"A list. Each row: {said}" if self.operation.many else said

    def get_examples(self) -> list[OpenApiExample]:
        example = self.operation.example
        return [OpenApiExample("Request", value=example, request_only=True)] if example else []


class GroupExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Draws a declared object as a component."""

    target_class = Group
    target: Group

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        return self.target.name

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {
            "type": "object",
            **({"description": self.target.doc} if self.target.doc else {}),
            "properties": {each.key: _drawn(each, auto_schema, direction) for each in self.target.fields},
            **(
                {"required": sorted(needed)}
                if (needed := [each.key for each in self.target.fields if each.required])
                else {}
            ),
        }


def _drawn(field: Field, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
    """Return the schema of a field."""
    schema, notes = _of_kind(field, auto_schema, direction), [field.help]
    if isinstance(field.kind, OneOf):
        notes.append(build_choice_description_list(field.kind.pairs))
    meta: dict[str, Any] = {}
    if said := "\n\n".join(note for note in notes if note):
        meta["description"] = said
    if field.nullable and not isinstance(field.kind, Signature):  # who need not sign is left out
        meta["nullable"] = True
    if field.default is not None:
        meta["default"] = field.default
    if isinstance(field.kind, OneOf) and field.nullable:
        schema["enum"] = [*schema["enum"], None]
    drawn: dict[str, Any] = append_meta(schema, meta)
    return drawn


def _of_kind(field: Field, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
    match field.kind:
        case Many(row, least, most):
            return {
                "type": "array",
                "items": _drawn(row, auto_schema, direction),
                **_given(minItems=least or None, maxItems=most),
            }
        case ByKey(value):
            return {"type": "object", "additionalProperties": _drawn(value, auto_schema, direction)}
        case Signature() | Document() | Group():
            return _ref(field.kind, auto_schema, direction)
        case Whole(least, most):
            far = any(bound is not None and bound not in _INT32 for bound in (least, most))
            return {
                "type": "integer",
                **_given(minimum=least, maximum=most, format="int64" if far else None),
            }
        case Text(most, blank):
            filled = not blank and direction == "request"
            return {"type": "string", **_given(minLength=1 if filled else None, maxLength=most)}
        case OneOf():
            return _of_words(field.kind)
    return dict(_PLAIN[type(field.kind)])


def _ref(kind: Signature | Document | Group, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
    group = APPROVER if isinstance(kind, Signature) else kind.group if isinstance(kind, Document) else kind
    ref: dict[str, Any] = auto_schema.resolve_serializer(cast(Any, group), direction).ref
    return ref


def _of_words(kind: OneOf) -> dict[str, Any]:
    words = [value for value, _ in kind.pairs]
    if kind.blank:
        words.append("")
    identity = list_hash([(value, label) for value, label in kind.pairs if value])
    return {"enum": words, "type": "string", "x-spec-enum-id": identity}


def _given(**said: Any) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}
