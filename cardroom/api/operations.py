"""OpenAPI declarations of operations: the parameters, headers and answers that every read and every command has in common."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar, cast

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.config.failures import DATABASE_AWAY, FAULT
from cardroom.core.json_types import Field, Group, field_of, fields_of, group_of
from cardroom.people.rights import Right

from .errors import ERROR
from .headers import signed_in
from .reading import read_query
from .schema import Operation

Handler = TypeVar("Handler", bound=Callable[..., Response])

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

#: By status: what it means, and an example's code, message and path.
Errors = dict[int, tuple[str, str, str, str]]
_READ_ERRORS: Errors = {
    400: ("The query is malformed.", "wrong_type", "Expected a whole number.", "limit"),
    401: (
        "Nobody is signed in, or the token opens nothing: `bad_token`, `token_expired`, `token_revoked`.",
        "not_signed_in",
        "Sign in first, and send the session's cookie; a program sends its token: Authorization: Bearer crp_…",
        "",
    ),
    403: (
        "Your roles do not allow it; or it is out of a program's scope (`out_of_scope`), which `scope` names.",
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
    429: (
        "A program asks too often (`throttled`), or an address sends refused tokens (`refused_too_often`): wait for Retry-After.",
        "throttled",
        "Too many requests of this program within a minute: wait as long as Retry-After says, and ask less often.",
        "",
    ),
    500: ("A fault of the server, which is logged.", FAULT.code, FAULT.message, ""),
    503: (
        "The database or the broker cannot be reached, is busy or takes no changes; Retry-After says when to try again.",
        DATABASE_AWAY.code,
        DATABASE_AWAY.message,
        "",
    ),
}
_COMMAND_ERRORS: Errors = {
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
    413: ("The body is too large.", "too_large", "A body has at most 2,621,440 bytes.", ""),
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
RESTING: Errors = {
    429: (
        "Too many wrong PINs under this approver's name; or a program asks too often (`throttled`, `refused_too_often`).",
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
    answer: Any,
    *,
    description: str = "",
    query: Sequence[Field] | None = None,
    etag: bool = False,
    many: bool = False,
    access: Callable[..., Any] | None,
    right: Right | None,
    tag: str,
    name: str | None = None,
    more_errors: dict[int, OpenApiResponse] | None = None,
) -> Callable[[Handler], Handler]:
    """Declare a read, which answers a `TypedDict`, or a list of it where `many`.

    `access` finds what is read: it is called with the person who is signed in, what stands in the address, by name, and `right`,
    without which it raises NotFound or Forbidden; what it answers is given to the handler. None, both of them: every person who is
    signed in may read it. The query is read after it, so that nobody learns of a query who may not read.

    The handler's keyword arguments are what it takes in the address's query; `query` are further ones. `etag` says that a version
    comes with it. `name` is the operation's id where the address alone would give two of them the same. `more_errors` are refusals
    that other reads do not have.
    """

    def declared(function: Handler) -> Handler:
        fields = (*fields_of(function), *(query or ()))

        @functools.wraps(function)
        def handle(self: Any, request: Request, **address: Any) -> Response:
            found = () if access is None else (access(signed_in(request), **address, right=right),)
            return function(self, request, *found, **read_query(fields, request))

        return _with(
            cast(Handler, handle),
            Operation(
                summary=summary,
                tag=tag,
                right=right,
                answer=answer if isinstance(answer, Group) else group_of(answer),
                many=many,
                description=description,
                name=name,
                headers=[ETAG] if etag else [],
                query=fields,
                errors={**responses(_READ_ERRORS), **(more_errors or {})},
            ),
        )

    return declared


def page_of(row: Any) -> Group:
    """Return one page of a list of `row`, a `TypedDict`."""
    rows = field_of("results", list[row])
    following = field_of("next", Annotated[str | None, "Address of the next page; null at the end."])
    return Group(f"PageOf{row.__name__}", "One page, the latest first.", (rows, following))


def writes(
    summary: str,
    body: Group | None,
    answer: Group,
    *,
    description: str,
    stale: Group,
    example: dict[str, Any] | None = None,
    signed: bool = False,
    query: Sequence[Field] = (),
    conflict: Group | None = None,
    right: Right,
    tag: str,
) -> Callable[[Handler], Handler]:
    """Declare a command: its two headers, its body, and all the ways in which it may be refused.

    `stale` is what its 412 says, `conflict` its 409 where that is more than an error; `signed`: a second person signs it.
    """
    errors = responses(_COMMAND_ERRORS | RESTING if signed else _COMMAND_ERRORS)
    if conflict is not None:
        errors[409].response = conflict
    errors[412].response = stale
    errors[412].examples = []
    operation = Operation(
        summary=summary,
        tag=tag,
        right=right,
        answer=answer,
        description=description,
        headers=[IDEMPOTENCY_KEY, IF_MATCH, ETAG],
        query=query,
        body=body,
        errors=errors,
        example=example,
    )
    return functools.partial(_with, operation=operation)


def computes(
    summary: str, body: Group, answer: Any, *, description: str, example: dict[str, Any], tag: str
) -> Callable[[Handler], Handler]:
    """Declare a POST that changes nothing: no key, no version."""
    wanted = (400, 401, 403, 413, 415, 422, 429, 500, 503)
    operation = Operation(
        summary=summary,
        tag=tag,
        right=None,
        answer=group_of(answer),
        description=description,
        body=body,
        errors=responses({status: _COMMAND_ERRORS[status] for status in wanted}),
        example=example,
    )
    return functools.partial(_with, operation=operation)


def _with(handler: Handler, operation: Operation) -> Handler:
    handler.operation = operation  # type: ignore[attr-defined]  # `OperationSchema` reads it
    return handler


def responses(errors: Errors, shape: Group = ERROR) -> dict[int, OpenApiResponse]:
    """Return what the document says of refusals of this `shape`."""
    return {
        status: OpenApiResponse(
            shape,
            description=meaning,
            examples=[
                OpenApiExample(code, value={"error": {"code": code, "message": message, "path": path}})
            ],
        )
        for status, (meaning, code, message, path) in errors.items()
    }
