"""The company's page: only at a site of its own, only for whoever has an account there, and only sums."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from cardroom.company.figures import CompanyFigures, Figures, RoomMonth
from cardroom.people.models import Staff
from cardroom.web.company import views
from tests.cast import Cast

pytestmark = pytest.mark.django_db
PAGE = "/company/"


@pytest.fixture
def reader() -> Client:
    """Somebody with an account at the company's site."""
    client = Client()
    client.force_login(Staff.objects.create_user("owner", password="a password of the company"))
    return client


@pytest.fixture
def company(settings: Settings, tmp_path: Path) -> Path:
    path = tmp_path / "company.toml"
    path.write_text(
        'company = "Delta Cardrooms"\n[[cell]]\nname = "alder-creek"\nurl = "http://127.0.0.1:9"\n'
        f'store = "{tmp_path}/store"\n'
    )
    settings.COMPANY_FILE = path
    return path


def test_at_a_site_that_is_no_companys_there_is_no_such_page(reader: Client, settings: Settings) -> None:
    settings.COMPANY_FILE = None
    assert reader.get(PAGE).status_code == 404


def test_where_a_room_plays_there_is_none_either(cast: Cast, company: Path) -> None:
    client = Client()
    client.force_login(cast.people["room_manager"])
    assert client.get(PAGE).status_code == 404


def test_whoever_is_not_signed_in_is_sent_to_do_so(company: Path) -> None:
    assert Client().get(PAGE).url == f"/accounts/login/?next={PAGE}"


def test_what_is_left_out_and_how_each_site_is_are_told(reader: Client, company: Path) -> None:
    shown = reader.get(PAGE, {"first": "2026-11"}).content.decode()
    assert "Delta Cardrooms" in shown and "is no directory that is there" in shown
    assert "does not answer: http://127.0.0.1:9" in shown
    assert "is no month" in reader.get(PAGE, {"first": "november"}).content.decode()


def test_a_file_that_is_refused_is_told(reader: Client, company: Path) -> None:
    company.write_text("company = ")
    answer = reader.get(PAGE)
    assert answer.status_code == 503 and "is no TOML" in answer.content.decode()


def test_home_leads_there(reader: Client, company: Path) -> None:
    assert reader.get("/").url == PAGE


def test_the_sums_of_the_cells_are_shown_with_their_totals(
    company: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, reader: Client
) -> None:
    """The figures themselves are compared with the rooms' reports in tests/company/test_figures.py."""
    days = (datetime.date(2026, 11, 1), datetime.date(2026, 11, 30))

    def month(cell: str, drop: int) -> RoomMonth:
        figures = Figures(
            days=2,
            rounds=1_200,
            drop_cents=drop,
            table_us=3_600_000_000,
            games=Counter({"Three Card Poker, 3, version 2": drop}),
            exceptions=Counter({"void": 3}),
            exception_cents=Counter({"void": 900}),
            bank_us=Counter({"Levee Players": 1_800_000_000}),
        )
        return RoomMonth(cell, "alder-creek", "2026-11", *days, figures)

    found = CompanyFigures("Delta Cardrooms", *days, [month("alder-creek", 123_400), month("gold-bar", 100)])
    monkeypatch.setattr(views, "company_figures", lambda *given: found)
    shown = " ".join(reader.get(PAGE, {"first": "2026-11"}).content.decode().split())
    assert "<h1>$1,235 dropped in November 2026, in 4 gaming days of 2 rooms at 2 sites</h1>" in shown
    assert shown.count(">Three Card Poker, 3, version 2<") == 1 and '<td class="num">1.0 h</td>' in shown
    assert re.search(
        r"All sites</th>.*data-label=\"rounds\">2,400<.*data-label=\"drop expected\">\$1,235<", shown
    )
    assert re.search(r"All games</th><td class=\"num\">\$1,235<", shown) and ">Void<" in shown
    found.faults.append("gold-bar: its store does not answer")
    assert "at 2 sites, 1 left out</h1>" in reader.get(PAGE, {"first": "2026-11"}).content.decode()
