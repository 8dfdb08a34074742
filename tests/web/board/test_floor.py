"""The floor board: every table at a glance, what needs somebody first, and alerts answered where they stand."""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Callable, Collection

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.drop.models import DropBox
from cardroom.floor.alerts import alert_clear, alert_raise
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.rounds import round_open, round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, Shift, Table
from cardroom.floor.screens import silent_tables
from tests.cast import Cast, sheet

from ..conftest import Person

FLOOR = "/rooms/cache-slough/floor/"


def cards(text: str) -> dict[int, str]:
    """The cards of a page by the number of their table, in the order in which they stand."""
    found = re.findall(r'<li class="panel table-card.*?</li>', text, re.DOTALL)
    return {int(re.search(r'data-number="(\d+)"', card)[1]): card for card in found}  # type: ignore[index]


def more_tables(cast: Cast, numbers: range, *, bare: Collection[int] = ()) -> None:
    """Open tables with a drop box each, but for those of the numbers in `bare`."""
    shift = cast.room.shifts.get(closed_at__isnull=True)
    for number in numbers:
        table = Table.objects.create(room=cast.room, number=number, schedule=cast.schedule(1), state="open")
        if number in bare:
            continue
        DropBox.objects.create(
            room=cast.room, table=table, shift=shift, number=1000 + number, placed_at=shift.opened_at,
            placed_by=cast.people["floor"],
        )  # fmt: skip


def test_tables_without_a_drop_box_stand_first_and_say_so(
    running: Cast, person: Callable[[str], Person]
) -> None:
    more_tables(running, range(1, 5), bare=[2, 4])
    floor = person("floor")
    floor.open(FLOOR)
    with CaptureQueriesContext(connection) as asked:
        text = floor.open(FLOOR).content.decode()
    assert list(cards(text))[:2] == [2, 4]
    assert text.count("alert stop no-box") == 2
    assert len(asked) == 16, "one query more for all of them"


def alert(
    cast: Cast, kind: Alert.Kind = Alert.Kind.STUB_COUNT_DUE, *, number: int = 7, over: bool = False
) -> Alert:
    with locked(Table, Table.objects.get(room=cast.room, number=number).pk) as table:
        tx = TableTransaction(table=table, actor=cast.people["dealer"], now=timezone.now())
        alert_raise(tx, kind, "", f"Look at table {number}.")
        if over:
            alert_clear(tx, kind)
    return Alert.objects.get(table=table, kind=kind)


def test_a_card_says_what_goes_on_at_its_table(running: Cast, person: Callable[[str], Person]) -> None:
    running.send(round_record, "dealer", sheet=sheet({4: 1000}))
    card = cards(person("floor").open(FLOOR).content.decode())[7]
    words = " ".join(re.sub(r"<[^>]+>", " ", card).split())
    for text in (
        "Three Card Poker", "$5 - $100", "Bank Cy round 1 of 2", "Last round just now", "Players 7 of 7",
        "Rounds/h 1", "Collected $2",
    ):  # fmt: skip
        assert text in words, (text, words)
    running.send(round_open, "dealer", bank_wager_cents=20000)
    assert "in play, <time" in cards(person("floor").open(FLOOR).content.decode())[7]


def test_the_seat_that_must_be_offered_the_bank_is_named(
    running: Cast, person: Callable[[str], Person]
) -> None:
    for _ in range(2):
        running.send(round_record, "dealer", sheet=sheet({4: 1000}))
    assert "offer to seat 4" in cards(person("floor").open(FLOOR).content.decode())[7]


def test_what_needs_somebody_comes_first_and_closed_tables_last(
    running: Cast, person: Callable[[str], Person]
) -> None:
    more_tables(running, range(1, 5))
    Table.objects.filter(number=1).update(state="closed")
    alert(running, Alert.Kind.BANK_EXHAUSTED, number=4)
    alert(running, Alert.Kind.STUB_COUNT_DUE, number=3)
    text = person("floor").open(FLOOR).content.decode()
    assert list(cards(text)) == [4, 3, 2, 7, 1, 8]
    assert re.findall(r'table-card needs-(\w+)"', text) == [
        "stop",
        "look",
        "quiet",
        "quiet",
        "closed",
        "closed",
    ]


