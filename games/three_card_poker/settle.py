"""Settles a round sheet: the outcome of every wager, in the order in which the dealer settles them.

The order of work is the document's: each position's wagers get their verdicts (`games.three_card_poker.verdicts`) and become claims,
the claims are put in settlement order, and the bank covers them one after the other (`games.bank`).
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from games.bank import (
    COVERS,
    Cover,
    cover_funds,
    cover_house,
    forfeits_before_others,
    tips_after_wagers,
)
from games.claims import DEALER, Verdict, claim
from games.money import WHOLE_METER, payout_cents
from games.settlement import BankResult, Line, RoundResult, Settlement
from games.three_card_poker.positions import BetPosition, Position
from games.three_card_poker.round_fees import round_fees
from games.three_card_poker.sheet import Bets, Sheet, read_sheet
from games.three_card_poker.table_wide import table_claims
from games.three_card_poker.terms import Terms
from games.three_card_poker.verdicts import VERDICTS, Showdown, given_up, read_bank_hand, showdown
from games.three_card_poker.wagers import ANTE, ANTE_BONUS, PLAY

Seated = TypeVar("Seated", bound=BetPosition)

#: The wagers of a hand whose stakes a bank that covers by its funds must match.
_ON_THE_HAND = frozenset({ANTE, PLAY})


def settle(sheet: Sheet) -> Settlement:
    """Settle one round with the fees of its own terms. Every sheet that `read_sheet` lets through can be settled."""
    result = settle_wagers(sheet)
    dead = frozenset() if sheet.terms.rake is None else result.dead_seats
    fees = round_fees(sheet, dead)
    drop = sum([fee.cents for fee in fees])
    return Settlement(
        result.rulebook, result.qualified, result.total_table_action, fees, result.lines, result.bank, result.net, drop,
        result.tokes, result.meter_paid,
    )  # fmt: skip


def settle_wagers(sheet: Sheet) -> RoundResult:
    """Settle the wagers of a round without fees, for callers that collect fees by rules of their own."""
    terms, bank = sheet.terms, read_bank_hand(sheet.bank_hand)
    hands = {each.seat: showdown(each.hand, bank) for each in sheet.positions if each.hand is not None}
    claims = [
        position_claims(position, hands.get(position.seat), terms)
        for position in settlement_order(sheet, sheet.positions)
    ]
    if terms.rulebook.after_all_seats:
        late = ordered(sheet.positions, terms.rulebook.after_all_seats_order, None)
        claims.append(table_claims(late, hands, bank, terms, sheet.meter))
    cover = _cover(sheet, claims)
    net = {position.player: 0 for position in sheet.positions}
    tokes = meter_paid = 0
    whole_meter = WHOLE_METER.text
    for number, line in enumerate(cover.lines, 1):
        line.seq = number
        if line.toked:  # the winnings of a tip are the dealer's; its stake is the player's loss
            net[line.player] -= line.stake
            tokes += line.toked
        else:
            net[line.player] += line.paid - line.taken
        if line.odds == whole_meter:
            meter_paid += line.paid
    return RoundResult(
        terms.rulebook.id, bank.qualified, sheet.total_table_action, cover.lines, _bank_result(sheet, cover), net, tokes,
        meter_paid,
    )  # fmt: skip


def settle_json(data: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """Settle a sheet given as JSON text or parsed object; returns a JSON object. Raises Refusal as `read_sheet`."""
    return settle(read_sheet(data)).to_json()


def position_claims(position: Position, hands: Showdown | None, terms: Terms) -> list[Line]:
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


def _cover(sheet: Sheet, hands: list[list[Line]]) -> Cover:
    """Cover the claims by the bank, hand by hand in settlement order."""
    terms = sheet.terms
    if sheet.bank is not None and terms.coverage == "funds":
        return cover_funds(hands, sheet.bank.wager, terms.clauses["bank"], _ON_THE_HAND)
    claims = [line for hand in hands for line in hand]
    if terms.forfeits_first:
        claims = forfeits_before_others(claims)
    if terms.tips_last:
        claims = tips_after_wagers(claims)
    if sheet.bank is None:
        return cover_house(claims)
    return COVERS[terms.coverage](claims, sheet.bank.wager, terms.clauses["bank"])


def _bank_result(sheet: Sheet, cover: Cover) -> BankResult | None:
    if sheet.bank is None or cover.remaining is None:
        return None
    seat, wager = sheet.bank.seat, sheet.bank.wager
    won = sum([line.taken for line in cover.lines])
    lost = sum([line.paid for line in cover.lines])
    return BankResult(seat, wager, won, lost, won - lost, cover.remaining, cover.exhausted)


def settlement_order(bets: Bets, positions: Sequence[Seated]) -> list[Seated]:
    """Positions in the order in which their seats are settled.

    From the action seat clockwise where a player banks, by the rulebook's order where the house does.
    """
    first = None
    if bets.bank is not None:
        first = bets.action_seat if bets.action_seat is not None else bets.bank.seat
    return ordered(positions, bets.rulebook.seat_order, first)


def ordered(positions: Sequence[Seated], order: str, first: int | None) -> list[Seated]:
    """Positions by seat: clockwise from seat `first` on, clockwise from seat 1, or from the last seat back."""
    if order == "clockwise_from_action" and first is not None:
        return sorted(positions, key=lambda position: (position.seat < first, position.seat))
    return sorted(positions, key=attrgetter("seat"), reverse=order == "counterclockwise_from_last")
