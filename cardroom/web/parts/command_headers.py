"""`CommandMeta` from a posted form's hidden fields: the version that the page was drawn on, and an idempotency key."""

from __future__ import annotations

import datetime
import json
import re
import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from cardroom.core.json_types import MOST_ID
from cardroom.floor.errors import BadInput, FloorError, Forbidden
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.execution.offline import GivenOffline
from games.phrases import Phrase

from .access import staff_of

VERSION = "version"
KEY = "idempotency_key"
#: The digest of what the page showed of a filing.
READ = "read"
#: Who was signed in when a command was given that may have waited on a tablet since.
GIVEN_BY = "given_by"
#: When an entry was given that has waited on a tablet, by its clock; what its clock was behind the server's when it was last
#: in touch (milliseconds); and the name that it gives itself.
GIVEN_AT, OFFSET, SCREEN = "given_at", "clock_offset", "screen"
#: A tablet's clock is wrong by hours or by years, and by no more than a century; its year is one of these.
_MOST_OFFSET_MS = 100 * 366 * 24 * 60 * 60 * 1000
_YEARS = range(1970, 2200)
#: For whom such a command was given, as JSON: `cardroom.floor.execution.given_for`.
GIVEN_FOR = "given_for"


def fresh_key() -> str:
    """A key for one form: pressing its button twice does one thing."""
    return str(uuid.uuid4())


def meta_of(request: HttpRequest) -> CommandMeta:
    """Read the envelope of a posted form.

    Raises BadInput for a form that is not one of ours, and Forbidden for a command that another user has given.
    """
    typed = request.POST.get(VERSION, "")
    # Nineteen digits and more do not fit the column that they are compared with.
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 18):
        raise BadInput(
            "bad_version",
            Phrase("This form has lost its version. Reload the page."),
            path=VERSION,
            status=400,
        )
    staff = staff_of(request)
    if request.POST.get(GIVEN_BY, str(staff.pk)) != str(staff.pk):
        raise Forbidden(
            "given_by_another",
            Phrase(
                "This was entered by somebody else than {staff}. Whoever gave it signs in and sends it, or it is set aside.",
                staff=staff,
            ),
        )
    return CommandMeta(
        actor=staff,
        key=request.POST.get(KEY, ""),
        version=int(typed),
        given=_given_offline(request),
        given_for=_given_for(request),
    )


def _given_offline(request: HttpRequest) -> GivenOffline | None:
    """Read when an entry was given that has waited on a tablet; None for one that has not. Raises BadInput."""
    typed, offset = request.POST.get(GIVEN_AT, ""), request.POST.get(OFFSET, "")
    if not typed:
        return None
    screen = request.POST.get(SCREEN, "")
    try:
        at, offset_ms = datetime.datetime.fromisoformat(typed), int(offset) if offset else None
        is_read = at.tzinfo is not None and abs(offset_ms or 0) <= _MOST_OFFSET_MS and at.year in _YEARS
    except ValueError:
        is_read = False
    if not is_read:
        raise BadInput(
            "bad_given_at",
            Phrase("This form has lost its version. Reload the page."),
            path=GIVEN_AT,
            status=400,
        )
    return GivenOffline(at, offset_ms, screen if re.fullmatch(r"[a-z0-9]{1,20}", screen) else "")


def _given_for(request: HttpRequest) -> dict[str, int]:
    """Whom the command names: nobody, where it comes straight from a form. Raises BadInput for anything but ids by name."""
    typed = request.POST.get(GIVEN_FOR, "")
    try:
        named = json.loads(typed) if typed else {}
    except ValueError:
        named = None
    if not isinstance(named, dict) or not all(type(pk) is int and 0 < pk <= MOST_ID for pk in named.values()):
        raise BadInput(
            "bad_given_for",
            Phrase("These are no entries of a tablet. Reload the page."),
            path=GIVEN_FOR,
            status=400,
        )
    return named


def done_once(request: HttpRequest, command: Callable[[CommandMeta], str]) -> FloorError | None:
    """Carry a command out and say what was done; the error when it was refused."""
    try:
        messages.success(request, command(meta_of(request)))
    except FloorError as error:
        return error
    return None
