"""Verdict of each wager of a position before coverage: outcome, odds, clause and reason."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from games.cards import Hand
from games.claims import Verdict
from games.money import EVEN_MONEY
from games.settlement import FORFEIT, LOSE, PUSH, WIN
from games.three_card_poker.hands import (
    CLASS_NAMES,
    QUALIFYING,
    SIX_CARD_NAMES,
    HandClass,
    HandValue,
    best_five_of_six,
    paid_class,
    value3,
)
from games.three_card_poker.rulebook import COMPARED, PAID
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, PLAY, SIX_CARD_BONUS


class BankHand(Struct, frozen=True):
    """The bank's cards, their value, and whether it qualifies."""

    cards: Hand
    value: HandValue
    qualified: bool


def read_bank_hand(cards: Hand, terms: ThreeCardTerms) -> BankHand:
    """The bank's hand as every position meets it; the rulebook says with what it qualifies (ruling 2)."""
    value = value3(cards)
    return BankHand(cards, value, value >= QUALIFYING[terms.rulebook.qualifies])


class Showdown(Struct, frozen=True):
    """A position's hand beside the bank's.

    `paid_class` is the class by which paytables pay it. `mine` and `banks` name the two hands, with their side cards where
    the names alone would be the same.
    """

    cards: Hand
    value: HandValue
    paid_class: HandClass
    bank: BankHand
    mine: str
    banks: str


def showdown(cards: Hand, bank: BankHand) -> Showdown:
    """Compare a position's cards with the bank's."""
    value = value3(cards)
    mine, banks = value.name, bank.value.name
    if mine == banks:
        mine, banks = value.full_name, bank.value.full_name
    return Showdown(cards, value, paid_class(cards, value), bank, mine, banks)


def given_up(wager: str, decision: str, terms: ThreeCardTerms) -> Verdict:
    """The verdict on a wager that the decision `fold` or `surrender` gives up."""
    clauses = terms.clauses[wager]
    if decision == "fold":
        return Verdict(FORFEIT, None, clauses["folded"], "given up by folding")
    return Verdict(FORFEIT, None, clauses["surrendered"], "given up by surrendering the hand unseen")


def _compared(clauses: Mapping[str, str], hands: Showdown) -> Verdict:
    """Hand against hand, the bank's being one that qualifies (ruling 1: equal hands push)."""
    mine, banks = hands.value, hands.bank.value
    if mine > banks:
        return Verdict(WIN, EVEN_MONEY, clauses["beats"], f"{hands.mine} beats {hands.banks}")
    if mine < banks:
        return Verdict(LOSE, None, clauses["loses"], f"the bank's {hands.banks} beats {hands.mine}")
    return Verdict(PUSH, None, clauses["ties"], f"both hands are {hands.mine}: a push")


def _ante(hands: Showdown, terms: ThreeCardTerms) -> Verdict:
    clauses, bank, unqualified = terms.clauses[ANTE], hands.bank, terms.rulebook.unqualified_ante
    if bank.qualified:
        return _compared(clauses, hands)
    if unqualified == PAID:
        return _paid(hands, clauses["wins_unqualified"])
    if unqualified == COMPARED:
        return _compared_unqualified(hands, clauses["beats_unqualified"], clauses["holds_unqualified"])
    reason = f"the bank's {bank.value.name} does not qualify: a push"
    return Verdict(PUSH, None, clauses["holds_unqualified"], reason)


def _play(hands: Showdown, terms: ThreeCardTerms) -> Verdict:
    clauses, bank, unqualified = terms.clauses[PLAY], hands.bank, terms.rulebook.unqualified_play
    if bank.qualified:
        return _compared(clauses, hands)
    if unqualified == PAID:
        return _paid(hands, clauses["unqualified"])
    if unqualified == COMPARED:
        return _compared_unqualified(hands, clauses["unqualified"], clauses["unqualified"])
    reason = f"the bank's {bank.value.name} does not qualify: the wager goes back"
    return Verdict(unqualified, None, clauses["unqualified"], reason)


