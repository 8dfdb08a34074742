"""What is done to the hosts, one after the other, each with how it is mended."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from .cluster import Pair
from .network import Network
from .site import BROKER, CLIENT, WEBS, WORKER, Site

#: Seconds by which a clock is set back.
CLOCK_SECONDS = 600
#: Seconds until somebody has seen that the database's host is dead, and promotes the standby.
OPERATOR_SECONDS = 5


@dataclasses.dataclass
class World:
    """The hosts and what runs on them."""

    network: Network
    pair: Pair
    site: Site
    #: What the fault has left to be undone, the last first.
    undo: list[Callable[[], object]] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Fault:
    """One fault. `breaks` makes it, and appends to `world.undo` what mends it after so many `seconds`.

    `before` is done without clients, and `after` brings back what the next one needs.
    """

    name: str
    breaks: Callable[[World], None]
    seconds: float = 15
    before: Callable[[World], None] | None = None
    after: Callable[[World], None] | None = None


def _cut(one: str, *others: str) -> Callable[[World], None]:
    def breaks(world: World) -> None:
        world.network.cut(*(world.pair.primary if name == "primary" else name for name in (one, *others)))
        world.undo.append(world.network.mend)

    return breaks


def _webs_cut(world: World) -> None:
    for web in WEBS:
        _cut(web, *world.pair.hosts)(world)


def _killed(host: str) -> Callable[[World], None]:
    def breaks(world: World) -> None:
        world.network[host].kill()
        world.undo.append(lambda: world.site.start(host))

    return breaks


def _standby_killed(world: World) -> None:
    name = world.pair.standby
    world.network[name].kill()
    world.undo.append(lambda: world.pair.start_killed(name))


def _primary_killed(world: World) -> None:
    world.network[world.pair.primary].kill()
    time.sleep(OPERATOR_SECONDS)
    world.pair.promote()


def _primary_restarted(world: World) -> None:
    name = world.pair.primary
    world.network[name].kill()
    world.undo.append(lambda: world.pair.start_killed(name))


def _primary_lost(world: World) -> None:
    """Cut the standby off from the primary, and kill the primary some seconds later: what it had alone is gone."""
    world.network.cut(world.pair.primary, world.pair.standby)
    time.sleep(OPERATOR_SECONDS)
    world.network[world.pair.primary].kill()
    world.network.mend()
    time.sleep(OPERATOR_SECONDS)
    world.pair.promote()


def _standby_again(world: World) -> None:
    world.pair.rebuild_standby()


def _disk_full(world: World) -> None:
    name = world.pair.primary
    free = world.pair.ballast(name)

    def mend() -> None:
        free()
        server = world.pair.servers[name]
        if server.process is not None and server.process.poll() is not None:
            world.pair.start_killed(name)  # a server that cannot write its log ends itself

    world.undo.append(mend)


def _clock_back(host: str) -> Callable[[World], None]:
    def breaks(world: World) -> None:
        world.site.set_clock(host, -CLOCK_SECONDS)
        world.undo.append(lambda: world.site.set_clock(host, 0))

    return breaks


def _with_clock(host: str) -> Callable[[World], None]:
    def before(world: World) -> None:
        world.network[host].stop()
        world.site.set_clock(host, 0)
        world.site.start(host)

    return before


_BOTH = ("db1", "db2")

#: Every fault, in the order in which they are made. Those of `db1` and `db2` take turns: after a promotion the other is first.
FAULTS: tuple[Fault, ...] = (
    Fault("none", lambda world: None, seconds=10),
    Fault("cut: clients and web1", _cut(CLIENT, "web1")),
    Fault("cut: web1 and PostgreSQL, both servers", _cut("web1", *_BOTH)),
    Fault("cut: web1 and the server that takes writes", _cut("web1", "primary")),
    Fault("cut: web1 and Valkey", _cut("web1", BROKER)),
    Fault("cut: both webs and Valkey", _cut(BROKER, "web1", "web2")),
    Fault("cut: worker and PostgreSQL, both servers", _cut(WORKER, *_BOTH)),
    Fault("cut: worker and Valkey", _cut(WORKER, BROKER)),
    Fault("cut: PostgreSQL and its standby", _cut(*_BOTH)),
    Fault("cut: both webs and PostgreSQL, for a minute", _webs_cut, seconds=60),
    Fault("killed: web1", _killed("web1")),
    Fault("killed: worker and beat", _killed(WORKER)),
    Fault("killed: Valkey", _killed(BROKER)),
    Fault("killed: the standby", _standby_killed),
    Fault("killed: PostgreSQL, started again", _primary_restarted),
    Fault("killed: PostgreSQL, the standby promoted", _primary_killed, after=_standby_again),
    Fault(
        "cut from its standby, then killed: PostgreSQL, the standby promoted",
        _primary_lost,
        after=_standby_again,
    ),
    Fault("disk full: PostgreSQL", _disk_full),
    Fault("clock of web1 set back 10 minutes", _clock_back("web1"), before=_with_clock("web1")),
    Fault("clock of the worker's host set back 10 minutes", _clock_back(WORKER), before=_with_clock(WORKER)),
)
