"""Server-sent events: pages hear within a moment what has changed on the floor.

A view of Django's answers who may listen, as it answers any request, and its body says where everything stands; the
header `FOLLOW` on it names what to follow. Django is then done, its thread and its database connection are free, and
the stream goes on here: one coroutine a page, one subscription to the broker a process. The same view is asked again
every few minutes, and after the broker was away: whoever may listen no longer is sent off, and whatever was missed is
told anew.

Events: `table` and `alert` (`{"table", "version", "entry"}`), `card` (`{"table", "entry", "html"}`) to whoever follows a
room, `room` (`{"room", "version", "entry"}`), `line` (`{"live"}`) when the broker goes and comes back, and `here` when
there has been nothing else for a while. A slow reader misses numbers in between, never the last one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from .event_hub import Draw, Hub, Listener, event

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Coroutine[Any, Any, None]]

#: Names what a response goes on with: `room=3` or `table=7`. It never leaves the house.
FOLLOW = "X-Cardroom-Follow"
#: Seconds after which it is asked again whether the listener may still listen.
ASK_AGAIN = 300.0
#: Seconds that a reader may leave what is sent to it untaken.
PATIENCE = 30.0
#: Milliseconds after which a browser that lost its line tries again.
RETRY_MS = 2000


class LiveStreams:
    """The site, whose answers go on as streams where they say so; `draw` draws the cards of boards."""

    def __init__(self, site: Application, draw: Draw) -> None:
        self.site = site
        self.hub = Hub(draw)

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
        async def tell(text: str | bytes, more: bool = True) -> None:
            raw = text.encode() if isinstance(text, str) else text
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": raw, "more_body": more})

        with contextlib.suppress(
            TimeoutError
        ):  # a reader that takes nothing any more is left to its own retry
            _taken_out(start, "Content-Length")
            await send(start)
            await tell(f"retry: {RETRY_MS}\n\n" + event("line", {"live": self.hub.live}))
            await tell(body)
            asked_at = time.monotonic()
            while not listener.ended:
                await tell(await listener.news())
                if listener.wants_all or time.monotonic() - asked_at > ASK_AGAIN:
                    listener.wants_all = False
                    again, body = await self._ask(scope)
                    if _taken_out(again, FOLLOW) is None:
                        break
                    asked_at = time.monotonic()
                    await tell(body)
            await tell("", more=False)

    async def _ask(self, scope: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Put the request to the site as if it were the only one, and return its whole answer."""
        start: dict[str, Any] = {}
        body = b""
        requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            for request in requests:
                return request
            await asyncio.Event().wait()  # it is not the site that notices when the page has gone
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
    """Take a header out of a response's first message and return its value; None where there is none."""
    wanted = name.lower().encode()
    found = [value for key, value in start["headers"] if key.lower() == wanted]
    start["headers"] = [(key, value) for key, value in start["headers"] if key.lower() != wanted]
    return found[0].decode() if found else None
