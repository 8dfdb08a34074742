"""The state machine: two tables and their room from some start, and any order of the commands that are declared.

A step is the command that a table waits for, so that rounds are played; or any command by anybody, with inputs drawn by
their kinds; or, mostly, a command that this example has not carried out yet, with inputs that `valid.py` finds in the
present state. Where it is not taken, commands that lead to the state that it needs come first (`goals.py`). After each
command that is carried out all must hold that the model and the printed rules say.
"""

from __future__ import annotations

import contextlib
import io
import itertools
from collections import Counter, defaultdict
from typing import Any, ClassVar

import time_machine
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from cardroom.core.commands import COMMANDS, Declaration
from cardroom.floor.errors import FloorError
from cardroom.floor.models import (
    JournalEntry,
    Offer,
    Round,
    Shift,
    Table,
    TimeCollection,
    Transfer,
    Turn,
    Waiver,
)
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.table_state import TableState
from cardroom.people.rights import RIGHTS
from cardroom.reports.catalogue.collection import collection
from cardroom.reports.queries.query import ReportQuery
from cardroom.reports.shift.making import shift_report_make
from tests.cast import BANK_HAND, HANDS, Cast, written
from tests.clock import NOON
from tests.measure.races.conditions import conditions_of
from tests.measure.races.states import apart_from

from .goals import BEFORE, DECLINED, NEXT, RECHARGED, WAIT
from .inputs import drawn
from .model import ALL, BANK, Model, fees_due
from .starts import HOUSE, PLAYERS, Start
from .valid import given

ROLES = ("dealer", "floor", "shift_manager", "room_manager", "count", "compliance")
#: Of ten steps so many are goals, and so many what a table waits for; the others are any command with any inputs.
GOALS_OF_TEN, STEPS_OF_TEN = 7, 2
#: How many inputs of a command are tried, and how long a way is gone to it.
MOST_TRIES, MOST_BEFORE = 8, 5
HALF_AN_HOUR = 31 * 60
#: What a command is refused with at every table whose bank, schedule or game is of another kind.
OF_OTHER_TABLES = {
    "player_banked",
    "house_banks",
    "no_progressive",
    "no_waiver_rule",
    "no_time",
    "no_back_line",
    "no_card_up",
}
#: The refusals after which an alert stands at the table.
RAISE_ALERTS = {"permit_expired", "badge_expired"}
Given = tuple[str, str, dict[str, Any]]