def test_an_urgent_alert_that_is_over_is_red_no_more_and_an_answered_one_is_quiet(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor = person("floor")
    one = alert(running, Alert.Kind.BANK_EXHAUSTED, over=True)
    card = cards(floor.open(FLOOR).content.decode())[7]
    assert "needs-look" in card and "alert cleared" in card
    assert "alert stop" not in card and "alert look" not in card
    assert '<tr class="cleared">' in floor.open(f"{FLOOR}alerts/").content.decode()
    assert "tag stop" not in floor.text and "tag look" not in floor.text
    floor.open(FLOOR)
    floor.post(f"{FLOOR}alerts/{one.pk}/", note="wager was raised")
    assert "alert-" not in cards(floor.text)[7]
    alert(running, Alert.Kind.TABLE_IDLE, over=True)
    assert "needs-quiet" in cards(floor.open(FLOOR).content.decode())[7]
    floor.post(f"{FLOOR}alerts/{Alert.objects.latest('pk').pk}/")
    held = alert(running, Alert.Kind.STUB_COUNT_DUE)
    floor.open(FLOOR)
    floor.post(f"{FLOOR}alerts/{held.pk}/")
    card = cards(floor.text)[7]
    assert "needs-quiet" in card
    assert re.search(r"seen \d+:\d\d [AP]M by Floor", card) and "Acknowledge" not in card


def test_an_alert_is_answered_on_the_board_with_who_and_when_and_a_note(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor, one = person("floor"), alert(running)
    floor.open(FLOOR)
    floor.post(f"{FLOOR}alerts/{one.pk}/", note="52 counted")
    one.refresh_from_db()
    assert (one.acknowledged_by, one.note) == (running.people["floor"], "52 counted")
    listed = floor.open(f"{FLOOR}alerts/").content.decode()
    for text in ("Stub count due", "52 counted", "ongoing", str(running.people["floor"])):
        assert text in listed, text


def test_an_alert_is_answered_on_the_list_of_alerts_too(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor, one = person("floor"), alert(running)
    floor.open(f"{FLOOR}alerts/")
    floor.post(f"{FLOOR}alerts/{one.pk}/", note="52 counted")
    assert floor.page.redirect_chain == [(f"{FLOOR}alerts/", 302)]
    one.refresh_from_db()
    assert (one.acknowledged_by, one.note) == (running.people["floor"], "52 counted")
    again = alert(running, Alert.Kind.TABLE_IDLE)
    floor.open(f"{FLOOR}alerts/")
    page = floor.text
    alert_acknowledge(
        CommandMeta(actor=running.people["floor_2"], key="k-1", version=0),
        running.table.pk,
        alert_id=again.pk,
    )
    floor.page = type("Page", (), {"content": page.encode()})  # still as it was before the other one answered
    refused = floor.post(f"{FLOOR}alerts/{again.pk}/", note="dealer told")
    assert refused.status_code == 409
    assert "has answered this alert already" in floor.text and "dealer told" in floor.text
    for who in ("dealer", "inspector"):
        assert "Acknowledge" not in person(who).open(f"{FLOOR}alerts/").content.decode()


def test_a_script_that_answers_hears_in_a_line_whether_it_was_done(
    running: Cast, person: Callable[[str], Person]
) -> None:
    floor, one = person("floor"), alert(running)
    sent = {"version": "0", "idempotency_key": "first"}
    address, script = f"{FLOOR}alerts/{one.pk}/", {"X-Requested-With": "fetch"}
    assert floor.client.post(address, sent, headers=script).status_code == 204
    again = floor.client.post(address, {**sent, "idempotency_key": "second"}, headers=script)
    assert again.status_code == 409
    assert "has answered this alert already" in again.content.decode()
    assert "<html" not in again.content.decode()


@pytest.mark.parametrize(("who", "status"), [("dealer", 403), ("inspector", 403), ("rival_floor", 404)])
def test_who_may_not_answer_has_no_button_and_is_refused(
    running: Cast, person: Callable[[str], Person], who: str, status: int
) -> None:
    one = alert(running)
    somebody = person(who)
    assert "Acknowledge" not in somebody.open(FLOOR).content.decode()
    sent = {"version": "0", "idempotency_key": "k"}
    assert somebody.client.post(f"{FLOOR}alerts/{one.pk}/", sent).status_code == status
    one.refresh_from_db()
    assert one.waits


def test_an_alert_is_answered_in_its_own_room_alone(running: Cast, person: Callable[[str], Person]) -> None:
    one = alert(running)
    sent = {"version": "0", "idempotency_key": "k"}
    rival = person("rival_floor").client.post(f"/rooms/gold-bar/floor/alerts/{one.pk}/", sent)
    assert rival.status_code == 404


def test_the_cards_that_are_asked_for_come_alone_and_those_of_other_rooms_never(
    running: Cast, person: Callable[[str], Person]
) -> None:
    more_tables(running, range(20, 24))
    wanted = Table.objects.get(room=running.room, number=21)
    elsewhere = Table.objects.exclude(room=running.room).values_list("pk", flat=True).first()
    floor = person("floor")
    part = floor.client.get(f"{FLOOR}cards/?table={wanted.pk}&table={elsewhere}&table=x&table=")
    assert list(cards(part.content.decode())) == [21]
    assert "<html" not in part.content.decode()
    whole = cards(floor.open(FLOOR).content.decode())[21]
    tokens = re.compile(r'value="[^"]{30,}"')
    assert tokens.sub("", whole).split() == tokens.sub("", cards(part.content.decode())[21]).split()


@pytest.mark.parametrize("show", ["all", "open", "closed", "attention", "nonsense"])
def test_a_filter_is_part_of_the_address(running: Cast, person: Callable[[str], Person], show: str) -> None:
    more_tables(running, range(20, 23))
    alert(running, number=20)
    text = person("floor").open(f"{FLOOR}?show={show}").content.decode()
    chosen = re.search(r'data-choice="(\w+)" aria-current="true"', text)
    assert chosen is not None and chosen[1] == ("all" if show == "nonsense" else show)
    counts = {word: int(count) for word, count in re.findall(r'data-count="(\w+)">(\d+)', text)}
    assert counts == {"all": 5, "attention": 1, "open": 4, "closed": 1}


def test_the_line_at_the_top_sums_up_the_cards(running: Cast, person: Callable[[str], Person]) -> None:
    for _ in range(2):
        running.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 1000}))
    alert(running)
    text = person("floor").open(FLOOR).content.decode()
    totals = dict(re.findall(r'data-total="(\w+)">([^<]*)<', text))
    assert totals == {
        "open": "1", "all": "2", "players": "7", "pace": "2", "rounds": "2", "drop": "$6", "waiting": "1",
    }  # fmt: skip


