"""Who is on duty and may sign: the faces of a signature, who was active last first, and why somebody may not."""

from __future__ import annotations

import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from cardroom.floor.models import Down, StoredAnswer
from cardroom.floor.reads.signers import LATELY, Signers, WhyNotSign, signers_of
from cardroom.people.models import Pin, Role, Staff
from cardroom.people.pins import PinRefused, person_by_pin
from cardroom.people.rights import RIGHTS, Right
from cardroom.people.sessions import LONGEST
from tests.cast import Cast


def names(found: Signers) -> list[tuple[str, bool]]:
    """User names of those who may sign, each with whether they are on duty."""
    return [(each.person.username, each.on_duty) for each in found.may]


def session_of(person: Staff, begun: datetime.datetime, ends: datetime.datetime) -> None:
    """Let somebody be signed in since then and until then."""
    key = f"session of {person.pk}"
    Session.objects.create(session_key=key, session_data="", expire_date=ends)
    UserSession.objects.create(user=person, session_key=key, ip="10.0.0.7", created_at=begun)


def test_who_is_on_duty_comes_first_and_who_was_active_last_before_others(running: Cast) -> None:
    cast = running
    now, minute = timezone.now(), datetime.timedelta(minutes=1)
    people, hour = cast.people, datetime.timedelta(hours=1)
    for key in ("floor_3", "floor_4", "floor_5", "floor_6"):
        cast.hire(key, Role.FLOOR)
    # The floor and the shift manager have set the table up; a dealer holds its down.
    StoredAnswer.objects.filter(actor=people["floor"]).update(made_at=now - LATELY / 2)
    StoredAnswer.objects.filter(actor=people["shift_manager"]).update(made_at=now - 5 * minute)
    StoredAnswer.objects.filter(actor=people["dealer"]).update(made_at=now - 2 * LATELY)
    session_of(people["floor_2"], now, now + hour)
    session_of(people["floor_3"], now - 3 * minute, now)  # signed out since
    session_of(people["floor_4"], now - LONGEST, now + hour)
    session_of(people["rival_floor"], now - minute, now + hour)
    Staff.objects.filter(pk=people["floor_5"].pk).update(is_active=False)
    found = signers_of(cast.room, Right.APPROVE_CORRECTION, now, actor=people["dealer"])
    assert names(found) == [
        ("floor_2", True),
        ("shift_manager", True),
        ("floor", True),
        ("floor_3", False),
        ("floor_4", False),
        ("floor_6", False),
    ]
    # Of those who may not, the one who asks first; whoever is not on duty, or signs nothing ever, is not told of.
    assert [(each.person.username, each.why_not) for each in found.may_not] == [("dealer", WhyNotSign.ACTOR)]
    # A dealer is on duty by their down alone, and who has dealt in this shift.
    Down.objects.create(
        room=cast.room,
        table=cast.second_table,
        dealer=people["dealer_2"],
        started_at=now - 9 * minute,
        ended_at=now,
    )
    may_not = signers_of(cast.room, Right.APPROVE_CORRECTION, now, actor=people["floor"]).may_not
    assert [(each.person.username, each.why_not) for each in may_not] == [
        ("floor", WhyNotSign.ACTOR),
        ("dealer_2", WhyNotSign.ROLE),
        ("dealer", WhyNotSign.ROLE),
    ]


def test_who_wrote_it_who_has_no_pin_and_who_rests_is_said(cast: Cast) -> None:
    people, now = cast.people, timezone.now()
    cast.hire("room_manager_2", Role.ROOM_MANAGER)
    Pin.objects.filter(staff=people["room_manager_2"]).delete()
    for key in ("room_manager", "room_manager_2", "compliance"):
        session_of(people[key], now, now + LATELY)
    for _ in range(5):
        try:
            person_by_pin(cast.room, "compliance", "918273")
        except PinRefused:
            continue
    found = signers_of(cast.room, Right.APPROVE_FILING, now, wrote=(people["room_manager"].pk,))
    assert [each.person.username for each in found.may] == ["compliance"]
    assert found.may[0].lock is not None
    assert {each.person.username: each.why_not for each in found.may_not} == {
        "room_manager": WhyNotSign.WROTE,
        "room_manager_2": WhyNotSign.NO_PIN,
    }


def test_whoever_may_sign_anything_is_shown_and_may_see_the_list() -> None:
    """A right that a second person signs by is held by people whom the list may name."""
    named = RIGHTS[Right.SEE_WHO_SIGNS]
    signs = [right for right in Right if right.name.startswith(("APPROVE_", "CORRECT_", "KEEP_", "DROP_"))]
    assert len(signs) >= 8
    for right in (*signs, Right.SUPERVISE, Right.CONFIRM_WINS, Right.WAIVE_FEES, Right.RUN_ROUNDS):
        assert RIGHTS[right] <= named, right
