"""What comes with every form: the version that the page was drawn on, and a key of its own against double posts."""

from __future__ import annotations

import uuid

from django.http import HttpRequest

from cardroom.floor.errors import BadInput
from cardroom.floor.services.commands import Envelope

from .access import staff_of

VERSION = "version"
KEY = "idempotency_key"


def fresh_key() -> str:
    """A key for one form: pressing its button twice does one thing."""
    return str(uuid.uuid4())


def envelope_of(request: HttpRequest) -> Envelope:
    """Read the envelope of a posted form. Raises BadInput for a form that is not one of ours."""
    typed = request.POST.get(VERSION, "")
    # Nineteen digits and more do not fit the column that they are compared with.
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 18):
        raise BadInput(
            "bad_version", "This form has lost its version. Load the page anew.", path=VERSION, status=400
        )
    return Envelope(actor=staff_of(request), key=request.POST.get(KEY, ""), version=int(typed))
