"""Every answer of the API is held against the OpenAPI document, strictly: a key that is not written down is a fault."""

from __future__ import annotations

import copy
import functools
import re
from typing import Any

from django.http import HttpResponse
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

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
    written = operation["responses"].get(str(response.status_code))
    assert written is not None, (
        f"{method} {path} may answer {response.status_code}, the document says otherwise"
    )
    for header in written.get("headers", {}):
        assert response.headers.get(header), f"{method} {path} answers without {header}"
    assert response.headers["Content-Type"] == "application/json"
    shape = written["content"]["application/json"]["schema"]
    faults = [
        f"{error.json_path}: {error.message}" for error in _validator(shape).iter_errors(response.json())
    ]
    assert not faults, f"{method} {path} answers otherwise than written: {faults[:3]}"


_validators: dict[int, Draft202012Validator] = {}


def _validator(shape: dict[str, Any]) -> Draft202012Validator:
    """The validator of a schema of the document, made once: the references of all components are resolved anew in each."""
    if id(shape) not in _validators:  # a part of the document, which is kept
        whole = {**shape, "components": document()["components"]}
        _validators[id(shape)] = Draft202012Validator(whole, format_checker=FormatChecker())
    return _validators[id(shape)]


def operation_at(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation that the document has for a request, or None."""
    route = _CONVERTER.sub(r"{\1}", resolve(path.partition("?")[0]).route)
    found: dict[str, Any] | None = document()["paths"].get(f"/{route}", {}).get(method.lower())
    return found
