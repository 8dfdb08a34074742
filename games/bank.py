"""Claims in settlement order against the bank: what is paid, taken and returned, and what the bank has left.

Four policies: `gross` and `net` for a bank bound by its wager (rulings 6 and 7), `funds` for one that covers whole
hands from what it has (ruling 16), `house` for the house, which covers everything.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from games.money import dollars
from games.settlement import FORFEIT, UNCOVERED, Line
from games.verdicts import Verdict
from games.wagers import ANTE, PLAY

#: Why a bank does not cover a wager: nothing is left of its own, or it has won as much as that was.
EXHAUSTED = "bank exhausted"
CAPPED = "the bank may not win more than its wager"

PLAYER, DEALER = "player", "dealer"


class Claim(Struct, frozen=True, gc=False):
    """One wager's due: what it pays or loses if the bank covers it in full.

    `party` is `player`, or `dealer` for a tip. Cents: `stake`, what a win is `owed` beside it, and what of the stake is
    `lost` to the bank: all of it or nothing.
    """

    seat: int
    player: str
    party: str
    wager: str
    stake: int
    owed: int
    lost: int
    verdict: Verdict


@dataclass(slots=True)
class Cover:
    """The lines as far as the bank covered them, and what it came to: cents won and lost, and whether it ran out.

    `remaining` is the cover after the last line, None where the house banks.
    """

    lines: list[Line] = field(default_factory=list)
    won: int = 0
    lost: int = 0
    remaining: int | None = None
    exhausted: bool = False


def forfeits_before_others(claims: list[Claim]) -> list[Claim]:
    """The other reading of when forfeited wagers are settled: all first, in seat order (ruling 9)."""
    forfeited = [claim for claim in claims if claim.verdict.outcome == FORFEIT]
    return forfeited + [claim for claim in claims if claim.verdict.outcome != FORFEIT]


def tips_after_wagers(claims: list[Claim]) -> list[Claim]:
    """All tips of the table after all wagers of the players, either in the order in which they stand (ruling 8)."""
    tips = [claim for claim in claims if claim.party == DEALER]
    return [claim for claim in claims if claim.party == PLAYER] + tips


def cover_gross(claims: Iterable[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """Every cent paid or taken uses up the wager; at nothing left all that follows is uncovered."""
    left = wager
    cover = Cover()
    for seq, claim in enumerate(claims, 1):
        if left == 0:
            line = _uncovered(seq, claim, 0, clauses["uncovered"], EXHAUSTED)
        elif claim.owed > left:
            line = _paid_in_part(seq, claim, left, 0, clauses["short"])
        elif claim.lost > left:
            line = _taken_in_part(seq, claim, left, 0, (clauses["uncovered"], EXHAUSTED))
        else:
            line = _in_full(seq, claim, left - claim.owed - claim.lost)
        left -= line.paid + line.taken
        cover.lost += line.paid
        cover.won += line.taken
        cover.lines.append(line)
    cover.remaining, cover.exhausted = left, left == 0
    return cover


def cover_net(claims: Iterable[Claim], wager: int, clauses: Mapping[str, str]) -> Cover:
    """What is taken extends the cover and what is paid uses it; the bank's net stays within its wager, both ways."""
    cover = Cover()
    for seq, claim in enumerate(claims, 1):
        left = wager + cover.won - cover.lost
        room = wager - cover.won + cover.lost
        if claim.owed > left:
            if left:
                line = _paid_in_part(seq, claim, left, 0, clauses["short"])
            else:
                line = _uncovered(seq, claim, left, clauses["uncovered"], EXHAUSTED)
        elif claim.lost > room:
            clause = clauses["capped"]
            if room:
                line = _taken_in_part(seq, claim, room, left + room, (clause, CAPPED))
            else:
                line = _uncovered(seq, claim, left, clause, CAPPED)
        else:
            line = _in_full(seq, claim, left - claim.owed + claim.lost)
        cover.lost += line.paid
        cover.won += line.taken
        cover.exhausted = cover.exhausted or line.short > 0 or line.uncovered > 0
        cover.lines.append(line)
    cover.remaining = wager + cover.won - cover.lost
    return cover


