"""Under ASGI, Django runs the signals, middleware and view of a request in one thread: that of its database connection."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from tests import own_loop

seen: list[tuple[str, int]] = []
loops: set[int] = set()


def _view(request: HttpRequest) -> HttpResponse:
    seen.append(("view", threading.get_ident()))
    answer = HttpResponse(b"read " + request.body, headers={"X-Asked": request.get_full_path()})
    answer.set_cookie("left", "behind")
    return answer


def _broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("as it may be")


urlpatterns = [path("there/", _view), path("broken/", _broken)]


@pytest.fixture
def handler() -> Iterator[ASGIHandler]:
    def began(**_: Any) -> None:
        seen.append(("began", threading.get_ident()))

    def ended(**_: Any) -> None:
        seen.append(("ended", threading.get_ident()))

    seen.clear()
    loops.clear()
    request_started.connect(began)
    request_finished.connect(ended)
    with override_settings(
        ROOT_URLCONF=__name__,
        ALLOWED_HOSTS=["floor.example"],
        MIDDLEWARE=["cardroom.core.counters.requests_counted", "django.middleware.common.CommonMiddleware"],
    ):
        yield ASGIHandler()
    request_started.disconnect(began)
    request_finished.disconnect(ended)


def _ask(handler: ASGIHandler, address: str, *messages: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Put a request to the site as uvicorn would; return what it sent."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": address,
        "raw_path": address.encode(),
        "root_path": "",
        "query_string": b"with=it",
        "headers": [(b"host", b"floor.example"), (b"content-type", b"text/plain")],
        "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8000),
        "scheme": "http",
    }
    waiting, sent = iter(messages), list[Mapping[str, Any]]()

    async def receive() -> Mapping[str, Any]:
        for message in waiting:
            return message
        await asyncio.Event().wait()  # the browser stays
        raise AssertionError("no one sets this event")

    async def send(message: Mapping[str, Any]) -> None:
        loops.add(threading.get_ident())
        sent.append(message)

    own_loop.run(handler(scope, receive, send))
    return sent


BODY = (
    {"type": "http.request", "body": b"in two ", "more_body": True},
    {"type": "http.request", "body": b"pieces", "more_body": False},
)


def test_signals_and_view_share_a_thread_that_is_not_the_loops(handler: ASGIHandler) -> None:
    start, body = _ask(handler, "/there/", *BODY)
    assert [name for name, _ in seen] == ["began", "view", "ended"]
    assert len({thread for _, thread in seen}) == 1
    assert len(loops) == 1 and seen[0][1] not in loops
    assert (start["status"], body["body"]) == (200, b"read in two pieces")
    assert dict(start["headers"])[b"X-Asked"] == b"/there/?with=it"
    assert dict(start["headers"])[b"Set-Cookie"] == b"left=behind; Path=/"


def test_a_view_that_fails_is_answered_and_its_request_is_finished(handler: ASGIHandler) -> None:
    assert _ask(handler, "/broken/", *BODY)[0]["status"] == 500
    assert [name for name, _ in seen] == ["began", "ended"]


def test_whoever_leaves_before_the_request_is_whole_is_not_answered(handler: ASGIHandler) -> None:
    assert _ask(handler, "/there/", BODY[0], {"type": "http.disconnect"}) == []
    assert seen == []
