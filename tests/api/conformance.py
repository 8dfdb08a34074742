"""Validates responses of the API against the OpenAPI document, strictly: a key that it does not name is a fault."""

from __future__ import annotations

import copy
import functools
import re
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import Draft202012Validator, Registry

#: Under which schemas refer to the document.
_ADDRESS = "urn:cardroom:openapi"
_CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")


@functools.cache
def served_document() -> dict[str, Any]:
    """Return the OpenAPI document as it is served; not to be changed."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


@functools.cache
def document() -> dict[str, Any]:
    """Return the same document with objects closed against keys that it does not name."""
    schema = copy.deepcopy(served_document())
    for component in schema["components"]["schemas"].values():
        if component.get("type") == "object" and "properties" in component:
            component["additionalProperties"] = False
    return schema


def check(response: HttpResponse, method: str, path: str) -> None:
    """Fail unless the document names this operation, this status, this media type, these headers and this shape."""
    operation = operation_at(method, path)
    assert operation is not None, f"{method} {path} is not in the OpenAPI document"
    status = str(response.status_code)
    written = operation["responses"].get(status)
    assert written is not None, f"{method} {path} may answer {status}, the document says otherwise"
    for header in written.get("headers", {}):
        assert response.headers.get(header), f"{method} {path} answers without {header}"
    assert response.headers["Content-Type"] == "application/json"
    validator = _validator(_route(path), method.lower(), status)
    faults = [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(response.json())]
    assert not faults, f"{method} {path} answers otherwise than written: {faults[:3]}"


def operation_at(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation that the document has for a request, or None."""
    found: dict[str, Any] | None = document()["paths"].get(_route(path), {}).get(method.lower())
    return found


def _route(path: str) -> str:
    """The path of a request as the document writes it."""
    return "/" + _CONVERTER.sub(r"{\1}", resolve(path.partition("?")[0]).route)


@functools.cache
def _registry() -> Registry:
    """The document as schemas refer to it; it is read once."""
    return Registry([(_ADDRESS, document())])


@functools.cache
def _validator(route: str, method: str, status: str) -> Draft202012Validator:
    """The validator of an answer of the document. Formats, such as those of instants, are checked too."""
    keys = ("paths", route, method, "responses", status, "content", "application/json", "schema")
    pointer = "/".join(key.replace("~", "~0").replace("/", "~1") for key in keys)
    schema = {"$ref": f"{_ADDRESS}#/{quote(pointer)}"}
    return Draft202012Validator(schema, registry=_registry(), validate_formats=True)
