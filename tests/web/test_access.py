"""Who sees which page: every role, the outsider, and the staff of another room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Round, Shift
from cardroom.people.models import Role
from cardroom.people.rights import RIGHTS, Right
from cardroom.reports.shift.making import shift_report_make
from tests.cast import Cast, closed_cast, running_cast
from tests.kept import kept
from tests.web.conftest import Person
from tests.web.play import play_by_commands

ROLES = [str(role) for role in Role]


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """The cast of the folder; for a test of the pages, in a room with a settled round and a report."""
    if "pages" in request.fixturenames:
        return kept(_reported_cast)
    return running_cast() if "running" in request.fixturenames else closed_cast()


def _reported_cast() -> Cast:
    running = running_cast()
    play_by_commands(running)
    shift = Shift.objects.get()
    running.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    shift_report_make(shift.pk)
    return running


@pytest.fixture
def pages(cast: Cast) -> dict[str, Right]:
    """Every page of the room, and the right that shows it."""
    shift, round_ = Shift.objects.get(), Round.objects.get()
    table = cast.table.pk
    return {
        "/rooms/cache-slough/": Right.SEE_FLOOR,
        "/rooms/cache-slough/results/": Right.SEE_REPORTS,
        "/rooms/cache-slough/floor/": Right.SEE_FLOOR,
        "/rooms/cache-slough/floor/cards/": Right.SEE_FLOOR,
        "/rooms/cache-slough/floor/alerts/": Right.SEE_FLOOR,
        f"/tables/{table}/": Right.SEE_FLOOR,
        f"/tables/{table}/turns/": Right.SEE_FLOOR,
        f"/tables/{table}/rotation/": Right.SEE_FLOOR,
        f"/tables/{table}/rotation.pdf": Right.SEE_REPORTS,
        f"/tables/{table}/rotation.csv": Right.SEE_REPORTS,
        "/rooms/cache-slough/checkpoints/": Right.SEE_REPORTS,
        "/rooms/cache-slough/exports/": Right.SEE_REPORTS,
        "/rooms/cache-slough/verification/": Right.SEE_REPORTS,
        "/rooms/cache-slough/inspection/": Right.SEE_REPORTS,
        "/rooms/cache-slough/obligations/": Right.SEE_OBLIGATIONS,
        "/rooms/cache-slough/obligations/calendar.ics": Right.SEE_OBLIGATIONS,
        "/rooms/cache-slough/rotation/": Right.SEE_FLOOR,
        "/rooms/cache-slough/rotation.pdf": Right.SEE_REPORTS,
        "/rooms/cache-slough/rotation.csv": Right.SEE_REPORTS,
        "/rooms/cache-slough/schedules/": Right.SEE_FLOOR,
        "/rooms/cache-slough/schedules/1/1/": Right.SEE_FLOOR,
        "/rooms/cache-slough/schedules/1/1.toml": Right.SEE_FLOOR,
        "/rooms/cache-slough/games/": Right.SEE_FLOOR,
        "/rooms/cache-slough/levies/": Right.SEE_FLOOR,
        "/rooms/cache-slough/reports/": Right.SEE_REPORTS,
        "/rooms/cache-slough/roll-ups/": Right.SEE_REPORTS,
        "/rooms/cache-slough/roll-ups/2026-11/": Right.SEE_REPORTS,
        "/rooms/cache-slough/reports/rounds/": Right.SEE_REPORTS,
        "/rooms/cache-slough/reports/rounds.pdf": Right.SEE_REPORTS,
        "/rooms/cache-slough/reports/rounds.xlsx": Right.SEE_REPORTS,
        f"/tables/{table}/procedures/": Right.SEE_FLOOR,
        f"/tables/{table}/rounds/{round_.pk}/": Right.SEE_FLOOR,
        f"/rounds/{round_.pk}/": Right.SEE_FLOOR,
        f"/shifts/{shift.pk}/report/": Right.SEE_REPORTS,
        f"/shifts/{shift.pk}/report.csv": Right.SEE_REPORTS,
        f"/shifts/{shift.pk}/report.json": Right.SEE_REPORTS,
    }


@pytest.mark.outside
def test_each_page_shows_itself_to_the_roles_with_its_right_and_says_who_may_to_the_others(
    pages: dict[str, Right], person: Callable[[str], Person]
) -> None:
    people = {role: person(role) for role in ROLES}
    seen = {(role, address): people[role].open(address) for role in ROLES for address in pages}
    for (role, address), answer in seen.items():
        expected = 200 if Role(role) in RIGHTS[pages[address]] else 403
        assert answer.status_code == expected, f"{role} at {address}"
        if expected == 403:
            assert "Not authorized to" in answer.content.decode()


@pytest.mark.parametrize("who", ["outsider", *(f"rival_{role}" for role in ROLES)])
def test_for_people_of_elsewhere_there_is_nothing_here(
    who: str, pages: dict[str, Right], person: Callable[[str], Person]
) -> None:
    browser = person(who)
    for address in pages:
        answer = browser.open(address)
        assert answer.status_code == 404, address
        assert "Cache Slough" not in answer.content.decode()


def test_without_signing_in_every_page_leads_to_the_sign_in(pages: dict[str, Right]) -> None:
    for address in ["/", *pages]:
        answer = Client().get(address)
        assert answer.status_code == 302, address
        assert answer["Location"].startswith("/accounts/login/"), address


@pytest.mark.parametrize("who", ["outsider", "rival_shift_manager"])
def test_people_of_elsewhere_cannot_act(who: str, running: Cast, person: Callable[[str], Person]) -> None:
    browser = person(who)
    table = running.table
    sent = {
        "version": str(running.state().table.version),
        "idempotency_key": "mine",
        "bank_wager_cents": "100",
    }
    assert browser.client.post(f"/tables/{table.pk}/commands/bank/", sent).status_code == 404
    assert browser.client.post(f"/tables/{table.pk}/preview/", sent).status_code == 404
    assert browser.client.post("/rooms/cache-slough/shifts/open/", {**sent, "name": "Day"}).status_code == 404
    assert not Round.objects.exists()


def test_a_room_of_ones_own_is_opened_at_once_and_several_are_listed(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    assert person("dealer").open("/").redirect_chain[-1][0] == "/rooms/cache-slough/tables/"
    assert "no role in any room" in person("outsider").open("/").content.decode()
    count = person("count").open("/").content.decode()
    assert "Cache Slough" in count
    assert "Open the room" not in count


def test_what_a_role_may_not_do_is_greyed_and_says_why(
    running: Cast, person: Callable[[str], Person]
) -> None:
    inspector = person("inspector")
    inspector.at_table()
    assert "Not authorized to run rounds at a table" in inspector.text
    next_steps = [part.split(">")[0] for part in inspector.text.split('class="primary" data-next')[1:]]
    assert next_steps
    assert all("disabled" in button for button in next_steps)


def test_a_dealer_without_a_down_here_is_told_so(running: Cast, person: Callable[[str], Person]) -> None:
    other = person("dealer_2")
    other.at_table()
    assert "has no open down at Table 7" in other.text


def test_an_address_that_is_none_has_a_page_of_its_own(cast: Cast, person: Callable[[str], Person]) -> None:
    browser = person("dealer")
    for address in ("/nowhere/", "/tables/999999/", "/rounds/99999999999999999999999/", "/rooms/none/"):
        answer = browser.open(address)
        assert answer.status_code == 404
        assert "There is nothing here" in answer.content.decode()
