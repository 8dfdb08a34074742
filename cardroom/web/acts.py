"""The acts that a person may give at a table: one row each, with its service, its form and its words."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from cardroom.core import acts
from cardroom.floor.acts import (
    rounds,
    seat_time,
)
from cardroom.floor.checks import why_not
from cardroom.floor.commands import TableCommand
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.reads.table_reading import TableReading
from games.phrases import Phrase

from .access import Permissions
from .forms.bank import AnswerForm, OpenRoundForm
from .forms.bets import BetsForm, CloseForm, RepeatForm
from .forms.command import CommandForm
from .forms.declared import form_of
from .forms.expiry import ExpiryOverrideForm
from .forms.hands import HandsForm
from .forms.procedures import (
    CardUpForm,
    DealingForm,
    InspectForm,
    IrregularityForm,
    StubForm,
)
from .forms.seats import BackLineForm, DealerForm, SeatForm
from .forms.settings import SettingsForm
from .forms.undo import UndoForm
from .forms.voids import VoidForm


@dataclasses.dataclass(frozen=True)
class PageAct:
    """An act of the table page: `slug` in its address, the `service` that carries it out, the `form` that asks for its arguments.

    `done` says in a word or two that it has been done; nothing where the page itself shows it. `menu` is the menu in
    which it stands under its `title`.
    """

    slug: str
    service: TableCommand[...]
    form: type[CommandForm]
    done: str = ""
    title: str = ""
    menu: str = ""

    def why_not(self, reading: TableReading, permissions: Permissions) -> WhyNot | None:
        """None when the person may give it now; else why not, their right first."""
        return permissions.why_not_at(self.service.right, reading) or why_not(reading, self.service.name)


_ACTS = [
    PageAct("repeat-bets", rounds.bets_place, RepeatForm),
]

#: Forms with a layout of their own, by the act's place on the page; every other declared act has its default form.
_FORMS: dict[str, type[CommandForm]] = {
    "bank": OpenRoundForm,
    "bets": BetsForm,
    "no-more-bets": CloseForm,
    "settle": HandsForm,
    "answer": AnswerForm,
    "dealer": DealerForm,
    "override-expiry": ExpiryOverrideForm,
    "seat": SeatForm,
    "back-line": BackLineForm,
    "settings": SettingsForm,
    "time": CommandForm,
    "card-up": CardUpForm,
    "dealing": DealingForm,
    "inspect": InspectForm,
    "irregularity": IrregularityForm,
    "stub": StubForm,
    "undo": UndoForm,
    "void": VoidForm,
}
_DECLARED = [
    PageAct(act.page, act.command, _FORMS.get(act.page) or form_of(act), act.done, act.title, act.menu)  # type: ignore[arg-type]  # a command at a table
    for act in acts.ACTS.values()
    if act.page
]

_time = acts.ACTS["time_collect"]
#: One act that the page offers twice: of all seats with one touch, or of some.
_SOME = PageAct(
    "time-some",
    seat_time.time_collect,
    form_of(_time),
    _time.done,
    Phrase("Collect time of some seats"),
    "more",
)

#: All of them by slug.
ACTS: dict[str, PageAct] = {act.slug: act for act in [*_ACTS, _SOME, *_DECLARED]}


def menu_of(menu: str, order: Sequence[str]) -> list[str]:
    """Return the slugs of a menu: first those in `order`, then every other act that is declared to stand in it."""
    return [*order, *(slug for slug, act in ACTS.items() if act.menu == menu and slug not in order)]


@dataclasses.dataclass
class FailedAct:
    """An act that was refused.

    `form` holds what was typed, where the table still stands so that it can be drawn, and `field` is the label of the
    field at which the error stands there; `typed` says it in words.
    """

    act: PageAct
    error: FloorError
    form: CommandForm | None = None
    field: str = ""
    typed: list[tuple[str, str]] = dataclasses.field(default_factory=list)
