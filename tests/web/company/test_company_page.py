"""The company's page: only at a site of its own, only for whoever has an account there, and only sums."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from cardroom.people.models import Staff
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
    assert "Delta Cardrooms" in shown and "holds no exported gaming day" in shown
    assert "does not answer: http://127.0.0.1:9" in shown
    assert "is no month" in reader.get(PAGE, {"first": "november"}).content.decode()


def test_a_file_that_is_refused_is_told(reader: Client, company: Path) -> None:
    company.write_text("company = ")
    answer = reader.get(PAGE)
    assert answer.status_code == 503 and "is no TOML" in answer.content.decode()


def test_home_leads_there(reader: Client, company: Path) -> None:
    assert reader.get("/").url == PAGE
