"""Programs: accounts by token, each with its rights and none beside them."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import override_settings
from django.utils import timezone

from cardroom.api.tokens import REFUSED_REQUESTS
from cardroom.floor.commands.programs import (
    program_end,
    program_make,
    program_token_make,
    program_token_revoke,
)
from cardroom.floor.errors import FloorError, Forbidden, NotNow
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import JournalEntry, StoredAnswer
from cardroom.people.models import Program, ProgramToken, Staff
from cardroom.people.programs import token_hash
from cardroom.people.rights import PROGRAM_RIGHTS, RIGHTS, Right, may, scope_of
from cardroom.rooms.models import Room
from cardroom.webhooks.commands.webhooks import webhook_end, webhook_make
from tests.cast import PIN, Cast, new_key, written

from .client import Caller, Hand
from .programs import calling, make_program
from .test_rights import OPERATIONS

pytestmark = pytest.mark.django_db


def test_a_program_reads_by_its_token_and_its_use_is_noted(cast: Cast) -> None:
    made = make_program(cast, "see_floor")
    reply = calling(cast, made["token"]).get(f"rooms/{cast.room.pk}")
    assert (reply.status, reply.said["roles"]) == (200, ["program"])
    token = ProgramToken.objects.get(pk=made["token_id"])
    assert token.last_used_at is not None
    assert calling(cast, made["token"]).get("rooms").said[0]["room"] == cast.room.pk


def test_a_token_is_kept_as_a_hash_and_answered_once(cast: Cast) -> None:
    manager, key = cast.people["room_manager"], new_key()
    meta = CommandMeta(actor=manager, key=key, version=0)
    given: dict[str, Any] = {"name": "Feed", "purpose": "x", "rights": ["see_reports"], "days": 30}
    first = program_make(meta, cast.room.pk, **given, approver=cast.people["compliance"])
    again = program_make(meta, cast.room.pk, **given, approver=cast.people["compliance"])
    assert again == {**first, "token": None}
    kept = ProgramToken.objects.get()
    assert kept.hash == token_hash(first["token"])
    assert first["token"].startswith(kept.prefix)
    rows = [
        *StoredAnswer.objects.values_list("answer", flat=True),
        *JournalEntry.objects.values_list("data", flat=True),
    ]
    assert first["token"][len(kept.prefix) :] not in str(rows)


def test_out_of_scope_says_which_scope_is_missing_and_where_to_ask(cast: Cast) -> None:
    made = make_program(cast, "see_floor")
    reply = calling(cast, made["token"]).get(f"rooms/{cast.room.pk}/roll-ups")
    assert (reply.status, reply.code, reply.said["scope"]) == (403, "out_of_scope", "see_reports")
    assert "room manager" in reply.said["error"]["message"]


def test_every_operation_asks_for_the_scope_of_its_right(running: Cast) -> None:
    """A program with all rights but one is refused what takes that one, whatever it is, and writes nothing."""
    by_right: dict[Right, tuple[str, str]] = {
        each.right: key for key, each in OPERATIONS.items() if each.right
    }
    made = make_program(running, *(scope_of(right) for right in PROGRAM_RIGHTS))
    caller = calling(running, made["token"])
    before = written()
    for right, (method, path) in by_right.items():
        address = path.removeprefix("/api/").replace("{room_id}", str(running.room.pk))
        address = address.replace("{table_id}", str(running.table.pk))
        if "{" in address or right in (*PROGRAM_RIGHTS, Right.RUN_ROUNDS_ANYWHERE):
            continue
        reply = caller.get(address) if method == "GET" else caller.send(method, address, {})
        assert (reply.status, reply.code, reply.said["scope"]) == (403, "out_of_scope", scope_of(right))
    assert written() == before


def test_the_rights_that_a_program_is_never_given() -> None:
    """Whatever counts, signs, decides, files or keeps people is a person's."""
    persons = {right for right in Right if right not in PROGRAM_RIGHTS}
    assert {right for right in Right if "APPROVE" in right.name or "COUNT" in right.name} - persons == {
        Right.SEE_COUNTS
    }
    assert persons >= {
        Right.SUPERVISE,
        Right.CONFIRM_WINS,
        Right.WITNESS_RACK,
        Right.WAIVE_FEES,
        Right.SET_PEOPLE,
        Right.RUN_SHIFTS,
        Right.FILE_SCHEDULES,
        Right.LIFT_LOCKOUTS,
        Right.SEE_EXCLUSIONS,
        Right.WORK_ITEMS,
    }
    assert not any("program" in {str(role) for role in roles} for roles in RIGHTS.values())


@pytest.mark.parametrize(
    ("token", "code"),
    [("", "bad_token"), ("crp_x", "bad_token"), ("crp_" + "a" * 43, "bad_token"), ("é", "bad_token")],
)
def test_what_is_no_token_is_refused_with_a_text(cast: Cast, token: str, code: str) -> None:
    caller = calling(cast, "x")
    caller.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}".encode().decode("latin-1")
    reply = caller.get("rooms")
    assert (reply.status, reply.code) == (401, code)
    assert reply.headers["WWW-Authenticate"] == 'Bearer realm="cardroom"'


