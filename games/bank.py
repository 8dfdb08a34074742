"""Claims in settlement order against the bank: what is paid, taken and returned, and what the bank has left.

Four policies: `gross` and `net` for a bank bound by its wager (rulings 6 and 7), `funds` for one that covers
whole hands from what it has (ruling 16), `house` for the house, which covers everything.
"""

from collections.abc import Mapping
from typing import NamedTuple

from games.line import Line
from games.outcome import FORFEIT, TAKING, UNCOVERED, WIN, Claim
from games.wagers import ANTE, PLAY


class Cover(NamedTuple):
    """The lines, and what the bank came to: cents won and lost, coverage left, whether it ran out.

    `dead` holds the seats whose whole hands had no cover (`funds` alone).
    """

    lines: list[Line]
    won: int
    lost: int
    remaining: int | None
    exhausted: bool
    dead: frozenset[int] = frozenset()


def forfeits_before_others(claims: list[Claim]) -> list[Claim]:
    """The other reading of when forfeited wagers are settled: all first, in seat order (ruling 9)."""
    forfeited = [claim for claim in claims if claim.outcome == FORFEIT]
    return forfeited + [claim for claim in claims if claim.outcome != FORFEIT]


def cover_gross(claims: list[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """Every cent paid or taken uses up the wager; at nothing left all that follows is uncovered."""
    lines: list[Line] = []
    left, won, lost = wager, 0, 0
    for claim in claims:
        if not left:
            lines.append(_uncovered(len(lines) + 1, claim, left, clauses["uncovered"], "exhausted"))
            continue
        paid = taken = 0
        if claim.outcome == WIN:
            paid = min(claim.owed, left)
            left -= paid
            lost += paid
        elif claim.outcome in TAKING:
            taken = min(claim.stake, left)
            left -= taken
            won += taken
        lines.append(_covered(len(lines) + 1, claim, paid, taken, left, clauses=clauses, limit="exhausted"))
    return Cover(lines, won, lost, left, left == 0)


def cover_net(claims: list[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """What is taken extends the cover and what is paid uses it; the bank's net stays within its wager."""
    lines: list[Line] = []
    won = lost = 0
    exhausted = False
    for claim in claims:
        seq = len(lines) + 1
        left = wager + won - lost
        if claim.outcome == WIN:
            if not left:
                line = _uncovered(seq, claim, left, clauses["uncovered"], "exhausted")
            else:
                paid = min(claim.owed, left)
                lost += paid
                line = _covered(seq, claim, paid, 0, left - paid, clauses=clauses, limit="exhausted")
        elif claim.outcome in TAKING:
            room = wager - (won - lost)
            if not room:
                line = _uncovered(seq, claim, left, clauses["capped"], "capped")
            else:
                taken = min(claim.stake, room)
                won += taken
                line = _covered(seq, claim, 0, taken, left + taken, clauses=clauses, limit="capped")
        else:
            line = _covered(seq, claim, 0, 0, left, clauses=clauses, limit="")
        exhausted = exhausted or line.limit != ""
        lines.append(line)
    return Cover(lines, won, lost, wager + won - lost, exhausted)


def cover_funds(hands: list[list[Claim]], funds: int, clauses: Mapping[str, str]) -> Cover:
    """A hand at a time, all or nothing, from funds that grow and shrink with every hand."""
    lines: list[Line] = []
    won = lost = 0
    dead = []
    for claims in hands:
        if funds < _needed(claims):
            dead.append(claims[0].seat)
            for claim in claims:
                lines.append(_uncovered(len(lines) + 1, claim, funds, clauses["uncovered"], "dead"))
            continue
        for claim in claims:
            paid = claim.owed
            taken = claim.stake if claim.outcome in TAKING else 0
            won += taken
            lost += paid
            funds += taken - paid
            lines.append(_covered(len(lines) + 1, claim, paid, taken, funds, clauses=clauses, limit=""))
    return Cover(lines, won, lost, funds, bool(dead), frozenset(dead))


def _needed(claims: list[Claim]) -> int:
    """Funds a hand asks for: what its wins are owed, or what stands on ante and play if that is more."""
    owed = staked = 0
    for claim in claims:
        owed += claim.owed
        if claim.wager in (ANTE, PLAY):
            staked += claim.stake
    return max(owed, staked)


def cover_house(claims: list[Claim]) -> Cover:
    """The house pays and takes everything."""
    lines: list[Line] = []
    for claim in claims:
        taken = claim.stake if claim.outcome in TAKING else 0
        lines.append(_covered(len(lines) + 1, claim, claim.owed, taken, None, clauses={}, limit=""))
    return Cover(lines, 0, 0, None, False)


def _uncovered(seq: int, claim: Claim, left: int, clause: str, limit: str) -> Line:
    """A wager of which nothing had action: its stake goes back whole."""
    stake = claim.stake
    return Line(seq, claim, UNCOVERED, 0, 0, stake, 0, 0, stake, left, clause, limit)


def _covered(
    seq: int,
    claim: Claim,
    paid: int,
    taken: int,
    left: int | None,
    *,
    clauses: Mapping[str, str],
    limit: str,
) -> Line:
    """A wager that had action, in full or, where `limit` bites, in part."""
    stake, outcome = claim.stake, claim.outcome
    if outcome == WIN:
        short = claim.owed - paid
        clause, limit = (clauses["short"], limit) if short else (claim.clause, "")
        if claim.dealer:
            return Line(seq, claim, WIN, paid, 0, 0, stake + paid, short, 0, left, clause, limit)
        if claim.odds is not None and claim.odds.for_one:
            return Line(seq, claim, WIN, paid, stake, 0, 0, short, 0, left, clause, limit)
        return Line(seq, claim, WIN, paid, 0, stake, 0, short, 0, left, clause, limit)
    if outcome in TAKING and taken < stake:
        rest = stake - taken
        clause = clauses["capped" if limit == "capped" else "uncovered"]
        return Line(seq, claim, outcome, 0, taken, rest, 0, 0, rest, left, clause, limit)
    return Line(seq, claim, outcome, 0, taken, stake - taken, 0, 0, 0, left, claim.clause, "")
