"""A browser. Without Chromium these tests say so and are skipped; everything they click also works by plain forms,
which `tests/web` plays through in any case.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

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
def page(chromium: Browser) -> Iterator[Page]:
    """A tablet, held across. What its console says in error, and every address it asks for, is kept on the page."""
    context = chromium.new_context(viewport={"width": 1024, "height": 768})
    yield context.new_page()
    context.close()
