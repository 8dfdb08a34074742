"""Two room managers who attack each other by commands about people, and people who work in both of their rooms."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from cardroom.floor.commands.accounts import (
    account_close,
    account_hand_over,
    account_make,
    account_set,
    licence_set,
    password_set,
)
from cardroom.floor.commands.password_resets import password_ask, password_consent, password_refuse
from cardroom.floor.commands.roles import permit_set, role_give, role_set, role_take
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, StoredAnswer
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.approval import SignatureGiven
from cardroom.people.models import Employment, PasswordReset, Provider, Role, Staff
from cardroom.rooms.models import Room
from tests.cast import PASSWORD, PIN, Cast
from tests.kept import kept

NEW = "nine high straight beats it"


@pytest.fixture
def cast(db: None) -> Cast:
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast()
    rival = cast.people["rival_dealer"]
    rival.badge, rival.licence_number, rival.email = "R-9", "WP-7131", "rae@gold-bar.example"
    rival.save()
    Staff.objects.create(username="root", is_staff=True, is_superuser=True, password=rival.password)
    return cast


@pytest.fixture
def both(cast: Cast) -> Staff:
    """Somebody of the rival room who is shift manager of the first room too."""
    staff = cast.people["rival_dealer"]
    Employment.objects.create(staff=staff, room=cast.room, role=Role.SHIFT_MANAGER)
    return staff


def done(cast: Cast, command: Any, who: str, room: Room, **inputs: Any) -> str:
    """Give a command about people, signed by the room's compliance officer where it takes that; the code of its refusal, or ok."""
    if "approver" in {each.name for each in command.inputs}:
        prefix = "" if room == cast.room else "rival_"
        inputs.setdefault("approver", SignatureGiven(f"{prefix}compliance", PIN))
    try:
        cast.send_room(command, who, room, **inputs)
    except FloorError as refused:
        return refused.code
    return "ok"


def opens(staff: Staff, password: str) -> bool:
    return Staff.objects.get(pk=staff.pk).check_password(password)


def row(staff: Staff) -> dict[str, Any]:
    return dict(Staff.objects.values().get(pk=staff.pk))


#: What a manager could try about an account, by each command that takes its number.
def tries(staff: Staff) -> list[tuple[Any, dict[str, Any]]]:
    about = {"staff_id": staff.pk}
    return [
        (account_set, {**about, "name": "Stolen"}),
        (account_set, {**about, "username": "mine", "email": "thief@gold-bar.example"}),
        (licence_set, {**about, "number": "WP-1"}),
        (account_close, about),
        (password_set, {**about, "password": NEW}),
        (account_hand_over, about),
    ]


def test_employing_somebody_of_another_room_takes_nothing_of_the_account(cast: Cast) -> None:
    victim = cast.people["rival_dealer"]
    before = row(victim)
    assert done(cast, role_give, "room_manager", cast.room, person="R-9", role="dealer") == "ok"
    assert Employment.objects.filter(staff=victim, room=cast.room, role=Role.DEALER).exists()
    # The room that employs them as well keeps the role it gave and its own permit, and nothing of the account.
    for command, inputs in tries(victim):
        assert done(cast, command, "room_manager", cast.room, **inputs) == "unknown_account"
        assert done(cast, command, "room_manager", cast.rival, **inputs) == "not_found"
    assert row(victim) == before
    permit = {"staff_id": victim.pk, "number": "WP-3"}
    assert done(cast, permit_set, "room_manager", cast.room, **permit) == "ok"
    # The room it belongs to still keeps it: it writes down name, badge and licence.
    keeper = ("rival_room_manager", cast.rival)
    assert done(cast, licence_set, *keeper, staff_id=victim.pk, number="WP-7132") == "ok"
    assert done(cast, account_set, *keeper, staff_id=victim.pk, badge="R-10") == "ok"
    victim.refresh_from_db()
    assert (victim.display_name, victim.licence_number, victim.badge, victim.home) == (
        "Rival dealer",
        "WP-7132",
        "R-10",
        cast.rival,
    )
    for room in (cast.room, cast.rival):  # what is done to the account is told to each room that employs them
        told = JournalEntry.objects.filter(
            chain=f"room:{room.pk}", command__in=("licence_set", "account_set")
        )
        assert told.count() == 2


