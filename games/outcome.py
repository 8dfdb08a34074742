"""Hands and decisions to the outcome and odds of each wager of a position, before any question of cover.

A `Claim` is one wager's due: what it would pay or lose if the bank covers it in full.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from games.cards import Hand
from games.hands import PAIR, QUEEN_HIGH, SIDE_CARDS, best_five_of_six, paid_class, value3
from games.money import EVEN_MONEY
from games.paytables import Paytable
from games.positions import NO_TIPS, Position
from games.terms import Terms
from games.verdict import FORFEIT, LOSE, PUSH, WIN, Figures, Verdict, in_full, verdict_of
from games.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, PLAY, SIX_CARD_BONUS, WAGER_IDS

Claim = tuple[int, str, Figures, int, int]
"""One line in the making: seat, player, figures, and the two things that were looked at.

The figures are those of a wager that the bank covers in full. What was looked at are values of hands, or the class of
a hand alone. A plain tuple and no named one: a full table makes two dozen, and is settled in an eighth less time.
"""


class BankHand(NamedTuple):
    """The bank's cards, their value, and whether it qualifies."""

    cards: Hand
    value: int
    qualified: bool


def read_bank_hand(cards: Hand) -> BankHand:
    """The bank's hand as every position meets it; queen high or better qualifies (ruling 2)."""
    value = value3(cards)
    return BankHand(cards, value, value >= QUEEN_HIGH)


Judge = Callable[[Hand, int, int, BankHand], tuple[Verdict | None, int, int]]
"""A position's hand, its value and the bank's: the verdict, None for no line, and the two things looked at."""

Decision = str | None


class Judges(NamedTuple):
    """Terms made ready to judge positions by.

    `lines` has, by decision and in the order of a position's lines, the wager whose stake a line stands on and who
    judges it; an ante bonus stands on the ante.
    """

    lines: Mapping[Decision, tuple[tuple[int, Judge], ...]]
    tip_lines: tuple[int, ...]


@lru_cache(maxsize=512)
def judges_of(terms: Terms) -> Judges:
    """The judges of these terms, made once for all rounds that are played on them."""
    offered = [wager for wager in terms.lines if wager == ANTE_BONUS or WAGER_IDS[wager] in terms.offered]
    lines: dict[Decision, tuple[tuple[int, Judge], ...]] = {}
    for decision, cause in ((None, ""), ("play", ""), ("fold", "folded"), ("surrender", "surrendered")):
        found = []
        for wager in offered:
            if wager == ANTE_BONUS:
                if decision == "play" and terms.ante_bonus is not None:
                    found.append((ANTE, _ante_bonus(terms.ante_bonus, terms)))
            elif decision and cause and wager in terms.forfeited[decision]:
                found.append((wager, _given_up(wager, cause, terms)))
            else:
                found.append((wager, _JUDGES[wager](terms)))
        lines[decision] = tuple(found)
    return Judges(lines, terms.tip_lines)


def position_claims(position: Position, bank: BankHand, judges: Judges) -> list[Claim]:
    """What is due on each wager of a position, in the order of its lines: the player's, then the tips."""
    seat, player, stakes, tip_stakes, cards, decision = position
    value, other = value3(cards), bank.value
    if value >> 8 != other >> 8:
        # Their class or first rank tells the hands apart: the cards below it are looked at no further.
        value, other = value & ~SIDE_CARDS, other & ~SIDE_CARDS
    claims: list[Claim] = []
    for wager, judge in judges.lines[decision]:
        stake = stakes[wager]
        if stake:
            verdict, hand, against = judge(cards, value, other, bank)
            if verdict is not None:
                claims.append((seat, player, in_full(verdict, False, stake), hand, against))
    if tip_stakes != NO_TIPS:
        claims += _tip_claims(tip_stakes, claims, judges.tip_lines)
    return claims


def _tip_claims(tips: tuple[int, ...], claims: list[Claim], tip_lines: tuple[int, ...]) -> list[Claim]:
    """A tip has the hand, odds and decision of the wager beside it (ruling 4)."""
    beside = {claim[2].verdict.wager: claim for claim in claims}
    found = []
    for wager in tip_lines:
        if tips[wager]:
            seat, player, figures, hand, against = beside[wager]
            found.append((seat, player, in_full(figures.verdict, True, tips[wager]), hand, against))
    return found


