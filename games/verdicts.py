"""What becomes of each wager of a position before any question of cover: outcome, odds, clause and reason."""

from collections.abc import Callable

from msgspec import Struct

from games.cards import Hand
from games.hands import (
    CLASS_NAMES,
    QUEEN_HIGH,
    SIX_CARD_NAMES,
    HandClass,
    HandValue,
    best_five_of_six,
    paid_class,
    value3,
)
from games.money import EVEN_MONEY, Odds
from games.settlement import FORFEIT, LOSE, PUSH, WIN
from games.terms import Terms
from games.wagers import Wager


class Verdict(Struct, frozen=True, gc=False):
    """What becomes of a wager, by which clause, and why, in a sentence that a player at the table understands."""

    outcome: str
    odds: Odds | None
    clause: str
    reason: str


class BankHand(Struct, frozen=True, gc=False):
    """The bank's cards, their value, and whether it qualifies."""

    cards: Hand
    value: HandValue
    qualified: bool


def read_bank_hand(cards: Hand) -> BankHand:
    """The bank's hand as every position meets it; queen high or better qualifies (ruling 2)."""
    value = value3(cards)
    return BankHand(cards, value, value >= QUEEN_HIGH)


class Showdown(Struct, frozen=True, gc=False):
    """A position's hand beside the bank's.

    `mine` and `banks` name the two, with their side cards where the names alone would be the same.
    """

    cards: Hand
    value: HandValue
    bank: BankHand
    mine: str
    banks: str


def showdown(cards: Hand, bank: BankHand) -> Showdown:
    """Lay a position's cards beside the bank's."""
    value = value3(cards)
    if value.name == bank.value.name:
        return Showdown(cards, value, bank, value.full_name, bank.value.full_name)
    return Showdown(cards, value, bank, value.name, bank.value.name)


def given_up(wager: str, decision: str, terms: Terms) -> Verdict:
    """The verdict on a wager that the decision `fold` or `surrender` gives up."""
    if decision == "fold":
        return Verdict(FORFEIT, None, terms.clause(wager, "folded"), "given up by folding")
    return Verdict(
        FORFEIT, None, terms.clause(wager, "surrendered"), "given up by surrendering the hand unseen"
    )


def _compared(wager: str, hands: Showdown, terms: Terms) -> Verdict:
    """Hand against hand, the bank's being one that qualifies (ruling 1: equal hands push)."""
    if hands.value > hands.bank.value:
        return Verdict(WIN, EVEN_MONEY, terms.clause(wager, "beats"), f"{hands.mine} beats {hands.banks}")
    if hands.value < hands.bank.value:
        reason = f"the bank's {hands.banks} beats {hands.mine}"
        return Verdict(LOSE, None, terms.clause(wager, "loses"), reason)
    return Verdict(PUSH, None, terms.clause(wager, "ties"), f"both hands are {hands.mine}: a push")


def _ante(hands: Showdown, terms: Terms) -> Verdict:
    wager, bank = Wager.ANTE, hands.bank
    if bank.qualified:
        return _compared(wager, hands, terms)
    if terms.rulebook.unqualified_ante == "wins":
        reason = f"the bank's {bank.value.name} does not qualify: paid whatever the hand"
        return Verdict(WIN, EVEN_MONEY, terms.clause(wager, "wins_unqualified"), reason)
    if hands.value > bank.value:
        reason = f"{hands.mine} beats {hands.banks}, which does not qualify"
        return Verdict(WIN, EVEN_MONEY, terms.clause(wager, "beats_unqualified"), reason)
    what = "equals" if hands.value == bank.value else "beats"
    reason = f"the bank's {hands.banks} does not qualify but {what} {hands.mine}: a push"
    return Verdict(PUSH, None, terms.clause(wager, "holds_unqualified"), reason)


def _play(hands: Showdown, terms: Terms) -> Verdict:
    bank = hands.bank
    if bank.qualified:
        return _compared(Wager.PLAY, hands, terms)
    reason = f"the bank's {bank.value.name} does not qualify: the wager goes back"
    clause = terms.clause(Wager.PLAY, "unqualified")
    return Verdict(terms.rulebook.unqualified_play, None, clause, reason)


def _pair_plus(hands: Showdown, terms: Terms) -> Verdict:
    wager, value = Wager.PAIR_PLUS, hands.value
    odds = terms.pair_plus.odds[paid_class(hands.cards, value)]
    if odds is None:
        return Verdict(LOSE, None, terms.clause(wager, "misses"), f"{value.name} pays nothing")
    if terms.pair_plus_requires_win and hands.bank.qualified and value <= hands.bank.value:
        reason = f"{hands.mine} did not beat the bank's {hands.banks}, as this table asks"
        return Verdict(LOSE, None, terms.clause(wager, "not_won"), reason)
    return Verdict(WIN, odds, terms.clause(wager, "pays"), f"{value.name} pays {odds.text}")


def _six_card_bonus(hands: Showdown, terms: Terms) -> Verdict:
    """By the best five of the position's three cards and the bank's."""
    assert terms.six_card_bonus is not None  # a wager of these terms
    wager, best = Wager.SIX_CARD_BONUS, best_five_of_six(hands.cards, hands.bank.cards)
    odds = terms.six_card_bonus.odds[best]
    made = f"{SIX_CARD_NAMES[best]} with the bank's cards pays"
    if odds is None:
        return Verdict(LOSE, None, terms.clause(wager, "misses"), f"{made} nothing")
    return Verdict(WIN, odds, terms.clause(wager, "pays"), f"{made} {odds.text}")


def _bad_beat(hands: Showdown, terms: Terms) -> Verdict:
    """By the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    assert terms.bad_beat is not None  # a wager of these terms
    wager = Wager.BAD_BEAT
    lower, higher = sorted((hands.value, hands.bank.value))
    odds = terms.bad_beat.odds[lower.kind]
    if lower == higher or lower.kind < HandClass.PAIR or odds is None:
        reason = f"{hands.mine} against {hands.banks}: no pair or better was beaten"
        return Verdict(LOSE, None, terms.clause(wager, "misses"), reason)
    beaten, beating = (
        (hands.mine, hands.banks) if hands.value < hands.bank.value else (hands.banks, hands.mine)
    )
    reason = f"{beaten} was beaten by {beating}: pays {odds.text}"
    return Verdict(WIN, odds, terms.clause(wager, "pays"), reason)


def ante_bonus(hands: Showdown, terms: Terms) -> Verdict | None:
    """The bonus that rides on an ante that was played, whatever the bank holds; None when the hand brings none."""
    if terms.ante_bonus is None:
        return None
    kind = paid_class(hands.cards, hands.value)
    odds = terms.ante_bonus.odds[kind]
    if odds is None:
        return None
    reason = f"{CLASS_NAMES[kind]} pays {odds.text} whatever the bank holds"
    return Verdict(WIN, odds, terms.clause(Wager.ANTE_BONUS, "pays"), reason)


VERDICTS: dict[str, Callable[[Showdown, Terms], Verdict]] = {
    Wager.ANTE: _ante,
    Wager.PLAY: _play,
    Wager.PAIR_PLUS: _pair_plus,
    Wager.SIX_CARD_BONUS: _six_card_bonus,
    Wager.BAD_BEAT: _bad_beat,
}
"""The verdict on each wager that is settled at its seat and was not given up."""
