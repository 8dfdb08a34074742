"""Claims in settlement order against the bank: what is paid, taken and returned, and what the bank has left.

Four policies: `gross` and `net` for a bank bound by its wager (rulings 6 and 7), `funds` for one that covers
whole hands from what it has (ruling 16), `house` for the house, which covers everything.
"""

from collections.abc import Mapping
from typing import NamedTuple

from games.line import Line
from games.outcome import FORFEIT, UNCOVERED, WIN, Claim
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
    forfeited = [claim for claim in claims if claim.verdict.outcome == FORFEIT]
    return forfeited + [claim for claim in claims if claim.verdict.outcome != FORFEIT]


def cover_gross(claims: list[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """Every cent paid or taken uses up the wager; at nothing left all that follows is uncovered."""
    lines: list[Line] = []
    left, won, lost = wager, 0, 0
    spent = clauses["uncovered"], "exhausted"
    for seq, claim in enumerate(claims, 1):
        verdict = claim.verdict
        if not left:
            line = _uncovered(seq, claim, left, *spent)
        elif verdict.taken:
            stake = claim.stake
            taken = min(left, stake)
            left -= taken
            won += taken
            line = _lost(seq, claim, taken, left, spent)
        elif verdict.outcome == WIN:
            owed = claim.owed
            paid = min(left, owed)
            left -= paid
            lost += paid
            line = _won(seq, claim, paid, left, clauses)
        else:
            line = _stood(seq, claim, left)
        lines.append(line)
    return Cover(lines, won, lost, left, left == 0)


def cover_net(claims: list[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """What is taken extends the cover and what is paid uses it; the bank's net stays within its wager."""
    lines: list[Line] = []
    won = lost = 0
    exhausted = False
    capped = clauses["capped"], "capped"
    for seq, claim in enumerate(claims, 1):
        outcome = claim.verdict.outcome
        left = wager + won - lost
        room = wager - won + lost
        if outcome == WIN and left:
            paid = min(claim.owed, left)
            lost += paid
            line = _won(seq, claim, paid, left - paid, clauses)
        elif outcome == WIN:
            line = _uncovered(seq, claim, left, clauses["uncovered"], "exhausted")
        elif claim.verdict.taken and room:
            taken = min(claim.stake, room)
            won += taken
            line = _lost(seq, claim, taken, left + taken, capped)
        elif claim.verdict.taken:
            line = _uncovered(seq, claim, left, *capped)
        else:
            line = _stood(seq, claim, left)
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
            lines += [
                _uncovered(seq, claim, funds, clauses["uncovered"], "dead")
                for seq, claim in enumerate(claims, len(lines) + 1)
            ]
            continue
        for seq, claim in enumerate(claims, len(lines) + 1):
            taken = claim.stake if claim.verdict.taken else 0
            won += taken
            lost += claim.owed
            funds += taken - claim.owed
            lines.append(_in_full(seq, claim, funds))
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
    return Cover([_in_full(seq, claim, None) for seq, claim in enumerate(claims, 1)], 0, 0, None, False)


# Lines are made by tuple.__new__ with their fields in order: a NamedTuple's own constructor takes twice as
# long, and a full table makes two dozen of them.
_new = tuple.__new__


def _in_full(seq: int, claim: Claim, left: int | None) -> Line:
    if claim.verdict.outcome == WIN:
        return _won(seq, claim, claim.owed, left, {})
    if claim.verdict.taken:
        return _lost(seq, claim, claim.stake, left, ("", ""))
    return _stood(seq, claim, left)


def _uncovered(seq: int, claim: Claim, left: int, clause: str, limit: str) -> Line:
    """A wager of which nothing had action: its stake goes back whole."""
    stake = claim.stake
    return _new(Line, (seq, claim, UNCOVERED, 0, 0, stake, 0, 0, stake, left, clause, limit))


def _stood(seq: int, claim: Claim, left: int | None) -> Line:
    """A push or a wager without action: back to where it came from."""
    verdict = claim.verdict
    return _new(Line, (seq, claim, verdict.outcome, 0, 0, claim.stake, 0, 0, 0, left, verdict.clause, ""))


def _won(seq: int, claim: Claim, paid: int, left: int | None, clauses: Mapping[str, str]) -> Line:
    """A win paid in full or in part; its stake goes to the dealer with a tip, and back otherwise."""
    _, _, dealer, _, stake, verdict, owed, _, _ = claim
    taken = toked = short = 0
    returned = stake
    if dealer:
        returned, toked = 0, stake + paid
    elif verdict.odds is not None and verdict.odds.for_one:
        returned, taken = 0, stake
    clause, limit = verdict.clause, ""
    if paid != owed:
        clause, limit, short = clauses["short"], "exhausted", owed - paid
    return _new(Line, (seq, claim, WIN, paid, taken, returned, toked, short, 0, left, clause, limit))


def _lost(seq: int, claim: Claim, taken: int, left: int | None, bound: tuple[str, str]) -> Line:
    """A loss taken in full, or as far as the bank's bound lets it: clause and limit say which that is."""
    stake, verdict = claim.stake, claim.verdict
    if taken == stake:
        return _new(Line, (seq, claim, verdict.outcome, 0, taken, 0, 0, 0, 0, left, verdict.clause, ""))
    rest = stake - taken
    clause, limit = bound
    return _new(Line, (seq, claim, verdict.outcome, 0, taken, rest, 0, 0, rest, left, clause, limit))