def test_rounds_leave_the_last_hour_but_not_the_shift(running: Cast, person: Callable[[str], Person]) -> None:
    running.send(round_record, "dealer", sheet=sheet({4: 1000}))
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=61), tick=False):
        text = person("floor").open(FLOOR).content.decode()
    totals = dict(re.findall(r'data-total="(\w+)">([^<]*)<', text))
    assert (totals["pace"], totals["rounds"]) == ("0", "1")


def test_a_change_of_shift_leaves_the_rounds_of_the_last_hour_as_they_are(
    running: Cast, person: Callable[[str], Person]
) -> None:
    running.send(round_record, "dealer", sheet=sheet({4: 1000}))

    def totals() -> tuple[str, str]:
        text = person("floor").open(FLOOR).content.decode()
        found = dict(re.findall(r'data-total="(\w+)">([^<]*)<', text))
        return found["pace"], found.get("rounds", "no shift")

    running.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    assert totals() == ("1", "no shift")
    running.send_room(shift_open, "shift_manager", name="Graveyard")
    running.send(round_record, "dealer", sheet=sheet({4: 1000}))
    assert totals() == ("2", "1")


@pytest.mark.parametrize(("address", "queries"), [(FLOOR, 15), ("/rooms/cache-slough/", 18)])
def test_forty_tables_take_as_many_queries_as_one_does(
    running: Cast, person: Callable[[str], Person], address: str, queries: int
) -> None:
    """The room's page asks for what has expired, or soon will; the floor's own, its home page, for a shift past its day."""
    floor = person("floor")
    floor.open(address)  # a session's first page also stores what was said
    Table.objects.exclude(number=7).update(room=running.rival)
    with CaptureQueriesContext(connection) as one:
        floor.open(address)
    assert len(cards(floor.text)) == 1
    more_tables(running, range(100, 139))
    for number in range(100, 110):
        alert(running, number=number)
    with CaptureQueriesContext(connection) as forty:
        floor.open(address)
    assert len(cards(floor.text)) == 40
    assert len(one) == len(forty) == queries, [query["sql"][:90] for query in forty]


