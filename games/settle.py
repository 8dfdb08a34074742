"""From a sheet to its settlement: the one road through the rules.

`settle` is a pure function of the sheet; what the table must do, line by line, with fees, the bank's account
and each player's net beside it.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple, TypeVar

from games.bank import (
    Cover,
    cover_funds,
    cover_gross,
    cover_house,
    cover_net,
    forfeits_before_others,
)
from games.collection import band_for
from games.line import Line, lines_text
from games.outcome import BankHand, Claim, position_claims, read_bank_hand
from games.positions import BetPosition, Position
from games.remembered import MOST_REMEMBERED
from games.sheet import Bets, Sheet, read_sheet
from games.table_wide import table_claims

Seated = TypeVar("Seated", bound=BetPosition | Position)
# By tuple.__new__ with the fields in order: a NamedTuple's own constructor takes twice as long (`games.positions`).
_new = tuple.__new__


class Fee(NamedTuple):
    """A fee owed: `payer` is the player's name, or `bank`."""

    payer: str
    seat: int
    cents: int


class BankResult(NamedTuple):
    """The banking player's account of the round, in cents; fees are not part of it."""

    seat: int
    wager: int
    won: int
    lost: int
    net: int
    remaining: int
    exhausted: bool

    def to_text(self) -> str:
        """The account as JSON text."""
        seat, wager, won, lost, net, remaining, exhausted = self
        return (
            f'{{"seat": {seat}, "wager": {wager}, "won": {won}, "lost": {lost}, "net": {net}, '
            f'"remaining": {remaining}, "exhausted": {"true" if exhausted else "false"}}}'
        )


