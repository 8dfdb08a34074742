"""Rounds at table 7: by posting the page's forms, as somebody would whose browser runs no script, and by the commands themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from tests.cast import BANK_HAND, HANDS, Cast
from tests.web.conftest import Person

#: Antes in dollars by seat; with the bank at seat 3 that is $60 of total table action: $3 from players, $1 bank.
ANTES = {1: "10", 2: "30", 5: "20"}


def play_round(browser: Person, antes: dict[int, str] | None = None, wager: str = "200") -> Any:
    """Play a whole round from the bank's wager to the settlement, by forms; returns the page it ends on."""
    antes = antes or ANTES
    browser.at_table()
    browser.command("bank", bank_wager_cents=wager)
    browser.command("bets", **{f"wagers-{seat}-ante": dollars for seat, dollars in antes.items()})
    browser.command("no-more-bets")
    browser.command("deal")
    hands = {f"hand-{seat}": HANDS[seat].lower().replace(" ", "") for seat in antes}
    return browser.command("settle", bank_hand=BANK_HAND.lower(), **hands)


def play_by_commands(
    cast: Cast, antes: Mapping[int, str] = ANTES, *, until: str = "settle", wager: int = 20000
) -> dict[str, Any]:
    """Let the dealer play the same round past the pages, for a test of what comes after; `until` is the last command of it.

    Commands are called as on the page: bank, bets, no-more-bets, deal, settle. Returns what the last one answers.
    """
    bets = [{"seat": seat, "wagers": {"ante": int(dollars) * 100}} for seat, dollars in antes.items()]
    hands = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in antes]
    commands: dict[str, Callable[[], dict[str, Any]]] = {
        "bank": lambda: cast.send(round_open, "dealer", bank_wager_cents=wager),
        "bets": lambda: cast.send(bets_place, "dealer", positions=bets),
        "no-more-bets": lambda: cast.send(bets_close, "dealer"),
        "deal": lambda: cast.send(round_deal, "dealer"),
        "settle": lambda: cast.send(round_settle, "dealer", bank_hand=BANK_HAND, positions=hands),
    }
    for slug, give in commands.items():
        answer = give()
        if slug == until:
            return answer
    raise ValueError(f"no command of a round is called {until}")
