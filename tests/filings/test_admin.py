"""The admin page of fee schedules, as a browser sees it: who may enter, what is refused and what stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule
from cardroom.people.models import Role, Staff
from cardroom.rooms.models import Room
from tests.fees.documents import OPTION_1, Document, with_line, with_lines
from tests.filing import schedule_draft

from .conftest import LONG_AGO, TODAY, employed

LIST = reverse("admin:filings_feeschedule_changelist")
ADD = reverse("admin:filings_feeschedule_add")
#: The button by which a draft could be filed here once.
FILE = "filings_feeschedule_check_and_file"


def page(schedule: FeeSchedule, command: str = "change") -> str:
    return reverse(f"admin:filings_feeschedule_{command}", args=[schedule.pk])


def form(document: Document | str, **changes: Any) -> dict[str, Any]:
    written = document if isinstance(document, str) else json.dumps(document)
    return {"title": "Low limit", "document": written, "effective_from": "", "state_reference": "", **changes}


def adding(room: Room, document: Document | str = OPTION_1, **changes: Any) -> dict[str, Any]:
    return form(document, **{"room": room.pk, "rulebook": "california", "number": 1, **changes})


def messages_of(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


@pytest.fixture
def browser(client: Client, filer: Staff) -> Client:
    client.force_login(filer)
    return client


@pytest.fixture
def draft(room: Room, filer: Staff) -> FeeSchedule:
    return schedule_draft(room=room, number=1, document=OPTION_1, by=filer)


@pytest.fixture
def filed(draft: FeeSchedule, filer: Staff) -> FeeSchedule:
    return services.file(draft, by=filer, effective_from=LONG_AGO, state_reference="BGC 12-345")


def test_a_draft_is_written_and_not_filed_here_where_no_second_person_signs(
    browser: Client, room: Room
) -> None:
    assert browser.get(ADD).status_code == 200
    assert browser.post(ADD, adding(room)).status_code == 302
    draft = FeeSchedule.objects.get()
    assert (draft.version, draft.status, draft.document) == (1, "draft", OPTION_1)
    assert b"Check and file" not in browser.get(page(draft)).content
    planned = form(OPTION_1, effective_from=TODAY, state_reference="BGC 12-345", **{FILE: ""})
    assert browser.post(page(draft), planned).status_code == 302
    draft.refresh_from_db()
    assert (draft.status, draft.filed_by, draft.effective_from) == ("draft", None, TODAY)


def test_an_illegal_document_is_refused_line_by_line_and_kept_in_the_form(
    browser: Client, draft: FeeSchedule
) -> None:
    broken = with_line(3, fee_cents="5%")
    broken["lines"][0]["fee_cents"] = 0.5
    response = browser.post(page(draft), form(broken))
    assert response.status_code == 200
    errors = response.context["adminform"].form.errors["document"]
    assert [error.split(":")[0] for error in errors] == ["line 1", "line 3"]
    assert "5%" in response.content.decode()
    draft.refresh_from_db()
    assert draft.document == OPTION_1


@pytest.mark.parametrize(
    "written",
    ["", "{", '{"clause": ', "[]", "9" * 5000, "[" * 100_000, '{"ante_min_cents": NaN}'],
    ids=["empty", "cut off", "half", "a list", "a number without end", "a pit", "no number"],
)
def test_what_is_no_document_is_refused_and_no_crash(browser: Client, room: Room, written: str) -> None:
    response = browser.post(ADD, adding(room, written))
    assert response.status_code == 200
    assert response.context["adminform"].form.errors["document"]
    assert not FeeSchedule.objects.exists()


def test_a_second_draft_of_a_number_is_refused_in_the_form(
    browser: Client, room: Room, draft: FeeSchedule
) -> None:
    response = browser.post(ADD, adding(room))
    assert "has a draft already" in response.context["adminform"].form.errors["number"][0]


def test_a_number_counts_from_one(browser: Client, room: Room) -> None:
    response = browser.post(ADD, adding(room, number=0))
    assert "counts from 1" in response.context["adminform"].form.errors["number"][0]


def test_an_old_draft_that_is_not_legal_shows(browser: Client, room: Room, filer: Staff) -> None:
    draft = schedule_draft(room=room, number=1, document=with_lines(), by=filer)
    assert b"not legal yet" in browser.get(LIST).content
    assert browser.get(page(draft)).status_code == 200


def test_a_filed_version_is_shown_and_cannot_be_changed_or_deleted(
    browser: Client, filed: FeeSchedule
) -> None:
    assert b"$5 - $100" in browser.get(LIST).content
    shown = browser.get(page(filed))
    assert shown.status_code == 200
    assert b"BGC 12-345" in shown.content
    assert b"Check and file" not in shown.content
    assert b'name="_save"' not in shown.content
    assert browser.post(page(filed), form(with_line(3, fee_cents=300))).status_code == 403
    assert browser.post(page(filed), form(OPTION_1, **{FILE: ""})).status_code == 403
    assert browser.post(page(filed, "delete"), {"post": "yes"}).status_code == 403
    bulk = {"action": "delete_selected", "_selected_action": filed.pk, "post": "yes"}
    browser.post(LIST, bulk)
    filed.refresh_from_db()
    assert (filed.status, filed.document) == ("filed", OPTION_1)


def test_a_draft_can_be_deleted(browser: Client, draft: FeeSchedule) -> None:
    assert browser.post(page(draft, "delete"), {"post": "yes"}).status_code == 302
    assert not FeeSchedule.objects.exists()


def test_a_draft_that_is_filed_while_one_types_is_told(
    browser: Client, draft: FeeSchedule, filer: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the draft and the write, somebody else files it."""

    edit = services.edit

    def edit_too_late(version: FeeSchedule, **arguments: Any) -> FeeSchedule:
        services.file(draft, by=filer, effective_from=LONG_AGO, state_reference="BGC 12-345")
        return edit(version, **arguments)

    monkeypatch.setattr("cardroom.filings.services.edit", edit_too_late)
    response = browser.post(page(draft), form(with_line(3, fee_cents=300)))
    assert response.status_code == 302
    assert any("stays as it was filed" in message for message in messages_of(response))


