"""Sessions: how and when a person signed in, what is open of theirs, and whether it is locked.

allauth's `UserSession` names the person of a session, so that they see and end their own. Its forms and its pages ask for a
password once more; how long a sign-in is fresh is decided here: allauth has one such time for showing and sending, keeps what
was posted (a PIN, a password) in the session meanwhile, and knows no PIN.
"""

from __future__ import annotations

import datetime
import time
from typing import Any, cast

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import authentication_step_completed, password_changed
from allauth.account.signals import user_logged_in as signed_in
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from .journal import TABLE, person_data, sign_in_noted
from .models import Staff

#: A sign-in is fresh for so long: what asks for one asks again later.
FRESH = datetime.timedelta(seconds=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
#: What was opened with a fresh sign-in may be sent so long after it.
TO_SEND = 3 * FRESH
#: A session ends so long after a password opened it: a long shift. Sign-ins by PIN do not lengthen it.
LONGEST = datetime.timedelta(seconds=settings.SESSION_COOKIE_AGE)
BACKEND = "cardroom.people.sign_in.StaffBackend"

#: Keys of the session beside `TABLE`: when a password opened it or the one before it, when the person last gave what opens
#: it, and whether it is locked.
OPENED_AT = "password_at"
PROVED_AT = "proved_at"
LOCKED = "locked"


def is_fresh(request: HttpRequest, within: datetime.timedelta = FRESH) -> bool:
    """Tell whether the person gave what opens this session a short while ago."""
    records = get_authentication_records(request, request.user)
    given: float = max([request.session.get(PROVED_AT, 0.0), *(record["at"] for record in records)])
    return 0 <= time.time() - given < within.total_seconds()


def table_of_pin(request: HttpRequest) -> int | None:
    """Return the table at which a PIN opened this session; None for one that a password opened."""
    table: int | None = request.session.get(TABLE)
    return table


def is_over(request: HttpRequest) -> bool:
    """Tell whether the session has lasted as long as it may."""
    opened = request.session.get(OPENED_AT)
    return opened is None or time.time() - opened > LONGEST.total_seconds()


def is_locked(request: HttpRequest) -> bool:
    """Tell whether the session waits for its person's PIN or password."""
    return bool(request.session.get(LOCKED))


def lock(request: HttpRequest) -> None:
    """Lock the session: it opens nothing until its person unlocks it."""
    request.session[LOCKED] = True


def unlock(request: HttpRequest, *, by_password: bool) -> None:
    """Unlock the session. A PIN makes a sign-in fresh only where a PIN opened it."""
    request.session.pop(LOCKED, None)
    if by_password or table_of_pin(request) is not None:
        request.session[PROVED_AT] = time.time()
    sign_in_noted(cast(Staff, request.user), "session_unlock", {"by": "password" if by_password else "PIN"})


def sign_in_by_pin(request: HttpRequest, person: Staff, table_id: int) -> None:
    """Let `person`, whose PIN was checked, command at this table's tablet from now on; the session's key changes.

    What the person before was allowed ends with their session.
    """
    opened, before = request.session.get(OPENED_AT), cast(Staff, request.user)
    login(request, person, backend=BACKEND)
    request.session[TABLE] = table_id
    request.session[OPENED_AT] = opened
    UserSession.objects.create_from_request(request)
    UserSession.objects.filter(session_key=request.session.session_key).update(data={TABLE: table_id})
    sign_in_noted(person, "tablet_take", {"table": table_id, "before": person_data(before)})


def open_sessions(staff: Staff) -> list[UserSession]:
    """Return a person's sessions that are open now, the latest first."""
    since = timezone.now() - LONGEST
    known = UserSession.objects.purge_and_list(staff)
    return sorted(
        (each for each in known if each.created_at > since), key=lambda each: each.created_at, reverse=True
    )


def sessions_purged(now: datetime.datetime) -> int:
    """Delete the sessions that have expired, and the names of their persons; return how many sessions those were."""
    gone, _ = Session.objects.filter(expire_date__lt=now).delete()
    open_ones = Session.objects.values("session_key")
    UserSession.objects.filter(last_seen_at__lt=now - LONGEST).exclude(session_key__in=open_ones).delete()
    return gone


def session_of(staff: Staff, session_id: int) -> UserSession | None:
    """Return one of a person's sessions; None where it is none of theirs."""
    return UserSession.objects.filter(user=staff, pk=session_id).first()


def session_end(staff: Staff, session_id: int) -> bool:
    """End one of a person's own sessions; False where it is none of theirs."""
    found = session_of(staff, session_id)
    if found is None:
        return False
    found.end()
    sign_in_noted(staff, "session_end", {"of": found.ip})
    return True


@receiver(user_logged_in)
def _session_opened(sender: type, request: HttpRequest | None, user: Staff, **more: object) -> None:
    """Note when a session was opened; a sign-in by password takes a tablet's limits and its lock away."""
    if request is None or not hasattr(request, "session"):
        return
    request.session.pop(TABLE, None)
    request.session.pop(LOCKED, None)
    request.session[OPENED_AT] = request.session[PROVED_AT] = time.time()


@receiver(password_changed)
def _password_changed(sender: type, user: Staff, **more: object) -> None:
    """A person has set their own password: the one that somebody else knew is gone."""
    user.must_change_password = False
    user.save(update_fields=["must_change_password"])
    sign_in_noted(user, "password_change")


@receiver(signed_in)
def _signed_in(sender: type, request: HttpRequest, user: Staff, **more: object) -> None:
    """Write a sign-in by allauth into the journals, with what opened it."""
    sign_in_noted(user, "sign_in", {"by": _how(get_authentication_records(request, user))})


def _how(records: list[dict[str, Any]]) -> str:
    """Say what opened a session: "password", "password and totp", "webauthn"."""
    given = [str(record.get("type") or record.get("method")) for record in records]
    return " and ".join(dict.fromkeys(given)) or "password"


@receiver(authentication_step_completed)
def _step_completed(sender: type, request: HttpRequest, user: Staff, method: str, **more: object) -> None:
    """Write into the journals that a person who is signed in gave password or second factor once more."""
    if more.get("reauthenticated"):
        sign_in_noted(user, "sign_in_afresh", {"by": str(more.get("type") or method)})


@receiver(user_logged_out)
def _session_closed(sender: type, request: HttpRequest, user: Staff | None, **more: object) -> None:
    if user is not None:
        sign_in_noted(user, "sign_out")
