"""The instrument of hosts: its cuts are silent and mended, its verdicts can fail; and sizes are told by kinds of statements."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.measure.hosts.network import CannotSeparate, Host, Network
from tests.measure.hosts.page import came_out, page
from tests.measure.sizes.page import page as sizes_page
from tests.measure.sizes.statements import kind_of

_SERVE = (
    "import socket, sys\n"
    "server = socket.create_server((sys.argv[1], 9000))\n"
    "print('listens', flush=True)\n"
    "while True:\n    server.accept()[0].close()\n"
)
CHECK = 'SELECT $2 FROM ONLY "public"."rooms_room" x WHERE "id" OPERATOR(pg_catalog.=) $1 FOR KEY SHARE OF x'
WHOLE = {
    "fault": "killed: web1",
    "kind": "as it is",
    "seconds": 15.0,
    "tries": 12,
    "acknowledged": 10,
    "found": 10,
    "lost": 0,
    "doubled": 0,
    "breaks": 0,
    "stuck": 0,
    "faults": 0,
    "other": {"503 database_away": 1, "no answer": 1},
    "mute": 1.0,
    "silent": 2.0,
    "waited": 3.0,
    "again": 0.5,
    "report": 4.0,
}


@pytest.fixture
def network() -> Iterator[Network]:
    try:
        with Network(f"t{os.getpid()}", ("one", "two", "three")) as made:
            yield made
    except CannotSeparate as why:
        pytest.skip(str(why))


def reached(one: Host, other: Host) -> str:
    """What a connection from one host to another comes to."""
    found: list[str] = []

    def connect() -> None:
        with one.entered():
            try:
                socket.create_connection((other.address, 9000), 0.5).close()
                found.append("reached")
            except OSError as fault:
                found.append(type(fault).__name__)

    connecting = threading.Thread(target=connect)
    connecting.start()
    connecting.join()
    return found[0]


@pytest.mark.outside
def test_a_cut_is_silent_between_two_hosts_alone_and_a_killed_host_refuses(network: Network) -> None:
    one, two, three = network.hosts.values()
    assert reached(one, two) == "ConnectionRefusedError"
    serving = two.start([sys.executable, "-u", "-c", _SERVE, two.address], output=subprocess.PIPE)
    assert serving.stdout is not None
    assert serving.stdout.readline() == b"listens\n"
    assert (reached(one, two), reached(three, two)) == ("reached", "reached")
    network.cut("one", "two")
    assert (reached(one, two), reached(three, two)) == ("TimeoutError", "reached")
    network.mend()
    assert reached(one, two) == "reached"
    assert two.kill() == 1
    assert (reached(one, two), two.processes()) == ("ConnectionRefusedError", [])


@pytest.mark.parametrize(
    "found",
    [
        {"lost": 1},
        {"doubled": 1},
        {"breaks": 1},
        {"stuck": 1},
        {"faults": 1},
        {"again": None},
        {"report": None},
    ],
)
def test_the_site_as_it_is_has_failed_where_anything_was_lost_doubled_or_left_undone(
    found: dict[str, Any],
) -> None:
    assert came_out(WHOLE, "whole")
    assert not came_out({**WHOLE, **found}, "whole")


@pytest.mark.parametrize(
    ("has_to", "found"),
    [("lost", {"lost": 1}), ("doubled", {"doubled": 2}), ("unanswered", {"other": {"no answer": 1}})],
)
def test_a_control_that_comes_out_whole_has_failed(has_to: str, found: dict[str, Any]) -> None:
    refused = {**WHOLE, "other": {"503 database_away": 2}}
    assert not came_out(refused, has_to)
    assert came_out({**refused, **found}, has_to)


def test_the_page_says_which_control_did_not_fail() -> None:
    control = {**WHOLE, "kind": "clients that send again under a new key"}
    text = page([WHOLE, control], {"as it is": "whole", control["kind"]: "doubled"})
    assert "has to have commands twice: **it did not**" in text
    assert "`503 database_away` 1 times" in text


@pytest.mark.parametrize(
    ("query", "toplevel", "kind"),
    [
        ('SELECT $1 FROM "floor_round"', True, "read"),
        ("SELECT set_config($1, $2, true)", True, "control"),
        ('INSERT INTO "floor_round" VALUES ($1)', True, "written"),
        ("BEGIN", True, "control"),
        (CHECK, True, "foreign keys"),
        ("SELECT EXISTS (SELECT 1)", False, "triggers"),
    ],
)
def test_statements_are_told_apart(query: str, toplevel: bool, kind: str) -> None:
    assert kind_of(query, toplevel=toplevel) == kind


def test_what_rooms_need_is_reckoned_from_what_a_round_took() -> None:
    took = {
        "times": 10,
        "site": 0.5,
        "postgres": 0.25,
        "wal": 100_000,
        "grown": {"floor_round": [60_000, 40_000]},
    }
    counts = {"calls": {"read": 9, "foreign keys": 20}, "milliseconds": {"read": 3.0, "foreign keys": 1.0}}
    text = sizes_page(
        {
            "sheets": took,
            "played": took,
            "pages": {"a card of the board": took},
            "pages_statements": {"a card of the board": counts},
            "memory": {"site": 2**20, "postgres": 2**21},
            "statements": {"a whole sheet": [counts, counts, counts]},
        }
    )
    rows = {line.split(" | ")[0].removeprefix("| "): line.split(" | ")[1:] for line in text.splitlines()}
    assert rows["processor of the site, ms"] == ["50.0", "50.0 |"]
    assert rows["bytes kept: tables and indexes"] == ["10,000", "10,000 |"]
    # 345,000 rounds a day at 4/3 of their mean: 5.32 a second, of 50 ms each, on processors that are half busy.
    assert rows["played: processors of the site, and its processes"] == ["1", "1", "4 |"]
    assert rows["played: disk a year"] == ["104.9 GB", "1.3 TB", "8.4 TB |"]
    assert rows["played: WAL a day"] == ["287.5 MB", "3.5 GB", "23.0 GB |"]
    assert "1.00 ms of the 4.0 ms" in text
