"""The site as a process of its own: uvicorn by the site's own command, and a page's ear at its streams."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cardroom.config.environment import PROJECT_DIR, read_environment
from cardroom.ops.supervisor.processes import start_child, stop_children
from cardroom.ops.supervisor.programs import programs_of

from .ports import free_port

_START_SECONDS = 60.0
_APP = "cardroom.config.asgi:application"
#: The state directories whose static files this process has collected.
_collected: set[str] = set()


class SiteFailed(Exception):
    """The site did not come up; the message holds what it printed."""


class Site:
    """The site on a free port of this machine; as a context manager it runs inside the block.

    `environ` says on which database and broker. `static` collects the static files first, for browsers. `app` is the
    ASGI application, another one than the site's own where a test puts one before it. `directory` is the checkout that is
    run, and `port` where it listens, where that is to be the one of a site that was stopped.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        log: Path,
        *,
        static: bool = False,
        app: str = _APP,
        directory: Path = PROJECT_DIR,
        port: int | None = None,
    ) -> None:
        self.port = port or free_port()
        self.directory = directory
        self.log = log
        self._environ = {**environ, "CARDROOM_PORT": str(self.port)}
        self._static = static
        self._app = app
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the site and wait until it answers. Raises SiteFailed."""
        if self._static:
            collect_static(self._environ)
        [web] = [one for one in programs_of(read_environment(self._environ)) if one.name == "web"]
        with self.log.open("ab") as log:
            command = [self._app if part == _APP else part for part in web.command]
            self.process = start_child(
                command, environ=self._environ, directory=self.directory, output=log.fileno()
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SiteFailed(self.log.read_text(errors="replace"))
            time.sleep(0.05)

    def stop(self, ending: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            stop_children([self.process], ending=ending)
            self.process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False


class Ear:
    """Somebody who listens to a stream: events are kept with the instant (monotonic seconds) at which they came."""

    def __init__(self, port: int, path: str, session: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        self._socket = self._connection.sock
        self._answer = self._connection.getresponse()
        self.status = self._answer.status
        self.headers = self._answer.headers
        self._heard: queue.Queue[tuple[float, str, Any]] = queue.Queue()
        self.ended = threading.Event()
        if self.status == 200:
            threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        name = ""
        try:
            for raw in self._answer:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self._heard.put((time.monotonic(), name, json.loads(line.removeprefix("data: "))))
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # hung up, by one side or the other
        finally:
            self.ended.set()

    def next(self, name: str, seconds: float = 10, **facts: Any) -> tuple[float, dict[str, Any]]:
        """Wait for the next event of that name with those facts; return when it came and all that it said."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                at, heard, data = self._heard.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(
                    f"no {name} with {facts} within {seconds} s; the answer was {self.status}"
                ) from None
            if heard == name and facts.items() <= data.items():
                return at, data

    def heard(self, seconds: float) -> list[tuple[float, str, dict[str, Any]]]:
        """Return everything that has come, at the latest after so many seconds of silence: instant, name, data."""
        try:
            news = [self._heard.get(timeout=seconds)]
        except queue.Empty:
            return []
        while not self._heard.empty():
            news.append(self._heard.get())
        return news

    def silent_for(self, seconds: float) -> bool:
        """Tell whether nothing comes for so long."""
        try:
            self._heard.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def drain(self) -> list[str]:
        """Take what has come so far and return the names of the events."""
        names = []
        while not self._heard.empty():
            names.append(self._heard.get()[1])
        return names

    def hang_up(self) -> None:
        """Leave, as a browser does whose page is closed."""
        with contextlib.suppress(OSError):  # the other side was first
            self._socket.shutdown(
                socket.SHUT_RDWR
            )  # and not close(), which would wait for the thread that reads


def collect_static(environ: Mapping[str, str]) -> None:
    """Collect the static files, once for each state directory: sites of one test run share theirs."""
    if environ["CARDROOM_STATE_DIR"] not in _collected:
        command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        subprocess.run(command, cwd=PROJECT_DIR, env=dict(environ), check=True)
        _collected.add(environ["CARDROOM_STATE_DIR"])


def threads_of(process: subprocess.Popen[bytes]) -> int:
    """Count the threads of a process (Linux)."""
    return len(list(Path(f"/proc/{process.pid}/task").iterdir()))