class Settlement(NamedTuple):
    """What a round comes to.

    `claims` are as far as the bank covered them, in the order in which the dealer settles them, and `left` is its
    coverage after each, None where the house banks: together they are the `lines`. `net` is by player, fees left out;
    `drop`, `tokes` and `meter_paid` are sums in cents.
    """

    rulebook: str
    qualified: bool
    total_table_action: int
    fees: tuple[Fee, ...]
    claims: Sequence[Claim]
    left: Sequence[int] | None
    bank: BankResult | None
    net: Mapping[str, int]
    drop: int
    tokes: int
    meter_paid: int

    @property
    def lines(self) -> tuple[Line, ...]:
        """Wager by wager, where every cent went."""
        left = repeat(None) if self.left is None else self.left
        return tuple(
            [
                Line(seq, *claim, rest)
                for seq, (claim, rest) in enumerate(zip(self.claims, left, strict=False), 1)
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """The settlement by the contract's keys."""
        return {
            "rulebook": self.rulebook,
            "qualified": self.qualified,
            "total_table_action": self.total_table_action,
            "fees": [fee._asdict() for fee in self.fees],
            "lines": [line.to_json() for line in self.lines],
            "bank": None if self.bank is None else self.bank._asdict(),
            "net": dict(self.net),
            "drop": self.drop,
            "tokes": self.tokes,
            "meter_paid": self.meter_paid,
        }

    def to_text(self) -> str:
        """`to_json` as one line of JSON text."""
        rulebook, qualified, action, fees, claims, left, bank, net, drop, tokes, meter_paid = self
        return (
            f'{{"rulebook": "{rulebook}", "qualified": {"true" if qualified else "false"}, '
            f'"total_table_action": {action}, "fees": [{", ".join([_fee_text(*fee) for fee in fees])}], '
            f'"lines": [{lines_text(claims, left)}], '
            f'"bank": {"null" if bank is None else bank.to_text()}, '
            f'"net": {{{", ".join([f"{_key_text(player)}{cents}" for player, cents in net.items()])}}}, '
            f'"drop": {drop}, "tokes": {tokes}, "meter_paid": {meter_paid}}}'
        )


@lru_cache(maxsize=MOST_REMEMBERED)
def _key_text(player: str) -> str:
    return f"{quoted(player)}: "


@lru_cache(maxsize=MOST_REMEMBERED)
def _fee_text(payer: str, seat: int, cents: int) -> str:
    return f'{{"payer": {quoted(payer)}, "seat": {seat}, "cents": {cents}}}'


def settle(sheet: Sheet) -> Settlement:
    """Settle one round. Every sheet that `read_sheet` lets through can be settled."""
    terms, bank = sheet.terms, read_bank_hand(sheet.bank_hand)
    positions = settlement_order(sheet, sheet.positions)
    hands = [position_claims(position, bank, terms) for position in positions]
    cover = _cover(sheet, bank, hands)
    net = {position.player: 0 for position in sheet.positions}
    tokes = 0
    for _, player, figures, _ in cover.claims:
        net[player] += figures.net
        tokes += figures.toked
    action = sheet.total_table_action
    fees = _round_fees(sheet, action, cover.dead)
    settled = (
        terms.rulebook.id,
        bank.qualified,
        action,
        fees,
        cover.claims,
        cover.left,
        _bank_result(sheet, cover),
        net,
        sum([fee.cents for fee in fees]),
        tokes,
        0 if terms.progressive is None else _meter_paid(cover.claims),
    )
    return _new(Settlement, settled)


def settle_json(data: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """A sheet as JSON text or parsed object to the settlement as a JSON object; Refusal as `read_sheet`."""
    return settle(read_sheet(data)).to_json()


def _cover(sheet: Sheet, bank: BankHand, hands: list[list[Claim]]) -> Cover:
    terms = sheet.terms
    if sheet.bank is not None and terms.coverage == "funds":
        return cover_funds(hands, sheet.bank.wager, terms.bank_clauses)
    claims: list[Claim] = []
    for hand in hands:
        claims += hand
    if terms.forfeits_first:
        claims = forfeits_before_others(claims)
    if sheet.bank is None:
        if terms.after_all_seats:
            late = ordered(sheet.positions, terms.rulebook.after_all_seats_order, None)
            claims += table_claims(late, bank, terms, sheet.meter)
        return cover_house(claims)
    policy = cover_gross if terms.coverage == "gross" else cover_net
    return policy(claims, sheet.bank.wager, terms.bank_clauses)


def _meter_paid(claims: list[Claim]) -> int:
    return sum([figures.paid for _, _, figures, _ in claims if figures.verdict.cause == "meter"])


def _bank_result(sheet: Sheet, cover: Cover) -> BankResult | None:
    _, _, won, lost, remaining, exhausted, _ = cover
    if sheet.bank is None or remaining is None:
        return None
    seat, wager = sheet.bank
    return _new(BankResult, (seat, wager, won, lost, won - lost, remaining, exhausted))


def settlement_order(bets: Bets, positions: tuple[Seated, ...]) -> list[Seated]:
    """Positions in the order in which their seats are settled.

    From the action seat clockwise where a player banks, by the rulebook's order where the house does.
    """
    first = None
    if bets.bank is not None:
        first = bets.action_seat if bets.action_seat is not None else bets.bank.seat
    return ordered(positions, bets.rulebook.seat_order, first)


def ordered(positions: tuple[Seated, ...], order: str, first: int | None) -> list[Seated]:
    """Positions by seat: clockwise from seat `first` on, clockwise from seat 1, or from the last seat back."""
    if order == "counterclockwise_from_last":
        return sorted(positions, key=lambda position: -position.seat)
    by_seat = sorted(positions)  # a position begins with its seat, and no two share one
    if order == "clockwise_from_action" and first is not None:
        action = bisect_left(by_seat, (first,))
        return by_seat[action:] + by_seat[:action]
    return by_seat


def round_fees(bets: Bets, dead: frozenset[int] = frozenset()) -> tuple[Fee, ...]:
    """The fees of a round by its bets: those of the schedule in force, or a flat house rake.

    `dead` are seats whose hands the bank could not cover: they pay no rake, and if none is live the bank
    pays none (ruling 20). Schedules know of no such thing.
    """
    return _round_fees(bets, bets.total_table_action, dead)


def _round_fees(bets: Bets, total_table_action: int, dead: frozenset[int]) -> tuple[Fee, ...]:
    terms, bank = bets.terms, bets.bank
    if bank is None:
        return ()
    if terms.fee_schedule is not None:
        cents = terms.fee_schedule.player_fee_cents
        fees = [_new(Fee, (position.player, position.seat, cents)) for position in bets.positions]
        band = band_for(terms.fee_schedule, total_table_action)
        fees.append(_new(Fee, ("bank", bank.seat, band.fee_cents)))
        return tuple(fees)
    if terms.rake is None:
        return ()
    live = [position for position in bets.positions if position.seat not in dead]
    hand_cents, bank_cents = terms.rake.hand_cents, terms.rake.bank_cents(len(live))
    fees = [Fee(position.player, position.seat, hand_cents) for position in live if hand_cents]
    if bank_cents:
        fees.append(Fee("bank", bank.seat, bank_cents))
    return tuple(fees)
