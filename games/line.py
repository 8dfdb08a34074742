"""One line of a settlement: one wager, what came of it, and where every cent of it went."""

from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from games import reasons
from games.money import Odds
from games.outcome import UNCOVERED, Claim
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
        return None if self.outcome == UNCOVERED else self.claim.odds

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
        left = self.bank_remaining
        return (
            f'{{"seq": {self.seq}, {_figures(self.claim[:7], self[2:9])}'
            f'"bank_remaining": {"null" if left is None else left}, '
            f'"clause": {_quoted(self.clause)}, "reason": {quoted(reasons.reason(self))}}}'
        )


# What comes again and again while the same people make the same wagers is put in words once. How much is
# remembered is bounded: a batch of any length needs no more memory.

_quoted = lru_cache(maxsize=1024)(quoted)


@lru_cache(maxsize=8192)
def _figures(
    claimed: tuple[int, str, bool, int, int, str, Odds | None],
    came_to: tuple[str, int, int, int, int, int, int],
) -> str:
    """The fields from `seat` to `uncovered`, by a claim's up to `odds` and a line's from `outcome` on."""
    seat, player, dealer, wager, stake, _, odds = claimed
    outcome, paid, taken, returned, toked, short, uncovered = came_to
    odds_text = "null" if odds is None or outcome == UNCOVERED else quoted(odds.text)
    return (
        f'"seat": {seat}, "player": {quoted(player)}, "for": "{"dealer" if dealer else "player"}", '
        f'"wager": "{WAGER_IDS[wager]}", "stake": {stake}, "outcome": "{outcome}", "odds": {odds_text}, '
        f'"owed": {paid + short}, "paid": {paid}, "taken": {taken}, "returned": {returned}, '
        f'"toked": {toked}, "short": {short}, "uncovered": {uncovered}, '
    )
