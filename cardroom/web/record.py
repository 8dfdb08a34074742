"""A round's record: what was bet, dealt and settled, what moved from whom to whom, and who was there when."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

from cardroom.floor.models import Round, Transfer

from .cards import Face, faces_of
from .spots import TIPS, WAGERS, Spot, spot_name
from .walk import Walk, walk_of


@dataclasses.dataclass(frozen=True)
class Position:
    """A seat's wagers in cents by spot, tips apart, and its cards and decision once they are known."""

    seat: int
    player: str
    wagers: list[int | None]
    tips_cents: int
    faces: list[Face]
    decision: str


@dataclasses.dataclass(frozen=True)
class Movement:
    """A transfer in words: `source` and `target` as a person names them, cents, and what for."""

    source: str
    target: str
    cents: int
    what: str
    line: int | None


@dataclasses.dataclass
class Record:
    """Everything the record page shows of a round."""

    round: Round
    spots: list[Spot]
    positions: list[Position]
    bank_faces: list[Face]
    walk: Walk | None
    movements: list[Movement]
    moments: list[tuple[str, datetime.datetime]]

    @property
    def drop_cents(self) -> int:
        """Fees that stayed in the drop box."""
        return self.round.player_fees_cents + self.round.bank_fee_cents - self.round.refunded_cents

    @property
    def tips_cents(self) -> int:
        return sum(position.tips_cents for position in self.positions)


def record_of(round_: Round) -> Record:
    """Put the record of a round together, in one query for its transfers."""
    sheet: dict[str, Any] = round_.sheet or {}
    # A settled round has its sheet; one that never got so far has the wagers as they lay when it ended.
    positions = sheet.get("positions", round_.bets)
    ids = list(dict.fromkeys(wager for position in positions for wager in position[WAGERS]))
    return Record(
        round=round_,
        spots=[Spot(wager, spot_name(round_.rulebook, wager)) for wager in ids],
        positions=[
            Position(
                seat=position["seat"],
                player=position.get("player", ""),
                wagers=[position[WAGERS].get(wager) for wager in ids],
                tips_cents=sum((position.get(TIPS) or {}).values()),
                faces=faces_of(position.get("hand", "")),
                decision=position.get("decision") or "",
            )
            for position in positions
        ],
        bank_faces=faces_of(sheet.get("bank_hand", "")),
        walk=walk_of(round_),
        movements=[_movement(round_, transfer) for transfer in round_.transfers.select_related("player")],
        moments=[
            (what, instant)
            for what, instant in (
                ("Betting opened", round_.opened_at),
                ("No more bets", round_.bets_closed_at),
                ("First card", round_.dealt_at),
                ("Voided" if round_.state == Round.State.VOID else "Settled", round_.ended_at),
            )
            if instant is not None
        ],
    )


def _movement(round_: Round, transfer: Transfer) -> Movement:
    spot = f"{spot_name(round_.rulebook, transfer.wager)}: " if transfer.wager else ""
    return Movement(
        source=_account(round_, transfer, transfer.source),
        target=_account(round_, transfer, transfer.target),
        cents=transfer.cents,
        what=f"{spot}{transfer.get_kind_display()}",
        line=transfer.line,
    )


def _account(round_: Round, transfer: Transfer, account: str) -> str:
    if account == Transfer.Account.SEAT:
        who = f" · {transfer.player.name}" if transfer.player else ""
        return f"Seat {transfer.seat}{who}"
    if account == Transfer.Account.BANK:
        return f"Bank · {round_.bank_player.name}" if round_.bank_player else "Bank"
    return str(Transfer.Account(account).label).capitalize()
