"""Amounts at the table screen: figures replace, chips add, the unusual is asked about and what limits forbid is refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.models import Round, Table
from tests.browser.play import antes_of
from tests.browser.screen import Screen
from tests.cast import Cast, sheet

pytestmark = pytest.mark.outside


def key_in(page: Page, seat: int, keys: str) -> None:
    for key in keys:
        page.locator(f"#panel-{seat} [data-key='{key}']").click()


def test_seven_five_on_a_fifty_dollar_ante_makes_seventy_five(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({1: 5000, 4: 5000, 5: 5000})
    screen.open(cast.table, "betting")
    ante = page.locator("#panel-4 input[name=wagers-4-ante]")
    on_seat = page.locator("[data-spot=wagers-4-ante]")
    # By touch of the spot, and the keypad.
    on_seat.click()
    expect(on_seat).to_have_attribute("aria-pressed", "true")
    expect(ante).to_have_attribute("aria-current", "true")
    key_in(page, 4, "75")
    expect(ante).to_have_value("75")
    expect(on_seat).to_contain_text("$75")
    # The spot is touched again while its panel is open: a new amount begins.
    on_seat.click()
    key_in(page, 4, "60")
    expect(ante).to_have_value("60")
    # The field is touched, where the caret lands among the figures, and typed into.
    ante.click()
    page.keyboard.type("75")
    expect(ante).to_have_value("75")
    ante.click()
    ante.click()
    page.keyboard.type("80")
    expect(ante).to_have_value("80")
    screen.take("No more bets · drop $5", "dropped")
    assert antes_of(Round.objects.get()) == {1: 5000, 4: 8000, 5: 5000}


def test_chips_go_to_the_spot_that_was_touched(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({4: 5000})
    screen.open(cast.table, "betting")
    screen.touch_spot("4-six_card_bonus")
    expect(page.locator("[data-spot][aria-pressed=true]")).to_have_count(1)
    screen.touch_chips(4, "5", "5")
    expect(page.locator("[data-spot=wagers-4-six_card_bonus]")).to_contain_text("$10")
    expect(page.locator("[data-spot=wagers-4-ante]")).to_contain_text("$50")
    # Another seat's spot, straight from there.
    screen.touch_spot("1-pair_plus")
    expect(page.locator("[data-spot=wagers-1-pair_plus]")).to_have_attribute("aria-pressed", "true")
    screen.touch_chips(1, "5")
    expect(page.locator("[data-spot=wagers-1-pair_plus]")).to_contain_text("$5")
    expect(page.locator("[data-spot=wagers-1-ante]")).to_contain_text("–")
    page.get_by_role("button", name="Done").click()
    expect(page.locator("[data-spot][aria-pressed=true]")).to_have_count(0)


def test_the_keypad_is_that_of_a_phone(cast: Cast, page: Page, screen: Screen) -> None:
    cast.bet({4: 5000})
    screen.open(cast.table)
    screen.touch_spot("4-ante")
    rows: dict[int, list[str]] = {}
    for key in page.locator("#panel-4 .keys button").all():
        box = key.bounding_box()
        assert box is not None
        rows.setdefault(round(box["y"]), []).append(key.get_attribute("data-key") or "")
    assert [" ".join(row) for row in rows.values()] == ["1 2 3", "4 5 6", "7 8 9", ". 0 back"]


def test_an_unusual_amount_is_asked_about_once(cast: Cast, page: Page, screen: Screen) -> None:
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    cast.begin(wager=8500)
    screen.open(cast.table, "betting")
    question = page.get_by_role("alertdialog")
    # Four times the last one is nothing; five times is asked about, and nothing goes on over the question.
    screen.type("5 80")
    expect(question).to_have_count(0)
    screen.touch_spot("4-ante")
    key_in(page, 4, "50")
    expect(question).to_have_count(0)  # not while the amount is entered
    page.get_by_role("button", name="Done").click()
    expect(question).to_contain_text("$50 is 5 times the last bet there, $10")
    screen.type("nmb")
    expect(question).to_be_focused()
    assert Round.objects.latest("id").state == Round.State.BETTING
    page.wait_for_timeout(700)  # a question that has just come takes no answer
    question.get_by_role("button", name="Change it").click()
    expect(page.locator("[data-spot=wagers-4-ante]")).to_have_attribute("aria-pressed", "true")
    key_in(page, 4, "10")
    page.get_by_role("button", name="Done").click()
    expect(question).to_have_count(0)
    # More than the bank has; answered by the line of typing, and asked once.
    screen.type("1 90")
    expect(question).to_contain_text(
        "$90 is more than the bank\N{RIGHT SINGLE QUOTATION MARK}s $85 can cover"
    )
    screen.type("y")
    expect(question).to_have_count(0)
    screen.touch_spot("1-pair_plus")
    page.get_by_role("button", name="Done").click()
    expect(question).to_have_count(0)
    screen.take("No more bets · drop $5", "dropped")  # the drop follows the last amount
    assert antes_of(Round.objects.latest("id")) == {1: 9000, 4: 1000, 5: 8000}


def test_an_amount_outside_its_limits_is_refused_at_once_and_not_asked_about(
    cast: Cast, page: Page, screen: Screen
) -> None:
    limits = Table.objects.get(pk=cast.table.pk).wager_limits
    limits |= {"pair_plus": [100, 10000], "tips": [100, 2500]}
    Table.objects.filter(pk=cast.table.pk).update(wager_limits=limits)
    cast.begin()
    screen.open(cast.table, "betting")
    refusal = page.get_by_role("alertdialog")
    for line, text in {
        "5 750": "Seat 5, Ante: $750 is above the limit here, $100.",
        "5 2": "Seat 5, Ante: $2 is below the limit here, $5.",
        "5 20 101": "Seat 5, Pair Plus: $101 is above the limit here, $100.",
        "5 20+26": "$26 is above the limit here, $25.",
    }.items():
        screen.type(line)
        expect(refusal).to_contain_text(text)
        expect(refusal.get_by_role("button")).to_have_text(["Change it"])
    screen.type("nmb")  # nor does anything go on over it
    expect(refusal).to_be_focused()
    assert Round.objects.latest("id").state == Round.State.BETTING
    page.wait_for_timeout(700)
    refusal.get_by_role("button", name="Change it").click()
    key_in(page, 5, "10")
    page.get_by_role("button", name="Done").click()
    expect(refusal).to_have_count(0)


def test_a_refused_line_gives_way_to_what_is_typed_next(cast: Cast, page: Page, screen: Screen) -> None:
    cast.begin()
    screen.open(cast.table, "betting")
    line = page.locator("#command")
    screen.type("5 20x")
    expect(line).to_have_attribute("aria-invalid", "true")
    expect(line).to_have_value("5 20x")  # it can be read, and edited
    screen.type("5 20")
    expect(page.locator("[data-bet=wagers-5-ante] b")).to_have_text("$20")
    screen.type("8 20")
    expect(line).to_have_value("8 20")
    line.blur()
    page.locator("h1").click()
    screen.type("4 10")
    expect(page.locator("[data-bet=wagers-4-ante] b")).to_have_text("$10")


def test_a_bank_below_the_largest_main_wager_is_asked_about_once(
    cast: Cast, page: Page, screen: Screen
) -> None:
    """Repeated wagers are as they were, and the bank is small (ruling 54); offline as well."""
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    screen.open(cast.table, "ready")
    screen.type("15", "betting")
    question = page.get_by_role("alertdialog")
    expect(question).to_have_count(0)
    screen.take("No more bets · drop $3")
    text = "The player-dealer wager of $15 is below the largest main wager of $20. Go on?"
    expect(question).to_contain_text(text)
    assert Round.objects.latest("id").state == Round.State.BETTING
    page.wait_for_timeout(700)
    question.get_by_role("button", name="Change it").click()
    expect(page.locator("#command-bank-wager input[name=bank_wager_cents]")).to_be_focused()
    page.keyboard.press("Escape")
    screen.cut()
    screen.type("nmb")
    expect(question).to_contain_text(text)
    screen.type("y")
    expect(question).to_have_count(0)
    screen.take("No more bets · drop $3", "dropped")
    screen.mend()
    screen.expect_all_sent()
    assert Round.objects.latest("id").bank_wager_cents == 1500


def test_an_unusual_tip_is_asked_about_once(cast: Cast, page: Page, screen: Screen) -> None:
    played = sheet({4: 1000})
    played["positions"][0]["tips"] = {"ante": 100}
    cast.send(round_record, "dealer", sheet=played)
    cast.begin()
    screen.open(cast.table, "betting")
    question = page.get_by_role("alertdialog")
    screen.type("4 10+4")
    expect(question).to_have_count(0)
    screen.type("4 10+5")
    expect(question).to_contain_text("$5 is 5 times the last bet there, $1")
    screen.type("y")
    expect(question).to_have_count(0)
    screen.type("4 20+5")
    expect(question).to_have_count(0)
    screen.take("No more bets · drop $2", "dropped")  # the drop follows the wagers
    [bet] = Round.objects.latest("id").bets
    assert (bet["wagers"], bet["tips"]) == ({"ante": 2000}, {"ante": 500})


def test_an_unusual_bank_wager_is_asked_about(cast: Cast, page: Page, screen: Screen) -> None:
    cast.send(round_record, "dealer", sheet=sheet({4: 2000}))
    screen.open(cast.table, "ready")
    screen.type("2000")
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("$2,000 is 10 times the last bank wager, $200")
    assert Round.objects.count() == 1
    screen.type("y")
    screen.take("Bank wagers $2,000", "betting")
    assert Round.objects.latest("id").bank_wager_cents == 200000
