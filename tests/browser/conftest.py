"""A browser. Without Chromium these tests say so and are skipped; everything they click also works by plain forms,
which `tests/web` plays through in any case.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from cardroom.floor import notify
from cardroom.ops.supervisor.valkey import Valkey
from tests.cast import Cast, running_cast
from tests.servers.site import Site

from .screen import Screen

#: Debian's packages, the cheaper one first: without a window to draw, a page takes a third less of the processor.
BROWSERS = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
#: What lets it start as root and keeps it from asking other hosts for anything.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window."""
    installed = [path for path in BROWSERS if path.exists()]
    if not installed:
        pytest.skip("Chromium is not installed: apt-get install -y chromium-headless-shell")
    # Playwright runs an event loop in this thread, in which Django would refuse the database to the test itself.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(installed[0]), args=FLAGS)
        yield browser
        browser.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 with seven players; seat 3 has taken the bank and has not wagered yet. Committed, for the server's connection."""
    return running_cast()


@pytest.fixture
def page(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """A tablet, held across, at the site: addresses are those on it. An error in a script of a page fails the test."""
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, base_url=live_server.url)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def screen(page: Page) -> Screen:
    """The table screen of that tablet."""
    return Screen(page)


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Valkey]:
    """A broker for this test alone, which may be stopped and started, and to which the commands of the test publish too."""
    with Valkey(Path(settings.STATE_DIR) / "browser.sock") as valkey:
        monkeypatch.setattr(settings, "REDIS_URL", valkey.url)
        notify._broker.cache_clear()
        yield valkey
    notify._broker.cache_clear()


@pytest.fixture
def site(cast: Cast, broker: Valkey, site_environ: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    """The site as a process of its own, whose pages hear of what is done."""
    environ = {**site_environ, "CARDROOM_REDIS_URL": broker.url}
    with Site(environ, tmp_path / "site.log", static=True) as site:
        yield site


@pytest.fixture
def browser(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    """A browser with a wide screen at that site."""
    context = chromium.new_context(viewport={"width": 1920, "height": 1080}, base_url=site.url)
    yield context
    context.close()