def test_a_session_beside_a_bad_token_does_not_open(cast: Cast) -> None:
    floor = Caller(cast, "floor")
    floor.client.defaults["HTTP_AUTHORIZATION"] = "Bearer nonsense"
    assert (floor.get("rooms").status, floor.get("rooms").code) == (401, "bad_token")


def test_an_expired_and_a_revoked_token_say_so(cast: Cast) -> None:
    made = make_program(cast, "see_floor", days=1)
    caller = calling(cast, made["token"])
    later = ProgramToken.objects.get().expires_at + datetime.timedelta(seconds=1)
    with time_machine.travel(later, tick=False):
        assert (caller.get("rooms").status, caller.get("rooms").code) == (401, "token_expired")
    cast.send_room(
        program_token_revoke, "room_manager", program_id=made["program"], token_id=made["token_id"]
    )
    assert (caller.get("rooms").status, caller.get("rooms").code) == (401, "token_revoked")
    with pytest.raises(NotNow) as refused:
        cast.send_room(
            program_token_revoke, "room_manager", program_id=made["program"], token_id=made["token_id"]
        )
    assert refused.value.code == "token_revoked"


def test_a_second_token_holds_beside_the_first_and_both_end_with_the_program(cast: Cast) -> None:
    made = make_program(cast, "see_floor")
    more = cast.send_room(
        program_token_make,
        "room_manager",
        program_id=made["program"],
        days=10,
        approver=cast.people["compliance"],
    )
    callers = [calling(cast, each["token"]) for each in (made, more)]
    assert [each.get("rooms").status for each in callers] == [200, 200]
    cast.send_room(program_end, "room_manager", program_id=made["program"])
    assert [each.get("rooms").code for each in callers] == ["token_revoked", "token_revoked"]
    assert not Staff.objects.get(pk=made["program"]).is_active


def test_making_one_takes_a_second_person_and_known_rights(cast: Cast) -> None:
    given: dict[str, Any] = {"name": "Feed", "purpose": "x", "rights": ["see_reports"], "days": 30}
    with pytest.raises(Forbidden) as refused:
        cast.send_room(program_make, "room_manager", **given)
    assert refused.value.code == "approver_required"
    make_program(cast, "see_floor", name="Feed")
    with pytest.raises(NotNow) as taken:
        cast.send_room(program_make, "room_manager", **given, approver=cast.people["compliance"])
    assert taken.value.code == "program_of_that_name"
    manager = Caller(cast, "room_manager")
    reply = manager.post(f"rooms/{cast.room.pk}/programs", {**given, "rights": ["count"]})
    assert (reply.status, reply.code, reply.path) == (400, "unknown_choice", "rights[0]")


def test_a_program_plays_a_round_under_its_own_name(running: Cast) -> None:
    made = make_program(running, "see_floor", "run_rounds", name="Shoe reader")
    Hand(calling(running, made["token"])).play({4: 1000})
    entries = JournalEntry.objects.filter(chain=f"table:{running.table.pk}", actor=made["program"])
    assert set(entries.values_list("actor_name", "roles")) == {("Shoe reader (program)", "program")}
    assert entries.filter(command="round_settle").exists()


def test_a_program_is_no_second_person_and_takes_no_signature(running: Cast) -> None:
    made = make_program(running, *(scope_of(right) for right in PROGRAM_RIGHTS))
    program = Staff.objects.get(pk=made["program"])
    caller, before = calling(running, made["token"]), None
    Hand(caller).open()
    before = written()
    body = {"reason": "misdeal", "approver": {"username": "floor", "pin": PIN}}
    reply = caller.post(f"tables/{running.table.pk}/rounds/current/void", body)
    assert (reply.status, reply.code) == (403, "takes_two_people")
    assert written() == before
    assert not any(
        may(program, right, running.room)
        for right in Right
        if right not in (*PROGRAM_RIGHTS, Right.RUN_ROUNDS_ANYWHERE)
    )
    # As a second person it has no PIN, and no way to one.
    dealer = Caller(running, "dealer")
    body["approver"] = {"username": program.username, "pin": PIN}
    reply = dealer.post(f"tables/{running.table.pk}/rounds/current/void", body)
    assert (reply.status, reply.code) == (403, "approver_not_known")


