"""What becomes of a wager, and what that comes to in cents when the bank covers all of it.

Both are made once and shared: a set of terms has few verdicts, and the same stake on the same verdict comes to the
same figures whoever placed it.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from json.encoder import encode_basestring_ascii as quoted

from games.money import Odds, payout_cents
from games.remembered import MOST_REMEMBERED
from games.wagers import STAKED, WAGER_IDS

WIN, LOSE, PUSH, NO_ACTION, FORFEIT, UNCOVERED = "win", "lose", "push", "no_action", "forfeit", "uncovered"


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What becomes of a wager: its outcome, the odds of a win, which rule decided (`cause`), and its clause.

    `fixed_cents` is what a win without odds comes to whatever the stake: envy, and the meter. `taken` says whether
    the stake is forfeit to the bank. `number` tells one verdict from the others; it leaves room below for what was
    looked at (`games.outcome`).
    """

    wager: int
    outcome: str
    odds: Odds | None
    cause: str
    clause: str
    fixed_cents: int
    taken: bool
    number: int

    def owed_cents(self, amount_cents: int) -> int:
        """What a win comes to on the amount that it stands on."""
        odds = self.odds
        return self.fixed_cents if odds is None or odds.meter else payout_cents(amount_cents, odds)


@lru_cache(maxsize=4096)
def verdict_of(
    wager: int, outcome: str, odds: Odds | None, cause: str, clause: str, *, fixed_cents: int = 0
) -> Verdict:
    """The verdict on a wager with that outcome, odds, cause and clause, the same object each time."""
    number = next(_numbers) << SEEN_BITS
    return Verdict(wager, outcome, odds, cause, clause, fixed_cents, outcome in (LOSE, FORFEIT), number)


#: Why a bank does not cover a wager (`Figures.limit`): nothing is left of its own, or it has won as much as that was.
EXHAUSTED = "bank exhausted"
CAPPED = "the bank may not win more than its wager"

SEEN_BITS = 30
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Figures:
    """One wager settled: its stake, and where every cent of it and of what it won went.

    `outcome` differs from the verdict's only where the bank covered nothing of it. `limit` is empty, or says in words
    why the bank did not cover all. `moved` is all that goes between the bank and the table, either way. `net` is what
    the player is up or down by it: the winnings of a tip are the dealer's, its stake is the player's loss. `dealer`
    marks a tip wager. `text` is the figures as JSON, from `for` to the name of `bank_remaining`. `number` is the
    verdict's.
    """

    verdict: Verdict
    dealer: bool
    stake: int
    outcome: str
    odds: Odds | None
    owed: int
    paid: int
    taken: int
    returned: int
    toked: int
    short: int
    uncovered: int
    clause: str
    limit: str
    moved: int
    net: int
    text: str
    number: int


def _figures(
    verdict: Verdict,
    dealer: bool,
    stake: int,
    outcome: str,
    *,
    paid: int = 0,
    taken: int = 0,
    toked: int = 0,
    short: int = 0,
    uncovered: int = 0,
    clause: str = "",
    limit: str = "",
) -> Figures:
    """The figures with what follows from the others; the stake goes back as far as nobody else has it."""
    odds = None if outcome == UNCOVERED else verdict.odds
    returned = 0 if toked else stake - taken
    text = (
        f'"for": "{"dealer" if dealer else "player"}", "wager": "{WAGER_IDS[verdict.wager]}", "stake": {stake}, '
        f'"outcome": "{outcome}", "odds": {"null" if odds is None else quoted(odds.text)}, "owed": {paid + short}, '
        f'"paid": {paid}, "taken": {taken}, "returned": {returned}, "toked": {toked}, "short": {short}, '
        f'"uncovered": {uncovered}, "bank_remaining": '
    )
    return Figures(
        verdict=verdict,
        dealer=dealer,
        stake=stake,
        outcome=outcome,
        odds=odds,
        owed=paid + short,
        paid=paid,
        taken=taken,
        returned=returned,
        toked=toked,
        short=short,
        uncovered=uncovered,
        clause=clause or verdict.clause,
        limit=limit,
        moved=paid + taken,
        net=-stake if toked else paid - taken,
        text=text,
        number=verdict.number,
    )


@lru_cache(maxsize=MOST_REMEMBERED)
def in_full(verdict: Verdict, dealer: bool, amount: int) -> Figures:
    """What a wager comes to when the bank covers all of it; its stake goes to the dealer with a winning tip.

    `amount` is its stake in cents; for an ante bonus, which has none of its own, the ante that it rides on.
    """
    stake = amount if verdict.wager < STAKED else 0
    if verdict.outcome == WIN:
        paid = verdict.owed_cents(amount)
        toked = stake + paid if dealer else 0
        for_one = verdict.odds is not None and verdict.odds.for_one
        taken = stake if for_one and not dealer else 0
        return _figures(verdict, dealer, stake, WIN, paid=paid, taken=taken, toked=toked)
    return _figures(verdict, dealer, stake, verdict.outcome, taken=stake if verdict.taken else 0)


def paid_in_part(full: Figures, paid: int, clause: str) -> Figures:
    """A win as far as the bank's cover pays it."""
    return _figures(
        full.verdict,
        full.dealer,
        full.stake,
        WIN,
        paid=paid,
        taken=full.taken,
        toked=full.stake + paid if full.dealer else 0,
        short=full.owed - paid,
        clause=clause,
        limit=EXHAUSTED,
    )


def taken_in_part(full: Figures, taken: int, clause: str, limit: str) -> Figures:
    """A loss as far as the bank's bound lets it be taken; the rest of its stake goes back."""
    return _figures(
        full.verdict,
        full.dealer,
        full.stake,
        full.outcome,
        taken=taken,
        uncovered=full.stake - taken,
        clause=clause,
        limit=limit,
    )


@lru_cache(maxsize=MOST_REMEMBERED)
def uncovered(verdict: Verdict, dealer: bool, stake: int, clause: str, limit: str) -> Figures:
    """A wager of which nothing had action: its stake goes back whole."""
    return _figures(verdict, dealer, stake, UNCOVERED, uncovered=stake, clause=clause, limit=limit)