class Floor(RuleBasedStateMachine):
    """One example: a room as it is at some start, and whatever comes."""

    starts: ClassVar[dict[str, Start]]
    #: The commands that are the goals as long as they are not carried out; all, where none are named.
    focus: ClassVar[frozenset[str]] = frozenset()
    #: Commands that were carried out, and refused with which code, over all examples.
    carried_out: ClassVar[Counter[str]] = Counter()
    refused: ClassVar[dict[str, Counter[str]]] = defaultdict(Counter)

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        self.travel = time_machine.travel(NOON.timestamp())
        self.clock = self.travel.start()
        self.cast: Cast | None = None
        self.done: set[str] = set()
        self.commands: list[str] = []
        #: What was in the tables after the last command, if that was refused.
        self.facts: dict[str, Any] = {}
        #: What lay in the drop by the model as the open shift began.
        self.dropped_before = 0
        self.last_command = ""

    def teardown(self) -> None:
        try:
            if self.cast is not None:
                self.hold_at_the_end(self.cast)
        finally:
            self.travel.stop()
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    # --- What may happen ---------------------------------------------------------------------------------------------

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Enter a start, and tell the model of what was played by then."""
        start = self.starts[data.draw(st.sampled_from(list(self.starts)), label="start")]
        self.cast = start(self.clock)
        self.model = Model()
        for turn in Turn.objects.order_by("pk"):
            self.model.renewed(turn.table_id)
            for each in Round.objects.filter(turn=turn, state=Round.State.SETTLED, corrects=None):
                self.model.settled(each.table_id, turn.player_id)
        self.note_fees()
        for corrected in Round.objects.filter(corrects__isnull=False).order_by("pk"):
            if Transfer.objects.filter(round=corrected, kind__in=Transfer.COLLECTION_KINDS).exists():
                self.note_correction(corrected)
        earlier = set(Round.objects.filter(shift__closed_at__isnull=False).values_list("pk", flat=True))
        self.dropped_before = sum(cents for pk, cents in self.model.paid.items() if pk in earlier)
        self.hold()

    @rule(data=st.data(), turn=st.integers(1, 10))
    def step(self, data: st.DataObject, turn: int) -> None:
        assert self.cast is not None
        tables = [self.cast.table, self.cast.second_table]
        table = data.draw(st.sampled_from(tables), label="table")
        before = len(self.commands)
        if (
            turn <= GOALS_OF_TEN
        ):  # first, for Hypothesis begins with the least of all: an example that tries command by command
            goal = data.draw(st.sampled_from(self.goals(self.cast.state(table))), label="goal")
            self.reach(data, goal, table, MOST_BEFORE)
        elif turn <= GOALS_OF_TEN + STEPS_OF_TEN:
            self.reach(data, NEXT, table, 0)
        else:
            command = data.draw(st.sampled_from(list(COMMANDS.values())), label="command")
            may = [role for role in ROLES if role in RIGHTS[command.right]] or ["dealer"]
            who = data.draw(st.sampled_from([*may * 4, "outsider"]), label="who")
            self.give(command, who, drawn(data, command, self.cast), table)
        if len(self.commands) > before:
            self.reports_say_what_the_model_says(self.cast)

    def goals(self, state: TableState) -> list[str]:
        """The commands that this example has not carried out yet, less those that no table of its kind takes."""
        of_kind = [
            name
            for name in COMMANDS
            if not (check := COMMANDS[name].check)
            or COMMANDS[name].place == "room"
            or not (why := check(state))
            or why.code not in OF_OTHER_TABLES
        ]
        left = [name for name in of_kind if name not in self.done] or of_kind
        return [name for name in left if name in self.focus] or left

    def reach(self, data: st.DataObject, goal: str, table: Table, depth: int) -> bool:
        """Try to carry out a command, after others that lead to it if need be; tell whether it was."""
        latest = depth < MOST_BEFORE  # what leads to a goal goes by the latest rows
        assert self.cast is not None
        if goal == WAIT:
            self.clock.shift(HALF_AN_HOUR)
            return True
        if goal == DECLINED:
            seat = self.cast.state(table).step.seat
            return seat is not None and self.give(
                COMMANDS["offer_answer"], "floor", {"seat": seat, "answer": "declined"}, table
            )
        if goal == RECHARGED:
            rounds = given(COMMANDS["round_correct"], self.cast, table, more=True)
            return any(
                self.give(COMMANDS["round_correct"], who, inputs, table)
                for who, inputs in rounds
                if "drop" in inputs
            )
        if goal == NEXT:
            found = self.next_step(data, self.cast.state(table))
            if isinstance(found, str):
                return self.reach(data, found, table, 0)
            name, who, inputs = found
            return self.give(COMMANDS[name], who, inputs, table)
        if self.carry_out(data, COMMANDS[goal], table, latest=latest):
            return True
        for before in BEFORE.get(goal, ()) if depth else ():
            if self.reach(data, before, table, depth - 1) and self.carry_out(
                data, COMMANDS[goal], table, latest=latest
            ):
                return True
        return False

    def carry_out(self, data: st.DataObject, command: Declaration, table: Table, *, latest: bool) -> bool:
        """Give a command with inputs of the present state until one is taken; tell whether one was."""
        assert self.cast is not None
        table = Table.objects.get(pk=self.cast.table.pk if command.place == "room" else table.pk)
        if (
            command.place == "table"
            and command.check is not None
            and (why := command.check(self.cast.state(table)))
        ):
            self.refused[command.name][why.code] += 1
            return False
        tries = list(itertools.islice(given(command, self.cast, table, more=True), 3 * MOST_TRIES))
        if len(tries) > 1 and not latest:
            first = data.draw(st.integers(0, len(tries) - 1), label=f"{command.name}: first of its inputs")
            tries = [*tries[first:], *tries[:first]]
        return any(self.give(command, who, inputs, table) for who, inputs in tries[:MOST_TRIES])

    def next_step(self, data: st.DataObject, state: TableState) -> Given | str:
        """The command that a table waits for, by name alone where its inputs are as any."""
        if state.shift is None:
            return "shift_open"
        if state.table.state != Table.State.OPEN:
            return "table_open"
        if state.down is None:
            return "down_start"
        live = state.live
        if live is None:
            return self.between_rounds(data, state)
        places = [seat for seat in sorted(state.seatings) if seat != live.bank_seat]
        if live.state == Round.State.BETTING:
            if live.bets or not places or live.by_eye:
                return "bets_close" if live.bets else "bets_place"
            antes = data.draw(
                st.lists(st.sampled_from([500, 1000, 2500, 10000]), min_size=1, max_size=len(places)),
                label="antes",
            )
            bets = [
                {"seat": seat, "wagers": {"ante": cents}} for seat, cents in zip(places, antes, strict=False)
            ]
            return "bets_place", "floor", {"positions": bets}
        if live.dealt_at is None:
            return "round_deal"
        if live.by_eye:
            return "round_finish"
        decision = data.draw(st.sampled_from(["play", "play", "fold"]), label="decision")
        results = [
            {"seat": bet["seat"], "hand": HANDS.get(bet["seat"], HANDS[7]), "decision": decision}
            for bet in live.bets
        ]
        return "round_settle", "floor", {"bank_hand": BANK_HAND, "positions": results}

    def between_rounds(self, data: st.DataObject, state: TableState) -> Given | str:
        assert self.cast is not None
        step = state.step
        if state.house_banks:
            tray_open = COMMANDS["tray_open"]
            return "tray_open" if tray_open.check and not tray_open.check(state) else "round_open"
        if step.kind == "keep":
            wager = data.draw(st.sampled_from([1500, 4000, 100000]), label="bank wager")
            return "round_open", "floor", {"bank_wager_cents": wager}
        if step.kind == "offer":
            answer = data.draw(
                st.sampled_from(["declined", "accepted", "declined", "absent"]), label="answer"
            )
            return "offer_answer", "floor", {"seat": step.seat, "answer": answer}
        return {"renew": "turn_renew", "pause": "turn_pause"}.get(step.kind, "offers_ask_again")

    def give(self, command: Declaration, who: str, inputs: dict[str, Any], table: Table) -> bool:
        """Give a command and see that all holds; a refusal leaves everything as it was. Tell whether it was carried out."""
        assert self.cast is not None
        before = self.facts or written()
        at = conditions_of(self.cast.state(table))
        self.last_command = f"{command.name} by {who} at {table}: {inputs}, after {self.commands}"
        place: tuple[Table, ...] = (table,) if command.place == "table" else ()
        send = self.cast.send if command.place == "table" else self.cast.send_room
        try:
            self.last_answer = send(command, who, *place, **inputs)
        except FloorError as refusal:
            refused = refusal.code
        else:
            refused = ""
        if refused:
            self.refused[command.name][refused] += 1
            self.nothing_was_written(before, refused)
            return False
        self.facts = {}
        self.carried_out[command.name] += 1
        apart = apart_from(command.name, at)
        assert apart == [], (
            f"{command.name} was taken in a state of {apart}, which docs/measured/races.md lists as never together with it"
        )
        self.done.add(command.name)
        self.commands.append(f"{command.name} {table.number}")
        event(command.name)
        self.note(command.name, inputs, table.pk)
        self.hold()
        return True

    def nothing_was_written(self, before: dict[str, Any], refused: str) -> None:
        """Hold that a refusal has left everything as it was, but for the alert that some raise."""
        now = written()
        self.facts = dict(now)
        if refused in RAISE_ALERTS:
            of_alerts = {"JournalEntry", "tables"}
            before, now = (
                {name: rows for name, rows in state.items() if name not in of_alerts}
                for state in (before, now)
            )
        assert now == before, f"{self.last_command} was refused with {refused}, and yet something was written"

    # --- The model ---------------------------------------------------------------------------------------------------

    def note(self, name: str, inputs: dict[str, Any], table: int) -> None:
        """Tell the model of a command."""
        if name in ("round_settle", "round_finish", "round_record"):
            last = Round.objects.filter(table=table, corrects__isnull=True).latest("pk")
            if last.bank_player_id is not None:
                self.model.settled(table, last.bank_player_id)
        if name == "turn_renew" or (name == "offers_decline" and self.last_answer.get("bank_seat")):
            self.model.renewed(table)
        if name == "offer_answer" and inputs["answer"] == "accepted":
            self.note_acceptance(table)
        if name == "round_correct" and inputs.get("drop") not in (None, "as_recorded"):
            self.note_correction(Round.objects.filter(corrects__isnull=False).latest("pk"))
        if name == "shift_open":
            self.dropped_before = self.drop_cents
        self.note_fees()

    def note_correction(self, corrected: Round) -> None:
        """Note what a round has come to pay whose correction changed the drop."""
        self.model.paid[_first(corrected)] = self.due(corrected, corrected.sheet["positions"])

    def note_fees(self) -> None:
        """Note what rounds have come to pay, and what went back to them."""
        for each in Round.objects.filter(corrects__isnull=True):
            if each.state in (Round.State.BETTING, Round.State.VOID):
                back = self.model.paid.pop(each.pk, 0)
                if each.shift is not None and each.shift.closed_at is not None:
                    self.dropped_before -= back  # what goes back of a round is its shift's, which is over
            elif each.pk not in self.model.paid:
                self.model.paid[each.pk] = self.due(each, each.bets)
            elif each.state == Round.State.BETS_CLOSED:  # a waiver gives back, and its undo takes again
                due = self.due(each, each.bets)
                if each.shift is not None and each.shift.closed_at is not None:
                    self.dropped_before += due - self.model.paid[each.pk]
                self.model.paid[each.pk] = due

    def note_acceptance(self, table: int) -> None:
        """Who accepts after all others were asked begins anew, the player who banked last too."""
        assert self.cast is not None
        state, banked = self.cast.state(Table.objects.get(pk=table)), self.model.banked.get(table)
        if state.turn is not None and banked and banked[-1] == state.turn.player_id:
            others = {sitting.player_id for sitting in state.seatings.values()} - {state.turn.player_id}
            answered = set(Offer.objects.filter(table=table).values_list("player", flat=True))
            if others <= answered:
                self.model.renewed(table)

    def due(self, of: Round, bets: Any) -> int:
        """What a round pays by the model."""
        if of.house_banks or of.schedule is None:
            return 0
        waivers = Waiver.objects.filter(round=_first(of), withdrawn_at=None)
        waived = [
            each.covers if each.covers in (ALL, BANK) else (each.seat or 0, each.behind) for each in waivers
        ]
        return fees_due(of.schedule.document, bets, waived)

    @property
    def drop_cents(self) -> int:
        """What lies in the drop by the model, of all shifts."""
        timed = sum(TimeCollection.objects.values_list("cents", flat=True))
        return sum(self.model.paid.values()) + timed

    # --- What holds after every command ----------------------------------------------------------------------------------

    def hold(self) -> None:
        """Hold the facts and the reports to the model and the rules."""
        assert self.cast is not None
        self.the_drop_is_what_the_model_says()
        self.what_moves_in_a_round_stays_within_its_wagers()
        self.numbers_have_no_gaps(self.cast)
        for table in (self.cast.table, self.cast.second_table):
            if self.model.in_a_row(table.pk) > 2:
                limit = self.cast.state(table).profile.offer_after_rounds
                assert limit is None, self.last_command  # another rotation counts minutes

    def the_drop_is_what_the_model_says(self) -> None:
        cents = 0
        for each in Transfer.objects.filter(kind__in=Transfer.COLLECTION_KINDS):
            cents += each.cents if each.target == Transfer.Account.DROP else -each.cents
        assert cents == self.drop_cents, self.last_command

    def reports_say_what_the_model_says(self, cast: Cast) -> None:
        """Hold the board and the collection report to the model, once a step: they read the most."""
        shift = Shift.objects.filter(room=cast.room, closed_at=None).first()
        if shift is None:
            return
        board = room_board(cast.room, shift, timezone.now())
        in_shift = self.drop_cents - self.dropped_before
        assert sum(card.drop_cents or 0 for card in board) == in_shift, self.last_command
        query = ReportQuery(
            room=cast.room,
            first=shift.gaming_day,
            last=shift.gaming_day,
            staff=cast.people["shift_manager"],
            now=timezone.now(),
            shift=shift,
        )
        said = {answer.name: answer.value for answer in collection(query).answers}
        assert said["drop_cents"] == in_shift, self.last_command
        assert said["difference_cents"] == 0, self.last_command

    def what_moves_in_a_round_stays_within_its_wagers(self) -> None:
        """Players and bank win of each other alone, and the bank pays and takes its wager at most (ruling 6)."""
        moved = defaultdict[int, int](int)
        between = Transfer.objects.filter(kind__in=(Transfer.Kind.PAY, Transfer.Kind.TAKE))
        for round_, source, target, cents in between.values_list("round", "source", "target", "cents"):
            moved[round_] += cents * ((target == Transfer.Account.BANK) - (source == Transfer.Account.BANK))
            moved[round_] += cents * ((target == Transfer.Account.SEAT) - (source == Transfer.Account.SEAT))
        banked = Round.objects.filter(state=Round.State.SETTLED, bank_wager_cents__isnull=False)
        for each in banked:
            assert moved[each.pk] == 0, self.last_command
            if each.corrects_id is None:
                assert each.taken_cents + each.paid_cents <= (each.bank_wager_cents or 0), self.last_command

    def numbers_have_no_gaps(self, cast: Cast) -> None:
        rounds = Round.objects.filter(table__room=cast.room, corrects__isnull=True).order_by("pk")
        numbers = defaultdict[Any, list[int]](list)
        for table, day, number in rounds.values_list("table", "gaming_day", "number"):
            numbers[table, day].append(number)
        chains = defaultdict[Any, list[int]](list)
        entries = JournalEntry.objects.order_by("pk").values_list("room_id", "table_id", "seq")
        for room, at_table, seq in entries:
            chains[room if at_table is None else None, at_table].append(seq)
        for row in (*numbers.values(), *chains.values()):
            assert row == list(range(1, len(row) + 1)), self.last_command

    def hold_at_the_end(self, cast: Cast) -> None:
        """Close the shift, report it and verify the whole."""
        shift = Shift.objects.filter(room=cast.room, closed_at=None).first()
        if shift is not None:
            for table in (cast.table, cast.second_table):
                if cast.state(table).live is not None:
                    reason = {"reason": "the night is over", "approver": cast.people["shift_manager"]}
                    assert self.give(COMMANDS["round_void"], "floor", reason, table)
            sent = {"shift_id": shift.pk, "confirmed": True}
            cast.send_room(COMMANDS["shift_close"], "shift_manager", **sent)
            figures = shift_report_make(shift.pk).figures
            assert figures["differences"] == []
            assert figures["over_limit"] == []
            expected = figures["total"]["drop_expected_cents"] - _bought(figures)
            assert expected == self.drop_cents - self.dropped_before
        said = io.StringIO()
        with contextlib.suppress(SystemExit):
            call_command("verify", stdout=said, stderr=said)
        assert "all holds." in said.getvalue(), said.getvalue()


def _first(of: Round) -> int:
    """The id of the round as it was recorded first."""
    while of.corrects is not None:
        of = of.corrects
    return of.pk


def _bought(figures: Any) -> int:
    """Cash for chips, which lies in the drop of a table that the house banks."""
    cents: int = figures["total"].get("buy_ins_cents") or 0
    return cents


class PlayersBank(Floor):
    """Tables of the California rules and of baccarat by eye, which players bank."""

    starts = PLAYERS


class HouseBanks(Floor):
    """Tables of the Massachusetts rules, which the house banks."""

    starts = HOUSE


def played(machine: type[Floor], examples: int, steps: int) -> None:
    """Play so many examples, the same in every run, so that a change and no chance fails the suite."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
