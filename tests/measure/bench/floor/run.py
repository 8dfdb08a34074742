"""One run, on the database that the environment names: prints its figures as JSON.

    python -m tests.measure.bench.floor.run --rounds 1000000 --seconds 60 --boards 20

The environment is made by `tests.measure.bench.floor`; the site is uvicorn by the site's own command.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django

from .pace import play

#: Commands a second in the whole room at its peak: forty rounds an hour at each of forty tables, eight commands a round.
PEAK = 40 * 40 * 8 / 3600
#: The second pace, as a multiple of the peak.
TIMES_THE_PEAK = 5
#: How often a page or query that is measured by itself is asked for.
TIMES = 40


def main() -> None:
    """Build the room, measure, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--boards", type=int, default=20)
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    from tests.servers.site import Site

    from .room import Floor

    _say("opens forty tables")
    floor = Floor()
    took: dict[str, Any] = {"rounds": given.rounds, "boards": given.boards, "seconds": given.seconds}
    took |= {"empty": _queries(floor)}
    _say(f"gets {given.rounds:,} rounds behind it")
    floor.fill(given.rounds)
    took["full"] = _queries(floor)
    state = Path(os.environ["CARDROOM_STATE_DIR"])
    with Site(os.environ, state / "site.log", static=True) as site:
        session = _session(floor)
        _say("shows its pages")
        took["pages"] = _pages(site.port, session, floor)
        tables = _tables(site.port, session, floor)
        _say("plays")
        took["live"] = _live(site.port, session, floor, tables, given)
        _say("plays at five times its peak")
        took["five_times"] = _five_times(site, tables, given.seconds)
    print(json.dumps(took))


def _say(what: str) -> None:
    print(f"  {time.process_time():6.1f} s  the room {what}", file=sys.stderr, flush=True)


def _session(floor: Any) -> str:
    from django.test import Client

    client = Client()
    client.force_login(floor.cast.people["shift_manager"])
    return client.cookies["sessionid"].value


def _queries(floor: Any) -> dict[str, list[float]]:
    """Seconds for the board's figures of forty tables, and of one, by themselves."""
    from django.utils import timezone

    from cardroom.floor.models import Shift
    from cardroom.floor.reads.board import room_board

    shift = Shift.objects.get(room=floor.room, closed_at__isnull=True)
    one = [floor.tables[7].pk]

    def timed(only: list[int] | None) -> list[float]:
        seconds = []
        for _ in range(TIMES // 2):
            began = time.perf_counter()
            room_board(floor.room, shift, timezone.now(), only)
            seconds.append(time.perf_counter() - began)
        return seconds[2:]

    return {"forty": timed(None), "one": timed(one)}


def _pages(port: int, session: str, floor: Any) -> dict[str, list[float]]:
    """Seconds for whole pages over HTTP, one after another."""
    from .pages import Visitor

    visitor = Visitor(port, session)
    code, table = floor.room.code, floor.tables[7].pk
    addresses = {
        "board": f"/rooms/{code}/floor/",
        "card": f"/rooms/{code}/floor/cards/?table={table}",
        "room": f"/rooms/{code}/",
        "table": f"/tables/{table}/",
    }
    taken: dict[str, list[float]] = {name: [] for name in addresses}
    for _ in range(TIMES):
        for name, address in addresses.items():
            began = time.perf_counter()
            visitor.ask("GET", address)
            taken[name].append(time.perf_counter() - began)
    return {name: seconds[3:] for name, seconds in taken.items()}


def _tables(port: int, session: str, floor: Any) -> list[Any]:
    from cardroom.floor.models import Table

    from .pages import TablePage, Visitor

    versions = dict(Table.objects.values_list("pk", "version"))
    return [TablePage(Visitor(port, session), table.pk, versions[table.pk]) for table in floor.tables]


def _live(
    port: int, session: str, floor: Any, tables: list[Any], given: argparse.Namespace
) -> dict[str, Any]:
    """Forty tables play at the room's peak while boards look on; how long until each command is on each board."""
    from .pages import BoardPage

    pages = [BoardPage(port, session, floor.room.code) for _ in range(given.boards)]
    play([table.command for table in tables], PEAK, given.seconds)
    time.sleep(2)  # the last command has its time too
    for page in pages:
        page.close()
    commands = [command.seconds for table in tables for command in table.commands]
    return {"commands": commands, **_sightings(tables, pages)}


def _five_times(site: Any, tables: list[Any], seconds: float) -> dict[str, Any]:
    """Commands at five times the peak; whoever settles a round reads the table's page next. Seconds of each request."""
    for table in tables:
        table.commands.clear()
    spent, began = _processor_seconds(site.process.pid), time.monotonic()
    play([table.command_and_look for table in tables], TIMES_THE_PEAK * PEAK, seconds)
    took = time.monotonic() - began
    commands = [command for table in tables for command in table.commands]
    return {
        "commands": [command.seconds for command in commands],
        "settle": [command.seconds for command in commands if command.path.endswith("/settle")],
        "page": [look for table in tables for look in table.looks],
        "a_second": len(commands) / took,
        "processor": (_processor_seconds(site.process.pid) - spent) / took,
    }


def _processor_seconds(pid: int) -> float:
    """Return what a process has used so far, user and system (proc(5): fields 14 and 15, in clock ticks)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _sightings(tables: list[Any], pages: list[Any]) -> dict[str, Any]:
    """How long after each command each board got its event, and showed it (seconds); and how many never did."""
    from cardroom.floor.models import JournalEntry

    heard, shown, missed = [], [], 0
    for table in tables:
        # Each command's last entry in the journal is what its event and its card name.
        entries = JournalEntry.objects.filter(table=table.table).values_list("at", "seq").order_by("seq")
        last = _last_entries([(at.timestamp(), seq) for at, seq in entries], len(table.commands))
        for command, entry in zip(table.commands, last, strict=True):
            for page in pages:
                there = [at for at, seen in page.shown.get(table.table, []) if seen >= entry]
                found = [at for (pk, seen), at in page.heard.items() if pk == table.table and seen >= entry]
                if there and found:
                    shown.append(min(there) - command.sent)
                    heard.append(min(found) - command.sent)
                else:
                    missed += 1
    return {"heard": heard, "shown": shown, "missed": missed}


def _last_entries(entries: list[tuple[float, int]], commands: int) -> list[int]:
    """The last entry of each of the latest `commands` commands: entries of one command bear one instant."""
    last: dict[float, int] = dict(entries)
    return [last[at] for at in sorted(last)][len(last) - commands :]


if __name__ == "__main__":
    main()
