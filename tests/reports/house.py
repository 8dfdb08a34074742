"""The cast in a room of Massachusetts whose house banks: table 7, its rounds, its tray and buy-ins."""

from __future__ import annotations

from typing import Any

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.meters import meter_set
from cardroom.floor.commands.rounds import (
    round_record,
    round_void,
)
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.tables import table_set
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


class House(Cast):
    """The cast in a room whose house banks."""

    def open(self, **given: Any) -> None:
        """Open a shift and table 7 with players at seats 4 and 5; the tray is not counted yet."""
        super().open(**{"rulebook": "massachusetts", "seats": (4, 5), "tray": False, **given})

    def set_table(self) -> None:
        """Set table 7 to a game that the house banks."""
        self.send(table_set, "floor", **table_settings(self.room, rulebook="massachusetts"))
        self.room.refresh_from_db()

    @property
    def shift(self) -> Shift:
        return Shift.objects.get(room=self.room, closed_at__isnull=True)

    def slip(self, kind: str, cents: int, note: str = "") -> TraySlip:
        """A slip about the tray of table 7, made by the dealer and signed by the floor, in chips of a dollar."""
        command = {"opener": tray_open, "fill": tray_fill, "credit": tray_credit, "closer": tray_close}[kind]
        signed = {"note": note, "approver": self.people["floor"]}
        answer = self.send(command, chips={"100": cents // 100}, **signed)
        return TraySlip.objects.get(pk=answer["slip"])

    def buy_in(self, seat: int, cents: int) -> None:
        """Cash for chips at a seat."""
        self.send(buy_in, seat=seat, cents=cents)

    def record(self, *positions: dict[str, Any], **more: Any) -> Round:
        """Record a round of table 7."""
        sheet = {"rulebook": "massachusetts", "bank_hand": BANK, "positions": list(positions), **more}
        self.send(round_record, sheet=sheet)
        return Round.objects.latest("pk")

    def void(self, seat: int, cents: int) -> None:
        """A round that is void after the deal."""
        self.deal({seat: cents})
        self.send(round_void, reason="misdealt", approver=self.people["shift_manager"])

    def win_the_meter(self, seat: int, meter: int, added: int) -> Round:
        """A round in which a seat's wager adds to the meter and wins all of it, confirmed by the floor."""
        Room.objects.filter(pk=self.room.pk).update(meter_contribution_cents=added)
        manager = self.people["shift_manager"]
        self.send(meter_set, "floor", shown_cents=meter - added, reason="taken over", approver=manager)
        wagers = {"ante": 500, "progressive": 100}
        round_ = self.record(at(seat, ROYAL, wagers), meter=meter)
        win = self.send(win_key, seat=seat)["win"]
        self.send(win_confirm, "floor", win_id=win)
        return round_

    def correct(self, round_: Round, seat: int, hand: str) -> None:
        """A seat held another hand than was recorded."""
        record = as_recorded(round_)
        next(each for each in record["positions"] if each["seat"] == seat)["hand"] = hand
        self.send(round_correct, **record, reason="misread", approver=self.people["shift_manager"])

    def close(self) -> Shift:
        """Close the shift."""
        shift = self.shift
        self.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
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
