"""The page of a room's programs: made with a second person, shown once, revoked and ended, and closed to everybody else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import override_settings

from cardroom.people.models import Program, ProgramToken
from cardroom.webhooks.models import Webhook
from tests.api.programs import calling, make_program
from tests.cast import PIN, Cast, closed_cast

from ..conftest import Person

PAGE = "/rooms/cache-slough/programs/"
SIGNED = {"approver": "compliance", "approver_pin": PIN}
_TOKEN = re.compile(r"crp_[A-Za-z0-9_-]{43}")
_SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{44}")


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def test_a_program_is_made_by_two_and_its_token_is_shown_once(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    manager = person("room_manager")
    manager.open(PAGE)
    given = {"name": "Accounting", "purpose": "Reads reports", "rights": "see_reports", "days": "30"}
    assert manager.post(PAGE, **given, approver="", approver_pin="").status_code == 422
    assert not Program.objects.exists()
    manager.open(PAGE)
    manager.post(PAGE, **given, **SIGNED)
    [token] = _TOKEN.findall(manager.text)
    assert calling(cast, token).get(f"rooms/{cast.room.pk}/feed").status == 200
    shown = manager.open(PAGE).content.decode()
    assert "Accounting (program)" in shown and "signed by Compliance" in shown
    assert not _TOKEN.search(shown)


def test_a_program_is_not_told_of_as_an_account_without_a_password(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    """People who cannot sign in yet are (`tests/web/imports`)."""
    make_program(cast, "see_reports")
    assert (
        "no password yet" not in person("room_manager").open("/rooms/cache-slough/results/").content.decode()
    )


def test_a_further_token_is_made_and_one_revoked_and_the_program_ended(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    made = make_program(cast, "see_reports")
    manager, own = person("room_manager"), f"{PAGE}{made['program']}/"
    manager.open(PAGE)
    manager.post(f"{own}tokens/", days="10", **SIGNED)
    assert ProgramToken.objects.count() == 2
    manager.open(PAGE)
    manager.post(f"{own}tokens/{made['token_id']}/revoke/")
    assert "revoked" in manager.text
    assert calling(cast, made["token"]).get("rooms").code == "token_revoked"
    manager.open(PAGE)
    manager.post(f"{own}end/")
    assert "The room has no program." in manager.text and "Accounting (program)" in manager.text


@override_settings(WEBHOOKS_INSIDE=True)
def test_a_webhook_is_made_given_another_secret_and_ended(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    made = make_program(cast, "see_reports")
    manager, own = person("room_manager"), f"{PAGE}{made['program']}/"
    manager.open(PAGE)
    manager.post(f"{own}webhooks/", url="http://books.example/", kinds="no_such_kind", **SIGNED)
    assert "no_such_kind" in manager.text and not Webhook.objects.exists()
    manager.open(PAGE)
    manager.post(f"{own}webhooks/", url="http://books.example/", kinds="round_settle, shift_close", **SIGNED)
    [first] = _SECRET.findall(manager.text)
    webhook = Webhook.objects.get()
    assert webhook.kinds == ["round_settle", "shift_close"]
    manager.open(PAGE)
    manager.post(f"/rooms/cache-slough/webhooks/{webhook.pk}/secret/", **SIGNED)
    [second] = _SECRET.findall(manager.text)
    assert first != second
    manager.open(PAGE)
    manager.post(f"/rooms/cache-slough/webhooks/{webhook.pk}/end/")
    webhook.refresh_from_db()
    assert webhook.ended_at is not None and "http://books.example/" not in manager.text


def test_a_program_without_reports_is_offered_no_webhook(cast: Cast, person: Callable[[str], Person]) -> None:
    make_program(cast, "see_floor")
    assert "Webhooks" not in person("room_manager").open(PAGE).content.decode()


@pytest.mark.parametrize("who", ["floor", "compliance", "inspector", "shift_manager"])
def test_the_page_is_a_room_managers(cast: Cast, person: Callable[[str], Person], who: str) -> None:
    assert person(who).open(PAGE).status_code == 403


def test_for_people_of_elsewhere_there_is_no_such_page(cast: Cast, person: Callable[[str], Person]) -> None:
    assert person("rival_room_manager").open(PAGE).status_code == 404


def test_programs_are_not_among_the_people(cast: Cast, person: Callable[[str], Person]) -> None:
    made = make_program(cast, "see_floor")
    manager = person("room_manager")
    assert "Accounting" not in manager.open("/rooms/cache-slough/people/").content.decode()
    assert manager.open(f"/rooms/cache-slough/people/{made['program']}/").status_code == 404
