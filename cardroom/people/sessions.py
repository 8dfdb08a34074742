"""Sign-ins in the database, as Django keeps them, read by a statement that is compiled once: each request asks."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as StoredSessions
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from cardroom.statements import compiled_once


@compiled_once(key=models.CharField(), now=models.DateTimeField())
def _standing(key: Any, now: Any) -> QuerySet[Session]:
    """The session of a key, unless it has expired."""
    return Session.objects.filter(session_key=key, expire_date__gt=now)


class SessionStore(StoredSessions):
    """Django's store; what is asked at each request is asked faster."""

    def _get_session_from_db(self) -> Session | None:
        found = _standing.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found