def _given_up(wager: int, cause: str, terms: Terms) -> Judge:
    """A wager that the decision gives up."""
    verdict = verdict_of(wager, FORFEIT, None, cause, terms.clauses[wager][cause])

    def judge(_: Hand, value: int, other: int, bank: BankHand) -> tuple[Verdict, int, int]:
        return verdict, value, other

    return judge


def _ante_bonus(table: Paytable, terms: Terms) -> Judge:
    """The bonus that rides on an ante that was played, whatever the bank holds; none on tips."""
    clause = terms.clauses[ANTE_BONUS]["pays"]
    by_class = [
        None if odds is None else verdict_of(ANTE_BONUS, WIN, odds, "pays", clause) for odds in table.odds
    ]

    def judge(cards: Hand, value: int, _: int, __: BankHand) -> tuple[Verdict | None, int, int]:
        kind = paid_class(cards, value)
        return by_class[kind], kind, 0

    return judge


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
    beats, loses, ties = _showdown(ANTE, clauses)
    if terms.rulebook.unqualified_ante == "wins":
        above = below = verdict_of(ANTE, WIN, EVEN_MONEY, "wins_unqualified", clauses["wins_unqualified"])
    else:
        above = verdict_of(ANTE, WIN, EVEN_MONEY, "beats_unqualified", clauses["beats_unqualified"])
        below = verdict_of(ANTE, PUSH, None, "holds_unqualified", clauses["holds_unqualified"])

    def judge(_: Hand, value: int, other: int, bank: BankHand) -> tuple[Verdict, int, int]:
        if not bank.qualified:
            return above if value > other else below, value, other
        return beats if value > other else loses if value < other else ties, value, other

    return judge


def _play(terms: Terms) -> Judge:
    clauses = terms.clauses[PLAY]
    beats, loses, ties = _showdown(PLAY, clauses)
    unqualified = verdict_of(
        PLAY, terms.rulebook.unqualified_play, None, "unqualified", clauses["unqualified"]
    )

    def judge(_: Hand, value: int, other: int, bank: BankHand) -> tuple[Verdict, int, int]:
        if not bank.qualified:
            return unqualified, value, other
        return beats if value > other else loses if value < other else ties, value, other

    return judge


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
    not_won = None
    if terms.pair_plus_requires_win:
        not_won = verdict_of(PAIR_PLUS, LOSE, None, "not_won", clauses["not_won"])

    def judge(cards: Hand, value: int, other: int, bank: BankHand) -> tuple[Verdict, int, int]:
        verdict = by_class[paid_class(cards, value)]
        if not_won is not None and verdict.odds is not None and bank.qualified and value <= other:
            return not_won, value, other
        return verdict, value, other

    return judge


def _six_card_bonus(terms: Terms) -> Judge:
    assert terms.six_card_bonus is not None  # a line of these terms
    by_class = _by_class(SIX_CARD_BONUS, terms.six_card_bonus, terms.clauses[SIX_CARD_BONUS])

    def judge(cards: Hand, _: int, __: int, bank: BankHand) -> tuple[Verdict, int, int]:
        six = best_five_of_six(cards, bank.cards)
        return by_class[six], six, 0

    return judge


def _bad_beat(terms: Terms) -> Judge:
    """Pays by the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    assert terms.bad_beat is not None  # a line of these terms
    clauses = terms.clauses[BAD_BEAT]
    by_class = _by_class(BAD_BEAT, terms.bad_beat, clauses)
    misses = verdict_of(BAD_BEAT, LOSE, None, "misses", clauses["misses"])

    def judge(_: Hand, value: int, other: int, bank: BankHand) -> tuple[Verdict, int, int]:
        beaten = min(value, other)
        if value == other or beaten >> 12 < PAIR:
            return misses, value, other
        return by_class[beaten >> 12], beaten, max(value, other)

    return judge


_JUDGES: dict[int, Callable[[Terms], Judge]] = {
    ANTE: _ante,
    PLAY: _play,
    PAIR_PLUS: _pair_plus,
    SIX_CARD_BONUS: _six_card_bonus,
    BAD_BEAT: _bad_beat,
}
