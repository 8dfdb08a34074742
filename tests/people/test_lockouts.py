"""Lockouts that a supervisor sees and lifts, passwords that are refused, and those that somebody else set."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from cardroom.core.history_verification import histories_verify
from cardroom.floor.commands.accounts import account_make, password_set
from cardroom.floor.commands.lockouts import lockout_lift
from cardroom.floor.errors import FloorError, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry
from cardroom.people.lockouts import LONGEST_REST, MOST_TRIES, REST, Kind
from cardroom.people.models import Lockout, Staff
from cardroom.people.pins import PinRefused, person_by_pin
from tests.cast import PASSWORD, PIN, Cast

NEW = "nine high straight beats it"


def sign_in(username: str, password: str = PASSWORD) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": username, "password": password})
    return browser


def is_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def lock_out(username: str) -> None:
    for _ in range(MOST_TRIES[Kind.PASSWORD]):
        sign_in(username, "a guess")


@pytest.mark.postgresql
def test_the_lock_outlives_the_cache_and_each_lot_of_wrong_ones_rests_longer(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        lock_out("dealer")
        cache.clear()
        assert not is_in(sign_in("dealer")) and not is_in(sign_in("DEALER"))
        assert is_in(sign_in("floor"))
        clock.shift(REST)
        lock_out("dealer")
        clock.shift(REST)
        assert not is_in(sign_in("dealer"))
        clock.shift(LONGEST_REST)
        assert is_in(sign_in("dealer"))
        assert not Lockout.objects.exists()


def test_wrong_passwords_lock_no_pin_and_wrong_pins_no_password(cast: Cast) -> None:
    lock_out("dealer")
    assert person_by_pin(cast.room, "dealer", PIN) == cast.people["dealer"]
    for _ in range(MOST_TRIES[Kind.PIN]):
        with pytest.raises(PinRefused):
            person_by_pin(cast.room, "floor", "999999")
    assert is_in(sign_in("floor"))


def test_a_supervisor_sees_who_is_locked_out_and_lifts_it(cast: Cast) -> None:
    lock_out("dealer")
    lock_out("rival_dealer")
    lock_out("nobody of that name")
    browser = sign_in("floor")
    page = browser.get(f"/rooms/{cast.room.code}/").content.decode()
    assert "10 wrong tries at the Password" in page and page.count("Lift the lock") == 1
    assert "Locked out" not in sign_in("compliance").get(f"/rooms/{cast.room.code}/").content.decode()
    form = re.search(r'action="(/rooms/[^"]+/lockouts/\d+/lift/)">(.*?)</form>', page, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2]))
    done = browser.post(form[1], fields, follow=True)
    assert "The lock is lifted." in done.content.decode()
    assert is_in(sign_in("dealer"))
    entry = JournalEntry.objects.get(command="lockout_lift")
    assert (entry.actor, entry.data["person"]["id"], entry.data["kinds"]) == (
        cast.people["floor"],
        cast.people["dealer"].pk,
        ["password"],
    )


def test_who_lifts_which_lock(cast: Cast) -> None:
    lock_out("floor")
    floor, rival = cast.people["floor"], cast.people["rival_dealer"]
    with pytest.raises(Forbidden, match="their own"):
        cast.send_room(lockout_lift, "floor", staff_id=floor.pk)
    with pytest.raises(NotFound):
        cast.send_room(lockout_lift, "floor", staff_id=rival.pk)
    with pytest.raises(NotNow, match="not locked out"):
        cast.send_room(lockout_lift, "floor", staff_id=cast.people["dealer"].pk)
    cast.send_room(lockout_lift, "shift_manager", staff_id=floor.pk)
    assert not Lockout.objects.exists()


@pytest.mark.parametrize("common", ["password123", "1234567890", "iloveyou12", "qwertyuiop", "dealer1234"])
def test_common_passwords_are_refused(cast: Cast, common: str) -> None:
    browser = sign_in("dealer")
    given = {"oldpassword": PASSWORD, "password1": common, "password2": common}
    assert browser.post("/accounts/password/change/", given).status_code == 200
    assert Staff.objects.get(username="dealer").check_password(PASSWORD)


def change(browser: Client, old: str, new: str = "a word of their own") -> Any:
    return browser.post(
        "/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new}
    )


def test_a_password_that_a_manager_set_is_changed_before_anything_else(cast: Cast) -> None:
    signed = {"approver": cast.people["compliance"]}
    given = {"staff_id": cast.people["dealer"].pk, "password": NEW}
    cast.send_room(password_set, "room_manager", **given, **signed)
    browser = sign_in("dealer", NEW)
    assert is_in(browser)
    for address in ("/", "/account/", f"/rooms/{cast.room.code}/", "/accounts/2fa/"):
        assert browser.get(address)["Location"] == "/accounts/password/change/", address
    refused = browser.get("/api/rooms")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "password_change_required")
    assert "Somebody else set your password" in browser.get("/accounts/password/change/").content.decode()
    assert change(browser, NEW, NEW).status_code == 200, "the same password again is none of their own"
    assert change(browser, NEW)["Location"] == "/"
    assert browser.get("/account/").status_code == 200


def test_a_new_accounts_password_is_changed_at_the_first_sign_in(cast: Cast) -> None:
    made = {"username": "newcomer", "name": "New Comer", "badge": "N-1", "password": NEW}
    cast.send_room(account_make, "room_manager", **made)
    browser = sign_in("newcomer", NEW)
    assert browser.get("/account/")["Location"] == "/accounts/password/change/"
    assert change(browser, NEW)["Location"] == "/account/pin/", "who has no PIN yet is led to set one"
    assert list(histories_verify([Staff])) == []


def test_nobody_sets_their_own_password_for_themselves_and_who_changes_it_is_not_asked_again(
    cast: Cast,
) -> None:
    given = {"staff_id": cast.people["room_manager"].pk, "password": NEW}
    with pytest.raises(FloorError) as error:
        cast.send_room(password_set, "room_manager", **given, approver=cast.people["compliance"])
    assert error.value.code == "own_account"
    assert change(sign_in("room_manager"), PASSWORD, NEW).status_code == 302
    assert sign_in("room_manager", NEW).get("/account/").status_code == 200
