"""Browsers without a screen: HTTP/1.1 on asyncio, the requests of the pages' scripts, and their streams of events.

One `Browser` is one signed-in session on one kept-alive connection. Each answer is noted in `Notes` with its kind, when it
was due, sent and complete, and what it came to (`outcomes.outcome_of`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from .outcomes import outcome_of

#: Seconds after which a request counts as lost; a tablet gives up after eight and sends again.
PATIENCE = 30.0
#: Seconds before a stream that was lost is opened again, as `retry:` tells browsers.
AGAIN = 2.0


class Note(NamedTuple):
    """One answer: instants are monotonic seconds, which all processes of a machine share."""

    kind: str
    due: float
    sent: float
    done: float
    status: int
    outcome: str


@dataclass
class Notes:
    """What a process of clients saw. `troubles` counts each kind of trouble, and keeps the first texts of it."""

    answers: list[Note] = field(default_factory=list)
    troubles: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: Seconds by which this process's own clock of the event loop was late: its own overload, not the site's.
    lags: list[float] = field(default_factory=list)

    def add(self, note: Note, text: str = "") -> None:
        self.answers.append(note)
        if note.outcome != "ok":
            self.trouble(f"{note.kind}: {note.outcome}", text)

    def trouble(self, kind: str, text: str) -> None:
        """Count something that is not as it should be."""
        seen = self.troubles.setdefault(kind, {"count": 0, "texts": []})
        seen["count"] += 1
        if len(seen["texts"]) < 5:
            seen["texts"].append(f"{time.strftime('%H:%M:%S')} {text[:700]}")

    async def watch_lag(self) -> None:
        """Note how late a sleep of a quarter of a second ends, until cancelled."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.25)
            self.lags.append(time.monotonic() - began - 0.25)


@dataclass
class Answer:
    """The final answer to a request, redirects followed. `turned` is the instant at which the first redirect came."""

    status: int
    headers: dict[str, str]
    body: str
    path: str
    turned: float | None = None


#: Header of a posted form.
_FORM = ("Content-Type: application/x-www-form-urlencoded",)


class Request(NamedTuple):
    """What is sent: `headers` are lines besides those that every request has."""

    method: str
    path: str
    body: bytes = b""
    headers: tuple[str, ...] = ("Accept: text/html",)


class Lost(Exception):
    """No answer came."""


