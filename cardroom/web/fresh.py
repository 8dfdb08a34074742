"""Views that ask for the password, or a second factor, once more: what they change outlasts the session."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardroom.people.sessions import is_fresh


def fresh_sign_in_required(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorator: a person whose sign-in is older than `cardroom.people.sessions.FRESH` gives the password again first.

    What was posted is kept in the session and carried out after that (allauth's middleware).
    """

    @login_required
    @functools.wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_fresh(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return checked
