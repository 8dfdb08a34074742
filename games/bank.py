"""Coverage: applies claims in settlement order to the bank's funds: what is paid, taken and returned, and what is left.

A claim is a wager's line if the bank covers it in full; a bank that cannot reduces it. Four policies:
`gross` and `net` for a bank bound by its wager (rulings 6 and 7), `funds` for one that covers whole hands from what it has
(ruling 16), `house` for the house, which covers everything.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from games.claims import DEALER, PLAYER
from games.money import dollars
from games.settlement import FORFEIT, UNCOVERED, Line

#: Why a bank does not cover a wager: nothing is left of its own, or it has won as much as that was.
EXHAUSTED = "bank exhausted"
CAPPED = "the bank may not win more than its wager"


class Cover(Struct, frozen=True):
    """Settlement lines after coverage; whether some of it was missing as the policy of the bank counts that.

    `remaining` is the cover after the last line, None where the house banks.
    """

    lines: list[Line]
    remaining: int | None = None
    exhausted: bool = False


def forfeits_before_others(claims: list[Line]) -> list[Line]:
    """The other reading of the order of forfeited wagers: all are settled first, in seat order (ruling 9)."""
    forfeited = [claim for claim in claims if claim.outcome == FORFEIT]
    return forfeited + [claim for claim in claims if claim.outcome != FORFEIT]


def tips_after_wagers(claims: list[Line]) -> list[Line]:
    """Move all tips after all wagers of the players, each in their given order (ruling 8)."""
    tips = [claim for claim in claims if claim.party == DEALER]
    return [claim for claim in claims if claim.party == PLAYER] + tips


def cover_gross(claims: list[Line], wager: int, clauses: Mapping[str, str]) -> Cover:
    """Every cent paid or taken uses up the wager; at nothing left all that follows is uncovered."""
    left = wager
    for line in claims:
        if left == 0:
            _uncover(line, clauses["uncovered"], EXHAUSTED)
        elif line.owed > left:
            _pay_in_part(line, left, clauses["short"])
        elif line.taken > left:
            _take_in_part(line, left, clauses["uncovered"], EXHAUSTED)
        left -= line.paid + line.taken
        line.bank_remaining = left
    return Cover(claims, left, exhausted=left == 0)


def cover_net(claims: list[Line], wager: int, clauses: Mapping[str, str]) -> Cover:
    """What is taken extends the cover and what is paid uses it; the bank's net stays within its wager, both ways."""
    left = wager
    for line in claims:
        room = 2 * wager - left  # until the bank has won its wager
        if line.owed > left > 0:
            _pay_in_part(line, left, clauses["short"])
        elif line.owed > left:
            _uncover(line, clauses["uncovered"], EXHAUSTED)
        elif line.taken > room > 0:
            _take_in_part(line, room, clauses["capped"], CAPPED)
        elif line.taken > room:
            _uncover(line, clauses["capped"], CAPPED)
        left += line.taken - line.paid
        line.bank_remaining = left
    return Cover(claims, left, exhausted=any(line.short or line.uncovered for line in claims))


def cover_funds(
    hands: list[list[Line]], funds: int, clauses: Mapping[str, str], on_the_hand: Collection[str]
) -> Cover:
    """Cover hand by hand, all or nothing, from funds that change with every hand.

    `on_the_hand` are the wagers whose stakes the funds must match before a hand is covered.
    """
    lines: list[Line] = []
    left, exhausted = funds, False
    for claims in hands:
        needed = _funds_needed(claims, on_the_hand)
        if left < needed:
            exhausted = True
            limit = f"the bank has {dollars(left)} and this hand asks for {dollars(needed)}"
            for line in claims:
                _uncover(line, clauses["uncovered"], limit)
        for line in claims:
            left += line.taken - line.paid
            line.bank_remaining = left
        lines += claims
    return Cover(lines, left, exhausted)


def cover_house(claims: list[Line]) -> Cover:
    """The house pays and takes everything."""
    return Cover(claims)


COVERS: dict[str, Callable[[list[Line], int, Mapping[str, str]], Cover]] = {
    "gross": cover_gross,
    "net": cover_net,
}
"""The policies for a bank bound by its wager, which cover wager by wager."""


def _funds_needed(claims: Sequence[Line], on_the_hand: Collection[str]) -> int:
    """Funds a hand asks for: what its wins are owed, or what stands on the hand if that is more."""
    staked = sum([claim.stake for claim in claims if claim.wager in on_the_hand])
    return max(staked, sum([claim.owed for claim in claims]))


def _pay_in_part(line: Line, paid: int, clause: str) -> None:
    """Pay a win as far as the bank's cover allows; the whole stake goes back, or to the dealer with a tip."""
    short = line.owed - paid
    line.paid, line.short, line.clause = paid, short, clause
    if line.toked:
        line.toked -= short
    line.reason += f"; {EXHAUSTED}: {dollars(short)} of {dollars(line.owed)} is not paid"


def _take_in_part(line: Line, taken: int, clause: str, limit: str) -> None:
    """Take a loss up to the bank's bound `limit`; the rest of its stake goes back."""
    rest = line.stake - taken
    line.taken, line.clause = taken, clause
    line.returned = line.uncovered = rest
    line.reason += f"; {limit}: {dollars(rest)} goes back"


def _uncover(line: Line, clause: str, limit: str) -> None:
    """Give a wager no action, because of `limit`: its whole stake goes back, and no hands are compared."""
    line.outcome, line.odds, line.clause = UNCOVERED, None, clause
    line.owed = line.paid = line.taken = line.toked = 0
    line.returned = line.uncovered = line.stake
    line.reason = f"{limit}: {dollars(line.stake)} goes back"
