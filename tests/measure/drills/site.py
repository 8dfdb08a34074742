"""The site of a drill: uvicorn and Valkey on the servers of its environment, and tablets that post commands to it."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cardroom.config.broker import private_socket
from cardroom.ops.supervisor.valkey import Valkey
from tests.measure.faults.commands.client import Tablet
from tests.servers.site import Site
from tests.servers.sites import python, tried

TABLETS = 2


@dataclasses.dataclass
class Floor:
    """A site that is played on: each tablet at a table that the house banks posts buy-ins and rounds, one after another."""

    site: Site
    environ: Mapping[str, str]
    tablets: list[Tablet]

    @property
    def told(self) -> list[dict[str, Any]]:
        """All commands that were answered, each with the instant `at` of its answer (seconds since 1970)."""
        return [each for tablet in self.tablets for each in list(tablet.told)]

    def wait_for(self, more: int, seconds: float = 60) -> None:
        """Wait until so many more commands were answered. Raises TimeoutError."""
        before, deadline = len(self.told), time.monotonic() + seconds
        while len(self.told) < before + more:
            if time.monotonic() > deadline:
                faults = [fault for tablet in self.tablets for fault in (*tablet.faults[-2:], tablet.refused)]
                raise TimeoutError(
                    f"{len(self.told) - before} of {more} commands were answered in {seconds:.0f} s: {faults}\n"
                    + self.site.log.read_text(errors="replace")[-3000:]
                )
            time.sleep(0.02)

    def stop_playing(self) -> None:
        """Have the tablets end after the command that they are at."""
        for tablet in self.tablets:
            tablet.ended.set()
        for tablet in self.tablets:
            if tablet.ident is not None:
                tablet.join(timeout=60)


@contextlib.contextmanager
def played(place: Path, environ: Mapping[str, str], *, reserve: int = 1) -> Iterator[Floor]:
    """Run the site in that environment, open tables, and have tablets post commands until the end of the block.

    Each tablet has `reserve` tables: one where commands no longer go through is left for the next.
    """
    with served(place, environ) as site:
        world = json.loads(
            python(environ, "-m", "tests.measure.faults.commands.prepare", f"--tables={TABLETS * reserve}")
        )
        tables = world["tables"]
        tablets = [
            Tablet(site.port, world["session"], tables[number::TABLETS], keeps_key=True)
            for number in range(TABLETS)
        ]
        yield from _playing(Floor(site, environ, tablets))


@contextlib.contextmanager
def resumed(place: Path, environ: Mapping[str, str], told: list[dict[str, Any]]) -> Iterator[Floor]:
    """Run the site on a database that holds the tables of tablets that were `told`; go on there until the end of the block.

    Each table's first three commands are buy-ins, which go by their key alone, whatever round was left in play.
    """
    with served(place, environ) as site, gone_on(site, environ, told) as floor:
        yield floor


@contextlib.contextmanager
def gone_on(site: Site, environ: Mapping[str, str], told: list[dict[str, Any]]) -> Iterator[Floor]:
    """Go on as `resumed` does, on a site that runs already. Raises RuntimeError where nobody can sign in."""
    session = python(environ, "-m", "tests.measure.drills.signed_in").strip()
    ended = {each["table"]: each["answer"]["version"] for each in told}
    tablets = [Tablet(site.port, session, [one], keeps_key=True) for one in ended.items()]
    yield from _playing(Floor(site, environ, tablets))


def _playing(floor: Floor) -> Iterator[Floor]:
    for tablet in floor.tablets:
        tablet.start()
    try:
        yield floor
    finally:
        floor.stop_playing()


def checks(site: Site) -> dict[str, dict[str, Any]]:
    """What `/ready/` answers of the site, by the name of each check."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", "/ready/")
        said = json.loads(connection.getresponse().read())
    return {check["name"]: check for check in said["checks"]}


@contextlib.contextmanager
def served(place: Path, environ: Mapping[str, str]) -> Iterator[Site]:
    """Run the site in that environment, with a broker of its own."""
    with Valkey(private_socket(place / "state")), Site(environ, place / "site.log") as site:
        yield site


def found(environ: Mapping[str, str], told: list[dict[str, Any]]) -> dict[str, Any]:
    """Look in the database of `environ` for the commands that tablets were told of (`found.py`)."""
    return dict(json.loads(python(environ, "-m", "tests.measure.drills.found", given=json.dumps(told))))


def verified(environ: Mapping[str, str], *words: str) -> str:
    """Run `manage.py verify`; return what it says where it does not hold, or does not name the database that it was given."""
    done = tried(environ, "manage.py", "verify", *words)
    first, *_, last = done.stdout.strip().splitlines()
    server = environ["CARDROOM_DATABASE_URL"].partition("@")[2].partition("/")[0]
    if not first.startswith("Verifying the PostgreSQL database ") or f" at {server}." not in first:
        return f"it says {first!r}, and not the database at {server}"
    return "" if done.returncode == 0 and last.endswith("all holds.") else done.stdout[-500:]
