"""Commands given one after another, each by the way that leads to it, as the state machine knows it but without chance."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any
from unittest import mock

from cardroom.core.commands import COMMANDS, Declaration
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import Command
from cardroom.floor.models import JournalEntry, Round, Table
from tests.cast import Cast
from tests.measure.machine.goals import BEFORE, DECLINED, NEXT, RECHARGED, WAIT
from tests.measure.machine.valid import given

HALF_AN_HOUR = 31 * 60
#: How many inputs of a command are tried, and how long a way is gone to it.
MOST_TRIES, MOST_BEFORE = 8, 4
#: The journal entry that each command wrote, by the command's name: its chain, its place in it and its word; null where it wrote none.
Written = dict[str, tuple[str, int, str] | None]


@contextlib.contextmanager
def entries_noted() -> Iterator[Written]:
    """Note what each kind of command wrote in the journal when it was first carried out inside the block."""
    written: Written = {}
    carry_out = Command.__call__

    def noted(command: Command[Any, ...], /, *args: Any, **kwargs: Any) -> dict[str, Any]:
        before = JournalEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        answer = carry_out(command, *args, **kwargs)
        if written.get(command.name) is None:
            entries = JournalEntry.objects.filter(pk__gt=before).order_by("pk")
            found = entries.values_list("chain", "seq", "command")
            written[command.name] = next((each for each in found if each[2] == command.name), found.first())
        return answer

    with mock.patch.object(Command, "__call__", noted):
        yield written


class Playing:
    """A room that is played by a cast. `clock` is the one that the cast lives by (time_machine); `done` what was carried out."""

    def __init__(self, cast: Cast, clock: Any) -> None:
        self.cast, self.clock = cast, clock
        self.done: set[str] = set()

    def reach(self, goal: str, table: Table, depth: int = MOST_BEFORE) -> bool:
        """Carry out a command at a table, or in its room, after others that lead to it if need be; tell whether it was."""
        if goal == WAIT:
            self.clock.shift(HALF_AN_HOUR)
            return True
        if goal == NEXT:
            return self.reach(self.next_step(table), table, 0)
        if goal == DECLINED:
            seat = self.cast.state(table).step.seat
            declined = {"seat": seat, "answer": "declined"}
            return seat is not None and self.give(COMMANDS["offer_answer"], "floor", declined, table)
        if goal == RECHARGED:
            corrections = given(COMMANDS["round_correct"], self.cast, table, more=True)
            return any(
                self.give(COMMANDS["round_correct"], who, inputs, table)
                for who, inputs in corrections
                if "drop" in inputs
            )
        if self._carry_out(COMMANDS[goal], table):
            return True
        for before in BEFORE.get(goal, ()) if depth else ():
            if self.reach(before, table, depth - 1) and self._carry_out(COMMANDS[goal], table):
                return True
        return False

    def give(self, command: Declaration, who: str, inputs: dict[str, Any], table: Table) -> bool:
        """Give a command on the present version; tell whether it was carried out."""
        self.clock.shift(1)
        try:
            if command.place == "table":
                self.cast.send(command, who, table, **inputs)
            else:
                self.cast.send_room(command, who, **inputs)
        except FloorError:
            return False
        self.done.add(command.name)
        return True

    def next_step(self, table: Table) -> str:
        """The command that a table waits for."""
        state = self.cast.state(table)
        if state.shift is None:
            return "shift_open"
        if state.table.state != Table.State.OPEN:
            return "table_open"
        if state.down is None:
            return "down_start"
        if (live := state.live) is None:
            if state.house_banks:
                tray_open = COMMANDS["tray_open"]
                return "tray_open" if tray_open.check and not tray_open.check(state) else "round_open"
            steps = {
                "keep": "round_open",
                "offer": "offer_answer",
                "renew": "turn_renew",
                "pause": "turn_pause",
            }
            return steps.get(state.step.kind, "offers_ask_again")
        if live.state == Round.State.BETTING:
            return "bets_close" if live.bets else "bets_place"
        if live.dealt_at is None:
            return "round_deal"
        return "round_finish" if live.by_eye else "round_settle"

    def _carry_out(self, command: Declaration, table: Table) -> bool:
        table = Table.objects.get(pk=self.cast.table.pk if command.place == "room" else table.pk)
        if command.place == "table" and command.check and command.check(self.cast.state(table)):
            return False
        tries = itertools.islice(given(command, self.cast, table, more=True), MOST_TRIES)
        return any(self.give(command, who, inputs, table) for who, inputs in list(tries))
