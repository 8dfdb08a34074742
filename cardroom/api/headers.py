"""HTTP headers of commands: `Idempotency-Key` and `If-Match` of a request, and `ETag` of its answer."""

from __future__ import annotations

import re
from typing import cast

from rest_framework.request import Request

from cardroom.floor.errors import BadInput
from cardroom.floor.execution.carry_out import KEY_LENGTH, CommandMeta
from cardroom.people.models import Staff

_VERSION = re.compile(r'"([0-9]{1,18})"')
_DIGEST = re.compile(r'"([0-9a-f]{64})"')
_KEY = re.compile(rf"[!-~]{{1,{KEY_LENGTH}}}")


def etag(version: int | str) -> str:
    """Return the version of a table or room, or the digest of a filing, as an entity tag: `"12"`."""
    return f'"{version}"'


def meta(request: Request) -> CommandMeta:
    """Return who gives the command, its key and the version it is given on.

    Raises BadInput: 400 `idempotency_key_required` or `bad_idempotency_key`, 428 `if_match_required`,
    400 `bad_if_match`.
    """
    return CommandMeta(actor=signed_in(request), key=_key(request), version=_version(request))


def meta_and_digest(request: Request) -> tuple[CommandMeta, str]:
    """Return the same of a command that names what was read: If-Match is the digest, which is the thing's ETag."""
    given = request.headers.get("If-Match")
    if given is None:
        raise BadInput(
            "if_match_required",
            "Send an If-Match header with what you have read: the ETag of the version of the filing.",
            path="If-Match",
            status=428,
        )
    match = _DIGEST.fullmatch(given.strip())
    if match is None:
        raise BadInput(
            "bad_if_match",
            "If-Match is one digest in quotes, as the ETag gives it. No list, no *, no W/.",
            path="If-Match",
            status=400,
        )
    return CommandMeta(actor=signed_in(request), key=_key(request), version=0), match[1]


def signed_in(request: Request) -> Staff:
    """Return the person who is signed in; the permission `IsAuthenticated` has refused all others."""
    return cast(Staff, request.user)


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        raise BadInput(
            "idempotency_key_required",
            "Send an Idempotency-Key header: a new one (a UUID) for each command, the same one when you repeat it.",
            path="Idempotency-Key",
            status=400,
        )
    if not _KEY.fullmatch(key):
        raise BadInput(
            "bad_idempotency_key",
            f"An Idempotency-Key is 1 to {KEY_LENGTH} visible ASCII characters without blanks; a UUID will do.",
            path="Idempotency-Key",
            status=400,
        )
    return key


def _version(request: Request) -> int:
    given = request.headers.get("If-Match")
    if given is None:
        raise BadInput(
            "if_match_required",
            "Send an If-Match header with the version on which you decided: the ETag of the table or room.",
            path="If-Match",
            status=428,
        )
    match = _VERSION.fullmatch(given.strip())
    if match is None:
        raise BadInput(
            "bad_if_match",
            'If-Match is one version in quotes, as the ETag gives it: "12". No list, no *, no W/.',
            path="If-Match",
            status=400,
        )
    return int(match[1])
