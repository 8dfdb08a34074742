"""The bar of every page: its sections by role, which of them a page is in, and where work begins."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from cardroom.floor.models import Shift
from cardroom.floor.reads.past_day import day_end
from cardroom.inbox.models import Item
from cardroom.inbox.search import room_search
from cardroom.people.models import Employment, Role
from cardroom.web.parts.navigation import SECTIONS
from cardroom.web.urls import urlpatterns
from tests.cast import Cast
from tests.kept import kept
from tests.reports.played_shift import played_cast

from ..conftest import Person

ROOM = "/rooms/cache-slough/"
EVERY = ["Floor", "Tables", "Count", "Tips", "Reports", "Compliance", "Settings"]
#: Pages of no room, parts of pages, streams, and files.
IN_NO_SECTION = re.compile(
    r"home|about|account|own_language|pin|end_session|lock|locked|unlock|components|guide|display|company|rules|rulebook|rulebook_print|placard_print|service_worker|meter|preview|table_players|seat_sheet|player_photo|table_photo|table_signers|room_signers|[a-z]+_export"
    r"|turns"
    r"|floor_cards|room_live|table_live|table_screen|count_sheet_print|tray_slip|schedule_file|schedule_toml|schedule_notice"
    r"|.*_(pdf|xlsx|csv|json)"
)
_SECTIONS = re.compile(r'<nav class="section-bar".*?</nav>', re.DOTALL)


def bar(text: str) -> tuple[list[str], list[str]]:
    """The sections of a page's bar, and those of them that are marked as where one is."""
    found = _SECTIONS.search(text)
    shown = re.findall(r'<a href="[^"]+"( aria-current="page")?>([^<]+)</a>', found[0]) if found else []
    return [name for _, name in shown], [name for current, name in shown if current]


def test_every_page_is_in_a_section() -> None:
    placed = frozenset[str]().union(*(section.pages for section in SECTIONS))
    names = {pattern.name for pattern in urlpatterns}
    assert {
        name for name in names if name and name not in placed and not IN_NO_SECTION.fullmatch(name)
    } == set()
    assert placed <= names | {"game_upload"}


@pytest.mark.parametrize(
    ("role", "sections", "begins"),
    [
        ("dealer", ["Floor", "Tables", "Tips"], "tables/"),
        ("floor", ["Floor", "Tables", "Line-up", "Count", "Tips"], "floor/"),
        ("shift_manager", [*EVERY[:2], "Line-up", *EVERY[2:]], "results/"),
        ("room_manager", EVERY, "results/"),
        ("compliance", EVERY, "compliance/"),
        ("inspector", EVERY, "compliance/"),
        ("surveillance", EVERY, "floor/"),
        ("count", ["Count", "Tips"], "count/"),
        ("provider_lead", ["Reports"], "statements/{provider}/"),
        ("support", ["Tips"], "tips/"),
    ],
)
def test_a_role_sees_its_sections_and_begins_where_its_work_is(
    role: str, sections: list[str], begins: str, person: Callable[[str], Person]
) -> None:
    one = person(role)
    home = one.client.get("/", follow=True)
    lead = Employment.objects.get(role="provider_lead", room__code="cache-slough")
    assert home.redirect_chain[-1][0] == ROOM + begins.format(provider=lead.provider_id)
    assert bar(home.content.decode())[0] == sections


def test_a_dealer_with_a_down_begins_at_the_table(running: Cast, person: Callable[[str], Person]) -> None:
    home = person("dealer").client.get("/", follow=True)
    assert home.redirect_chain[-1][0] == f"/tables/{running.table.pk}/"
    listed = person("dealer").client.get(ROOM + "tables/").content.decode()
    assert "You deal table 7" in listed
    assert "You deal" not in person("floor").client.get(ROOM + "tables/").content.decode()


@pytest.mark.parametrize(
    ("role", "page", "current"),
    [
        ("shift_manager", "results/", "Floor"),
        ("floor", "floor/alerts/", "Floor"),
        ("floor", "tables/", "Tables"),
        ("floor", "schedules/", "Tables"),
        ("compliance", "schedules/", "Compliance"),
        ("compliance", "levies/", "Compliance"),
        ("compliance", "rotation/", "Compliance"),
        ("compliance", "reports/", "Reports"),
        ("count", "count/", "Count"),
        ("room_manager", "background/", "Settings"),
    ],
)
def test_the_section_of_a_page_is_marked(
    role: str, page: str, current: str, person: Callable[[str], Person]
) -> None:
    assert bar(person(role).client.get(ROOM + page).content.decode())[1] == [current]


def test_of_two_rooms_each_is_listed_with_the_page_where_work_begins(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    one = person("count")
    cast.hire("count", Role.COMPLIANCE, room=cast.rival)
    text = one.client.get("/").content.decode()
    assert bar(text) == ([], [])
    assert f'href="{ROOM}count/"' in text
    assert 'href="/rooms/gold-bar/compliance/"' in text
    # A page of one of them has its bar.
    assert bar(one.client.get(ROOM + "count/").content.decode())[0] == ["Count", "Tips"]


@pytest.mark.django_db
def test_nobody_sees_a_bar_before_signing_in() -> None:
    assert bar(Client().get("/accounts/login/").content.decode()) == ([], [])


@pytest.mark.django_db
def test_the_compliance_page_counts_what_is_not_closed_however_old() -> None:
    cast = kept(played_cast)
    room_search(cast.room.pk, timezone.now())
    with time_machine.travel(timezone.now() + datetime.timedelta(days=40), tick=False):
        client = Client()
        client.force_login(cast.people["compliance"])
        text = client.get(ROOM + "compliance/").content.decode()
    assert '<a href="/rooms/cache-slough/exceptions/?kind=void">Void</a>' in text
    assert 'data-label="old"><span class="mark-look" aria-hidden="true">▲</span> 2</td>' in text
    assert f'<span class="waits">{Item.objects.count()}</span>' in text


@pytest.mark.parametrize(
    ("role", "home"),
    [
        ("dealer", "tables/"),
        ("floor", "floor/"),
        ("shift_manager", "results/"),
        ("room_manager", "results/"),
        ("compliance", "compliance/"),
        ("count", "count/"),
    ],
)
def test_every_home_page_says_that_a_shift_is_past_its_gaming_day(
    running: Cast, role: str, home: str
) -> None:
    shift = Shift.objects.get(room=running.room)
    for late, told in ((datetime.timedelta(seconds=-1), 0), (datetime.timedelta(), 1)):
        with time_machine.travel(day_end(shift) + late, tick=False):
            browser = Client()
            browser.force_login(running.people[role])
            page = browser.get(ROOM + home).content.decode()
            assert page.count(f"{shift} is still open, in hour 1 past the end of its gaming day") == told
            assert "is still open, in hour" not in browser.get("/account/").content.decode()
