"""Approval by a second person, who gives their own user name and password for one act.

The password is checked here and nowhere else: it is never stored, journalled, logged or sent on.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from django.contrib.auth import authenticate
from django.core.cache import cache
from django.views.decorators.debug import sensitive_variables

from cardroom.core.acts import Signature

from .models import Staff

#: Rate limit: after so many wrong passwords for one user name, its approvals are refused for so long.
MOST_TRIES = 5
REST_SECONDS = 300
#: The second person of an act, as every act takes them.
Approval = Annotated[Staff, Signature()]


class ApprovalRefused(Exception):
    """The approval failed. `code` is stable, `message` a sentence for people, `status` the HTTP status."""

    def __init__(self, code: str, message: str, status: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


@sensitive_variables("password")
def approver_authenticate(username: str, password: str) -> Staff:
    """Return the active member of staff whose user name and password these are.

    The service checks whether that person may approve the act. Raises ApprovalRefused: `approver_not_known` (403),
    which does not tell a wrong name from a wrong password, and `approver_resting` (429) after `MOST_TRIES` wrong ones
    under a user name, known or not. The count is by user name: by address, one bad guesser would lock every tablet
    behind the room's router. It is separate from the sign-in's count: wrong approvals never lock a user out of signing
    in.
    """
    key = _key(username)
    if _count(key) > MOST_TRIES:
        raise ApprovalRefused(
            "approver_resting",
            "Too many wrong passwords were given under this user name. Wait five minutes, or ask another approver.",
            429,
        )
    approver = authenticate(request=None, username=username, password=password)
    if not isinstance(approver, Staff):
        raise ApprovalRefused(
            "approver_not_known", "This user name and password belong to nobody who can approve here.", 403
        )
    cache.delete(key)
    return approver


def _key(username: str) -> str:
    """Return the counter's cache key; hashed, since a key may hold no blanks and a mistyped name may be a password."""
    return f"approver-tries:{hashlib.sha256(username.casefold().encode()).hexdigest()}"


def _count(key: str) -> int:
    """Count one more try before the password is checked, so that concurrent tries all count."""
    cache.add(key, 0, REST_SECONDS)
    try:
        return cache.incr(key)
    except ValueError:  # the key expired between the two calls
        return 1
