"""A room, the person who files for it, and its time."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction

from cardroom.people.models import Employment, Role, Staff
from cardroom.rooms.models import Room

#: Noon of this day in the rooms of these tests.
TODAY = datetime.date(2026, 3, 10)
LONG_AGO = datetime.date(2024, 6, 1)


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """It is noon in Los Angeles (UTC-7 on that day)."""
    with time_machine.travel(datetime.datetime(2026, 3, 10, 19, tzinfo=datetime.UTC), tick=False):
        yield


@pytest.fixture
def room(db: None) -> Room:
    return Room.objects.create(name="Alder Creek", code="alder-creek")


def employed(room: Room, role: Role) -> Staff:
    """A person who holds `role` in `room` and may enter the admin."""
    person = Staff.objects.create(username=f"{room.code}-{role}", display_name=role.label, is_staff=True)
    Employment.objects.create(staff=person, room=room, role=role)
    return person


@pytest.fixture
def filer(room: Room) -> Staff:
    return employed(room, Role.COMPLIANCE)


Refused = Callable[..., None]


@pytest.fixture
def refused_by_the_database(db: None) -> Refused:
    """Run raw SQL and expect the database itself to refuse it, with words of the reason."""

    def refused(sql: str, *parameters: str | int, words: str) -> None:
        with (
            pytest.raises(IntegrityError, match=words),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(sql, parameters or None)

    return refused
