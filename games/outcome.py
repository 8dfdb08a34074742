"""Hands and decisions to the outcome and odds of each wager of a position, before any question of cover.

A `Claim` is one wager's due: what it would pay or lose if the bank covers it in full.
"""

from typing import NamedTuple

from games.cards import Hand
from games.hands import PAIR, QUEEN_HIGH, best_five_of_six, paid_class, value3
from games.money import EVEN_MONEY, Odds, payout_cents
from games.positions import NO_TIPS, Position
from games.terms import Terms
from games.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, PLAY, SIX_CARD_BONUS

WIN, LOSE, PUSH, NO_ACTION, FORFEIT, UNCOVERED = "win", "lose", "push", "no_action", "forfeit", "uncovered"
TAKING = frozenset({LOSE, FORFEIT})


class Claim(NamedTuple):
    """One line in the making: cents staked, outcome, odds of a win and the cents they come to.

    `cause` says which rule decided, `clause` where it stands; `hand` and `against` are what was looked at:
    hand values, or the class of six cards. `dealer` marks a tip wager.
    """

    seat: int
    player: str
    dealer: bool
    wager: int
    stake: int
    outcome: str
    odds: Odds | None
    owed: int
    clause: str
    cause: str
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


Verdict = tuple[str, Odds | None, str, int, int]
"""Outcome, odds of a win, cause, and the two things looked at."""


def position_claims(position: Position, bank: BankHand, terms: Terms) -> list[Claim]:
    """What is due on each wager of a position, in the order of its lines: the player's, then the tips."""
    value = value3(position.hand)
    stakes = position.stakes
    claims: list[Claim] = []
    verdicts: dict[int, Verdict] = {}
    for wager in terms.lines:
        if wager == ANTE_BONUS:
            bonus = _ante_bonus(position, value, terms)
            if bonus is not None:
                claims.append(bonus)
        elif stakes[wager]:
            verdict = verdicts[wager] = _verdict(wager, position, value, bank, terms)
            claims.append(_claim(position, wager, stakes[wager], verdict, terms))
    tips = position.tip_stakes
    if tips != NO_TIPS:
        # A tip has the hand, odds and decision of the wager beside it (ruling 4).
        for wager in terms.tip_lines:
            if tips[wager]:
                claim = _claim(position, wager, tips[wager], verdicts[wager], terms)
                claims.append(claim._replace(dealer=True))
    return claims


def _claim(position: Position, wager: int, stake: int, verdict: Verdict, terms: Terms) -> Claim:
    outcome, odds, cause, hand, against = verdict
    owed = stake * odds.num // odds.den if odds is not None else 0
    clause = terms.clauses[wager][cause]
    # By tuple.__new__, fields in order: a NamedTuple's own constructor takes twice as long.
    return tuple.__new__(
        Claim,
        (
            position.seat,
            position.player,
            False,
            wager,
            stake,
            outcome,
            odds,
            owed,
            clause,
            cause,
            hand,
            against,
        ),
    )


def _verdict(wager: int, position: Position, value: int, bank: BankHand, terms: Terms) -> Verdict:
    decision = position.decision
    if decision is not None and decision != "play" and wager in terms.forfeited[decision]:
        return FORFEIT, None, "folded" if decision == "fold" else "surrendered", value, bank.value
    if wager in (ANTE, PLAY):
        return _against_bank(wager, value, bank, terms)
    if wager == PAIR_PLUS:
        return _pair_plus(position, value, bank, terms)
    if wager == SIX_CARD_BONUS:
        six = best_five_of_six(position.hand, bank.cards)
        assert terms.six_card_bonus is not None
        return _by_table(terms.six_card_bonus.odds[six], six, bank.value)
    assert wager == BAD_BEAT
    assert terms.bad_beat is not None
    return _bad_beat(value, bank.value, terms.bad_beat.odds)


def _by_table(odds: Odds | None, hand: int, against: int) -> Verdict:
    return (WIN, odds, "pays", hand, against) if odds is not None else (LOSE, None, "misses", hand, against)


def _against_bank(wager: int, value: int, bank: BankHand, terms: Terms) -> Verdict:
    """Ante and play of a hand that stayed in."""
    other = bank.value
    if not bank.qualified:
        if wager == PLAY:
            return terms.rulebook.unqualified_play, None, "unqualified", value, other
        if terms.rulebook.unqualified_ante == "wins":
            return WIN, EVEN_MONEY, "wins_unqualified", value, other
        if value > other:
            return WIN, EVEN_MONEY, "beats_unqualified", value, other
        return PUSH, None, "holds_unqualified", value, other
    if value > other:
        return WIN, EVEN_MONEY, "beats", value, other
    if value < other:
        return LOSE, None, "loses", value, other
    return PUSH, None, "ties", value, other


def _pair_plus(position: Position, value: int, bank: BankHand, terms: Terms) -> Verdict:
    odds = terms.pair_plus.odds[paid_class(position.hand, value)]
    if terms.pair_plus_requires_win and odds is not None and bank.qualified and value <= bank.value:
        return LOSE, None, "not_won", value, bank.value
    return _by_table(odds, value, bank.value)


def _bad_beat(value: int, other: int, odds: tuple[Odds | None, ...]) -> Verdict:
    """Pays by the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    beaten = min(value, other)
    if value == other or beaten >> 12 < PAIR:
        return LOSE, None, "misses", value, other
    return _by_table(odds[beaten >> 12], beaten, max(value, other))


def _ante_bonus(position: Position, value: int, terms: Terms) -> Claim | None:
    """The bonus that rides on an ante that was played, whatever the bank holds; none on tips."""
    if position.decision != "play" or terms.ante_bonus is None:
        return None
    kind = paid_class(position.hand, value)
    odds = terms.ante_bonus.odds[kind]
    if odds is None:
        return None
    owed = payout_cents(position.stakes[ANTE], odds)
    clause = terms.clauses[ANTE_BONUS]["pays"]
    return Claim(
        position.seat, position.player, False, ANTE_BONUS, 0, WIN, odds, owed, clause, "pays", kind, 0
    )
