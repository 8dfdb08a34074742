"""Sessions: a person's own, listed and ended; locked and unlocked; and what takes a fresh sign-in."""

from __future__ import annotations

import datetime
import json
from typing import Any
from urllib.parse import quote

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from cardroom.people.lockouts import MOST_TRIES, Kind
from cardroom.people.models import Staff
from cardroom.people.sessions import FRESH, LONGEST, TO_SEND, open_sessions
from cardroom.people.tasks import purge_sessions
from tests.cast import PASSWORD, PIN, Cast, new_key

MINUTE = datetime.timedelta(minutes=1)
SCRIPT = {"headers": {"Accept": "application/json"}}


def signed_in(username: str, **headers: str) -> Client:
    browser = Client(**headers)  # type: ignore[arg-type]
    browser.post("/accounts/login/", {"login": username, "password": PASSWORD})
    return browser


def is_in(browser: Client) -> bool:
    return browser.get("/account/").status_code == 200


def test_a_person_sees_their_sessions_and_ends_them_on_whatever_tablet(cast: Cast) -> None:
    here = signed_in("dealer", HTTP_USER_AGENT="The tablet in hand")
    there = signed_in("dealer", HTTP_USER_AGENT="The tablet that was left", REMOTE_ADDR="10.0.0.9")
    other = signed_in("floor")
    page = here.get("/account/").content.decode()
    assert "The tablet that was left" in page and "10.0.0.9" in page and page.count("this one") == 1
    theirs = UserSession.objects.get(user=cast.people["floor"])
    here.post(f"/account/sessions/{theirs.pk}/end/")
    assert is_in(other), "one person ended another's session"
    left = UserSession.objects.get(user_agent="The tablet that was left")
    assert here.post(f"/account/sessions/{left.pk}/end/").status_code == 302
    assert not is_in(there) and is_in(here)
    assert "The tablet that was left" not in here.get("/account/").content.decode()
    here.post("/accounts/logout/")
    assert not open_sessions(cast.people["dealer"])


def test_a_session_that_a_pin_opened_is_listed_as_one(cast: Cast) -> None:
    cast.open()
    tablet = signed_in("dealer")
    tablet.post(f"/tables/{cast.table.pk}/take-over/", {"person": "dealer_2", "pin": PIN})
    here = signed_in("dealer_2")
    page = here.get("/account/").content.decode()
    assert page.count("PIN at a table") == 1 and page.count("password or passkey") == 1
    assert not open_sessions(cast.people["dealer"]), "what the person before had open has ended"


@pytest.mark.postgresql
def test_all_sessions_end_when_the_account_is_closed_or_its_password_changes(cast: Cast) -> None:
    for end in ("closed", "password"):
        browsers = [signed_in("dealer"), signed_in("dealer")]
        dealer = cast.people["dealer"]
        if end == "closed":
            Staff.objects.filter(pk=dealer.pk).update(is_active=False)
        else:
            dealer.set_password("another one of these")
            dealer.save()
        for browser in browsers:
            assert browser.get("/api/rooms").status_code == 401
            assert not is_in(browser)
        Staff.objects.filter(pk=dealer.pk).update(is_active=True)


