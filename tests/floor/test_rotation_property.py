"""Any order of commands at a table, on the services, beside a model of rulings 40 and 51 to 53 that knows nothing of them.

The model keeps what happened as a list and counts it anew at each question. What it says is compared with the floor
after every command, and at the end the review and the shift report must find nothing in what the floor let pass.
"""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from cardroom.floor.commands.bank import offer_answer, offers_ask_again, turn_end, turn_renew
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.seats import down_start, player_leave, player_move, player_seat
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.models import JournalEntry, Shift, Table
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.rotation import day_period, table_rotation
from cardroom.floor.reads.table_state import last_bank_of, read_table
from cardroom.reports.shift.consecutive_rounds import runs_over_limit
from cardroom.rooms.gaming_day import gaming_day
from tests.cast import HANDS, Cast
from tests.filing import REFERENCE, table_settings

pytestmark = pytest.mark.outside

SEATS = range(1, 8)
LIMITS = {"two_rounds": 2, "every_hand": 1}
NOS = ("declined", "absent")


class Terms(NamedTuple):
    """What an approval says of who may bank."""

    back: bool = False
    needed: int = 0
    previous: bool = False
    ends: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """As the options of a game."""
        says: dict[str, Any] = {}
        if self.needed:
            says["wagered_rounds"] = self.needed
        if self.previous:
            says["previous_round"] = True
        if self.ends:
            says["all_decline"] = "game_ends"
        sources = {f"may_bank.{term}": "4" for term in says}
        approval: dict[str, Any] = {"may_bank": says, "number": REFERENCE, "sources": sources}
        if self.back:
            approval["order"] = {"direction": "counter_clockwise"}
            sources["order.direction"] = "3"
        return {"approval": approval} if sources else {}


@dataclasses.dataclass
class Model:
    """A table by ruling 40: `log` is what happened, `seated` who sits where, `bank` who holds the position.

    `wagered` are the settled rounds that a player wagered in since sitting down, `there` those settled since their stay
    at the present seat began, `last_round` who wagered where in the last one. `new_game`: the game ended as all declined.
    """

    terms: Terms = dataclasses.field(default_factory=Terms)
    wagered: dict[int, int] = dataclasses.field(default_factory=dict)
    there: dict[int, int] = dataclasses.field(default_factory=dict)
    last_round: set[tuple[int, int]] = dataclasses.field(default_factory=set)
    new_game: bool = False
    log: list[tuple[Any, ...]] = dataclasses.field(default_factory=list)
    seated: dict[int, int] = dataclasses.field(default_factory=dict)
    bank: int | None = None
    limit: int = 2
    stood_at: int | None = None

    def counted(self) -> tuple[int | None, int, dict[int, str]]:
        """Who banked the last settled round, how many in a row, and the answers of this run of offers."""
        last, count, answered = None, 0, dict[int, str]()
        for what, *facts in self.log:
            if what == "round":
                [player] = facts
                last, count = player, count + 1 if player == last else 1
            elif what == "answer":
                player, answer = facts
                answered[player] = answer
            elif what == "again":
                answered = {}
            elif what == "begins":
                player, seated = facts
                others = {other: answer for other, answer in answered.items() if other != player}
                if player == last and others and set(seated) - {player} <= set(others):
                    count = 0
                answered = {}
        return last, count, answered

    def ineligible(self) -> list[int]:
        """The seats whose players have wagered too little for the bank to be offered to them."""
        if not any(self.there.get(player) for player in self.seated.values()):
            return []
        return [
            seat
            for seat, player in self.seated.items()
            if player != self.bank
            and (
                self.wagered[player] < self.terms.needed
                or (self.terms.previous and (player, seat) not in self.last_round)
            )
        ]

    def in_order(self) -> list[int]:
        """The seats as the offers come to them, from where they stand."""
        if self.terms.back:
            stood_at = self.stood_at if self.stood_at is not None else 9
            return sorted(self.seated, key=lambda seat: (stood_at - 1 - seat) % 9)
        stood_at = self.stood_at if self.stood_at is not None else 0
        return sorted(self.seated, key=lambda seat: (seat - stood_at - 1) % 8)

    def unasked(self, asked: int) -> list[int]:
        """The seats that are passed over before `asked` is."""
        answered, order, last = self.counted()[2], self.in_order(), self.counted()[0]
        if self.bank is not None or self.seated[asked] != last:
            order = order[: order.index(asked)]
        out = self.ineligible()
        return [seat for seat in order if seat in out and self.seated[seat] not in answered]

    def expected(self) -> tuple[str, int | None]:
        """What comes next, and at which seat."""
        last, count, answered = self.counted()
        seat_of = {player: seat for seat, player in self.seated.items()}
        if self.bank is not None and (count if self.bank == last else 0) < self.limit:
            return "keep", seat_of[self.bank]
        held_back = last if self.bank is None else self.bank
        answered |= {self.seated[seat]: "ineligible" for seat in self.ineligible()} | answered
        for seat in self.in_order():
            if self.seated[seat] not in answered and self.seated[seat] != held_back:
                return "offer", seat
        others_asked = set(answered) - {held_back} if self.bank is None else answered
        asked = bool(others_asked) or bool(self.counted()[2])
        if held_back not in seat_of or held_back in answered or not (asked or count < self.limit):
            return "vacant", None
        full = (count if held_back == last else 0) >= self.limit
        if self.terms.ends and full and not (self.new_game and self.bank is None):
            return "vacant", None
        assert held_back is not None
        return "renew" if self.bank is not None else "offer", seat_of[held_back]


