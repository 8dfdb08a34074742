"""`make faults`, second part: kill web server and PostgreSQL while commands are posted, write docs/measured/faults-commands-DATABASE.md.

    python -m tests.measure.faults.commands [--kills 50] [--control-kills 50] [--seed 1] [--on postgresql sqlite]

Every run is made on each database with the site as it is, and again with one safeguard taken away, which has to fail.
Exit status 0 when the first has lost, doubled and half-written nothing and the others have.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR
from cardroom.ops.supervisor.processes import end_session
from cardroom.ops.supervisor.valkey import Valkey
from tests.servers.postgres import DURABLE, Postgres
from tests.servers.site import Site
from tests.servers.sites import DATABASES, python, site_environ

from . import TARGETS
from .client import Tablet
from .page import failed, page

TABLETS = 3
#: Tables that a tablet has in reserve: one where commands no longer go through is left for the next.
RESERVE = 6
#: Commands that are answered between two kills, of all tablets together.
LEAST_COMMANDS = 6
#: Of the last commands of each tablet, how many are sent once more when all is over.
REPEATED = 50


@dataclasses.dataclass(frozen=True)
class Kind:
    """One run: which safeguard is taken away, and what is killed (None: all there is)."""

    name: str
    keeps_key: bool = True
    transactions: bool = True
    synchronous_commit: bool = True
    targets: tuple[str, ...] | None = None


KINDS = (
    Kind("as it is"),
    Kind("a new key at each try", keeps_key=False, targets=("web",)),
    Kind("commands without a transaction", transactions=False, targets=("web",)),
    Kind("`synchronous_commit` off", synchronous_commit=False, targets=("postgresql",)),
)


def main() -> int:
    """Make every run, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.faults.commands")
    parser.add_argument("--kills", type=int, default=50, help="of the web server, and of PostgreSQL")
    parser.add_argument("--control-kills", type=int, default=50, help="the same of a run without a safeguard")
    parser.add_argument("--seed", type=int, default=1, help="of what is killed when")
    parser.add_argument("--on", nargs="+", choices=list(DATABASES), default=["postgresql", "sqlite"])
    given = parser.parse_args()
    passed = True
    for database in given.on:
        taken: list[dict[str, Any]] = []
        for kind in KINDS:
            targets = [each for each in TARGETS[database] if each in (kind.targets or TARGETS[database])]
            kills = given.kills if kind is KINDS[0] else given.control_kills
            if targets:
                taken.append(run(database, kind, targets, kills, given.seed))
            # After each run: what has come out does not depend on what is to come.
            text = page(taken, given.seed)
            (PROJECT_DIR / "docs" / "measured" / f"faults-commands-{database}.md").write_text(
                text, encoding="utf-8"
            )
        print(text)
        passed &= all(failed(one) != (one["kind"] == KINDS[0].name) for one in taken)
    return 0 if passed else 1


def run(database: str, kind: Kind, targets: list[str], kills: int, seed: int) -> dict[str, Any]:
    """Post commands while each of `targets` is killed `kills` times; return what was counted (see `count.counted`)."""
    began = time.monotonic()
    order = random.Random(seed)
    plan = [each for each in targets for _ in range(kills)]
    order.shuffle(plan)
    with contextlib.ExitStack() as stack:
        state = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cardroom-faults-")))
        server = stack.enter_context(_server(kind)) if database == "postgresql" else None
        environ = site_environ(state, None if server is None else server.url)
        if not kind.transactions:
            environ["FAULTS_TRANSACTIONS"] = "off"
        stack.enter_context(Valkey(private_socket(state)))
        python(environ, "manage.py", "migrate", "--verbosity", "0")
        tables = TABLETS * (1 if kind is KINDS[0] else RESERVE)
        world = json.loads(
            python(environ, "-m", "tests.measure.faults.commands.prepare", f"--tables={tables}")
        )
        site = stack.enter_context(
            Site(environ, state / "site.log", app="tests.measure.faults.commands.web:application")
        )
        tablets = [
            Tablet(site.port, world["session"], world["tables"][n::TABLETS], keeps_key=kind.keeps_key)
            for n in range(TABLETS)
        ]
        for tablet in tablets:
            tablet.start()
        ways: list[str] = []
        for number, target in enumerate(plan, start=1):
            if not _wait_for_commands(tablets, state / "site.log"):
                plan = plan[: number - 1]
                break
            time.sleep(order.uniform(0, 0.3))
            ways.append(_killed(target, site, server, order))
            if number % 5 == 0:
                answered = sum(len(tablet.told) for tablet in tablets)
                _say(f"{database}, {kind.name}: {number} of {len(plan)} kills, {answered} commands answered")
        else:
            _wait_for_commands(tablets, state / "site.log")
        for tablet in tablets:
            tablet.ended.set()
        for tablet in tablets:
            tablet.join(timeout=60)
        told = [each for tablet in tablets for each in tablet.told]
        found = json.loads(
            python(environ, "-m", "tests.measure.faults.commands.count", given=json.dumps(told))
        )
        # After the count: what was lost would be carried out now.
        otherwise = sum(tablet.repeated_otherwise(REPEATED) for tablet in tablets) if kind.keeps_key else 0
        for tablet in tablets:
            for fault in (*tablet.faults[:3], *([tablet.refused] if tablet.stuck else [])):
                _say(f"refused: {fault[:300]}")
        return {
            "database": DATABASES[database],
            "kind": kind.name,
            "killed": {target: plan.count(target) for target in ("web", "postgresql")},
            "ways": {way: ways.count(way) for way in sorted(set(ways))},
            "sent_again": sum(tablet.sent_again for tablet in tablets),
            "errors": sum(len(tablet.faults) for tablet in tablets),
            "stuck": sum(tablet.stuck for tablet in tablets),
            "otherwise": otherwise,
            "seconds": time.monotonic() - began,
            **found,
        }


@contextlib.contextmanager
def _server(kind: Kind) -> Iterator[Postgres]:
    """A PostgreSQL that keeps what it has committed, unless that is the safeguard that is away."""
    # syncfs: one call flushes what a killed server left behind, in place of one for each file of the cluster.
    settings = {**DURABLE, "recovery_init_sync_method": "syncfs"}
    if not kind.synchronous_commit:
        settings["synchronous_commit"] = "off"
    with Postgres(settings=settings) as server:
        server.make_database()
        yield server


def _killed(target: str, site: Site, server: Postgres | None, order: random.Random) -> str:
    """Kill the web server or PostgreSQL and start it again; return what was killed."""
    if target == "web":
        assert site.process is not None
        site.process.kill()
        end_session(site.process)
        site.start()
        return "web"
    assert server is not None
    way = server.kill(order)
    if way != "one process":
        server.start_again()
    return f"PostgreSQL: {way}"


def _wait_for_commands(tablets: list[Tablet], log: Path) -> bool:
    """Wait until so many more commands were answered; tell whether anybody has a table left.

    Raises RuntimeError when somebody has, and nothing is answered.
    """
    before = sum(len(tablet.told) for tablet in tablets)
    deadline = time.monotonic() + 90
    while sum(len(tablet.told) for tablet in tablets) < before + LEAST_COMMANDS:
        if not any(tablet.is_alive() for tablet in tablets):
            return False
        if time.monotonic() > deadline:
            faults = [fault for tablet in tablets for fault in tablet.faults[-2:]]
            raise RuntimeError(f"no command is answered any more: {faults}\n{log.read_text()[-4000:]}")
        time.sleep(0.02)
    return True


def _say(what: str) -> None:
    print(f"faults: {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
