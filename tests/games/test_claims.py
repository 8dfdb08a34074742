"""A claim before coverage, where every cent of it goes, and the order in which seats are settled."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from games.claims import DEALER, Verdict, claim
from games.money import EVEN_MONEY, parse_odds
from games.settlement import LOSE, PUSH, WIN
from games.settlement_order import ordered


class Seat(NamedTuple):
    seat: int
    player: str = "Ana"


@pytest.mark.parametrize(
    ("outcome", "odds", "owed", "goes"),
    [
        (WIN, EVEN_MONEY, 500, {"paid": 500, "taken": 0, "returned": 0, "toked": 1000}),
        (WIN, parse_odds("3 for 1"), 1500, {"paid": 1500, "taken": 500, "returned": 0, "toked": 2000}),
        (PUSH, None, 0, {"paid": 0, "taken": 0, "returned": 500, "toked": 0}),
        (LOSE, None, 0, {"paid": 0, "taken": 500, "returned": 0, "toked": 0}),
    ],
)
def test_a_tip_that_wins_goes_to_the_dealer_and_any_other_to_the_player_or_the_bank(
    outcome: str, odds: object, owed: int, goes: dict[str, int]
) -> None:
    line = claim(Seat(4), "ante", 500, owed, Verdict(outcome, odds, "clause", "reason"), party=DEALER)
    assert {name: getattr(line, name) for name in goes} == goes
    assert (line.stake, line.owed, line.short, line.uncovered) == (500, owed, 0, 0)


@pytest.mark.parametrize(
    ("order", "first", "seats"),
    [
        ("clockwise_from_action", 4, [4, 6, 1, 2]),
        ("clockwise_from_action", None, [1, 2, 4, 6]),
        ("clockwise_from_first", 4, [1, 2, 4, 6]),
        ("counterclockwise_from_last", 4, [6, 4, 2, 1]),
    ],
)
def test_only_the_order_from_the_action_asks_where_the_action_is(
    order: str, first: int | None, seats: list[int]
) -> None:
    assert [each.seat for each in ordered([Seat(6), Seat(2), Seat(1), Seat(4)], order, first)] == seats
