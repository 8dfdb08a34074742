"""From claims to the result of a round, for every game: seats in order, the bank's cover, each player's net."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from games.bank import COVERS, Cover, cover_funds, cover_house, forfeits_before_others, tips_after_wagers
from games.bets import BetPosition, Bets
from games.money import WHOLE_METER
from games.settlement import BankResult, Line, RoundResult
from games.settlement_order import ordered

AnyPosition = TypeVar("AnyPosition", bound=BetPosition)


def positions_in_order(bets: Bets, positions: Sequence[AnyPosition]) -> list[AnyPosition]:
    """Positions in the order in which their seats are settled.

    From the action seat clockwise where a player banks, by the rulebook's order where the house does.
    """
    first = None
    if bets.bank is not None:
        first = bets.action_seat if bets.action_seat is not None else bets.bank.seat
    return ordered(positions, bets.rulebook.seat_order, first)


def result_of(
    bets: Bets, hands: list[list[Line]], *, qualified: bool, on_the_hand: Collection[str]
) -> RoundResult:
    """The result of a round from the claims of each hand, in settlement order.

    `qualified` says whether the bank's hand qualifies; `on_the_hand` are the wagers whose stakes a bank that covers by its
    funds must match.
    """
    cover = _cover(bets, hands, on_the_hand)
    net = {position.player: 0 for position in bets.positions}
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
        bets.rulebook.id, qualified, bets.total_table_action, cover.lines, _bank_result(bets, cover), net, tokes,
        meter_paid,
    )  # fmt: skip


def _cover(bets: Bets, hands: list[list[Line]], on_the_hand: Collection[str]) -> Cover:
    """Cover the claims by the bank, hand by hand in settlement order."""
    terms = bets.terms
    if bets.bank is not None and terms.coverage == "funds":
        return cover_funds(hands, bets.bank.wager, terms.clauses["bank"], on_the_hand)
    claims = [line for hand in hands for line in hand]
    if terms.forfeits_first:
        claims = forfeits_before_others(claims)
    if terms.tips_last:
        claims = tips_after_wagers(claims)
    if bets.bank is None:
        return cover_house(claims)
    return COVERS[terms.coverage](claims, bets.bank.wager, terms.clauses["bank"])


def _bank_result(bets: Bets, cover: Cover) -> BankResult | None:
    if bets.bank is None or cover.remaining is None:
        return None
    seat, wager = bets.bank.seat, bets.bank.wager
    won = sum([line.taken for line in cover.lines])
    lost = sum([line.paid for line in cover.lines])
    return BankResult(seat, wager, won, lost, won - lost, cover.remaining, cover.exhausted)
