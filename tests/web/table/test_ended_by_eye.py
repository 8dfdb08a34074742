"""A round that is settled by eye stays on the felt once it is finished: its wagers at the seats, and how its bank came out."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.cast import Cast
from tests.floor.test_by_eye import finish, set_recording

from ..conftest import Person


def seat(text: str, number: int) -> str:
    [found] = re.findall(rf'<section class="seat[^"]*" data-seat="{number}".*?</section>', text, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found))


def test_its_wagers_stay_at_the_seats_and_how_the_bank_came_out_in_the_middle(
    running: Cast, person: Callable[[str], Person]
) -> None:
    set_recording(running, "fees")
    dealer = person("dealer")
    finish(running, {4: 1000, 5: 2000})
    dealer.at_table()
    assert "Round 1 is finished: the bank covered all" in dealer.text
    assert "$10 " in seat(dealer.text, 4) and "last bet" in seat(dealer.text, 4), "it goes on: they repeat"
    finish(running, {4: 1500})
    dealer.at_table()
    assert "Round 2 is finished: the bank covered all" in dealer.text
    assert "$15 " in seat(dealer.text, 4) and "in round 2" in seat(dealer.text, 4)
    assert "in round 2" not in seat(dealer.text, 5)
