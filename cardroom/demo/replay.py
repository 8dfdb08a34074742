"""Replays recorded round sheets (`manage.py replay`): each is entered by commands, as a table's staff would have entered it.

Between two sheets the table is brought to where the next one begins: what is played and charged, who sits where, and
who holds the bank. The bank moves as the rotation demands and no other way: every seat that must be offered it is
offered it, and those that are not the sheet's bank decline.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils import timezone

from cardroom.demo.furnish import LICENCE
from cardroom.filings.errors import NotInForce
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.filings.selectors import in_force, version_in_force
from cardroom.floor.checks.boxes import why_no_box
from cardroom.floor.checks.limits import limited_wagers, limits_missing, limits_proposed
from cardroom.floor.checks.procedures import why_count_due
from cardroom.floor.checks.tray import why_tray_not_counted
from cardroom.floor.chips import chips_of
from cardroom.floor.commands.bank import offer_answer, offers_ask_again, turn_end, turn_renew
from cardroom.floor.commands.boxes import box_waive
from cardroom.floor.commands.meters import meter_set
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.seats import (
    back_line_join,
    back_line_leave,
    down_start,
    player_leave,
    player_move,
    player_seat,
)
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.stub import stub_count
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.tray import tray_close, tray_open
from cardroom.floor.commands.wins import win_confirm, win_key
from cardroom.floor.errors import BadInput, FloorError, NotNow
from cardroom.floor.execution.carry_out import Answer, CommandMeta, RoomCommand, TableCommand
from cardroom.floor.models import Down, Offer, Shift, Table
from cardroom.floor.reads.meters import meter_shown, progressive_wagers
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.floor.reads.tray import open_tray
from cardroom.floor.settling.sheets import refused
from cardroom.people.models import Employment, Player, Role, Staff
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from games.engine import read_sheet
from games.refusal import Refusal
from games.registry import load_rulebook, read_options
from games.spots import PROGRESSIVE

from .filings import game_seed, schedule_for

_SHIFT_NAME = "Replay"
#: What the first opener of a tray counts: chips by their worth in cents.
OPENING = {"10000": 400, "2500": 320, "500": 400}
_WHY_GIVEN_UP = "the next sheet has another bank"


@dataclasses.dataclass
class Totals:
    """What the sheets came to, in cents where a name says so."""

    rounds: int = 0
    refused: int = 0
    action_cents: int = 0
    fees_cents: int = 0
    taken_cents: int = 0
    paid_cents: int = 0
    uncovered_cents: int = 0
    tips_cents: int = 0

    def add(self, settlement: dict[str, Any]) -> None:
        """Count one settled round."""
        self.rounds += 1
        self.action_cents += settlement["total_table_action"]
        self.fees_cents += settlement["drop"]
        self.taken_cents += sum(line["taken"] for line in settlement["lines"])
        self.paid_cents += sum(line["paid"] for line in settlement["lines"])
        self.uncovered_cents += sum(line["uncovered"] for line in settlement["lines"])
        self.tips_cents += settlement["tokes"]


@dataclasses.dataclass(frozen=True)
class Played:
    """What became of one line of the file: its settlement, or why it was refused."""

    line: int
    settlement: dict[str, Any] | None = None
    refusal: FloorError | None = None


class Replay:
    """Plays sheets at one table, as one member of staff (a shift manager, who may do all that it takes)."""

    def __init__(self, table: Table, actor: Staff) -> None:
        self.table_id = table.pk
        self.room = table.room
        self.actor = actor
        #: In whose name an invented room files what a sheet was played on; a real room's filings are its own.
        self._filer = actor if table.room.licence_number == LICENCE else None
        self._run = uuid.uuid4()
        self._sent = 0

    def prepare(self) -> None:
        """See that a shift is open and no round in play. Raises FloorError."""
        if not Shift.objects.filter(room=self.room, closed_at__isnull=True).exists():
            self._send_room(shift_open, name=self._shift_name())
        state = self.state()
        if state.live is not None:
            raise NotNow(
                "round_live",
                f"{state.live} is in play at {state.table}. End it before you replay rounds there.",
            )

    def play_all(self, lines: Iterable[bytes]) -> Iterator[Played]:
        """Play a file of sheets, one a line, and yield what became of each. Holds one line at a time."""
        for number, line in enumerate(lines, start=1):
            try:
                yield Played(number, settlement=self.play(line))
            except FloorError as refusal:
                yield Played(number, refusal=refusal)

    def play(self, raw: bytes) -> dict[str, Any]:
        """Play one sheet and return its settlement; raises FloorError when the sheet or the table refuses it."""
        try:
            read_sheet(raw)
        except Refusal as refusal:
            raise refused(refusal) from refusal
        sheet = json.loads(raw)
        self._set_table(sheet)
        self._open_table()
        self._open_tray()
        self._seat_players(sheet)
        if "bank" in sheet:
            self._pass_bank(sheet["bank"]["seat"])
        if why_no_box(self.state()) is not None:
            self._send(box_waive, reason="rounds replayed from a file")
        self._stub_counted()
        self._meter_at(sheet)
        answer = self._send(round_record, sheet=sheet)
        settlement: dict[str, Any] = answer["settlement"]
        self._wins_confirmed(settlement)
        return settlement

    def _stub_counted(self) -> None:
        """Count the deck between rounds where the rules ask for it."""
        state = self.state()
        if why_count_due(state) is not None:
            self._send(stub_count, stub=state.game.deal(state.terms).cards, dealt=0)

    def _meter_at(self, sheet: dict[str, Any]) -> None:
        """Set the meter to what the sheet has, before a round with progressive wagers."""
        wagers = progressive_wagers(sheet["positions"])
        table = self.state().table
        if not wagers or meter_shown(table, wagers) == sheet["meter"]:
            return
        added = wagers * table.room.meter_contribution_cents
        self._send(
            meter_set,
            shown_cents=sheet["meter"] - added,
            reason="as the replayed sheet has it",
            approver=self._second_person(),
        )

    def _wins_confirmed(self, settlement: dict[str, Any]) -> None:
        """Key in the progressive wins of a settlement as the dealer, and confirm them."""
        down = self.state().down
        for line in settlement["lines"]:
            if line["wager"] == PROGRESSIVE and line["outcome"] == "win" and down is not None:
                keyed = self._send(win_key, seat=line["seat"], by=down.dealer)
                self._send(win_confirm, win_id=keyed["win"])

    def _second_person(self) -> Staff:
        """Somebody else of the floor, who signs. Raises NotNow where there is nobody."""
        others = Staff.objects.filter(
            is_active=True, employments__room=self.room, employments__role__in=RIGHTS[Right.CONFIRM_WINS]
        )
        other = others.exclude(pk=self.actor.pk).order_by("pk").first()
        if other is None:
            raise NotNow("no_second_person", f"Nobody else of {self.room} can sign.")
        return other

    def state(self) -> TableState:
        """Read the table's present state."""
        return read_table(Table.objects.select_related("room", "schedule", "game").get(pk=self.table_id))

    def _open_table(self) -> None:
        """Open the table, which is set by now, and let a dealer begin a down there."""
        state = self.state()
        if state.table.state != Table.State.OPEN:
            self._send(table_open)
        if state.down is None:
            self._send(down_start, dealer_id=self._free_dealer().pk)

    def _open_tray(self) -> None:
        """Where the house banks, let two people open the tray, with what the last closer counted, or `OPENING`."""
        state = self.state()
        if not state.house_banks or why_tray_not_counted(state) is None:
            return
        if (tray := open_tray(state.table)) is not None:  # of another shift
            chips = chips_of(max(tray.expected_cents, 0))
            self._send(
                tray_close, chips=chips, note="as replayed rounds left it", approver=self._second_person()
            )
            state = self.state()
        chips = OPENING if state.tray_count is None else state.tray_count.chips
        self._send(tray_open, chips=chips, approver=self._second_person())

    def _set_table(self, sheet: dict[str, Any]) -> None:
        """Set the table to the filings that the sheet was played on; an invented room files what it lacks."""
        options = dict(sheet.get("options") or {})
        number = options.pop("fee_schedule", None)
        day = gaming_day(self.room, timezone.now())
        table = self.state().table
        game = self._game(sheet["rulebook"], options, day)
        schedule = (
            None if not game.charged_by_schedule else self._schedule(sheet["rulebook"], number, table, day)
        )
        if schedule is not None and self._filer is not None:
            schedule = schedule_for(schedule, game, self._filer)
        schedule_id = None if schedule is None else schedule.pk
        cards = Table.Recording.CARDS
        if (table.game_id, table.schedule_id, table.recording) == (game.pk, schedule_id, cards) and (
            not limits_missing(table)
        ):
            return
        wagers = limited_wagers(game.rulebook, game.options, main_by_schedule=schedule is not None)
        proposed = limits_proposed(wagers, None if schedule is None else schedule.schedule)
        self._send(
            table_set,
            game_id=game.pk,
            schedule_id=schedule_id,
            wager_limits={key: table.wager_limits.get(key, bounds) for key, bounds in proposed.items()},
            recording=str(cards),
        )

    def _game(self, rulebook: str, options: dict[str, Any], day: datetime.date) -> GameFiling:
        """The filed game in force of that rulebook and these options, regardless of the defaults."""
        if why := self.room.rules_of.why_not(rulebook, day):
            raise BadInput("rulebook_of_another_jurisdiction", why, path="rulebook")
        wanted = read_options(load_rulebook(rulebook), options).options
        for game in in_force(GameFiling, self.room, day).filter(rulebook=rulebook):
            if game.terms.options == wanted:
                return game
        if self._filer is None:
            raise BadInput(
                "game_not_filed",
                f"No filed game of {self.room} in force on {day} has these options of {rulebook}: file one first.",
                path="options",
            )
        highest = GameFiling.objects.filter(room=self.room).aggregate(most=Max("number"))["most"] or 0
        return game_seed(self.room, self._filer, highest + 1, rulebook=rulebook, options=options)

    def _schedule(
        self, rulebook: str, number: int | None, table: Table, day: datetime.date
    ) -> FeeSchedule | None:
        """The schedule of that number in force; of a sheet that names none one that charges nothing, or the table's."""
        if number is not None:
            try:
                return version_in_force(FeeSchedule, self.room, number, day)
            except NotInForce as error:
                raise BadInput(error.code, error.message, path="options.fee_schedule") from error
        filed = list(in_force(FeeSchedule, self.room, day).filter(rulebook=rulebook))
        free = next((each for each in filed if not any(row.cents for row in each.schedule.tariff)), None)
        return free or next((each for each in filed if each.pk == table.schedule_id), None)

    def _seat_players(self, sheet: dict[str, Any]) -> None:
        """Bring all players to the places that the sheet names. People whom it does not name stay where they can."""
        wanted, behind = self._wanted(sheet)
        self._clear_back_lines(behind)
        self._seat_players_at(wanted)
        standing = {stay.player.name for stay in self.state().behind.values()}
        for name, seat in behind.items():
            if name not in standing:
                self._send(back_line_join, seat=seat, player_id=self._player(name).pk)

    def _clear_back_lines(self, behind: dict[str, int]) -> None:
        """Let those leave who stand behind another seat than the sheet has them, or sit and are to stand."""
        for place, stay in self.state().behind.items():
            if behind.get(stay.player.name) != place.seat:
                self._send(back_line_leave, seat=place.seat, behind=place.behind)
        for seat, sitting in self.state().seatings.items():
            if sitting.player.name in behind:
                self._send(player_leave, seat=seat)

    def _seat_players_at(self, wanted: dict[int, str]) -> None:
        if self.state().rulebook.max_positions > 1:
            for seat, sitting in reversed(self.state().seatings.items()):
                if wanted.get(seat) != sitting.player.name:
                    self._send(player_leave, seat=seat)
            self._seat_missing(wanted)
            return
        seat_of = {name: seat for seat, name in wanted.items()}
        for seat, sitting in self.state().seatings.items():
            if seat in wanted and wanted[seat] != sitting.player.name and sitting.player.name not in seat_of:
                self._send(player_leave, seat=seat)
        self._move(seat_of)
        self._seat_missing(wanted)

    def _seat_missing(self, wanted: dict[int, str]) -> None:
        """Seat whoever is not there yet, by seat."""
        seatings = self.state().seatings
        for seat, name in wanted.items():
            if seat not in seatings:
                self._send(player_seat, seat=seat, player_id=self._player(name).pk)

    def _move(self, seat_of: dict[str, int]) -> None:
        """Move players who sit elsewhere, as seats get free; people who want each other's seats get up first."""
        while True:
            seatings = self.state().seatings
            astray = {
                seat: seat_of[sitting.player.name]
                for seat, sitting in seatings.items()
                if seat_of.get(sitting.player.name, seat) != seat
            }
            if not astray:
                return
            free = next((seat for seat, target in astray.items() if target not in seatings), None)
            if free is None:
                self._send(player_leave, seat=next(iter(astray)))
            else:
                self._send(player_move, seat=free, to_seat=astray[free])

    def _wanted(self, sheet: dict[str, Any]) -> tuple[dict[int, str], dict[str, int]]:
        """Who must sit where, and behind which seat others must stand: of several on one spot the first one sits.

        A seat that is given no name keeps who sits there, else it is "seat N" (round sheet).
        """
        on_spots: dict[int, list[str | None]] = {}
        for position in sheet["positions"]:
            on_spots.setdefault(position["seat"], []).append(position.get("player"))
        if "bank" in sheet:
            on_spots.setdefault(sheet["bank"]["seat"], [None])
        taken = {name for names in on_spots.values() for name in names if name}
        seatings = self.state().seatings
        wanted: dict[int, str] = {}
        behind: dict[str, int] = {}
        for seat, names in sorted(on_spots.items()):
            there = seatings[seat].player.name if seat in seatings else None
            first = there if there in names else names[0]
            wanted[seat] = first or (there if there and there not in taken else f"seat {seat}")
            behind |= {name: seat for name in names if name and name != first}
        return wanted, behind

    def _pass_bank(self, seat: int) -> None:
        """Carry the offers round until `seat` may bank a round."""
        while True:
            state = self.state()
            step, turn = state.step, state.turn
            if step.kind == "keep" and turn is not None and turn.seat == seat:
                return
            if step.kind == "offer" and step.seat is not None:
                answer = Offer.Answer.ACCEPTED if step.seat == seat else Offer.Answer.DECLINED
                self._send(offer_answer, seat=step.seat, answer=str(answer))
            elif turn is None:
                self._send(offers_ask_again)
            elif turn.seat == seat:
                self._send(turn_renew)
            else:
                self._send(turn_end, reason=_WHY_GIVEN_UP)

    def _player(self, name: str) -> Player:
        player = Player(room=self.room, name=name)
        try:
            found = Player.objects.filter(room=self.room, name=name).first()
            if found is not None:
                return found
            player.full_clean()
        except ValidationError as error:
            raise BadInput(
                "bad_player_name", f"Nobody can be called {name!r}: {' '.join(error.messages)}"
            ) from error
        player.save()
        return player

    def _free_dealer(self) -> Staff:
        dealing = Down.objects.filter(ended_at__isnull=True).values("dealer")
        dealers = Staff.objects.filter(
            is_active=True, employments__room=self.room, employments__role__in=RIGHTS[Right.RUN_ROUNDS]
        )
        dealer = dealers.exclude(pk__in=dealing).order_by("employments__role", "pk").first()
        if dealer is None:
            raise NotNow("no_dealer", f"Every dealer of {self.room} has a down at another table.")
        return dealer

    def _shift_name(self) -> str:
        """A name that this gaming day has not had yet."""
        had = set(
            Shift.objects.filter(room=self.room, name__startswith=_SHIFT_NAME).values_list("name", flat=True)
        )
        number = len(had) + 1
        return _SHIFT_NAME if _SHIFT_NAME not in had else f"{_SHIFT_NAME} {number}"

    def _send(self, command: TableCommand[Any], *, by: Staff | None = None, **arguments: Any) -> Answer:
        version = Table.objects.values_list("version", flat=True).get(pk=self.table_id)
        return command(self._envelope(version, by), self.table_id, **arguments)

    def _send_room(self, command: RoomCommand[Any], **arguments: Any) -> Answer:
        version = Room.objects.values_list("version", flat=True).get(pk=self.room.pk)
        return command(self._envelope(version), self.room.pk, **arguments)

    def _envelope(self, version: int, by: Staff | None = None) -> CommandMeta:
        self._sent += 1
        return CommandMeta(actor=by or self.actor, key=f"replay-{self._run}-{self._sent}", version=version)


def shift_manager_of(room: Room) -> Staff | None:
    """Return the shift manager in whose name rounds are replayed, or None."""
    employments = Employment.objects.filter(room=room, role=Role.SHIFT_MANAGER, staff__is_active=True)
    employment = employments.select_related("staff").order_by("pk").first()
    return None if employment is None else employment.staff
