"""The about page says which version this is."""

from __future__ import annotations

import django
import pytest
from django.test import Client

from cardroom.config.version import VERSION
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def test_the_page_says_the_version_and_what_it_runs_on(client: Client) -> None:
    cast = Cast()
    client.force_login(cast.people["dealer"])
    page = client.get("/about/").content.decode()
    assert f"Cardroom {VERSION}" in page
    assert django.get_version() in page


def test_nobody_sees_it_without_signing_in(client: Client) -> None:
    answer = client.get("/about/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/about/")
