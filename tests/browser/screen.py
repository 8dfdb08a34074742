"""Somebody at the site in a real browser: the session, and the table screen with the presses of each phase."""

from __future__ import annotations

from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page, expect

from cardroom.floor.models import Table
from cardroom.people.models import Staff
from tests.cast import BANK_HAND, HANDS, PASSWORD, PIN

#: Milliseconds for many commands, one after the other, on a machine that does other things besides.
_PATIENCE_MS = 60_000
#: No command is sent before the test lets it go (`answered`): what the page shows until then, it shows without the server. The
#: page notes in milliseconds how long after a touch its screen shows another phase.
_HELD = """
    const send = window.fetch, waiting = [];
    let held = true;
    window.hold = (now) => { held = now; if (!held) waiting.splice(0).forEach((go) => go()); };
    window.fetch = async (address, ...more) => {
        if (held && String(address).includes("/commands/")) await new Promise((resolve) => waiting.push(resolve));
        return send(address, ...more);
    };
    window.shown = [];
    let touchedAt = 0, phase = "";
    addEventListener("click", (event) => { touchedAt = event.timeStamp; }, true);
    const look = () => {
        const now = document.getElementById("screen")?.dataset.phase || "";
        if (phase && now !== phase) requestAnimationFrame(() => window.shown.push([now, performance.now() - touchedAt]));
        phase = now;
    };
    document.addEventListener("DOMContentLoaded", () => {
        look();
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-phase"] });
    });
"""


def give_session(context: BrowserContext, who: str, host: str = "localhost") -> None:
    """Give the browser a session of `who`, whoever was signed in before.

    The form of the sign-in page is filled in by the tests that are about it (`give_password`).
    """
    client = Client()
    client.force_login(Staff.objects.get(username=who))
    session = client.cookies[settings.SESSION_COOKIE_NAME]
    context.clear_cookies()
    context.add_cookies([{"name": session.key, "value": session.value, "domain": host, "path": "/"}])


def sign_in(page: Page, who: str, address: str) -> None:
    """Open `address` as `who`."""
    give_session(page.context, who)
    page.goto(address)


def give_password(page: Page, who: str) -> None:
    """Fill in and send the sign-in form that is open."""
    page.get_by_label("User name").fill(who)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")


def sign(page: Page, who: str, pin: str = PIN) -> None:
    """Sign on the sheet that is open: touch the face of `who`, the figures of the PIN on its pad, and *Sign*."""
    sheet = page.locator("#signing")
    sheet.locator(f"[data-name='{who}']").click()
    for figure in pin:
        sheet.locator(f"[data-key='{figure}']").click()
    sheet.get_by_role("button", name="Sign", exact=True).click()


