"""Registry of the commands of the table page: one row each, with its service, its form and its words."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from cardroom.core import commands
from cardroom.floor.checks import why_not
from cardroom.floor.commands import (
    rounds,
    seat_time,
)
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.reads.table_state import TableState
from games.phrases import Phrase

from ..parts.access import Permissions
from ..parts.forms.command import CommandForm
from ..parts.forms.declared import form_of
from ..procedures.forms import CardUpForm, DealingForm, InspectForm, IrregularityForm, StubForm
from .forms.bets import AnswerForm, BetsForm, CloseForm, OpenRoundForm, RepeatForm
from .forms.by_eye import FinishForm, LaterBetsForm
from .forms.hands import HandsForm
from .forms.points import BoardForm, DecisionForm
from .forms.racks import HandOverForm, RackCountForm
from .forms.seats import BackLineForm, DealerForm, ExpiryOverrideForm, SeatForm
from .forms.settings import SettingsForm
from .forms.voids import UndoForm, VoidForm


@dataclasses.dataclass(frozen=True)
class PageCommand:
    """A command of the table page: `slug` in its address, the `service` that carries it out, the `form` that asks for its arguments.

    `done` says in a word or two that it has been done; nothing where the page itself shows it. `menu` is the menu in
    which it is listed by its `title`.
    """

    slug: str
    service: TableCommand[...]
    form: type[CommandForm]
    done: str = ""
    title: str = ""
    menu: str = ""

    def why_not(self, state: TableState, permissions: Permissions) -> WhyNot | None:
        """None when the person may give it now; else why not, their right first."""
        return permissions.why_not_at(self.service.right, state) or why_not(state, self.service.name)


_COMMANDS = [
    PageCommand("repeat-bets", rounds.bets_place, RepeatForm),
]

#: Forms with a layout of their own, by the command's place on the page; every other declared command has its default form.
_FORMS: dict[str, type[CommandForm]] = {
    "bank": OpenRoundForm,
    "bets": BetsForm,
    "no-more-bets": CloseForm,
    "settle": HandsForm,
    "later-bets": LaterBetsForm,
    "finish": FinishForm,
    "answer": AnswerForm,
    "dealer": DealerForm,
    "override-expiry": ExpiryOverrideForm,
    "rack-hand-over": HandOverForm,
    "rack-opening": RackCountForm,
    "rack-closing": RackCountForm,
    "seat": SeatForm,
    "back-line": BackLineForm,
    "settings": SettingsForm,
    "time": CommandForm,
    "card-up": CardUpForm,
    "board": BoardForm,
    "decide": DecisionForm,
    "dealing": DealingForm,
    "inspect": InspectForm,
    "irregularity": IrregularityForm,
    "stub": StubForm,
    "undo": UndoForm,
    "void": VoidForm,
}
_DECLARED = [
    PageCommand(
        command.page,
        command,  # type: ignore[arg-type]  # a command at a table
        _FORMS.get(command.page) or form_of(command),
        command.done,
        command.title,
        command.menu,
    )
    for command in commands.COMMANDS.values()
    if command.page
]

_time = commands.COMMANDS["time_collect"]
#: One command that the page offers twice: of all seats with one touch, or of some.
_SOME = PageCommand(
    "time-some",
    seat_time.time_collect,
    form_of(_time),
    _time.done,
    Phrase("Collect time of some seats"),
    "more",
)

#: All of them by slug.
COMMANDS: dict[str, PageCommand] = {command.slug: command for command in [*_COMMANDS, _SOME, *_DECLARED]}


def menu_of(menu: str, order: Sequence[str]) -> list[str]:
    """Return the slugs of a menu: first those in `order`, then every other command that is declared for it."""
    return [
        *order,
        *(slug for slug, command in COMMANDS.items() if command.menu == menu and slug not in order),
    ]


@dataclasses.dataclass
class FailedCommand:
    """A command that was refused.

    `form` holds what was typed, where the table still stands so that it can be drawn, and `field` is the label of the
    field that shows the error there; `typed` says it in words.
    """

    command: PageCommand
    error: FloorError
    form: CommandForm | None = None
    field: str = ""
    typed: list[tuple[str, str]] = dataclasses.field(default_factory=list)
