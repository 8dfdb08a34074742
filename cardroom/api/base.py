"""Base view classes of the API (Django REST framework): authentication, bodies, pagination, refusals and answers."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.core.json_types import Id, Whole
from cardroom.floor.execution.carry_out import Answer
from cardroom.people.names import named

from .errors import refusal_answer
from .headers import etag
from .parsing import StrictJSONParser
from .schema import OperationSchema
from .tokens import InScope, ProgramThrottle, TokenOrNobody

M = TypeVar("M", bound=Model)


class SessionOrNobody(SessionAuthentication):
    """The site's own session. No user signed in is 401 and not 403: signing in would help."""

    def authenticate_header(self, request: Request) -> str:
        return 'Session realm="cardroom"'


class SignedInView(APIView):
    """A view that calls one command or selector. It is closed to users who are not signed in."""

    # The first one says in WWW-Authenticate how a request without either signs in.
    authentication_classes = [TokenOrNobody, SessionOrNobody]
    permission_classes = [IsAuthenticated, InScope]
    throttle_classes = [ProgramThrottle]
    parser_classes = [StrictJSONParser]
    renderer_classes = [JSONRenderer]
    metadata_class = None
    schema = OperationSchema()

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return refusal_answer


#: What every page of a list is asked with.
Before = Annotated[Id | None, "Only what came before this id (`seq`)."]
Limit = Annotated[int, Whole(1, 200), "How many at most."]

Revision = Annotated[int | None, Whole(0, 30_000), "0 as made first; without it, the last."]
GamingDay = Annotated[datetime.date | None, "Of this gaming day."]
ShiftId = Annotated[Id | None, "A shift's id."]


def done(answer: Answer) -> Response:
    """Answer a command that was carried out, with the new version as ETag."""
    return versioned(answer)


def versioned(state: Mapping[str, Any], by: str = "version") -> Response:
    """Answer data that carries a version, with that version, or what else says what it is, as ETag."""
    return Response(state, headers={"ETag": etag(state[by])})


def page(
    request: Request,
    rows: QuerySet[M],
    state: Callable[[M], Mapping[str, Any]],
    *,
    key: str,
    before: int | None,
    limit: int,
    names: bool = False,
) -> Response:
    """Answer one page of `rows`, which are ordered by `key` downwards, and the address of the next one.

    With `names` what refers to players names them: as much is read however many rows there are.
    """
    if before is not None:
        rows = rows.filter(**{f"{key}__lt": before})
    shown = list(rows[: limit + 1])
    more, shown = len(shown) > limit, shown[:limit]
    following = None
    if more:
        query = request.query_params.copy()
        query["before"] = str(getattr(shown[-1], key))
        following = f"{request.path}?{query.urlencode()}"
    results = [state(row) for row in shown]
    return Response({"results": named(results) if names else results, "next": following})
