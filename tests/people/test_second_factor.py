"""The second factor: who is led to one, codes of an app computed here, recovery codes, and what is stored of them."""

from __future__ import annotations

import datetime
import html
import re
import time
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.floor.commands.accounts import second_factor_off
from cardroom.floor.commands.lockouts import lockout_lift
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry
from cardroom.people.approval import SignatureGiven
from cardroom.people.models import Lockout, Role, Staff
from cardroom.people.second_factor import LAST_FACTOR, ROLES
from tests.cast import PASSWORD, PIN, Cast

from .totp import code_of


@pytest.fixture(autouse=True)
def required(settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True


def signed_in(username: str, browser: Client | None = None) -> Client:
    browser = browser or Client()
    browser.post("/accounts/login/", {"login": username, "password": PASSWORD})
    return browser


def set_up(browser: Client) -> str:
    """Set an app up; the key that it was given."""
    page = browser.get("/accounts/2fa/totp/activate/").content.decode()
    key = re.search(r"<code>([A-Z2-7]+)</code>", page)
    assert key is not None
    done = browser.post("/accounts/2fa/totp/activate/", {"code": code_of(key[1])})
    assert done.status_code == 302, done.content.decode()
    return key[1]


def signed_in_by_app(username: str, key: str) -> Client:
    """Sign in with the app's next code: the one of now has been used to set it up."""
    browser = signed_in(username)
    browser.post("/accounts/2fa/authenticate/", {"code": code_of(key, ahead=30)})
    return browser


@pytest.mark.parametrize("role", [str(role) for role in Role])
def test_the_roles_that_need_one_can_do_nothing_before_it_is_set_up(cast: Cast, role: str) -> None:
    browser = signed_in(role)
    home = browser.get("/account/")
    api = browser.get("/api/rooms")
    if Role(role) not in ROLES:
        assert (home.status_code, api.status_code) == (200, 200)
        return
    assert home["Location"] == "/accounts/2fa/"
    assert (api.status_code, api.json()["error"]["code"]) == (403, "second_factor_required")
    for address in ("/", "/account/pin/", "/admin/", f"/rooms/{cast.room.code}/", "/rules/"):
        assert browser.get(address)["Location"] == "/accounts/2fa/", address
    assert "A password alone" in browser.get("/accounts/2fa/").content.decode()
    browser = signed_in_by_app(role, set_up(browser))
    assert browser.get("/account/").status_code == 200
    assert browser.get("/api/rooms").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_who_has_just_set_one_up_goes_on_at_once(cast: Cast) -> None:
    browser = signed_in("compliance")
    set_up(browser)
    assert browser.get("/account/").status_code == 200


def test_the_installation_may_leave_it_to_each_person(cast: Cast, settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = False
    browser = signed_in("compliance")
    assert browser.get("/account/").status_code == 200
    set_up(browser)
    assert signed_in("compliance").get("/account/").status_code == 302, "who has one signs in with it"


def test_the_next_sign_in_asks_for_a_code_and_each_code_opens_once(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        key = set_up(signed_in("compliance"))
        clock.shift(60)
        code, browser = code_of(key), Client()
        asked = browser.post("/accounts/login/", {"login": "compliance", "password": PASSWORD})
        assert asked["Location"].startswith("/accounts/2fa/authenticate/")
        assert "_auth_user_id" not in browser.session
        assert browser.get("/account/")["Location"].startswith("/accounts/login/")
        wrong = browser.post("/accounts/2fa/authenticate/", {"code": "000000"})
        assert wrong.status_code == 200 and "Incorrect code" in wrong.content.decode()
        browser.post("/accounts/2fa/authenticate/", {"code": code})
        assert browser.get("/account/").status_code == 200
        # Seen over the shoulder, it opens nothing more.
        other = signed_in("compliance")
        assert other.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 200
        assert "_auth_user_id" not in other.session


def test_a_recovery_code_signs_in_once(cast: Cast) -> None:
    browser = signed_in("compliance")
    set_up(browser)
    page = browser.get("/accounts/2fa/recovery-codes/").content.decode()
    code = re.findall(r"\b\d{8}\b", page)[0]
    for opens in (True, False):
        other = signed_in("compliance")
        other.post("/accounts/2fa/authenticate/", {"code": code})
        assert ("_auth_user_id" in other.session) is opens


def test_guessed_codes_are_counted_by_person_outlive_the_cache_and_are_lifted(cast: Cast) -> None:
    key = set_up(signed_in("compliance"))
    browser = signed_in("compliance")
    with time_machine.travel(time.time() + 60, tick=False):
        for _ in range(12):
            answer = browser.post("/accounts/2fa/authenticate/", {"code": "000000"})
        assert "Too many" in answer.content.decode()
        cache.clear()
        browser.post("/accounts/2fa/authenticate/", {"code": code_of(key)})
        assert "_auth_user_id" not in browser.session
        lock = Lockout.objects.get(kind="second_factor")
        assert (lock.tries, lock.refused) == (10, 3)
        cast.send_room(lockout_lift, "floor", staff_id=cast.people["compliance"].pk)
        assert JournalEntry.objects.get(command="lockout_lift").data["refused"] == 3
        browser.post("/accounts/2fa/authenticate/", {"code": code_of(key)})
        assert "_auth_user_id" in browser.session
        assert not Lockout.objects.exists()


def test_a_fresh_sign_in_by_code_is_counted_too(cast: Cast) -> None:
    browser = signed_in_by_app("compliance", set_up(signed_in("compliance")))
    browser.post("/accounts/2fa/reauthenticate/", {"code": "000000"})
    assert Lockout.objects.get(kind="second_factor").tries == 1


def test_the_role_is_read_with_the_person_by_no_query_more(cast: Cast, settings: Any) -> None:
    """What every request of a dealer costs: as much where the second factor is required as where it is not."""
    browser = signed_in("dealer")
    browser.get("/rules/")
    counts = []
    for required in (False, True):
        settings.SECOND_FACTOR_REQUIRED = required
        with CaptureQueriesContext(connection) as queries:
            assert browser.get("/rules/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_session_without_the_factor_ends_once_another_session_set_one_up(cast: Cast) -> None:
    early, browser = signed_in("compliance"), signed_in("compliance")
    set_up(browser)
    assert early.get("/account/")["Location"].startswith("/accounts/login/")
    assert "_auth_user_id" not in early.session


def test_the_secret_is_encrypted_by_the_sites_key(cast: Cast) -> None:
    key = set_up(signed_in("compliance"))
    stored = str(Authenticator.objects.values_list("data", flat=True))
    assert key not in stored


def test_the_only_factor_of_who_needs_one_stays(cast: Cast) -> None:
    browser = signed_in("compliance")
    set_up(browser)
    kept = browser.post("/accounts/2fa/totp/deactivate/")
    assert kept.status_code == 200 and LAST_FACTOR in html.unescape(kept.content.decode())
    assert Authenticator.objects.filter(type="totp").exists()
    dealer = signed_in("dealer")
    set_up(dealer)
    assert dealer.post("/accounts/2fa/totp/deactivate/").status_code == 302
    assert not Authenticator.objects.filter(user__username="dealer").exists()
    assert dealer.get("/account/").status_code == 200


def test_the_only_passkey_of_who_needs_one_stays_and_one_of_two_goes(cast: Cast) -> None:
    browser = signed_in_by_app("compliance", set_up(signed_in("compliance")))
    staff = cast.people["compliance"]
    keys = [Authenticator.objects.create(user=staff, type="webauthn", data={"name": name}) for name in "ab"]
    Authenticator.objects.filter(user=staff, type="totp").delete()
    for key in keys:
        answer = browser.post(f"/accounts/2fa/webauthn/keys/{key.pk}/remove/", follow=True)
    assert LAST_FACTOR in html.unescape(answer.content.decode())
    assert [each.pk for each in Authenticator.objects.filter(user=staff, type="webauthn")] == [keys[1].pk]
    other = Authenticator.objects.create(user=cast.people["floor"], type="webauthn", data={"name": "c"})
    assert browser.post(f"/accounts/2fa/webauthn/keys/{other.pk}/remove/").status_code == 404


def test_a_role_that_is_given_later_asks_at_the_next_request(cast: Cast) -> None:
    browser = signed_in("dealer")
    assert browser.get("/account/").status_code == 200
    cast.hire("dealer", Role.COUNT)
    assert browser.get("/account/")["Location"] == "/accounts/2fa/"


def test_a_tablet_that_a_pin_opened_asks_for_none(cast: Cast) -> None:
    """What a shift manager may do at one table is less than what the factor guards."""
    cast.open()
    browser = signed_in("dealer")
    browser.post(f"/tables/{cast.table.pk}/take-over/", {"person": "shift_manager", "pin": PIN})
    assert browser.get(f"/tables/{cast.table.pk}/").status_code == 200
    assert browser.get("/account/").status_code == 403


def test_a_room_manager_takes_a_lost_factor_off_but_never_their_own(cast: Cast) -> None:
    Staff.objects.filter(username="outsider").update(username="room_manager_2")
    cast.hire("outsider", Role.ROOM_MANAGER)
    set_up(signed_in("compliance"))
    set_up(signed_in("room_manager"))
    signers = {who: SignatureGiven(who, PIN) for who in ("shift_manager", "room_manager_2")}
    for who, signer, code in (
        ("compliance", None, "approver_required"),
        ("compliance", "shift_manager", "approver_may_not"),
        ("room_manager", "room_manager_2", "own_account"),
        ("rival_compliance", "room_manager_2", "unknown_account"),
        ("compliance", "room_manager_2", "ok"),
        ("compliance", "room_manager_2", "no_second_factor"),
    ):
        about = {"staff_id": cast.people[who].pk, "approver": signers[signer] if signer else None}
        try:
            cast.send_room(second_factor_off, "room_manager", **about)
            answer = "ok"
        except FloorError as refused:
            answer = refused.code
        assert answer == code, who
    assert set(Authenticator.objects.values_list("user__username", flat=True)) == {"room_manager"}
    assert signed_in("compliance").get("/account/")["Location"] == "/accounts/2fa/"


def test_setting_one_up_takes_a_fresh_sign_in(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in("compliance")
        clock.shift(datetime.timedelta(minutes=11))
        asked = browser.get("/accounts/2fa/totp/activate/")
        assert asked["Location"].startswith("/accounts/reauthenticate/")