@pytest.mark.parametrize("role", [Role.DEALER, Role.FLOOR, Role.SHIFT_MANAGER, Role.COUNT, Role.INSPECTOR])
def test_other_roles_of_the_room_do_not_file(
    client: Client, room: Room, draft: FeeSchedule, role: Role
) -> None:
    client.force_login(employed(room, role))
    assert client.get(LIST).status_code == 403
    assert client.get(ADD).status_code == 403
    assert client.post(ADD, adding(room)).status_code == 403
    client.post(page(draft), form(with_line(3, fee_cents=300)))
    draft.refresh_from_db()
    assert draft.document == OPTION_1


def test_the_filer_of_another_room_neither_sees_nor_writes_here(
    client: Client, room: Room, draft: FeeSchedule
) -> None:
    elsewhere = Room.objects.create(name="Bay Street", code="bay-street")
    client.force_login(employed(elsewhere, Role.ROOM_MANAGER))
    listed = client.get(LIST)
    assert listed.status_code == 200
    assert draft.title.encode() not in listed.content
    client.post(page(draft), form(with_line(3, fee_cents=300)))
    client.post(page(draft, "delete"), {"post": "yes"})
    refused = client.post(ADD, adding(room, number=2))
    assert refused.context["adminform"].form.errors["room"]
    draft.refresh_from_db()
    assert draft.document == OPTION_1
    assert FeeSchedule.objects.count() == 1


def test_a_stranger_is_sent_to_the_sign_in(client: Client, draft: FeeSchedule) -> None:
    for address in (LIST, ADD, page(draft)):
        assert client.get(address).status_code == 302


def test_a_superuser_files_for_every_room(client: Client, room: Room, draft: FeeSchedule) -> None:
    client.force_login(Staff.objects.create(username="root", is_staff=True, is_superuser=True))
    assert draft.title.encode() in client.get(LIST).content
    assert client.get(page(draft)).status_code == 200
