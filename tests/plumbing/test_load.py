"""The harness of `make load`: its figures are right, and it sees errors of every kind that it is there to see."""

from __future__ import annotations

import asyncio
import copy
import os
from pathlib import Path
from typing import Any

import pytest

from cardroom.jobs.models import Job
from cardroom.jobs.task_log import noted_tasks
from tests import own_loop
from tests.measure.load.__main__ import played, read_arguments, trouble_in
from tests.measure.load.browser import Browser, Notes
from tests.measure.load.dealers import Screen
from tests.measure.load.figures import by_kind, figures_of, on_boards, quantile, spread, troubles_of, wrong_in
from tests.measure.load.machine import look
from tests.measure.load.outcomes import is_error, outcome_of
from tests.measure.load.page import page


def test_quantiles_are_by_nearest_rank() -> None:
    hundred = [float(each) for each in range(1, 101)]
    assert [quantile(hundred, part) for part in (0.5, 0.95, 0.99, 1)] == [50, 95, 99, 100]
    assert quantile([7.0], 0.99) == 7.0
    assert spread([3.0, 1.0, 2.0]) == {"count": 3, "p50": 2.0, "p95": 3.0, "p99": 3.0, "max": 3.0}
    assert spread([]) == {"count": 0}


def test_a_press_that_was_sent_late_is_late_since_it_was_due() -> None:
    """An overloaded client that waits for its turn must not hide the waiting (coordinated omission)."""
    kinds = by_kind(
        [("command deal", 10.0, 14.0, 14.5, 200, "ok"), ("command deal", 20.0, 20.0, 20.25, 200, "ok")]
    )
    assert kinds["command deal"]["due"]["max"] == 4.5
    assert kinds["command deal"]["sent"]["max"] == 0.5


DONE = {"x-answer": "done"}
REFUSED = {"x-answer": "refused"}


@pytest.mark.parametrize(
    ("status", "headers", "body", "expected"),
    [
        (200, DONE, '<div id="screen">', "ok"),
        (500, {}, "", "status 500"),
        (503, {}, 'data-refused="busy"', "status 503"),
        (412, REFUSED, '<div data-refused="stale">', "expected 412 stale"),
        (409, REFUSED, '<div data-refused="busy">', "expected 409 busy"),
        (409, REFUSED, '<div data-refused="no_wager">', "status 409 no_wager"),
        (409, REFUSED, "", "status 409"),
        (412, {}, '{"error":{"code":"stale","message":"…"}}', "expected 412 stale"),
        (422, {}, '{"error":{"code":"bad_wager","message":"…"}}', "status 422 bad_wager"),
        (403, REFUSED, "", "status 403"),
        (404, REFUSED, "", "status 404"),
        (200, {}, "a page to sign in", "status 200 without the site's mark"),
        (200, DONE, '<div data-refused="no_wager">', "refused with status 200: no_wager"),
    ],
)
def test_answers_to_a_command_are_told_apart(
    status: int, headers: dict[str, str], body: str, expected: str
) -> None:
    outcome = outcome_of(status, headers, body, marked=True)
    assert outcome == expected
    assert is_error(outcome) is not (expected == "ok" or expected.startswith("expected "))


def test_a_status_may_be_expected_where_it_is_asked_for() -> None:
    assert outcome_of(404, {}, "", may={404}) == "ok"
    assert outcome_of(404, {}, "") == "status 404"


async def _asked(answer: bytes) -> Notes:
    """Ask a server that answers everything with these bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    notes = Notes()
    async with server:
        browser = Browser(server.sockets[0].getsockname()[1], "session", notes)
        await browser.get("table page", "/tables/1/", marked=True)
    return notes


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\noops", "table page: status 500"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nhalf", "table page: lost"),
        (b"", "table page: lost"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "table page: status 200 without the site's mark"),
    ],
)
def test_a_browser_notes_what_goes_wrong(answer: bytes, kind: str) -> None:
    notes = own_loop.run(_asked(answer))
    errors, expected = troubles_of([{"troubles": notes.troubles}])
    assert list(errors) == [kind]
    assert errors[kind]["count"] == 1
    assert not expected
    assert len(notes.answers) == 1


def test_a_browser_notes_nothing_of_a_good_answer() -> None:
    good = b"HTTP/1.1 200 OK\r\nX-Answer: done\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    notes = own_loop.run(_asked(good))
    assert not notes.troubles
    assert [(each.kind, each.status, each.outcome) for each in notes.answers] == [("table page", 200, "ok")]


def test_a_command_is_on_a_board_by_the_first_card_that_shows_its_entry() -> None:
    board: dict[str, Any] = {"tables": [7, 8, 7, 7], "entries": [3, 9, 6, 5], "at": [1.0, 1.5, 2.0, 3.0]}
    given = [(7, 11, 0.75), (7, 12, 0.5), (8, 4, 1.0), (7, 13, 9.0)]
    versions = [(7, 11, 3), (7, 12, 5), (8, 4, 10), (7, 13, 7)]
    seconds, missed = on_boards(given, versions, [board], until=5.0)
    assert seconds == [0.25, 1.5]
    assert missed == 1  # table 8's entry 10; the command after `until` is not asked for
    assert on_boards(given[:1], [], [board], until=5.0) == ([], 1)


def test_logs_are_searched_for_trouble() -> None:
    log = """
