"""What is wrong with how a page is laid out: seats over each other, texts that are cut, a page wider than the screen."""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize

TABLETS: list[ViewportSize] = [
    {"width": 820, "height": 1180},
    {"width": 768, "height": 1024},
    {"width": 1024, "height": 768},
    {"width": 1366, "height": 900},
]
LOW: ViewportSize = {"width": 1180, "height": 820}
PHONE: ViewportSize = {"width": 390, "height": 844}
#: A tablet held either way, a low one, and a phone.
SIZES: list[ViewportSize] = [LOW, TABLETS[2], TABLETS[0], PHONE]

#: The least size of a bet in pixels.
_BET = 18
#: Seats stand round a felt from this width on, and below it in a list.
_FELT = 700
#: Seats that lie over each other, and those of which a corner lies outside the felt or on its rail.
_WRONG_SEATS = """() => {
    const felt = document.getElementById("seats"), box = felt.getBoundingClientRect();
    const drawn = getComputedStyle(felt, "::before"), rail = parseFloat(drawn.borderTopWidth);
    const long = (text, whole) => text.endsWith("%") ? whole * parseFloat(text) / 100 : parseFloat(text);
    const radius = (corner) => { const [x, y] = (drawn[corner] + " " + drawn[corner]).split(" ");
        return [long(x, box.width) - rail, long(y, box.height) - rail]; };
    const outside = (at, left, top, corner) => {
        const [rx, ry] = radius(corner);
        const x = left ? at.left - box.left - rail : box.right - rail - at.right, y = top ? at.top - box.top - rail : box.bottom - rail - at.bottom;
        return x < -.5 || y < -.5 || (x < rx && y < ry && ((rx - x) / rx) ** 2 + ((ry - y) / ry) ** 2 > 1.001);
    };
    const seats = [...document.querySelectorAll(".seat")].map((seat) => [seat.dataset.seat, seat.getBoundingClientRect()]);
    const over = seats.flatMap(([one, a]) => seats.filter(([two, b]) => one < two && a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom).map(([two]) => `${one} over ${two}`));
    const off = seats.filter(([, at]) => outside(at, true, true, "borderTopLeftRadius") || outside(at, false, true, "borderTopRightRadius")
        || outside(at, true, false, "borderBottomLeftRadius") || outside(at, false, false, "borderBottomRightRadius")).map(([seat]) => `${seat} off the felt`);
    return [...over, ...off];
}"""
#: Texts of seats that are cut, or too small.
_WRONG_TEXTS = """(least) => [
    ...[...document.querySelectorAll(".seat-name, .bet, .bet b, .seat-moves li, .back-line button")]
        .filter((text) => text.checkVisibility() && (text.scrollWidth > text.clientWidth && text.clientWidth || text.scrollHeight > text.clientHeight + 1 && text.clientHeight))
        .map((text) => `${text.textContent.trim()} is cut`),
    ...[...document.querySelectorAll(".bet b, .seat-moves .move b")].filter((text) => text.checkVisibility() && parseFloat(getComputedStyle(text).fontSize) < least)
        .map((text) => `${text.textContent} is small`),
    ...[...document.querySelectorAll(".seat > *")].filter((part) => part.checkVisibility() && part.getBoundingClientRect().bottom > part.parentElement.getBoundingClientRect().bottom + .5)
        .map((part) => `${part.textContent.trim()} reaches out of seat ${part.parentElement.dataset.seat}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []),
]"""
#: What is in the middle of the felt and beneath the deck.
_COVERED = """() => {
    const deck = document.getElementById("picker")?.getBoundingClientRect();
    return !deck ? [] : [...document.querySelectorAll(".centre > *")].filter((each) => each.checkVisibility({ visibilityProperty: true })
        && each.textContent.trim() && each.getBoundingClientRect().bottom > deck.top + 1).map((each) => `beneath the deck: ${each.textContent.trim()}`);
}"""
#: What a finger has to meet, and how high it stands; words within a sentence are no targets of their own.
_SMALL = """() => [...document.querySelectorAll('button, input, select, summary, a.button, .contents a')]
    .filter(each => each.offsetParent && each.getBoundingClientRect().height < 44)
    .map(each => each.outerHTML.slice(0, 80))"""


def wrong_at(page: Page, *sizes: ViewportSize) -> list[str]:
    """What is wrong with seats and texts of the table screen at these sizes, each with the size before it."""
    found = []
    for size in sizes:
        page.set_viewport_size(size)
        wrong = page.evaluate(_WRONG_TEXTS, _BET)
        if size["width"] >= _FELT:
            wrong += page.evaluate(_WRONG_SEATS) + page.evaluate(_COVERED)
        found += [f"{size['width']}: {fault}" for fault in wrong]
    return found


def too_wide(page: Page) -> list[str]:
    """By how much a page is wider than a phone; what is wide in it scrolls by itself."""
    usual = page.viewport_size
    assert usual is not None
    page.set_viewport_size(PHONE)
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    page.set_viewport_size(usual)
    return [f"{over} pixels wider than a phone"] if over > 0 else []


def too_small(page: Page) -> list[str]:
    """What has to be touched on a page, and is less than 44 pixels high."""
    small: list[str] = page.evaluate(_SMALL)
    return small