def test_people_s_commands_do_not_reach_a_program_s_account(cast: Cast) -> None:
    from cardroom.floor.commands.accounts import account_set, password_set
    from cardroom.floor.commands.roles import role_give, role_take
    from cardroom.people.models import Employment

    made = make_program(cast, "see_floor")
    program = Staff.objects.get(pk=made["program"])
    signed = cast.people["compliance"]
    tries: list[tuple[Any, dict[str, Any]]] = [
        (password_set, {"staff_id": program.pk, "password": "nine high straight beats it"}),
        (account_set, {"staff_id": program.pk, "name": "Somebody else"}),
        (role_give, {"person": program.username, "role": "floor"}),
        (role_give, {"person": "dealer", "role": "program"}),
        (role_take, {"employment_id": Employment.objects.get(staff=program).pk}),
    ]
    for command, arguments in tries:
        with pytest.raises(FloorError) as refused:
            cast.send_room(command, "room_manager", **arguments, approver=signed)
        assert refused.value.code in {"unknown_account", "unknown_person", "unknown_role", "roles_apart"}
    assert not program.has_usable_password()


def test_a_program_reaches_its_own_room_alone(cast: Cast) -> None:
    made = make_program(cast, "see_floor", "see_reports")
    for path in (f"rooms/{cast.rival.pk}", f"rooms/{cast.rival.pk}/feed", f"tables/{cast.rival_table.pk}"):
        assert calling(cast, made["token"]).get(path).status == 404


@pytest.mark.postgresql
def test_programs_and_webhooks_that_work_are_listed_before_those_that_were_ended(cast: Cast) -> None:
    first, second = (make_program(cast, "see_reports", name=name)["program"] for name in ("Ada", "Bea"))
    hooks = [
        cast.send_room(
            webhook_make,
            "room_manager",
            program_id=second,
            url=f"https://books.example/{number}",
            kinds=[],
            approver=cast.people["compliance"],
        )["webhook"]
        for number in range(2)
    ]
    cast.send_room(program_end, "room_manager", program_id=first)
    cast.send_room(webhook_end, "room_manager", webhook_id=hooks[0])
    manager = Caller(cast, "room_manager")
    for path, name, ids in (("programs", "program", [second, first]), ("webhooks", "webhook", hooks[::-1])):
        assert [each[name] for each in manager.get(f"rooms/{cast.room.pk}/{path}").said] == ids


@override_settings(PROGRAM_REQUESTS=3)
def test_a_program_that_asks_too_often_is_told_how_long_to_wait(cast: Cast) -> None:
    cache.clear()
    made = make_program(cast, "see_floor")
    caller = calling(cast, made["token"])
    assert [caller.get("rooms").status for _ in range(3)] == [200, 200, 200]
    reply = caller.get("rooms")
    assert (reply.status, reply.code) == (429, "throttled")
    assert 1 <= int(reply.headers["Retry-After"]) <= 60
    assert Caller(cast, "floor").get("rooms").status == 200  # people are not counted


def test_refused_tokens_are_held_up_by_address_and_one_that_opens_never(cast: Cast) -> None:
    """Wrong, expired and revoked ones count together, of one address; whoever sends the right one from there is let in all the same."""
    cache.clear()
    made = make_program(cast, "see_floor")
    right = calling(cast, made["token"])
    revoked = cast.send_room(
        program_token_make,
        "room_manager",
        program_id=made["program"],
        days=10,
        approver=cast.people["compliance"],
    )
    cast.send_room(
        program_token_revoke, "room_manager", program_id=made["program"], token_id=revoked["token_id"]
    )
    wrong = [calling(cast, token) for token in ("crp_" + "a" * 43, "crp_x", revoked["token"])]
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for n in range(REFUSED_REQUESTS):
            assert wrong[n % 3].get("rooms").status == 401
            assert right.get("rooms").status == 200  # counts for nothing
        reply = wrong[0].get("rooms")
        assert (reply.status, reply.code) == (429, "refused_too_often")
        assert reply.headers["Retry-After"] == "60"
        assert "room manager" in reply.said["error"]["message"]
        assert right.get("rooms").status == 200
        assert Caller(cast, "floor").get("rooms").status == 200
        assert Caller(cast, None).get("rooms").status == 401
        # Another address; a header that the client writes itself is none.
        elsewhere = calling(cast, "crp_x")
        elsewhere.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        assert elsewhere.get("rooms").status == 401
        forged = calling(cast, "crp_x")
        forged.client.defaults["HTTP_X_FORWARDED_FOR"] = "192.0.2.8"
        assert forged.get("rooms").status == 429
        clock.shift(61)
        assert wrong[0].get("rooms").status == 401


def test_a_program_without_rights_or_with_a_long_name_is_refused(cast: Cast) -> None:
    manager = Caller(cast, "room_manager")
    for body, code, path in (
        ({"rights": []}, "too_short", "rights"),
        ({"days": 0}, "out_of_range", "days"),
        ({"days": 400}, "out_of_range", "days"),
        ({"name": "x" * 61}, "too_long", "name"),
    ):
        given = {"name": "Feed", "purpose": "x", "rights": ["see_reports"], **body}
        reply = manager.post(f"rooms/{cast.room.pk}/programs", given)
        assert (reply.status, reply.code, reply.path) == (400, code, path)
    assert not Program.objects.exists()
    assert Room.objects.get(pk=cast.room.pk).chain_seq == 0
