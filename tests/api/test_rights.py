"""Who may do what at every address: the site's table of rights, compared with every operation of the API."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.views import View

from cardroom.api.schema import Operation
from cardroom.api.urls import urlpatterns
from cardroom.core.commands import COMMANDS, Declaration
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.report_jobs import Cause, report_ask
from cardroom.inbox.search import room_search
from cardroom.jobs.models import Job
from cardroom.obligations.commands.obligations import obligation_add
from cardroom.people.models import Role
from cardroom.people.rights import RIGHTS, Right
from cardroom.reports.commands.background_reports import background_report_start, background_statement_start
from cardroom.reports.commands.subscriptions import subscription_make
from cardroom.reports.models import Subscription
from cardroom.rooms.gaming_day import gaming_day
from cardroom.tips.commands.entries import hours_enter, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set
from cardroom.tips.models import HandIn, PoolRule, WorkedHours
from tests.cast import PIN, Cast, new_key, running_cast, sheet, written
from tests.filing import filed_levy
from tests.kept import kept
from tests.measure.machine.inputs import model_of

from .client import Caller, Reply
from .conformance import document

Body = Callable[[Cast], Any]

_APPROVER = {"username": "floor_2", "pin": PIN}


def _example(command: Declaration) -> Body | None:
    """The body that a command gives as its example, signed by somebody who is there."""
    if not command.body:
        return None
    signed = {} if command.signature is None else {command.signature.name: _APPROVER}
    return lambda cast: {**command.example, **signed}


#: Bodies that are well formed, for commands signed by somebody who is there; others take the example of their operation.
BODIES: dict[tuple[str, str], Body | None] = {
    **{(command.method, f"/api/{command.path}"): _example(command) for command in COMMANDS.values()},
    ("POST", "/api/rooms/{room_id}/boxes/drop"): lambda cast: {
        "boxes": [cast.room.drop_boxes.get().pk],
        "witness": _APPROVER,
    },
}


def declared() -> dict[tuple[str, str], Operation]:
    """Every operation by method and address, as the views of the routes declare it."""
    found = {}
    for route in urlpatterns:
        address = "/api/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(route.pattern))
        for method in View.http_method_names:
            handler = getattr(route.callback.view_class, method, None)
            if operation := getattr(handler, "operation", None):
                found[method.upper(), address] = operation
    return found


#: Each with the right that it takes (None: whoever is signed in).
OPERATIONS = declared()


def body_of(operation: tuple[str, str]) -> Body | None:
    """Return what makes a well-formed body of an operation; None for one without a body."""
    example = OPERATIONS[operation].example
    return BODIES.get(operation, None if example is None else lambda _: example)


#: Reads that are not for everybody who sees the floor, written out a second time: a right declared lower by mistake shows here.
_NARROW = """
    see_reports     rooms/{room_id}/background
    see_reports     rooms/{room_id}/background-reports
    see_reports     rooms/{room_id}/background-reports/{report_id}
    see_reports     rooms/{room_id}/reports
    see_reports     rooms/{room_id}/reports/{name}
    see_reports     rooms/{room_id}/roll-ups
    see_reports     rooms/{room_id}/roll-ups/{period}
    see_reports     rooms/{room_id}/shifts/{shift_id}/report
    see_reports     rooms/{room_id}/subscriptions
    see_reports     tables/{table_id}/journal
    see_items       rooms/{room_id}/items
    see_items       rooms/{room_id}/items/{item_id}
    see_obligations rooms/{room_id}/obligations
    see_obligations rooms/{room_id}/obligations/{obligation_id}
    see_statements  rooms/{room_id}/statements
    see_statements  rooms/{room_id}/statements/{provider_id}
    see_statements  rooms/{room_id}/statements/{provider_id}/background-reports
    see_statements  rooms/{room_id}/statements/{provider_id}/background-reports/{statement_id}
    see_counts      rooms/{room_id}/shifts/{shift_id}/count
    see_counts      rooms/{room_id}/variances
    see_boxes       rooms/{room_id}/boxes
    see_boxes       rooms/{room_id}/boxes/{box_id}
    see_own_tips    rooms/{room_id}/pool-rules
    see_own_tips    rooms/{room_id}/shifts/{shift_id}/tokes/own
    see_tips        rooms/{room_id}/shifts/{shift_id}/tokes
    see_tips        rooms/{room_id}/shifts/{shift_id}/tokes/people/{staff_id}
    set_people      rooms/{room_id}/staff
    keep_tips       rooms/{room_id}/shifts/{shift_id}/hand-ins
    keep_tips       rooms/{room_id}/shifts/{shift_id}/hours