class Play:
    """Gives the commands to the floor and to the model. A command that makes no sense as the table stands is left out."""

    def __init__(self, cast: Cast, terms: Terms) -> None:
        self.cast = cast
        self.model = Model(terms=terms)
        self.before: tuple[Model, int | None] | None = None
        self.open = True
        self.shifts = 0
        self.compared = -1
        self.players = {player.pk: seat for seat, player in cast.players.items()}

    def command(self, name: str, number: int) -> None:
        kept, self.before = self.before, None
        if name == "undo":
            self.before = kept
        if self.open or name in ("close_open", "profile", "shift"):
            getattr(self, name)(number)

    def sit(self, number: int) -> None:
        player, seat = number % 7 + 1, number // 7 % 7 + 1
        if seat not in self.model.seated and player not in self.model.seated.values():
            self.cast.send(player_seat, seat=seat, player_id=self.cast.players[player].pk)
            self.model.seated[seat] = player
            self.model.wagered[player] = self.model.there[player] = 0

    def stand(self, number: int) -> None:
        if self.model.seated:
            seat = sorted(self.model.seated)[number % len(self.model.seated)]
            self.cast.send(player_leave, seat=seat)
            self.leaves(seat)

    def leaves(self, seat: int) -> None:
        if self.model.seated.pop(seat) == self.model.bank:
            self.gives_up(seat)

    def gives_up(self, seat: int) -> None:
        self.model.bank = None
        if not self.model.counted()[2]:
            self.model.stood_at = seat

    def move(self, number: int) -> None:
        free = [seat for seat in SEATS if seat not in self.model.seated]
        if self.model.seated and free:
            seat = sorted(self.model.seated)[number % len(self.model.seated)]
            to = free[number % len(free)]
            self.cast.send(player_move, seat=seat, to_seat=to)
            player = self.model.seated[seat]
            self.leaves(seat)
            self.model.seated[to] = player
            self.model.there[player] = 0

    def close_open(self, number: int) -> None:
        cast, model = self.cast, self.model
        stands_still = model.expected()[0] == "vacant" and bool(model.counted()[2])
        bank = next((seat for seat, player in model.seated.items() if player == model.bank), None)
        cast.send(table_close, "floor")
        for seat in list(model.seated):
            self.leaves(seat)
        if stands_still:
            model.log.append(("again",))
            model.stood_at = bank or Table.objects.get(pk=cast.table.pk).offers_start_after
            model.new_game = model.terms.ends
        cast.send(table_open, "floor")
        cast.send(down_start, "floor", dealer_id=cast.people["dealer"].pk)

    def profile(self, number: int) -> None:
        name = sorted(LIMITS)[number % len(LIMITS)]
        options = self.model.terms.options
        self.cast.send(table_set, "floor", **table_settings(self.cast.room, rotation=name, options=options))
        self.model.limit = LIMITS[name]

    def shift(self, number: int) -> None:
        self.shifts += 1
        self.cast.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get(closed_at=None).pk)
        self.cast.send_room(shift_open, name=f"Shift {self.shifts}")

    def answer(self, number: int) -> None:
        kind, seat = self.model.expected()
        if kind != "offer" or seat is None:
            return
        model, player = self.model, self.model.seated[seat]
        answer = "accepted" if number % 4 == 0 else NOS[number % 2]
        start = next((at for at, who in model.seated.items() if who == model.bank), None)
        self.pass_over(model.unasked(seat))
        self.before = copy.deepcopy(model), start
        self.cast.send(offer_answer, seat=seat, answer=answer)
        if answer == "accepted":
            self.begins(player, seat)
        else:
            model.log.append(("answer", player, answer))
            model.stood_at = seat

    def decline_all(self, number: int) -> None:
        for _ in SEATS:
            kind, seat = self.model.expected()
            if kind == "offer" and seat is not None and self.model.seated[seat] != self.model.counted()[0]:
                self.answer(1)

    def pass_over(self, seats: list[int]) -> None:
        for seat in seats:
            self.model.log.append(("answer", self.model.seated[seat], "ineligible"))
            self.model.stood_at = seat

    def begins(self, player: int, seat: int) -> None:
        self.model.log.append(("begins", player, tuple(self.model.seated.values())))
        self.model.bank, self.model.stood_at = player, seat

    def undo(self, number: int) -> None:
        """After an answer: all is as before it, but that a bank which it passed on is not given back."""
        if self.before is None:
            return
        before, start = self.before
        self.before = None
        self.cast.send(undo)
        if self.model.bank != before.bank:
            before.bank = None
            if not before.counted()[2] and start is not None:
                before.stood_at = start
        self.model = before

    def renew(self, number: int) -> None:
        kind, seat = self.model.expected()
        if kind == "renew" and seat is not None:
            self.cast.send(turn_renew)
            answered = self.model.counted()[2]
            self.pass_over(
                [each for each in self.model.ineligible() if self.model.seated[each] not in answered]
            )
            self.begins(self.model.seated[seat], seat)

    def give_up(self, number: int) -> None:
        model = self.model
        if model.bank is not None:
            self.cast.send(turn_end)
            self.gives_up(next(seat for seat, player in model.seated.items() if player == model.bank))

    def ask_again(self, number: int) -> None:
        kind, _ = self.model.expected()
        if kind in ("vacant", "renew") and self.model.counted()[2]:
            self.cast.send(offers_ask_again)
            self.model.log.append(("again",))
            # The next run begins after the last bank's seat.
            self.model.stood_at = Table.objects.get(pk=self.cast.table.pk).offers_start_after
            if self.model.bank is not None:
                self.model.stood_at = next(
                    seat for seat, player in self.model.seated.items() if player == self.model.bank
                )

    def bettors(self) -> list[int]:
        kind, bank = self.model.expected()
        if kind != "keep":
            return []
        return [seat for seat in sorted(self.model.seated) if seat in HANDS and seat != bank]

    def bettor(self) -> int | None:
        return next(iter(self.bettors()), None)

    def round(self, number: int) -> None:
        model = self.model
        if not (seats := self.bettors()):
            return
        # One of them, or all but that one.
        one = seats[number % len(seats)]
        playing = [one] if number % 2 or len(seats) == 1 else [seat for seat in seats if seat != one]
        self.cast.play(dict.fromkeys(playing, 1000))
        model.log.append(("round", model.bank))
        model.new_game = False
        model.last_round = {
            (player, seat) for seat, player in model.seated.items() if seat in playing or player == model.bank
        }
        for player in model.seated.values():
            model.there[player] += 1
        for player, _ in model.last_round:
            model.wagered[player] += 1

    def void(self, number: int) -> None:
        if (seat := self.bettor()) is not None:
            self.cast.bet({seat: 1000})
            self.cast.send(round_void, reason="device failure", approver=self.cast.people["floor"])

    def compare(self, after: str) -> None:
        if (carried_out := JournalEntry.objects.count()) == self.compared:
            return  # the command was left out, here and in the model
        self.compared = carried_out
        table = Table.objects.get(pk=self.cast.table.pk)
        state, (last, count, _) = read_table(table), self.model.counted()
        assert (state.step.kind, state.step.seat) == self.model.expected(), (
            f"after {after}: {state.step.reason}"
        )
        glance, _ = room_board(self.cast.room, state.shift, timezone.now())
        assert glance.state.step == state.step
        found = last_bank_of(table)
        if found is None:
            assert last is None
        else:
            assert (self.players[found.player], found.rounds) == (last, count), f"after {after}"
        if state.turn is not None and self.model.bank == last:
            assert state.turn.in_a_row == count, f"after {after}"


