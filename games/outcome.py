"""Hands and decisions to the outcome and odds of each wager of a position, before any question of cover.

A `Claim` is one wager's due: what it would pay or lose if the bank covers it in full.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from games.cards import Hand
from games.hands import (
    CLASS_IDS,
    MINI_ROYAL,
    PAIR,
    QUEEN_HIGH,
    SIDE_CARDS,
    best_five_of_six,
    paid_class,
    value3,
)
from games.money import EVEN_MONEY
from games.paytables import Paytable
from games.positions import NO_TIPS, Position
from games.remembered import MOST_REMEMBERED_BY_TERMS
from games.terms import Terms
from games.verdict import FORFEIT, LOSE, PUSH, SEEN_BITS, WIN, Figures, Verdict, in_full, verdict_of
from games.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, PLAY, SIX_CARD_BONUS, WAGER_IDS

Claim = tuple[int, str, Figures, int]
"""One line in the making: seat, player, figures, and what was looked at (`seen`).

The figures are those of a wager that the bank covers in full. A plain tuple and no named one: a full table makes two
dozen, and is settled in an eighth less time.
"""

_SIDE_BITS = SEEN_BITS // 2


def seen(hand: int, against: int = 0) -> int:
    """The two things that were looked at as one number: values of hands, or the class of a hand alone."""
    return hand << _SIDE_BITS | against


def apart(both: int) -> tuple[int, int]:
    """The two things of which `seen` made one number."""
    return both >> _SIDE_BITS, both & (1 << _SIDE_BITS) - 1


class BankHand(NamedTuple):
    """The bank's cards, their value, and whether it qualifies."""

    cards: Hand
    value: int
    qualified: bool


def read_bank_hand(cards: Hand) -> BankHand:
    """The bank's hand as every position meets it; queen high or better qualifies (ruling 2)."""
    value = value3(cards)
    return tuple.__new__(BankHand, (cards, value, value >= QUEEN_HIGH))


Decision = str | None

#: What is looked at to find a verdict. Two hands against each other; nothing, for the wager was given up; a hand's class;
#: its class and whether it also beats the bank's; its class alone, whatever the bank holds; six cards; the lower of the
#: two hands. All but the last two follow from how the hands compare and the class of the position's.
HANDS, NOTHING, CLASS, CLASS_AND_WIN, CLASS_ALONE, SIX, BEATEN = range(7)

#: How two hands compare: a bank that qualifies is beaten, beats, or ties; one that does not is beaten, or is not.
BEATS, LOSES, TIES, BEATS_UNQUALIFIED, HOLDS_UNQUALIFIED = range(5)

CLASSES = len(CLASS_IDS)
#: Added to a class that did not beat a bank that qualifies (`CLASS_AND_WIN`).
NOT_WON = CLASSES
#: The lower hand is no pair or better, or there is none (`BEATEN`).
NONE_BEATEN = CLASSES


class Judge(NamedTuple):
    """How one line of a position is judged: what is looked at, and the verdict by what is found; None for no line."""

    wager: int
    look: int
    verdicts: tuple[Verdict | None, ...]


class _Due(dict[int, Figures | None]):
    """What one wager comes to, by what is found; worked out when that is first asked for. None for no line.

    `amount` is its stake in cents, for an ante bonus the ante; `dealer` marks a tip.
    """

    __slots__ = ("amount", "dealer", "look", "verdicts")

    def __init__(self, judge: Judge, dealer: bool, amount: int) -> None:
        super().__init__()
        self.look, self.verdicts, self.dealer, self.amount = judge.look, judge.verdicts, dealer, amount

    def __missing__(self, found: int) -> Figures | None:
        verdict = self.verdicts[found]
        due = self[found] = None if verdict is None else in_full(verdict, self.dealer, self.amount)
        return due


