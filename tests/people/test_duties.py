"""Duties apart: what two people alone do about people, roles that do not meet, and what the journal says of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore

from cardroom.floor.commands.accounts import (
    account_close,
    account_make,
    account_open,
    account_set,
    licence_set,
    password_set,
    second_factor_off,
    staff_session_end,
)
from cardroom.floor.commands.programs import program_end, program_make
from cardroom.floor.commands.roles import permit_set, role_give, role_set, role_take
from cardroom.floor.commands.rooms import room_set
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.approval import SignatureGiven
from cardroom.people.duties import ALONE, APART, DUTIES, IN_SET_UP, Duty, why_not_give
from cardroom.people.models import Employment, Lockout, Program, Role, Staff, WorkPermit
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.models import Room
from tests.cast import PIN, Cast, closed_cast
from tests.reports.played_shift import answers, drawn, rows

from . import test_accounts, test_lockouts

NEW = "nine high straight beats it"
APPROVERS = ("compliance", "room_manager_2")


@pytest.fixture
def cast(db: None) -> Cast:
    cast = closed_cast()
    cast.people["room_manager_2"] = cast.people["outsider"]
    cast.hire("outsider", Role.ROOM_MANAGER)
    Staff.objects.filter(username="outsider").update(username="room_manager_2")
    return cast


def refused(cast: Cast, command: Any, **inputs: Any) -> FloorError:
    with pytest.raises(FloorError) as error:
        cast.send_room(command, "room_manager", **inputs)
    return error.value


def session_of(person: Staff) -> int:
    store = SessionStore()
    store.create()
    return UserSession.objects.create(user=person, session_key=store.session_key, ip="10.0.0.7", data={}).pk


_PROGRAM = {"name": "Feed", "purpose": "reads the journal", "rights": ["see_reports"], "days": 30}


def do(cast: Cast, duty: Duty, who: str = "room_manager", **signed: Any) -> Any:
    """Do what the duty says about the support staff of the room."""
    person = cast.people["support"].pk
    command, inputs = {
        Duty.GIVE_ROLE: lambda: (role_give, {"person": "support", "role": "dealer"}),
        Duty.TAKE_ROLE: lambda: (
            role_take,
            {"employment_id": Employment.objects.get(staff=person, role=Role.SUPPORT).pk},
        ),
        Duty.SET_PASSWORD: lambda: (password_set, {"staff_id": person, "password": NEW}),
        Duty.TAKE_FACTOR_OFF: lambda: (second_factor_off, {"staff_id": person}),
        Duty.CHANGE_ACCOUNT: lambda: (account_set, {"staff_id": person, "name": "Somebody else"}),
        Duty.CHANGE_ROOM: lambda: (room_set, {"licence_number": "GEGA-7", "chips": "5"}),
        Duty.SET_CHIPS: lambda: (room_set, {"chips": "5 25"}),
        Duty.CLOSE_ACCOUNT: lambda: (account_close, {"staff_id": person}),
        Duty.KEEP_LICENCE: lambda: (licence_set, {"staff_id": person, "number": "WP-77"}),
        Duty.KEEP_RECORDS: lambda: (permit_set, {"staff_id": person, "number": "WP-9"}),
        Duty.MAKE_ACCOUNT: lambda: (
            account_make,
            {"username": "newcomer", "name": "New Comer", "badge": "N-1", "password": NEW},
        ),
        Duty.END_SESSION: lambda: (
            staff_session_end,
            {"staff_id": person, "session_id": session_of(cast.people["support"])},
        ),
        Duty.MAKE_PROGRAM: lambda: (program_make, _PROGRAM),
        Duty.END_PROGRAM: lambda: (
            program_end,
            {"program_id": do(cast, Duty.MAKE_PROGRAM, approver=cast.people["compliance"])["program"]},
        ),
    }[duty]()
    return cast.send_room(command, who, **inputs, **signed)


def was_done(cast: Cast, duty: Duty) -> bool:
    person, room = Staff.objects.get(username="support"), Room.objects.get(pk=cast.room.pk)
    roles = set(Employment.objects.filter(staff=person).values_list("role", flat=True))
    return {
        Duty.GIVE_ROLE: Role.DEALER in roles,
        Duty.TAKE_ROLE: Role.SUPPORT not in roles,
        Duty.SET_PASSWORD: person.check_password(NEW),
        Duty.TAKE_FACTOR_OFF: not Authenticator.objects.filter(user=person).exists(),
        Duty.CHANGE_ACCOUNT: person.display_name == "Somebody else",
        Duty.CHANGE_ROOM: room.licence_number == "GEGA-7",
        Duty.SET_CHIPS: room.chips == "5 25",
        Duty.CLOSE_ACCOUNT: not person.is_active,
        Duty.KEEP_LICENCE: person.licence_number == "WP-77",
        Duty.KEEP_RECORDS: WorkPermit.objects.filter(number="WP-9").exists(),
        Duty.MAKE_ACCOUNT: Staff.objects.filter(username="newcomer").exists(),
        Duty.END_SESSION: not UserSession.objects.filter(user=person).exists(),
        Duty.MAKE_PROGRAM: Program.objects.filter(ended_at__isnull=True).exists(),
        Duty.END_PROGRAM: not Program.objects.filter(ended_at__isnull=True).exists(),
    }[duty]


def as_before(cast: Cast) -> None:
    for each in Program.objects.filter(ended_at__isnull=True):
        cast.send_room(program_end, "room_manager", program_id=each.pk)
    person = cast.people["support"]
    Employment.objects.filter(staff=person).delete()
    Employment.objects.create(staff=person, room=cast.room, role=Role.SUPPORT)
    Staff.objects.filter(pk=person.pk).update(password="", display_name=person.display_name)
    Room.objects.filter(pk=cast.room.pk).update(licence_number="", chips=cast.room.chips)
    Authenticator.objects.get_or_create(user=person, type="totp", defaults={"data": {}})


#: How the journal names each command that two sign for, and each that one person does.
BY_TWO = {
    Duty.GIVE_ROLE: "role_give",
    Duty.TAKE_ROLE: "role_take",
    Duty.SET_PASSWORD: "password_set",
    Duty.TAKE_FACTOR_OFF: "second_factor_off",
    Duty.CHANGE_ACCOUNT: "account_set",
    Duty.CHANGE_ROOM: "room_set",
    Duty.MAKE_PROGRAM: "program_make",
}
BY_ONE = {
    Duty.CLOSE_ACCOUNT: "account_close",
    Duty.MAKE_ACCOUNT: "account_make",
    Duty.KEEP_LICENCE: "licence_set",
    Duty.KEEP_RECORDS: "permit_set",
    Duty.END_SESSION: "staff_session_end",
    Duty.SET_CHIPS: "room_set",
    Duty.END_PROGRAM: "program_end",
}
#: Those that are tried elsewhere, with the tests.
ELSEWHERE: dict[Duty, Callable[..., None]] = {
    Duty.RESET_TOGETHER: test_accounts.test_a_password_of_two_rooms_is_set_by_both_together,
    Duty.HAND_OVER: test_accounts.test_an_account_is_handed_over_to_the_room_that_employs_the_person_now,
    Duty.LIFT_LOCKOUT: test_lockouts.test_who_lifts_which_lock,
}


def test_the_table_of_duties_is_this() -> None:
    """Every duty has its right or none, a reason, and a test below or elsewhere."""
    two = {duty for duty, takes in DUTIES.items() if takes.second is not None}
    assert two == {*BY_TWO, Duty.RESET_TOGETHER}
    assert set(DUTIES) == set(Duty) == {*BY_TWO, *BY_ONE, *ELSEWHERE}
    assert all(takes.why for takes in DUTIES.values())
    assert {DUTIES[duty].second for duty in BY_TWO} == {Right.APPROVE_ADMINISTRATION}
    assert RIGHTS[Right.APPROVE_ADMINISTRATION] == {Role.COMPLIANCE, Role.ROOM_MANAGER}


@pytest.mark.parametrize("duty", list(BY_TWO))
def test_the_table_of_duties_holds_for_everybody(cast: Cast, duty: Duty) -> None:
    """Every person of both rooms tries to sign; those alone can who hold the right, and are not the two concerned."""
    signers = set()
    as_before(cast)
    for who in [name for name in cast.people if name != "outsider"]:
        person = Staff.objects.get(pk=cast.people[who].pk)
        try:
            do(cast, duty, approver=SignatureGiven(person.username, PIN))
        except FloorError:
            assert not was_done(cast, duty), who
            continue
        signers.add(who)
        assert was_done(cast, duty)
        entry = JournalEntry.objects.filter(room=cast.room).latest("pk")
        assert (entry.command, entry.actor) == (BY_TWO[duty], cast.people["room_manager"])
        assert entry.data["approved_by"]["id"] == person.pk and ALONE not in entry.data
        as_before(cast)
    assert signers == set(APPROVERS)


@pytest.mark.parametrize("duty", list(BY_ONE))
def test_what_one_person_does_at_once_is_in_the_journal(cast: Cast, duty: Duty) -> None:
    do(cast, duty)
    assert was_done(cast, duty)
    entry = JournalEntry.objects.filter(room=cast.room).latest("pk")
    assert (entry.command, entry.actor) == (BY_ONE[duty], cast.people["room_manager"])
    assert ALONE not in entry.data


def test_an_account_is_closed_by_one_and_opened_again_by_two(cast: Cast) -> None:
    person, signed = cast.people["dealer"], {"approver": cast.people["compliance"]}
    cast.send_room(account_close, "room_manager", staff_id=person.pk)
    assert refused(cast, account_close, staff_id=person.pk).code == "account_closed"
    assert refused(cast, account_open, staff_id=person.pk).code == "approver_required"
    cast.send_room(account_open, "room_manager", staff_id=person.pk, **signed)
    assert Staff.objects.get(pk=person.pk).is_active
    entry = JournalEntry.objects.filter(room=cast.room).latest("pk")
    assert (entry.command, entry.data["approved_by"]["id"]) == ("account_open", cast.people["compliance"].pk)


def test_who_sends_the_second_holder_away_does_not_act_alone(cast: Cast) -> None:
    """Closed accounts do not open the set-up of a room again: somebody else is given the role first."""
    as_before(cast)
    for who in APPROVERS:
        cast.send_room(account_close, "room_manager", staff_id=cast.people[who].pk)
    with pytest.raises(FloorError) as error:
        do(cast, Duty.SET_PASSWORD)
    assert error.value.code == "nobody_signs" and "an administrator of the site" in error.value.message
    assert not was_done(cast, Duty.SET_PASSWORD)


def test_the_two_holders_of_a_room_cannot_take_each_others_account_alone(cast: Cast) -> None:
    """The only other holder is the one whom it is about: nobody is left to sign."""
    Employment.objects.filter(staff=cast.people["room_manager_2"], room=cast.room).delete()
    about = cast.people["compliance"]
    for signed in ({}, {"approver": about}):
        assert refused(cast, account_set, staff_id=about.pk, badge="mine", **signed).code == "nobody_signs"


@pytest.mark.parametrize("duty", list(BY_TWO))
def test_without_a_signature_or_with_a_wrong_pin_nothing_is_done(cast: Cast, duty: Duty) -> None:
    as_before(cast)
    for signed, code in (
        ({}, "approver_required"),
        ({"approver": SignatureGiven("compliance", "999999")}, "approver_not_known"),
    ):
        with pytest.raises(FloorError) as error:
            do(cast, duty, **signed)
        assert error.value.code == code and not was_done(cast, duty)
        assert "999999" not in error.value.message
    assert Lockout.objects.get().tries == 1
    assert not JournalEntry.objects.filter(command__in=BY_TWO.values()).exists()


def test_nobody_gives_a_role_to_themselves_whoever_signs(cast: Cast) -> None:
    signed = {"approver": cast.people["compliance"]}
    why = refused(cast, role_give, person="room_manager", role="support", **signed)
    assert why.code == "roles_apart" and "to themselves" in why.message
    assert Employment.objects.filter(staff=cast.people["room_manager"]).count() == 1


def test_roles_apart_are_refused_in_one_room_and_a_changed_role_too(cast: Cast) -> None:
    signed = {"approver": cast.people["compliance"]}
    why = refused(cast, role_give, person="dealer", role="count", **signed)
    assert "do not meet in one person" in why.message
    two = Employment.objects.create(staff=cast.people["dealer"], room=cast.room, role=Role.SUPPORT)
    assert refused(cast, role_set, employment_id=two.pk, role="count", **signed).code == "roles_apart"
    two.refresh_from_db()
    assert two.role == Role.SUPPORT
    cast.send_room(role_set, "room_manager", employment_id=two.pk, role="floor", **signed)
    two.refresh_from_db()
    assert two.role == Role.FLOOR
    entry = JournalEntry.objects.get(command="role_give")
    assert (entry.data["before"], entry.data["role"]) == ("support", "floor")
    cast.send_room(role_take, "room_manager", employment_id=two.pk, **signed)
    assert JournalEntry.objects.get(command="role_take").data["role"] == "floor"


def test_the_table_of_roles_apart_is_this() -> None:
    together = {
        frozenset(pair)
        for pair in combinations((Role.DEALER, Role.FLOOR, Role.SHIFT_MANAGER, Role.SUPPORT), 2)
    } | {frozenset({Role.SUPPORT, watcher}) for watcher in (Role.COMPLIANCE, Role.COUNT, Role.ROOM_MANAGER)}
    assert {frozenset(pair) for pair in combinations(Role, 2)} - APART == together
    one, other = Staff(pk=1, username="one"), Staff(pk=2, username="other")
    for held, role in product(Role, Role):
        why = why_not_give(one, other, role, [held])
        assert (why is not None) == (role == Role.PROGRAM or frozenset({held, role}) in APART)


def test_in_a_room_that_is_set_up_one_commands_alone_and_the_journal_says_so(cast: Cast) -> None:
    room = Room.objects.create(name="Bay Oaks", code="bay-oaks")
    cast.hire("dealer", Role.ROOM_MANAGER, room=room)
    second = {"person": "floor", "role": "compliance"}
    cast.send_room(role_give, "dealer", room, **second)
    given = JournalEntry.objects.get(room=room, command="role_give").data
    assert (given["approved_by"], given[ALONE]) == (None, IN_SET_UP)
    third = {"person": "support", "role": "support"}
    with pytest.raises(FloorError) as error:
        cast.send_room(role_give, "dealer", room, **third)
    assert error.value.code == "approver_required", "two have held the right now"
    cast.send_room(role_give, "dealer", room, **third, approver=SignatureGiven("floor", PIN))
    cast.room = room
    shown = drawn(cast, "access")
    assert answers(shown)["alone"] == 1
    assert [row["about"] for row in rows(shown, "alone")] == [str(cast.people["floor"])]


def test_accounts_that_are_made_and_changed_stand_in_the_journal_without_a_password(cast: Cast) -> None:
    do(cast, Duty.MAKE_ACCOUNT)
    new = Staff.objects.get(username="newcomer")
    assert (new.home, new.added_by, new.must_change_password) == (
        cast.room,
        cast.people["room_manager"],
        True,
    )
    cast.send_room(
        account_set, "room_manager", staff_id=new.pk, badge="N-2", approver=cast.people["compliance"]
    )
    first, second = JournalEntry.objects.filter(room=cast.room, command__startswith="account_").order_by("pk")
    assert (first.command, first.data) == ("account_make", {"person": {"id": new.pk, "name": "New Comer"}})
    assert second.data["changed"] == {"badge": ["N-1", "N-2"]}


def test_a_role_is_proved_by_the_journal_even_where_its_history_was_changed_too(cast: Cast) -> None:
    """What the owner of the database does to hide it: the row and the newest entry of its history say the same."""
    as_before(cast)
    do(cast, Duty.GIVE_ROLE, approver=cast.people["compliance"])
    do(cast, Duty.KEEP_LICENCE)
    assert [*rows_verify()] == []
    role = Employment.objects.get(staff=cast.people["support"], role=Role.DEALER)
    Employment.objects.filter(pk=role.pk).update(role=Role.FLOOR)
    Employment.history.filter(id=role.pk).update(role=Role.FLOOR)
    Staff.objects.filter(username="support").update(licence_number="forged")
    found = {each.model for each in rows_verify()}
    assert found == {"people.Employment", "people.HistoricalEmployment", "people.Staff"}
