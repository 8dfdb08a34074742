"""Settles a round of Three Card Poker: the outcome of every wager, in the order in which the dealer settles them.

The order of work is the document's: each position's wagers get their verdicts (`games.three_card_poker.verdicts`) and
become claims, seat by seat; the bank then covers them one after the other (`games.result`).
"""

from games.claims import DEALER, Verdict, claim
from games.money import payout_cents
from games.result import positions_in_order, result_of
from games.settlement import Line, RoundResult
from games.settlement_order import ordered
from games.three_card_poker.positions import Position
from games.three_card_poker.sheet import Sheet
from games.three_card_poker.table_wide import table_claims
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.verdicts import VERDICTS, Showdown, given_up, read_bank_hand, showdown
from games.three_card_poker.wagers import ANTE, ANTE_BONUS, PLAY

#: The wagers of a hand whose stakes a bank that covers by its funds must match.
_ON_THE_HAND = frozenset({ANTE, PLAY})


def settle_wagers(sheet: Sheet) -> RoundResult:
    """Settle the wagers of a round without fees, for callers that collect fees by rules of their own."""
    terms, bank = sheet.terms, read_bank_hand(sheet.bank_hand, sheet.terms)
    hands = {each.seat: showdown(each.hand, bank) for each in sheet.positions if each.hand is not None}
    claims = [
        position_claims(position, hands.get(position.seat), terms)
        for position in positions_in_order(sheet, sheet.positions)
    ]
    if terms.rulebook.after_all_seats:
        late = ordered(sheet.positions, terms.rulebook.after_all_seats_order, None)
        claims.append(table_claims(late, hands, bank, terms, sheet.meter))
    return result_of(sheet, claims, qualified=bank.qualified, on_the_hand=_ON_THE_HAND)


def position_claims(position: Position, hands: Showdown | None, terms: ThreeCardTerms) -> list[Line]:
    """The claims of a position's wagers, in the order of its lines: the player's, then the tips.

    A tip has the hand, odds and decision of the wager beside it (ruling 4). `hands` is None where the cards were not
    exposed; no wager then depends on them.
    """
    stakes, tips, decision = position.wagers, position.tips, position.decision
    if decision == "play":  # as much as the ante, and the bonus is paid on the ante
        ante = stakes[ANTE]
        stakes = {**stakes, PLAY: ante, ANTE_BONUS: ante}
    forfeited = terms.forfeited[decision]
    claims, tip_claims = [], []
    for wager in terms.rulebook.line_order:
        if wager not in stakes:
            continue
        if decision is not None and wager in forfeited:
            verdict: Verdict | None = given_up(wager, decision, terms)
        else:
            assert hands is not None  # only a hand on which no wager depends stays unexposed
            verdict = VERDICTS[wager](hands, terms)
        if verdict is None:  # no ante bonus
            continue
        stake, odds = stakes[wager], verdict.odds
        owed = 0 if odds is None else payout_cents(stake, odds)
        if wager == ANTE_BONUS:  # it rides on the ante and has no stake of its own
            stake = 0
        claims.append(claim(position, wager, stake, owed, verdict))
        if wager in tips:
            tip = tips[wager]
            owed = 0 if odds is None else payout_cents(tip, odds)
            tip_claims.append(claim(position, wager, tip, owed, verdict, party=DEALER))
    return claims + tip_claims