def test_the_home_room_of_somebody_who_works_elsewhere_too_moves_neither_sign_in_nor_mail(
    cast: Cast, both: Staff
) -> None:
    keeper = ("rival_room_manager", cast.rival)
    for given in ({"username": "mine"}, {"email": "thief@gold-bar.example"}, {"opens_admin": True}):
        assert done(cast, account_set, *keeper, staff_id=both.pk, **given) == "other_rooms"
    assert done(cast, account_close, *keeper, staff_id=both.pk) == "other_rooms"
    assert done(cast, password_set, *keeper, staff_id=both.pk, password=NEW) == "other_rooms"
    assert done(cast, licence_set, *keeper, staff_id=both.pk, number="WP-1") == "ok"
    before = both.username
    both.refresh_from_db()
    assert (both.username, both.email, both.is_active) == (before, "rae@gold-bar.example", True)
    assert both.licence_number == "WP-1" and opens(both, PASSWORD)


def test_an_account_without_a_role_belongs_to_the_room_that_made_it(cast: Cast) -> None:
    made = {"username": "newcomer", "name": "New Comer", "badge": "N-1", "password": PASSWORD}
    assert done(cast, account_make, "rival_room_manager", cast.rival, **made) == "ok"
    newcomer = Staff.objects.get(username="newcomer")
    assert (newcomer.home, newcomer.added_by) == (cast.rival, cast.people["rival_room_manager"])
    # Employed by the other room first, the account is still not that room's.
    assert done(cast, role_give, "room_manager", cast.room, person="newcomer", role="dealer") == "ok"
    for command, inputs in tries(newcomer):
        assert done(cast, command, "room_manager", cast.room, **inputs) == "unknown_account"
    newcomer.refresh_from_db()
    assert newcomer.display_name == "New Comer" and opens(newcomer, PASSWORD)
    assert newcomer.home == cast.rival


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "named", ["outsider", "root", "rival_deale", "RIVAL_DEALER", "system-clock", "", "R-"]
)
def test_nobody_is_employed_by_less_than_their_exact_name_and_accounts_of_no_room_not_at_all(
    cast: Cast, named: str
) -> None:
    before = Employment.objects.count()
    answer = done(cast, role_give, "room_manager", cast.room, person=named, role="dealer")
    assert answer == "unknown_person" and Employment.objects.count() == before


def test_a_badge_that_two_people_have_employs_neither(cast: Cast) -> None:
    Staff.objects.filter(username__in=("floor", "rival_dealer")).update(badge="R-9")
    assert done(cast, role_give, "room_manager", cast.room, person="R-9", role="dealer") == "unknown_person"


def test_a_badge_is_one_persons_in_a_room(cast: Cast) -> None:
    floor = cast.people["rival_floor"]
    keeper = ("rival_room_manager", cast.rival)
    assert done(cast, account_set, *keeper, staff_id=floor.pk, badge="R-9") == "badge_taken"
    assert done(cast, account_set, *keeper, staff_id=floor.pk, username="rival_dealer") == "username_taken"
    with pytest.raises(IntegrityError), transaction.atomic():
        Staff.objects.filter(pk=floor.pk).update(badge="R-9")
    # Somebody who moves to a room where their badge is taken changes it first.
    dealer = cast.people["dealer_2"]
    dealer.badge = "R-9"
    dealer.save()
    Employment.objects.filter(staff=dealer).delete()
    Employment.objects.create(staff=dealer, room=cast.rival, role=Role.DEALER)
    assert done(cast, account_hand_over, "room_manager", cast.room, staff_id=dealer.pk) == "badge_taken"
    dealer.refresh_from_db()
    assert dealer.home == cast.room


@pytest.mark.postgresql
def test_a_role_is_given_in_ones_own_room_alone_and_never_moved(cast: Cast) -> None:
    def thief(command: Any, **inputs: Any) -> str:
        return done(cast, command, "room_manager", cast.room, **inputs)

    there = {"person": "room_manager", "role": "room_manager"}
    assert done(cast, role_give, "room_manager", cast.rival, **there) == "not_found"
    own = Employment.objects.get(staff=cast.people["dealer"], room=cast.room)
    assert thief(role_set, employment_id=own.pk, role="floor") == "ok"
    own.refresh_from_db()
    assert (own.staff, own.room, own.role) == (cast.people["dealer"], cast.room, Role.FLOOR)
    firm = Provider.objects.get(room=cast.rival).pk
    lead = {"person": "support", "role": "provider_lead"}
    assert thief(role_give, **lead, provider_id=firm) == "unknown_provider"
    assert thief(role_give, **lead) == "provider_of_role"
    theirs = Employment.objects.get(staff=cast.people["rival_dealer"])
    assert thief(role_take, employment_id=theirs.pk) == "unknown_role"
    assert thief(role_set, employment_id=theirs.pk, role="floor") == "unknown_role"
    assert Employment.objects.filter(pk=theirs.pk, role=Role.DEALER).exists()
    assert thief(role_give, person="dealer", role="floor") == "role_held"


