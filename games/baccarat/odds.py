"""Exact odds of baccarat: every sequence of six cards from a full shoe, counted by what the cards count."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from games.baccarat.hands import banker_draws, count, player_draws
from games.baccarat.rulebook import load_rulebook
from games.baccarat.settle import Coup, verdict_on
from games.baccarat.terms import BaccaratTerms, read_options
from games.odds import OddsRow, Situation
from games.settlement import LOSE, WIN

_VALUES = range(10)


@cache
def coups(decks: int) -> dict[Coup, int]:
    """Every coup with the number of ordered deals of six cards that lead to it; a hand that stands leaves cards unseen.

    Four ranks count nothing, every other value is one rank: 128 cards of value 0 and 32 of each other in eight decks.
    """
    left = [16 * decks if value == 0 else 4 * decks for value in _VALUES]
    found: dict[Coup, int] = defaultdict(int)
    for first, second in product(combinations_with_replacement(_VALUES, 2), repeat=2):
        # The order of a hand's first two cards does not matter: two different ones lie there in two orders.
        orders = (1 + (first[0] != first[1])) * (1 + (second[0] != second[1]))
        ways = orders * _take(left, first + second)
        for last, coup in _endings(count(first), count(second)):
            found[coup] += ways * _take(left, last)
            _give_back(left, last)
        _give_back(left, first + second)
    return dict(found)


@cache
def _endings(player: int, banker: int) -> list[tuple[tuple[int, int], Coup]]:
    """The coup for each of the next two cards of the shoe, drawn or not, by what both hands count with two."""
    endings = []
    player_takes = player_draws(player, banker)
    for third, fourth in product(_VALUES, repeat=2):
        counted = count((player, third)) if player_takes else player
        # The banker draws the first card of the shoe where the player took none.
        drawn = fourth if player_takes else third
        banker_takes = banker_draws(player, banker, third if player_takes else None)
        against = count((banker, drawn)) if banker_takes else banker
        endings.append(((third, fourth), Coup(counted, against, 2 + player_takes, 2 + banker_takes)))
    return endings


def _take(left: list[int], values: tuple[int, ...]) -> int:
    """The number of ways to draw these values in turn; the cards are taken out of `left`."""
    ways = 1
    for value in values:
        ways *= left[value]
        left[value] -= 1
    return ways


def _give_back(left: list[int], values: tuple[int, ...]) -> None:
    for value in values:
        left[value] += 1


def odds_on(terms: BaccaratTerms, situation: Situation | None = None) -> list[OddsRow]:
    """Exact odds of every wager on these terms, for the decks in use. A push counts toward neither side."""
    rulebook, dealt = terms.rulebook, coups(terms.decks)
    every = sum(dealt.values())
    rows = []
    for wager in rulebook.line_order:
        won, lost = Fraction(0), Fraction(0)
        hits = 0
        for coup, ways in dealt.items():
            verdict = verdict_on(wager, coup, terms)
            if verdict.outcome == WIN and verdict.odds is not None:
                hits += ways
                won += ways * Fraction(verdict.odds.num, verdict.odds.den)
            elif verdict.outcome == LOSE:
                lost += ways
        published = tuple(each for each in rulebook.published if each.wager == wager)
        rows.append(OddsRow(rulebook.id, wager, None, (lost - won) / every, Fraction(hits, every), published))
    return rows


def odds_of(rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
    """Exact odds of every wager of a rulebook. KeyError for an id that is no rulebook's."""
    return odds_on(read_options(load_rulebook(rulebook_id), {}), situation)
