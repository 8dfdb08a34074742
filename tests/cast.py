"""The room that every test plays in: two rooms, a person for each role, an outsider, players, and a table that is running.

`Cast()` builds the rooms, all by the commands. `open()` opens a shift and table 7 with a dealer and players, `bank_to(seat)`
carries the offers round until that seat banks, and `play({4: 1000})` plays a round. `closed_cast()`, `open_cast()`,
`running_cast()` and `house_cast()` are the worlds that tests begin with (`tests.kept`); the fixtures `cast` and `running`
of every folder are the first and the third.

    room    Cache Slough     people["dealer"] … people["inspector"], one of each role, and people["dealer_2"],
                             people["floor_2"]; people["outsider"] holds no role anywhere
    rival   Gold Bar         people["rival_dealer"] … people["rival_inspector"]; `at_rival()` is that room as a cast

Everybody's user name is their key here, their password is `PASSWORD` and their PIN `PIN`. Count teams, tips and rooms where
the house banks build on it: `tests/drop/room.py`, `tests/tips/room.py`, `tests/reports/house.py`.
"""

from __future__ import annotations

import copy
import functools
import itertools
from collections.abc import Iterable
from typing import Any, Self

from django.contrib.auth.hashers import make_password
from django.db import connection
from django.utils import timezone

from cardroom.demo.filings import schedules_seed
from cardroom.drop.models import CountSheet, DropBox, VarianceCheck, VarianceNote
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.boxes import box_waive, boxes_place
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.execution.carry_out import CommandMeta, RoomCommand, TableCommand
from cardroom.floor.models import (
    Down,
    JournalEntry,
    Offer,
    Round,
    Seating,
    Shift,
    StoredAnswer,
    Table,
    TimeCollection,
    Transfer,
    Turn,
    Waiver,
)
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.people.models import Employment, Pin, Player, Provider, Role, Staff
from cardroom.people.pins import pin_hash
from cardroom.rooms.models import Room
from cardroom.tips.models import HandIn, PoolRule, PoolSheet, WorkedHours
from games.registry import load_rulebook
from tests.filing import filed_game, table_settings
from tests.kept import kept

PASSWORD = "a cast has one password"  # of people who live for one test
PIN = "840372"  # theirs too
PLAYERS = {1: "Ana", 2: "Bo", 3: "Cy", 4: "Dee", 5: "Eve", 6: "Fay", 7: "Gus"}
#: Players of the room who do not sit down when the table opens; the last one works for the house.
WAITING = ("Hal", "Ida", "Jo of the house")

#: Hands of one deck by seat: the bank's king high qualifies; seats 1, 2, 4, 5 and 7 beat it, seat 6 does not.
BANK_HAND = "Kh 7d 4c"
HANDS = {
    1: "Ah Qd 2c",
    2: "9s 9c 3d",
    3: "Qs 8s 3h",
    4: "Js Jh 5c",
    5: "As Qc Td",
    6: "Tc 9d 2h",
    7: "5s 5d 2s",
}

#: Another hand for seat 4, which the bank beats.
JACK_HIGH = "Js 8h 5c"

#: The facts of drop and count, and those about tips.
COUNTED = (DropBox, CountSheet, VarianceCheck, VarianceNote)
TIPPED = (PoolRule, HandIn, WorkedHours, PoolSheet)

_keys = itertools.count(1)


def new_key() -> str:
    """Return an idempotency key that no other command of this run has."""
    return f"cast-{next(_keys)}"


