"""The pages of a room's people: found, made, changed by who may with a second person, and closed to everybody else."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.utils import timezone

from cardroom.people.models import Employment, PasswordReset, Role, Staff, WorkPermit
from tests.cast import PIN, Cast, open_cast

from ..conftest import Person

ROOM = "/rooms/cache-slough"
NEW = "nine high straight beats it"
SIGNED = {"approver": "compliance", "approver_pin": PIN}


@pytest.fixture
def cast(db: None) -> Cast:
    return open_cast()


def test_a_person_is_made_given_a_role_and_changed_on_their_page(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("room_manager")
    manager.open(f"{ROOM}/people/")
    manager.post(f"{ROOM}/people/make/", name="Kim Aguilar", username="kaguilar", badge="101", password=NEW)
    kim = Staff.objects.get(username="kaguilar")
    own = f"{ROOM}/people/{kim.pk}/"
    assert manager.open(own).status_code == 200
    manager.post(f"{own}role/", role="dealer", provider_id="", **SIGNED)
    role = Employment.objects.get(staff=kim)
    assert "signed by Compliance" in manager.text
    manager.post(f"{own}permit/", number="WP-1", expires=(timezone.now().date()).isoformat())
    assert "Work permit ends" in manager.open(own).content.decode()
    assert manager.post(f"{own}badge/", badge="102", approver="", approver_pin="").status_code == 422
    assert manager.post(f"{own}badge/", badge="102", approver="floor", approver_pin=PIN).status_code == 403
    manager.open(own)
    manager.post(f"{own}badge/", badge="102", **SIGNED)
    manager.post(f"{own}roles/{role.pk}/change/", role="support", provider_id="", **SIGNED)
    kim.refresh_from_db()
    role.refresh_from_db()
    assert (kim.badge, role.role) == ("102", Role.SUPPORT)
    manager.post(f"{own}roles/{role.pk}/take/", **SIGNED)
    assert not Employment.objects.filter(staff=kim).exists() and "no role here" in manager.text
    manager.open(own)
    manager.post(f"{own}close/")
    assert "account closed" in manager.text
    manager.open(f"{ROOM}/people/?search=aguilar&only=closed")
    assert own in manager.text


def test_the_list_finds_by_name_badge_and_role_what_ends_and_who_is_dealing(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    manager, dealer = person("room_manager"), cast.people["dealer"]
    WorkPermit.objects.create(
        staff=cast.people["floor"], room=cast.room, number="WP-2", expires=datetime.date(2026, 1, 1)
    )
    for query, found, left in (
        ("search=deal", "dealer", "floor"),
        ("only=floor", "floor", "dealer"),
        ("only=expiring", "floor", "dealer"),
    ):
        said = manager.open(f"{ROOM}/people/?{query}").content.decode()
        assert f"/people/{cast.people[found].pk}/" in said and f"/people/{cast.people[left].pk}/" not in said
    assert "deals at Table 7" in manager.open(f"{ROOM}/people/{dealer.pk}/").content.decode()


def test_who_keeps_no_people_and_people_of_other_rooms_are_not_shown(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    mine, theirs = cast.people["dealer"], cast.people["rival_dealer"]
    assert person("shift_manager").open(f"{ROOM}/people/").status_code == 403
    manager = person("room_manager")
    assert manager.open(f"{ROOM}/people/{theirs.pk}/").status_code == 404
    assert person("rival_room_manager").open(f"{ROOM}/people/{mine.pk}/").status_code == 404
    # Whom another room keeps and this one employs: the role, and nothing of the account.
    Staff.objects.filter(pk=theirs.pk).update(
        email="rae@gold-bar.example", badge="R-9", licence_number="WP-7131"
    )
    Employment.objects.create(staff=theirs, room=cast.room, role=Role.SHIFT_MANAGER)
    for address in (f"{ROOM}/people/{theirs.pk}/", f"{ROOM}/people/?search=rival", f"{ROOM}/people/"):
        said = manager.open(address).content.decode()
        assert "Rival dealer" in said
        for secret in ("rival_dealer", "rae@gold-bar", "R-9", "WP-7131"):
            assert secret not in said, address
    rows = manager.client.get(f"/api/rooms/{cast.room.pk}/staff").json()
    row = next(each for each in rows if each["staff"] == theirs.pk)
    assert (row["name"], row["username"], row["badge"]) == ("Rival dealer", None, None)
    assert [each["role"] for each in row["roles"]] == ["shift_manager"]
    assert manager.open(f"{ROOM}/people/?search=rival_dealer").content.decode().count("Rival dealer") == 0


def test_a_password_of_two_rooms_is_asked_for_and_consented_to_on_their_pages(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    both = cast.people["rival_dealer"]
    Employment.objects.create(staff=both, room=cast.room, role=Role.SHIFT_MANAGER)
    other = person("rival_room_manager")
    own = f"/rooms/gold-bar/people/{both.pk}/"
    other.open(own)
    assert "no single one" in other.text
    other.post(f"{own}reset/", password=NEW, reason="forgot it")
    asked = PasswordReset.objects.get()
    manager = person("room_manager")
    manager.open(f"{ROOM}/people/")
    assert "forgot it" in manager.text and asked.password not in manager.text
    manager.post(f"{ROOM}/people/resets/{asked.pk}/consent/")
    assert Staff.objects.get(pk=both.pk).check_password(NEW)
