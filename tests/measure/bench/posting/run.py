"""One run, on the PostgreSQL that the environment names; its figures go as JSON into the file `--out`.

    python -m tests.measure.bench.posting.run --out FILE [--seconds S]

The environment is made by `tests.measure.bench.posting`; the site is uvicorn by the site's own command, one process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

from cardroom.config.environment import PROJECT_DIR
from tests.measure.bench.floor.pace import play

from . import FACTS, PEAK, SHIFT_ROUNDS, TABLES


def main() -> None:
    """Build the room, measure, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--seconds", type=float, default=60, help="for which the room plays at five times its peak"
    )
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    from django.db import connection
    from django.test import Client

    from cardroom.floor.models import Shift, Table
    from tests.measure.bench.floor.pages import Visitor
    from tests.measure.bench.floor.room import Floor
    from tests.servers.site import Site

    from .feed import Feed

    _say("opens forty tables")
    floor = Floor()
    closed = Shift.objects.filter(room=floor.room, closed_at__isnull=False).get()
    floor.fill_shift(closed, SHIFT_ROUNDS // TABLES)
    client = Client()
    client.force_login(floor.cast.people["shift_manager"])
    session = client.cookies["sessionid"].value
    with Site(os.environ, Path(os.environ["CARDROOM_STATE_DIR"]) / "site.log", static=True) as site:
        versions = dict(Table.objects.values_list("pk", "version"))
        feeds = [
            Feed(Visitor(site.port, session), table.pk, table.number, versions[table.pk])
            for table in floor.tables
        ]
        for feed in feeds:
            feed.post()  # a site's first requests import and compile
            feed.took.clear()
            feed.offers.clear()
        took: dict[str, Any] = {"seconds": given.seconds}
        before = _sizes()
        with _reports(closed.pk) as made:
            _say("plays at five times its peak while reports are made")
            play([feed.post for feed in feeds], PEAK, given.seconds)
        took["bytes"] = {table: size - before[table] for table, size in _sizes().items()}
        took["sheets"] = [each for feed in feeds for each in feed.took]
        took["offers"] = [each for feed in feeds for each in feed.offers]
        took["made"] = made
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM floor_round WHERE shift_id = %s", [closed.pk])
        took["shift_rounds"] = cursor.fetchone()[0]
    given.out.write_text(json.dumps(took), encoding="utf-8")


def _sizes() -> dict[str, int]:
    """Bytes of each table that a round writes into, with its indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT t, pg_indexes_size(t) + pg_table_size(t) FROM unnest(%s::regclass[]) AS t", [FACTS]
        )
        return dict(cursor.fetchall())


@contextlib.contextmanager
def _reports(shift_id: int) -> Iterator[list[dict[str, float]]]:
    """Make reports of a shift in a process of its own, one after another; what each took is there after the block."""
    made: list[dict[str, float]] = []
    maker = subprocess.Popen(
        [sys.executable, "-m", "tests.measure.bench.posting.reports", str(shift_id)],
        cwd=PROJECT_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert maker.stdout is not None
    assert maker.stdin is not None
    made.append(json.loads(maker.stdout.readline()))  # its first is of a process that has just begun
    made.clear()
    yield made
    maker.stdin.close()
    made.extend(json.loads(line) for line in maker.stdout)
    if maker.wait():
        raise RuntimeError("the reports could not be made; see above")


def _say(what: str) -> None:
    print(f"  {time.process_time():6.1f} s  the room {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
