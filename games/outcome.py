"""Hands and decisions to the outcome and odds of each wager of a position, before any question of cover.

A `Claim` is one wager's due: what it would pay or lose if the bank covers it in full.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from games.cards import Hand
from games.hands import PAIR, QUEEN_HIGH, best_five_of_six, paid_class, value3
from games.money import EVEN_MONEY, Odds, payout_cents
from games.paytables import Paytable
from games.positions import NO_TIPS, Position
from games.terms import Terms
from games.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, PLAY, SIX_CARD_BONUS, WAGER_IDS

WIN, LOSE, PUSH, NO_ACTION, FORFEIT, UNCOVERED = "win", "lose", "push", "no_action", "forfeit", "uncovered"
TAKING = frozenset({LOSE, FORFEIT})


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What becomes of a wager: its outcome, the odds of a win, which rule decided (`cause`), and its clause.

    Terms have few verdicts (`verdict_of`), which the claims of all rounds share. `num` and `den` are the odds with 0 to 1 for none, so that owing takes no question; `taken`
    says whether the stake is forfeit to the bank.
    """

    outcome: str
    odds: Odds | None
    cause: str
    clause: str
    num: int
    den: int
    taken: bool


@lru_cache(maxsize=4096)
def verdict_of(outcome: str, odds: Odds | None, cause: str, clause: str) -> Verdict:
    """The verdict of that outcome, odds, cause and clause, the same object each time."""
    num, den = (0, 1) if odds is None else (odds.num, odds.den)
    return Verdict(outcome, odds, cause, clause, num, den, outcome in TAKING)


class Claim(NamedTuple):
    """One line in the making: cents staked, what becomes of them, and the cents that a win comes to.

    `hand` and `against` are what was looked at: hand values, or the class of six cards. `dealer` marks a tip
    wager.
    """

    seat: int
    player: str
    dealer: bool
    wager: int
    stake: int
    verdict: Verdict
    owed: int
    hand: int
    against: int


class BankHand(NamedTuple):
    """The bank's cards, their value, and whether it qualifies."""

    cards: Hand
    value: int
    qualified: bool


def read_bank_hand(cards: Hand) -> BankHand:
    """The bank's hand as every position meets it; queen high or better qualifies (ruling 2)."""
    value = value3(cards)
    return BankHand(cards, value, value >= QUEEN_HIGH)


Judge = Callable[[Hand, int, BankHand], tuple[Verdict, int, int]]
"""A position's hand and its value against the bank's: the verdict, and the two things looked at."""


class Judges(NamedTuple):
    """Terms made ready to judge positions by: who judges each wager, in the order of a position's lines.

    `forfeits` gives the verdict on each wager that a decision gives up; `bonus` the ante bonus by class of
    hand, None where a class brings none.
    """

    lines: tuple[tuple[int, Judge | None], ...]
    tip_lines: tuple[int, ...]
    forfeits: Mapping[str | None, Mapping[int, Verdict]]
    bonus: tuple[Verdict | None, ...]


@lru_cache(maxsize=512)
def judges_of(terms: Terms) -> Judges:
    """The judges of these terms, made once for all rounds that are played on them."""
    given_up = {"fold": "folded", "surrender": "surrendered"}
    bonus: tuple[Verdict | None, ...] = ()
    if terms.ante_bonus is not None:
        clause = terms.clauses[ANTE_BONUS]["pays"]
        bonus = tuple(
            None if odds is None else verdict_of(WIN, odds, "pays", clause) for odds in terms.ante_bonus.odds
        )
    return Judges(
        lines=tuple(
            (wager, None if wager == ANTE_BONUS else _JUDGES[wager](terms))
            for wager in terms.lines
            if wager == ANTE_BONUS or WAGER_IDS[wager] in terms.offered
        ),
        tip_lines=terms.tip_lines,
        forfeits={
            decision: {
                wager: verdict_of(FORFEIT, None, cause, terms.clauses[wager][cause])
                for wager in terms.forfeited[decision]
            }
            for decision, cause in given_up.items()
        },
        bonus=bonus,
    )


# Claims are made by tuple.__new__ with their fields in order: a NamedTuple's own constructor takes twice as long,
# and a full table makes two dozen of them.
_new = tuple.__new__
_NO_FORFEITS: Mapping[int, Verdict] = MappingProxyType({})


def position_claims(position: Position, bank: BankHand, judges: Judges) -> list[Claim]:
    """What is due on each wager of a position, in the order of its lines: the player's, then the tips."""
    seat, player, stakes, tip_stakes, cards, decision = position
    value = value3(cards)
    forfeits = judges.forfeits.get(decision, _NO_FORFEITS)
    claims: list[Claim] = []
    for wager, judge in judges.lines:
        if judge is None:
            claims += _ante_bonus(position, value, judges)
            continue
        stake = stakes[wager]
        if not stake:
            continue
        if wager in forfeits:
            verdict, hand, against = forfeits[wager], value, bank.value
        else:
            verdict, hand, against = judge(cards, value, bank)
        owed = stake * verdict.num // verdict.den  # as payout_cents, without the call
        claims.append(_new(Claim, (seat, player, False, wager, stake, verdict, owed, hand, against)))
    if tip_stakes != NO_TIPS:
        claims += _tip_claims(tip_stakes, claims, judges.tip_lines)
    return claims


