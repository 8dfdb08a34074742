"""Fans out one broker subscription a process to all open pages; a changed card is rendered once for all.

A board shows a card a table. Twenty boards that each render a changed card load a site more than the tables do; here a
card is rendered once and sent to all of them. It holds nothing user-specific: the page adds that.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
import signal
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from cardroom.floor.notify import ALERT, CHANNEL, METER, TABLE

logger = logging.getLogger(__name__)

#: Keep-alive interval in seconds, so that no proxy closes an idle stream.
KEEP_ALIVE = 15.0
#: Seconds between reconnects to the broker.
BROKER_RETRY = 1.0
#: Seconds for which changes are batched before rendering: a command publishes its table, and its alerts right after.
GATHER = 0.05
#: After a rendering the next one waits for so many times as long as it took, and no longer than the seconds after it:
#: while many tables change, a batch holds several, and the cards leave most of the processor to the commands.
REST, LONGEST_REST = 3, 0.4
#: Event name of a rendered card.
CARD = "card"


def serialize_event(name: str, data: dict[str, Any]) -> str:
    """Serialize one server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


#: Renders cards of tables: takes the ids of the room and tables; returns table, last journal entry, and HTML.
RenderCards = Callable[[int, Collection[int]], list[tuple[int, int, str]]]


@dataclasses.dataclass(frozen=True)
class Event:
    """An event: its room and table (0: the room itself), its kind, and its serialized text."""

    room: int
    table: int
    kind: str
    text: str


_CONNECTION = ("connection", 0)


class Listener:
    """One open stream. Buffers unsent events: the last one of each kind and table."""

    def __init__(self) -> None:
        self.ended = False
        self.wants_all = False  # send it the current state again
        self._follows: tuple[str, int] | None = None
        self._pending: dict[tuple[str, int], Event] = {}
        self._woken = asyncio.Event()

    def follow(self, what: str) -> None:
        """Follow `room=3` or `table=7` alone; before this call all events are buffered.

        Clears the buffer: the caller sends the current state next.
        """
        kind, _, number = what.partition("=")
        self._follows = kind, int(number)
        self.wants_all = False
        self._pending.pop(_CONNECTION, None)

    def offer(self, event: Event) -> None:
        """Buffer an event."""
        if self._wants(event):
            self._pending[event.kind, event.table] = event
            self._woken.set()

    def shows_cards_of(self, room: int) -> bool:
        """Whether it follows that room, and so shows its cards."""
        return self._follows == ("room", room)

    def offer_connection(self, live: bool) -> None:
        """Buffer the loss or return of the broker."""
        self.wants_all = live
        self._pending[_CONNECTION] = Event(0, 0, "connection", serialize_event("connection", {"live": live}))
        self._woken.set()

    def end(self) -> None:
        self.ended = True
        self._woken.set()

    async def next_events(self) -> str:
        """Wait for events and return them; `here` after the keep-alive interval."""
        try:
            async with asyncio.timeout(KEEP_ALIVE):
                await self._woken.wait()
        except TimeoutError:
            return serialize_event("here", {})
        self._woken.clear()
        texts = [each.text for key, each in self._pending.items() if key == _CONNECTION or self._wants(each)]
        self._pending.clear()
        return "".join(texts)

    def _wants(self, event: Event) -> bool:
        if event.kind == CARD:  # at a table there is no board
            return self._follows in (None, ("room", event.room))
        if event.kind == METER:  # the board shows none
            return self._follows in (None, ("table", event.table))
        return self._follows in (None, ("room", event.room), ("table", event.table))


