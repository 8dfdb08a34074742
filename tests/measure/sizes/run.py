"""One run, on the PostgreSQL that the environment names; its figures go as JSON into the file `--out`.

The environment is made by `tests.measure.sizes`; the site is uvicorn by the site's own command, one process.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import django
import psycopg

from tests.measure.load.machine import look

from . import COUNTED, READS
from .statements import Counting, Statements

_SIZES = """
    SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


class Meter:
    """What site and database use: processor seconds of their processes, bytes of tables and of the log."""

    def __init__(self, site: int, postgres: int, socket: str) -> None:
        self._roots = {"site": [site], "postgres": [postgres]}
        self._admin = psycopg.connect(host=socket, user="cardroom", dbname="cardroom", autocommit=True)

    def of(self, act: Callable[[], object], times: int) -> dict[str, Any]:
        """Carry out `act` so many times, from a checkpoint on; return what was used by all of them, and by how much tables grew."""
        self._admin.execute("CHECKPOINT")
        sizes, wal, before = self._sizes(), self._wal(), look(self._roots).groups
        for _ in range(times):
            act()
        after = look(self._roots).groups
        self._admin.execute("CHECKPOINT")  # a backend may still hold what it has written
        grown = {
            name: [new - old for new, old in zip(size, sizes[name], strict=True)]
            for name, size in self._sizes().items()
        }
        return {
            "times": times,
            "site": after["site"].cpu - before["site"].cpu,
            "postgres": after["postgres"].cpu - before["postgres"].cpu,
            "wal": self._wal() - wal,
            "grown": {name: both for name, both in grown.items() if any(both)},
        }

    def memory(self) -> dict[str, int]:
        """Return the bytes of memory of each, pages that processes share counted once."""
        return {name: used.memory for name, used in look(self._roots).groups.items()}

    def _sizes(self) -> dict[str, list[int]]:
        return {name: [table, indexes] for name, table, indexes in self._admin.execute(_SIZES)}

    def _wal(self) -> int:
        [[position]] = self._admin.execute(
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"
        ).fetchall()
        return int(position)


def main() -> None:
    """Build the room, measure, tell."""
    given = _arguments()
    took = _measured(given)
    given.out.write_text(json.dumps(took), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--postgres", type=int, required=True, help="the postmaster's process")
    parser.add_argument("--socket", required=True, help="the directory of its socket")
    parser.add_argument("--sheets", type=int, required=True)
    parser.add_argument("--played", type=int, required=True)
    return parser.parse_args()


def _measured(given: argparse.Namespace) -> dict[str, Any]:
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    from django.test import Client

    from cardroom.floor.models import Table
    from tests.measure.bench.floor.pages import TablePage, Visitor
    from tests.measure.bench.floor.room import Floor
    from tests.measure.bench.posting.feed import Feed
    from tests.servers.postgres import Postgres
    from tests.servers.site import Site

    _say("opens forty tables")
    floor = Floor()
    client = Client()
    client.force_login(floor.cast.people["shift_manager"])
    session = client.cookies["sessionid"].value
    server = Postgres()
    server.directory = Path(given.socket)
    with Site(os.environ, Path(os.environ["CARDROOM_STATE_DIR"]) / "site.log", static=True) as site:
        assert site.process is not None
        versions = dict(Table.objects.values_list("pk", "version"))
        visitor = Visitor(site.port, session)
        half = len(floor.tables) // 2
        feeds = [Feed(visitor, each.pk, each.number, versions[each.pk]) for each in floor.tables[:half]]
        played = [TablePage(visitor, each.pk, versions[each.pk]) for each in floor.tables[half:]]
        code, table = floor.room.code, floor.tables[-1].pk
        pages = {
            "the table's page": f"/tables/{table}/",
            "the board": f"/rooms/{code}/floor/",
            "a card of the board": f"/rooms/{code}/floor/cards/?table={table}",
        }
        rounds = _in_turn([functools.partial(_round, each) for each in played])
        sheets = _in_turn([feed.post for feed in feeds])
        _say("plays a while, so that nothing is done for the first time")
        for act in (sheets, rounds):
            for _ in range(2 * half):
                act()
        meter = Meter(site.process.pid, given.postgres, given.socket)
        took: dict[str, Any] = {}
        _say(f"has {given.sheets} sheets posted")
        took["sheets"] = meter.of(sheets, given.sheets)
        _say(f"plays {given.played} rounds, command by command")
        took["played"] = meter.of(rounds, given.played)
        _say("shows its pages")
        took["pages"] = {
            name: meter.of(functools.partial(visitor.ask, "GET", address), READS)
            for name, address in pages.items()
        }
        took["memory"] = meter.memory()
        _say("has its statements counted")
        counting = Counting(server)
        took["statements"] = _statements(counting, feeds, played)
        took["pages_statements"] = {
            name: _figures(counting.of(functools.partial(visitor.ask, "GET", address)))
            for name, address in pages.items()
        }
        counting.close()
    return took


def _in_turn(acts: Sequence[Callable[[], object]]) -> Callable[[], None]:
    """Return a function that carries out the next of `acts` each time, from the first again after the last."""
    turn = iter(range(sys.maxsize))

    def act() -> None:
        acts[next(turn) % len(acts)]()

    return act


def _round(table: Any) -> None:
    """Play one round to its end, with the answers about the bank before it, as a table page's tablet does."""
    while True:
        table.command_and_look()
        if table.commands[-1].path.endswith("/settle"):
            return


def _statements(
    counting: Counting, feeds: Sequence[Any], played: Sequence[Any]
) -> dict[str, list[dict[str, Any]]]:
    """Count the statements of each command, `COUNTED` times each, at several tables."""
    found: dict[str, list[dict[str, Any]]] = {}
    for feed in feeds[:COUNTED]:
        while feed.in_turn != 1:  # then the next is a sheet alone, without the answer about the bank
            feed.post()
        found.setdefault("a whole sheet", []).append(_figures(counting.of(feed.post)))
    for table in played[:COUNTED]:
        begun = len(table.commands)
        while len(table.commands) < begun + 12:  # two rounds, and one answer about the bank
            statements = counting.of(table.command)
            found.setdefault(table.commands[-1].path, []).append(_figures(statements))
    return found


def _figures(statements: Statements) -> dict[str, Any]:
    return {
        "calls": dict(statements.calls),
        "milliseconds": dict(statements.milliseconds),
        "clients": statements.clients.most_common(80),
    }


def _say(what: str) -> None:
    print(f"  {time.process_time():6.1f} s  the room {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
