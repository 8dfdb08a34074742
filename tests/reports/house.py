"""A room of Massachusetts whose house banks: table 7, its rounds, its tray and buy-ins, through the services."""

from __future__ import annotations

from typing import Any

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.meters import meter_set
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_void,
)
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.tray import buy_in, tray_close, tray_credit, tray_fill, tray_open
from cardroom.floor.commands.wins import win_confirm, win_key
from cardroom.floor.models import Round, Shift, TraySlip
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.making import shift_report_make
from cardroom.rooms.models import Room
from tests.cast import PLAYERS, Cast
from tests.filing import table_settings
from tests.floor.test_corrections import as_recorded

#: The bank's king high qualifies. Of the players: a pair of nines beats it, and queen high does not.
BANK = "Kh 7d 4c"
PAIR, TENS, LOW, ROYAL = "9s 9c 3d", "Ts Tc 2d", "Qs 8s 3h", "As Ks Qs"


class House:
    """The cast in a room whose house banks."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast

    def open(self, name: str = "Swing", seats: tuple[int, ...] = (4, 5)) -> House:
        """Open a shift and table 7 with players at `seats`."""
        cast = self.cast
        self.open_shift(name)
        self.set_table()
        cast.send(table_open, "floor")
        cast.hang_box()
        cast.send(down_start, "floor", dealer_id=cast.people["dealer"].pk)
        for seat in seats:
            cast.send(player_seat, "dealer", seat=seat, player_id=cast.players[seat].pk)
        return self

    def open_shift(self, name: str) -> None:
        self.cast.send_room(shift_open, "shift_manager", name=name)

    def set_table(self) -> House:
        """Set table 7 to a game that the house banks."""
        cast = self.cast
        cast.send(table_set, "floor", **table_settings(cast.room, rulebook="massachusetts"))
        cast.room.refresh_from_db()
        return self

    @property
    def shift(self) -> Shift:
        return Shift.objects.get(room=self.cast.room, closed_at__isnull=True)

    def slip(self, kind: str, cents: int, note: str = "") -> TraySlip:
        """A slip about the tray of table 7, made by the dealer and signed by the floor, in chips of a dollar."""
        command = {"opener": tray_open, "fill": tray_fill, "credit": tray_credit, "closer": tray_close}[kind]
        signed = {"note": note, "approver": self.cast.people["floor"]}
        answer = self.cast.send(command, "dealer", chips={"100": cents // 100}, **signed)
        return TraySlip.objects.get(pk=answer["slip"])

    def buy_in(self, seat: int, cents: int) -> None:
        """Cash for chips at a seat."""
        self.cast.send(buy_in, "dealer", seat=seat, cents=cents)

    def play(self, *positions: dict[str, Any], **more: Any) -> Round:
        """Record a round of table 7."""
        sheet = {"rulebook": "massachusetts", "bank_hand": BANK, "positions": list(positions), **more}
        self.cast.send(round_record, "dealer", sheet=sheet)
        return Round.objects.latest("pk")

    def void(self, seat: int, cents: int) -> None:
        """A round that is void after the deal."""
        self.cast.send(round_open, "dealer")
        self.cast.send(bets_place, "dealer", positions=[{"seat": seat, "wagers": {"ante": cents}}])
        self.cast.send(bets_close, "dealer")
        self.cast.send(round_deal, "dealer")
        self.cast.send(round_void, "dealer", reason="misdealt", approver=self.cast.people["shift_manager"])

    def win_the_meter(self, seat: int, meter: int, added: int) -> Round:
        """A round in which a seat's wager adds to the meter and wins all of it, confirmed by the floor."""
        cast = self.cast
        Room.objects.filter(pk=cast.room.pk).update(meter_contribution_cents=added)
        manager = cast.people["shift_manager"]
        cast.send(meter_set, "floor", shown_cents=meter - added, reason="taken over", approver=manager)
        wagers = {"ante": 500, "progressive": 100}
        round_ = self.play(at(seat, ROYAL, wagers), meter=meter)
        win = cast.send(win_key, "dealer", seat=seat)["win"]
        cast.send(win_confirm, "floor", win_id=win)
        return round_

    def correct(self, round_: Round, seat: int, hand: str) -> None:
        """A seat held another hand than was recorded."""
        record = as_recorded(round_)
        next(each for each in record["positions"] if each["seat"] == seat)["hand"] = hand
        self.cast.send(
            round_correct, "dealer", **record, reason="misread", approver=self.cast.people["shift_manager"]
        )

    def close(self) -> Shift:
        """Close the shift."""
        shift = self.shift
        self.cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
        return Shift.objects.get(pk=shift.pk)

    def report(self) -> ShiftReport:
        """Close the shift and make its report."""
        return shift_report_make(self.close().pk)


def at(seat: int, hand: str, wagers: dict[str, int], decision: str = "play", **more: Any) -> dict[str, Any]:
    """A position of a sheet."""
    return {
        "seat": seat,
        "player": PLAYERS[seat],
        "hand": hand,
        "wagers": wagers,
        "decision": decision,
        **more,
    }
