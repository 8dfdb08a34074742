"""One run: the hosts as they are, or with a safeguard taken away, and one fault after the other."""

from __future__ import annotations

import dataclasses
import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.postgres import open_directory

from .clients import Client, Manager
from .cluster import Pair
from .faults import Fault, World
from .network import Network
from .site import BROKER, CLIENT, WEBS, WORKER, Site

CLIENTS = 3
#: Commands of each client after a fault was mended.
_COMMANDS = 3
#: Given to the clients for those after it, and to the background for the report.
AGAIN_SECONDS = 120.0
REPORT_SECONDS = 150.0


@dataclasses.dataclass(frozen=True)
class Kind:
    """The site of a run: which safeguard is taken away from it, and what a control has to be found to have done.

    `faults` names those that are made in it; all of them where there is none. A control without its safeguard has to lose
    commands (`lost`), to have them twice (`doubled`), or to leave requests unanswered (`unanswered`) that the site as it is refuses.
    """

    name: str
    has_to: str = "whole"
    faults: tuple[str, ...] = ()
    keeps_key: bool = True
    synchronous: bool = True
    settings: str = "cardroom.config.settings"
    #: Commands of each client before a fault. A round with its buy-ins has eight: after so many the next is a buy-in, which no
    #: version of the table guards, so that one that is sent under two keys is there twice.
    commands: int = 3


def run(kind: Kind, faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """Make hosts, have clients post commands, and make each of `faults`; return what came of each."""
    hosts = (CLIENT, *WEBS, WORKER, "db1", "db2", BROKER)
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-hosts-", dir=open_directory()) as name,
        Network("cardroom", hosts) as network,
    ):
        place = Path(name)
        place.chmod(0o711)  # PostgreSQL's account enters it
        pair = Pair(place, (network["db1"], network["db2"]), synchronous=kind.synchronous)
        with pair.running():
            site = Site(place, network, pair.url, kind.settings)
            site.start(BROKER)
            site.python("manage.py", "migrate", "--verbosity", "0")
            tables = CLIENTS * len(faults)
            prepared = site.python("-m", "tests.measure.faults.commands.prepare", f"--tables={tables}")
            world = World(network, pair, site)
            for host in (*WEBS, WORKER):
                site.start(host)
            time.sleep(5)
            tried = _Tried(world, json.loads(prepared), kind)
            return [tried.one(fault) for fault in faults]


class _Tried:
    def __init__(self, world: World, prepared: dict[str, Any], kind: Kind) -> None:
        self._world, self._kind = world, kind
        self._session, self._manager = prepared["session"], prepared["manager"]
        self._room, self._tables = prepared["room"], prepared["tables"]
        self._webs = [world.network[name].address for name in WEBS]

    def one(self, fault: Fault) -> dict[str, Any]:
        world = self._world
        if fault.before is not None:
            fault.before(world)
            time.sleep(2)
        clients = [self._client(number) for number in range(CLIENTS)]
        manager = Manager(world.network[CLIENT], self._webs, self._manager, self._room)
        for client in clients:
            client.start()
        _wait(clients, self._kind.commands, AGAIN_SECONDS)
        broken = time.monotonic()
        fault.breaks(world)
        time.sleep(max(0.0, fault.seconds / 2 - (time.monotonic() - broken)))
        manager.start()
        time.sleep(max(0.0, fault.seconds - (time.monotonic() - broken)))
        while world.undo:
            world.undo.pop()()
        mended = time.monotonic()
        again = _wait(clients, _COMMANDS, AGAIN_SECONDS)
        manager.join(AGAIN_SECONDS)
        ended = time.monotonic()
        for client in (*clients, manager):
            client.ended.set()
        for client in clients:
            client.join(60)
        late = self._report(manager.closed_shift) if manager.closed_shift else None
        if fault.after is not None:
            fault.after(world)
        told = [each for client in clients for each in client.told]
        found = world.site.counted(told)
        other: Counter[str] = sum((client.other for client in clients), Counter())
        came = {
            "fault": fault.name,
            "kind": self._kind.name,
            "seconds": mended - broken,
            "tries": sum(client.tries for client in clients),
            "acknowledged": len(told),
            "found": found["entries"],
            "lost": found["lost"],
            "doubled": found["doubled"],
            "breaks": found["breaks"],
            "stuck": sum(client.stuck for client in clients),
            "faults": sum(len(client.faults) for client in clients),
            "other": dict(other),
            "mute": _silence(sorted(at for client in clients for at in client.heard_at), broken, ended),
            "silent": _silence(sorted(at for client in clients for at in client.at), broken, ended),
            "waited": max(_silence(client.at, broken, ended) for client in clients),
            "again": max(_first_after(client.at, mended) for client in clients) if again else None,
            "report": late,
        }
        say(f"{self._kind.name}: {json.dumps(came)}")
        return came

    def _client(self, number: int) -> Client:
        webs = self._webs[number % 2 :] + self._webs[: number % 2]
        return Client(
            self._world.network[CLIENT],
            webs,
            self._session,
            [self._tables.pop(0)],
            keeps_key=self._kind.keeps_key,
        )

    def _report(self, shift: int) -> float | None:
        """Wait for the report of a shift; return how many seconds after its close it was made, None where it was not."""
        deadline = time.monotonic() + REPORT_SECONDS
        made = (
            "SELECT extract(epoch FROM report.made_at - shift.closed_at) FROM reports_shiftreport report "
            "JOIN floor_shift shift ON shift.id = report.shift_id WHERE shift.id = %s"
        )
        while time.monotonic() < deadline:
            if rows := self._world.pair.ask(made, shift):
                return float(rows[0][0])
            time.sleep(0.5)
        return None


def _wait(clients: Sequence[Client], more: int, seconds: float) -> bool:
    """Wait until each client was answered so many more times; tell whether that came about."""
    before = [len(client.at) for client in clients]
    deadline = time.monotonic() + seconds
    while any(
        len(client.at) < had + more and client.is_alive() for client, had in zip(clients, before, strict=True)
    ):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return all(len(client.at) >= had + more for client, had in zip(clients, before, strict=True))


def _silence(at: Sequence[float], begin: float, end: float) -> float:
    """Return the longest time between two answers, of what lies between two instants."""
    inside = [begin, *(each for each in at if begin < each < end), end]
    return max(later - earlier for earlier, later in itertools.pairwise(inside))


def _first_after(at: Sequence[float], instant: float) -> float:
    return next((each for each in at if each > instant), float("inf")) - instant


def say(what: str) -> None:
    """Print a line of progress on stderr, with the time."""
    print(f"hosts: {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)