2026-11-23T15:40:23.7Z [\x1b[32minfo     \x1b[0m] request_finished code=200
2026-11-23T15:40:23.7Z [\x1b[31merror    \x1b[0m] request_failed
Traceback (most recent call last):
2026-11-23 15:33:20 UTC [7] ERROR:  deadlock detected
2026-11-23 15:33:20 UTC [7] ERROR:  duplicate key value violates unique constraint "one"
2026-11-23 15:33:37 UTC [8] ERROR:  value too long for type character varying(40)
2026-11-23 15:33:37 UTC [8] LOG:  process 8 still waiting for ShareLock on transaction 9 after 1000.1 ms
"""
    assert trouble_in(log)["counts"] == {
        "error": 2,
        "traceback": 1,
        "deadlock": 1,
        "duplicate key": 1,
        "lock wait over a second": 1,
    }
    assert trouble_in("2026 LOG:  checkpoint complete")["counts"] == {}


GOOD: dict[str, Any] = {
    "errors": {},
    "counted": {"deadlocks": 0, "gaps": 0, "late_starts": 0, "rounds": {"settled": 9}},
    "logs": {"web-1": {"counts": {"warning": 3}}},
    "verify": {"status": 0},
    "rounds": {"pressed": 9, "settled": 8},
    "closed": [{}, {}],
    "boards": {"count": 40, "missed": 0},
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("errors",), {"command deal: status 500": {"count": 1, "texts": []}}),
        (("counted", "deadlocks"), 1),
        (("counted", "gaps"), 1),
        (("counted", "late_starts"), 1),
        (("counted", "rounds"), {"settled": 10}),
        (("logs", "web-1"), {"counts": {"traceback": 1}}),
        (("verify", "status"), 1),
        (("closed",), [{}]),
        (("boards", "missed"), 2),
        (("rounds", "settled"), 0),
    ],
)
def test_whatever_is_wrong_is_said(path: tuple[str, ...], value: Any) -> None:
    assert wrong_in(GOOD) == []
    figures = copy.deepcopy(GOOD)
    place = figures
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    assert len(wrong_in(figures)) == 1


def test_the_machine_is_looked_at() -> None:
    used = look({"own": [os.getpid()], "gone": [2**22 + 1]}).groups
    assert used["own"].memory > 10_000_000
    assert used["own"].cpu > 0
    assert used["own"].processes >= 1
    assert used["gone"].processes == 0


def test_a_screen_is_read_from_its_page() -> None:
    screen = Screen.read(
        '<div id="screen" class="screen" data-table="4" data-version="12" data-phase="cards" data-round="2">'
        '<form id="step"><input type="hidden" name="version" value="12">'
        '<input type="hidden" name="idempotency_key" value="a&amp;b">'
    )
    assert screen is not None
    assert (screen.version, screen.phase) == (12, "cards")
    assert screen.meta() == {"version": "12", "idempotency_key": "a&b"}
    assert Screen.read("<h1>Sign in</h1>") is None


def test_a_run_is_bounded() -> None:
    assert read_arguments([]).minutes == 30
    for words in (["--minutes", "121"], ["--minutes", "0"], ["--tables", "101"], ["--tables", "0"]):
        with pytest.raises(SystemExit):
            read_arguments(words)


def test_the_names_of_recurring_tasks_fit_their_column() -> None:
    """SQLite takes longer ones, PostgreSQL refuses them: their last run would be noted nowhere."""
    length = Job._meta.get_field("kind").max_length
    assert noted_tasks()
    assert max(map(len, noted_tasks())) <= length


@pytest.mark.slow
def test_a_short_run_sees_play_and_no_error(tmp_path: Path) -> None:
    given = read_arguments(
        [
            "--minutes",
            "0.6",
            "--tables",
            "2",
            "--feeds",
            "1",
            "--floor",
            "1",
            "--boards",
            "1",
            "--web",
            "1",
            "--rounds-per-second",
            "0.2",
        ]
    )
    given.keep = tmp_path
    figures = figures_of(played(given))
    assert figures["wrong"] == []
    assert figures["rounds"]["settled"] >= 1
    assert "No error, no deadlock." in page(figures)
