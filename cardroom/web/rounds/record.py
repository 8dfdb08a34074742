"""Template context of a round's record: what was bet, dealt and settled, what moved from whom to whom, and who was there.

Hands that were folded lie face down until a person asks to see them (south_dakota (8).7).
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Mapping
from typing import Any

from cardroom.floor.models import Round, Transfer, Waiver
from cardroom.floor.places import Place, place_in, place_of, places_of
from cardroom.floor.reads.records import revisions_of
from cardroom.floor.reads.round_names import names_of
from cardroom.floor.settling.correction_preview import places_by_player, there_then
from cardroom.floor.settling.waiver_rules import waivers_of
from cardroom.people.names import Names
from games.ran_out import RanOut, read_ran_out
from games.registry import game_of
from games.rulebook import Rulebook

from ..parts.cards import Face, faces_of
from ..table.settlement_view import (
    SettlementView,
    TableHand,
    settlement_view_of,
    table_hands_of,
)
from ..table.spots import TIPS, WAGERS, Spot, ran_out_at, spot_name


@dataclasses.dataclass(frozen=True)
class Position:
    """A place's wagers in cents, each with its spot, tips apart, and its cards and decision once they are known.

    `gave_up`: the decision ended the hand; its cards go to the rack, and are shown on request alone. `face_down` says that
    it was folded and no person has asked to see it: `faces` are then left out. One that was
    folded and not `exposed` has no cards on record.
    """

    place: Place
    player: str
    wagers: list[tuple[Spot, int | None]]
    tips_cents: int
    faces: list[Face]
    decision: str
    gave_up: bool
    face_down: bool
    exposed: bool


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
    table_hands: list[TableHand]
    shown_faces: list[Face]
    qualified: bool | None
    folded_shown: bool
    settlement_view: SettlementView | None
    revisions: list[Round]
    movements: list[Movement]
    moments: list[tuple[str, datetime.datetime]]

    @property
    def drop_cents(self) -> int:
        """Fees or rake that stayed in the drop box."""
        return self.round.drop_cents

    @property
    def jackpot_cents(self) -> int:
        """What stayed in the jackpot's own box."""
        return self.round.jackpot_cents - self.round.jackpot_refunded_cents

    @functools.cached_property
    def waivers(self) -> list[Waiver]:
        """The waivers of the round, withdrawn ones too; asked for where its schedule publishes any."""
        schedule = self.round.schedule
        if schedule is None or not schedule.document.get("waivers"):
            return []
        return waivers_of(self.round)

    @property
    def tips_cents(self) -> int:
        return sum(position.tips_cents for position in self.positions)

    @property
    def later_bets(self) -> list[tuple[Place, str, str, int]]:
        """The wagers after the deal: place, player, name on the layout, cents."""
        book = self.round.book
        return [
            (place_of(bet), names_of(self.round).in_place(bet["player"]), spot_name(book, wager), cents)
            for bet in self.round.later_bets
            for wager, cents in bet[WAGERS].items()
        ]

    @property
    def ran_out(self) -> RanOut | None:
        """Where the bank of a round that is not carded ran out."""
        return None if self.round.ran_out is None else read_ran_out(self.round.ran_out)

    @property
    def ran_out_at(self) -> str:
        """The place at which it did, and the wager where one is named."""
        return ran_out_at(self.round)

    @property
    def stands(self) -> bool:
        """Whether no correction takes the place of this record."""
        return not self.revisions or self.revisions[-1].pk == self.round.pk

    @property
    def may_correct(self) -> bool:
        """Whether there is something that a correction could be made of."""
        return self.round.state == Round.State.SETTLED and self.stands

    @property
    def has_folded(self) -> bool:
        """Whether there is a folded hand to be shown, or turned down again."""
        return any(position.gave_up and position.exposed for position in self.positions)


def record_of(round_: Round, *, show_folded: bool = False) -> Record:
    """Put the record of a round together; folded hands face up if `show_folded`.

    It takes a query for its transfers, and one for who was there where somebody wagered on a back line.
    """
    sheet: dict[str, Any] = round_.sheet or {}
    # A settled round has its sheet; one that never got so far has the wagers as they lay when it ended.
    positions = sheet.get("positions", round_.bets)
    settlement_view = settlement_view_of(round_)
    game = game_of(round_.rulebook)
    given_up = game.given_up(round_.terms)
    for seat in settlement_view.seats if settlement_view is not None and not show_folded else ():
        if seat.gave_up:
            seat.faces = []
    rulebook, places = round_.terms.rulebook, places_of(round_.bets)
    back_line = any(place.behind for place in places.values())
    at = places_by_player(there_then(round_)) if back_line else {}
    ids = dict.fromkeys(wager for position in positions for wager in position[WAGERS])
    spots = [Spot(wager, spot_name(rulebook, wager)) for wager in ids]
    names = names_of(round_)
    return Record(
        round=round_,
        spots=spots,
        positions=[
            _position(
                position,
                place_in(places, position),
                spots,
                given_up,
                names,
                show_folded=show_folded,
            )
            for position in positions
        ],
        table_hands=table_hands_of(round_),
        shown_faces=faces_of(round_.shown_card),
        qualified=None
        if round_.settlement is None or not game.bank_qualifies
        else round_.settlement["qualified"],
        folded_shown=show_folded,
        settlement_view=settlement_view,
        revisions=revisions_of(round_) if round_.state == Round.State.SETTLED else [],
        movements=[
            _movement(round_, rulebook, transfer, at)
            for transfer in round_.transfers.select_related("player")
        ],
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


def _position(
    position: dict[str, Any],
    place: Place,
    spots: list[Spot],
    given_up: frozenset[str],
    names: Names,
    *,
    show_folded: bool,
) -> Position:
    decision = position.get("decision") or ""
    exposed = position.get("hand", "") is not None
    gave_up = decision in given_up
    face_down = gave_up and not show_folded and exposed
    return Position(
        place=place,
        player=names.in_place(position.get("player", "")),
        wagers=[(spot, position[WAGERS].get(spot.id)) for spot in spots],
        tips_cents=sum((position.get(TIPS) or {}).values()),
        faces=[] if face_down else faces_of(position.get("hand") or ""),
        decision=decision,
        gave_up=gave_up,
        face_down=face_down,
        exposed=exposed,
    )


#: Back-line bettors and those before them, by seat and player's id; empty where nobody wagered on a back line.
_PlacesByPlayer = Mapping[tuple[int, int], Place]


def _movement(round_: Round, rulebook: Rulebook, transfer: Transfer, at: _PlacesByPlayer) -> Movement:
    spot = f"{spot_name(rulebook, transfer.wager)}: " if transfer.wager else ""
    return Movement(
        source=_account(round_, transfer, transfer.source, at),
        target=_account(round_, transfer, transfer.target, at),
        cents=transfer.cents,
        what=f"{spot}{transfer.get_kind_display()}{', reversed' if transfer.reverses_id else ''}",
        line=transfer.line,
    )


def _account(round_: Round, transfer: Transfer, account: str, at: _PlacesByPlayer) -> str:
    if account == Transfer.Account.SEAT:
        if transfer.player is None or transfer.seat is None:
            return f"Seat {transfer.seat}"
        place = at.get((transfer.seat, transfer.player.pk), transfer.seat)
        return f"Seat {place} · {transfer.player.known_as}"
    if account == Transfer.Account.BANK:
        return f"Bank · {round_.bank_player.known_as}" if round_.bank_player else "Bank"
    return str(Transfer.Account(account).label).capitalize()