@lru_cache(maxsize=512)
def judges_of(terms: Terms) -> Mapping[Decision, tuple[Judge, ...]]:
    """The judges of these terms by decision, in the order of a position's lines."""
    offered = [wager for wager in terms.lines if wager == ANTE_BONUS or WAGER_IDS[wager] in terms.offered]
    judges: dict[Decision, tuple[Judge, ...]] = {}
    for decision, cause in ((None, ""), ("play", ""), ("fold", "folded"), ("surrender", "surrendered")):
        found = []
        for wager in offered:
            if wager == ANTE_BONUS:
                if decision == "play" and terms.ante_bonus is not None:
                    found.append(_ante_bonus(terms.ante_bonus, terms))
            elif decision and cause and wager in terms.forfeited[decision]:
                found.append(_given_up(wager, cause, terms))
            else:
                found.append(_JUDGES[wager](terms))
        judges[decision] = tuple(found)
    return judges


@lru_cache(maxsize=MOST_REMEMBERED_BY_TERMS)
def _placed(
    terms: Terms, decision: Decision, stakes: tuple[int, ...], tips: tuple[int, ...]
) -> tuple[tuple[int, _Due], ...]:
    """What these bets come to, line by line: the player's, then the tips.

    A tip has the hand, odds and decision of the wager beside it (ruling 4).
    """
    judges = judges_of(terms)[decision]
    wagers = []
    for judge in judges:
        stake = stakes[ANTE if judge.wager == ANTE_BONUS else judge.wager]
        if stake:
            wagers.append(_due(judge, False, stake))
    if tips != NO_TIPS:
        beside = {judge.wager: judge for judge in judges}
        wagers += [_due(beside[wager], True, tips[wager]) for wager in terms.tip_lines if tips[wager]]
    return tuple([(wager.look, wager) for wager in wagers])


@lru_cache(maxsize=MOST_REMEMBERED_BY_TERMS)
def _due(judge: Judge, dealer: bool, amount: int) -> _Due:
    return _Due(judge, dealer, amount)


def position_claims(position: Position, bank: BankHand, terms: Terms) -> list[Claim]:
    """What is due on each wager of a position, in the order of its lines: the player's, then the tips."""
    seat, player, stakes, tips, cards, decision = position
    bank_cards, other, qualified = bank
    value = value3(cards)
    kind = value >> 12
    if kind == MINI_ROYAL:
        kind = paid_class(cards, value)
    if value >> 8 != other >> 8:
        # Their class or first rank tells the hands apart: the cards below it are looked at no further.
        value, other = value & ~SIDE_CARDS, other & ~SIDE_CARDS
    if not qualified:
        compared = BEATS_UNQUALIFIED if value > other else HOLDS_UNQUALIFIED
    else:
        compared = BEATS if value > other else LOSES if value < other else TIES
    both = value << _SIDE_BITS | other
    unless_won = kind + NOT_WON if compared in (LOSES, TIES) else kind
    # By what is looked at, from HANDS to CLASS_ALONE: what is found, and what a sentence about it has to name.
    found_by_look = (compared, 0, kind, unless_won, kind)
    seen_by_look = (both, 0, (value & ~SIDE_CARDS) << _SIDE_BITS, both, kind << _SIDE_BITS)
    claims: list[Claim] = []
    for look, dues in _placed(terms, decision, stakes, tips):
        if look < SIX:
            due, looked = dues[found_by_look[look]], seen_by_look[look]
        elif look == SIX:
            six = best_five_of_six(cards, bank_cards)
            due, looked = dues[six], six << _SIDE_BITS
        else:
            lower, looked = _beaten(value, other)
            due = dues[lower]
        if due is not None:
            claims.append((seat, player, due, looked))
    return claims


def _beaten(value: int, other: int) -> tuple[int, int]:
    """The class of the beaten hand; and that hand with the one that beat it, or as they are where no pair was beaten."""
    beaten = min(value, other)
    if value == other or beaten >> 12 < PAIR:
        return NONE_BEATEN, seen(value, other)
    return beaten >> 12, seen(beaten, max(value, other))


def _given_up(wager: int, cause: str, terms: Terms) -> Judge:
    """A wager that the decision gives up, however the hands compare."""
    verdict = verdict_of(wager, FORFEIT, None, cause, terms.clauses[wager][cause])
    return Judge(wager, NOTHING, (verdict,) * 5)


