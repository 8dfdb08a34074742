"""What every answer carries, whatever page it is."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from cardroom.people.models import Staff
from tests.cast import running_cast


def policy_of(client: Client, path: str) -> dict[str, str]:
    header = client.get(path)["Content-Security-Policy"]
    return dict(directive.strip().split(" ", 1) for directive in header.split(";"))


@pytest.mark.usefixtures("db")
def test_pages_load_from_here_alone_and_run_no_script_of_their_own_text(client: Client) -> None:
    policy = policy_of(client, "/accounts/login/")
    assert policy["default-src"] == "'self'"
    assert not {"script-src", "style-src", "connect-src"} & policy.keys(), "these would widen default-src"
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
    assert policy["form-action"] == policy["base-uri"] == "'self'"


@pytest.mark.usefixtures("db")
def test_the_admins_pages_may_evaluate_for_alpine_but_load_from_here_alone(client: Client) -> None:
    client.force_login(Staff.objects.create_superuser("root"))
    policy = policy_of(client, "/admin/")
    assert policy["script-src"] == "'self' 'unsafe-eval'"
    assert policy["default-src"] == "'self'"
    assert "http" not in " ".join(policy.values())


@pytest.mark.usefixtures("db")
def test_answers_are_not_framed_sniffed_or_told_to_others(client: Client) -> None:
    answer = client.get("/accounts/login/")
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.usefixtures("db")
def test_an_answer_under_another_name_is_refused(client: Client) -> None:
    assert client.get("/accounts/login/", headers={"host": "evil.example"}).status_code == 400


def test_debug_is_off_and_the_session_is_no_scripts_business() -> None:
    assert settings.DEBUG is False
    assert settings.SESSION_COOKIE_HTTPONLY is True
    assert settings.SESSION_COOKIE_SAMESITE == settings.CSRF_COOKIE_SAMESITE == "Lax"


def test_the_api_is_closed_unless_a_view_opens_it() -> None:
    assert settings.REST_FRAMEWORK["DEFAULT_PERMISSION_CLASSES"] == [
        "rest_framework.permissions.IsAuthenticated"
    ]


@pytest.mark.usefixtures("db")
def test_no_page_and_no_answer_of_the_api_is_kept_by_a_browser(client: Client) -> None:
    cast = running_cast()
    client.force_login(cast.people["floor"])
    for address in (
        f"/tables/{cast.table.pk}/",
        f"/rooms/{cast.room.code}/",
        f"/rooms/{cast.room.code}/floor/",
        f"/api/tables/{cast.table.pk}",
        "/no/such/page/",
    ):
        assert client.get(address)["Cache-Control"] == "no-store", address
    assert "no-store" in Client().get("/accounts/login/")["Cache-Control"]
