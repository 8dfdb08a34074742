"""A small room for tests of the floor's services: people of each role, six players, one table, one schedule."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Self

from cardroom.demo.filings import schedules_seed
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.boxes import boxes_place
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.execution import CommandMeta, RoomCommand, TableCommand
from cardroom.floor.models import Table
from cardroom.people.models import Employment, Player, Role, Staff
from cardroom.rooms.models import Room
from games.registry import load_rulebook
from tests.filing import table_settings
from tests.kept import kept

_keys = itertools.count(1)

#: Hands of one deck by seat, for a round that settles: the bank holds king high, every player less or more.
BANK_HAND = "Kh 7d 4c"
HANDS = {
    1: "Ah Qd 2c",
    2: "9s 9c 3d",
    3: "Jh 8d 6c",
    4: "Js 8h 5c",
    5: "As Qc Td",
    6: "Tc 9d 2h",
    7: "5s 5d 2s",
}


class Site:
    """The room and everybody in it. `send` gives a command as a person would, on the version of now."""

    #: Whether a drop box hangs at the table once it is open: without one it collects nothing.
    hangs_boxes = True
    #: Whether the table was opened for a game that the house banks: nobody puts up a wager of the bank.
    house_banks = False

    def __init__(self, name: str = "Alder Creek") -> None:
        self.room = Room.objects.create(name=name, code=name.lower().replace(" ", "-"))
        self.people: dict[Role, Staff] = {}
        for role in Role:
            if role == Role.PROVIDER_LEAD:
                continue
            staff = Staff.objects.create(
                username=f"{self.room.code}-{role}", display_name=f"{role.label} of {name}"
            )
            Employment.objects.create(staff=staff, room=self.room, role=role)
            self.people[role] = staff
        self.dealer, self.floor = self.people[Role.DEALER], self.people[Role.FLOOR]
        self.manager = self.people[Role.SHIFT_MANAGER]
        self.players = {
            seat: Player.objects.create(room=self.room, name=player)
            for seat, player in zip(range(1, 8), ["Ana", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus"], strict=True)
        }
        schedules_seed(self.room, self.people[Role.ROOM_MANAGER])
        self.table = Table.objects.create(room=self.room, number=7)

    def meta(self, actor: Staff, version: int | None = None, key: str | None = None) -> CommandMeta:
        """An envelope on the table's present version (or the given one), with a key of its own."""
        if version is None:
            version = Table.objects.get(pk=self.table.pk).version
        return CommandMeta(actor=actor, key=key or f"key-{next(_keys)}", version=version)

    def send(
        self, command: TableCommand[...], actor: Staff | None = None, /, **arguments: Any
    ) -> dict[str, Any]:
        """Give a command at the table; the dealer gives it when nobody else is named."""
        return command(self.meta(actor or self.dealer), self.table.pk, **arguments)

    def send_room(
        self, command: RoomCommand[...], actor: Staff | None = None, /, **arguments: Any
    ) -> dict[str, Any]:
        """Give a command on the room; the shift manager gives it when nobody else is named."""
        version = Room.objects.get(pk=self.room.pk).version
        meta = CommandMeta(actor=actor or self.manager, key=f"key-{next(_keys)}", version=version)
        return command(meta, self.room.pk, **arguments)

    def open(
        self,
        *,
        schedule: int | None = 1,
        seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7),
        rulebook: str = "california",
        options: dict[str, Any] | None = None,
    ) -> None:
        """Open a shift and the table on the numbered schedule, with a dealer and players at `seats`.

        A game that the house banks charges nothing; the room is one of a jurisdiction that permits it.
        """
        self.house_banks = not load_rulebook(rulebook).player_banked
        self.send_room(shift_open, name="Swing")
        filed = None
        if schedule is not None and not self.house_banks:
            filed = self.room.feeschedule_versions.get(number=schedule)
        settings = table_settings(
            self.room, rulebook=rulebook, options=options, schedule_id=filed and filed.pk
        )
        self.send(table_set, self.floor, **settings)
        self.send(table_open, self.floor)
        if self.hangs_boxes:
            self.hang_box()
        self.send(down_start, self.floor, dealer_id=self.dealer.pk)
        if self.house_banks:
            self.open_tray()
        for seat in seats:
            self.send(player_seat, seat=seat, player_id=self.players[seat].pk)

    def open_tray(self) -> None:
        """Let the floor and the dealer count $50,000 in the tray of the house, and open it."""
        self.send(tray_open, self.floor, chips={"10000": 500}, approver=self.dealer)

    def hang_box(self, number: int = 70, kind: str = "drop") -> None:
        """Put a box on the table."""
        boxes = [{"table": self.table.pk, "number": number, "kind": kind}]
        self.send_room(boxes_place, self.floor, boxes=boxes)

    def bank_to(self, seat: int) -> None:
        """Offer the bank clockwise until `seat` takes it; everybody before declines."""
        while True:
            table = Table.objects.get(pk=self.table.pk)
            asked = self.step(table).seat
            assert asked is not None, "nobody is left to be offered the bank"
            self.send(offer_answer, seat=asked, answer="accepted" if asked == seat else "declined")
            if asked == seat:
                return

    def running(self) -> Self:
        """The same site with everybody seated on schedule 1, and the bank at seat 3."""
        self.open()
        self.bank_to(3)
        return self

    def step(self, table: Table | None = None) -> Any:
        """Who must be offered the bank next."""
        from cardroom.floor.reads.table_state import read_table

        return read_table(table or Table.objects.get(pk=self.table.pk)).step

    def bet(self, antes: dict[int, int], *, wager: int = 20000) -> None:
        """Open a round and place antes in cents by seat."""
        self.begin(wager=wager)
        self.send(
            bets_place, positions=[{"seat": seat, "wagers": {"ante": cents}} for seat, cents in antes.items()]
        )

    def begin(self, *, wager: int = 20000) -> None:
        """Open a round; where a player banks, on a wager of the bank."""
        self.send(round_open, **({} if self.house_banks else {"bank_wager_cents": wager}))

    def deal(self, antes: dict[int, int], *, wager: int = 20000) -> None:
        """A round up to the deal."""
        self.bet(antes, wager=wager)
        self.send(bets_close)
        self.send(round_deal)

    def play(self, antes: dict[int, int], *, wager: int = 20000) -> dict[str, Any]:
        """A whole round in which everybody plays; returns the answer of the settlement."""
        self.deal(antes, wager=wager)
        return self.settle(antes)

    def settle(self, antes: dict[int, int]) -> dict[str, Any]:
        positions = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in antes]
        return self.send(round_settle, bank_hand=BANK_HAND, positions=positions)


def closed_site() -> Site:
    """A room whose table 7 is closed and empty."""
    return kept(Site)


def running_site() -> Site:
    """The same with a shift, an open table on schedule 1, a dealer, seven players, and the bank at seat 3."""
    return kept(_running)


def house_site(rulebook: str) -> Site:
    """A room whose table 7 plays a game that the house banks: a shift, the dealer's down and seven players."""
    return kept(_HOUSE_SITES[rulebook])


def _running() -> Site:
    return Site().running()


def _massachusetts() -> Site:
    return _house_banked("massachusetts")


def _south_dakota() -> Site:
    return _house_banked("south_dakota")


def _shuffle_master() -> Site:
    return _house_banked("shuffle_master")


def _house_banked(rulebook: str) -> Site:
    site = Site()
    site.open(rulebook=rulebook)
    return site


_HOUSE_SITES: dict[str, Callable[[], Site]] = {
    "massachusetts": _massachusetts,
    "south_dakota": _south_dakota,
    "shuffle_master": _shuffle_master,
}
