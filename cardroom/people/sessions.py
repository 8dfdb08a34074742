"""What a session may do: how its person signed in, how long ago, and at which table a PIN opened it."""

from __future__ import annotations

import datetime
import time

from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from .models import Staff

#: A sign-in is fresh for so long: what asks for one asks again later.
FRESH = datetime.timedelta(seconds=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
#: A session ends so long after a password opened it: a long shift. Sign-ins by PIN do not lengthen it.
LONGEST = datetime.timedelta(hours=12)
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"

#: Keys of the session: the table at which a PIN opened it, and when a password opened it or the one before it.
TABLE = "pin_table"
OPENED_AT = "password_at"


def is_fresh(request: HttpRequest) -> bool:
    """Tell whether the person gave a password or a second factor in this session a short while ago."""
    given = get_authentication_records(request, request.user)
    return bool(given) and 0 <= time.time() - given[-1]["at"] < FRESH.total_seconds()


def table_of_pin(request: HttpRequest) -> int | None:
    """Return the table at which a PIN opened this session; None for one that a password opened."""
    table: int | None = request.session.get(TABLE)
    return table


def is_over(request: HttpRequest) -> bool:
    """Tell whether the session has lasted as long as it may."""
    opened = request.session.get(OPENED_AT)
    return opened is None or time.time() - opened > LONGEST.total_seconds()


def sign_in_by_pin(request: HttpRequest, person: Staff, table_id: int) -> None:
    """Let `person`, whose PIN was checked, act at this table's tablet from now on; the session's key changes.

    What the person before was allowed ends with their session.
    """
    opened = request.session.get(OPENED_AT)
    login(request, person, backend=BACKEND)
    request.session[TABLE] = table_id
    request.session[OPENED_AT] = opened


@receiver(user_logged_in)
def _session_opened(sender: type, request: HttpRequest | None, **more: object) -> None:
    """Note when a session was opened; a sign-in by password takes a tablet's limits away."""
    if request is not None and hasattr(request, "session"):
        request.session.pop(TABLE, None)
        request.session[OPENED_AT] = time.time()
