"""One line of a settlement: one wager, what came of it, and where every cent of it went."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import count, repeat
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from games import reasons
from games.money import Odds
from games.outcome import Claim, apart
from games.remembered import MOST_REMEMBERED
from games.verdict import UNCOVERED, Figures, Verdict
from games.wagers import WAGER_IDS


class Line(NamedTuple):
    """A settled wager: its place in the order, whose it is, its figures, what was looked at, and the bank's cover left.

    `looked` is that of the claim that it grew from.
    """

    seq: int
    seat: int
    player: str
    figures: Figures
    looked: int
    bank_remaining: int | None

    @property
    def party(self) -> str:
        """Whom the wager is for: `player`, or `dealer` for a tip."""
        return "dealer" if self.figures.dealer else "player"

    @property
    def wager(self) -> str:
        return WAGER_IDS[self.figures.verdict.wager]

    @property
    def stake(self) -> int:
        return self.figures.stake

    @property
    def outcome(self) -> str:
        return self.figures.outcome

    @property
    def odds(self) -> Odds | None:
        """Odds of a win, None otherwise, and for envy."""
        return self.figures.odds

    @property
    def owed(self) -> int:
        """What the win is worth in full."""
        return self.figures.owed

    @property
    def paid(self) -> int:
        return self.figures.paid

    @property
    def taken(self) -> int:
        return self.figures.taken

    @property
    def returned(self) -> int:
        return self.figures.returned

    @property
    def toked(self) -> int:
        return self.figures.toked

    @property
    def short(self) -> int:
        return self.figures.short

    @property
    def uncovered(self) -> int:
        return self.figures.uncovered

    @property
    def clause(self) -> str:
        return self.figures.clause

    @property
    def reason(self) -> str:
        """One sentence for the player why the line came out so."""
        return reasons.reason(self.figures, *apart(self.looked))

    def to_json(self) -> dict[str, Any]:
        """The line by the contract's keys."""
        figures = self.figures
        return {
            "seq": self.seq,
            "seat": self.seat,
            "player": self.player,
            "for": self.party,
            "wager": self.wager,
            "stake": figures.stake,
            "outcome": figures.outcome,
            "odds": None if figures.odds is None else figures.odds.text,
            "owed": figures.owed,
            "paid": figures.paid,
            "taken": figures.taken,
            "returned": figures.returned,
            "toked": figures.toked,
            "short": figures.short,
            "uncovered": figures.uncovered,
            "bank_remaining": self.bank_remaining,
            "clause": figures.clause,
            "reason": self.reason,
        }


def lines_text(claims: Iterable[Claim], left: Iterable[int] | None) -> str:
    """The lines of these claims as JSON text, several times as fast as by way of a dict: batches print millions."""
    texts = []
    before, whose = 0, ""
    words = _words
    lefts = repeat("null") if left is None else left
    for seq, (seat, player, figures, looked), remaining in zip(count(1), claims, lefts, strict=False):
        if seat != before:
            before, whose = seat, _whose(seat, player)
        if figures.limit:
            why = _why_limited(figures, looked)
        else:
            try:
                why = words[figures.number + looked]
            except KeyError:
                why = _why(figures.verdict, looked)
        texts.append(f'{{"seq": {seq}, {whose}{figures.text}{remaining}, {why}')
    return ", ".join(texts)


@lru_cache(maxsize=MOST_REMEMBERED)
def _whose(seat: int, player: str) -> str:
    """The fields `seat` and `player`."""
    return f'"seat": {seat}, "player": {quoted(player)}, '


#: What `_why` has put in words, by the verdict's number with what was looked at; forgotten when it gets too much.
_words: dict[int, str] = {}


def _why(verdict: Verdict, looked: int) -> str:
    """The fields from `clause` on of a line that the bank covered in full."""
    why = _in_words(verdict.clause, reasons.sentence(verdict, *apart(looked)))
    if len(_words) >= MOST_REMEMBERED:
        _words.clear()
    _words[verdict.number + looked] = why
    return why


def _why_limited(figures: Figures, looked: int) -> str:
    """The fields from `clause` on of a line that the bank did not cover in full."""
    if figures.outcome == UNCOVERED:
        return _why_uncovered(figures.clause, figures.limit, figures.stake)
    return _in_words(figures.clause, reasons.reason(figures, *apart(looked)))


@lru_cache(maxsize=MOST_REMEMBERED)
def _why_uncovered(clause: str, limit: str, stake_cents: int) -> str:
    """The same of a line of which the bank covered nothing: no hand was looked at."""
    return _in_words(clause, reasons.goes_back(limit, stake_cents))


def _in_words(clause: str, reason: str) -> str:
    return f'"clause": {quoted(clause)}, "reason": {quoted(reason)}}}'
