"""The door: user name and password, counted by name, open while the cache's server is down, closed to strangers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client

from cardroom.config.cache import SteadyRedisCache
from cardroom.ops.supervisor.valkey import Valkey
from cardroom.people.models import Staff

PASSWORD = "three-of-a-kind-beats-a-straight"
#: As many wrong passwords as ACCOUNT_RATE_LIMITS lets pass.
GUESSES = 10


@pytest.fixture
def staff(db: None) -> Staff:
    return Staff.objects.create_user("kim", password=PASSWORD)


@pytest.fixture
def sign_in(client: Client) -> Callable[..., Any]:
    def attempt(password: str, *, username: str = "kim", address: str = "10.0.0.1") -> Any:
        return client.post("/accounts/login/", {"login": username, "password": password}, REMOTE_ADDR=address)

    return attempt


@pytest.mark.usefixtures("staff")
def test_a_person_signs_in_by_user_name_and_comes_to_the_front_page(sign_in: Callable[..., Any]) -> None:
    answer = sign_in(PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.usefixtures("staff")
def test_wrong_passwords_lock_the_name_and_nobody_else(sign_in: Callable[..., Any], client: Client) -> None:
    Staff.objects.create_user("lou", password=PASSWORD)
    for _ in range(GUESSES):
        assert sign_in("wrong").status_code == 200
    assert sign_in(PASSWORD).status_code == 200, "the right password opened a name that is locked"
    assert sign_in(PASSWORD, address="10.0.0.2").status_code == 200, (
        "another address opened a name that is locked"
    )
    # Behind one router everybody has the same address.
    assert sign_in(PASSWORD, username="lou").status_code == 302


@pytest.mark.usefixtures("staff")
def test_the_lock_counts_a_name_in_whatever_case_it_is_written(sign_in: Callable[..., Any]) -> None:
    for guess in range(GUESSES):
        sign_in("wrong", username="KIM" if guess % 2 else "kim")
    assert sign_in(PASSWORD).status_code == 200


@pytest.mark.usefixtures("staff")
def test_many_may_sign_in_from_one_address_in_one_minute(sign_in: Callable[..., Any], client: Client) -> None:
    for _ in range(40):
        client.logout()
        assert sign_in(PASSWORD).status_code == 302


@pytest.mark.usefixtures("db")
def test_nobody_signs_up(client: Client) -> None:
    client.post("/accounts/signup/", {"username": "eve", "password1": PASSWORD, "password2": PASSWORD})
    assert not Staff.objects.exists()


@pytest.mark.usefixtures("staff")
def test_a_lost_password_is_not_mailed_to_anybody(client: Client, mailoutbox: list[Any]) -> None:
    Staff.objects.update(email="kim@room.example")
    client.post("/accounts/password/reset/", {"email": "kim@room.example"})
    assert mailoutbox == []


@pytest.mark.usefixtures("db")
def test_the_admin_is_entered_through_the_same_door(client: Client) -> None:
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/")


@pytest.fixture
def site_cache(tmp_path: Path) -> tuple[SteadyRedisCache, Valkey]:
    server = Valkey(tmp_path / "valkey.sock")
    return SteadyRedisCache(server.url, {"OPTIONS": {"socket_connect_timeout": 1}}), server


@pytest.mark.outside
def test_the_cache_is_the_servers_while_it_answers(site_cache: tuple[SteadyRedisCache, Valkey]) -> None:
    cache, server = site_cache
    with server:
        cache.set("name", [1, 2], 60)
        other = SteadyRedisCache(server.url, {})
        assert other.get("name") == [1, 2]
        assert not other.add("name", 3)
        assert other.add("other", 1)
        assert (other.incr("other"), other.has_key("other")) == (2, True)
        assert other.touch("other", 60)
        assert other.delete("name")
        assert cache.get("name") is None


@pytest.mark.outside
def test_a_cache_whose_server_is_down_keeps_counting_and_comes_back(
    site_cache: tuple[SteadyRedisCache, Valkey],
) -> None:
    cache, server = site_cache
    cache.set("count", 1)
    assert cache.incr("count") == 2
    assert cache.get("count") == 2
    assert not cache.add("count", 5)
    with server:
        assert cache.get("count") is None, "the server was not asked again"
        cache.set("count", 7)
        assert SteadyRedisCache(server.url, {}).get("count") == 7


@pytest.mark.usefixtures("staff")
def test_people_sign_in_while_the_caches_server_is_down_and_guesses_still_count(
    sign_in: Callable[..., Any], client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = SteadyRedisCache(f"unix://{tmp_path}/nobody.sock", {"OPTIONS": {"socket_connect_timeout": 1}})
    monkeypatch.setattr(caches._connections, "default", down, raising=False)  # type: ignore[attr-defined]
    assert sign_in(PASSWORD).status_code == 302
    client.logout()
    for _ in range(GUESSES):
        sign_in("wrong")
    assert sign_in(PASSWORD).status_code == 200


@pytest.mark.usefixtures("staff")
def test_signing_in_as_somebody_else_ends_the_first_session(
    sign_in: Callable[..., Any], client: Client
) -> None:
    other = Staff.objects.create_user("lou", password=PASSWORD)
    sign_in(PASSWORD)
    first = client.session.session_key
    assert "is signed in here" in client.get("/accounts/login/").content.decode()
    assert sign_in(PASSWORD, username="lou").status_code == 302
    assert int(client.session["_auth_user_id"]) == other.pk
    assert client.session.session_key != first
    assert not Session.objects.filter(session_key=first).exists()


def test_a_wrong_password_in_a_signed_in_browser_says_who_is_signed_in_still(
    sign_in: Callable[..., Any], client: Client, staff: Staff
) -> None:
    Staff.objects.create_user("lou", password=PASSWORD)
    sign_in(PASSWORD)
    answer = sign_in("wrong", username="lou")
    assert int(client.session["_auth_user_id"]) == staff.pk
    assert "<strong>kim</strong> is signed in here" in answer.content.decode()