class Browser:
    """A session, on as many connections as it has requests under way, which are kept open."""

    def __init__(self, port: int, session: str, notes: Notes) -> None:
        self.port, self.session, self.notes = port, session, notes
        self._token = secrets.token_hex(16)
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def get(self, kind: str, path: str, *, due: float | None = None, **expected: Any) -> Answer | None:
        """Fetch a page. None when no answer came."""
        return await self._noted(kind, Request("GET", path), due, **expected)

    async def post(
        self, kind: str, path: str, form: dict[str, Any], *, due: float | None = None, **expected: Any
    ) -> Answer | None:
        """Send a form. None when no answer came."""
        request = Request("POST", path, urlencode(form, doseq=True).encode(), _FORM)
        return await self._noted(kind, request, due, **expected)

    async def call(
        self, kind: str, method: str, path: str, body: Any, version: int, *, due: float | None = None
    ) -> Answer | None:
        """Call the API on a version, under a key of its own. None when no answer came."""
        headers = (
            "Content-Type: application/json",
            f'If-Match: "{version}"',
            f"Idempotency-Key: {secrets.token_hex(16)}",
        )
        return await self._noted(
            kind, Request(method, path, b"" if body is None else json.dumps(body).encode(), headers), due
        )

    async def _noted(self, kind: str, request: Request, due: float | None, **expected: Any) -> Answer | None:
        sent = time.monotonic()
        due = sent if due is None else due
        answer, why = None, ""
        try:
            answer = await self._ask(request)
        except Lost as lost:
            why = str(lost)
        outcome = (
            "lost" if answer is None else outcome_of(answer.status, answer.headers, answer.body, **expected)
        )
        done = time.monotonic()
        if answer is not None and answer.turned is not None:
            # The command by itself, and the page to which it leads; both together are what the tablet waits for.
            self.notes.add(Note(f"{kind}, alone", sent, sent, answer.turned, 302, "ok"))
            self.notes.add(
                Note("page after a command", answer.turned, answer.turned, done, answer.status, "ok")
            )
        note = Note(kind, due, sent, done, answer.status if answer else 0, outcome)
        self.notes.add(
            note,
            why
            or f"{request.method} {request.path} {answer.path if answer else ''} {note.status} {_said(answer)}",
        )
        return answer

    async def _ask(self, request: Request) -> Answer:
        """Send a request and follow its redirects, as `fetch` does. Raises Lost."""
        turned = None
        for _ in range(4):
            status, headers, raw = await self._once(request)
            if status not in {301, 302, 303}:
                return Answer(status, headers, raw.decode(errors="replace"), request.path, turned)
            turned = turned or time.monotonic()
            parts = urlsplit(headers.get("location", "/"))
            request = Request("GET", parts.path + (f"?{parts.query}" if parts.query else ""))
        raise Lost("redirected in a circle")

    async def _once(self, request: Request) -> tuple[int, dict[str, str], bytes]:
        while True:
            kept = bool(self._idle)
            wires = self._idle.pop() if kept else None
            try:
                async with asyncio.timeout(PATIENCE):
                    if wires is None:
                        wires = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
                    reader, writer = wires
                    writer.write(self._written(request))
                    status, headers = await read_head(reader)
                    raw = await read_body(reader, headers)
            except (OSError, EOFError, ValueError) as fault:
                if wires is not None:
                    wires[1].close()
                # A server closes what has been idle: browsers send again, on a new connection.
                if not kept or isinstance(fault, TimeoutError):
                    raise Lost(f"{request.method} {request.path}: {type(fault).__name__} {fault}") from None
                continue
            if headers.get("connection", "") == "close":
                writer.close()
            else:
                self._idle.append(wires)
            return status, headers, raw

    def _written(self, request: Request) -> bytes:
        """Write a request as the pages' scripts send it."""
        lines = [
            f"{request.method} {request.path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Cookie: sessionid={self.session}; csrftoken={self._token}",
            f"X-CSRFToken: {self._token}",
            "X-Screen: 1",
            *request.headers,
        ]
        if request.method != "GET":
            lines.append(f"Content-Length: {len(request.body)}")
        return "\r\n".join([*lines, "", ""]).encode() + request.body

    async def events(self, path: str) -> AsyncIterator[tuple[str, dict[str, Any], float]]:
        """Follow a stream for ever: name, data and instant of each event; opened again when it is lost.

        A stream that ends otherwise than by being cancelled is noted as an error.
        """
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
                writer.write(self._written(Request("GET", path)))
                sent = time.monotonic()
                status, _ = await read_head(reader)
                done = time.monotonic()
                outcome = "ok" if status == 200 else f"status {status}"
                self.notes.add(
                    Note("stream opened", sent, sent, done, status, outcome), f"GET {path} {status}"
                )
                name, buffer = "", b""
                while status == 200 and (chunk := await read_chunk(reader)):
                    buffer += chunk
                    *lines, buffer = buffer.split(b"\n")
                    at = time.monotonic()
                    for line in lines:
                        if line.startswith(b"event: "):
                            name = line[7:].decode()
                        elif line.startswith(b"data: "):
                            yield name, json.loads(line[6:]), at
                self.notes.trouble("stream ended", f"GET {path} {status}")
            except (OSError, EOFError, ValueError) as fault:
                self.notes.trouble("stream lost", f"GET {path}: {type(fault).__name__} {fault}")
            finally:
                if writer is not None:
                    writer.close()
            await asyncio.sleep(AGAIN)


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in head[1:] if line)
    return int(head[0].split(" ", 2)[1]), {name.lower(): value for name, value in headers.items()}


async def read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    parts = []
    if headers.get("transfer-encoding") == "chunked":
        while chunk := await read_chunk(reader):
            parts.append(chunk)
    return b"".join(parts)


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """Return the next chunk of a body, empty at its end."""
    size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
    chunk = await reader.readexactly(size + 2)
    return chunk[:-2]


def _said(answer: Answer | None) -> str:
    """What a refusing page says, for the list of errors."""
    if answer is None:
        return ""
    for mark in ('class="banner', "<main", "<h1"):
        if (at := answer.body.find(mark)) >= 0:
            return " ".join(answer.body[at : at + 700].split())
    return " ".join(answer.body[:300].split())


@contextlib.asynccontextmanager
async def gathered(*works: Any) -> AsyncIterator[None]:
    """Run coroutines beside the block, and cancel them after it. What one of them raised is raised then."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
