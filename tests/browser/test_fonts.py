"""Pages look alike on a device with other fonts, and at 200 %: nothing is cut, overlaps, or leaves the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import reportlab
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import BROWSERS, FLAGS
from tests.browser.layout import PHONE, TABLETS, wrong_at
from tests.browser.play import play
from tests.browser.screen import Screen, sign_in
from tests.cast import Cast

pytestmark = pytest.mark.outside

#: A browser that is set to text of twice the size, as somebody does who reads nothing smaller.
LARGER = "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"
#: What a floor supervisor, a dealer and a count team open in a night.
ADDRESSES = (
    *("", "tables/", "floor/", "floor/alerts/", "waiting/", "players/", "line-up/", "line-up/plan/"),
    *("count/", "tips/", "exclusions/"),
)
PROJECT = Path(__file__).resolve().parents[2]
#: Two devices by the one font that they have: a narrow one, and one as wide as they come.
FONTS = {
    "condensed": PROJECT / "cardroom" / "documents" / "pdf_layout" / "typefaces",
    "wide": Path(reportlab.__file__).parent / "fonts",
}
NAMES = {"condensed": "DejaVu Sans Condensed", "wide": "Bitstream Vera Sans"}
#: A tablet of 1024 by 768 whose browser shows everything twice as large.
DOUBLED: ViewportSize = {"width": 512, "height": 384}
#: Texts of a page that are cut, and a page that is wider than the screen.
CUT = """() => [
    ...[...document.querySelectorAll("h1, h2, button, .button, th, .tag")].filter((each) => each.checkVisibility() && each.clientWidth > 1 && getComputedStyle(each).overflow === "hidden" && each.scrollWidth > each.clientWidth + 1)
        .map((each) => `${each.textContent.trim()} is cut`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []),
]"""

#: Parts of a seat that lie over each other, and texts of buttons that reach out of them.
OVER = """() => [
    ...[...document.querySelectorAll(".seat")].flatMap((seat) => {
        const parts = [...seat.querySelectorAll(":scope > :not(.seat-touch, .seat-moves), .seat-moves > li")]
            .filter((part) => part.checkVisibility()).map((part) => [part, part.getBoundingClientRect()]).filter(([, at]) => at.width && at.height);
        return parts.flatMap(([one, a], at) => parts.slice(at + 1).filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 1 && b.top < a.bottom - 1).map(([two]) => `${seat.dataset.seat}: ${one.textContent.trim()} over ${two.textContent.trim()}`));
    }),
    ...[...document.querySelectorAll("#screen button")].filter((each) => each.checkVisibility() && each.clientHeight > 1 && each.scrollHeight > each.clientHeight + 2)
        .map((each) => `${each.textContent.trim()} reaches out of its button`),
]"""


@pytest.fixture
def larger(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """A page of a browser that is set to text of twice the size."""
    path = str(next(path for path in BROWSERS if path.exists()))
    with chromium.browser_type.launch(executable_path=path, args=[*FLAGS, LARGER]) as browser:
        yield browser.new_page(viewport=PHONE, base_url=live_server.url)


@pytest.fixture(params=sorted(FONTS))
def other(
    request: pytest.FixtureRequest, chromium: Browser, live_server: Any, tmp_path: Path
) -> Iterator[Page]:
    """A tablet that has one font, whatever a page asks for."""
    settings = tmp_path / "fonts.conf"
    settings.write_text(
        f"""<?xml version="1.0"?><fontconfig><dir>{FONTS[request.param]}</dir><cachedir>{tmp_path}</cachedir>
        <match><edit name="family" mode="prepend" binding="strong"><string>{NAMES[request.param]}</string></edit></match></fontconfig>""",
        encoding="utf-8",
    )
    with chromium.browser_type.launch(
        executable_path=str(next(path for path in BROWSERS if path.exists())),
        args=FLAGS,
        env={"FONTCONFIG_FILE": str(settings), "HOME": str(tmp_path)},
    ) as browser:
        yield browser.new_page(viewport={"width": 1024, "height": 768}, base_url=live_server.url)


@pytest.mark.parametrize("phase", ["betting", "cards"])
def test_a_table_looks_alike_whatever_fonts_a_device_has(cast: Cast, other: Page, phase: str) -> None:
    play(cast, phase)
    Screen(other).open(cast.table)
    other.evaluate("document.fonts.ready")
    assert wrong_at(other, *TABLETS, PHONE, DOUBLED) == []


def test_other_pages_look_alike_and_fit_at_200_percent(cast: Cast, other: Page) -> None:
    found = []
    for address in ("", "tables/", "reports/", "count/"):
        sign_in(other, "shift_manager", f"/rooms/{cast.room.code}/{address}")
        other.evaluate("document.fonts.ready")
        for size in (TABLETS[2], DOUBLED):
            other.set_viewport_size(size)
            found += [f"{address} {size['width']}: {fault}" for fault in other.evaluate(CUT)]
    assert found == []


def test_pages_of_the_floor_fit_in_a_browser_set_to_larger_text(cast: Cast, larger: Page) -> None:
    found = []
    pages = [f"/rooms/{cast.room.code}/{address}" for address in ADDRESSES] + [f"/tables/{cast.table.pk}/"]
    for address in pages:
        sign_in(larger, "shift_manager", address)
        for size in (PHONE, TABLETS[0], TABLETS[2]):
            larger.set_viewport_size(size)
            found += [f"{address} {size['width']}: {fault}" for fault in larger.evaluate(CUT)]
    assert found == []


@pytest.mark.parametrize("phase", ["betting", "dropped", "cards", "settled"])
def test_a_table_on_a_phone_set_to_larger_text_has_nothing_over_each_other(
    cast: Cast, larger: Page, phase: str
) -> None:
    play(cast, phase)
    Screen(larger).open(cast.table)
    larger.evaluate("document.fonts.ready")
    assert wrong_at(larger, PHONE) == []
    assert larger.evaluate(OVER) == []


def test_fees_of_a_placard_stack_on_a_phone_set_to_larger_text(cast: Cast, larger: Page) -> None:
    """Who pays and how much in one line, and for what beneath it over the whole width."""
    sign_in(larger, "floor", f"/tables/{cast.table.pk}/placard/")
    larger.set_viewport_size(PHONE)
    who, each, fee = (
        larger.locator(f".fees tbody tr:last-child {cell}").bounding_box()
        for cell in ("th", "td:nth-child(2)", "td.num")
    )
    assert who and each and fee
    assert abs(who["y"] - fee["y"]) < 4
    assert each["y"] >= who["y"] + who["height"] - 1
    assert each["width"] > PHONE["width"] * 0.8
    assert larger.evaluate(CUT) == []
