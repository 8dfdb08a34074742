"""One line of a settlement: one wager, what came of it, and where every cent of it went."""

from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from games import reasons
from games.money import Odds
from games.outcome import UNCOVERED, Claim, Verdict
from games.wagers import WAGER_IDS


class Line(NamedTuple):
    """A settled wager; amounts are cents. The claim it grew from says what was due in full.

    `outcome` differs from the claim's only where the bank covered nothing of it. `limit` is empty, or says
    why the bank did not cover all: `exhausted`, `capped` (it may not win more) or `dead` (the whole hand).
    """

    seq: int
    claim: Claim
    outcome: str
    paid: int
    taken: int
    returned: int
    toked: int
    short: int
    uncovered: int
    bank_remaining: int | None
    clause: str
    limit: str

    @property
    def seat(self) -> int:
        return self.claim.seat

    @property
    def player(self) -> str:
        return self.claim.player

    @property
    def party(self) -> str:
        """Whom the wager is for: `player`, or `dealer` for a tip."""
        return "dealer" if self.claim.dealer else "player"

    @property
    def wager(self) -> str:
        return WAGER_IDS[self.claim.wager]

    @property
    def stake(self) -> int:
        return self.claim.stake

    @property
    def odds(self) -> Odds | None:
        """Odds of a win, None otherwise, and for envy."""
        return None if self.outcome == UNCOVERED else self.claim.verdict.odds

    @property
    def owed(self) -> int:
        """What the win is worth in full."""
        return self.paid + self.short

    @property
    def reason(self) -> str:
        """One sentence for the player why the line came out so."""
        return reasons.reason(self)

    def to_json(self) -> dict[str, Any]:
        """The line by the contract's keys."""
        odds = self.odds
        return {
            "seq": self.seq,
            "seat": self.claim.seat,
            "player": self.claim.player,
            "for": self.party,
            "wager": self.wager,
            "stake": self.claim.stake,
            "outcome": self.outcome,
            "odds": None if odds is None else odds.text,
            "owed": self.owed,
            "paid": self.paid,
            "taken": self.taken,
            "returned": self.returned,
            "toked": self.toked,
            "short": self.short,
            "uncovered": self.uncovered,
            "bank_remaining": self.bank_remaining,
            "clause": self.clause,
            "reason": self.reason,
        }

    def to_text(self) -> str:
        """`to_json` as text, several times as fast as by way of a dict: batches print millions of these."""
        seq, claim, _, _, _, _, _, _, _, left, clause, limit = self
        seat, player, dealer, wager, stake, verdict, owed, _, _ = claim
        if limit:
            figures = self._figures()
            why = f'"clause": {quoted(clause)}, "reason": {quoted(reasons.reason(self))}}}'
        else:
            # Covered in full: the figures follow from the claim.
            come_to = verdict, stake, owed, dealer
            figures = _COVERED.get(come_to) or _remember(come_to, self._figures())
            why = f"{_clause(verdict)}{quoted(reasons.sentence(claim))}}}"
        return (
            f'{{"seq": {seq}, {_place(seat, player, dealer, wager)}{figures}'
            f'"bank_remaining": {"null" if left is None else left}, {why}'
        )

    def _figures(self) -> str:
        """The fields from `stake` to `uncovered`."""
        odds = self.odds
        return (
            f'"stake": {self.stake}, "outcome": "{self.outcome}", '
            f'"odds": {"null" if odds is None else quoted(odds.text)}, "owed": {self.owed}, "paid": {self.paid}, '
            f'"taken": {self.taken}, "returned": {self.returned}, "toked": {self.toked}, "short": {self.short}, '
            f'"uncovered": {self.uncovered}, '
        )


# What comes again and again is put in JSON once. How much is remembered is bounded: a batch of any length needs no
# more memory.

_MOST_REMEMBERED = 8192
_COVERED: dict[tuple[Verdict, int, int, bool], str] = {}


def _remember(come_to: tuple[Verdict, int, int, bool], figures: str) -> str:
    if len(_COVERED) >= _MOST_REMEMBERED:
        _COVERED.clear()
    _COVERED[come_to] = figures
    return figures


@lru_cache(maxsize=_MOST_REMEMBERED)
def _place(seat: int, player: str, dealer: bool, wager: int) -> str:
    """The fields from `seat` to `wager`."""
    party = "dealer" if dealer else "player"
    return f'"seat": {seat}, "player": {quoted(player)}, "for": "{party}", "wager": "{WAGER_IDS[wager]}", '


@lru_cache(maxsize=4096)
def _clause(verdict: Verdict) -> str:
    return f'"clause": {quoted(verdict.clause)}, "reason": '
