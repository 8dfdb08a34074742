"""Claims in settlement order against the bank: what is paid, taken and returned, and what the bank has left.

Four policies: `gross` and `net` for a bank bound by its wager (rulings 6 and 7), `funds` for one that covers
whole hands from what it has (ruling 16), `house` for the house, which covers everything.
"""

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from operator import neg, sub
from typing import NamedTuple

from games.money import dollars
from games.outcome import Claim
from games.verdict import CAPPED, EXHAUSTED, FORFEIT, WIN, paid_in_part, taken_in_part, uncovered
from games.wagers import ANTE, PLAY


class Cover(NamedTuple):
    """The claims as far as the bank covered them, and what it came to: cents won and lost, and whether it ran out.

    `left` is the coverage after each claim, None where the house banks, and `remaining` that after the last. `dead`
    holds the seats whose whole hands had no cover (`funds` alone).
    """

    claims: list[Claim]
    left: list[int] | None
    won: int
    lost: int
    remaining: int | None
    exhausted: bool
    dead: frozenset[int] = frozenset()


def forfeits_before_others(claims: list[Claim]) -> list[Claim]:
    """The other reading of when forfeited wagers are settled: all first, in seat order (ruling 9)."""
    forfeited = [claim for claim in claims if claim[2].outcome == FORFEIT]
    return forfeited + [claim for claim in claims if claim[2].outcome != FORFEIT]


def cover_gross(claims: list[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """Every cent paid or taken uses up the wager; at nothing left all that follows is uncovered."""
    left = list(accumulate([figures.moved for _, _, figures, _ in claims], sub, initial=wager))
    del left[0]
    if left[-1] <= 0:
        # Most banks have more than a round moves: every claim stands in full. This one has not.
        claims, left = _until_exhausted(claims, left, wager, clauses)
    lost = sum([figures.paid for _, _, figures, _ in claims])
    remaining = left[-1]
    return _new(Cover, (claims, left, wager - remaining - lost, lost, remaining, remaining == 0, NO_SEATS))


NO_SEATS: frozenset[int] = frozenset()
# By tuple.__new__ with the fields in order: a NamedTuple's own constructor takes twice as long (`games.positions`).
_new = tuple.__new__


def _until_exhausted(
    claims: list[Claim], lefts: list[int], wager: int, clauses: Mapping[str, str]
) -> tuple[list[Claim], list[int]]:
    """The claims against what is left of the wager, and what is left after each.

    `lefts` is what would be left, were every claim covered in full. As long as that is something, they are.
    """
    first = bisect_left(lefts, 0, key=neg)
    covered, lefts = claims[:first], lefts[:first]
    left = lefts[-1] if lefts else wager
    for seat, player, full, looked in claims[first:]:
        figures = full
        if not left:
            figures = uncovered(full.verdict, full.dealer, full.stake, clauses["uncovered"], EXHAUSTED)
        elif full.paid > left:
            figures = paid_in_part(full, left, clauses["short"])
        elif full.taken > left:
            figures = taken_in_part(full, left, clauses["uncovered"], EXHAUSTED)
        left -= figures.moved
        covered.append((seat, player, figures, looked))
        lefts.append(left)
    return covered, lefts


def cover_net(claims: list[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """What is taken extends the cover and what is paid uses it; the bank's net stays within its wager."""
    covered: list[Claim] = []
    lefts = []
    won = lost = 0
    exhausted = False
    for seat, player, full, looked in claims:
        left = wager + won - lost
        room = wager - won + lost
        figures = full
        if full.outcome == WIN and not left:
            figures = uncovered(full.verdict, full.dealer, full.stake, clauses["uncovered"], EXHAUSTED)
        elif full.paid > left:
            figures = paid_in_part(full, left, clauses["short"])
        elif full.taken and not room:
            figures = uncovered(full.verdict, full.dealer, full.stake, clauses["capped"], CAPPED)
        elif full.taken > room:
            figures = taken_in_part(full, room, clauses["capped"], CAPPED)
        won += figures.taken
        lost += figures.paid
        exhausted = exhausted or figures.limit != ""
        covered.append((seat, player, figures, looked))
        lefts.append(wager + won - lost)
    return Cover(covered, lefts, won, lost, wager + won - lost, exhausted)


def cover_funds(hands: list[list[Claim]], funds: int, clauses: Mapping[str, str]) -> Cover:
    """A hand at a time, all or nothing, from funds that grow and shrink with every hand."""
    settled: list[Claim] = []
    lefts = []
    won = lost = 0
    dead = []
    for claims in hands:
        needed = _needed(claims)
        limit = ""
        if funds < needed:
            dead.append(claims[0][0])
            limit = f"the bank has {dollars(funds)} and this hand asks for {dollars(needed)}"
        for seat, player, full, looked in claims:
            figures = full
            if limit:
                figures = uncovered(full.verdict, full.dealer, full.stake, clauses["uncovered"], limit)
            won += figures.taken
            lost += figures.paid
            funds += figures.taken - figures.paid
            settled.append((seat, player, figures, looked))
            lefts.append(funds)
    return Cover(settled, lefts, won, lost, funds, bool(dead), frozenset(dead))


def _needed(claims: list[Claim]) -> int:
    """Funds a hand asks for: what its wins are owed, or what stands on ante and play if that is more."""
    owed = staked = 0
    for _, _, figures, _ in claims:
        owed += figures.owed
        if figures.verdict.wager in (ANTE, PLAY):
            staked += figures.stake
    return max(owed, staked)


def cover_house(claims: list[Claim]) -> Cover:
    """The house pays and takes everything."""
    return Cover(claims, None, 0, 0, None, False)
