"""Second factors in a real browser: a passkey of Chromium's virtual authenticator, and the pages that lead to it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.layout import too_small
from tests.browser.screen import give_password
from tests.cast import Cast, open_cast
from tests.people.totp import code_of

pytestmark = pytest.mark.outside


@pytest.fixture(autouse=True)
def required(settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return open_cast()


def insert_authenticator(page: Page) -> None:
    """Give the browser a device that keeps passkeys and whose owner always agrees."""
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    protocol = page.context.new_cdp_session(page)
    protocol.send("WebAuthn.enable")
    protocol.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def check(page: Page) -> None:
    """A page of the sign-in is accessible, and its buttons can be touched."""
    assert faults(page, every_rule=True) == [], page.url
    assert too_small(page) == [], page.url


def test_a_passkey_is_added_and_signs_in_alone(cast: Cast, live_server: Any, page: Page) -> None:
    hosts, said = set[str](), list[str]()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    insert_authenticator(page)
    page.goto("/accounts/login/")
    give_password(page, "compliance")
    page.wait_for_url("**/accounts/2fa/")
    check(page)
    page.get_by_role("link", name="Add one").click()
    check(page)
    page.get_by_label("Signs in without the password").check()
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url("**/accounts/2fa/recovery-codes/")
    check(page)
    page.goto("/account/")
    expect(page.get_by_text("You sign in with a second factor")).to_be_visible()
    check(page)
    page.goto("/accounts/2fa/webauthn/")
    check(page)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/compliance/")
    # Beside a password it is the second factor.
    page.get_by_role("button", name="Sign out").click()
    page.goto("/accounts/login/")
    give_password(page, "compliance")
    page.wait_for_url("**/accounts/2fa/authenticate/")
    check(page)
    page.get_by_role("button", name="Use a security key").click()
    page.wait_for_url("**/compliance/")
    assert (hosts, said) == ({urlsplit(live_server.url).netloc}, [])


def test_an_app_is_set_up_from_the_page_and_the_code_is_drawn_there(cast: Cast, page: Page) -> None:
    said = list[str]()
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.goto("/accounts/login/")
    give_password(page, "shift_manager")
    page.get_by_role("link", name="Set up an app").click()
    drawn = page.locator(".qr svg").bounding_box()
    assert drawn is not None and drawn["width"] > 150
    check(page)
    key = page.locator("code").inner_text()
    assert re.fullmatch(r"[A-Z2-7]{32}", key)
    page.get_by_label("Authenticator code").fill(code_of(key))
    page.get_by_role("button", name="Set it up").click()
    page.wait_for_url("**/accounts/2fa/recovery-codes/")
    page.goto("/account/pin/")
    check(page)
    page.goto("/accounts/password/change/")
    check(page)
    assert said == []
