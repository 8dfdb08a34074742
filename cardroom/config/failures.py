"""Responses to unhandled exceptions (`handler500`).

An unreachable database or broker, a database that is read-only, and a lock timeout outside of the commands (which answer `busy` themselves), give 503
with `Retry-After`. Everything else is a bug: 500, with the traceback in the log. Under `/api/` both have the API's
error format, elsewhere they are HTML pages. Nothing here queries the database.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import redis.exceptions
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.views.decorators.csrf import requires_csrf_token
from kombu.exceptions import OperationalError as BrokerError

from cardroom.config.databases import READ_ONLY_SQLSTATE
from cardroom.people.journal import JournalBusy

#: Seconds for `Retry-After`.
AWAY_SECONDS, BUSY_SECONDS = 5, 1


class Failure(NamedTuple):
    """The response to a failed request: `code` for programs, `message` for people; 0 seconds: no Retry-After."""

    status: int
    code: str
    message: str
    retry_seconds: int = 0


DATABASE_AWAY = Failure(
    503,
    "database_away",
    "The database cannot be reached at the moment. Send the same request again, under the same Idempotency-Key where it "
    "has one: what was recorded before the connection was lost is not recorded twice.",
    AWAY_SECONDS,
)
READ_ONLY = Failure(
    503,
    "database_read_only",
    "The database takes no changes at the moment: another server is being put in its place, or it is closed for "
    "maintenance. Send the same request again, under the same Idempotency-Key where it has one.",
    AWAY_SECONDS,
)
BROKER_AWAY = Failure(
    503,
    "broker_away",
    "The broker cannot be reached at the moment. Send the same request again, under the same Idempotency-Key where it "
    "has one.",
    AWAY_SECONDS,
)
BUSY = Failure(
    503,
    "busy",
    "Somebody else is writing to the database right now. Nothing was changed; try again.",
    BUSY_SECONDS,
)
FAULT = Failure(
    500,
    "fault",
    "Something went wrong on the server, and was logged. Commands are recorded whole or not at all: look at the present state "
    "before you decide anew, or send the same request again under the same Idempotency-Key.",
)

#: SQLSTATEs, or classes of them, of a server that is unreachable, stopping, starting, or out of connections or memory.
_AWAY = ("08", "53", "57P01", "57P02", "57P03")
#: Those of errors that the driver calls internal: the server takes no writes; the transaction was ended as its process said
#: nothing for too long.
_OF_INTERNAL_ERRORS = {READ_ONLY_SQLSTATE: READ_ONLY, "25P03": DATABASE_AWAY}
#: SQLSTATEs of a transaction that lost to another: lock_not_available, deadlock_detected, serialization_failure.
_GAVE_WAY = ("55P03", "40P01", "40001")
#: SQLite's messages for a file that it cannot open or read, and for one that another connection is writing.
_SQLITE_AWAY = ("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_FULL")
_SQLITE_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_SQLITE_READ_ONLY = "SQLITE_READONLY"
_BROKER_ERRORS = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError, BrokerError)


def failure_of(error: BaseException | None) -> Failure:
    """Return the failure response for the exception `error`."""
    if isinstance(error, _BROKER_ERRORS):
        return BROKER_AWAY
    if isinstance(error, JournalBusy):
        return BUSY
    if isinstance(error, InternalError):
        return _OF_INTERNAL_ERRORS.get(getattr(error.__cause__, "sqlstate", ""), FAULT)
    if isinstance(error, OperationalError):
        return _of_operation(error.__cause__)
    if isinstance(error, InterfaceError) and "connection" in str(error) and "closed" in str(error):
        return DATABASE_AWAY  # lost during the request
    return FAULT


def _of_operation(cause: Any) -> Failure:
    """Classify the driver's exception behind Django's OperationalError."""
    if name := getattr(cause, "sqlite_errorname", ""):
        if name.startswith(_SQLITE_BUSY):
            return BUSY
        if name.startswith(_SQLITE_READ_ONLY):
            return READ_ONLY
        return DATABASE_AWAY if name.startswith(_SQLITE_AWAY) else FAULT
    if not type(cause).__module__.startswith("psycopg"):
        return FAULT
    sqlstate = cause.sqlstate or ""
    if sqlstate in _GAVE_WAY:
        return BUSY
    # No SQLSTATE means no response from the server: no connection (the pool's timeout too), or it was lost.
    return DATABASE_AWAY if not sqlstate or sqlstate.startswith(_AWAY) else FAULT


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """Answer the exception that is being handled; Django calls this where nothing else has caught it (`handler500`)."""
    failure = failure_of(sys.exc_info()[1])
    if request.path.startswith("/api/"):
        error = {"code": failure.code, "message": failure.message, "path": ""}
        answer: HttpResponse = JsonResponse({"error": error}, status=failure.status)
    else:
        page = loader.get_template(f"{failure.status}.html")
        answer = HttpResponse(page.render({"seconds": failure.retry_seconds}), status=failure.status)
    if failure.retry_seconds:
        answer["Retry-After"] = str(failure.retry_seconds)
    answer["Cache-Control"] = "no-store"
    return answer
