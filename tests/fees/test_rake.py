"""House rake in its three forms: flat, the same from everybody who pays it, and nothing from a dead hand."""

from __future__ import annotations

from typing import Any

import pytest

from fees.errors import FeeError
from fees.quote import Ante
from fees.rake import Rake, modes_of, rake_quote, read_rake
from games.engine import read_bets
from games.money import MOST_CENTS
from games.registry import load_rulebook
from games.round_fees import round_fees

BOOK = load_rulebook("designated_player")
ANTES = [Ante(1, "Ana", 1000, {}), Ante(4, "Dee", 50_000, {}), Ante(8, "Hal", 500, {})]


def due(mode: str, dead: tuple[int, ...] = ()) -> dict[int, int]:
    """Who owes what, in cents by seat; seat 3 banks."""
    quoted = rake_quote(Rake(mode, 150), BOOK, ANTES, bank_seat=3, dead=dead)
    assert quoted.players_cents + quoted.bank_cents == quoted.cents
    return {fee.seat: fee.cents for fee in quoted.fees}


def test_every_player_and_the_bank_pay_alike_whatever_they_wagered() -> None:
    assert due("all") == {1: 150, 4: 150, 8: 150, 3: 150}


def test_every_player_pays_and_the_bank_does_not() -> None:
    assert due("all_but_bank") == {1: 150, 4: 150, 8: 150}


def test_the_bank_alone_pays() -> None:
    assert due("bank_only") == {3: 150}


@pytest.mark.parametrize(
    ("mode", "one_dead", "all_dead"),
    [
        ("all", {1: 150, 8: 150, 3: 150}, {}),
        ("all_but_bank", {1: 150, 8: 150}, {}),
        ("bank_only", {3: 150}, {}),
    ],
)
def test_dead_hands_pay_none_and_beside_them_alone_the_bank_pays_none(
    mode: str, one_dead: dict[int, int], all_dead: dict[int, int]
) -> None:
    assert due(mode, dead=(4,)) == one_dead
    assert due(mode, dead=(1, 4, 8)) == all_dead


def test_nobody_to_pay_owes_nothing() -> None:
    assert rake_quote(Rake("all", 100), BOOK, [], bank_seat=3).cents == 0


@pytest.mark.parametrize("mode", modes_of(BOOK))
def test_what_is_quoted_before_the_deal_is_what_the_engine_takes_of_live_hands(mode: str) -> None:
    bets = read_bets(
        {
            "rulebook": BOOK.id,
            "options": {"house_rake": {"mode": mode, "cents": 150}},
            "bank": {"seat": 3, "wager": 100_000},
            "positions": [
                {"seat": ante.seat, "player": ante.player, "wagers": {"ante": ante.cents}} for ante in ANTES
            ],
        }
    )
    quoted = rake_quote(Rake(mode, 150), BOOK, ANTES, bank_seat=3)
    taken = {(fee.payer, fee.seat, fee.cents) for fee in round_fees(bets)}
    assert {(fee.payer, fee.seat, fee.cents) for fee in quoted.fees} == taken
    assert {fee.clause.split(":")[1].split(".")[0] for fee in quoted.fees} == {"rake"}


def test_a_player_called_bank_pays_as_a_player() -> None:
    quoted = rake_quote(Rake("all", 150), BOOK, [Ante(1, "bank", 1000, {})], bank_seat=3)
    assert (quoted.players_cents, quoted.bank_cents) == (150, 150)


def test_a_seat_antes_once_and_the_banks_seat_never() -> None:
    for antes, bank_seat in (([ANTES[0], ANTES[0]], 3), (ANTES, 4)):
        with pytest.raises(FeeError, match="cannot wager") as refused:
            rake_quote(Rake("all", 100), BOOK, antes, bank_seat=bank_seat)
        assert refused.value.code == "seat_twice"


@pytest.mark.parametrize(
    ("rulebook", "mode", "cents", "code"),
    [
        ("california", "all", 100, "no_house_rake"),
        ("designated_player", "players", 100, "bad_rake_mode"),
        ("designated_player", "", 100, "bad_rake_mode"),
        ("designated_player", "all", 0, "bad_rake_cents"),
        ("designated_player", "all", -100, "bad_rake_cents"),
        ("designated_player", "all", MOST_CENTS + 1, "bad_rake_cents"),
        ("designated_player", "all", 0.05, "bad_rake_cents"),
        ("designated_player", "all", True, "bad_rake_cents"),
        ("designated_player", "all", "5%", "bad_rake_cents"),
    ],
)
def test_what_is_no_flat_rake_of_the_rules_is_refused(
    rulebook: str, mode: str, cents: Any, code: str
) -> None:
    with pytest.raises(FeeError) as refused:
        read_rake(load_rulebook(rulebook), mode, cents)
    assert refused.value.code == code


@pytest.mark.parametrize("cents", [1, 150, MOST_CENTS])
def test_a_rake_is_any_whole_number_of_cents_above_none(cents: int) -> None:
    assert read_rake(BOOK, "all", cents) == Rake("all", cents)