def reset(cast: Cast, who: str, room: Room, staff: Staff, password: str = NEW) -> str:
    return done(cast, password_ask, who, room, staff_id=staff.pk, password=password, reason="forgot it")


@pytest.mark.postgresql
def test_a_password_of_two_rooms_is_set_by_both_together(cast: Cast, both: Staff) -> None:
    signed_in = Client()
    signed_in.force_login(both)
    assert reset(cast, "room_manager", cast.room, both) == "ok"
    asked = PasswordReset.objects.get()
    assert opens(both, PASSWORD) and asked.state == "waiting"
    about = {"reset_id": asked.pk}
    assert done(cast, password_consent, "room_manager", cast.room, **about) == "second_person_required"
    assert opens(both, PASSWORD), "who asks does not confirm"
    assert done(cast, password_consent, "rival_room_manager", cast.rival, **about) == "ok"
    assert opens(both, NEW) and Staff.objects.get(pk=both.pk).must_change_password
    asked.refresh_from_db()
    assert (asked.state, asked.password, asked.ended_by) == ("done", "", cast.people["rival_room_manager"])
    assert [consent.room for consent in asked.consents.all()] == [cast.room, cast.rival]
    for room in (cast.room, cast.rival):
        entries = JournalEntry.objects.filter(chain=f"room:{room.pk}", command__startswith="password_")
        assert [each.command for each in entries.order_by("seq")] == ["password_ask", "password_consent"]
    assert [*rows_verify()] == []
    assert signed_in.get("/").status_code == 302, "what was open under the old password is closed"
    assert done(cast, password_consent, "rival_room_manager", cast.rival, **about) == "reset_ended"


def test_a_second_manager_of_the_asking_room_is_no_other_room(cast: Cast, both: Staff) -> None:
    Employment.objects.create(staff=cast.people["compliance"], room=cast.room, role=Role.ROOM_MANAGER)
    reset(cast, "room_manager", cast.room, both)
    about = {"reset_id": PasswordReset.objects.get().pk}
    assert done(cast, password_consent, "compliance", cast.room, **about) == "room_consented"
    assert opens(both, PASSWORD) and PasswordReset.objects.get().state == "waiting"


@pytest.mark.postgresql
def test_who_asked_for_one_room_does_not_confirm_for_the_other(cast: Cast, both: Staff) -> None:
    reset(cast, "room_manager", cast.room, both)
    cast.hire("room_manager", Role.ROOM_MANAGER, room=cast.rival)
    about = {"reset_id": PasswordReset.objects.get().pk}
    assert done(cast, password_consent, "room_manager", cast.rival, **about) == "second_person_required"
    assert opens(both, PASSWORD)


def test_a_manager_of_a_third_room_neither_finds_nor_answers_it(cast: Cast, both: Staff) -> None:
    third = Room.objects.create(name="Third", code="third")
    Employment.objects.create(staff=cast.people["rival_floor"], room=third, role=Role.ROOM_MANAGER)
    reset(cast, "room_manager", cast.room, both)
    about = {"reset_id": PasswordReset.objects.get().pk}
    for command in (password_consent, password_refuse):
        assert done(cast, command, "rival_floor", third, **about) == "unknown_reset"
        assert done(cast, command, "rival_floor", cast.rival, **about) == "forbidden"
    assert opens(both, PASSWORD) and PasswordReset.objects.get().state == "waiting"


