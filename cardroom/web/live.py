"""Server-sent events: pages hear within a moment what has changed on the floor.

A view of Django's answers who may listen, as it answers any request, and its body says where everything stands; the
header `FOLLOW` on it names what to follow. Django is then done, its thread and its database connection are free, and
the stream goes on here: one coroutine a page, one subscription to the broker a process. The same view is asked again
every few minutes, and after the broker was away: whoever may listen no longer is sent off, and whatever was missed is
told anew.

Events: `here` when there has been nothing else for a while, `table` and `alert` (`{"table", "version", "entry"}`), `room` (`{"room", "version", "entry"}`), and `line`
(`{"live"}`) when the broker goes and comes back. A slow reader misses numbers in between, never the last one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from types import FrameType
from typing import Any

import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from cardroom.floor.live import CHANNEL, TABLE

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Coroutine[Any, Any, None]]

logger = logging.getLogger(__name__)

#: Names what a response goes on with: `room=3` or `table=7`. It never leaves the house.
FOLLOW = "X-Cardroom-Follow"
#: Seconds of silence after which a page is told that the line stands; nobody between takes it for dead either.
KEEP_ALIVE = 15.0
#: Seconds after which it is asked again whether the listener may still listen.
ASK_AGAIN = 300.0
#: Seconds that a reader may leave what is sent to it untaken.
PATIENCE = 30.0
#: Milliseconds after which a browser that lost its line tries again.
RETRY_MS = 2000
#: Seconds between two tries to reach the broker.
BROKER_RETRY = 1.0


_LINE = ("line", 0)


def event(name: str, data: dict[str, Any]) -> str:
    """Return one event as it goes over the line."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class Listener:
    """One page that listens. Holds what it has not been told yet: the last message of each kind and table."""

    def __init__(self) -> None:
        self.ended = False
        self.wants_all = False  # tell it again where everything stands
        self._follows: tuple[str, int] | None = None
        self._untold: dict[tuple[str, int], tuple[int, str]] = {}
        self._woken = asyncio.Event()

    def follow(self, what: str) -> None:
        """Listen from now on to `room=3` or `table=7` alone; until now it was to everything.

        Where all of it stands, and the line too, it is about to be told.
        """
        kind, _, number = what.partition("=")
        self._follows = kind, int(number)
        self.wants_all = False
        self._untold.pop(_LINE, None)

    def hear(self, message: dict[str, Any]) -> None:
        """Take in a message of the broker."""
        data = message["data"]
        key = message["event"], data.get(TABLE, 0)
        if self._wants(message["room"], key[1]):
            self._untold[key] = message["room"], event(message["event"], data)
            self._woken.set()

    def line(self, live: bool) -> None:
        """Take in that the broker has gone or come back."""
        self.wants_all = live
        self._untold[_LINE] = 0, event("line", {"live": live})
        self._woken.set()

    def end(self) -> None:
        self.ended = True
        self._woken.set()

    async def news(self) -> str:
        """Wait for news and return it; `here` when there has been none for a while."""
        try:
            async with asyncio.timeout(KEEP_ALIVE):
                await self._woken.wait()
        except TimeoutError:
            return event("here", {})
        self._woken.clear()
        told = [
            text for key, (room, text) in self._untold.items() if key == _LINE or self._wants(room, key[1])
        ]
        self._untold.clear()
        return "".join(told)

    def _wants(self, room: int, table: int) -> bool:
        return self._follows in (None, ("room", room), ("table", table))


class Hub:
    """The one subscription of this process, and everybody who listens to it."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._reading: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self.live = False

    @contextlib.asynccontextmanager
    async def listener(self) -> AsyncIterator[Listener]:
        """Listen for as long as the block lasts; it begins when the subscription stands, or cannot be had."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._end_with_the_process()
        listener = Listener()
        self._listeners.add(listener)
        try:
            await self._tried.wait()
            yield listener
        finally:
            self._listeners.discard(listener)

    def end_all(self) -> None:
        """Send everybody off: the process is about to end."""
        for listener in self._listeners:
            listener.end()

    async def _read(self) -> None:
        while True:
            try:
                await self._hear_broker()
            except (RedisError, OSError) as fault:
                if self.live or not self._tried.is_set():
                    logger.warning("live pages have lost the broker and will say so: %s", fault)
                self._say(live=False)
            self._tried.set()
            await asyncio.sleep(BROKER_RETRY)

    async def _hear_broker(self) -> None:
        """Subscribe and pass on what comes. Raises when the connection is lost, or silent to a ping."""
        # No retries of the client's own: they would hide that messages have been missed.
        broker = redis.asyncio.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0)
        )
        async with broker, broker.pubsub() as heard:
            await heard.subscribe(CHANNEL)
            silent = 0
            while silent < 2:
                message = await heard.get_message(timeout=KEEP_ALIVE)
                if message is None:
                    silent += 1
                    await heard.ping()
                    continue
                silent = 0
                if message["type"] == "subscribe":
                    self._say(live=True)
                    self._tried.set()
                elif message["type"] == "message":
                    self._pass_on(message["data"])
        raise ConnectionError("the broker answers no ping")

    def _pass_on(self, raw: bytes) -> None:
        try:
            message = json.loads(raw)
            for listener in self._listeners:
                listener.hear(message)
        except (ValueError, LookupError, AttributeError, TypeError):
            logger.exception("the broker passed on what is no message of the floor")

    def _say(self, *, live: bool) -> None:
        if live == self.live:
            return
        self.live = live
        for listener in self._listeners:
            listener.line(live)

    def _end_with_the_process(self) -> None:
        """Send everybody off at the signal to stop: the server waits for its streams before it tells anybody."""
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)

            def stop(number: int, frame: FrameType | None, before: Any = before) -> None:
                loop.call_soon_threadsafe(self.end_all)
                if callable(before):
                    before(number, frame)

            signal.signal(number, stop)


class LiveStreams:
    """The site, whose answers go on as streams where they say so."""

    def __init__(self, site: Application) -> None:
        self.site = site
        self.hub = Hub()

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