def test_a_session_ends_after_a_long_shift_used_or_not(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in("dealer")
        for _ in range(3):
            clock.shift(LONGEST / 3 - MINUTE)
            assert is_in(browser)
        clock.shift(4 * MINUTE)
        assert browser.get("/api/rooms").status_code == 401
        assert not is_in(browser)


@pytest.mark.parametrize("secret", [PIN, PASSWORD])
def test_a_locked_session_opens_nothing_until_its_person_unlocks_it(cast: Cast, secret: str) -> None:
    cast.open()
    browser, table = signed_in("dealer"), f"/tables/{cast.table.pk}/"
    locked = browser.post("/account/lock/", headers={"Referer": f"http://testserver{table}"})
    assert locked["Location"] == f"/account/locked/?next=%2Ftables%2F{cast.table.pk}%2F"
    assert browser.get(table)["Location"] == locked["Location"]
    assert browser.get("/admin/").status_code == 302
    refused = browser.post(f"{table}commands/bank/", {})
    assert refused.status_code == 403 and "locked" in refused.content.decode()
    assert browser.get("/api/rooms").json()["error"]["code"] == "locked"
    assert browser.get(f"{table}live/").status_code == 200, "the layer lies over a page that goes on"
    assert "<h1>Locked</h1>" in browser.get(locked["Location"]).content.decode()
    for wrong in ("999999", "not the password", ""):
        assert browser.post("/account/unlock/", {"secret": wrong, "next": table}).status_code == 403
    done = browser.post("/account/unlock/", {"secret": secret, "next": table})
    assert done["Location"] == table and browser.get(table).status_code == 200
    assert browser.get("/account/locked/?next=https://elsewhere.example/")["Location"] == "/"


def test_the_layer_of_a_table_page_asks_by_script(cast: Cast) -> None:
    browser = signed_in("dealer")
    assert browser.post("/account/lock/", **SCRIPT).status_code == 204  # type: ignore[arg-type]
    wrong = browser.post("/account/unlock/", {"secret": "999999"}, **SCRIPT)  # type: ignore[arg-type]
    assert (wrong.status_code, "neither your PIN" in json.loads(wrong.content)["message"]) == (403, True)
    assert browser.post("/account/unlock/", {"secret": PIN}, **SCRIPT).status_code == 204  # type: ignore[arg-type]
    assert is_in(browser)


@pytest.mark.parametrize(
    ("right", "wrong", "kind"), [(PIN, "999999", Kind.PIN), (PASSWORD, "guess", Kind.PASSWORD)]
)
def test_guesses_at_a_lock_are_counted(cast: Cast, right: str, wrong: str, kind: Kind) -> None:
    browser = signed_in("dealer")
    browser.post("/account/lock/")
    for _ in range(MOST_TRIES[kind]):
        browser.post("/account/unlock/", {"secret": wrong})
    resting = browser.post("/account/unlock/", {"secret": right})
    assert resting.status_code == 403 and "Too many" in resting.content.decode()


def test_somebody_else_takes_a_locked_tablet_over(cast: Cast) -> None:
    cast.open()
    browser = signed_in("dealer")
    browser.post("/account/lock/")
    browser.post(f"/tables/{cast.table.pk}/take-over/", {"person": "dealer_2", "pin": PIN})
    assert browser.get(f"/tables/{cast.table.pk}/").status_code == 200
    browser.post("/account/lock/")
    assert browser.get(f"/tables/{cast.table.pk}/").status_code == 302
    browser.post("/account/unlock/", {"secret": PIN})
    assert browser.get(f"/tables/{cast.table.pk}/").status_code == 200


def test_changes_of_people_take_a_fresh_sign_in_on_pages_and_in_the_api(cast: Cast) -> None:
    one = f"/rooms/{cast.room.code}/people/{cast.people['dealer'].pk}/"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        manager = signed_in("room_manager")
        assert f'action="{one}password/"' in manager.get(one).content.decode()
        clock.shift(FRESH + MINUTE)
        read = manager.get(one)  # read it may be
        assert read.status_code == 200 and "Sign in afresh" in read.content.decode()
        assert f'action="{one}password/"' not in read.content.decode()
        # What was opened in time is sent in time; later nothing is changed, and nothing of it is kept.
        assert manager.post(f"{one}password/", {}).status_code == 422
        clock.shift(TO_SEND)
        late = manager.post(
            f"{one}password/",
            {"password": "a secret of theirs"},
            headers={"Referer": f"http://testserver{one}"},
        )
        assert late["Location"] == f"/accounts/reauthenticate/?next={quote(one, safe='')}"
        assert "a secret" not in str(dict(manager.session))
        reply = manager.post(
            f"/api/rooms/{cast.room.pk}/staff/{cast.people['dealer'].pk}/close",
            "{}",
            content_type="application/json",
            headers={"If-Match": '"0"', "Idempotency-Key": new_key()},
        )
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "fresh_sign_in_required")
        again = manager.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": one}, follow=True)
        assert again.redirect_chain[-1][0] == one and "Nothing was changed" in again.content.decode()
        assert f'action="{one}password/"' in manager.get(one).content.decode()


def test_filings_take_a_fresh_sign_in_on_pages_and_in_the_api(cast: Cast) -> None:
    page = f"/rooms/{cast.room.code}/schedules/1/1/withdraw/"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in("compliance")
        clock.shift(TO_SEND + MINUTE)
        assert browser.post(page, {})["Location"].startswith("/accounts/reauthenticate/?next=%2F")
        schedule = cast.room.feeschedule_versions.get(number=1)
        reply = browser.post(
            f"/api/rooms/{cast.room.pk}/schedules/versions/{schedule.pk}/withdraw",
            json.dumps({"reason": "x", "approver": {"username": "room_manager", "pin": PIN}}),
            content_type="application/json",
            headers={"If-Match": f'"{schedule.digest}"', "Idempotency-Key": new_key()},
        )
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "fresh_sign_in_required")
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/"})
        assert browser.post(page, {}).status_code == 422


def test_at_a_tablet_that_a_pin_opened_a_correction_takes_the_pin_again(cast: Cast) -> None:
    cast.open()
    cast.bank_to(3)
    round_ = _played(cast)
    page = f"/tables/{cast.table.pk}/rounds/{round_}/correct/"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in("floor")
        there = f"/tables/{cast.table.pk}/take-over/"
        browser.post(there, {"person": "dealer", "pin": PIN})
        assert browser.get(page).status_code == 200
        clock.shift(FRESH + MINUTE)
        asked = browser.get(page)["Location"]
        assert asked.startswith(there)
        done = browser.post(asked, {"person": "dealer", "pin": PIN})
        assert done["Location"] == page and browser.get(page).status_code == 200


def _played(cast: Cast) -> Any:
    from cardroom.floor.commands.rounds import round_record
    from tests.cast import sheet

    return cast.send(round_record, "dealer", sheet=sheet({4: 2000, 5: 2000}))["round"]


def test_sessions_that_have_expired_are_deleted_with_what_names_their_persons_and_no_others(
    cast: Cast,
) -> None:
    now = timezone.now()
    with time_machine.travel(now - LONGEST - MINUTE):
        signed_in("dealer")
    here = signed_in("floor")
    assert (Session.objects.count(), UserSession.objects.count()) == (2, 2)
    purge_sessions()
    assert [each.user.get_username() for each in UserSession.objects.all()] == ["floor"]
    assert Session.objects.get().session_key == here.session.session_key
    assert is_in(here)
