"""PINs: which are refused, whose a name or badge is, and how guessing is stopped and lifted."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.test import Client, override_settings
from django.utils import timezone

from cardroom.floor.verification.rows import rows_verify
from cardroom.people.lockouts import (
    LONGEST_REST,
    MOST_TRIES,
    MOST_WRONG_PINS,
    REST,
    Kind,
    is_locked,
    strangers_purged,
    tries_forgotten,
)
from cardroom.people.models import Employment, Lockout, Pin, Role, Staff
from cardroom.people.pins import (
    PinRefused,
    person_by_pin,
    pin_hash,
    pin_opens,
    pin_set,
    pins_set_up,
    why_not_pin,
)
from tests.cast import PASSWORD, PIN, Cast, give_pin
from tests.figures import text_figure

TRIES = MOST_TRIES[Kind.PIN]


@pytest.mark.parametrize(
    ("pin", "text"),
    [
        ("123", "4 to 6 digits"),
        ("1234567", "4 to 6 digits"),
        ("12a4", "4 to 6 digits"),
        ("\u0661\u0662\u0663\u0669", "4 to 6 digits"),  # digits of another script
        ("", "4 to 6 digits"),
        ("0000", "repeats"),
        ("777777", "repeats"),
        ("4747", "repeats"),
        ("123123", "repeats"),
        ("909090", "repeats"),
        ("1234", "goes up"),
        ("7890", "goes up"),
        ("54321", "goes up"),
        ("2580", "keypad"),
        ("1987", "year"),
        ("2014", "year"),
        ("1225", "date"),
        ("2512", "date"),
        ("9043", "your badge's number"),
        ("40417", "your user name"),
    ],
)
def test_a_simple_pin_is_refused_with_its_reason(pin: str, text: str) -> None:
    why = why_not_pin(pin, Staff(username="40417", badge="9043"))
    assert why is not None and text in why


@pytest.mark.parametrize("pin", ["4829", "84037", "840372", "9174"])
def test_other_pins_are_taken(pin: str) -> None:
    assert why_not_pin(pin, Staff(username="kim", badge="9043")) is None


@pytest.mark.postgresql
def test_a_pin_is_a_hash_that_needs_the_sites_key(cast: Cast) -> None:
    pin_set(cast.people["dealer"], "4829")
    stored = Pin.objects.get(staff=cast.people["dealer"])
    assert (
        not text_figure(stored.hash, "4829") and pin_opens("4829", stored) and not pin_opens("4828", stored)
    )
    with override_settings(SECRET_KEY="another key of the site"):
        assert not pin_opens("4829", stored)
    assert pin_hash("4829", stored.staff) != stored.hash, "a hash without a salt shows who has the same PIN"
    with pytest.raises(ValueError, match="year"):
        pin_set(cast.people["dealer"], "1999")


@pytest.mark.postgresql
def test_a_pins_hash_copied_to_another_person_signs_as_nobody(cast: Cast) -> None:
    pin_set(cast.people["dealer"], "4829")
    mine = Pin.objects.get(staff=cast.people["dealer"]).hash
    Pin.objects.filter(staff=cast.people["floor"]).update(hash=mine)
    with pytest.raises(PinRefused):
        person_by_pin(cast.room, "floor", "4829")
    pin_set(cast.people["floor"], "9174")
    assert not list(rows_verify(models=[Pin]))
    Pin.objects.filter(staff=cast.people["floor"]).update(hash=mine)
    assert [found.id for found in rows_verify(models=[Pin])] == [cast.people["floor"].pk]


@pytest.mark.postgresql
def test_pins_that_a_command_set_up_are_covered_by_the_journal(cast: Cast) -> None:
    people = [cast.people["floor"], cast.people["rival_floor"]]
    pins_set_up(people, "4829")
    assert person_by_pin(cast.room, "floor", "4829") == people[0]
    assert not list(rows_verify(models=[Pin]))
    floor, rival = (Pin.objects.filter(staff=person) for person in people)
    floor.update(set_at=timezone.now())
    assert [found.id for found in rows_verify(models=[Pin])] == [people[0].pk]
    rival.update(hash=floor.get().hash)
    assert {found.id for found in rows_verify(models=[Pin])} == {person.pk for person in people}


def test_a_person_is_named_by_user_name_or_by_the_badge_of_the_room(cast: Cast) -> None:
    dealer, rival = cast.people["dealer"], cast.people["rival_dealer"]
    Staff.objects.filter(pk__in=(dealer.pk, rival.pk)).update(badge="77")
    for room, person in ((cast.room, dealer), (cast.rival, rival)):
        assert person_by_pin(room, "77", PIN) == person
    assert person_by_pin(cast.room, " DEALER ", PIN) == dealer
    with pytest.raises(PinRefused):
        person_by_pin(cast.room, "rival_dealer", PIN)  # who works elsewhere is nobody here
    # A badge is read in the rooms of its holder alone: at home first, then where they work as well.
    Staff.objects.filter(pk=dealer.pk).update(badge="78")
    with pytest.raises(PinRefused):
        person_by_pin(cast.rival, "78", PIN)
    Employment.objects.create(staff=dealer, room=cast.rival, role=Role.DEALER)
    assert person_by_pin(cast.rival, "78", PIN) == dealer
    Staff.objects.filter(pk=dealer.pk).update(badge="77")
    assert person_by_pin(cast.rival, "77", PIN) == rival


def test_a_name_without_a_pin_a_wrong_pin_and_a_stranger_are_told_alike(cast: Cast) -> None:
    Pin.objects.filter(staff=cast.people["floor_2"]).delete()
    said = set()
    for named, pin in (("floor", "999999"), ("floor_2", PIN), ("nobody", PIN), ("", PIN), ("floor", "")):
        with pytest.raises(PinRefused) as refused:
            person_by_pin(cast.room, named, pin)
        said.add((refused.value.code, refused.value.message, refused.value.status))
    assert len(said) == 1


def guess(cast: Cast, named: str, times: int, pin: str = "999999") -> str:
    """Guess so often; the code of the last refusal."""
    code = ""
    for _ in range(times):
        with pytest.raises(PinRefused) as refused:
            person_by_pin(cast.room, named, pin)
        code = refused.value.code
    return code


@pytest.mark.postgresql
def test_wrong_pins_lock_the_person_by_name_and_badge_and_each_lot_rests_longer(cast: Cast) -> None:
    Staff.objects.filter(username="floor").update(badge="55")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        guess(cast, "floor", 2)
        assert guess(cast, "55", TRIES - 2) == "approver_not_known"
        for named in ("floor", "FLOOR", "55"):
            assert guess(cast, named, 1, PIN) == "approver_resting"
        clock.shift(REST)
        assert guess(cast, "55", TRIES) == "approver_not_known"
        clock.shift(REST)
        assert guess(cast, "floor", 1, PIN) == "approver_resting", "the second lot rests as long as the first"
        clock.shift(REST)
        assert person_by_pin(cast.room, "floor", PIN) == cast.people["floor"]
        assert not Lockout.objects.exists()


def test_after_many_wrong_pins_only_a_supervisor_or_a_new_pin_opens(cast: Cast) -> None:
    floor = cast.people["floor"]
    for opened in ("lifted", "set anew"):
        with time_machine.travel(timezone.now(), tick=False) as clock:
            for _ in range(MOST_WRONG_PINS // TRIES):
                guess(cast, "floor", TRIES)
                clock.shift(LONGEST_REST)
            clock.shift(datetime.timedelta(days=300))
            assert guess(cast, "floor", 1, PIN) == "approver_resting"
            assert is_locked(Kind.PIN, floor)
            if opened == "lifted":
                assert tries_forgotten(Kind.PIN, floor)
            else:
                pin_set(floor, PIN)
            assert person_by_pin(cast.room, "floor", PIN) == floor


def test_the_count_of_names_that_are_nobodys_is_deleted_in_time(cast: Cast) -> None:
    guess(cast, "my password, by mistake", 1)
    guess(cast, "floor", 1)
    assert "mistake" not in str(Lockout.objects.values_list("subject", flat=True))
    assert strangers_purged() == 0
    with time_machine.travel(timezone.now() + datetime.timedelta(days=2)):
        assert strangers_purged() == 1
    assert Lockout.objects.get().staff == cast.people["floor"]


def signed_in(username: str) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": username, "password": PASSWORD})
    return browser


def test_a_person_sets_their_own_pin_after_a_fresh_sign_in(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in("dealer")
        assert "Your PIN" in browser.get("/account/").content.decode()
        simple = browser.post("/account/pin/", {"pin": "1234", "again": "1234"})
        assert simple.status_code == 422 and "guessed first" in simple.content.decode()
        unlike = browser.post("/account/pin/", {"pin": "4829", "again": "4828"})
        assert unlike.status_code == 422 and "not the same" in unlike.content.decode()
        assert "4829" not in unlike.content.decode()
        done = browser.post("/account/pin/", {"pin": "4829", "again": "4829"})
        assert (done.status_code, done["Location"]) == (302, "/account/")
        assert person_by_pin(cast.room, "dealer", "4829") == cast.people["dealer"]
        # Later the password is asked for again: the tablet may lie open.
        clock.shift(datetime.timedelta(minutes=11))
        stale = browser.get("/account/pin/")
        assert stale["Location"] == "/accounts/reauthenticate/?next=%2Faccount%2Fpin%2F"
        again = browser.post(
            "/accounts/reauthenticate/", {"password": PASSWORD, "next": "/account/pin/"}, follow=True
        )
        assert again.redirect_chain[-1][0] == "/account/pin/" and again.status_code == 200


def test_the_next_dealer_takes_the_tablet_over_by_badge_and_pin(cast: Cast) -> None:
    cast.open()
    Staff.objects.filter(username="dealer_2").update(badge="1002")
    here, there = cast.table, f"/tables/{cast.table.pk}/take-over/"
    browser = signed_in("dealer")
    before = browser.session.session_key
    assert "Who works at" in browser.get(there).content.decode()
    for typed, status, text in (
        ({"person": "1002", "pin": "99999"}, 403, "belong to nobody here"),
        ({"person": "compliance", "pin": PIN}, 403, "Not authorized to"),
        ({"person": "1002", "pin": ""}, 422, "required"),
    ):
        refused = browser.post(there, typed)
        assert refused.status_code == status and text in refused.content.decode()
        assert browser.session["_auth_user_id"] == str(cast.people["dealer"].pk)
    done = browser.post(there, {"person": "1002", "pin": PIN})
    assert done["Location"] == f"/tables/{here.pk}/"
    assert browser.session["_auth_user_id"] == str(cast.people["dealer_2"].pk)
    assert browser.session.session_key != before
    assert not type(browser.session)().exists(before)
    # By PIN the tablet opens this table and nothing else, on pages and in the API.
    assert browser.get(f"/tables/{here.pk}/").status_code == 200
    assert browser.get(f"/api/tables/{here.pk}").status_code == 200
    assert browser.get("/")["Location"] == f"/tables/{here.pk}/"
    for address in (
        "/account/",
        "/account/pin/",
        "/accounts/password/change/",
        f"/rooms/{cast.room.code}/",
        "/admin/",
    ):
        assert browser.get(address).status_code == 403, address
    closed = browser.get("/api/rooms")
    assert (closed.status_code, closed.json()["error"]["code"]) == (403, "password_required")
    # A password opens the rest.
    browser.post("/accounts/login/", {"login": "dealer_2", "password": PASSWORD})
    assert browser.get("/account/").status_code == 200


def test_a_pin_opens_no_browser_of_its_own_and_lengthens_no_session(cast: Cast) -> None:
    cast.open()
    there = f"/tables/{cast.table.pk}/take-over/"
    stranger = Client()
    assert stranger.post(there, {"person": "dealer", "pin": PIN})["Location"].startswith("/accounts/login/")
    assert "_auth_user_id" not in stranger.session
    rival = signed_in("rival_floor")
    assert rival.post(there, {"person": "dealer", "pin": PIN}).status_code == 404
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in("dealer")
        clock.shift(datetime.timedelta(hours=7))
        browser.post(there, {"person": "dealer_2", "pin": PIN})
        assert browser.get(f"/tables/{cast.table.pk}/").status_code == 200
        clock.shift(datetime.timedelta(hours=6))
        over = browser.get(f"/tables/{cast.table.pk}/")
        assert over["Location"].startswith("/accounts/login/")
        assert "_auth_user_id" not in browser.session


def test_the_cast_signs_with_one_pin(cast: Cast) -> None:
    other = Staff.objects.create(username="newcomer")
    Employment.objects.create(staff=other, room=cast.room, role=Role.DEALER)
    give_pin(other)
    assert person_by_pin(cast.room, "newcomer", PIN) == other
