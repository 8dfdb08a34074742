"""How an operation is written down in the schema: what every read and every command has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from cardroom.config.failures import DATABASE_AWAY, FAULT

from .answers import Error, StaleTable
from .forms import Form
from .settlements import RoundSheet

View = TypeVar("View", bound=Callable[..., Any])

ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    description='The version, in quotes: `"12"`. Send it back as If-Match.',
    response=[200],
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,80}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="A new one (a UUID will do) for each command, the same one when it is repeated: the answer is then the "
    "same too, and nothing happens twice. Kept for seven days.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": '^"[0-9]{1,18}"$'},
    OpenApiParameter.HEADER,
    required=True,
    description='The version on which the command was decided, as the ETag gave it: `"12"`.',
)

_READ_ERRORS = {
    400: ("The query is malformed.", "wrong_type", "Expected a whole number.", "limit"),
    401: ("Nobody is signed in.", "not_signed_in", "Sign in first, and send the session's cookie.", ""),
    403: (
        "Your roles do not allow it.",
        "forbidden",
        "Not authorized to see the floor: that is for Dealer, Floor. Ada is Count team in Alder Creek.",
        "",
    ),
    404: (
        "There is no such thing, or it is in a room where you have no role.",
        "not_found",
        "There is no table 9.",
        "",
    ),
    500: ("A fault of the server, which is logged.", FAULT.code, FAULT.message, ""),
    503: (
        "The database or the broker cannot be reached, or is busy; Retry-After says when to try again.",
        DATABASE_AWAY.code,
        DATABASE_AWAY.message,
        "",
    ),
}
_COMMAND_ERRORS = {
    **_READ_ERRORS,
    400: (
        "The request is malformed, or its Idempotency-Key is missing.",
        "unknown_key",
        "There is no key 'wager' here. Known keys: bank_wager_cents, repeat_bets.",
        "wager",
    ),
    409: (
        "Not in the present state, or somebody else is at it right now (`busy`, with Retry-After).",
        "bets_closed",
        'Bets of round 12 are closed: after "no more bets" wagers stand.',
        "",
    ),
    412: (
        "Given on an older version; the answer holds the present state.",
        "stale",
        "Someone else updated Table 7 (version 41, now 42): review and try again.",
        "",
    ),
    413: ("The body is too large.", "too_large", "A body has at most 2621440 bytes.", ""),
    415: (
        "The body is no JSON.",
        "unsupported_media_type",
        'Unsupported media type "text/plain" in request.',
        "",
    ),
    422: (
        "Well formed, but it cannot be carried out; or the Idempotency-Key was used for another command.",
        "bad_amount",
        "An amount is a whole number of cents above 0 (and below $10 billion).",
        "bank_wager_cents",
    ),
    428: (
        "If-Match is missing.",
        "if_match_required",
        "Send an If-Match header with the version on which you decided: the ETag of the table or room.",
        "If-Match",
    ),
}


#: What a command that a second person signs may be refused with besides.
RESTING = {
    429: (
        "Too many wrong PINs under this approver's name.",
        "approver_resting",
        "Too many wrong PINs were given under this name. Wait five minutes.",
        "approver",
    )
}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The session's cookie, as the schema names it."""

    target_class = "cardroom.api.base.SessionOrNobody"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


def reads(
    summary: str,
    answer: type[serializers.Serializer[Any]],
    *,
    description: str = "",
    query: type[Form] | None = None,
    etag: bool = False,
    many: bool = False,
    tag: str,
    name: str | None = None,
) -> Callable[[View], View]:
    """Write down a read. `query` is the form of the address's query, `etag` says that a version comes with it.

    `name` is the operation's id where the address alone would give two of them the same.
    """
    return extend_schema(
        operation_id=name,
        summary=summary,
        description=description,
        tags=[tag],
        parameters=[*([query] if query else []), *([ETAG] if etag else [])],
        responses={200: answer(many=many), **_responses(_READ_ERRORS)},
    )


def writes(
    summary: str,
    body: type[Form | RoundSheet] | None,
    answer: type[serializers.Serializer[Any]],
    *,
    description: str,
    example: dict[str, Any] | None = None,
    stale: type[serializers.Serializer[Any]] = StaleTable,
    further_errors: dict[int, tuple[str, str, str, str]] | None = None,
    query: type[Form] | None = None,
    conflict: type[serializers.Serializer[Any]] | None = None,
    tag: str,
) -> Callable[[View], View]:
    """Write down a command: its two headers, its body, and all the ways in which it may be refused.

    `conflict` is the shape of its 409 where that says more than an error.
    """
    errors = _responses({**_COMMAND_ERRORS, **(further_errors or {})})
    if conflict is not None:
        errors[409].response = conflict
    errors[412].response = stale
    errors[412].examples = []
    return extend_schema(
        summary=summary,
        description=description,
        tags=[tag],
        parameters=[IDEMPOTENCY_KEY, IF_MATCH, ETAG, *([] if query is None else [query])],
        request=body,
        responses={200: answer, **errors},
        examples=[OpenApiExample("Request", value=example, request_only=True)] if example else [],
    )


def computes(
    summary: str,
    body: type[RoundSheet],
    answer: type[serializers.Serializer[Any]],
    *,
    description: str,
    example: dict[str, Any],
    tag: str,
) -> Callable[[View], View]:
    """Write down a POST that changes nothing: no key, no version."""
    wanted = (400, 401, 403, 413, 415, 422, 500, 503)
    return extend_schema(
        summary=summary,
        description=description,
        tags=[tag],
        request=body,
        responses={200: answer, **_responses({status: _COMMAND_ERRORS[status] for status in wanted})},
        examples=[OpenApiExample("Request", value=example, request_only=True)],
    )


def _responses(errors: dict[int, tuple[str, str, str, str]]) -> dict[int, OpenApiResponse]:
    return {
        status: OpenApiResponse(
            Error,
            description=meaning,
            examples=[
                OpenApiExample(code, value={"error": {"code": code, "message": message, "path": path}})
            ],
        )
        for status, (meaning, code, message, path) in errors.items()
    }
