"""Builds the `Transfer` rows of cents from a settlement's lines and a quote's fees. What stays with its owner is no transfer."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from games.meter import off_the_meter

from ..boxes import box_ids
from ..models import DropBox, Round, Seating, Transfer
from ..places import Place, place_in, place_of, places_of

_ACCOUNT = Transfer.Account
_KIND = Transfer.Kind


class Ledger:
    """Collects the transfers of one command at one round; the command writes them together (`TableTransaction.add`)."""

    def __init__(
        self,
        round_: Round,
        shift_id: int,
        there: Mapping[Place, Seating],
        now: datetime.datetime,
        boxes: Iterable[DropBox],
    ) -> None:
        """`there` are those who wager and bank in the round, by place; `boxes` are those of the table."""
        self.round = round_
        self.shift_id = shift_id
        self.there = there
        self.places = places_of(round_.bets)
        self.now = now
        self.boxes = box_ids(boxes)
        self.rows: list[Transfer] = []
        #: Where the house banks, what the bank takes and pays goes through the tray.
        self.bank = _ACCOUNT.TRAY if round_.house_banks else _ACCOUNT.BANK

    def add(
        self,
        kind: str,
        source: str,
        target: str,
        cents: int,
        *,
        of: Place | None = None,
        wager: str = "",
        line: int | None = None,
        reverses: Transfer | None = None,
    ) -> None:
        """Note a movement of `cents` of the player at the place `of`, or back from where `reverses` went; a movement of nothing is none."""
        if cents == 0:
            return
        if reverses is not None:
            seat, player = reverses.seat, reverses.player_id
        else:
            stay = None if of is None else self.there.get(of)
            seat, player = None if of is None else of.seat, None if stay is None else stay.player_id
        self.rows.append(
            Transfer(
                room_id=self.round.room_id,
                table_id=self.round.table_id,
                shift_id=self.shift_id,
                round_id=self.round.pk,
                time_collection_id=None,
                buy_in_id=None,
                box_id=self.boxes.get(target) or self.boxes.get(source),
                kind=kind,
                source=source,
                target=target,
                seat=seat,
                player_id=player,
                wager=wager,
                line=line,
                cents=cents,
                reverses_id=None if reverses is None else reverses.pk,
                made_at=self.now,
            )
        )

    def fees(self, fees: list[dict[str, Any]]) -> None:
        """Drop the quoted fees, or the rake: each player's from their seat, the player-dealer's from the bank.

        What goes to the jackpot goes into its own box (4 CCR 12384(a)(2)).
        """
        kind = _KIND.FEE if self.round.rake is None else _KIND.RAKE
        for fee in fees:
            of, source = place_of(fee), self._account(fee)
            self.add(kind, source, _ACCOUNT.DROP, fee["cents"], of=of)
            self.add(_KIND.JACKPOT, source, _ACCOUNT.JACKPOT, fee.get("jackpot", 0), of=of)

    def refunds(self, fees: list[dict[str, Any]]) -> None:
        """Give the dropped fees of a void round back to whom they came from (ruling 13).

        A void writes FEE_REFUND rows; undoing "no more bets" writes reversing FEE rows, with `reverses` set (`reverse`).
        """
        for fee in fees:
            of, target = place_of(fee), self._account(fee)
            self.add(_KIND.FEE_REFUND, _ACCOUNT.DROP, target, fee["cents"], of=of)
            self.add(_KIND.JACKPOT_REFUND, _ACCOUNT.JACKPOT, target, fee.get("jackpot", 0), of=of)

    def _account(self, fee: dict[str, Any]) -> str:
        """The account that a quoted fee comes from."""
        return _ACCOUNT.BANK if fee["seat"] == self.round.bank_seat else _ACCOUNT.SEAT

    def reverse(self, transfers: Iterable[Transfer]) -> None:
        """Take `transfers` back: each moves its cents from where they went to where they came from."""
        for transfer in transfers:
            self.add(
                transfer.kind,
                transfer.target,
                transfer.source,
                transfer.cents,
                wager=transfer.wager,
                line=transfer.line,
                reverses=transfer,
            )

    def take_over(self, rows: Iterable[Transfer]) -> None:
        """Add transfers that were worked out beforehand, as movements of this command."""
        for row in rows:
            row.round, row.shift_id, row.made_at = self.round, self.shift_id, self.now
            self.rows.append(row)

    def line(self, line: dict[str, Any]) -> None:
        """Move what a line of the settlement moves: the stake that is taken, the win that is paid, the tip that is won.

        A won tip goes to the tip box whole: its stake from the player, its winnings from the bank (ruling 4). A win of
        the meter is paid from the meter, every other one by the bank (ruling 28).
        """
        of, wager, number = place_in(self.places, line), line["wager"], line["seq"]
        self.add(_KIND.TAKE, _ACCOUNT.SEAT, self.bank, line["taken"], of=of, wager=wager, line=number)
        winnings_to = _ACCOUNT.TIPS if line["toked"] else _ACCOUNT.SEAT
        paid_by = _ACCOUNT.METER if off_the_meter(line) else self.bank
        self.add(_KIND.PAY, paid_by, winnings_to, line["paid"], of=of, wager=wager, line=number)
        if line["toked"]:
            stake = line["toked"] - line["paid"]
            self.add(_KIND.TIP, _ACCOUNT.SEAT, _ACCOUNT.TIPS, stake, of=of, wager=wager, line=number)