"""


@pytest.fixture
def floor_with_a_round(db: None) -> Cast:
    """The running table with a drop box and a round on record, whose bank ran out, which raised an alert."""
    return kept(with_a_round)


def with_a_round() -> Cast:
    """Build it: a report that failed and tips stand there too, and `sessions` of everybody."""
    running = running_cast()
    today, shift = gaming_day(running.room, timezone.now()), running.room.shifts.get()
    rule = {"sharing": "keep", "support": "share", "support_bp": 100, "support_roles": ["support"]}
    running.send_room(pool_rule_set, "room_manager", title="Tips", effective_from=today, **rule)
    tips = {"dealer_id": running.people["dealer"].pk, "cents": 700}
    running.send_room(tips_hand_in, "floor", shift_id=shift.pk, **tips)
    hours = {"staff_id": running.people["support"].pk, "minutes": 60, "work": "host"}
    running.send_room(hours_enter, "floor", shift_id=shift.pk, **hours)
    reply = Caller(running, "dealer").post(
        f"tables/{running.table.pk}/rounds/record", sheet({4: 1000, 5: 1500}, wager=1000)
    )
    assert reply.status == 200, reply.said
    running.bet({4: 1000})
    running.send(round_void, reason="misdeal", approver=running.people["floor"])
    room_search(running.room.pk, timezone.now())
    with transaction.atomic():
        report_ask(shift, Cause.SHIFT_CLOSED, timezone.now())
    days: dict[str, Any] = {"first": today, "last": today, "table": None, "shift": None}
    running.send_room(background_report_start, "compliance", report="rotation", options={}, **days)
    firm = running.room.providers.get().pk
    running.send_room(background_statement_start, "provider_lead", provider_id=firm, **days)
    Job.objects.filter(arguments__report="rotation").update(state="failed", ended_at=timezone.now(), tries=1)
    running.send_room(
        subscription_make, "room_manager", what="shift_report", address="owner@cardroom.example"
    )
    licence = {"kind": "licence", "title": "City licence", "due_on": today}
    running.send_room(obligation_add, "compliance", **licence)
    running.game  # noqa: B018  # is filed when it is asked for
    running.sessions = {who: _session(running, who) for who in running.people}
    return running


def _session(cast: Cast, who: str) -> str:
    """Sign somebody in; return the key of their session."""
    return str(Caller(cast, who).client.session.session_key)


def test_every_operation_is_held_against_a_right() -> None:
    written_down = {
        (method.upper(), path)
        for path, operations in document()["paths"].items()
        for method in operations
        if path != "/api/schema/"
    }
    assert written_down == set(OPERATIONS)


def test_reads_that_are_not_for_the_whole_floor_take_the_right_of_this_table() -> None:
    rows = [line.split() for line in _NARROW.strip().splitlines()]
    written_down = {path: Right[name.upper()] for name, path in rows}
    assert {path: OPERATIONS["GET", f"/api/{path}"].right for path in written_down} == written_down


@pytest.mark.outside
@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda part: part)
def test_each_role_may_do_what_the_table_of_rights_says_and_nobody_else(
    floor_with_a_round: Cast, method: str, path: str
) -> None:
    cast = floor_with_a_round
    right, rows = OPERATIONS[method, path].right, rows_of(cast, path)
    address, before = _address(path, rows), written()
    refusals = {"forbidden", "not_your_table", "not_found"}
    if method == "GET" and None in rows.values():
        refusals.remove("not_found")  # nothing is there to be read
    for role in Role:
        reply = _ask(cast, str(role), (method, path), address, before)
        if right is None or role in RIGHTS[right]:
            refused = reply.status >= 400 and reply.code in refusals
            assert not refused, f"{role} is refused: {reply.said}"
        else:
            assert (reply.status, reply.code) == (403, "forbidden"), f"{role}: {reply.said}"
    # Of another room's staff, those who may do the same at home.
    rivals = [f"rival_{role}" for role in Role if right is None or role in RIGHTS[right]]
    for who in ["outsider", *rivals]:
        reply = _ask(cast, who, (method, path), address, before)
        if right is None:
            assert reply.status == 200
        else:
            assert (reply.status, reply.code) == (404, "not_found"), f"{who}: {reply.said}"
    assert _ask(cast, None, (method, path), address, before).status == 401


@pytest.mark.parametrize(
    "path", [path for (method, path), each in OPERATIONS.items() if method == "GET" and each.right]
)
def test_a_query_is_read_only_for_those_who_may_read(floor_with_a_round: Cast, path: str) -> None:
    cast = floor_with_a_round
    right = OPERATIONS["GET", path].right
    assert right is not None
    address, before = f"{_address(path, rows_of(cast, path))}?limit=x&no_such_key=1", written()

    def answer(who: str | None) -> tuple[int, str]:
        reply = _ask(cast, who, ("GET", path), address, before)
        return reply.status, reply.code

    assert answer(None) == (401, "not_signed_in")
    assert answer("outsider") == answer("rival_floor") == (404, "not_found")
    with_it = {role for role in Role if role in RIGHTS[right]}
    assert {answer(str(role)) for role in Role if role not in with_it} <= {(403, "forbidden")}
    assert {answer(str(role))[0] for role in with_it} == {400}


@pytest.mark.parametrize(
    ("method", "path"),
    [key for key, each in OPERATIONS.items() if each.right in (Right.RUN_ROUNDS, Right.SEAT_PLAYERS)],
    ids=lambda part: part,
)
def test_a_dealer_without_a_down_at_the_table_does_nothing_there(
    floor_with_a_round: Cast, method: str, path: str
) -> None:
    address = _address(path, rows_of(floor_with_a_round, path))
    reply = _ask(floor_with_a_round, "dealer_2", (method, path), address, written())
    assert (reply.status, reply.code) == (403, "not_your_table")


def test_an_outsider_with_an_old_version_is_not_shown_the_present_one(running: Cast) -> None:
    for who in ("outsider", "rival_floor"):
        reply = Caller(running, who).post(f"tables/{running.table.pk}/close", version=0)
        assert (reply.status, set(reply.said)) == (404, {"error"})
    reply = Caller(running, "count").post(f"tables/{running.table.pk}/close", version=0)
    assert (reply.status, set(reply.said)) == (403, {"error"})


def test_a_row_of_another_room_looks_like_none_at_all(running: Cast) -> None:
    floor = Caller(running, "floor")
    there = floor.get(f"tables/{running.rival_table.pk}")
    nowhere = floor.get("tables/999999")
    assert (there.status, nowhere.status) == (404, 404)
    strip = {str(running.rival_table.pk): "N", "999999": "N"}
    assert _said(there, strip) == _said(nowhere, strip)


def test_people_and_things_of_another_room_cannot_be_brought_in(running: Cast) -> None:
    floor = Caller(running, "floor")
    table = f"tables/{running.table.pk}"
    before = written()
    for method, path, body, code in (
        ("PUT", f"{table}/seats/5", {"player_id": running.rival_player.pk}, "unknown_player"),
        ("PUT", f"{table}/down", {"dealer_id": running.people["rival_dealer"].pk}, "unknown_dealer"),
        (
            "PUT",
            f"{table}/settings",
            {"game_id": running.game.pk, "schedule_id": running.schedule(1, running.rival).pk},
            "unknown_schedule",
        ),
    ):
        reply = floor.send(method, path, body)
        assert (reply.status, reply.code) == (422, code), reply.said
    assert written() == before


def rows_there(cast: Cast) -> dict[str, Any]:
    """Return what stands for each part of an address: rows that there are."""
    shift, round_ = cast.room.shifts.get(closed_at=None), cast.table.rounds.latest("pk")
    alert = cast.table.alerts.latest("pk")
    return {
        "room_id": cast.room.pk,
        "table_id": cast.table.pk,
        "shift_id": shift.pk,
        "round_id": round_.pk,
        "alert_id": alert.pk,
        "schedule_id": cast.schedule(1).pk,
        "game_id": cast.game.pk,
        "levy_id": filed_levy(cast.room, cast.people["compliance"]).pk,
        "rule_id": PoolRule.objects.get().pk,
        "box_id": cast.room.drop_boxes.get().pk,
        "provider_id": cast.room.providers.get().pk,
        "staff_id": cast.people["dealer"].pk,
        "hand_in_id": HandIn.objects.get().pk,
        "hours_id": WorkedHours.objects.get().pk,
        "seat": 4,
        "behind": 1,
        "name": "rounds",
        "report_id": cast.room.jobs.get(arguments__report="rotation").pk,
        "statement_id": cast.room.jobs.get(arguments__report="statement").pk,
        "period": "2026-11-20",
        "subscription_id": Subscription.objects.get().pk,
        "job_id": cast.room.jobs.get(arguments__report="rotation").pk,
    }


def rows_of(cast: Cast, path: str) -> dict[str, Any]:
    """Return what stands for the parts of one address: of a part not named above a row of its model, None where there is none."""
    there = rows_there(cast)
    return {name: there[name] if name in there else _row(cast, name) for name in re.findall(r"{(\w+)}", path)}


def _row(cast: Cast, name: str) -> int | None:
    label = model_of(name)
    if label is None:
        return None
    model = apps.get_model(label)
    of_room = {"room": cast.room} if any(field.name == "room" for field in model._meta.fields) else {}
    return model._default_manager.filter(**of_room).values_list("pk", flat=True).first()


def _address(path: str, rows: dict[str, Any]) -> str:
    """The address of an operation, below `/api/`; where there is no row, with an id of none."""
    return path.format_map({name: row or 1 for name, row in rows.items()}).removeprefix("/api/")


def _ask(
    cast: Cast, who: str | None, operation: tuple[str, str], address: str, before: dict[str, Any]
) -> Reply:
    """Ask as `who`; whatever it changes is taken back, and a refusal must have left all as `before`."""
    method, path = operation
    caller = Caller(cast, None)
    if who is not None:
        caller.client.cookies[settings.SESSION_COOKIE_NAME] = cast.sessions[who]
    with transaction.atomic():
        if method == "GET":
            reply = caller.get(address)
        else:
            body = body_of(operation)
            fields = None if body is None else body(cast)
            headers = {"Idempotency-Key": new_key()} if path == "/api/settle" else None
            reply = caller.send(method, address, fields, headers=headers)
        if reply.status >= 400:
            assert written() == before
        transaction.set_rollback(True)
    return reply


def _said(reply: Reply, strip: dict[str, str]) -> str:
    text = str(reply.said)
    for number, letter in strip.items():
        text = text.replace(f" {number}.", f" {letter}.")
    return text
