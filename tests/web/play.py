"""A round played by posting the page's forms, as somebody would whose browser runs no script."""

from __future__ import annotations

from typing import Any

from tests.cast import BANK_HAND, HANDS
from tests.web.conftest import Person

#: Antes in dollars by seat; with the bank at seat 3 that is $60 of total table action: $3 from players, $1 bank.
ANTES = {1: "10", 2: "30", 5: "20"}


def play_round(browser: Person, antes: dict[int, str] | None = None, wager: str = "200") -> Any:
    """Play a whole round from the bank's wager to the settlement; returns the page it ends on."""
    antes = antes or ANTES
    browser.at_table()
    browser.act("bank", bank_wager_cents=wager)
    browser.act("bets", **{f"wagers-{seat}-ante": dollars for seat, dollars in antes.items()})
    browser.act("no-more-bets")
    browser.act("deal")
    hands = {f"hand-{seat}": HANDS[seat].lower().replace(" ", "") for seat in antes}
    return browser.act("settle", bank_hand=BANK_HAND.lower(), **hands)
