"""What holds for every page: nothing from elsewhere, a strict policy, few queries; and the room and report pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.http import HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from cardroom import web
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Shift, Table
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.making import shift_report_make
from cardroom.web.parts.documents import document_view_of
from cardroom.web.rooms.forms import USUAL, name_after
from tests.cast import PASSWORD, Cast
from tests.web.conftest import Person
from tests.web.play import play_by_commands

#: Attributes that load or lead somewhere, with an address that names a host.
ELSEWHERE = re.compile(
    r"""(?:src|href|action|hx-[a-z]+|srcset|poster|content)\s*=\s*["']?\s*(?:https?:)?//""", re.IGNORECASE
)
#: A script of the type application/json is data, which no browser runs.
INLINE = re.compile(
    r"""<script(?![^>]*\b(?:src=|type="application/json"))|<style\b|\sstyle=|\son[a-z]+=|javascript:""",
    re.IGNORECASE,
)


@pytest.fixture
def closed(running: Cast, person: Callable[[str], Person]) -> Shift:
    """A closed shift in which two rounds were played, its report not made yet."""
    for _ in range(2):
        play_by_commands(running)
    shift = Shift.objects.get()
    running.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    return shift


def every_page(cast: Cast, person: Callable[[str], Person]) -> dict[str, tuple[str, str]]:
    """Pages by name: their text, and the content policy that they came with."""
    manager = person("shift_manager")
    table = cast.table.pk
    seen = {}

    def see(name: str, answer: object) -> None:
        seen[name] = (answer.content.decode(), answer["Content-Security-Policy"])  # type: ignore[attr-defined,index]

    see("sign-in", Client().get("/accounts/login/"))
    see("sign-out", manager.client.get("/accounts/logout/"))
    see("no shift", manager.open("/rooms/cache-slough/"))
    see("closed table", manager.at_table())
    cast.open()
    see("offer", manager.at_table())
    cast.bank_to(3)
    see("ready", manager.at_table())
    see("betting", manager.command("bank", bank_wager_cents="40"))
    see("refused", manager.command("bets", **{"wagers-1-ante": "x"}))
    manager.command("bets", **{"wagers-1-ante": "20", "tips-1-ante": "5", "wagers-2-ante": "20"})
    see("dropped", manager.command("no-more-bets"))
    see("cards", manager.command("deal"))
    see(
        "settled",
        manager.command("settle", **{"hand-1": "ahqd2c", "hand-2": "9s9c3d", "bank_hand": "kh7d4c"}),
    )
    see("rotation", manager.open(f"/tables/{table}/rotation/"))
    see("rotation of the room", manager.open("/rooms/cache-slough/rotation/"))
    see("placard", manager.open(f"/tables/{table}/placard/"))
    see("rules", manager.open("/rules/"))
    see("rulebook", manager.open("/rules/massachusetts/?players=4"))
    see("round", manager.open(f"/rounds/{manager.cast.state().last.pk}/"))  # type: ignore[union-attr]
    shift = Shift.objects.get()
    see("open shift", manager.open("/rooms/cache-slough/"))
    see("waiting", manager.post(f"/rooms/cache-slough/shifts/{shift.pk}/close/", confirmed="yes"))
    shift_report_make(shift.pk)
    see("report", manager.open(f"/shifts/{shift.pk}/report/"))
    see("403", person("dealer").open(f"/shifts/{shift.pk}/report/"))
    see("404", manager.open("/nowhere/"))
    see("rooms", person("outsider").open("/"))
    return seen


