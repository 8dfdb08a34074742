"""The admin shows and searches filings, to whoever manages their room, and writes none: commands do."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule
from cardroom.people.models import Role, Staff
from cardroom.rooms.models import Room
from tests.fees.documents import OPTION_1, with_lines
from tests.filing import schedule_draft

from .conftest import LONG_AGO, employed

LIST = reverse("admin:filings_feeschedule_changelist")


def page(schedule: FeeSchedule, command: str = "change") -> str:
    return reverse(f"admin:filings_feeschedule_{command}", args=[schedule.pk])


@pytest.fixture
def draft(room: Room, filer: Staff) -> FeeSchedule:
    return schedule_draft(room=room, number=1, document=OPTION_1, by=filer)


def test_drafts_and_filed_versions_are_shown_and_searched_and_neither_is_written(
    client: Client, room: Room, draft: FeeSchedule, filer: Staff
) -> None:
    filed = services.file(draft, by=filer, effective_from=LONG_AGO, state_reference="BGC 12-345")
    illegal = schedule_draft(room=room, number=2, document=with_lines(), by=filer, title="High limit")
    client.force_login(employed(room, Role.ROOM_MANAGER))
    assert b"High limit" in client.get(LIST).content
    found = client.get(LIST, {"q": "12-345"}).content
    assert filed.title.encode() in found and b"High limit" not in found
    for each in (filed, illegal):
        assert client.get(page(each)).status_code == 200
        for command in ("change", "delete"):
            typed = {"title": "Stolen", "document": "{}", "post": "yes"}
            assert client.post(page(each, command), typed).status_code == 403
    assert client.get(reverse("admin:filings_feeschedule_add")).status_code == 403
    assert sorted(FeeSchedule.objects.values_list("title", "status")) == [
        ("High limit", "draft"),
        (filed.title, "filed"),
    ]


def test_another_rooms_manager_does_not_see_them_and_the_site_sees_all(
    client: Client, draft: FeeSchedule
) -> None:
    elsewhere = Room.objects.create(name="Bay Street", code="bay-street")
    client.force_login(employed(elsewhere, Role.ROOM_MANAGER))
    assert draft.title.encode() not in client.get(LIST).content
    client.force_login(Staff.objects.create(username="root", is_staff=True, is_superuser=True))
    assert draft.title.encode() in client.get(LIST).content
