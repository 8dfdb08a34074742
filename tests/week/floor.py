"""The floor of the week: shifts, tables, rounds, boxes, counts and tips by the API, and what they must come to, added up apart."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from tests.cast import BANK_HAND, HANDS

from .opening import BANK_HIGH, BANK_LOW, FEE, MIDDLE
from .site import Site
from .somebody import Somebody

#: Ante of a seat in cents, taken in turn.
ANTES = (500, 2_500, 4_000, 6_000)
TIP = 500


@dataclasses.dataclass
class Sums:
    """What a week must come to, in cents and rounds."""

    drop: Counter[tuple[int, int]] = dataclasses.field(default_factory=Counter)
    rounds: int = 0
    voids: int = 0
    tips_won: int = 0
    short: int = 0


class Floor:
    """The room's floor; `dear_from` is the day of the week from which the player-dealer pays a dollar more."""

    dear_from = 4

    def __init__(self, site: Site, people: dict[str, Somebody]) -> None:
        self.site, self.people, self.sums, self.day = site, people, Sums(), 0
        [room] = people["walt"].ask("rooms")
        self.room, self.at_room = room["room"], f"rooms/{room['room']}"
        rows = people["flo"].ask(f"{self.at_room}/tables")
        self.tables = {row["number"]: row["table"] for row in rows}
        self.staff = {row["username"]: row["staff"] for row in people["walt"].ask(f"{self.at_room}/staff")}
        self.antes = itertools.cycle(ANTES)
        self.shift = 0
        self.opened = [1, 2]

    def table(self, number: int) -> Any:
        """A table's record."""
        return self.people["flo"].ask(f"tables/{self.tables[number]}")

    def at(self, number: int, who: str, method: str, what: str, body: Any = None) -> Any:
        """Give a command at a table."""
        return self.people[who].send(method, f"tables/{self.tables[number]}/{what}", body)

    def room_does(self, who: str, method: str, what: str, body: Any = None) -> Any:
        """Give a command on the room."""
        return self.people[who].send(method, f"{self.at_room}/{what}", body)

    def passes(self, minutes: float) -> None:
        """Let time go by."""
        self.site.passes(datetime.timedelta(minutes=minutes))

    def dealer_of(self, number: int) -> str:
        """The user name of who deals at a table."""
        dealing = self.table(number)["dealer"]["id"]
        return next(name for name, pk in self.staff.items() if pk == dealing)

    def seats(self, number: int) -> list[int]:
        """The seats at which somebody sits."""
        return [each["seat"] for each in self.table(number)["seats"] if each["player"] is not None]

    def begins_turn(self, number: int, bank: int) -> None:
        """Offer the bank on, until `bank` takes it; who holds it and may go on does."""
        while (step := self.table(number)["next"])["kind"] != "keep":
            assert step["kind"] == "offer", step
            answer = "accepted" if step["seat"] == bank else "declined"
            self.at(
                number, self.dealer_of(number), "POST", "offers", {"seat": step["seat"], "answer": answer}
            )

    def plays(self, number: int, *, tip: bool = False, until_deal: bool = False) -> None:
        """Play a round to its settlement, or to its deal."""
        self.passes(2)
        record = self.table(number)
        seats = self.seats(number)
        if record["next"]["kind"] != "keep":
            held = None if record["turn"] is None else record["turn"]["seat"]
            self.begins_turn(number, next(seat for seat in seats if seat != held))
        bank = self.table(number)["turn"]["seat"]
        dealer = self.dealer_of(number)
        antes = {seat: next(self.antes) for seat in seats if seat != bank}
        self.at(number, dealer, "POST", "rounds", {"bank_wager_cents": 100_000})
        bets: list[dict[str, Any]] = [
            {"seat": seat, "wagers": {"ante": ante}} for seat, ante in antes.items()
        ]
        if tip:
            bets[-1]["tips"] = {"ante": TIP}
        self.at(number, dealer, "PUT", "rounds/current/bets", {"positions": bets})
        self.at(number, dealer, "POST", "rounds/current/close-bets", {})
        self.at(number, dealer, "POST", "rounds/current/deal")
        if until_deal:
            return
        shown = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in antes]
        said = {"bank_hand": BANK_HAND, "positions": shown}
        self.at(number, dealer, "POST", "rounds/current/settle", said)
        # Every hand but that of seat 6 beats the bank's: the tip is paid even money.
        self.counts(number, antes)
        self.sums.tips_won += 2 * TIP if tip and max(antes) != 6 else 0

    def counts(self, number: int, antes: Mapping[int, int]) -> None:
        """Add a settled round to what the week must come to."""
        dear = 100 if self.day >= self.dear_from else 0
        band = BANK_LOW if sum(antes.values()) <= MIDDLE else BANK_HIGH
        cents = FEE * len(antes) + band + dear
        self.sums.drop[self.day, number] += cents
        self.sums.rounds += 1

    def notes_shift(self) -> None:
        """Note which shift is open."""
        self.shift = self.people["sam"].ask(f"{self.at_room}/shifts")["results"][0]["id"]

    def opens_shift(self) -> None:
        """Open the day's shift; a drop box is put on every table."""
        answer = self.room_does("sam", "POST", "shifts", {"name": "Swing"})
        assert len(answer["boxes"]) == len(self.tables)
        self.notes_shift()

    def opens(self, number: int, dealer: str, players: Mapping[int, str]) -> None:
        """Open a table as it is set, with a dealer and players by seat."""
        self.at(number, "flo", "POST", "open")
        self.at(number, "flo", "PUT", "down", {"dealer_id": self.staff[dealer]})
        for seat, name in players.items():
            self.seats_player(number, seat, name)

    def seats_player(self, number: int, seat: int, name: str) -> None:
        """Seat a player of the room."""
        self.at(number, "flo", "PUT", f"seats/{seat}", {"player_id": self.player(name)})

    def player(self, name: str) -> int:
        """The id of a player of the room."""
        rows = self.people["flo"].ask(f"{self.at_room}/players?search={quote(name)}")
        return next(int(row["id"]) for row in rows if row["name"] == name)

    def pushes(self, **reliefs: str) -> None:
        """Push tables (`t1="dee"`): who comes in where."""
        rows = [{"table": self.tables[int(at[1:])], "dealer": self.staff[who]} for at, who in reliefs.items()]
        answer = self.room_does("flo", "POST", "pushes", {"reliefs": rows})
        assert len(answer["relieved"]) == len(reliefs)

    def clears(self, number: int) -> None:
        """Let everybody leave a table, and close it."""
        for seat in self.seats(number):
            self.at(number, "flo", "DELETE", f"seats/{seat}")
        self.at(number, "flo", "DELETE", "down")
        self.at(number, "flo", "POST", "close")

    def hanging(self) -> list[Any]:
        """The boxes that hang at tables."""
        rows: list[Any] = self.people["cal"].ask(f"{self.at_room}/boxes")
        return [row for row in rows if row["dropped_at"] is None]

    def counts_boxes(self, short: int = 0) -> int:
        """Pull every box and count it blind by two; `short` cents are missing of table 1's. Return that one."""
        hanging = self.hanging()
        pulled = {"boxes": [row["id"] for row in hanging], "witness": self.people["cat"].approver}
        self.room_does("cal", "POST", "boxes/drop", pulled)
        self.passes(10)
        for row in hanging:
            cents = self.sums.drop[self.day, row["table_number"]] - (short if row["table_number"] == 1 else 0)
            for counter in ("cal", "cat"):
                self.room_does(counter, "POST", f"boxes/{row['id']}/count", {"pieces": pieces(cents)})
        self.sums.short += short
        return next(int(row["id"]) for row in hanging if row["table_number"] == 1)

    def hands_in(self, dealer: str, cents: int) -> None:
        """Let a dealer hand tips in."""
        said = {"dealer_id": self.staff[dealer], "cents": cents}
        self.room_does("fay", "POST", f"shifts/{self.shift}/hand-ins", said)

    def closes_shift(self) -> None:
        """Close the shift, and share its tips out."""
        self.room_does("sam", "POST", f"shifts/{self.shift}/close", {"confirmed": True})
        self.shares_tips()

    def shares_tips(self) -> None:
        """Close the sheet of the shift's tips on its page."""
        page = f"/shifts/{self.shift}/tips/"
        self.people["sam"].done_at(page, f"{page}close/", "are shared out")

    def sets(self, number: int, schedule: int) -> None:
        """Set a table to the filed game and a schedule, with the limits of table 1."""
        at_first = self.table(1)
        said = {"game_id": at_first["game"]["id"], "schedule_id": schedule, "recording": "cards"}
        self.at(number, "flo", "PUT", "settings", {**said, "wager_limits": at_first["wager_limits"]})

    def deals(self, number: int) -> None:
        """Play a round up to the deal."""
        self.plays(number, until_deal=True)


def pieces(cents: int) -> list[dict[str, Any]]:
    """Cents of a box as dollar chips."""
    return [{"kind": "chip", "cents": 100, "pieces": cents // 100}] if cents else []