COMMANDS = [
    *("answer", "answer", "answer", "answer", "ask_again", "close_open", "decline_all", "give_up", "move"),
    *(
        "profile",
        "renew",
        "renew",
        "round",
        "round",
        "round",
        "shift",
        "sit",
        "sit",
        "sit",
        "stand",
        "undo",
        "void",
    ),
]
SITTING = [("sit", seat * 7 + seat) for seat in range(5)]
PASSED_ON = [("answer", 4), ("round", 0), ("round", 0), ("answer", 1), ("answer", 4), ("undo", 0)]


@settings(
    max_examples=12,
    deadline=None,
    phases=[
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
    ],  # an example takes seconds: what fails is reported without shrinking
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(commands=st.lists(st.tuples(st.sampled_from(COMMANDS), st.integers(0, 48)), min_size=10, max_size=45))
@example(commands=[*PASSED_ON, ("decline_all", 0), ("answer", 4), ("undo", 0), ("close_open", 0), *SITTING])
@example(
    commands=[("answer", 4), ("round", 0), ("round", 0), *[("close_open", 0), ("sit", 0), ("answer", 4)] * 3]
)
def test_no_order_of_commands_differs_from_the_ruling(cast: Cast, commands: list[tuple[str, int]]) -> None:
    compare_all(cast, Terms(), commands)


@settings(
    max_examples=15,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    terms=st.builds(Terms, st.booleans(), st.integers(0, 3), st.booleans(), st.booleans()),
    commands=st.lists(st.tuples(st.sampled_from(COMMANDS), st.integers(0, 48)), min_size=10, max_size=45),
)
@example(
    terms=Terms(back=True, needed=2, previous=True, ends=True),
    commands=[
        ("answer", 4),
        *[("round", 0)] * 2,
        ("sit", 41),
        *[("decline_all", 0)] * 2,
        ("close_open", 0),
        *SITTING,
    ],
)
def test_nor_does_it_under_an_approval_that_says_who_may_bank_and_which_way(
    cast: Cast, terms: Terms, commands: list[tuple[str, int]]
) -> None:
    compare_all(cast, terms, commands)


def compare_all(cast: Cast, terms: Terms, commands: list[tuple[str, int]]) -> None:
    with transaction.atomic():
        cast.open(seats=(), options=terms.options)
        play = Play(cast, terms)
        for name, number in [*SITTING, *commands]:
            play.command(name, number)
            play.compare(name)
        table = Table.objects.get(pk=cast.table.pk)
        today = day_period(cast.room, gaming_day(cast.room, timezone.now()))
        assert table_rotation(table, today).exceptions == []
        assert [runs_over_limit(shift.pk) for shift in Shift.objects.all() if runs_over_limit(shift.pk)] == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("seats", [(), (3,), (2, 5, 7)])
def test_the_model_by_hand(seats: tuple[int, ...]) -> None:
    """Cy banked two rounds and was closed out: alone nobody is asked, and else the seat clockwise from the third."""
    model = Model(log=[("round", 3), ("round", 3)], stood_at=3)
    model.seated = {seat: seat for seat in seats}
    assert model.expected() == (("offer", 5) if 5 in seats else ("vacant", None))