@pytest.mark.postgresql
def test_a_refused_or_lapsed_request_sets_no_password_and_lets_another_be_made(
    cast: Cast, both: Staff
) -> None:
    asker, other = ("room_manager", cast.room), ("rival_room_manager", cast.rival)
    reset(cast, *asker, both)
    assert reset(cast, *other, both) == "reset_waits"
    assert done(cast, password_refuse, *other, reset_id=PasswordReset.objects.get().pk) == "ok"
    assert PasswordReset.objects.get().state == "refused"
    reset(cast, *asker, both)
    late = PasswordReset.objects.get(state="waiting")
    PasswordReset.objects.filter(pk=late.pk).update(asked_at=timezone.now() - datetime.timedelta(hours=25))
    assert done(cast, password_consent, *other, reset_id=late.pk) == "reset_lapsed"
    assert opens(both, PASSWORD)
    assert reset(cast, *asker, both) == "ok"
    assert PasswordReset.objects.filter(state="waiting").count() == 1


def test_a_room_asks_for_no_password_of_somebody_whom_it_does_not_employ_or_may_set_alone(cast: Cast) -> None:
    theirs, own = cast.people["rival_dealer"], cast.people["dealer"]
    assert reset(cast, "room_manager", cast.room, theirs) == "unknown_person"
    assert reset(cast, "room_manager", cast.rival, theirs) == "not_found"
    assert reset(cast, "room_manager", cast.room, own) == "no_reset"
    assert not PasswordReset.objects.exists()
    given = {"staff_id": own.pk, "password": NEW}
    assert done(cast, password_set, "room_manager", cast.room, **given) == "ok"
    assert opens(own, NEW)


def test_a_password_leaves_nothing_behind_by_which_it_could_be_guessed(cast: Cast, both: Staff) -> None:
    """Neither the journal nor the stored answer, whose digest is of what was given, changes with the password."""
    digests, own = [], {"staff_id": cast.people["dealer"].pk}
    for password in (NEW, f"{NEW} again"):
        assert done(cast, password_set, "room_manager", cast.room, **own, password=password) == "ok"
        digests.append(StoredAnswer.objects.latest("pk").fingerprint)
    assert digests[0] == digests[1]
    assert reset(cast, "room_manager", cast.room, both, "1234567890") == "bad_password"
    assert reset(cast, "room_manager", cast.room, both, "short") == "bad_password"
    reset(cast, "room_manager", cast.room, both)
    assert not JournalEntry.objects.filter(data__icontains=NEW).exists()


def test_a_person_of_two_rooms_changes_their_own_password(cast: Cast, both: Staff) -> None:
    browser = Client()
    browser.force_login(both)
    assert browser.get("/accounts/password/change/").status_code == 200
    given = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert browser.post("/accounts/password/change/", given).status_code == 302
    assert opens(both, NEW)


@pytest.mark.postgresql
def test_an_account_is_handed_over_to_the_room_that_employs_the_person_now(cast: Cast) -> None:
    moved = cast.people["rival_dealer"]
    mine, theirs = ("room_manager", cast.room), ("rival_room_manager", cast.rival)
    done(cast, role_give, *mine, person="rival_dealer", role="dealer")
    assert done(cast, account_hand_over, *theirs, staff_id=moved.pk) == "not_to_hand_over"
    assert Staff.objects.get(pk=moved.pk).home == cast.rival, "it still employs the person"
    Employment.objects.get(staff=moved, room=cast.rival).delete()
    given = {"staff_id": moved.pk, "password": NEW}
    assert done(cast, password_set, *mine, **given) == "unknown_account"
    assert done(cast, licence_set, *theirs, staff_id=moved.pk, number="WP-1") == "left_the_room"
    assert opens(moved, PASSWORD)
    assert done(cast, account_hand_over, *theirs, staff_id=moved.pk) == "ok"
    assert Staff.objects.get(pk=moved.pk).home == cast.room
    for room in (cast.room, cast.rival):
        assert JournalEntry.objects.filter(chain=f"room:{room.pk}", command="account_hand_over").count() == 1
    assert done(cast, password_set, *mine, **given) == "ok"
    assert opens(moved, NEW)


def test_a_manager_of_every_room_of_a_person_keeps_the_whole_account(cast: Cast, both: Staff) -> None:
    cast.hire("rival_room_manager", Role.ROOM_MANAGER, room=cast.room)
    given = {"staff_id": both.pk, "password": NEW}
    assert done(cast, password_set, "rival_room_manager", cast.rival, **given) == "ok"
    assert opens(both, NEW)
    for room in (cast.room, cast.rival):
        assert JournalEntry.objects.filter(chain=f"room:{room.pk}", command="password_set").count() == 1