def test_pages_load_nothing_from_other_hosts_and_run_nothing_written_into_them(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    for name, (text, policy) in every_page(cast, person).items():
        assert not ELSEWHERE.search(text), f"{name}: {ELSEWHERE.search(text)}"
        assert not INLINE.search(text), f"{name}: {INLINE.search(text)}"
        assert "default-src 'self'" in policy, name
        assert "unsafe" not in policy, name
        assert "{{" not in text, name
        assert "{%" not in text, name


def test_style_sheets_and_scripts_name_no_other_host() -> None:
    static = Path(web.__file__).parent / "static" / "web"
    files = sorted(path for path in static.rglob("*") if path.suffix in {".css", ".js", ".svg"})
    assert len(files) > 50
    for file in files:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        code = re.sub(r"/\*.*?\*/|(?<!\S)//[^\n]*", "", text, flags=re.DOTALL)
        assert "//" not in code.replace("\\/\\/", ""), file.name


def test_the_table_page_takes_as_many_queries_whatever_was_played(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    play_by_commands(running)
    dealer.at_table()  # a session's first page also stores what was said
    with CaptureQueriesContext(
        connection,
    ) as first:
        dealer.at_table()
    for _ in range(3):
        play_by_commands(running)
        if running.state().step.kind != "keep":
            running.bank_to(4 if running.state().turn.seat == 3 else 3)  # type: ignore[union-attr]
    dealer.at_table()
    with CaptureQueriesContext(connection) as later:
        dealer.at_table()
    assert len(later) == len(first) <= 24


def test_the_room_page_takes_as_many_queries_for_twelve_tables_as_for_two(
    running: Cast, person: Callable[[str], Person]
) -> None:
    play_by_commands(running)
    manager = person("shift_manager")
    with CaptureQueriesContext(connection) as two:
        manager.open("/rooms/cache-slough/")
    Table.objects.bulk_create(
        [Table(room=running.room, number=number, schedule=running.schedule(1)) for number in range(20, 30)]
    )
    with CaptureQueriesContext(connection) as twelve:
        manager.open("/rooms/cache-slough/")
    assert manager.text.count("table-card") == 12
    assert (
        len(twelve) == len(two) <= 40
    )  # thirteen for what is open as the shift closes, six for it so far, one for locks


def test_the_room_shows_its_tables_at_a_glance(running: Cast, person: Callable[[str], Person]) -> None:
    play_by_commands(running)
    manager = person("shift_manager")
    text = manager.open("/rooms/cache-slough/").content.decode()
    for word in ('data-number="7"', "$5 - $100", "Dealer", "Cy", "1 of 2", "just now", "$4"):
        assert word in text, word


def test_shifts_open_and_close_by_the_shift_manager_alone(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    dealer, manager = person("dealer"), person("shift_manager")
    assert "Open the shift" not in dealer.open("/rooms/cache-slough/").content.decode()
    manager.open("/rooms/cache-slough/")
    manager.post("/rooms/cache-slough/shifts/open/", name="Swing")
    shift = Shift.objects.get()
    assert (shift.name, shift.closed_at) == ("Swing", None)
    sent = {"version": str(cast.room.version + 1), "idempotency_key": "k"}
    assert dealer.client.post(f"/rooms/cache-slough/shifts/{shift.pk}/close/", sent).status_code == 403
    stale = {"version": "0", "idempotency_key": "old"}
    answer = manager.client.post(f"/rooms/cache-slough/shifts/{shift.pk}/close/", stale)
    assert answer.status_code == 412
    assert "Someone else updated" in answer.content.decode()
    manager.post(f"/rooms/cache-slough/shifts/{shift.pk}/close/", confirmed="yes")
    shift.refresh_from_db()
    assert shift.closed_at is not None
    assert manager.page.redirect_chain[-1][0] == f"/shifts/{shift.pk}/report/"


def test_closing_a_shift_lists_what_is_open_and_asks_to_confirm(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("shift_manager")
    text = manager.open("/rooms/cache-slough/").content.decode()
    shift = Shift.objects.get()
    for words in ("Table 7: open.", "Boxes not pulled: Box 70 at Table 7.", "Close the shift with this open"):
        assert words in text
    manager.post(f"/rooms/cache-slough/shifts/{shift.pk}/close/")
    assert manager.page.status_code == 409
    assert "still has something open" in manager.text
    shift.refresh_from_db()
    assert shift.closed_at is None
    manager.post(f"/rooms/cache-slough/shifts/{shift.pk}/close/", confirmed="yes")
    shift.refresh_from_db()
    assert shift.closed_at is not None


def test_closing_a_shift_opens_the_next_one_in_the_same_touch(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("shift_manager")
    text = manager.open("/rooms/cache-slough/").content.decode()
    assert 'name="next_name" value="Graveyard"' in text, "the usual one after Swing is offered"
    shift = Shift.objects.get()
    close = f"/rooms/cache-slough/shifts/{shift.pk}/close/"
    manager.post(close, confirmed="yes", then="open", next_name=" ")
    assert (manager.page.status_code, Shift.objects.count()) == (422, 1)
    assert "Name the shift that is opened next." in manager.text
    manager.post(close, then="open", next_name="Late")
    assert (manager.page.status_code, Shift.objects.count()) == (409, 1)
    assert 'name="next_name" value="Late"' in manager.text, "what was typed is kept"
    manager.post(close, confirmed="yes", then="open", next_name="Late")
    shift.refresh_from_db()
    late = Shift.objects.get(closed_at__isnull=True)
    assert (late.name, late.opened_at) == ("Late", shift.closed_at)
    assert manager.page.redirect_chain[-1][0] == f"/shifts/{shift.pk}/report/"
    assert "Late is open." in manager.text
    manager.open("/rooms/cache-slough/")
    manager.post(
        f"/rooms/cache-slough/shifts/{late.pk}/close/", confirmed="yes", then="close", next_name="Next"
    )
    assert not Shift.objects.filter(closed_at__isnull=True).exists()


@pytest.mark.parametrize(
    ("name", "used", "after"),
    [
        ("Day", {"Day"}, "Swing"),
        ("Graveyard", {"Graveyard"}, "Day"),
        ("Swing", {"Swing", "Graveyard"}, "Day"),
        ("Late", {"Late", "Day"}, "Swing"),
        ("Day", set(USUAL), ""),
    ],
)
def test_the_next_shift_is_the_usual_one_that_the_day_has_not_had(
    name: str, used: set[str], after: str
) -> None:
    assert name_after(name, used) == after


def test_the_report_waits_asks_again_and_then_shows_the_answer_first(
    closed: Shift, person: Callable[[str], Person]
) -> None:
    manager = person("shift_manager")
    address = f"/shifts/{closed.pk}/report/"
    waiting = manager.open(address).content.decode()
    assert "The report is being made." in waiting
    assert 'hx-trigger="every 1s"' in waiting
    part = manager.client.get(address, HTTP_HX_REQUEST="true").content.decode()
    assert "<html" not in part
    shift_report_make(closed.pk)
    assert manager.client.get(address, HTTP_HX_REQUEST="true")["HX-Refresh"] == "true"
    text = manager.open(address).content.decode()
    text = text[text.index('aria-label="The answer"') :]
    assert text.index("Drop expected") < text.index("by table") < text.index("How the figures were made")
    assert '<p class="huge">$8</p>' in text
    assert re.search(r'<td class="[^"]*\bnum"[^>]*>\$120</td>', text)
    head = closed.room.journal.get(command="shift_close")
    assert head.hash in text


def test_differences_and_exceptions_stand_in_red_with_their_rounds(
    closed: Shift, person: Callable[[str], Person]
) -> None:
    report = shift_report_make(closed.pk)
    rounds = [{"id": 5, "gaming_day": "2026-11-20", "number": 3}]
    report.figures["differences"] = [
        {"table": report.figures["tables"][0]["table"], "number": 7, "figure": "player_fees_cents",
         "ways": {"transfers": 300, "rounds": 400, "quotes": 300}, "rounds": rounds, "rounds_at_fault": 1}
    ]  # fmt: skip
    report.figures["over_limit"] = [
        {"table": 1, "number": 7, "player": 1, "player_name": "Cy", "limit": 2, "rounds": rounds}
    ]
    report.figures["tables"][0]["tips_cents"] = None
    document_view = document_view_of(shift_document_of(report), QueryDict())
    text = render_to_string("web/parts/document/document.html", {"document_view": document_view})
    assert text.count('class="panel answer-box stop"') == 2, "the verdict, and the exceptions"
    assert "player fees at Table 7: transfers $3, rounds $4, quotes $3" in text
    assert "not to be relied on" in text
    assert "quotes $3" in text
    assert text.count('href="/rounds/5/"') == 2
    assert "pending" in text  # a figure that is missing is never shown as 0


def test_a_report_that_is_opened_too_early_says_when_it_is_made_and_leads_there_by_itself(
    running: Cast, person: Callable[[str], Person]
) -> None:
    manager, shift = person("shift_manager"), Shift.objects.get()
    address = f"/shifts/{shift.pk}/report/"
    text = manager.open(address).content.decode()
    assert "There is no report yet." in text
    assert "It is made within a minute of that" in text
    assert f'hx-get="{address}" hx-trigger="every 10s"' in text and re.search(r"<script[^>]+htmx", text)

    def asked_again() -> HttpResponse:
        return manager.client.get(address, HTTP_HX_REQUEST="true")  # type: ignore[return-value]

    assert "There is no report yet." in asked_again().content.decode()
    running.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    assert "The report is being made." in asked_again().content.decode()
    shift_report_make(shift.pk)
    assert asked_again()["HX-Refresh"] == "true"


def test_signing_in_by_name_and_password_and_what_a_wrong_one_says(cast: Cast) -> None:
    browser = Client()
    wrong = browser.post("/accounts/login/", {"login": "dealer", "password": "no"})
    assert wrong.status_code == 200
    text = wrong.content.decode()
    assert 'role="alert"' in text
    assert 'value="dealer"' in text
    right = browser.post("/accounts/login/", {"login": "dealer", "password": PASSWORD}, follow=True)
    assert right.redirect_chain[-1][0] == "/rooms/cache-slough/tables/"
    out = browser.post("/accounts/logout/", follow=True)
    assert out.redirect_chain[-1][0] == "/accounts/login/"


def test_the_page_for_a_fault_stands_alone(cast: Cast, person: Callable[[str], Person]) -> None:
    from django.views.defaults import server_error

    answer = server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()


def test_the_room_page_of_a_manager_begins_with_the_shift_so_far_and_what_is_open_before_it_closes(
    running: Cast, person: Callable[[str], Person]
) -> None:
    play_by_commands(running)
    text = person("shift_manager").open("/rooms/cache-slough/").content.decode()
    for word in ("Swing shift", "Drop expected", "Tables open", "Rounds last hour", "Tips", "Not covered"):
        assert word in text, word
    assert "Before this shift can close" in text
    assert re.search(r'data-open="boxes_on_tables".*?href="/rooms/cache-slough/count/"', text, re.DOTALL)
    assert text.count('data-total="drop"') == 1, "the board beneath says none of it again"
    floor = person("floor").open("/rooms/cache-slough/").content.decode()
    assert "Drop expected" not in floor, "for those who read reports"
    assert "Only a shift manager closes the shift." in floor
