"""Duties apart: what the admin does with two people alone, roles that do not meet, and what the journal says of it."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from cardroom.floor.models import JournalEntry
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.duties import ALONE, APART, BY_THE_SITE, DUTIES, IN_SET_UP, Duty, why_not_give
from cardroom.people.models import Employment, Lockout, Role, Staff, WorkPermit
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.models import Room
from tests.cast import PASSWORD, PIN, Cast, closed_cast
from tests.reports.played_shift import answers, drawn, rows

from . import test_admin_accounts as test_accounts
from . import test_lockouts

NEW = "nine high straight beats it"
APPROVERS = ("compliance", "room_manager_2")


@pytest.fixture
def cast(db: None) -> Cast:
    cast = closed_cast()
    cast.people["room_manager_2"] = cast.people["outsider"]
    cast.hire("outsider", Role.ROOM_MANAGER)
    Staff.objects.filter(username="outsider").update(username="room_manager_2", is_staff=True)
    Staff.objects.filter(username="room_manager").update(is_staff=True)
    return cast


@pytest.fixture
def manager(cast: Cast) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": "room_manager", "password": PASSWORD})
    return browser


def fields_of(browser: Client, address: str) -> dict[str, Any]:
    """The initial values of a form of the admin."""
    form = browser.get(address).context["adminform"].form
    return {each.html_name: each.value() for each in form if str(each.value()) not in ("None", "False")}


def account(browser: Client, person: Staff, **given: Any) -> Any:
    """Change an account; None takes a field out."""
    address = f"/admin/people/staff/{person.pk}/change/"
    fields = {**fields_of(browser, address), **given}
    return browser.post(address, {name: value for name, value in fields.items() if value is not None})


def do(browser: Client, cast: Cast, duty: Duty, **signed: str) -> Any:
    """Do what the duty says about the support staff of the room, and return whether it was done."""
    person = cast.people["support"]
    if duty == Duty.GIVE_ROLE:
        given = {"person": "support", "room": cast.room.pk, "role": "dealer", "provider": ""}
        return browser.post("/admin/people/employment/add/", {**given, **signed})
    if duty == Duty.TAKE_ROLE:
        role = Employment.objects.get(staff=person, role=Role.SUPPORT)
        return browser.post(f"/admin/people/employment/{role.pk}/delete/", {"sign": "yes", **signed})
    if duty == Duty.SET_PASSWORD:
        address = f"/admin/people/staff/{person.pk}/password/"
        return browser.post(address, {"password1": NEW, "password2": NEW, **signed})
    if duty == Duty.TAKE_FACTOR_OFF:
        address = f"/admin/people/staff/{person.pk}/second-factor-off/"
        return browser.post(address, {"sign": "yes", **signed})
    if duty == Duty.CHANGE_ACCOUNT:
        return account(browser, person, display_name="Somebody else", **signed)
    if duty == Duty.CLOSE_ACCOUNT:
        return account(browser, person, is_active=None)
    if duty == Duty.KEEP_LICENCE:
        return account(browser, person, licence_number="WP-77")
    if duty == Duty.MAKE_ACCOUNT:
        made = {"username": "newcomer", "display_name": "New Comer", "badge": "N-1", "home": cast.room.pk}
        return browser.post("/admin/people/staff/add/", {**made, "password1": NEW, "password2": NEW})
    if duty == Duty.KEEP_RECORDS:
        permit = {"staff": person.pk, "room": cast.room.pk, "number": "WP-9", "expires": ""}
        return browser.post("/admin/people/workpermit/add/", permit)
    assert duty == Duty.CHANGE_ROOM
    address = f"/admin/rooms/room/{cast.room.pk}/change/"
    return browser.post(address, {**fields_of(browser, address), "licence_number": "GEGA-7", **signed})


def was_done(cast: Cast, duty: Duty) -> bool:
    person = Staff.objects.get(username="support")
    roles = set(Employment.objects.filter(staff=person).values_list("role", flat=True))
    return {
        Duty.GIVE_ROLE: Role.DEALER in roles,
        Duty.TAKE_ROLE: Role.SUPPORT not in roles,
        Duty.SET_PASSWORD: person.check_password(NEW),
        Duty.TAKE_FACTOR_OFF: not Authenticator.objects.filter(user=person).exists(),
        Duty.CHANGE_ACCOUNT: person.display_name == "Somebody else",
        Duty.CHANGE_ROOM: Room.objects.get(pk=cast.room.pk).licence_number == "GEGA-7",
        Duty.CLOSE_ACCOUNT: not person.is_active,
        Duty.KEEP_LICENCE: person.licence_number == "WP-77",
        Duty.KEEP_RECORDS: WorkPermit.objects.filter(number="WP-9").exists(),
        Duty.MAKE_ACCOUNT: Staff.objects.filter(username="newcomer").exists(),
    }[duty]


def as_before(cast: Cast) -> None:
    person = cast.people["support"]
    Employment.objects.filter(staff=person).delete()
    Employment.objects.create(staff=person, room=cast.room, role=Role.SUPPORT)
    Staff.objects.filter(pk=person.pk).update(password="", display_name=person.display_name)
    Room.objects.filter(pk=cast.room.pk).update(licence_number="")
    Authenticator.objects.get_or_create(user=person, type="totp", defaults={"data": {}})


#: How the journal names each command that two sign for on one page of the admin, and each that one person does there.
ON_ONE_PAGE = {
    Duty.GIVE_ROLE: "role_give",
    Duty.TAKE_ROLE: "role_take",
    Duty.SET_PASSWORD: "password_set",
    Duty.TAKE_FACTOR_OFF: "second_factor_off",
    Duty.CHANGE_ACCOUNT: "account_set",
    Duty.CHANGE_ROOM: "room_set",
}
BY_ONE = {
    Duty.CLOSE_ACCOUNT: "account_close",
    Duty.MAKE_ACCOUNT: "account_make",
    Duty.KEEP_LICENCE: "account_set",
    Duty.KEEP_RECORDS: "record_add",
}
#: Those that are no page of one room's admin, with the tests where they are tried.
ELSEWHERE = {
    Duty.RESET_TOGETHER: test_accounts.test_a_password_of_two_rooms_is_set_by_both_together,
    Duty.HAND_OVER: test_accounts.test_an_account_is_handed_over_to_the_room_that_employs_the_person_now,
    Duty.LIFT_LOCKOUT: test_lockouts.test_who_lifts_which_lock,
}


def test_the_table_of_duties_is_this() -> None:
    """Every duty has its right or none, a reason, and a test below or elsewhere."""
    two = {duty for duty, takes in DUTIES.items() if takes.second is not None}
    assert two == {*ON_ONE_PAGE, Duty.RESET_TOGETHER}
    assert set(DUTIES) == set(Duty) == {*ON_ONE_PAGE, *BY_ONE, *ELSEWHERE, Duty.END_SESSION}
    assert all(takes.why for takes in DUTIES.values())
    assert {DUTIES[duty].second for duty in ON_ONE_PAGE} == {Right.APPROVE_ADMINISTRATION}
    assert RIGHTS[Right.APPROVE_ADMINISTRATION] == {Role.COMPLIANCE, Role.ROOM_MANAGER}


@pytest.mark.parametrize("duty", list(ON_ONE_PAGE))
def test_the_table_of_duties_holds_for_everybody(cast: Cast, manager: Client, duty: Duty) -> None:
    """Every person of both rooms tries to sign; those alone can who hold the right, and are not the two concerned."""
    signers = set()
    as_before(cast)
    for who in [name for name in cast.people if name != "outsider"]:
        person = Staff.objects.get(pk=cast.people[who].pk)
        reply = do(manager, cast, duty, approver=person.username, approver_pin=PIN)
        if reply.status_code == 302:
            signers.add(who)
            assert was_done(cast, duty)
            entry = JournalEntry.objects.filter(room=cast.room).latest("pk")
            assert (entry.command, entry.actor) == (ON_ONE_PAGE[duty], cast.people["room_manager"])
            assert entry.data["approved_by"]["id"] == person.pk and ALONE not in entry.data
            as_before(cast)
        else:
            assert not was_done(cast, duty), who
    assert signers == set(APPROVERS)


@pytest.mark.parametrize("duty", list(BY_ONE))
def test_what_one_person_does_at_once_is_in_the_journal(cast: Cast, manager: Client, duty: Duty) -> None:
    assert do(manager, cast, duty).status_code == 302 and was_done(cast, duty)
    entry = JournalEntry.objects.filter(room=cast.room).latest("pk")
    assert (entry.command, entry.actor) == (BY_ONE[duty], cast.people["room_manager"])
    assert ALONE not in entry.data


def test_an_account_is_closed_by_one_and_opened_again_by_two(cast: Cast, manager: Client) -> None:
    person = cast.people["dealer"]
    assert account(manager, person, is_active=None, display_name="Other").status_code == 200, (
        "no more with it"
    )
    assert account(manager, person, is_active=None).status_code == 302
    assert account(manager, person, is_active="on").status_code == 200
    signed = {"approver": "compliance", "approver_pin": PIN}
    assert account(manager, person, is_active="on", **signed).status_code == 302
    assert Staff.objects.get(pk=person.pk).is_active


def test_who_sends_the_second_holder_away_does_not_act_alone(cast: Cast, manager: Client) -> None:
    """Closed accounts do not open the set-up of a room again: an administrator of the site commands, and it shows."""
    as_before(cast)
    for who in APPROVERS:
        person = Staff.objects.get(pk=cast.people[who].pk)
        assert account(manager, person, is_active=None).status_code == 302
    reply = do(manager, cast, Duty.SET_PASSWORD)
    assert "an administrator of the site does it" in reply.content.decode()
    assert not was_done(cast, Duty.SET_PASSWORD)
    Staff.objects.create_superuser("root", password=PASSWORD)
    root = Client()
    root.post("/accounts/login/", {"login": "root", "password": PASSWORD})
    assert do(root, cast, Duty.SET_PASSWORD).status_code == 200, "the manager is left to sign for the site's"
    signed = {"approver": "room_manager", "approver_pin": PIN}
    assert do(root, cast, Duty.SET_PASSWORD, **signed).status_code == 302
    account(root, Staff.objects.get(username="room_manager"), is_active=None)
    as_before(cast)
    assert do(root, cast, Duty.SET_PASSWORD).status_code == 302
    entry = JournalEntry.objects.filter(room=cast.room, command="password_set").latest("pk")
    assert (entry.data["approved_by"], entry.data[ALONE]) == (None, BY_THE_SITE)


def test_the_two_holders_of_a_room_cannot_take_each_others_account_alone(cast: Cast) -> None:
    """The only other holder is the one whom it is about: nobody is left to sign."""
    Employment.objects.filter(staff=cast.people["room_manager_2"], room=cast.room).delete()
    browser = Client()
    browser.post("/accounts/login/", {"login": "room_manager", "password": PASSWORD})
    for _ in range(2):
        reply = account(browser, cast.people["compliance"], badge="mine")
        assert "an administrator of the site does it" in reply.content.decode()


@pytest.mark.parametrize("duty", list(ON_ONE_PAGE))
def test_without_a_signature_or_with_a_wrong_pin_nothing_is_done(
    cast: Cast, manager: Client, duty: Duty
) -> None:
    as_before(cast)
    for signed in ({}, {"approver": "compliance"}, {"approver": "compliance", "approver_pin": "999999"}):
        reply = do(manager, cast, duty, **signed)
        assert reply.status_code == 200 and not was_done(cast, duty)
        assert "999999" not in reply.content.decode()
    assert Lockout.objects.get().tries == 1
    assert not JournalEntry.objects.filter(command__in=ON_ONE_PAGE.values()).exists()


def test_nobody_gives_a_role_to_themselves_whoever_signs(cast: Cast, manager: Client) -> None:
    given = {"person": "room_manager", "room": cast.room.pk, "role": "support", "provider": ""}
    reply = manager.post(
        "/admin/people/employment/add/", {**given, "approver": "compliance", "approver_pin": PIN}
    )
    assert reply.status_code == 200 and "to themselves" in reply.content.decode()
    assert Employment.objects.filter(staff=cast.people["room_manager"]).count() == 1


def test_roles_apart_are_refused_in_one_room_and_a_changed_role_too(cast: Cast, manager: Client) -> None:
    signed = {"approver": "compliance", "approver_pin": PIN}
    given = {"person": "dealer", "room": cast.room.pk, "role": "count", "provider": ""}
    reply = manager.post("/admin/people/employment/add/", {**given, **signed})
    assert reply.status_code == 200 and "do not meet in one person" in reply.content.decode()
    two = Employment.objects.create(staff=cast.people["dealer"], room=cast.room, role=Role.SUPPORT)
    manager.post(f"/admin/people/employment/{two.pk}/change/", {"role": "count", "provider": "", **signed})
    two.refresh_from_db()
    assert two.role == Role.SUPPORT
    manager.post(f"/admin/people/employment/{two.pk}/change/", {"role": "floor", "provider": "", **signed})
    two.refresh_from_db()
    assert two.role == Role.FLOOR
    entry = JournalEntry.objects.get(command="role_give")
    assert (entry.data["before"], entry.data["role"]) == ("support", "floor")
    manager.post(f"/admin/people/employment/{two.pk}/delete/", signed)
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
        assert (why is not None) == (frozenset({held, role}) in APART)


def test_in_a_new_room_there_is_nobody_to_sign_and_the_journal_says_so(cast: Cast) -> None:
    room = Room.objects.create(name="Bay Oaks", code="bay-oaks")
    Staff.objects.create_superuser("root", password=PASSWORD)
    root = Client()
    root.post("/accounts/login/", {"login": "root", "password": PASSWORD})
    first = {"staff": cast.people["dealer"].pk, "room": room.pk, "role": "room_manager", "provider": ""}
    assert root.post("/admin/people/employment/add/", first).status_code == 302
    given = JournalEntry.objects.get(room=room, command="role_give").data
    assert (given["approved_by"], given[ALONE]) == (None, IN_SET_UP)
    cast.room = room
    shown = drawn(cast, "access")
    assert answers(shown)["alone"] == 1
    assert [row["about"] for row in rows(shown, "alone")] == [str(cast.people["dealer"])]
    second = {"staff": cast.people["floor"].pk, "room": room.pk, "role": "compliance", "provider": ""}
    assert root.post("/admin/people/employment/add/", second).status_code == 200
    signed = {"approver": "dealer", "approver_pin": PIN}
    assert root.post("/admin/people/employment/add/", {**second, **signed}).status_code == 302


def test_accounts_that_are_made_and_changed_stand_in_the_journal_without_a_password(
    cast: Cast, manager: Client
) -> None:
    made = {"username": "newcomer", "display_name": "New Comer", "badge": "N-1", "home": cast.room.pk}
    manager.post("/admin/people/staff/add/", {**made, "password1": NEW, "password2": NEW})
    new = Staff.objects.get(username="newcomer")
    manager.post(
        f"/admin/people/staff/{new.pk}/change/",
        {"username": "newcomer", "display_name": "New Comer", "badge": "N-2", "is_active": "on"}
        | {"approver": "compliance", "approver_pin": PIN},
    )
    first, second = JournalEntry.objects.filter(room=cast.room, command__startswith="account_").order_by("pk")
    assert (first.command, first.data["person"]["name"]) == ("account_make", "New Comer")
    assert second.data["changed"] == {"badge": ["N-1", "N-2"]}


def test_a_role_is_proved_by_the_journal_even_where_its_history_was_changed_too(
    cast: Cast, manager: Client
) -> None:
    """What the owner of the database does to hide it: the row and the newest entry of its history say the same."""
    as_before(cast)
    assert do(manager, cast, Duty.GIVE_ROLE, approver="compliance", approver_pin=PIN).status_code == 302
    assert account(manager, cast.people["support"], licence_number="WP-77").status_code == 302
    assert [*rows_verify()] == []
    role = Employment.objects.get(staff=cast.people["support"], role=Role.DEALER)
    Employment.objects.filter(pk=role.pk).update(role=Role.FLOOR)
    Employment.history.filter(id=role.pk).update(role=Role.FLOOR)
    Staff.objects.filter(username="support").update(licence_number="forged")
    found = {each.model for each in rows_verify()}
    assert found == {"people.Employment", "people.HistoricalEmployment", "people.Staff"}