class Screen:
    """The table screen in a page of the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, table: Table, phase: str = "", *, who: str = "dealer", held: bool = False) -> None:
        """Open the table's page as somebody, and wait for a phase; `held`: what is sent waits for `answered`."""
        if held:
            self.page.add_init_script(_HELD)
        sign_in(self.page, who, f"/tables/{table.pk}/")
        expect(self.page.locator("#screen")).to_be_visible()
        self._wait_if(phase)

    def wait_for(self, phase: str) -> None:
        """Wait until the screen shows the table in `phase`, as the server has it and not ahead of its answer.

        `settlement`: until the lines of the round that was just settled are on show, whatever the table is asked next.
        """
        shows = "[data-settlement]" if phase == "settlement" else f"[data-phase={phase}]:not([data-ahead])"
        expect(self.page.locator(f"#screen{shows}")).to_be_visible()

    def _wait_if(self, phase: str) -> None:
        if phase:
            self.wait_for(phase)

    def wait_until_rested(self) -> None:
        """Wait until the next step may be pressed: it rests for a moment after each change of the screen."""
        expect(self.page.locator("#screen:not([data-resting]):not([data-ahead])")).to_be_visible()

    def next_step(self, text: str = "") -> Locator:
        """Return the one large button (or link) at the bottom right, once it may be pressed."""
        button = self.page.locator("[data-next]", has_text=text)
        expect(button).to_have_count(1)
        self.wait_until_rested()
        return button

    def take(self, text: str, phase: str = "") -> None:
        """Touch the next step, and wait for the phase that it leads to."""
        self.next_step(text).click()
        self._wait_if(phase)

    def press(self, text: str, phase: str = "") -> None:
        """Press Enter on the next step, which has the focus of itself, and wait for a phase."""
        expect(self.next_step(text)).to_be_focused()
        self.page.keyboard.press("Enter")
        self._wait_if(phase)

    def type(self, line: str, phase: str = "") -> None:
        """Type a line wherever the focus is (it goes to the command line of itself), and Enter; wait for a phase."""
        self.page.keyboard.type(line)
        self.page.keyboard.press("Enter")
        self._wait_if(phase)

    def hands_in_order(self) -> list[tuple[str, str]]:
        """Seats in the order in which the screen asks for their cards, each with a hand of the cast; the bank last."""
        picker = self.page.locator("#picker")
        seats = (picker.get_attribute("data-order") or "").split(",")
        bank = picker.get_attribute("data-bank")
        assert seats[-1] == bank
        return [(seat, BANK_HAND if seat == bank else HANDS[int(seat)]) for seat in seats]

    def type_hands(self) -> None:
        """Type every hand as the screen asks for it."""
        for _, hand in self.hands_in_order():
            self.type(hand.lower())

    def touch_seat(self, seat: int) -> None:
        """Touch a seat at its name: its spots are touched for themselves."""
        self.page.locator(f"[data-touch='{seat}']").click(position={"x": 90, "y": 14})

    def touch_spot(self, spot: str, *chips: str) -> None:
        """Touch a spot on the felt (`4-ante`), then chips on the panel of its seat."""
        self.page.locator(f"[data-spot='wagers-{spot}']").click()
        self.touch_chips(spot.partition("-")[0], *chips)

    def touch_chips(self, place: int | str, *chips: str) -> None:
        """Touch chips on the panel of a seat, or of somebody behind it."""
        for chip in chips:
            self.page.locator(f"#panel-{place} [data-add='{chip}']").click()

    def touch_bank(self, *chips: str) -> None:
        """Touch chips for the wager of the bank."""
        for chip in chips:
            self.page.locator(f".bank-field [data-add='{chip}']").click()

    def touch_cards(self, hand: str) -> None:
        """Touch cards on the picker, three of a hand or any other number."""
        for card in hand.split():
            self.page.locator(f".deck [data-card='{card}']").click()

    # Ahead of the server

    def ahead(self, phase: str) -> None:
        """Wait until the page shows `phase` without the server's word."""
        expect(self.page.locator(f"#screen[data-phase={phase}][data-ahead]")).to_be_visible()

    def answered(self, phase: str) -> None:
        """Let the server answer, wait until the page shows `phase` by its word, and hold what is sent from then on."""
        self.page.evaluate("hold(false)")
        self.wait_for(phase)
        self.page.evaluate("hold(true)")

    def press_ahead(self, text: str, phase: str) -> None:
        """Touch the next step once it has rested, whatever the server has said; wait for its phase without the answer."""
        expect(self.page.locator("#screen:not([data-resting])")).to_be_visible()
        self.page.locator("[data-next]", has_text=text).click()
        self.ahead(phase)

    # Without a line

    def cut(self) -> None:
        """Cut the tablet off from the server."""
        self.page.context.set_offline(True)
        expect(self.page.locator("#connection")).to_have_attribute("data-connection", "lost")

    def mend(self) -> None:
        """Let the tablet reach the server again."""
        self.page.context.set_offline(False)

    def expect_connection(self, state: str, text: str) -> None:
        """Wait until the connection is said to be so, in these words."""
        connection = self.page.locator("#connection")
        expect(connection).to_have_attribute("data-connection", state, timeout=_PATIENCE_MS)
        expect(connection.locator(".text")).to_contain_text(text)

    def expect_all_sent(self) -> None:
        """Wait until the line is there and nothing is left to be sent."""
        self.expect_connection("live", "live")
        assert self.waiting() == 0

    def waiting(self) -> int:
        """Return how many commands wait in the browser."""
        count: int = self.page.evaluate(
            """() => new Promise((resolve) => { const opening = indexedDB.open("cardroom");
                opening.onsuccess = () => { const counting = opening.result.transaction("commands").objectStore("commands").count();
                    counting.onsuccess = () => resolve(counting.result); }; })"""
        )
        return count

    def bet_and_close(self, bets: dict[int, str], drop: str) -> None:
        """Type wagers by seat, and call no more bets."""
        self.wait_for("betting")
        for seat, amounts in bets.items():
            self.type(f"{seat} {amounts}")
        self.take(f"No more bets · drop {drop}", "dropped")

    def deal_and_settle(self) -> None:
        """Deal, type every hand, and settle."""
        self.take("Deal", "cards")
        self.type_hands()
        self.press("Settle")