@pytest.mark.parametrize(("profile", "queries"), [("forty_minutes", 16), ("every_hour", 16)])
def test_a_table_whose_bank_rotates_by_the_clock_says_what_is_left_of_its_time(
    running: Cast, person: Callable[[str], Person], profile: str, queries: int
) -> None:
    Table.objects.filter(number=7).update(rotation=profile)
    floor = person("floor")
    floor.open(FLOOR)
    with CaptureQueriesContext(connection) as asked:
        floor.open(FLOOR)
    assert len(asked) <= queries, [query["sql"][:90] for query in asked]
    left = re.search(r"data-left title=[^>]*>(\d+) min left<", cards(floor.text)[7])
    assert left is not None and int(left[1]) == {"forty_minutes": 40, "every_hour": 60}[profile]


def test_a_card_alone_takes_no_more(running: Cast, person: Callable[[str], Person]) -> None:
    floor = person("floor")
    floor.open(FLOOR)
    for tables in ([running.table.pk], list(Table.objects.values_list("pk", flat=True))):
        query = "&".join(f"table={pk}" for pk in tables)
        with CaptureQueriesContext(connection) as asked:
            floor.client.get(f"{FLOOR}cards/?{query}")
        assert len(asked) == 14, [query["sql"][:90] for query in asked]


def test_what_an_alert_says_is_text_and_nothing_else(running: Cast, person: Callable[[str], Person]) -> None:
    with locked(Table, running.table.pk) as table:
        tx = TableTransaction(table=table, actor=running.people["dealer"], now=timezone.now())
        alert_raise(tx, Alert.Kind.STUB_COUNT_DUE, "", '<b onclick="x">"Bo" & co</b>')
    text = person("floor").open(FLOOR).content.decode()
    assert "<b onclick" not in text
    assert html.escape('<b onclick="x">') in text


def test_a_screen_that_runs_rounds_says_that_it_is_there_and_when_it_is_closed(
    running: Cast, person: Callable[[str], Person]
) -> None:
    address, later = f"/tables/{running.table.pk}/screen/", timezone.now() + datetime.timedelta(minutes=2)
    tables = [running.table.pk]
    assert person("inspector").client.post(address, {"screen": "s1", "state": "here"}).status_code == 204
    assert silent_tables(tables, later) == {}
    assert person("dealer").client.post(address, {"screen": "s1", "state": "here"}).status_code == 204
    assert list(silent_tables(tables, later)) == tables
    person("dealer").client.post(address, {"screen": "s1", "state": "closed"})
    assert silent_tables(tables, later) == {}
    assert person("dealer").client.post(address, {"screen": "no name of ours"}).status_code == 400
    assert person("rival_dealer").client.post(address, {"screen": "s1"}).status_code == 404


def test_who_may_listen_is_told_what_to_follow_and_where_it_stands(
    running: Cast, person: Callable[[str], Person]
) -> None:
    room, table = running.room, Table.objects.get(pk=running.table.pk)
    for who in ("dealer", "inspector"):
        answer = person(who).client.get("/rooms/cache-slough/live/")
        assert (answer["Content-Type"], answer["X-Cardroom-Follow"]) == (
            "text/event-stream",
            f"room={room.pk}",
        )
        current = f'{{"table": {table.pk}, "version": {table.version}, "entry": {table.chain_seq}}}'
        assert f"event: table\ndata: {current}\n\n" in answer.content.decode()
    one = person("dealer").client.get(f"/tables/{table.pk}/live/")
    assert one["X-Cardroom-Follow"] == f"table={table.pk}"
    assert one.content.decode() == f"event: table\ndata: {current}\n\n"


@pytest.mark.parametrize(
    ("who", "status"), [("count", 403), ("provider_lead", 403), ("rival_floor", 404), ("outsider", 404)]
)
def test_nobody_listens_without_the_right_to_see_the_floor(
    running: Cast, person: Callable[[str], Person], who: str, status: int
) -> None:
    for address in ("/rooms/cache-slough/live/", f"/tables/{running.table.pk}/live/"):
        answer = person(who).client.get(address)
        assert answer.status_code == status
        assert "X-Cardroom-Follow" not in answer.headers


def test_a_stranger_is_told_to_sign_in_and_not_sent_to_a_page(running: Cast) -> None:
    from django.test import Client

    for address in ("/rooms/cache-slough/live/", f"/tables/{running.table.pk}/live/"):
        assert Client().get(address).status_code == 401
