"""Sign-ins in the journal: what each leaves there, in whose rooms, what a flood leaves, and the access report."""

from __future__ import annotations

import datetime
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.utils import timezone

from cardroom.floor.execution.locks import locked
from cardroom.floor.journal import journal_append
from cardroom.floor.models import JournalEntry
from cardroom.people import journal
from cardroom.people.lockouts import MOST_TRIES, Kind
from cardroom.people.models import Lockout, Role, Staff
from cardroom.people.pins import PinRefused, person_by_pin, pin_set
from cardroom.rooms.models import Room
from tests.cast import PASSWORD, PIN, Cast, closed_cast
from tests.reports.played_shift import answers, drawn, rows

from .test_second_factor import set_up, signed_in_by_app


def signed_in(username: str, password: str = PASSWORD) -> Client:
    browser = Client(headers={"user-agent": "a tablet"})
    browser.post("/accounts/login/", {"login": username, "password": password})
    return browser


def told(room: Room) -> list[tuple[str, str]]:
    """The commands in the room's chain with who did them, beginning with the first sign-in."""
    entries = JournalEntry.objects.filter(chain=f"room:{room.pk}").order_by("seq")
    known = {*journal.SIGN_INS, *journal.ADMINISTRATION}
    return [(each.command, each.actor_name) for each in entries if each.command in known]


def last(command: str) -> dict[str, Any]:
    return JournalEntry.objects.filter(command=command).latest("pk").data


def test_a_sign_in_a_failure_and_a_sign_out_are_entries_of_the_persons_room_alone(cast: Cast) -> None:
    signed_in("dealer", "a guess")
    signed_in("dealer").post("/accounts/logout/")
    name = str(cast.people["dealer"])
    assert told(cast.room) == [("sign_in_fail", name), ("sign_in", name), ("sign_out", name)]
    assert told(cast.rival) == []
    assert last("sign_in") == {
        "person": {"id": cast.people["dealer"].pk, "name": name},
        "by": "password",
        "address": "127.0.0.1",
    }
    assert (last("sign_in_fail")["kind"], last("sign_in_fail")["tries"]) == ("password", 1)
    assert "a guess" not in str(list(JournalEntry.objects.values_list("data", flat=True)))


def test_a_person_of_two_rooms_is_told_of_in_both_and_an_administrator_of_the_site_in_all(cast: Cast) -> None:
    cast.hire("dealer", Role.DEALER, room=cast.rival)
    signed_in("dealer")
    assert (
        [command for command, _ in told(cast.room)]
        == [command for command, _ in told(cast.rival)]
        == ["sign_in"]
    )
    Staff.objects.create_superuser("root", password=PASSWORD)
    signed_in("root", "a guess")
    assert told(cast.room)[-1] == told(cast.rival)[-1] == ("sign_in_fail", "root")


