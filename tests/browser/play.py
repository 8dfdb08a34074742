"""A round at the cast's table, played by commands as far as a phase of the table screen."""

from __future__ import annotations

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal
from cardroom.floor.models import Round
from tests.cast import Cast

_SEATS = (1, 2, 4, 5, 6, 7)


def play(cast: Cast, until: str) -> None:
    """Play a round as far as `until`: six players, and a bank that does not cover them all."""
    cast.begin(wager=15000)
    bets = [
        {
            "seat": seat,
            "wagers": {"ante": 5000 if seat == 4 else 2000, "pair_plus": 500, "six_card_bonus": 500},
            "tips": {"ante": 100} if seat == 5 else {},
        }
        for seat in _SEATS
    ]
    cast.send(bets_place, positions=bets)
    play_on(cast, until)
    if until == "settled":
        cast.settle(_SEATS)


def play_on(cast: Cast, until: str) -> None:
    """Go on from wagers that lie there: to `betting` no step, to `dropped` one, to any other phase the deal too."""
    if until != "betting":
        cast.send(bets_close)
        if until != "dropped":
            cast.send(round_deal)


def antes_of(round_: Round) -> dict[int, int]:
    """Return the antes of a round by seat, in cents."""
    return {bet["seat"]: bet["wagers"]["ante"] for bet in round_.bets}
