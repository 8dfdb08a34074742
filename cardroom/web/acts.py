"""The acts that a person may give at a table: one row each, with its service, its form and its words."""

from __future__ import annotations

import dataclasses

from cardroom.core import acts
from cardroom.floor.acts import (
    bank,
    boxes,
    decks,
    expiry,
    incidents,
    rounds,
    seat_time,
    seats,
    stub,
    tables,
    undo,
    waivers,
    wins,
)
from cardroom.floor.acts.commands import TableCommand
from cardroom.floor.checks import why_not
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.reads.views import TableView

from .access import Powers
from .forms.bank import AnswerForm, OpenRoundForm, TurnEndForm
from .forms.bets import BetsForm, CloseForm, RepeatForm
from .forms.charges import TimeBackForm, TimeSeatsForm, WaiveFeeForm, WaiverWithdrawForm
from .forms.command import CommandForm
from .forms.declared import form_of
from .forms.expiry import ExpiryOverrideForm
from .forms.hands import HandsForm
from .forms.procedures import (
    BoxWaiveForm,
    CardUpForm,
    DealingForm,
    DeckChooseForm,
    DeckPlaceForm,
    DeckRetireForm,
    InspectForm,
    IrregularityForm,
    RecutForm,
    StubForm,
    WaiveForm,
    WinConfirmForm,
    WinKeyForm,
    WinWithdrawForm,
)
from .forms.seats import DealerForm, LeaveForm, MoveForm, SeatForm
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

    def why_not(self, view: TableView, powers: Powers) -> WhyNot | None:
        """None when the person may give it now; else why not, their right first."""
        return powers.why_not_at(self.service.right, view) or why_not(view, self.service.name)


_ACTS = [
    PageAct("open", tables.table_open, CommandForm, "The table is open."),
    PageAct("close", tables.table_close, CommandForm, "The table is closed."),
    PageAct("settings", tables.table_set, SettingsForm, "The table is set."),
    PageAct("dealer", seats.down_start, DealerForm, "The dealer's down has begun."),
    PageAct("dealer-off", seats.down_end, CommandForm, "The dealer's down has ended."),
    PageAct("seat", seats.player_seat, SeatForm),
    PageAct("override-expiry", expiry.expiry_override, ExpiryOverrideForm, "The override is recorded."),
    PageAct("leave", seats.player_leave, LeaveForm),
    PageAct("move", seats.player_move, MoveForm),
    PageAct("answer", bank.offer_answer, AnswerForm),
    PageAct("renew", bank.turn_renew, CommandForm),
    PageAct("stop-game", bank.turn_pause, CommandForm),
    PageAct("ask-again", bank.offers_ask_again, CommandForm),
    PageAct("give-up", bank.turn_end, TurnEndForm),
    PageAct("repeat-bets", rounds.bets_place, RepeatForm),
    PageAct("undo", undo.undo, UndoForm),
    PageAct("reopen-bets", undo.bets_reopen, CommandForm),
    PageAct("irregularity", incidents.irregularity_report, IrregularityForm),
    PageAct("recut", incidents.recut_order, RecutForm, "The recut is recorded."),
    PageAct("card-up", incidents.bank_card_show, CardUpForm),
    PageAct("stub", stub.stub_count, StubForm),
    PageAct("no-count", stub.count_waive, WaiveForm, "The next round may go without a count."),
    PageAct("device", stub.device_report, CommandForm),
    PageAct("deck", decks.deck_choose, DeckChooseForm),
    PageAct("inspect", decks.deck_inspect, InspectForm),
    PageAct("deck-place", decks.deck_place, DeckPlaceForm),
    PageAct("deck-retire", decks.deck_retire, DeckRetireForm, "The deck is retired."),
    PageAct("dealing", decks.dealing_set, DealingForm, "The table is set."),
    PageAct("waive", waivers.fee_waive, WaiveFeeForm),
    PageAct("waiver-off", waivers.waiver_withdraw, WaiverWithdrawForm, "The waiver is withdrawn."),
    PageAct("no-box", boxes.box_waive, BoxWaiveForm, "The table may collect without a drop box."),
    PageAct("time", seat_time.time_collect, CommandForm, "The time is collected."),
    PageAct("time-some", seat_time.time_collect, TimeSeatsForm, "The time is collected."),
    PageAct("time-back", seat_time.time_take_back, TimeBackForm, "The time is taken back."),
    PageAct("win", wins.win_key, WinKeyForm),
    PageAct("win-confirm", wins.win_confirm, WinConfirmForm, "The win is confirmed."),
    PageAct("win-withdraw", wins.win_withdraw, WinWithdrawForm, "The entry is withdrawn."),
]

#: Forms with a layout of their own, by the act's place on the page; every other declared act has its default form.
_FORMS: dict[str, type[CommandForm]] = {
    "bank": OpenRoundForm,
    "bets": BetsForm,
    "no-more-bets": CloseForm,
    "settle": HandsForm,
    "void": VoidForm,
}
_DECLARED = [
    PageAct(act.page, act.command, _FORMS.get(act.page) or form_of(act), act.done, act.title, act.menu)  # type: ignore[arg-type]  # a command at a table
    for act in acts.ACTS.values()
    if act.page
]

#: All of them by slug.
ACTS: dict[str, PageAct] = {act.slug: act for act in [*_ACTS, *_DECLARED]}


@dataclasses.dataclass
class Tried:
    """An act that was refused.

    `form` holds what was typed, where the table still stands so that it can be drawn, and `field` is the label of the
    field at which the error stands there; `typed` says it in words.
    """

    act: PageAct
    error: FloorError
    form: CommandForm | None = None
    field: str = ""
    typed: list[tuple[str, str]] = dataclasses.field(default_factory=list)
