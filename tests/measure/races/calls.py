"""Commands with inputs that a state takes: who gives one, where, and with what."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from typing import Any

from django.db import transaction

from cardroom.core.commands import COMMANDS, Declaration
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Table
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.measure.machine.valid import given

#: How many inputs of a command are tried at a table in one state.
MOST_TRIES = 12


@dataclasses.dataclass(frozen=True)
class Call:
    """One command with who gives it, where, and its inputs, as it was found to be taken in a state."""

    command: Declaration
    who: str
    inputs: dict[str, Any]
    #: Its table or its room.
    place: int
    version: int
    #: The number of its table; 0 for the room.
    number: int

    def give(self, cast: Cast, key: str) -> str:
        """Give it; return what it came to: `ok`, the code of its refusal, or the name of an error of the program."""
        meta = CommandMeta(actor=cast.people[self.who], key=key, version=self.version)
        try:
            self.command(meta, self.place, **self.inputs)
        except FloorError as refusal:
            return refusal.code
        except Exception as error:  # noqa: BLE001  # the very thing that is looked for
            cause = getattr(error, "__cause__", None)
            constraint = getattr(getattr(cause, "diag", None), "constraint_name", None)
            text = f" {constraint}" if constraint else f": {str(error).splitlines()[0]}"
            return f"error {type(error).__name__}{text}"
        return "ok"


#: The name of a command, and the number of its table; 0 for the room.
At = tuple[str, int]
#: The calls that a state takes.
Calls = dict[At, Call]


def calls_taken(cast: Cast, take: Callable[[Call], bool], only: Collection[At] | None = None) -> Calls:
    """The commands of the tables and of the room that `take` finds to be taken, each with the first of its inputs that is.

    `only` are those that are asked for, where it is not every one.
    """
    found: Calls = {}
    tables = list(Table.objects.filter(room=cast.room).order_by("number"))
    readings = {table: cast.state(table) for table in tables}
    for command in COMMANDS.values():
        for table in tables if command.place == "table" else [None]:
            if only is not None and (command.name, table.number if table else 0) not in only:
                continue
            if table is not None and command.check is not None and command.check(readings[table]):
                continue
            if (call := _call(command, cast, table, take)) is not None:
                found[command.name, call.number] = call
    return found


def _call(command: Declaration, cast: Cast, table: Table | None, take: Callable[[Call], bool]) -> Call | None:
    place: Table | Room = table or Room.objects.get(pk=cast.room.pk)
    main = table or Table.objects.get(pk=cast.table.pk)
    for tries, (who, inputs) in enumerate(given(command, cast, main)):
        if tries == MOST_TRIES:
            break
        call = Call(command, who, inputs, place.pk, place.version, table.number if table else 0)
        if take(call):
            return call
    return None


def taken_now(call: Call, cast: Cast) -> bool:
    """Whether a command is taken in the present state; it is taken back at once."""
    with transaction.atomic():
        result = call.give(cast, f"race-{call.command.name}")
        transaction.set_rollback(True)
    return result == "ok"
