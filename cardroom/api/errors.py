"""Every refusal as one shape: `{"error": {"code", "message", "path"}}`, with further facts beside `error`.

`code` is stable and for programs, `message` for people and says what to do, `path` names the place in the body (or the
parameter) where there is one.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NotRequired, TypedDict

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from cardroom.core.json_types import group_of
from cardroom.floor.errors import Busy, FloorError, Stale
from cardroom.floor.settling.sheets import FORM_CODES
from fees.errors import FeeError
from games.refusal import Refusal

from .headers import etag

RETRY_AFTER_SECONDS = 1


class ErrorDetails(TypedDict):
    code: Annotated[str, "Stable, for programs."]
    message: Annotated[str, "For people: what is wrong and what to do."]
    path: Annotated[str, "The place in the body, header or parameter; else empty."]


class Error(TypedDict):
    """A refusal. Nothing has been written."""

    error: ErrorDetails
    clause: NotRequired[Annotated[str, "The source of a refusal by the rules, where it has one."]]
    scope: NotRequired[Annotated[str, "The right that a program was not given, of `out_of_scope`."]]


#: The shape of every refusal.
ERROR = group_of(Error)


def refusal_answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer `error`; None for one that is no refusal but a bug, which Django reports as a 500."""
    match error:
        case FloorError():
            return _floor(error)
        case Refusal():
            status = 400 if error.code in FORM_CODES else 422
            return _answer(status, error.code, error.message, error.path)
        case FeeError():
            return _answer(422, error.code, error.message)
        case Http404():
            return _answer(404, "not_found", "There is nothing at this address.")
        case PermissionDenied():
            return _answer(403, "forbidden", str(error) or "This is not allowed.")
        case exceptions.APIException():
            return _framework(error)
    return None


def _floor(error: FloorError) -> Response:
    answer = _answer(error.status, error.code, error.message, error.path, error.extra)
    if isinstance(error, Busy):
        answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if isinstance(error, Stale):
        answer["ETag"] = etag(error.extra["state"].get("digest") or error.extra["state"]["version"])
    return answer


def _framework(error: exceptions.APIException) -> Response:
    """Answer what the framework refuses by itself: signing in, methods, media types, malformed requests."""
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else "refused"
    message = str(error.detail)
    if isinstance(error, exceptions.NotAuthenticated):
        code = "not_signed_in"
        message = "Sign in first, and send the session's cookie; a program sends its token: Authorization: Bearer crp_…"
    elif isinstance(error, exceptions.PermissionDenied) and message.startswith("CSRF Failed"):
        code, message = "csrf_failed", f"{message} Send the csrftoken cookie's value as X-CSRFToken."
    elif code == "refused_too_often":
        message = (
            "Too many requests within a minute from this address had a token that opens nothing: wait as long as Retry-After says, "
            "and send one that does. A room manager makes it on the page Programs."
        )
    elif isinstance(error, exceptions.Throttled):
        message = "Too many requests of this program within a minute: wait as long as Retry-After says, and ask less often."
    answer = _answer(error.status_code, code, message)
    if isinstance(error, exceptions.Throttled):
        answer["Retry-After"] = str(math.ceil(getattr(error, "wait", None) or RETRY_AFTER_SECONDS))
    if header := getattr(error, "auth_header", None):
        answer["WWW-Authenticate"] = header
    return answer


def _answer(
    status: int, code: str, message: str, path: str = "", extra: dict[str, Any] | None = None
) -> Response:
    return Response(
        {"error": {"code": code, "message": message, "path": path}, **(extra or {})}, status=status
    )