def _ante_bonus(table: Paytable, terms: Terms) -> Judge:
    """The bonus that rides on an ante that was played, whatever the bank holds; none on tips."""
    clause = terms.clauses[ANTE_BONUS]["pays"]
    by_class = [
        None if odds is None else verdict_of(ANTE_BONUS, WIN, odds, "pays", clause) for odds in table.odds
    ]
    return Judge(ANTE_BONUS, CLASS_ALONE, tuple(by_class))


def _showdown(wager: int, clauses: Mapping[str, str]) -> tuple[Verdict, Verdict, Verdict]:
    """The verdicts of hand against hand: it beats the bank's, loses to it, ties with it."""
    return (
        verdict_of(wager, WIN, EVEN_MONEY, "beats", clauses["beats"]),
        verdict_of(wager, LOSE, None, "loses", clauses["loses"]),
        verdict_of(wager, PUSH, None, "ties", clauses["ties"]),
    )


def _ante(terms: Terms) -> Judge:
    """Ante of a hand that stayed in."""
    clauses = terms.clauses[ANTE]
    if terms.rulebook.unqualified_ante == "wins":
        above = below = verdict_of(ANTE, WIN, EVEN_MONEY, "wins_unqualified", clauses["wins_unqualified"])
    else:
        above = verdict_of(ANTE, WIN, EVEN_MONEY, "beats_unqualified", clauses["beats_unqualified"])
        below = verdict_of(ANTE, PUSH, None, "holds_unqualified", clauses["holds_unqualified"])
    return Judge(ANTE, HANDS, (*_showdown(ANTE, clauses), above, below))


def _play(terms: Terms) -> Judge:
    clauses = terms.clauses[PLAY]
    unqualified = verdict_of(
        PLAY, terms.rulebook.unqualified_play, None, "unqualified", clauses["unqualified"]
    )
    return Judge(PLAY, HANDS, (*_showdown(PLAY, clauses), unqualified, unqualified))


def _by_class(wager: int, table: Paytable, clauses: Mapping[str, str]) -> tuple[Verdict, ...]:
    """The verdict by class of hand: it pays, or it misses."""
    return tuple(
        verdict_of(wager, LOSE, None, "misses", clauses["misses"])
        if odds is None
        else verdict_of(wager, WIN, odds, "pays", clauses["pays"])
        for odds in table.odds
    )


def _pair_plus(terms: Terms) -> Judge:
    clauses = terms.clauses[PAIR_PLUS]
    by_class = _by_class(PAIR_PLUS, terms.pair_plus, clauses)
    if not terms.pair_plus_requires_win:
        return Judge(PAIR_PLUS, CLASS, by_class)
    not_won = verdict_of(PAIR_PLUS, LOSE, None, "not_won", clauses["not_won"])
    unless_won = [not_won if verdict.odds is not None else verdict for verdict in by_class]
    return Judge(PAIR_PLUS, CLASS_AND_WIN, (*by_class, *unless_won))


def _six_card_bonus(terms: Terms) -> Judge:
    assert terms.six_card_bonus is not None  # a line of these terms
    by_class = _by_class(SIX_CARD_BONUS, terms.six_card_bonus, terms.clauses[SIX_CARD_BONUS])
    return Judge(SIX_CARD_BONUS, SIX, by_class)


def _bad_beat(terms: Terms) -> Judge:
    """Pays by the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    assert terms.bad_beat is not None  # a line of these terms
    clauses = terms.clauses[BAD_BEAT]
    by_class = _by_class(BAD_BEAT, terms.bad_beat, clauses)
    misses = verdict_of(BAD_BEAT, LOSE, None, "misses", clauses["misses"])
    return Judge(BAD_BEAT, BEATEN, (*by_class, misses))


_JUDGES: dict[int, Callable[[Terms], Judge]] = {
    ANTE: _ante,
    PLAY: _play,
    PAIR_PLUS: _pair_plus,
    SIX_CARD_BONUS: _six_card_bonus,
    BAD_BEAT: _bad_beat,
}
