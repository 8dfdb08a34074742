"""Every declared command in any order, at tables that players bank and at some that the house banks.

What is held after each command (`floor.py`): a refusal writes nothing; nothing but a refusal is ever raised; the drop is
what a model of the fees says, by transfers, by the board and by the collection report; transfers of a round balance;
numbers of rounds and of journal entries have no gaps; nobody has banked a third round in a row; no command is taken where
docs/measured/races.md says that another one is taken alone. At the end the shift is closed and reported, its figures tie
out, and `verify` finds nothing.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from django.db import connection

from cardroom.core.commands import COMMANDS
from cardroom.core.json_types import Whole
from tests.cast import running_cast
from tests.floor.charging import TIMED, WAIVING
from tests.measure.machine.floor import Floor, HouseBanks, PlayersBank, played
from tests.measure.machine.goals import BEFORE, DECLINED, NEVER, NEXT, RECHARGED, WAIT
from tests.measure.machine.inputs import model_of
from tests.measure.machine.model import ALL, BANK, fees_due
from tests.measure.machine.page import carried_out_on, listed_on, page
from tests.measure.machine.valid import MORE, WORDS

pytestmark = [pytest.mark.outside, pytest.mark.postgresql]


#: The commands that the long run carries out, by command.
PAGE = Path(__file__).parents[2] / "docs" / "measured" / "commands-played.md"
MACHINES = {"players bank": PlayersBank, "the house banks": HouseBanks}
#: In the suite: examples of each machine, and how many kinds of commands they carry out at least. On PostgreSQL the first of
#: those that SQLite plays: what a command does is the same there, and its statements have tests of their own.
SHORT = {"sqlite": (6, 30), "postgresql": (2, 10)}
#: In the long run: examples of each machine, and the most steps of one; then the same for those commands alone that are left.
LONG, LEFT = (6, 30), (12, 12)


@pytest.mark.parametrize("machine", MACHINES.values())
def test_any_order_of_commands_keeps_money_numbers_chain_and_reports(db: None, machine: type[Floor]) -> None:
    machine.carried_out, machine.refused = Counter(), defaultdict(Counter)
    examples, kinds = SHORT[connection.vendor]
    played(machine, examples, 24)
    print(
        f"{machine.__name__}: {machine.carried_out.total()} commands of {len(machine.carried_out)} kinds"
    )  # with -s
    assert len(machine.carried_out) > kinds, "most commands were refused: what is given to them is no use"


@pytest.mark.slow
def test_a_long_run_carries_out_every_command_but_those_that_say_why(db: None) -> None:
    for machine in MACHINES.values():
        machine.carried_out, machine.refused = Counter(), defaultdict(Counter)
        played(machine, *LONG)
    for machine in MACHINES.values():
        machine.focus = frozenset(COMMANDS.keys() - carried_out())
        played(machine, *LEFT)
        machine.focus = frozenset()
        print(
            f"{machine.__name__}: {machine.carried_out.total()} commands of {len(machine.carried_out)} kinds"
        )
        print(f"left: {sorted(COMMANDS.keys() - carried_out())}")  # with -s
    found = {name: (machine.carried_out, machine.refused) for name, machine in MACHINES.items()}
    if written_to := os.environ.get("MACHINE_WRITTEN_TO"):
        run = (
            f"{LONG[0]} examples of each machine of at most {LONG[1]} steps, and {LEFT[0]} of at most {LEFT[1]} whose goals are "
            f"what was not carried out by then; on {connection.display_name}."
        )
        Path(written_to).write_text(page(found, run), encoding="utf-8")
    assert COMMANDS.keys() - carried_out() <= NEVER.keys()


def carried_out() -> set[str]:
    """The commands that some machine has carried out."""
    return {name for machine in MACHINES.values() for name in machine.carried_out}


def test_every_command_is_carried_out_by_the_long_run_or_says_why_not() -> None:
    """Of the commands that there were at the last `make machine`, which fails for one that it does not reach.

    Such a one needs a line in `BEFORE` or `WORDS`, or a reason in `NEVER`.
    """
    text = PAGE.read_text(encoding="utf-8")
    then = listed_on(text) & COMMANDS.keys()
    assert then - carried_out_on(text) == then & NEVER.keys()
    assert BEFORE.keys() <= COMMANDS.keys()
    assert {name for names in BEFORE.values() for name in names} <= {
        *COMMANDS,
        NEXT,
        WAIT,
        DECLINED,
        RECHARGED,
    }
    assert WORDS.keys() | MORE.keys() <= COMMANDS.keys()


def test_the_machine_knows_of_which_table_each_id_is() -> None:
    """An id is of the model whose name its own ends: one of another name says in `_NAMED` of what."""
    ids = {
        each.name
        for command in COMMANDS.values()
        for each in command.inputs
        if isinstance(each.kind, Whole) and re.search(r"_id$", each.name)
    }
    assert [name for name in sorted(ids) if model_of(name) is None] == []


def test_the_model_charges_what_the_printed_schedule_says(db: None) -> None:
    """Worked by hand from the document: $1 a player, $1 for the bank to $100 of antes, $2 above."""
    document = running_cast().schedule(1).document
    bets = [{"seat": seat, "wagers": {"ante": 5000}} for seat in (1, 2)]
    assert fees_due(document, bets) == 300
    assert fees_due(document, [*bets, {"seat": 4, "wagers": {"ante": 100}}]) == 500
    assert fees_due(document, bets, waived=[BANK]) == 200
    assert fees_due(document, bets, waived=[(1, 0)]) == 200
    assert fees_due(document, bets, waived=[ALL]) == 0
    assert fees_due(WAIVING, bets) == 300, "what goes into the jackpot's box is no part of the drop"
    assert fees_due(TIMED, bets) == 50, "time is collected by the clock"