def test_a_name_that_is_nobodys_is_logged_without_it_and_in_no_journal(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        signed_in("my password by mistake", "a guess")
    assert "under a name that is nobody's, from 127.0.0.1" in caplog.text
    assert "my password by mistake" not in caplog.text
    assert told(cast.room) == told(cast.rival) == []


@pytest.mark.parametrize("tries", [MOST_TRIES[Kind.PASSWORD], 4 * MOST_TRIES[Kind.PASSWORD]])
def test_a_flood_of_failures_leaves_as_many_entries_as_a_lockout_lets_through(cast: Cast, tries: int) -> None:
    for _ in range(tries):
        signed_in("dealer", "a guess")
    commands = [command for command, _ in told(cast.room)]
    most = MOST_TRIES[Kind.PASSWORD]
    assert commands == ["sign_in_fail"] * most + ["lockout_begin"]
    assert Lockout.objects.get().refused == tries - most
    with time_machine.travel(timezone.now() + datetime.timedelta(hours=1), tick=False):
        signed_in("dealer")
    assert [command for command, _ in told(cast.room)][-2:] == ["lockout_end", "sign_in"]
    assert (last("lockout_end")["tries"], last("lockout_end")["refused"]) == (most, tries - most)


def test_a_wrong_pin_is_an_entry_by_who_sits_there_about_whose_pin_it_was_not(cast: Cast) -> None:
    cast.open()
    browser = signed_in("dealer")
    given = {"person": "floor", "pin": "999999"}
    assert browser.post(f"/tables/{cast.table.pk}/take-over/", given).status_code == 403
    assert told(cast.room)[-1] == ("pin_refuse", str(cast.people["dealer"]))
    assert last("pin_refuse")["person"]["id"] == cast.people["floor"].pk
    assert last("pin_refuse")["table"] == cast.table.pk
    browser.post(f"/tables/{cast.table.pk}/take-over/", {"person": "floor", "pin": PIN})
    assert told(cast.room)[-1] == ("tablet_take", str(cast.people["floor"]))
    taken = last("tablet_take")
    assert (taken["table"], taken["before"]["id"]) == (cast.table.pk, cast.people["dealer"].pk)
    assert "sign_in" not in [command for command, _ in told(cast.room)[2:]], (
        "a tablet that changes hands is no sign-in"
    )


def test_a_lock_until_a_supervisor_lifts_it_says_so(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(3 * MOST_TRIES[Kind.PIN]):
            with pytest.raises(PinRefused):
                person_by_pin(cast.room, "floor", "999999")
            clock.shift(3600)
    begun = [each.data["until"] for each in JournalEntry.objects.filter(command="lockout_begin")]
    assert len(begun) == 3 and begun[-1] == "a supervisor lifts it"


def test_unlocking_is_an_entry_and_so_is_a_wrong_password_there(cast: Cast) -> None:
    browser = signed_in("dealer")
    browser.post("/account/lock/")
    browser.post("/account/unlock/", {"secret": "not the password"})
    browser.post("/account/unlock/", {"secret": PASSWORD})
    browser.post("/account/lock/")
    browser.post("/account/unlock/", {"secret": PIN})
    commands = [command for command, _ in told(cast.room)]
    assert commands == ["sign_in", "sign_in_fail", "session_unlock", "session_unlock"]
    by = JournalEntry.objects.filter(command="session_unlock").order_by("seq")
    assert [each.data["by"] for each in by] == ["password", "PIN"]


@pytest.mark.django_db(transaction=True)
def test_factors_passwords_and_pins_that_people_set_themselves_are_entries(cast: Cast) -> None:
    browser = signed_in("dealer")
    key = set_up(browser)
    browser.post("/accounts/2fa/recovery-codes/generate/")
    again = signed_in_by_app("dealer", key)
    assert last("sign_in")["by"] == "password and totp"
    again.post("/accounts/2fa/totp/deactivate/")
    again.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": "a word of their own", "password2": "a word of their own"},
    )
    pin_set(cast.people["dealer"], "4829")
    commands = [command for command, _ in told(cast.room)]
    assert commands == [
        "sign_in", "second_factor_add", "recovery_codes_make", "sign_in", "second_factor_remove",
        "password_change", "pin_set",
    ]  # fmt: skip
    assert key not in str(list(JournalEntry.objects.values_list("data", flat=True)))
    call_command("verify")


def test_a_session_that_is_ended_elsewhere_and_a_fresh_sign_in_are_entries(cast: Cast) -> None:
    signed_in("dealer")
    browser = signed_in("dealer")
    other = UserSession.objects.exclude(session_key=browser.session.session_key).get()
    browser.post(f"/account/sessions/{other.pk}/end/")
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert [command for command, _ in told(cast.room)][2:] == ["session_end", "sign_in_afresh"]


def test_a_journal_that_is_busy_keeps_nobody_from_signing_in_and_the_log_has_the_entry(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def busy(*given: Any) -> Any:
        asked.append(given)
        raise journal.JournalBusy

    monkeypatch.setattr(journal, "_keepers", [busy])
    with caplog.at_level(logging.ERROR):
        browser = signed_in("dealer")
    assert "_auth_user_id" in browser.session
    assert len(asked) == 2, "it is tried once more"
    assert "was busy and has no entry of: sign_in" in caplog.text


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_many_who_sign_in_at_once_stand_in_one_chain(transactional_db: None) -> None:
    """A beginning of a shift: each sign-in in a thread and connection of its own, while a command holds the room."""
    cast = closed_cast()
    who = ["dealer", "dealer_2", "floor", "floor_2", "shift_manager", "count"]
    start = threading.Barrier(len(who) + 1)

    def command() -> None:
        try:
            with locked(Room, cast.room.pk) as room:
                start.wait(timeout=10)
                time.sleep(0.5)
                journal_append(
                    holder=room, actor=cast.people["floor"], at=timezone.now(), command="an_command"
                )
        finally:
            connections.close_all()

    def sign_in(name: str) -> Client:
        try:
            start.wait(timeout=10)
            return signed_in(name)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(who) + 1) as pool:
        held = pool.submit(command)
        browsers = list(pool.map(sign_in, who))
        held.result()
    assert all("_auth_user_id" in browser.session for browser in browsers)
    entries = JournalEntry.objects.filter(chain=f"room:{cast.room.pk}").order_by("seq")
    assert [each.command for each in entries] == ["an_command", *["sign_in"] * len(who)]
    assert {each.actor for each in entries[1:]} == {cast.people[name] for name in who}
    call_command("verify")


def test_the_access_report_lists_sign_ins_failures_and_the_administration(cast: Cast) -> None:
    cast.open()
    signed_in("dealer", "a guess")
    browser = signed_in("dealer")
    browser.post(f"/tables/{cast.table.pk}/take-over/", {"person": "floor", "pin": PIN})
    document = drawn(cast, "access")
    listed = [(row["what"], row["by"], row["from"]) for row in rows(document, "sign_ins")]
    dealer, floor = str(cast.people["dealer"]), str(cast.people["floor"])
    assert listed == [
        ("failed to sign in", dealer, "127.0.0.1"),
        ("signed in", dealer, "127.0.0.1"),
        ("took over a table's tablet", floor, "127.0.0.1, table 7"),
    ]
    assert (answers(document)["failed"], answers(document)["locked_out"]) == (1, 0)
    assert rows(document, "sign_ins")[2]["more"] == f"before {dealer}"