class Hub:
    """The broker subscription of this process and its listeners. `render` renders cards, in a thread."""

    def __init__(self, render: RenderCards) -> None:
        self._render = render
        self._pending: defaultdict[int, set[int]] = defaultdict(set)
        self._rendering: asyncio.Task[None] | None = None
        self._rests_until = 0.0
        # One: a second could send an older card after a newer one.
        self._renderer = ThreadPoolExecutor(1, "cards")
        self._listeners: set[Listener] = set()
        self._subscribed: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self.live = False

    @contextlib.asynccontextmanager
    async def listener(self) -> AsyncIterator[Listener]:
        """Register a listener for the block; it begins once the subscription succeeded or failed."""
        if self._subscribed is None:
            self._subscribed = asyncio.create_task(self._stay_subscribed())
            self._end_with_the_process()
        listener = Listener()
        self._listeners.add(listener)
        try:
            await self._tried.wait()
            yield listener
        finally:
            self._listeners.discard(listener)

    def end_all(self) -> None:
        """End all streams: the process is about to stop."""
        for listener in self._listeners:
            listener.end()

    async def _stay_subscribed(self) -> None:
        while True:
            try:
                await self._subscribe()
            except (RedisError, OSError) as fault:
                if self.live or not self._tried.is_set():
                    logger.warning("live pages have lost the broker and will say so: %s", fault)
                self._set_live(live=False)
            self._tried.set()
            await asyncio.sleep(BROKER_RETRY)

    async def _subscribe(self) -> None:
        """Subscribe and pass on what comes. Raises when the connection is lost, or silent to a ping."""
        # No automatic retries of the client: they would hide missed messages.
        broker = redis.asyncio.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0)
        )
        async with broker, broker.pubsub() as subscription:
            await subscription.subscribe(CHANNEL)
            silent = 0
            while silent < 2:
                message = await subscription.get_message(timeout=KEEP_ALIVE)
                if message is None:
                    silent += 1
                    await subscription.ping()
                    continue
                silent = 0
                if message["type"] == "subscribe":
                    self._set_live(live=True)
                    self._tried.set()
                elif message["type"] == "message":
                    self._publish_message(message["data"])
        raise ConnectionError("the broker answers no ping")

    def _publish_message(self, raw: bytes) -> None:
        try:
            message = json.loads(raw)
            room, kind, data = message["room"], message["event"], message["data"]
            table = data.get(TABLE, 0)
            self._publish(Event(room, table, kind, serialize_event(kind, data)))
            if kind in (TABLE, ALERT):
                self._render_soon(room, table)
        except (ValueError, LookupError, AttributeError, TypeError):
            logger.exception("the broker passed on what is no message of the floor")

    def _publish(self, event: Event) -> None:
        for listener in self._listeners:
            listener.offer(event)

    def _render_soon(self, room: int, table: int) -> None:
        if not any(listener.shows_cards_of(room) for listener in self._listeners):
            return
        self._pending[room].add(table)
        if self._rendering is None or self._rendering.done():
            self._rendering = asyncio.create_task(self._render_pending())

    async def _render_pending(self) -> None:
        """Render changed cards until none is left; changes meanwhile go into the next batch."""
        loop = asyncio.get_running_loop()
        while self._pending:
            await asyncio.sleep(max(GATHER, self._rests_until - time.monotonic()))
            began = time.monotonic()
            room, tables = self._pending.popitem()
            try:
                cards = await loop.run_in_executor(self._renderer, self._render, room, tables)
            except Exception:
                # Pages already have the tables' versions, and fetch a card that does not come.
                logger.exception("the cards of tables %s could not be rendered", sorted(tables))
                continue
            finally:
                now = time.monotonic()
                self._rests_until = now + min(REST * (now - began), LONGEST_REST)
            for table, entry, html in cards:
                self._publish(
                    Event(
                        room,
                        table,
                        CARD,
                        serialize_event(CARD, {"table": table, "entry": entry, "html": html}),
                    )
                )

    def _set_live(self, *, live: bool) -> None:
        if live == self.live:
            return
        self.live = live
        for listener in self._listeners:
            listener.offer_connection(live)

    def _end_with_the_process(self) -> None:
        """End all streams on SIGTERM: the server waits for open streams before the lifespan shutdown."""
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
