"""Settles a round of Ultimate Texas Hold'em: the outcome of every wager, in the order in which the dealer settles them."""

from collections.abc import Callable
from functools import cached_property

from games.bets import BetPosition
from games.claims import DEALER, Verdict, claim
from games.five_cards import FIVE_CARD_NAMES, FiveCardHand, best_five
from games.money import EVEN_MONEY, payout_cents
from games.phrases import Phrase
from games.result import positions_in_order, result_of
from games.settlement import FORFEIT, LOSE, PUSH, WIN, Line, RoundResult
from games.ultimate_texas_holdem.rulebook import COMPARED, PAID, QUALIFYING
from games.ultimate_texas_holdem.sheet import Position, Sheet
from games.ultimate_texas_holdem.terms import UltimateTerms
from games.ultimate_texas_holdem.wagers import ANTE, BLIND, PLAY, TRIPS

#: The wagers of a hand whose stakes a bank that covers by its funds must match.
_ON_THE_HAND = frozenset({ANTE, BLIND, PLAY})


class Showdown:
    """A position's best five beside the bank's; `mine` and `banks` name them, with their side cards where these decide."""

    def __init__(self, own: FiveCardHand, bank: FiveCardHand, *, qualified: bool) -> None:
        self.own, self.bank, self.qualified = own, bank, qualified

    @cached_property
    def mine(self) -> str:
        return self.own.full_name if self.own.name == self.bank.name else self.own.name

    @cached_property
    def banks(self) -> str:
        return self.bank.full_name if self.own.name == self.bank.name else self.bank.name


def qualifies(bank: FiveCardHand, terms: UltimateTerms) -> bool:
    """Whether the bank's best five qualifies."""
    return bank.kind >= QUALIFYING[terms.rulebook.qualifies]


def settle_wagers(sheet: Sheet) -> RoundResult:
    """Settle the wagers of a round without fees, for callers that collect fees by rules of their own."""
    terms, bank = sheet.terms, best_five(sheet.bank_hand + sheet.board)
    qualified = qualifies(bank, terms)
    claims = []
    for position in positions_in_order(sheet, sheet.positions):
        hands = None
        if position.hand is not None:
            hands = Showdown(best_five(position.hand + sheet.board), bank, qualified=qualified)
        claims.append(position_claims(position, position.decision, hands, terms))
    return result_of(sheet, claims, qualified=qualified, on_the_hand=_ON_THE_HAND)


def format_result(bank_hand: tuple[int, ...], board: tuple[int, ...], terms: UltimateTerms) -> Phrase:
    """What the bank's cards and the board come to, as a dealer calls it: "The bank: pair of nines"."""
    bank = best_five(bank_hand + board)
    if qualifies(bank, terms):
        return Phrase("The bank: {hand}", hand=bank.name)
    return Phrase("The bank: {hand}, which does not qualify", hand=bank.name)


def position_claims(
    position: BetPosition | Position, decision: str | None, hands: Showdown | None, terms: UltimateTerms
) -> list[Line]:
    """The claims of a position's wagers, in the order of its lines: the player's, then the tips.

    A tip has the hand, odds and decision of the wager beside it (ruling 4). `hands` is None where the cards were not
    exposed; no wager then depends on them.
    """
    stakes, tips = position.wagers, position.tips
    times = 0 if decision is None else terms.times[decision]
    if times:
        stakes = {**stakes, PLAY: stakes[ANTE] * times}
    folds = decision is not None and not times
    claims, tip_claims = [], []
    for wager in terms.rulebook.line_order:
        if wager not in stakes:
            continue
        if folds and wager in terms.rulebook.forfeits:
            verdict = Verdict(FORFEIT, None, terms.clauses[wager]["folded"], "given up by folding")
        else:
            assert hands is not None  # only a hand on which no wager depends stays unexposed
            verdict = VERDICTS[wager](hands, terms)
        stake, odds = stakes[wager], verdict.odds
        claims.append(
            claim(position, wager, stake, 0 if odds is None else payout_cents(stake, odds), verdict)
        )
        if wager in tips:
            tip = tips[wager]
            owed = 0 if odds is None else payout_cents(tip, odds)
            tip_claims.append(claim(position, wager, tip, owed, verdict, party=DEALER))
    return claims + tip_claims


def _ante(hands: Showdown, terms: UltimateTerms) -> Verdict:
    clause, unqualified = terms.clauses[ANTE]["unqualified"], terms.rulebook.unqualified_ante
    if hands.qualified or unqualified == COMPARED:
        return _compared(ANTE, hands, terms)
    if unqualified == PAID:
        reason = f"the bank's {hands.bank.name} does not qualify: paid whatever the hand"
        return Verdict(WIN, EVEN_MONEY, clause, reason)
    return Verdict(PUSH, None, clause, f"the bank's {hands.bank.name} does not qualify: a push")


def _play(hands: Showdown, terms: UltimateTerms) -> Verdict:
    return _compared(PLAY, hands, terms)


def _compared(wager: str, hands: Showdown, terms: UltimateTerms) -> Verdict:
    clauses = terms.clauses[wager]
    if hands.own > hands.bank:
        return Verdict(WIN, EVEN_MONEY, clauses["beats"], f"{hands.mine} beats {hands.banks}")
    return _not_won(wager, hands, terms)


def _not_won(wager: str, hands: Showdown, terms: UltimateTerms) -> Verdict:
    clauses = terms.clauses[wager]
    if hands.own == hands.bank:
        return Verdict(PUSH, None, clauses["ties"], f"both hands are {hands.mine}: a push")
    return Verdict(LOSE, None, clauses["loses"], f"the bank's {hands.banks} beats {hands.mine}")


def _blind(hands: Showdown, terms: UltimateTerms) -> Verdict:
    """By its table when the hand wins; a win that the table does not pay is a push."""
    if hands.own <= hands.bank:
        return _not_won(BLIND, hands, terms)
    clauses, odds = terms.clauses[BLIND], terms.rulebook.blind_table.odds[hands.own.kind]
    if odds is None:
        reason = f"{hands.mine} beats {hands.banks}; the blind is not paid for it: a push"
        return Verdict(PUSH, None, clauses["wins"], reason)
    return Verdict(WIN, odds, clauses["pays"], f"{hands.mine} beats {hands.banks}: pays {odds.text}")


def _trips(hands: Showdown, terms: UltimateTerms) -> Verdict:
    """By the hand alone, whatever the bank has."""
    assert terms.rulebook.trips_table is not None  # a wager of these terms
    clauses, odds = terms.clauses[TRIPS], terms.rulebook.trips_table.odds[hands.own.kind]
    made = FIVE_CARD_NAMES[hands.own.kind]
    if odds is None:
        return Verdict(LOSE, None, clauses["misses"], f"{made} pays nothing")
    return Verdict(WIN, odds, clauses["pays"], f"{made} pays {odds.text} whatever the bank has")


VERDICTS: dict[str, Callable[[Showdown, UltimateTerms], Verdict]] = {
    ANTE: _ante,
    PLAY: _play,
    BLIND: _blind,
    TRIPS: _trips,
}
"""The verdict on each wager that was not given up."""
