"""Made-up requests to every operation of the OpenAPI document, well formed and malformed, by every role."""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cardroom.floor.commands.rounds import bets_place, round_open
from cardroom.floor.models import Table
from cardroom.people.models import Role
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.models import Room
from tests.cast import Cast, new_key, written
from tests.kept import kept

from .conformance import served_document
from .test_rights import OPERATIONS, body_of, rows_there, with_a_round

NOBODY, ELSEWHERE, OUTSIDER = "nobody signed in", "staff of another room", "outsider"
#: Who asks: each role in its room, who holds the right in another room alone, who holds none anywhere, and nobody.
CALLERS: tuple[str, ...] = (*Role.values, ELSEWHERE, OUTSIDER, NOBODY)

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
#: Answers that reveal nothing of a room: the request itself is wrong, or its sender.
_SAYS_NOTHING = frozenset({400, 401, 403, 404, 415, 422, 428})
_TOKEN = "c" * 32


@functools.cache
def api() -> Any:
    """The document as schemathesis reads it, with the site itself behind it."""
    loaded = schemathesis.openapi.from_dict(copy.deepcopy(served_document()))
    loaded.app = get_wsgi_application()
    return loaded


@contextlib.contextmanager
def world() -> Iterator[Cast]:
    """Table 7 with a round on record, whose bank ran out, and another one that takes bets; reports, tips and jobs.

    Inside it a request does not close the test's connection, and its transaction with it: Django's own test client,
    which has built the world, keeps it from that for as long as each of its own requests takes.
    """
    cast = kept(_world)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield cast
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def _world() -> Cast:
    cast = with_a_round()
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    cast.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    return cast


@dataclass(frozen=True)
class Made:
    """A request as it was drawn: to rows that there are or not, and with the body that the operation gives as its example."""

    case: Any
    astray: bool
    exemplary: bool


def requests(method: str, path: str) -> st.SearchStrategy[Made]:
    """Return the requests to one operation; most go to rows that there are, on the present version."""
    operation = api()[path][method]
    cases = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])
    return st.builds(
        Made, cases, astray=st.integers(0, 5).map(lambda drawn: drawn == 5), exemplary=st.booleans()
    )


class Asker:
    """Sends requests to one operation, and checks each response against the OpenAPI document and the table of rights."""

    def __init__(self, cast: Cast, method: str, path: str) -> None:
        self._cast, self._method, self._path = cast, method, path
        self._right, self._body = OPERATIONS[method, path].right, body_of((method, path))
        self._rows, self._before = rows_there(cast), written()

    def ask(self, who: str, made: Made) -> int:
        """Send a request as `who`, take back what it does, and return its status; AssertionError or a failed check."""
        case, headers = made.case, {"X-CSRFToken": _TOKEN}
        if not made.astray:
            case.path_parameters = {**(case.path_parameters or {}), **self._known(case)}
            if self._method != "GET":
                headers |= {"If-Match": f'"{self._version()}"', "Idempotency-Key": new_key()}
        if made.exemplary and self._body is not None:
            case.body, case.media_type = self._body(self._cast), "application/json"
        case.headers.update(headers)
        with transaction.atomic():
            response = case.call(cookies=self._cookies(who))
            status: int = response.status_code
            case.validate_response(response, checks=_CHECKS)
            if status >= 400:
                assert written() == self._before, f"{who}: {status} has written something"
            self._held_against_rights(who, status)
            transaction.set_rollback(True)
        return status

    def _held_against_rights(self, who: str, status: int) -> None:
        if who == NOBODY:
            assert status == 401, f"nobody is signed in, and the answer is {status}"
        elif self._right is not None and who not in RIGHTS[self._right]:
            assert status in _SAYS_NOTHING, (
                f"{who} has no right to {self._right.value}, and is answered {status}"
            )

    def _cookies(self, who: str) -> dict[str, str]:
        if who == NOBODY:
            return {"csrftoken": _TOKEN}
        if who == ELSEWHERE:
            who = f"rival_{min(RIGHTS[self._right or Right.SEE_FLOOR])}"
        return {"csrftoken": _TOKEN, settings.SESSION_COOKIE_NAME: self._cast.sessions[who]}

    def _known(self, case: Any) -> dict[str, Any]:
        return {name: row for name, row in self._rows.items() if name in (case.path_parameters or {})}

    def _version(self) -> int:
        model, name = (Table, "table_id") if "table_id" in self._path else (Room, "room_id")
        version: int = model._default_manager.values_list("version", flat=True).get(pk=self._rows[name])
        return version
