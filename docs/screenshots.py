"""`make screenshots`: the pictures of README, docs and guides, from a demo site that is started for them alone.

Starts the supervisor in a temporary state directory on a free port, plays a round at table 7 through the pages, closes
the shift, waits for the worker's report, and pulls a box. Writes docs/images/*.png, and the guides' pictures as static
files of the site: a page loads nothing from elsewhere. Needs Chromium: apt-get install -y chromium-headless-shell.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

from playwright.sync_api import Browser, Locator, Page, sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
IMAGES = PROJECT / "docs" / "images"
GUIDES = PROJECT / "cardroom" / "web" / "static" / "web" / "site" / "guides"
BROWSERS = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
FLAGS += ["--disable-component-update", "--disable-sync"]
PATIENCE_SECONDS = 300
MOST_BYTES = 400 * 1024
ROOM = "/rooms/tule-slough-demo/"
#: The bank's bar has run down by then.
SETTLED_MS = 900
#: The next step takes no touch for 600 ms after the screen has changed.
RESTED_MS = 900

#: What the picture's round is played with: the bank at seat 6 puts up $120, and it does not reach round the table.
BETS = ["1 10 5", "2 20", "3 15 5 5", "4 25", "5 10+1"]
HANDS = [
    "ts 8c 3d",
    "9s 9c 4h",
    "as qc jd",
    "7s 6d 2h",
    "kh 7d 4c",
]  # after seat 1, clockwise; the bank's last
FIRST_HAND = ["Ah", "Qd", "2c"]
#: What is typed of the box that is counted.
PIECES = {"$5 chip": "4", "$1 chip": "12", "$1 bill": "5"}


def main() -> int:
    """Take the pictures; return the exit status."""
    chromium = next((browser for browser in BROWSERS if browser.exists()), None)
    if chromium is None:
        print("Chromium is not installed: apt-get install -y chromium-headless-shell", file=sys.stderr)
        return 1
    for folder in (IMAGES, GUIDES):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cardroom-screenshots-") as state, demo_site(Path(state)) as site:
        password, pin = (
            (Path(state) / name).read_text(encoding="utf-8").strip() for name in ("demo_password", "demo_pin")
        )
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(chromium), args=FLAGS)
            manager = signed_in(browser, site, "manager", password)
            take_home(manager)
            take_play(manager, site)
            take_closing(manager, site)
            take_count(signed_in(browser, site, "count", password), pin)
            take_compliance(signed_in(browser, site, "compliance", password))
            browser.close()
    for picture in sorted([*IMAGES.glob("*.png"), *GUIDES.glob("*.png")]):
        size = picture.stat().st_size
        print(f"{picture.relative_to(PROJECT)}: {size // 1024} KB")
        if size > MOST_BYTES:
            print(f"{picture.name} is larger than {MOST_BYTES // 1024} KB", file=sys.stderr)
            return 1
    return 0


@contextlib.contextmanager
def demo_site(state: Path) -> Iterator[str]:
    """Run the site with its demo room until the block is left; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CARDROOM_")}
    environ |= {"CARDROOM_STATE_DIR": str(state), "CARDROOM_PORT": str(port)}
    running = subprocess.Popen(
        [sys.executable, "-m", "cardroom.ops.supervisor", "--demo"],
        cwd=PROJECT,
        env=environ,
        stdout=subprocess.DEVNULL,
    )
    site = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{site}/accounts/login/", running)
        yield site
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(PATIENCE_SECONDS)


def wait_for(address: str, running: subprocess.Popen[bytes]) -> None:
    """Wait until `address` answers; raises RuntimeError when the site ends or keeps silent."""
    until = monotonic() + PATIENCE_SECONDS
    while monotonic() < until and running.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310  # our own, on this machine
                return
        except (urllib.error.URLError, OSError):
            sleep(0.3)
    raise RuntimeError(f"the site did not answer at {address}")


def signed_in(browser: Browser, site: str, who: str, password: str) -> Page:
    """Open a window in which somebody of the demo room has signed in."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(site)
    page.get_by_label("User name").fill(who)
    page.get_by_label("Password").fill(password)
    page.get_by_label("Password").press("Enter")
    page.locator(".section-bar").wait_for()
    return page


def take_home(page: Page) -> None:
    """Take the manager's home, once the worker has made the reports of the past and found its exceptions."""
    until = monotonic() + PATIENCE_SECONDS
    unfinished = page.locator("main", has_text=re.compile("not searched yet|are being made"))
    while unfinished.count() and monotonic() < until:
        page.wait_for_timeout(3000)
        page.reload()
        page.locator("h1").wait_for()
    take(page, "results")


