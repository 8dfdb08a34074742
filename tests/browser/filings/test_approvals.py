"""An approval in a real browser: drafted by its words alone, worked out as it is typed, signed by two, and played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.filings.models import GameFiling
from cardroom.floor.models import Round
from tests.browser.axe import faults
from tests.browser.layout import too_small
from tests.browser.screen import Screen, sign, sign_in
from tests.cast import Cast, open_cast
from tests.games.test_approval import PAPER

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return open_cast()


def test_an_approval_is_drafted_by_its_words_filed_by_two_and_played(
    cast: Cast, page: Page, screen: Screen
) -> None:
    sign_in(page, "compliance", f"/rooms/{cast.room.code}/games/")
    page.get_by_label("Based on").select_option(label="Three Card Poker 6 Card Bonus, California")
    page.get_by_role("button", name="Draft it").click()
    draft_by_words(page)
    assert faults(page, every_rule=True) == []
    assert too_small(page) == []
    page.get_by_role("button", name="Save and review", exact=True).click()
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    game = GameFiling.objects.get(room=cast.room, number=2)
    assert game.options["approval"]["sources"] == PAPER["sources"]
    assert faults(page, every_rule=True) == []
    page.get_by_label("First day in force").fill("2026-01-01")
    page.get_by_role("button", name="Check and file").click()
    sign(page, "room_manager")
    expect(page.get_by_text("is filed, in force from")).to_be_visible()
    game.refresh_from_db()
    assert (game.status, str(game.approved_by)) == ("filed", "Room manager")
    set_at_table(page, cast, game)
    play(screen, cast)
    expect(page.get_by_text("$20").first).to_be_visible()


def draft_by_words(page: Page) -> None:
    """Say what the paper says, and see it worked out: the edge moves with each line, and the whole follows."""
    for term in ("Seats", "6 Card Bonus is offered", "Pair Plus pays"):
        page.get_by_label("A term of which your document says otherwise").select_option(label=term)
        page.get_by_role("button", name="Add a difference").click()
    expect(page.locator("#counts")).to_contain_text("3 clauses missing")
    page.get_by_label("Seats", exact=True).fill("8")
    expect(page.locator("#whole .bad", has_text="Seats")).to_contain_text("8")
    page.get_by_label("Seats: clause").fill("2, page 2")
    page.get_by_label("6 Card Bonus is offered: clause").fill("1, page 1")
    page.get_by_label("Pair Plus pays: clause").fill("7.4, page 6")
    page.get_by_label("Mini royal", exact=True).fill("40")
    expect(page.locator(".edge b").first).to_have_text("7.2760%")
    page.get_by_label("Flush", exact=True).fill("4")
    expect(page.locator(".edge b").first).to_have_text("2.3167%")
    expect(page.locator(".edge")).to_contain_text("Flush 3:1 would be")
    page.get_by_label("State's number of the filing").fill("GEGR-004861")
    page.get_by_label("Title of your document").fill("Three Card Poker")
    page.get_by_label("Date of your document").fill("2026-10-14")
    expect(page.locator("#counts")).to_contain_text("every clause given")


def set_at_table(page: Page, cast: Cast, game: GameFiling) -> None:
    """Let the floor set the table to it on the table's page."""
    sign_in(page, "floor", f"/tables/{cast.table.pk}/")
    page.locator("summary", has_text="More").click()
    settings = page.locator("#command-settings")
    settings.locator("summary").click()
    settings.locator("[name=game_id]").select_option(str(game.pk))
    settings.get_by_role("button").click()
    expect(page.locator(".seat[data-seat='8']")).to_be_visible()
    cast.table.refresh_from_db()
    assert cast.table.game == game


def play(screen: Screen, cast: Cast) -> None:
    """Play a round on the screen in which a flush takes $5 on Pair Plus at 4 to 1."""
    cast.bank_to(1)
    screen.open(cast.table, "ready")
    screen.type("200", "betting")
    screen.bet_and_close({2: "10 5"}, "$2")
    screen.take("Deal", "cards")
    for seat, hand in screen.hands_in_order():
        screen.type("ah7h2h" if seat == "2" else hand.lower())
    screen.press("Settle")
    screen.wait_for("settlement")
    settlement = Round.objects.get(table=cast.table).settlement
    assert settlement is not None
    lines = {line["wager"]: line for line in settlement["lines"]}
    assert (lines["pair_plus"]["paid"], lines["pair_plus"]["clause"]) == (2000, "GEGR-004861:7.4, page 6")
