"""A round of the designated player's game on the table screen: eight seats, the rake before and after the deal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from cardroom.floor.commands.seats import player_seat
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from tests.browser.screen import Screen
from tests.cast import Cast, open_cast
from tests.filing import table_settings

pytestmark = pytest.mark.outside


@pytest.fixture
def raked(transactional_db: None) -> Cast:
    """Table 7 plays the designated player's game for $1.50 of every player and the bank; seat 3 banks, 8 is taken."""
    cast = open_cast()
    rake = {"mode": "all", "cents": 150}
    cast.send(
        table_set, "floor", **table_settings(cast.room, rulebook="designated_player", options={}, rake=rake)
    )
    cast.send(player_seat, "dealer", seat=8, player_id=cast.waiting[0].pk)
    cast.bank_to(3)
    return cast


def look(page: Page, name: str) -> None:
    """Keep a picture where one is asked for."""
    if folder := os.environ.get("LOOK"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def test_a_dead_hand_goes_back_and_pays_no_rake(raked: Cast, page: Page, screen: Screen) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    screen.open(raked.table)
    expect(page.locator(".table-head")).to_contain_text("$1.50 from every player and the bank")
    look(page, "1-ready")
    screen.type("20", "betting")
    screen.type("4 20")
    screen.type("5 10")
    expect(page.locator("#closing")).to_contain_text("2 players $3 + bank $1.50 = $4.50")
    expect(page.locator("#closing")).not_to_contain_text("drop")
    expect(page.locator("#cover")).to_contain_text("A hand may be dead")
    look(page, "2-betting")
    screen.take("No more bets", "dropped")
    expect(page.locator(".next")).to_contain_text("$4.50")
    look(page, "3-dropped")
    screen.take("Deal", "cards")
    screen.type_hands()
    look(page, "4-cards")
    screen.take("Settle", "settlement")
    look(page, "5-settled")
    settling = page.locator(".settling")
    expect(settling).to_contain_text("Dead, for want of funds: seat 4 Dee")
    expect(page.locator(".rake-taken")).to_contain_text("Take the rake")
    expect(page.locator(".rake-taken")).not_to_contain_text("Dee")
    round_ = Round.objects.get()
    assert (round_.rake_cents, {fee["seat"] for fee in round_.fees}) == (300, {5, 3})
    page.goto(reverse("web:round", args=[round_.pk]))
    expect(page.locator("main")).to_contain_text("House rake ($1.50 from every player and the bank)")
    look(page, "6-record")
    page.goto(f"/tables/{raked.table.pk}/placard/")
    expect(page.locator("main")).to_contain_text("Every player in the round and the bank pay $1.50 a round.")
    look(page, "7-placard")
    page.goto(f"/tables/{raked.table.pk}/")
    screen.wait_for("offer")
    look(page, "8-offer")
