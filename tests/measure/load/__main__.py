"""`make load`: play in a full room on the site as it is deployed, on PostgreSQL, and write docs/measured/load.md.

    python -m tests.measure.load [--minutes M] [--rounds-per-second R] [--tables T] [--floor F] [--boards B] [--web W]

Ends by itself, with status 1 when anything that was seen is an error. `--keep DIRECTORY` keeps logs and what was seen.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR, read_environment
from cardroom.ops.supervisor.processes import start_child, stop_children
from cardroom.ops.supervisor.programs import programs_of
from cardroom.ops.supervisor.valkey import Valkey
from tests.servers.postgres import Postgres
from tests.servers.site import Site
from tests.servers.sites import python, site_environ

from .figures import figures_of
from .machine import Watch
from .page import page

#: Over those of the suite's throwaway server: what is written is written to disk, as it is in production.
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "log_min_messages": "error",
    "log_lock_waits": "on",
}
#: What the run may be given at the most.
MOST_MINUTES, MOST_TABLES = 120.0, 100
#: Seconds that the clients have to open their pages, before the first round is due.
OPENING = 15.0
#: Seconds that they have after it, for the last shift's close and its report.
AFTER = 300.0
PARTS = ("dealers", "floor", "boards")
_SAMPLE_SECONDS = 5.0
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def main() -> int:
    """Play, hold what was seen to what should be, write the page."""
    given = read_arguments(sys.argv[1:])
    figures = figures_of(played(given))
    given.out.write_text(text := page(figures), encoding="utf-8")
    print(text)
    return 0 if figures["good"] else 1


def read_arguments(words: list[str]) -> argparse.Namespace:
    """Read the command line; what is out of bounds ends the program with a message."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.load")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rounds-per-second", type=float, default=5, help="in all tables together")
    parser.add_argument("--tables", type=int, default=40, help="each with a dealer's tablet")
    parser.add_argument(
        "--feeds",
        type=int,
        default=0,
        help="tables that post by the JSON API; the others by the page's forms",
    )
    parser.add_argument(
        "--whole", action="store_true", help="these tables record each round whole, with one request"
    )
    parser.add_argument("--floor", type=int, default=20, help="tablets of the floor staff")
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--web", type=int, default=2, help="processes of the site")
    parser.add_argument("--out", type=Path, default=PROJECT_DIR / "docs" / "measured" / "load.md")
    parser.add_argument("--keep", type=Path, help="a directory for logs and what was seen")
    given = parser.parse_args(words)
    if not 0 < given.minutes <= MOST_MINUTES or not 1 <= given.tables <= MOST_TABLES:
        parser.error(f"at most {MOST_MINUTES:.0f} minutes and {MOST_TABLES} tables")
    return given


def played(given: argparse.Namespace) -> dict[str, Any]:
    """Run in a directory of its own, which is gone afterwards; what is worth reading is kept where that is asked for."""
    with tempfile.TemporaryDirectory(prefix="cardroom-load-") as directory:
        try:
            return run(given, Path(directory))
        finally:
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                for each in Path(directory).iterdir():
                    if each.suffix in (".log", ".json"):
                        shutil.copy(each, given.keep)


