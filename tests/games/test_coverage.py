"""What the bank's cover does to a line: nothing where it suffices to the cent, else its clause and its reason say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from games.bank import CAPPED, EXHAUSTED, Cover, cover_funds, cover_gross, cover_net
from games.claims import Verdict, claim
from games.money import EVEN_MONEY
from games.settlement import LOSE, UNCOVERED, WIN, Line

from .test_claims import Seat

CLAUSES = {"short": "of short wins", "uncovered": "of uncovered wagers", "capped": "of the bound"}
Covering = Callable[[list[Line], int, Mapping[str, str]], Cover]


def won(cents: int) -> Line:
    return claim(Seat(1), "ante", cents, cents, Verdict(WIN, EVEN_MONEY, "of wins", "won"))


def lost(cents: int) -> Line:
    return claim(Seat(2), "ante", cents, 0, Verdict(LOSE, None, "of losses", "lost"))


@pytest.mark.parametrize("cover", [cover_gross, cover_net])
def test_a_win_of_all_that_is_left_is_paid_in_full_and_its_line_says_nothing_of_the_bank(
    cover: Covering,
) -> None:
    (line,) = cover([won(1000)], 1000, CLAUSES).lines
    assert (line.paid, line.short, line.bank_remaining) == (1000, 0, 0)
    assert (line.clause, line.reason) == ("of wins", "won")


@pytest.mark.parametrize("cover", [cover_gross, cover_net])
def test_a_loss_of_all_that_the_bank_may_take_is_taken_whole_and_its_line_says_nothing_of_the_bank(
    cover: Covering,
) -> None:
    (line,) = cover([lost(1000)], 1000, CLAUSES).lines
    assert (line.taken, line.returned, line.uncovered) == (1000, 0, 0)
    assert (line.clause, line.reason) == ("of losses", "lost")


@pytest.mark.parametrize("cover", [cover_gross, cover_net])
def test_a_win_beyond_what_is_left_is_paid_in_part_and_the_next_one_not_at_all(cover: Covering) -> None:
    covered = cover([won(1500), won(200)], 1000, CLAUSES)
    part, none = covered.lines
    assert (part.paid, part.short, part.clause) == (1000, 500, "of short wins")
    assert part.reason == f"won; {EXHAUSTED}: $5 of $15 is not paid"
    assert (none.outcome, none.odds, none.owed, none.paid, none.returned) == (UNCOVERED, None, 0, 0, 200)
    assert (none.clause, none.reason) == ("of uncovered wagers", f"{EXHAUSTED}: $2 goes back")
    assert (covered.remaining, covered.exhausted) == (0, True)


@pytest.mark.parametrize(
    ("cover", "clause", "limit"),
    [(cover_gross, "of uncovered wagers", EXHAUSTED), (cover_net, "of the bound", CAPPED)],
)
def test_a_loss_beyond_what_the_bank_may_take_is_taken_in_part_and_the_next_one_not_at_all(
    cover: Covering, clause: str, limit: str
) -> None:
    part, none = cover([lost(1500), lost(200)], 1000, CLAUSES).lines
    assert (part.taken, part.returned, part.uncovered, part.clause) == (1000, 500, 500, clause)
    assert part.reason == f"lost; {limit}: $5 goes back"
    assert (none.outcome, none.taken, none.returned, none.clause) == (UNCOVERED, 0, 200, clause)
    assert none.reason == f"{limit}: $2 goes back"


def test_a_hand_that_asks_for_more_than_the_funds_is_left_whole_and_the_next_is_looked_at_by_itself() -> None:
    covered = cover_funds([[won(1500)], [won(400)], [lost(600)]], 1000, CLAUSES, {"ante"})
    too_much, paid, taken = covered.lines
    assert (too_much.outcome, too_much.returned, too_much.bank_remaining) == (UNCOVERED, 1500, 1000)
    assert (too_much.clause, too_much.reason) == (
        "of uncovered wagers",
        "the bank has $10 and this hand asks for $15: $15 goes back",
    )
    assert (paid.paid, paid.bank_remaining, taken.taken, taken.bank_remaining) == (400, 600, 600, 1200)
    assert (covered.remaining, covered.exhausted) == (1200, True)


def test_a_hand_that_asks_for_all_of_the_funds_is_covered() -> None:
    covered = cover_funds([[won(1000)]], 1000, CLAUSES, {"ante"})
    assert (covered.lines[0].paid, covered.remaining, covered.exhausted) == (1000, 0, False)
