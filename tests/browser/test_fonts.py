"""Pages look alike on a device with other fonts, and at 200 %: nothing is cut, overlaps, or leaves the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import reportlab
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import BROWSERS, FLAGS
from tests.browser.table import open_table, sign_in
from tests.browser.test_felt import BET, PHONE, TABLETS, WRONG_TEXTS, play, wrong_at
from tests.cast import Cast, running_cast

pytestmark = pytest.mark.outside

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


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return running_cast()


@pytest.fixture(params=sorted(FONTS))
def other(request: pytest.FixtureRequest, chromium: Browser, tmp_path: Path) -> Iterator[Page]:
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
        yield browser.new_page(viewport={"width": 1024, "height": 768})


@pytest.mark.parametrize("phase", ["betting", "cards"])
def test_a_table_looks_alike_whatever_fonts_a_device_has(
    cast: Cast, live_server: Any, other: Page, phase: str
) -> None:
    play(cast, phase)
    open_table(other, live_server, cast.table)
    other.evaluate("document.fonts.ready")
    found = [fault for size in TABLETS for fault in wrong_at(other, size)]
    for size in (PHONE, DOUBLED):
        other.set_viewport_size(size)
        found += [f"{size['width']}: {fault}" for fault in other.evaluate(WRONG_TEXTS, BET)]
    assert not found, found


def test_other_pages_look_alike_and_fit_at_200_percent(cast: Cast, live_server: Any, other: Page) -> None:
    code = cast.room.code
    found = []
    for address in ("", "tables/", "reports/", "count/"):
        sign_in(other, live_server, "shift_manager", f"/rooms/{code}/{address}")
        other.evaluate("document.fonts.ready")
        for size in (TABLETS[2], DOUBLED):
            other.set_viewport_size(size)
            found += [f"{address} {size['width']}: {fault}" for fault in other.evaluate(CUT)]
    assert not found, found
