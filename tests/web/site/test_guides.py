"""The guides: each is readable by everybody of a room, linked from the pages that it explains, and has its pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from cardroom import web
from cardroom.people.models import Role
from cardroom.web.site.guides import GUIDES
from tests.cast import Cast

from ..conftest import Person

PICTURES = Path(web.__file__).parent / "static" / "web" / "site" / "guides"
ROOM = "/rooms/cache-slough/"
_LINK = re.compile(r'<a class="guide-link quiet" href="/guides/(\w+)/">Guide</a>')
_PICTURE = re.compile(r'<img src="/static/(web/site/guides/[^"]+)" alt="([^"]*)">')


def guide_linked(person: Person, address: str) -> str:
    """The guide to which the page at `address` links."""
    text = person.client.get(address, follow=True).content.decode()
    (guide,) = _LINK.findall(text)
    return str(guide)


@pytest.mark.parametrize(
    ("role", "guide"),
    [
        ("dealer", "dealer"),
        ("floor", "floor"),
        ("shift_manager", "manager"),
        ("count", "count"),
        ("compliance", "compliance"),
        ("inspector", "compliance"),
        ("surveillance", "floor"),
        ("room_manager", "manager"),
        ("support", "dealer"),
        ("provider_lead", "compliance"),
    ],
)
def test_the_page_where_a_roles_work_begins_links_to_its_guide(
    role: str, guide: str, person: Callable[[str], Person]
) -> None:
    assert guide_linked(person(role), "/") == guide


@pytest.mark.parametrize(
    ("page", "guide"),
    [
        ("", "manager"),
        ("floor/", "floor"),
        ("floor/alerts/", "floor"),
        ("count/", "count"),
        ("reports/", "compliance"),
        ("reports/rounds/", "compliance"),
        ("compliance/", "compliance"),
        ("schedules/", "compliance"),
        ("settings/", "manager"),
        ("tables/", "manager"),  # of no one guide: the reader's own
    ],
)
def test_a_page_links_to_the_guide_that_explains_it(
    page: str, guide: str, person: Callable[[str], Person]
) -> None:
    assert guide_linked(person("shift_manager"), ROOM + page) == guide


def test_a_table_links_to_the_dealers_guide_whoever_looks(
    running: Cast, person: Callable[[str], Person]
) -> None:
    address = f"/tables/{running.table.pk}/"
    assert {guide_linked(person(role), address) for role in ("dealer", "floor", "compliance")} == {"dealer"}


@pytest.mark.parametrize("role", [str(role) for role in Role])
def test_everybody_reads_every_guide(role: str, cast: Cast, person: Callable[[str], Person]) -> None:
    client = person(role).client
    for guide, name in GUIDES.items():
        text = client.get(f"/guides/{guide}/").content.decode()
        assert f"<h1>Guide: {name}</h1>" in text
        assert re.findall(r'<a href="/guides/(\w+)/" aria-current="page">', text) == [guide]
        assert set(re.findall(r'<a href="/guides/(\w+)/"', text)) == set(GUIDES)
    assert client.get("/guides/cook/").status_code == 404


@pytest.mark.django_db
def test_a_guide_asks_to_sign_in() -> None:
    assert Client().get("/guides/dealer/")["Location"].startswith("/accounts/login/")


def test_every_picture_of_the_guides_is_there_and_used(cast: Cast, person: Callable[[str], Person]) -> None:
    client = person("dealer").client
    shown = set()
    for guide in GUIDES:
        pictures = _PICTURE.findall(client.get(f"/guides/{guide}/").content.decode())
        assert len(pictures) >= 2, guide
        for name, text in pictures:
            assert len(text) > 20
            found = finders.find(name)
            assert found, f"make screenshots has not taken {name}"
            assert Path(found).read_bytes().startswith(b"\x89PNG")
            shown.add(Path(name).name)
    assert shown == {path.name for path in PICTURES.iterdir()}
