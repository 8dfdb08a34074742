"""The rooms that are timed: a database for each size, the larger one built on a copy of the smaller, kept if asked to."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from tests.measure.bench.measure import ROOT
from tests.servers.postgres import Postgres
from tests.servers.sites import site_environ


class Rooms:
    """The rooms on one kind of database, in a directory: on SQLite, or on the `server` that is given."""

    def __init__(self, directory: Path, server: Postgres | None) -> None:
        self.directory = directory
        self.server = server
        directory.mkdir(parents=True, exist_ok=True)

    def build(self, rounds: int, tables: int) -> None:
        """Bring a room to so many rounds. What is there of it already is built on with."""
        if not self._state(rounds).exists():
            self._begin(rounds)
        self._run(rounds, "manage.py", "migrate", "--verbosity", "0")
        words = ("--rounds", str(rounds), "--tables", str(tables), "--out", str(self._figures_file(rounds)))
        self._run(rounds, "-m", "tests.measure.bench.reports.build", *words)

    def is_built(self, rounds: int) -> bool:
        """Whether the room has so many rounds."""
        return self._figures_file(rounds).exists() and self.built(rounds)["rounds"] >= rounds

    def built(self, rounds: int) -> dict[str, Any]:
        """What building that room came to (see `build.py`)."""
        found: dict[str, Any] = json.loads(self._figures_file(rounds).read_text(encoding="utf-8"))
        return found

    def timed(self, rounds: int, through: str) -> dict[str, Any]:
        """The figures of `tests.measure.bench.reports.timed` in that room, started by the words of `through`."""
        with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as directory:
            out = Path(directory) / "figures.json"
            self._run(
                rounds,
                "-m",
                "tests.measure.bench.reports.timed",
                "--out",
                str(out),
                through=shlex.split(through),
            )
            figures: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        return figures

    def _begin(self, rounds: int) -> None:
        """Give the room a database: a copy of the next smaller one's, or an empty one. It is there whole, or not at all."""
        state = self._state(rounds)
        new = state.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        smaller = [size for size in self._there() if size < rounds]
        if smaller:
            shutil.copytree(self._state(max(smaller)), new)
        else:
            new.mkdir()
        if self.server is not None:
            template = self._name(max(smaller)) if smaller else "template1"
            folder = str(self.server.directory)
            with psycopg.connect(host=folder, user="cardroom", dbname="postgres", autocommit=True) as admin:
                admin.execute(f'DROP DATABASE IF EXISTS "{self._name(rounds)}"')
                admin.execute(f'CREATE DATABASE "{self._name(rounds)}" TEMPLATE "{template}"')
        new.rename(state)

    def _there(self) -> list[int]:
        return [int(found.name) for found in self.directory.iterdir() if found.name.isdecimal()]

    def _state(self, rounds: int) -> Path:
        return self.directory / str(rounds)

    def _figures_file(self, rounds: int) -> Path:
        return self._state(rounds) / "figures.json"

    def _name(self, rounds: int) -> str:
        return f"rounds_{rounds}"

    def _run(self, rounds: int, *command: str, through: Sequence[str] = ()) -> None:
        """Run this Python in a process of its own, on that room's database and state directory."""
        url = None
        if self.server is not None:
            url = f"postgresql://cardroom@/{self._name(rounds)}?host={self.server.directory}"
        environ = site_environ(self._state(rounds), url)
        subprocess.run([*through, sys.executable, *command], cwd=ROOT, env=environ, check=True)
