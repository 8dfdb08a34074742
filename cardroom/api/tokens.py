"""Sign-in of programs by `Authorization: Bearer …`, the scope of their tokens and how many requests they may send, refused ones too.

Each is one of Django REST framework's own interfaces, which `SignedInView` names.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from cardroom.floor.errors import Forbidden
from cardroom.people.models import ProgramToken, Role, Staff
from cardroom.people.programs import TokenRefused, token_read
from cardroom.people.rights import holds, scope_of

#: Requests a minute from one address whose tokens are refused, and which are told why.
REFUSED_REQUESTS: Final = 30
_SCHEME = b"bearer"
_PROGRAM = frozenset({Role.PROGRAM})


class TokenOrNobody(BaseAuthentication):
    """A program's token. A request without one is left to the session; a token that opens nothing is 401 and says why."""

    @sensitive_variables("given", "text")
    def authenticate(self, request: Request) -> tuple[Staff, ProgramToken] | None:
        given = get_authorization_header(request).split()
        if not given or given[0].lower() != _SCHEME:
            return None
        text = given[1].decode("latin-1") if len(given) == 2 else ""
        try:
            token = token_read(text, timezone.now())
        except TokenRefused as refused:
            throttle = RefusedThrottle()
            if not throttle.allow_request(request, None):  # type: ignore[arg-type]  # an address is the same for every view
                raise RefusedTooOften(throttle.wait()) from refused
            raise AuthenticationFailed(refused.message, code=refused.code) from refused
        return token.program.staff, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="cardroom"'


class InScope(BasePermission):
    """A program may do what its list of rights has; a person's roles are asked where the row is found."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        token = request.auth
        operation = getattr(getattr(view, str(request.method).lower(), None), "operation", None)
        if not isinstance(token, ProgramToken) or operation is None or operation.right is None:
            return True
        program = token.program
        if not holds(_PROGRAM, program.staff, operation.right):
            scope = scope_of(operation.right)
            raise Forbidden(
                "out_of_scope",
                f"{program} has no right {scope!r} ({operation.right.value}). A program's rights never change: where it may have "
                f"this one, a room manager of {program.room} makes a program with it on the page Programs.",
                extra={"scope": scope},
            )
        return True


class ProgramThrottle(SimpleRateThrottle):
    """So many requests a minute by one program, with all of its tokens; people are not counted."""

    scope = "program"

    def get_rate(self) -> str:
        return f"{settings.PROGRAM_REQUESTS}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        token = request.auth
        return f"throttle_program_{token.program_id}" if isinstance(token, ProgramToken) else None


class RefusedTooOften(Throttled):
    """Tokens that open nothing were sent too often from one address (429)."""

    default_code = "refused_too_often"


class RefusedThrottle(SimpleRateThrottle):
    """So many refused tokens a minute from one address. It is asked when a token was refused, and never of one that opens.

    The programs and tablets of a room may share an address: what one of them sends wrongly holds up none of the others.
    """

    rate = f"{REFUSED_REQUESTS}/min"

    def get_cache_key(self, request: Request, view: APIView | None) -> str | None:
        address = self.get_ident(request)
        return f"throttle_refused_{address}" if address else None


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A program's token, as the schema names it."""

    target_class = "cardroom.api.tokens.TokenOrNobody"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A program's token (docs/programs.md): made on the page Programs of a room.",
        }
