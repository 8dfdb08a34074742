"""Django under ASGI, each request from its first signal to its last in one go and in one thread.

Django's own handler goes back and forth between the event loop and a thread that it makes for the request: for the
signals, between middleware of the one kind and the other, for the view, and to close. The views of the house are plain
functions that wait for the database; what waits for news (`cardroom.web.live`) does so outside of Django. So the loop
reads a request, hands it to one of a few threads, and sends the answer.

Whoever hangs up before the answer came is not followed into the thread: an act that has begun is finished.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import django
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponse
from django.urls import set_script_prefix

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

#: Requests that are answered at once; further ones wait. More than there are connections to the database (`pool` in the
#: settings): files and pages that need none are answered while all of those are in use.
THREADS = 40


class OneThreadHandler(ASGIHandler):
    """Django's handler for ASGI, with the middleware and the views in one thread."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        """Put the middleware together as for WSGI: nothing in it waits on the event loop."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"the site speaks HTTP alone, not {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        context = contextvars.copy_context()
        answer = asyncio.get_running_loop().run_in_executor(
            self._threads, context.run, self._answer, scope, body
        )
        for message in await answer:
            await send(message)

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> list[Message]:
        """Answer a request whose whole body is there; return what is to be sent."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        try:
            request, refused = self.create_request(scope, body)
            response: Any = refused if request is None else self.get_response(request)
            try:
                return self._messages(response)
            finally:
                response.close()  # and with it the request is finished: the connection to the database goes back
        finally:
            body.close()

    def _messages(self, response: HttpResponse) -> list[Message]:
        headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
        headers += [
            (b"Set-Cookie", cookie.output(header="").encode("ascii").strip())
            for cookie in response.cookies.values()
        ]
        start = {"type": "http.response.start", "status": response.status_code, "headers": headers}
        return [start, {"type": "http.response.body", "body": b"".join(response)}]


def site() -> OneThreadHandler:
    """Set Django up and return the site."""
    django.setup(set_prefix=False)
    return OneThreadHandler()
