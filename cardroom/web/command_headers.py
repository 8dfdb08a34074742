"""What comes with every form: the version that the page was drawn on, and a key of its own against double posts."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from cardroom.floor.commands import Envelope
from cardroom.floor.errors import BadInput, FloorError, Forbidden
from cardroom.floor.reads.answers import was_answered
from games.phrases import Phrase

from .access import staff_of

VERSION = "version"
KEY = "idempotency_key"
#: Who was signed in when an act was given that may have waited on a tablet since.
GIVEN_BY = "given_by"


def fresh_key() -> str:
    """A key for one form: pressing its button twice does one thing."""
    return str(uuid.uuid4())


def envelope_of(request: HttpRequest) -> Envelope:
    """Read the envelope of a posted form.

    Raises BadInput for a form that is not one of ours, and Forbidden for an act that another user has given.
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
    return Envelope(actor=staff, key=request.POST.get(KEY, ""), version=int(typed))


def done_once(request: HttpRequest, act: Callable[[Envelope], str]) -> FloorError | None:
    """Carry an act out, once for each form, and say what was done; the error when it was refused."""
    try:
        envelope = envelope_of(request)
        if not was_answered(envelope.actor, envelope.key):
            messages.success(request, act(envelope))
    except FloorError as error:
        return error
    return None
