"""Failover while commands are posted: the primary is killed, the standby takes its place, and the old one comes back as its standby."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.servers.postgres import Postgres

from . import cluster
from .drill import Drill, Run, say
from .site import Floor, found, played, verified

#: Commands answered before the kill, after the promotion, and after the old server has come back.
BEFORE, AFTER, LAST = 60, 40, 20
#: For how long the standby gets nothing before the primary is killed, in the runs that cut it off.
CUT_SECONDS = 3.0


@dataclasses.dataclass(frozen=True)
class Kind:
    """One run: how the primary answers a commit, whether the standby was cut off before, and how the old one comes back."""

    name: str
    synchronous: bool
    cut_off: bool = False
    rewound: bool = True
    may_lose: bool = False
    control: bool = False


KINDS = (
    Kind("synchronous", synchronous=True),
    Kind("synchronous, standby cut off", synchronous=True, cut_off=True),
    Kind("asynchronous", synchronous=False, may_lose=True),
    Kind("asynchronous, standby cut off", synchronous=False, cut_off=True, control=True),
    Kind("the old primary started as it was", synchronous=True, rewound=False, control=True),
)


def runs(place: Path) -> Iterator[Run]:
    """Make a run of each kind."""
    for number, kind in enumerate(KINDS):
        there = place / str(number)
        there.mkdir(mode=0o711)
        yield _run(there, kind)


def _run(place: Path, kind: Kind) -> Run:
    run = Run(kind.name, control=kind.control)
    with contextlib.ExitStack() as stack:
        old, new = stack.enter_context(cluster.pair(place, synchronous=kind.synchronous))
        cluster.migrate(place, old)
        floor = stack.enter_context(played(place, cluster.environ(place, old, new), reserve=2))
        floor.wait_for(BEFORE)
        if kind.cut_off:
            _cut_off(new)
            time.sleep(CUT_SECONDS)
        killed, before = time.time(), floor.told
        old.kill_whole()
        with new.connect() as admin:
            done = admin.execute("SELECT pg_promote()").fetchone()
        if done != (True,):
            raise RuntimeError("the standby was not promoted within a minute")
        promoted = time.time()
        floor.wait_for(AFTER)
        next_one = min(each["at"] for each in floor.told if each["at"] > promoted)
        say(f"{kind.name}: {len(before)} commands answered, killed, next after {next_one - killed:.1f} s")
        run.figures |= {
            "commands answered before the kill": len(before),
            "seconds from the kill until the standby was promoted": f"{promoted - killed:.1f}",
            "seconds from the kill until the next command was answered": f"{next_one - killed:.1f}",
        }
        _back(place, kind, run, old, new)
        floor.wait_for(LAST)
        floor.stop_playing()
        _judge(run, kind, floor, cluster.environ(place, new), len(before))
    return run


def _cut_off(standby: Postgres) -> None:
    """Have a standby let go of its primary, which then sends to nobody, as when the network between them is cut."""
    with standby.connect() as admin:
        admin.execute("ALTER SYSTEM SET primary_conninfo = ''")
        admin.execute("SELECT pg_reload_conf()")


def _back(place: Path, kind: Kind, run: Run, old: Postgres, new: Postgres) -> None:
    """Bring the old primary back: as a standby of the new one, or, where that safeguard is away, as it was."""
    began = time.monotonic()
    if kind.rewound:
        cluster.join(place, old, new)
        cluster.wait_until_streaming(new)
    else:
        old.start_again()
    run.figures["seconds until the old server was back"] = f"{time.monotonic() - began:.1f}"
    with old.connect() as admin:
        stands_by = admin.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
    run.figures["the old server then"] = "stands by" if stands_by else "takes writes"
    run.must(stands_by, "two servers take writes: the old primary came back as a second one")


def _judge(run: Run, kind: Kind, floor: Floor, environ: dict[str, str], before: int) -> None:
    there = found(environ, floor.told)
    run.figures |= {
        "commands answered in all": len(floor.told),
        "of them sent more than once": sum(tablet.sent_again for tablet in floor.tablets),
        "found": len(floor.told) - len(there["lost"]),
        "**lost**": len(there["lost"]),
        "**there more than once**": there["repeated"],
        "tables that had to be left, as the tablet knew more than the server": sum(
            tablet.stuck for tablet in floor.tablets
        ),
        "errors 500": sum(len(tablet.faults) for tablet in floor.tablets),
    }
    if not kind.may_lose:
        run.must(not there["lost"], f"{len(there['lost'])} commands were answered and are gone")
    run.must(not there["repeated"], f"{there['repeated']} buy-ins are there more than once")
    errors: list[Any] = [fault for tablet in floor.tablets for fault in tablet.faults]
    run.must(not errors, f"errors 500: {errors[:2]}")
    run.must(not (broken := verified(environ)), f"verify on the new primary: {broken}")


DRILL = Drill(
    "failover",
    "Failover while commands are posted",
    f"""A primary streams to a standby; the site has both servers in its address (`target_session_attrs=read-write`). Tablets post
commands, each sent again under its key until it is answered. The primary and all of its processes are killed with -9, the standby
is promoted at once, tablets go on, and the old server comes back by `cardroom-standby` (`pg_rewind`) as the standby of the new one,
while they do. Synchronous means that a commit is answered once the standby has it on disk (`synchronous_standby_names`).

In the runs that cut the standby off, it receives nothing any more from {CUT_SECONDS:.0f} s before the kill on. Synchronous
commands then wait, and are not answered; asynchronous ones are, and are lost with the primary: that run is a control. The
other control starts the old primary as it was, beside the new one: the site's next connections go to whichever takes writes
and is named first.""",
    runs,
)
