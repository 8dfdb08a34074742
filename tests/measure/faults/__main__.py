"""`make faults`: kill worker, beat and Valkey at random while shifts close, write docs/measured/faults-DATABASE.md.

    python -m tests.measure.faults [--kills 50] [--seed 1] [--on postgresql sqlite]

The run is made with the site as it is, and again without its safeguards, which has to fail. Exit status 0 when the
first has lost and doubled nothing and the second has. What is killed when follows from the seed; what that hits, and
so what is lost without safeguards, does not.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardroom.config.environment import PROJECT_DIR
from tests.servers.sites import DATABASES, database_address, python, site_environ

from . import TARGETS
from .background import Background
from .page import failed, page

#: Given to the background when the last kill is over: two of beat's minutes.
PATIENCE_SECONDS = 150


def main() -> int:
    """Make every run, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.faults")
    parser.add_argument("--kills", type=int, default=50, help="of each of worker, beat and Valkey")
    parser.add_argument("--seed", type=int, default=1, help="of what is killed when")
    parser.add_argument("--on", nargs="+", choices=list(DATABASES), default=list(DATABASES))
    given = parser.parse_args()
    passed = True
    for database in given.on:
        taken: list[dict[str, Any]] = []
        for guarded, kills in ((True, given.kills), (False, given.kills), (False, 0)):
            with database_address(database) as url:
                taken.append(run(url, guarded=guarded, kills=kills, seed=given.seed, report=_say))
            # After each run: what has come out does not depend on what is to come.
            text = page(taken, given.seed)
            (PROJECT_DIR / "docs" / "measured" / f"faults-{database}.md").write_text(text, encoding="utf-8")
        print(text)
        passed &= all(failed(one) != one["guarded"] for one in taken if one["kills"])
    return 0 if passed else 1


def run(
    database: str | None, *, guarded: bool, kills: int, seed: int, report: Any = lambda what: None
) -> dict[str, Any]:
    """Close shifts while everything is killed `kills` times; return what was counted (see `count.counted`).

    `database` is a CARDROOM_DATABASE_URL, None for an SQLite file. Without kills, it is as many seconds as shifts.
    """
    began = time.monotonic()
    site = "as it is" if guarded else "without safeguards"
    with tempfile.TemporaryDirectory(prefix="cardroom-faults-") as directory:
        environ = site_environ(Path(directory), database)

        python(environ, "manage.py", "migrate", "--verbosity", "0")
        if not guarded:
            python(environ, "-m", "tests.measure.faults.unguarded")
        with Background(
            environ, app="cardroom" if guarded else "tests.measure.faults.unguarded"
        ) as background:
            for one in (*background.workers, background.beat):
                one.wait_until_at_work()
            with _closing(environ, guarded=guarded) as lines:
                for number, target in enumerate(plan := _plan(kills, seed), start=1):
                    time.sleep(target.pause_seconds)
                    background.kill(target.name, target.order)
                    if number % 10 == 0 or number == len(plan):
                        closed = sum("closed" in line for line in lines)
                        report(f"{site}: {number} of {len(plan)} kills, {closed} shifts closed")
                if not kills:
                    time.sleep(60)
            report(f"{site}: everybody alive, the background has at most {PATIENCE_SECONDS} seconds")
            counted = json.loads(
                python(
                    environ,
                    "-m",
                    "tests.measure.faults.count",
                    f"--seconds={PATIENCE_SECONDS}",
                    given="".join(lines),
                )
            )
        return {
            "database": "SQLite" if database is None else "PostgreSQL",
            "guarded": guarded,
            "kills": kills,
            "seconds": time.monotonic() - began,
            **counted,
        }


class Kill:
    """One kill of the plan: after how long, of what, and the order of chance by which it is carried out."""

    def __init__(self, name: str, order: random.Random) -> None:
        self.name, self.order = name, order
        self.pause_seconds = order.uniform(0, 2.5)


def _plan(kills: int, seed: int) -> list[Kill]:
    order = random.Random(seed)
    names = [name for name in TARGETS for _ in range(kills)]
    order.shuffle(names)
    return [Kill(name, random.Random(order.random())) for name in names]


@contextlib.contextmanager
def _closing(environ: dict[str, str], *, guarded: bool) -> Iterator[list[str]]:
    """Close shifts inside the block; what was done comes into the list, line by line, the last with its end."""
    lines: list[str] = []
    driver = subprocess.Popen(
        [sys.executable, "-m", "tests.measure.faults.driver", *([] if guarded else ["--unguarded"])],
        cwd=PROJECT_DIR,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=(Path(environ["CARDROOM_STATE_DIR"]) / "driver.log").open("wb"),
        text=True,
    )
    assert driver.stdin is not None
    assert driver.stdout is not None
    reader = threading.Thread(target=lines.extend, args=(driver.stdout,))
    reader.start()
    try:
        yield lines
    finally:
        driver.stdin.close()
        status = driver.wait()
        reader.join()
    if status != 0:
        raise RuntimeError((Path(environ["CARDROOM_STATE_DIR"]) / "driver.log").read_text())


def _say(what: str) -> None:
    print(f"faults: {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