class Cast:
    """Everybody, and where they are."""

    def __init__(self) -> None:
        self.people: dict[str, Staff] = {"outsider": _person("outsider")}
        self.room = self._room("Cache Slough", "cache-slough", prefix="")
        self.rival = self._room("Gold Bar", "gold-bar", prefix="rival_")
        self.hire("dealer_2", Role.DEALER)
        self.hire("floor_2", Role.FLOOR)
        self.players = {
            seat: Player.objects.create(room=self.room, name=name) for seat, name in PLAYERS.items()
        }
        self.waiting = [Player.objects.create(room=self.room, name=name) for name in WAITING]
        self.waiting[-1].staff = self.people["count"]
        self.waiting[-1].save()
        self.rival_player = Player.objects.create(room=self.rival, name="Rae")
        self.table = Table.objects.create(room=self.room, number=7)
        self.second_table = Table.objects.create(room=self.room, number=8)
        self.rival_table = Table.objects.create(room=self.rival, number=7)

    def _room(self, name: str, code: str, prefix: str) -> Room:
        room = Room.objects.create(name=name, code=code)
        provider = Provider.objects.create(room=room, name=f"Levee Players of {name}", contract_number="P-1")
        for role in Role:
            firm = provider if role == Role.PROVIDER_LEAD else None
            self.hire(f"{prefix}{role}", role, room=room, provider=firm)
        schedules_seed(room, self.people[f"{prefix}room_manager"])
        return room

    def hire(
        self, key: str, *roles: Role, room: Room | None = None, provider: Provider | None = None
    ) -> Staff:
        """Give `roles` in the room, or another, to the person of that key, who is made where there is none; return them."""
        person = self.people.get(key) or self.people.setdefault(key, _person(key))
        for role in roles:
            Employment.objects.create(staff=person, room=room or self.room, role=role, provider=provider)
        return person

    def schedule(self, number: int, room: Room | None = None) -> FeeSchedule:
        """Return the filed schedule of that number."""
        return FeeSchedule.objects.get(room=room or self.room, number=number)

    @functools.cached_property
    def game(self) -> GameFiling:
        """Game 1 of the room, which is filed when it is asked for first: the california rules with every option as it is."""
        return filed_game(self.room)

    def state(self, table: Table | None = None) -> TableState:
        """Return the current state of the table."""
        return read_table(Table.objects.get(pk=(table or self.table).pk))

    def meta(
        self,
        who: str | Staff = "dealer",
        table: Table | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> CommandMeta:
        """Return the metadata of a command at a table: who gives it, on the present version (or the given one), by a new key."""
        if version is None:
            version = Table.objects.values_list("version", flat=True).get(pk=(table or self.table).pk)
        return CommandMeta(actor=self._actor(who), key=key or new_key(), version=version)

    def send(
        self,
        command: TableCommand[...],
        who: str | Staff = "dealer",
        table: Table | None = None,
        /,
        **arguments: Any,
    ) -> Any:
        """Give a command at a table, on its present version."""
        return command(self.meta(who, table), (table or self.table).pk, **arguments)

    def send_room(
        self,
        command: RoomCommand[...],
        who: str | Staff = "shift_manager",
        room: Room | None = None,
        /,
        **arguments: Any,
    ) -> Any:
        """Give a command on a room, on its present version."""
        row = Room.objects.get(pk=(room or self.room).pk)
        meta = CommandMeta(actor=self._actor(who), key=new_key(), version=row.version)
        return command(meta, row.pk, **arguments)

    def _actor(self, who: str | Staff) -> Staff:
        return who if isinstance(who, Staff) else self.people[who]

    def at_rival(self) -> Self:
        """Return the rival room as a cast of its own: its people by the same keys, its table 7, and seven players."""
        rival = copy.copy(self)
        rival.room, rival.table = self.rival, self.rival_table
        rival.people = {
            key.removeprefix("rival_"): person
            for key, person in self.people.items()
            if key.startswith("rival_")
        }
        rival.players = {
            seat: Player.objects.create(room=self.rival, name=name) for seat, name in PLAYERS.items()
        }
        return rival

    def open(
        self,
        *,
        seats: tuple[int, ...] = tuple(PLAYERS),
        schedule: int | None = 1,
        rulebook: str = "california",
        options: dict[str, Any] | None = None,
        box: bool = True,
        tray: bool = True,
    ) -> None:
        """Open a shift and table 7 on a schedule, with a drop box, the dealer's down and players at `seats`.

        A game that the house banks charges nothing: its tray is opened, and the room is one of a jurisdiction that permits it.
        """
        house_banks = not load_rulebook(rulebook).player_banked
        filed = None if schedule is None or house_banks else self.schedule(schedule).pk
        self.send_room(shift_open, name="Swing")
        settings = table_settings(self.room, rulebook=rulebook, options=options, schedule_id=filed)
        self.send(table_set, "floor", **settings)
        self.send(table_open, "floor")
        if box:
            self.hang_box()
        self.send(down_start, "floor", dealer_id=self.people["dealer"].pk)
        if house_banks:
            self.room.refresh_from_db()  # whose jurisdiction may be another now
            if tray:
                self.open_tray()
        for seat in seats:
            self.send(player_seat, seat=seat, player_id=self.players[seat].pk)

    def open_tray(self) -> None:
        """Let the floor and the dealer count $50,000 in the tray of the house, and open it."""
        self.send(tray_open, "floor", chips={"10000": 500}, approver=self.people["dealer"])

    def hang_box(self, number: int = 70, kind: str = "drop", table: Table | None = None) -> None:
        """Put a box on table 7, or another."""
        boxes = [{"table": (table or self.table).pk, "number": number, "kind": kind}]
        self.send_room(boxes_place, "floor", boxes=boxes)

    def let_collect(self) -> None:
        """Let table 7 collect without a drop box."""
        self.send(box_waive, "floor", reason="the boxes are late")

    def bank_to(self, seat: int, table: Table | None = None, who: str | Staff = "dealer") -> None:
        """Offer the bank clockwise until `seat` takes it; everybody asked before declines."""
        asked = None
        while asked != seat:
            asked = self.state(table).step.seat
            assert asked is not None, "nobody is left to be offered the bank"
            answer = "accepted" if asked == seat else "declined"
            self.send(offer_answer, who, table, seat=asked, answer=answer)

    def running(self) -> Self:
        """Open table 7 and let seat 3 bank."""
        self.open()
        self.bank_to(3)
        return self

    def begin(self, *, wager: int = 20000) -> None:
        """Open a round; where a player banks, on a wager of the bank."""
        rulebook = Table.objects.values_list("rulebook", flat=True).get(pk=self.table.pk)
        self.send(
            round_open, **({"bank_wager_cents": wager} if load_rulebook(rulebook).player_banked else {})
        )

    def bet(self, antes: dict[int, int], *, wager: int = 20000) -> None:
        """Open a round and place antes in cents by seat."""
        self.begin(wager=wager)
        positions = [{"seat": seat, "wagers": {"ante": cents}} for seat, cents in antes.items()]
        self.send(bets_place, positions=positions)

    def deal(self, antes: dict[int, int], *, wager: int = 20000) -> None:
        """Play a round up to the deal."""
        self.bet(antes, wager=wager)
        self.send(bets_close)
        self.send(round_deal)

    def play(self, antes: dict[int, int], *, wager: int = 20000, hands: dict[int, str] | None = None) -> Any:
        """Play a whole round in which everybody plays; return the answer of the settlement."""
        self.deal(antes, wager=wager)
        return self.settle(antes, hands)

    def settle(self, seats: Iterable[int], hands: dict[int, str] | None = None) -> Any:
        """Settle a round that is dealt, in which all of `seats` play: with the cast's hands, but for those in `hands`."""
        held = {**HANDS, **(hands or {})}
        positions = [{"seat": seat, "hand": held[seat], "decision": "play"} for seat in seats]
        return self.send(round_settle, bank_hand=BANK_HAND, positions=positions)


def closed_cast() -> Cast:
    """Everybody, with the doors still closed."""
    return kept(Cast)


def open_cast() -> Cast:
    """Table 7 open on schedule 1 with seven players and the dealer; nobody banks yet."""
    return kept(_open)


def running_cast() -> Cast:
    """The same with seat 3 at the bank."""
    return kept(_running)


def house_cast(rulebook: str = "massachusetts") -> Cast:
    """Table 7 open on a game that the house banks, with a box, the dealer and seven players; its tray is open."""
    return kept(_house_banks, rulebook)


def uncounted_cast() -> Cast:
    """The same with players at seats 1 and 4, before the tray is counted."""
    return kept(_uncounted)


def _open() -> Cast:
    cast = Cast()
    cast.open()
    return cast


def _running() -> Cast:
    return Cast().running()


def _house_banks(rulebook: str) -> Cast:
    cast = Cast()
    cast.open(rulebook=rulebook)
    return cast


def _uncounted() -> Cast:
    cast = Cast()
    cast.open(rulebook="massachusetts", seats=(1, 4), tray=False)
    return cast


def table_7() -> Table:
    """Return the current row of table 7 of the cast's room, where no cast is at hand."""
    return Table.objects.get(number=7, room__code="cache-slough")


def sheet(
    antes: dict[int, int], *, bank: int = 3, wager: int = 20000, fold: tuple[int, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return a whole sheet with the cast's hands: antes in cents by seat, the bank at seat `bank`."""
    positions = [
        {
            "seat": seat,
            "player": PLAYERS[seat],
            "hand": HANDS[seat],
            "wagers": {"ante": cents},
            "decision": "fold" if seat in fold else "play",
        }
        for seat, cents in antes.items()
    ]
    return {
        "rulebook": "california",
        "bank": {"seat": bank, "wager": wager},
        "bank_hand": BANK_HAND,
        "positions": positions,
        **more,
    }


def _person(key: str) -> Staff:
    person = Staff.objects.create(
        username=key, password=_password(), display_name=key.replace("_", " ").capitalize()
    )
    give_pin(person)
    return person


def give_pin(person: Staff) -> None:
    """Let a person sign with the cast's PIN."""
    Pin.objects.create(staff=person, hash=pin_hash(PIN, person), set_at=timezone.now())


@functools.cache
def _password() -> str:
    return make_password(PASSWORD)


def written() -> dict[str, Any]:
    """Return the number of rows of every table of facts, and every version: what a refusal leaves alone."""
    facts = (
        Round,
        Transfer,
        Waiver,
        TimeCollection,
        JournalEntry,
        StoredAnswer,
        Offer,
        Turn,
        Seating,
        Down,
        Shift,
        *COUNTED,
        *TIPPED,
    )
    name = connection.ops.quote_name
    counts = ", ".join(f"(SELECT COUNT(*) FROM {name(model._meta.db_table)})" for model in facts)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counts}")  # our own tables
        counted = cursor.fetchone()
    return {
        **{model.__name__: count for model, count in zip(facts, counted, strict=True)},
        "tables": list(Table.objects.order_by("pk").values_list("pk", "version", "chain_hash", "state")),
        "rooms": list(Room.objects.order_by("pk").values_list("pk", "version", "chain_hash")),
        "rounds": list(Round.objects.order_by("pk").values_list("pk", "state", "bets", "bank_wager_cents")),
    }


def written_but_wrong_pins() -> dict[str, Any]:
    """The same where a signature may be wrong: that alone is an entry in the room's chain (`pin_refuse`)."""
    state = written()
    state["JournalEntry"] -= JournalEntry.objects.filter(command="pin_refuse").count()
    state["rooms"] = [(room, version) for room, version, _ in state["rooms"]]
    return state
