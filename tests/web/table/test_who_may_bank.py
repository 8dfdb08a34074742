"""The table page where an approval says who may bank and which way the offers go (rulings 51 to 53)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from cardroom.floor.commands.bank import offer_answer, offers_decline
from cardroom.floor.models import Offer
from tests.cast import Cast
from tests.filing import REFERENCE
from tests.kept import kept

APPROVAL = {
    "number": REFERENCE,
    "order": {"direction": "counter_clockwise"},
    "may_bank": {"wagered_rounds": 2, "previous_round": True, "all_decline": "game_ends"},
    "sources": {
        "order.direction": "3",
        "may_bank.wagered_rounds": "4.2",
        "may_bank.previous_round": "4.3",
        "may_bank.all_decline": "4.6",
    },
}


@pytest.fixture
def cast(db: None) -> Cast:
    """Seat 4 has banked two rounds: seats 2 and 5 wagered in both, 7 in the first, 6 in the second, 1 in none."""
    return kept(_played)


def _played() -> Cast:
    cast = Cast()
    cast.open(seats=(1, 2, 4, 5, 6, 7), options={"approval": APPROVAL})
    cast.bank_to(4)
    cast.play({2: 1000, 5: 1000, 7: 1000})
    cast.play({2: 1000, 5: 1000, 6: 1000})
    return cast


def page_of(cast: Cast) -> str:
    client = Client()
    client.force_login(cast.people["dealer"])
    return client.get(f"/tables/{cast.table.pk}/").content.decode()


def seat_of(page: str, seat: int) -> str:
    """What the page says of a seat, without its markup."""
    found = re.search(rf'<section class="seat[^>]*data-seat="{seat}".*?</section>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found.group()).split()).replace(" :", ":")


def middle_of(page: str) -> str:
    found = re.search(r'<span class="offers-shown">(.*?)</span>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found.group(1)).split()).replace(" :", ":")


def test_each_seat_says_whether_the_bank_may_be_offered_there_and_why(cast: Cast) -> None:
    page = page_of(cast)
    wagered = "✓ may bank: wagered in 2 rounds since sitting down, and in the round before"
    assert f"{wagered} why {REFERENCE}:4.2" in seat_of(page, 2)
    assert f"✕ ineligible: wagered in 0 of 2 rounds since sitting down why {REFERENCE}:4.2" in seat_of(
        page, 1
    )
    assert "not asked" in seat_of(page, 6) and "wagered in 1 of 2 rounds" in seat_of(page, 6)
    assert "may" not in seat_of(page, 4)


def test_the_offers_go_round_the_other_way_and_pass_over_who_is_not_asked(cast: Cast) -> None:
    page = page_of(cast)
    assert middle_of(page) == "◂ counter-clockwise: 2 now → 1 not asked → 7 not asked → 6 not asked → 5"
    assert "Offer the bank to seat 2" in page and "</b> counter-clockwise." in page
    cast.send(offer_answer, seat=2, answer="declined")
    page = page_of(cast)
    assert middle_of(page).startswith("◂ counter-clockwise: 2 declined → 1 not asked")
    assert "Offer the bank to seat 5" in page


def test_a_seat_is_recorded_as_ineligible_for_a_reason_of_the_approval(cast: Cast) -> None:
    page = page_of(cast)
    assert '<option value="previous_round">no wager at this seat in the round before</option>' in page
    cast.send(offer_answer, seat=2, answer="ineligible", reason="previous_round")
    assert Offer.objects.latest("id").reason == "no wager at this seat in the round before, by hand"


def test_when_all_have_declined_the_page_says_that_the_game_has_ended(cast: Cast) -> None:
    cast.send(offers_decline)
    page = page_of(cast)
    assert "the game has ended until somebody else takes the bank, and the floor may close the table" in page
    assert "The game ends here" in page
