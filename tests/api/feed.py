"""A program that feeds sheets to a table through HTTP: it does what comes next, command by command."""

from __future__ import annotations

from typing import Any

from cardroom.floor.commands.bank import offer_answer, turn_end, turn_renew
from cardroom.floor.commands.meters import meter_set
from cardroom.floor.commands.seats import back_line_join, back_line_leave, player_leave, player_seat
from cardroom.floor.commands.stub import stub_count
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.reads.table_state import TableState
from cardroom.people.models import Player
from tests.cast import Cast
from tests.filing import table_settings

from .client import Caller, Reply


class Feed:
    """Brings table 7 to where a sheet begins, as its floor staff would, and plays the sheet."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.floor = Caller(cast, "floor")
        self.dealer = Caller(cast, "dealer")
        self.table = f"tables/{cast.table.pk}"

    def state(self) -> Any:
        """Read the table."""
        return self.floor.get(self.table).said

    def prepare(self, sheet: dict[str, Any]) -> None:
        """Set the table, seat the players and pass the bank as `sheet` has them.

        By the commands themselves, past HTTP: some twenty to a sheet, and what is looked at comes after them.
        """
        options = dict(sheet.get("options", {}))
        number, rake = options.pop("fee_schedule", None), options.pop("house_rake", None)
        schedule = None if number is None else self.cast.schedule(number).pk
        settings = table_settings(
            self.cast.room, rulebook=sheet["rulebook"], options=options, schedule_id=schedule, rake=rake
        )
        state = self.cast.state()
        if (settings["game_id"], schedule) != (state.table.game_id, state.table.schedule_id):
            self._give(table_set, **settings)
            state = self.cast.state()
        if state.house_banks and not state.tray_count:
            self._give(tray_open, chips={"10000": 500}, approver=self.cast.people["floor_2"])
        self._seat(sheet, state)
        if "bank" in sheet:
            self._pass_bank(sheet["bank"]["seat"])
        if self.cast.state().procedures.count_due.due:
            self._give(stub_count, stub=52)
        if (meter := sheet.get("meter")) is not None:
            approver = self.cast.people["shift_manager"]
            self._give(meter_set, shown_cents=meter, reason="as the sheet has it", approver=approver)

    def record(self, sheet: dict[str, Any]) -> Any:
        """Record the whole sheet."""
        return self._end_game(self._ok("POST", "rounds/record", sheet))

    def _end_game(self, answer: Any) -> Any:
        """The dealer keys in progressive wins, and the floor confirms them: before it no other round begins."""
        for line in answer["settlement"]["lines"]:
            if line["wager"] == "progressive" and line["outcome"] == "win":
                reply = self.dealer.send("POST", f"{self.table}/wins", {"seat": line["seat"]})
                assert reply.status == 200, reply.said
                self._ok("POST", f"wins/{reply.said['win']}/confirm", {})
        return answer

    def step_through(self, sheet: dict[str, Any]) -> Any:
        """Play the sheet step by step."""
        self._ok("POST", "rounds", {"bank_wager_cents": sheet["bank"]["wager"]} if "bank" in sheet else {})
        behind = _places(sheet)
        bets = [
            {
                "seat": position["seat"],
                "behind": place,
                "wagers": position["wagers"],
                "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot != "play"},
            }
            for place, position in zip(behind, sheet["positions"], strict=True)
        ]
        self._ok("PUT", "rounds/current/bets", {"positions": bets})
        self._ok("POST", "rounds/current/close-bets", {"action_seat": sheet.get("action_seat")})
        self._ok("POST", "rounds/current/deal", None)
        if "bank_hand" not in sheet:
            hands = {key: sheet[key] for key in ("player_hand", "banker_hand")}
            return self._ok("POST", "rounds/current/settle", {"hands": hands, "positions": []})
        results = [
            {
                "seat": position["seat"],
                "hand": position["hand"],
                "decision": position.get("decision"),
                "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot == "play"},
            }
            for position in sheet["positions"]
        ]
        settled = {"bank_hand": sheet["bank_hand"], "positions": results}
        return self._end_game(self._ok("POST", "rounds/current/settle", settled))

    def _seat(self, sheet: dict[str, Any], state: TableState) -> None:
        """Let everybody leave whom the sheet has not there, and seat whom it names. The bank has no name."""
        named = [(p["seat"], p.get("player", f"seat {p['seat']}")) for p in sheet["positions"]]
        wanted = dict(
            reversed(named)
        )  # of several on one spot the first one sits, and the others stand behind
        if "bank" in sheet:
            wanted[sheet["bank"]["seat"]] = f"Bank of seat {sheet['bank']['seat']}"
        sitting = {seat: stay.player.name for seat, stay in state.seatings.items()}
        for seat, name in reversed(sitting.items()):
            if wanted.get(seat) != name:
                self._give(player_leave, seat=seat)
        for place in state.behind:
            self._give(back_line_leave, seat=place.seat, behind=place.behind)
        for seat, name in wanted.items():
            if sitting.get(seat) != name:
                self._give(player_seat, seat=seat, player_id=self._player(name))
        for seat, name in (each for each in named if wanted[each[0]] != each[1]):
            self._give(back_line_join, seat=seat, player_id=self._player(name))

    def _player(self, name: str) -> int:
        return Player.objects.get_or_create(room=self.cast.room, name=name)[0].pk

    def _pass_bank(self, seat: int) -> None:
        while True:
            view = self.cast.state()
            turn, step = view.turn, view.step
            if turn is not None and turn.seat == seat and step.kind == "keep":
                return
            if step.kind == "offer":
                answer = "accepted" if step.seat == seat else "declined"
                self._give(offer_answer, seat=step.seat, answer=answer)
            elif turn is not None and turn.seat == seat:
                self._give(turn_renew)
            else:
                self._give(turn_end, reason="the next sheet has another bank")

    def _give(self, command: TableCommand[...], **arguments: Any) -> None:
        self.cast.send(command, "floor", **arguments)

    def _ok(self, method: str, path: str, body: Any) -> Any:
        reply: Reply = self.floor.send(method, f"{self.table}/{path}", body)
        assert reply.status == 200, (method, path, body, reply.said)
        return reply.said


def _places(sheet: dict[str, Any]) -> list[int]:
    """The place of each position behind its seat: 0 of the first one on a spot, then 1, 2, …"""
    seats = [position["seat"] for position in sheet["positions"]]
    return [seats[:index].count(seat) for index, seat in enumerate(seats)]
