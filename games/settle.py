"""A sheet to its settlement: what every wager comes to, in the order in which the dealer settles them.

The order of work is the document's: each position's wagers get their verdicts (`games.verdicts`) and become claims,
the claims are put in settlement order, and the bank covers them one after the other (`games.bank`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from games.bank import (
    COVERS,
    DEALER,
    PLAYER,
    Claim,
    Cover,
    cover_funds,
    cover_house,
    forfeits_before_others,
    tips_after_wagers,
)
from games.money import WHOLE_METER, payout_cents
from games.positions import BetPosition, Position
from games.round_fees import round_fees
from games.settlement import FORFEIT, LOSE, BankResult, RoundResult, Settlement
from games.sheet import Bets, Sheet, read_sheet
from games.table_wide import table_claims
from games.terms import Terms
from games.verdicts import (
    VERDICTS,
    BankHand,
    Verdict,
    ante_bonus,
    given_up,
    read_bank_hand,
    showdown,
)

Seated = TypeVar("Seated", bound=BetPosition)


def settle(sheet: Sheet) -> Settlement:
    """Settle one round with the fees of its own terms. Every sheet that `read_sheet` lets through can be settled."""
    result = settle_wagers(sheet)
    fees = round_fees(sheet, result.dead_seats)
    return Settlement(
        rulebook=result.rulebook,
        qualified=result.qualified,
        total_table_action=result.total_table_action,
        fees=fees,
        lines=result.lines,
        bank=result.bank,
        net=result.net,
        drop=sum([fee.cents for fee in fees]),
        tokes=result.tokes,
        meter_paid=result.meter_paid,
    )


def settle_wagers(sheet: Sheet) -> RoundResult:
    """What the wagers of a round come to, for callers that collect fees by rules of their own."""
    terms, bank = sheet.terms, read_bank_hand(sheet.bank_hand)
    positions = settlement_order(sheet, sheet.positions)
    hands = [position_claims(position, bank, terms) for position in positions]
    cover = _cover(sheet, bank, hands)
    net = {position.player: 0 for position in sheet.positions}
    tokes = meter_paid = 0
    for line in cover.lines:
        # The winnings of a tip are the dealer's; its stake is the player's loss.
        net[line.player] += -line.stake if line.toked else line.paid - line.taken
        tokes += line.toked
        if line.odds == WHOLE_METER.text:
            meter_paid += line.paid
    return RoundResult(
        rulebook=terms.rulebook.id,
        qualified=bank.qualified,
        total_table_action=sheet.total_table_action,
        lines=cover.lines,
        bank=_bank_result(sheet, cover),
        net=net,
        tokes=tokes,
        meter_paid=meter_paid,
    )


def settle_json(data: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """A sheet as JSON text or parsed object to the settlement as a JSON object; Refusal as `read_sheet`."""
    return settle(read_sheet(data)).to_json()


def position_claims(position: Position, bank: BankHand, terms: Terms) -> list[Claim]:
    """What is due on each wager of a position, in the order of its lines: the player's, then the tips.

    A tip has the hand, odds and decision of the wager beside it (ruling 4).
    """
    wagers, tips, decision = position.wagers, position.tips, position.decision
    hands = None if position.hand is None else showdown(position.hand, bank)
    forfeited = terms.forfeited[decision]
    claims, beside = [], []
    for wager in terms.lines:
        if wager in {"play", "ante_bonus"}:  # as much as the ante, once it is played
            stake = wagers["ante"] if decision == "play" else 0
        else:
            stake = wagers.get(wager, 0)
        if not stake:
            continue
        if wager in forfeited and decision is not None:
            verdict = given_up(wager, decision, terms)
            claims.append(_claim(position, PLAYER, wager, stake, verdict))
            if wager in tips:
                beside.append(_claim(position, DEALER, wager, tips[wager], verdict))
            continue
        assert hands is not None  # only a hand on which no wager hangs stays unexposed
        if wager == "ante_bonus":
            bonus = ante_bonus(hands, terms)
            if bonus is not None and bonus.odds is not None:
                owed = payout_cents(stake, bonus.odds)
                claims.append(Claim(position.seat, position.player, PLAYER, wager, 0, owed, 0, bonus))
            continue
        verdict = VERDICTS[wager](hands, terms)
        claims.append(_claim(position, PLAYER, wager, stake, verdict))
        if wager in tips:
            beside.append(_claim(position, DEALER, wager, tips[wager], verdict))
    return claims + beside


def _claim(position: Position, party: str, wager: str, stake: int, verdict: Verdict) -> Claim:
    odds = verdict.odds
    owed = 0 if odds is None else payout_cents(stake, odds)
    lost = stake if verdict.outcome in (LOSE, FORFEIT) else 0
    return Claim(position.seat, position.player, party, wager, stake, owed, lost, verdict)


def _cover(sheet: Sheet, bank: BankHand, hands: list[list[Claim]]) -> Cover:
    terms = sheet.terms
    if sheet.bank is not None and terms.coverage == "funds":
        return cover_funds(hands, sheet.bank.wager, terms.rulebook)
    claims = [claim for hand in hands for claim in hand]
    if terms.forfeits_first:
        claims = forfeits_before_others(claims)
    if terms.tips_last:
        claims = tips_after_wagers(claims)
    if sheet.bank is not None:
        return COVERS[terms.coverage](claims, sheet.bank.wager, terms.rulebook)
    if terms.after_all_seats:
        late = ordered(sheet.positions, terms.rulebook.after_all_seats_order, None)
        claims += table_claims(late, bank, terms, sheet.meter)
    return cover_house(claims)


def _bank_result(sheet: Sheet, cover: Cover) -> BankResult | None:
    if sheet.bank is None or cover.remaining is None:
        return None
    seat, wager = sheet.bank.seat, sheet.bank.wager
    net = cover.won - cover.lost
    return BankResult(seat, wager, cover.won, cover.lost, net, cover.remaining, cover.exhausted)


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
    by_seat = sorted(positions, key=_seat_of, reverse=order == "counterclockwise_from_last")
    if order == "clockwise_from_action" and first is not None:
        before = [position for position in by_seat if position.seat < first]
        return by_seat[len(before) :] + before
    return by_seat


def _seat_of(position: BetPosition) -> int:
    return position.seat
