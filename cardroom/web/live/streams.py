"""Server-sent events: push changes of the floor to open pages.

A Django view checks the permission, as for any request, and its response body holds the current state; its header
`FOLLOW` names the channel to follow. Django's thread and database connection are then free, and the stream goes on
here: one coroutine a page, one subscription to the broker a process. The same view is called again within a minute,
and after a broker outage: a user without permission is disconnected, and missed changes are sent again.

Events: `table` and `alert` (`{"table", "version", "entry"}`), `card` (`{"table", "entry", "html"}`) to followers of a
room, `meter` (`{"table", "movement"}`: the meter that the table plays for has moved) to followers of the table, `room`
(`{"room", "version", "entry"}`), `connection` (`{"live"}`) when the broker is lost and found again, and `here`
as a keep-alive. A slow reader may miss intermediate versions, never the last one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from .event_hub import Hub, Listener, RenderCards, serialize_event

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Coroutine[Any, Any, None]]

#: Internal response header with the channel to follow: `room=3` or `table=7`. It is removed before the response is
#: sent.
FOLLOW = "X-Cardroom-Follow"
#: Seconds between permission checks of a listener.
ASK_AGAIN = 45.0
#: Send timeout in seconds: a client that reads nothing for so long is disconnected.
PATIENCE = 30.0
#: Milliseconds after which a disconnected browser reconnects (`retry:`).
RETRY_MS = 2000


class LiveStreams:
    """ASGI wrapper that turns the site's responses with `FOLLOW` into streams; `render` renders board cards."""

    def __init__(self, site: Application, render: RenderCards) -> None:
        self.site = site
        self.hub = Hub(render)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith("/live/"):
            await self.site(scope, receive, send)
            return
        async with self.hub.listener() as listener:
            start, body = await self._ask(scope)
            if (follow := _taken_out(start, FOLLOW)) is None:
                await send(start)
                await send({"type": "http.response.body", "body": body})
                return
            listener.follow(follow)
            leaving = asyncio.create_task(_until_gone(receive, listener))
            try:
                await self._stream(scope, listener, start, body, send)
            finally:
                leaving.cancel()

    async def _stream(
        self, scope: dict[str, Any], listener: Listener, start: dict[str, Any], body: bytes, send: Send
    ) -> None:
        async def send_body(text: str | bytes, more: bool = True) -> None:
            raw = text.encode() if isinstance(text, str) else text
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": raw, "more_body": more})

        with contextlib.suppress(TimeoutError):  # a client that stopped reading reconnects by itself
            _taken_out(start, "Content-Length")
            await send(start)
            await send_body(f"retry: {RETRY_MS}\n\n" + serialize_event("connection", {"live": self.hub.live}))
            await send_body(body)
            asked_at = time.monotonic()
            while not listener.ended:
                await send_body(await listener.next_events())
                if listener.wants_all or time.monotonic() - asked_at > ASK_AGAIN:
                    listener.wants_all = False
                    again, body = await self._ask(scope)
                    if _taken_out(again, FOLLOW) is None:
                        break
                    asked_at = time.monotonic()
                    await send_body(body)
            await send_body("", more=False)

    async def _ask(self, scope: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Call the site with the request and return its whole response."""
        start: dict[str, Any] = {}
        body = b""
        requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            for request in requests:
                return request
            await asyncio.Event().wait()  # the stream, not the site, handles the disconnect
            raise AssertionError("nobody sets this event")

        async def send(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = dict(message)
            else:
                body += message.get("body", b"")

        await self.site(scope.copy(), receive, send)
        return start, body


async def _until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.end()


def _taken_out(start: dict[str, Any], name: str) -> str | None:
    """Remove a header from `http.response.start` and return its value; None if absent."""
    wanted = name.lower().encode()
    found = [value for key, value in start["headers"] if key.lower() == wanted]
    start["headers"] = [(key, value) for key, value in start["headers"] if key.lower() != wanted]
    return found[0].decode() if found else None
