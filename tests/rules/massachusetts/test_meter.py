"""Progressive winners, keyed in and confirmed: `000`, section 13(d)."""

from __future__ import annotations

import pytest

from games.meter import (
    Meter,
    meter_rule,
    opened,
    wagered,
    why_not_confirm,
    why_not_end_game,
    why_not_unit,
    win_confirmed,
    win_keyed,
)
from games.registry import load_rulebook
from tests.rules.rounds import Settled, at, settled

clause = pytest.mark.clause

RULE = meter_rule(load_rulebook("massachusetts"))
METER = Meter(123_456, 0)


def round_of(hand: str) -> Settled:
    """Seat 3 bets the progressive and holds `hand`; seat 5 bets it and holds a pair."""
    positions = (at(3, hand, progressive=100), at(5, "8s 8c 3d", progressive=100))
    return settled("massachusetts", "2c 4d 7h", *positions, meter=METER.shown_cents)


@clause("massachusetts:13(d)", "massachusetts:13(d)(d)", "massachusetts:13(d)(e)")
def test_a_win_is_keyed_at_its_seat_and_waits_for_a_supervisor() -> None:
    lines = round_of("9h 9d 9c").lines
    win = win_keyed(3, by="dealer")
    assert (win.seat, win.state) == (3, "pending")
    assert why_not_end_game(lines, [win]) == "the win at seat 3 waits for a supervisor"
    wrong_seat = win_keyed(5, by="dealer")
    assert "withdraw" in (why_not_confirm(wrong_seat, lines, by="supervisor") or "")


@clause("massachusetts:13(d)(f)")
def test_a_second_person_confirms_it() -> None:
    lines, win = round_of("9h 9d 9c").lines, win_keyed(3, by="dealer")
    assert why_not_confirm(win, lines, by="dealer") is not None
    with pytest.raises(ValueError, match="call a supervisor"):
        win_confirmed(RULE, METER, win, lines, by="dealer")
    confirmed, meter, movements = win_confirmed(RULE, METER, win, lines, by="supervisor")
    assert (confirmed.state, confirmed.answered_by) == ("confirmed", "supervisor")
    assert (meter, movements) == (METER, ()), "three of a kind is paid from the tray"
    assert why_not_confirm(confirmed, lines, by="supervisor") == "this win is confirmed already"


@clause("massachusetts:13(d)(g)")
def test_the_game_ends_when_every_win_is_settled() -> None:
    lines = round_of("9h 9d 9c").lines
    assert why_not_end_game(lines, []) == "seat 3 has a progressive win that was not keyed in"
    confirmed, _, _ = win_confirmed(RULE, METER, win_keyed(3, by="dealer"), lines, by="supervisor")
    assert why_not_end_game(lines, [confirmed]) is None
    assert why_not_end_game(round_of("Ah Kd Jc").lines, []) is None


def test_a_wager_is_the_rooms_one_unit_and_adds_what_the_room_has_set() -> None:
    assert why_not_unit(RULE, 100) is None and "100 cents" in (why_not_unit(RULE, 200) or "")
    meter, _ = opened(RULE)
    assert meter == Meter(100_000, 0) and wagered(RULE, meter, 5) == (meter, None)
    adding = meter_rule(load_rulebook("massachusetts"), contribution_cents=20, reserve_contribution_cents=5)
    after, movement = wagered(adding, meter, 5)
    assert after == Meter(100_100, 25)
    assert movement is not None and (movement.cents, movement.shown_cents, movement.reserve_cents) == (
        100,
        100_100,
        25,
    )


@pytest.mark.parametrize(
    "amounts",
    [
        {"unit_cents": 0},
        {"contribution_cents": -1},
        {"contribution_cents": 60, "reserve_contribution_cents": 50},
    ],
)
def test_a_wager_cannot_add_more_than_itself(amounts: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="between nothing and itself"):
        meter_rule(load_rulebook("massachusetts"), **amounts)
    with pytest.raises(ValueError, match="no progressive"):
        meter_rule(load_rulebook("california"))


def test_a_meter_that_shows_another_amount_than_the_round_pays_is_looked_at_again() -> None:
    lines = round_of("As Ks Qs").lines
    with pytest.raises(ValueError, match="check it"):
        win_confirmed(RULE, Meter(123_457, 0), win_keyed(3, by="dealer"), lines, by="supervisor")