def _ante_bonus(position: Position, value: int, judges: Judges) -> list[Claim]:
    """The bonus that rides on an ante that was played, whatever the bank holds; none on tips."""
    if position.decision != "play" or not judges.bonus:
        return []
    kind = paid_class(position.hand, value)
    verdict = judges.bonus[kind]
    if verdict is None or verdict.odds is None:
        return []
    owed = payout_cents(position.stakes[ANTE], verdict.odds)
    return [Claim(position.seat, position.player, False, ANTE_BONUS, 0, verdict, owed, kind, 0)]


def _tip_claims(tips: tuple[int, ...], claims: list[Claim], tip_lines: tuple[int, ...]) -> list[Claim]:
    """A tip has the hand, odds and decision of the wager beside it (ruling 4)."""
    beside = {claim.wager: claim for claim in claims}
    found = []
    for wager in tip_lines:
        stake = tips[wager]
        if stake:
            claim = beside[wager]
            odds = claim.verdict.odds
            owed = 0 if odds is None else payout_cents(stake, odds)
            found.append(claim._replace(dealer=True, stake=stake, owed=owed))
    return found


def _showdown(clauses: Mapping[str, str]) -> tuple[Verdict, Verdict, Verdict]:
    """The verdicts of hand against hand: it beats the bank's, loses to it, ties with it."""
    return (
        verdict_of(WIN, EVEN_MONEY, "beats", clauses["beats"]),
        verdict_of(LOSE, None, "loses", clauses["loses"]),
        verdict_of(PUSH, None, "ties", clauses["ties"]),
    )


def _ante(terms: Terms) -> Judge:
    """Ante of a hand that stayed in."""
    clauses = terms.clauses[ANTE]
    beats, loses, ties = _showdown(clauses)
    if terms.rulebook.unqualified_ante == "wins":
        above = below = verdict_of(WIN, EVEN_MONEY, "wins_unqualified", clauses["wins_unqualified"])
    else:
        above = verdict_of(WIN, EVEN_MONEY, "beats_unqualified", clauses["beats_unqualified"])
        below = verdict_of(PUSH, None, "holds_unqualified", clauses["holds_unqualified"])

    def judge(_: Hand, value: int, bank: BankHand) -> tuple[Verdict, int, int]:
        _, other, qualified = bank
        if not qualified:
            return above if value > other else below, value, other
        return beats if value > other else loses if value < other else ties, value, other

    return judge


def _play(terms: Terms) -> Judge:
    clauses = terms.clauses[PLAY]
    beats, loses, ties = _showdown(clauses)
    unqualified = verdict_of(terms.rulebook.unqualified_play, None, "unqualified", clauses["unqualified"])

    def judge(_: Hand, value: int, bank: BankHand) -> tuple[Verdict, int, int]:
        _, other, qualified = bank
        if not qualified:
            return unqualified, value, other
        return beats if value > other else loses if value < other else ties, value, other

    return judge


def _by_class(table: Paytable, clauses: Mapping[str, str]) -> tuple[Verdict, ...]:
    """The verdict by class of hand: it pays, or it misses."""
    return tuple(
        verdict_of(LOSE, None, "misses", clauses["misses"])
        if odds is None
        else verdict_of(WIN, odds, "pays", clauses["pays"])
        for odds in table.odds
    )


def _pair_plus(terms: Terms) -> Judge:
    clauses = terms.clauses[PAIR_PLUS]
    by_class = _by_class(terms.pair_plus, clauses)
    not_won = None
    if terms.pair_plus_requires_win:
        not_won = verdict_of(LOSE, None, "not_won", clauses["not_won"])

    def judge(cards: Hand, value: int, bank: BankHand) -> tuple[Verdict, int, int]:
        verdict = by_class[paid_class(cards, value)]
        if not_won is not None and verdict.odds is not None and bank.qualified and value <= bank.value:
            return not_won, value, bank.value
        return verdict, value, bank.value

    return judge


def _six_card_bonus(terms: Terms) -> Judge:
    assert terms.six_card_bonus is not None  # a line of these terms
    by_class = _by_class(terms.six_card_bonus, terms.clauses[SIX_CARD_BONUS])

    def judge(cards: Hand, _: int, bank: BankHand) -> tuple[Verdict, int, int]:
        six = best_five_of_six(cards, bank.cards)
        return by_class[six], six, bank.value

    return judge


def _bad_beat(terms: Terms) -> Judge:
    """Pays by the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    assert terms.bad_beat is not None  # a line of these terms
    clauses = terms.clauses[BAD_BEAT]
    by_class = _by_class(terms.bad_beat, clauses)
    misses = verdict_of(LOSE, None, "misses", clauses["misses"])

    def judge(_: Hand, value: int, bank: BankHand) -> tuple[Verdict, int, int]:
        other = bank.value
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