def _paid(hands: Showdown, clause: str) -> Verdict:
    """Even money whatever the hand, the bank's being one that does not qualify."""
    reason = f"the bank's {hands.bank.value.name} does not qualify: paid whatever the hand"
    return Verdict(WIN, EVEN_MONEY, clause, reason)


def _compared_unqualified(hands: Showdown, beats: str, holds: str) -> Verdict:
    """Even money for the higher hand, and else a push, the bank's being one that does not qualify."""
    bank = hands.bank
    if hands.value > bank.value:
        reason = f"{hands.mine} beats {hands.banks}, which does not qualify"
        return Verdict(WIN, EVEN_MONEY, beats, reason)
    what = "equals" if hands.value == bank.value else "beats"
    reason = f"the bank's {hands.banks} does not qualify but {what} {hands.mine}: a push"
    return Verdict(PUSH, None, holds, reason)


def _ante_bonus(hands: Showdown, terms: ThreeCardTerms) -> Verdict | None:
    """The ante bonus of a hand that was played, regardless of the bank's hand."""
    odds = None if terms.ante_bonus is None else terms.ante_bonus.odds[hands.paid_class]
    if odds is None:
        return None
    reason = f"{CLASS_NAMES[hands.paid_class]} pays {odds.text} whatever the bank holds"
    return Verdict(WIN, odds, terms.clauses[ANTE_BONUS]["pays"], reason)


def _pair_plus(hands: Showdown, terms: ThreeCardTerms) -> Verdict:
    assert terms.pair_plus is not None  # a wager of these terms
    clauses, value = terms.clauses[PAIR_PLUS], hands.value
    odds = terms.pair_plus.odds[hands.paid_class]
    if odds is None:
        return Verdict(LOSE, None, clauses["misses"], f"{value.name} pays nothing")
    if terms.pair_plus_requires_win and hands.bank.qualified and value <= hands.bank.value:
        reason = f"{hands.mine} did not beat the bank's {hands.banks}, as this table asks"
        return Verdict(LOSE, None, clauses["not_won"], reason)
    return Verdict(WIN, odds, clauses["pays"], f"{value.name} pays {odds.text}")


def _six_card_bonus(hands: Showdown, terms: ThreeCardTerms) -> Verdict:
    """By the best five of the position's three cards and the bank's."""
    assert terms.six_card_bonus is not None  # a wager of these terms
    clauses, best = terms.clauses[SIX_CARD_BONUS], best_five_of_six(hands.cards, hands.bank.cards)
    odds = terms.six_card_bonus.odds[best]
    made = f"{SIX_CARD_NAMES[best]} with the bank's cards pays"
    if odds is None:
        return Verdict(LOSE, None, clauses["misses"], f"{made} nothing")
    return Verdict(WIN, odds, clauses["pays"], f"{made} {odds.text}")


def _bad_beat(hands: Showdown, terms: ThreeCardTerms) -> Verdict:
    """By the beaten hand: the lower of the two when it is a pair or better (ruling 38)."""
    paytable = terms.rulebook.bad_beat_table
    assert paytable is not None  # a wager of these terms
    clauses, mine, banks = terms.clauses[BAD_BEAT], hands.value, hands.bank.value
    beaten = min(mine, banks)
    odds = paytable.odds[beaten.kind]
    if mine == banks or beaten.kind < HandClass.PAIR or odds is None:
        reason = f"{hands.mine} against {hands.banks}: no pair or better was beaten"
        return Verdict(LOSE, None, clauses["misses"], reason)
    lower, higher = (hands.mine, hands.banks) if mine < banks else (hands.banks, hands.mine)
    return Verdict(WIN, odds, clauses["pays"], f"{lower} was beaten by {higher}: pays {odds.text}")


VERDICTS: dict[str, Callable[[Showdown, ThreeCardTerms], Verdict | None]] = {
    ANTE: _ante,
    PLAY: _play,
    ANTE_BONUS: _ante_bonus,
    PAIR_PLUS: _pair_plus,
    SIX_CARD_BONUS: _six_card_bonus,
    BAD_BEAT: _bad_beat,
}
"""The verdict on each wager that is settled at its seat and was not given up; None where the hand brings no ante bonus."""