def take_play(page: Page, site: str) -> None:
    """Play a round as the shift manager, taking pictures on the way."""
    page.goto(f"{site}{ROOM}")
    page.get_by_role("link", name="Table 7").wait_for()
    take(page, "room")
    page.get_by_role("link", name="Full-screen floor view").click()
    page.locator("#cards").wait_for()
    take_guide(page, "board")
    page.goto(f"{site}{ROOM}")
    page.get_by_role("link", name="Table 7").click()
    bank = page.locator(".seat.bank").get_attribute("data-seat")
    page.wait_for_load_state("load")  # what is typed before the scripts are there is lost
    assert bank == "6", (
        f"the demo room has seat 6 at the bank, and the picture's bets are made for it, not seat {bank}"
    )
    type_line(page, "120")
    page.locator("#screen[data-phase=betting]").wait_for()
    answered(page)
    for line in BETS:
        type_line(page, line)
    page.locator("#closing", has_text="drop $6").wait_for()
    take(page, "table")
    take_guide(page, "betting")
    page.locator("summary", has_text="More").click()
    page.locator("#command-void summary").click()
    page.locator("#command-void select").select_option(index=2)
    page.locator("#command-void form button").click()
    page.locator("#signing [data-name]").first.wait_for()
    take_guide(page, "void", page.locator("#signing"))
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator("[data-touch='4']").click(
        position={"x": 90, "y": 14}
    )  # at its name: the spots are touched for themselves
    take(page, "entry")
    page.keyboard.press("Escape")
    page.locator("#close-bets").click()
    page.get_by_role("button", name="Deal").wait_for()
    answered(page)
    page.get_by_role("button", name="Deal").click()
    page.locator("#screen[data-phase=cards]").wait_for()
    answered(page)
    type_line(page, "shown kh")
    page.locator(".shown-card").wait_for()
    answered(page)
    for card in FIRST_HAND:
        page.locator(f"[data-card='{card}']").click()
    for hand in HANDS[:3]:
        type_line(page, hand)
    take(page, "cards")
    for line in [*HANDS[3:], "5 fold"]:
        type_line(page, line)
    page.wait_for_timeout(RESTED_MS)
    page.get_by_role("button", name="Settle").click()
    page.locator("#screen[data-settlement]").wait_for()
    answered(page)
    page.wait_for_timeout(SETTLED_MS)
    take(page, "settlement")
    take_guide(page, "settlement")


def take_closing(page: Page, site: str) -> None:
    """Close the shift, and wait for its report."""
    page.goto(f"{site}{ROOM}")
    page.get_by_text("Close the shift…").click()
    take_guide(page, "close-shift", page.locator(".shift-two > section"))
    page.get_by_label("Close the shift with this open").check()
    page.get_by_role("button", name=re.compile("^Close .* only$")).click()
    page.get_by_role("link", name="Print (PDF)").wait_for(timeout=PATIENCE_SECONDS * 1000)
    take(page, "report")
    take_guide(page, "report")


def take_count(page: Page, pin: str) -> None:
    """Pull the box of table 7 as one of the count team, and begin to count it."""
    # Those of the shift before may wait, as it has just changed.
    counts = page.get_by_role("link", name="Make the first count")
    waiting = counts.count()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Pull the chosen boxes").click()
    page.locator("#signing [data-name=floor]").click()
    page.keyboard.type(pin)
    page.keyboard.press("Enter")
    counts.nth(waiting).wait_for()
    take_guide(page, "count")
    counts.last.click()
    for piece, number in PIECES.items():
        page.get_by_label(piece, exact=True).fill(number)
    take_guide(page, "pieces", page.locator("form[data-count]"))


def take_compliance(page: Page) -> None:
    """Look at what compliance begins with, at the exceptions, and at a table's rotation."""
    take_guide(page, "compliance")
    page.get_by_role("link", name="Open the inbox", exact=True).click()
    page.locator("h1", has_text="Exceptions").wait_for()
    page.wait_for_timeout(RESTED_MS)
    take(page, "exceptions")
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("link", name="Rotation").first.click()
    page.get_by_role("heading", name="Timeline").scroll_into_view_if_needed()
    page.mouse.wheel(0, 480)
    page.wait_for_timeout(RESTED_MS)
    take_guide(page, "rotation")


def answered(page: Page) -> None:
    """Wait until the server has answered what the page shows ahead of it, and the next step may be pressed."""
    page.locator("#screen:not([data-resting]):not([data-ahead])").wait_for()


def type_line(page: Page, line: str) -> None:
    """Type a line at the table page, and Enter; it goes to the command line of itself."""
    page.locator("#command").fill(line)
    page.keyboard.press("Enter")


def take(page: Page, name: str) -> None:
    """Take one picture of what the window shows."""
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / f"{name}.png")


def take_guide(page: Page, name: str, part: Locator | None = None) -> None:
    """Take one picture for the guides: of what the window shows, or of one part of it."""
    page.mouse.move(0, 0)
    (part or page).screenshot(path=GUIDES / f"{name}.png")


if __name__ == "__main__":
    sys.exit(main())
