"""The site's programs on their hosts: web on two, worker and beat on a third, Valkey on a fourth."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardroom.config.environment import PROJECT_DIR, read_environment
from cardroom.ops.supervisor.programs import HOST, programs_of
from cardroom.ops.supervisor.valkey import valkey_binary
from tests.servers.sites import site_environ

from .clients import PORT, answers
from .network import Network

WEBS = ("web1", "web2")
WORKER, BROKER, CLIENT = "worker", "valkey", "client"
PORT_OF_BROKER = 6379
#: Answers of commands leave 100 ms late, as over a slow network, so that faults fall between commit and answer too.
_APP = "tests.measure.faults.commands.web:application"
_START_SECONDS = 60.0


class Site:
    """The programs of the site, each on its host; `settings` is the module of Django's settings that they run with."""

    def __init__(self, place: Path, network: Network, database: str, settings: str) -> None:
        self.network = network
        self._place = place
        self._key = secrets.token_urlsafe(64)
        self._database, self._settings = database, settings
        hosts = [network[name].address for name in WEBS]
        self._shared = {
            "CARDROOM_REDIS_URL": f"redis://{network[BROKER].address}:{PORT_OF_BROKER}/0",
            "CARDROOM_ALLOWED_HOSTS": ",".join(["localhost", *hosts]),
            "CARDROOM_SECRET_KEY": self._key,
            "DJANGO_SETTINGS_MODULE": settings,
        }

    def environ(self, host: str) -> dict[str, str]:
        """Return the environment of the site's programs on a host."""
        state = self._place / f"{host}-state"
        state.mkdir(exist_ok=True)
        return site_environ(state, self._database) | self._shared

    def set_clock(self, host: str, seconds: int) -> None:
        """Set the clock of a host off by so many seconds, for programs that were started after the first call (`clocked.py`)."""
        # Written beside it and moved: a program looks at it at any moment.
        written = self._clock(host).with_suffix(".new")
        written.write_text(f"{seconds}\n")
        written.rename(self._clock(host))

    def _clock(self, host: str) -> Path:
        return self._place / f"{host}-clock"

    def start(self, host: str) -> None:
        """Start what runs on a host, and wait until a web server or Valkey answers."""
        with (self._place / f"{host}.log").open("ab") as log:
            for command in self._commands(host):
                self.network[host].start(
                    command, environ=self.environ(host), directory=PROJECT_DIR, output=log.fileno()
                )
        if host == WORKER:
            return
        port = PORT_OF_BROKER if host == BROKER else PORT
        deadline = time.monotonic() + _START_SECONDS
        while not answers(self.network[host], port):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{host} does not answer:\n{self.log(host)[-3000:]}")
            time.sleep(0.1)

    def _commands(self, host: str) -> list[list[str | Path]]:
        address = self.network[host].address
        if host == BROKER:
            valkey: list[str | Path] = [valkey_binary(), "--dir", self._place, "--port", str(PORT_OF_BROKER)]
            valkey += ["--bind", address, "--protected-mode", "no", "--save", "", "--appendonly", "no"]
            return [valkey]
        programs = programs_of(read_environment(self.environ(host) | {"CARDROOM_PORT": str(PORT)}))
        here = ("web",) if host in WEBS else ("worker", "beat")
        # Behind no proxy: its own address stands for the one that a proxy of the host would listen on.
        own = {HOST: address, "cardroom.config.asgi:application": _APP}
        commands: list[list[str | Path]] = [
            [own.get(str(part), part) for part in each.command] for each in programs if each.name in here
        ]
        if self._clock(host).exists():
            clocked: list[str | Path] = ["-m", "tests.measure.hosts.clocked", self._clock(host)]
            commands = [[python, *clocked, *words] for python, _m, *words in commands]
        return commands

    def log(self, host: str) -> str:
        return (self._place / f"{host}.log").read_text(errors="replace")

    def python(self, *words: str, given: str | None = None) -> str:
        """Run a Python program of the site on the clients' host, and return what it printed."""
        done = subprocess.run(
            ["nsenter", f"--net=/run/netns/{self.network[CLIENT].space}", sys.executable, *words],
            cwd=PROJECT_DIR,
            env=self.environ(CLIENT),
            input=given,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def counted(self, told: list[Mapping[str, Any]]) -> dict[str, Any]:
        """Hold the database to what the clients were answered (`tests.measure.faults.commands.count`)."""
        found: dict[str, Any] = json.loads(
            self.python("-m", "tests.measure.faults.commands.count", given=json.dumps(told))
        )
        return found