def run(given: argparse.Namespace, state: Path) -> dict[str, Any]:
    """Start everything, play, stop everything; return all that was seen."""
    with contextlib.ExitStack() as undo:
        server = undo.enter_context(Postgres(settings=SETTINGS))
        server.make_database()
        environ = site_environ(state, server.url)
        valkey = undo.enter_context(Valkey(private_socket(state)))
        _say("migrates, and opens the room")
        python(environ, "manage.py", "migrate", "--verbosity", "0")
        room_file = state / "room.json"
        counts = [f"--{name}={getattr(given, name)}" for name in ("tables", "floor", "boards")]
        python(environ, "-m", "tests.measure.load.room", *counts, f"--out={room_file}")
        sites = [
            undo.enter_context(Site(environ, state / f"web-{number}.log", static=number == 1))
            for number in range(1, given.web + 1)
        ]
        background = undo.enter_context(_background(environ, state))
        children = {
            "site": [site.process for site in sites],
            "worker": [background["worker"]],
            "beat": [background["beat"]],
            "PostgreSQL": [server.process],
            "Valkey": [valkey.process],
        }
        programs = {name: [each.pid for each in some if each] for name, some in children.items()}
        seen = _played(given, environ, state, [site.port for site in sites], programs)
        _say("holds the journal, the rounds and the reports to one another")
        seen["counted"] = json.loads(python(environ, "-m", "tests.measure.load.check"))
        verified = subprocess.run(
            [sys.executable, "manage.py", "verify"],
            cwd=PROJECT_DIR, env=environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        seen["verify"] = {"status": verified.returncode, "said": verified.stdout + verified.stderr}
        assert server.directory is not None
        # From where it was up: those who ask before are refused, and ask again.
        log = (server.directory / "log").read_text(encoding="utf-8", errors="replace")
        (state / "postgres.log").write_text(log.partition("ready to accept connections")[2], encoding="utf-8")
    seen["logs"] = {
        log.stem: trouble_in(log.read_text(errors="replace")) for log in sorted(state.glob("*.log"))
    }
    (state / "seen.json").write_text(json.dumps(seen), encoding="utf-8")
    return seen


def _played(
    given: argparse.Namespace,
    environ: Mapping[str, str],
    state: Path,
    ports: list[int],
    programs: Mapping[str, list[int]],
) -> dict[str, Any]:
    """Let the clients play, and watch the machine meanwhile."""
    begin = time.monotonic() + OPENING
    plan = {
        "room": json.loads((state / "room.json").read_text(encoding="utf-8")),
        "ports": ports,
        "begin": begin,
        "end": begin + given.minutes * 60,
        "rounds_per_second": given.rounds_per_second,
        "feeds": given.feeds,
        "whole": given.whole,
    }
    (state / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    clients = {}
    for part in PARTS:
        with (state / f"clients-{part}.log").open("wb") as log:
            clients[part] = start_child(
                [sys.executable, "-m", "tests.measure.load.clients", part, state / "plan.json", state / f"seen-{part}.json"],
                environ=environ, directory=PROJECT_DIR, output=log.fileno(),
            )  # fmt: skip
    watch = Watch(
        {
            **programs,
            "clients": [client.pid for client in clients.values()],
        },
        min(_SAMPLE_SECONDS, given.minutes),
    )
    _say(f"plays for {given.minutes:g} minutes")
    try:
        _wait(clients, begin, state)
        watch.start()
        _wait(clients, plan["end"], state)
        watch.end()
        _wait(clients, plan["end"] + AFTER, state)
        if any(client.poll() is None for client in clients.values()):
            raise RuntimeError("clients do not end")
    finally:
        stop_children(list(clients.values()))
    return {
        "given": {name: value for name, value in vars(given).items() if not isinstance(value, Path)},
        "begin": plan["begin"],
        "end": plan["end"],
        "samples": [asdict(sample) for sample in watch.samples],
        "load": os.getloadavg(),
        **{part: json.loads((state / f"seen-{part}.json").read_text(encoding="utf-8")) for part in PARTS},
    }


def _wait(clients: Mapping[str, subprocess.Popen[bytes]], until: float, state: Path) -> None:
    """Wait until that instant, or until all clients have ended. Raises RuntimeError when one has ended with an error."""
    while time.monotonic() < until and any(client.poll() is None for client in clients.values()):
        for part, client in clients.items():
            if client.poll():
                raise RuntimeError((state / f"clients-{part}.log").read_text(errors="replace"))
        time.sleep(0.5)


def trouble_in(log: str) -> dict[str, Any]:
    """Count what a log says that is trouble, by kind, with the first lines of each."""
    found: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for raw in log.splitlines():
        line = _COLOURS.sub("", raw)
        for kind, pattern in _TROUBLE.items():
            if pattern.search(line):
                counts[kind] = counts.get(kind, 0) + 1
                if len(kept := found.setdefault(kind, [])) < 5:
                    kept.append(line[:400])
                break
    return {"counts": counts, "lines": found}


#: Of structlog and Celery, of Python, of PostgreSQL. The first that fits a line counts.
_TROUBLE = {
    "deadlock": re.compile(r"deadlock detected"),
    "traceback": re.compile(r"^Traceback \(most recent call last\)"),
    "duplicate key": re.compile(r"duplicate key value"),
    "error": re.compile(r"\[(error|critical) *\]|\bERROR:|\bFATAL:|\bPANIC:|: ERROR/|: CRITICAL/"),
    "lock wait over a second": re.compile(r"still waiting for"),
    "warning": re.compile(r"\[warning *\]|: WARNING/"),
}


@contextlib.contextmanager
def _background(environ: Mapping[str, str], state: Path) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Worker and beat, by the site's own commands, inside the block; it begins when the worker takes messages."""
    children: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for program in programs_of(read_environment(environ)):
            if program.name != "web":
                with (state / f"{program.name}.log").open("wb") as log:
                    children[program.name] = start_child(
                        program.command, environ=environ, directory=PROJECT_DIR, output=log.fileno()
                    )
        deadline = time.monotonic() + 60
        while b" ready." not in (said := (state / "worker.log").read_bytes()):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the worker does not work:\n{said.decode(errors='replace')}")
            time.sleep(0.1)
        yield children
    finally:
        stop_children(list(children.values()))


def _say(what: str) -> None:
    print(f"load: {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
