"""Hands and decisions to the outcome and odds of each wager of a position, before any question of cover.

A `Claim` is one wager's due: what it would pay or lose if the bank covers it in full.
"""

from collections.abc import Callable
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

_NOTHING: frozenset[int] = frozenset()

# Claims are made by tuple.__new__ with their fields in order: a NamedTuple's own constructor takes twice as long,
# and a full table makes two dozen of them.
_new = tuple.__new__


def position_claims(position: Position, bank: BankHand, terms: Terms) -> list[Claim]:
    """What is due on each wager of a position, in the order of its lines: the player's, then the tips."""
    seat, player, stakes, decision = position.seat, position.player, position.stakes, position.decision
    value = value3(position.hand)
    forfeited = _NOTHING if decision is None or decision == "play" else terms.forfeited[decision]
    all_clauses = terms.clauses
    claims: list[Claim] = []
    for wager in terms.lines:
        if wager == ANTE_BONUS:
            bonus = _ante_bonus(position, value, terms)
            if bonus is not None:
                claims.append(bonus)
            continue
        stake = stakes[wager]
        if not stake:
            continue
        if wager in forfeited:
            cause = "folded" if decision == "fold" else "surrendered"
            verdict: Verdict = (FORFEIT, None, cause, value, bank.value)
        else:
            verdict = _VERDICTS[wager](position, value, bank, terms)
        outcome, odds, cause, hand, against = verdict
        owed = 0 if odds is None else stake * odds.num // odds.den
        clause = all_clauses[wager][cause]
        claims.append(
            _new(
                Claim,
                (seat, player, False, wager, stake, outcome, odds, owed, clause, cause, hand, against),
            )
        )
    if position.tip_stakes != NO_TIPS:
        claims += _tip_claims(position.tip_stakes, claims, terms)
    return claims


def _tip_claims(tips: tuple[int, ...], claims: list[Claim], terms: Terms) -> list[Claim]:
    """A tip has the hand, odds and decision of the wager beside it (ruling 4)."""
    beside = {claim.wager: claim for claim in claims}
    found = []
    for wager in terms.tip_lines:
        stake = tips[wager]
        if stake:
            claim = beside[wager]
            owed = 0 if claim.odds is None else payout_cents(stake, claim.odds)
            found.append(claim._replace(dealer=True, stake=stake, owed=owed))
    return found


def _by_table(odds: Odds | None, hand: int, against: int) -> Verdict:
    return (WIN, odds, "pays", hand, against) if odds is not None else (LOSE, None, "misses", hand, against)


def _ante(_: Position, value: int, bank: BankHand, terms: Terms) -> Verdict:
    """Ante of a hand that stayed in."""
    other = bank.value
    if bank.qualified:
        return _showdown(value, other)
    if terms.rulebook.unqualified_ante == "wins":
        return WIN, EVEN_MONEY, "wins_unqualified", value, other
    if value > other:
        return WIN, EVEN_MONEY, "beats_unqualified", value, other
    return PUSH, None, "holds_unqualified", value, other


def _play(_: Position, value: int, bank: BankHand, terms: Terms) -> Verdict:
    if bank.qualified:
        return _showdown(value, bank.value)
    return terms.rulebook.unqualified_play, None, "unqualified", value, bank.value


def _showdown(value: int, other: int) -> Verdict:
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


def _six_card_bonus(position: Position, _: int, bank: BankHand, terms: Terms) -> Verdict:
    assert terms.six_card_bonus is not None
    six = best_five_of_six(position.hand, bank.cards)
    return _by_table(terms.six_card_bonus.odds[six], six, bank.value)


def _bad_beat(_: Position, value: int, bank: BankHand, terms: Terms) -> Verdict:
    """Pays by the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    assert terms.bad_beat is not None
    other = bank.value
    beaten = min(value, other)
    if value == other or beaten >> 12 < PAIR:
        return LOSE, None, "misses", value, other
    return _by_table(terms.bad_beat.odds[beaten >> 12], beaten, max(value, other))


_VERDICTS: dict[int, Callable[[Position, int, BankHand, Terms], Verdict]] = {
    ANTE: _ante,
    PLAY: _play,
    PAIR_PLUS: _pair_plus,
    SIX_CARD_BONUS: _six_card_bonus,
    BAD_BEAT: _bad_beat,
}


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