def cover_funds(hands: Iterable[Sequence[Claim]], funds: int, clauses: Mapping[str, str]) -> Cover:
    """A hand at a time, all or nothing, from funds that grow and shrink with every hand."""
    left = funds
    cover = Cover()
    for claims in hands:
        needed = _funds_needed(claims)
        if left < needed:
            cover.exhausted = True
            clause = clauses["uncovered"]
            limit = f"the bank has {dollars(left)} and this hand asks for {dollars(needed)}"
            for claim in claims:
                cover.lines.append(_uncovered(len(cover.lines) + 1, claim, left, clause, limit))
            continue
        for claim in claims:
            left += claim.lost - claim.owed
            cover.won += claim.lost
            cover.lost += claim.owed
            cover.lines.append(_in_full(len(cover.lines) + 1, claim, left))
    cover.remaining = left
    return cover


def cover_house(claims: Iterable[Claim]) -> Cover:
    """The house pays and takes everything."""
    return Cover([_in_full(seq, claim, None) for seq, claim in enumerate(claims, 1)])


COVERS: dict[str, Callable[[Iterable[Claim], int, Mapping[str, str]], Cover]] = {
    "gross": cover_gross,
    "net": cover_net,
}
"""The policies for a bank bound by its wager, which cover wager by wager."""


_ON_THE_HAND = frozenset({ANTE, PLAY})


def _funds_needed(claims: Sequence[Claim]) -> int:
    """Funds a hand asks for: what its wins are owed, or what stands on ante and play if that is more."""
    staked = sum([claim.stake for claim in claims if claim.wager in _ON_THE_HAND])
    return max(staked, sum([claim.owed for claim in claims]))


def _in_full(seq: int, claim: Claim, left: int | None) -> Line:
    """A wager that the bank covers in full; its stake goes to the dealer with a winning tip."""
    verdict, stake, owed, taken = claim.verdict, claim.stake, claim.owed, claim.lost
    odds = None if verdict.odds is None else verdict.odds.text
    toked = stake + owed if owed and claim.party == DEALER else 0
    return Line(
        seq, claim.seat, claim.player, claim.party, claim.wager, stake, verdict.outcome, odds, owed, owed, taken,
        0 if toked else stake - taken, toked, 0, 0, left, verdict.clause, verdict.reason,
    )  # fmt: skip


def _paid_in_part(seq: int, claim: Claim, paid: int, left: int, clause: str) -> Line:
    """A win as far as the bank's cover pays it; the whole stake goes back, or to the dealer with a tip."""
    verdict, stake, owed = claim.verdict, claim.stake, claim.owed
    odds = None if verdict.odds is None else verdict.odds.text
    toked = stake + paid if claim.party == DEALER else 0
    return Line(
        seq, claim.seat, claim.player, claim.party, claim.wager, stake, verdict.outcome, odds, owed, paid, 0,
        0 if toked else stake, toked, owed - paid, 0, left, clause,
        f"{verdict.reason}; {EXHAUSTED}: {dollars(owed - paid)} of {dollars(owed)} is not paid",
    )  # fmt: skip


def _taken_in_part(seq: int, claim: Claim, taken: int, left: int, why: tuple[str, str]) -> Line:
    """A loss as far as the bank's bound lets it be taken, by which clause and why; the rest of its stake goes back."""
    verdict, stake, (clause, limit) = claim.verdict, claim.stake, why
    rest = stake - taken
    return Line(
        seq, claim.seat, claim.player, claim.party, claim.wager, stake, verdict.outcome, None, 0, 0, taken, rest, 0, 0,
        rest, left, clause, f"{verdict.reason}; {limit}: {dollars(rest)} goes back",
    )  # fmt: skip


def _uncovered(seq: int, claim: Claim, left: int, clause: str, limit: str) -> Line:
    """A wager of which nothing had action: its stake goes back whole, and no hand was looked at."""
    stake = claim.stake
    return Line(
        seq, claim.seat, claim.player, claim.party, claim.wager, stake, UNCOVERED, None, 0, 0, 0, stake, 0, 0, stake,
        left, clause, f"{limit}: {dollars(stake)} goes back",
    )  # fmt: skip
