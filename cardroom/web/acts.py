"""The acts that a person may give at a table: one row each, with its service, its form and its words."""

from __future__ import annotations

import dataclasses

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
from cardroom.floor.checks import why_nots
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.reads.views import TableView

from .access import Powers
from .forms.bank import AnswerForm, BankWagerForm, OpenRoundForm, TurnEndForm
from .forms.bets import BetsForm, CloseForm, RepeatForm
from .forms.charges import TimeBackForm, TimeSeatsForm, WaiveFeeForm, WaiverWithdrawForm
from .forms.command import CommandForm
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
class Act:
    """An act: `slug` in its address, the `service` that carries it out, the `form` that asks for its arguments.

    `done` says in a word or two that it has been done; nothing where the page itself shows it.
    """

    slug: str
    service: TableCommand[...]
    form: type[CommandForm]
    done: str = ""

    def why_not(self, view: TableView, powers: Powers) -> WhyNot | None:
        """None when the person may give it now; else why not, their right first."""
        return powers.why_not_at(self.service.right, view) or why_nots(view).get(self.service.name)


_ACTS = [
    Act("open", tables.table_open, CommandForm, "The table is open."),
    Act("close", tables.table_close, CommandForm, "The table is closed."),
    Act("settings", tables.table_set, SettingsForm, "The table is set."),
    Act("dealer", seats.down_start, DealerForm, "The dealer's down has begun."),
    Act("dealer-off", seats.down_end, CommandForm, "The dealer's down has ended."),
    Act("seat", seats.player_seat, SeatForm),
    Act("override-expiry", expiry.expiry_override, ExpiryOverrideForm, "The override is recorded."),
    Act("leave", seats.player_leave, LeaveForm),
    Act("move", seats.player_move, MoveForm),
    Act("answer", bank.offer_answer, AnswerForm),
    Act("renew", bank.turn_renew, CommandForm),
    Act("stop-game", bank.turn_pause, CommandForm),
    Act("ask-again", bank.offers_ask_again, CommandForm),
    Act("give-up", bank.turn_end, TurnEndForm),
    Act("bank", rounds.round_open, OpenRoundForm),
    Act("bank-wager", rounds.bank_wager_set, BankWagerForm),
    Act("bets", rounds.bets_place, BetsForm),
    Act("repeat-bets", rounds.bets_place, RepeatForm),
    Act("no-more-bets", rounds.bets_close, CloseForm),
    Act("deal", rounds.round_deal, CommandForm),
    Act("settle", rounds.round_settle, HandsForm),
    Act("finish", rounds.round_finish, CommandForm),
    Act("undo", undo.undo, UndoForm),
    Act("reopen-bets", undo.bets_reopen, CommandForm),
    Act("void", rounds.round_void, VoidForm, "The round is void; every stake goes back."),
    Act("irregularity", incidents.irregularity_report, IrregularityForm),
    Act("recut", incidents.recut_order, RecutForm, "The recut is recorded."),
    Act("card-up", incidents.bank_card_show, CardUpForm),
    Act("stub", stub.stub_count, StubForm),
    Act("no-count", stub.count_waive, WaiveForm, "The next round may go without a count."),
    Act("device", stub.device_report, CommandForm),
    Act("deck", decks.deck_choose, DeckChooseForm),
    Act("inspect", decks.deck_inspect, InspectForm),
    Act("deck-place", decks.deck_place, DeckPlaceForm),
    Act("deck-retire", decks.deck_retire, DeckRetireForm, "The deck is retired."),
    Act("dealing", decks.dealing_set, DealingForm, "The table is set."),
    Act("waive", waivers.fee_waive, WaiveFeeForm),
    Act("waiver-off", waivers.waiver_withdraw, WaiverWithdrawForm, "The waiver is withdrawn."),
    Act("no-box", boxes.box_waive, BoxWaiveForm, "The table may collect without a drop box."),
    Act("time", seat_time.time_collect, CommandForm, "The time is collected."),
    Act("time-some", seat_time.time_collect, TimeSeatsForm, "The time is collected."),
    Act("time-back", seat_time.time_take_back, TimeBackForm, "The time is taken back."),
    Act("win", wins.win_key, WinKeyForm),
    Act("win-confirm", wins.win_confirm, WinConfirmForm, "The win is confirmed."),
    Act("win-withdraw", wins.win_withdraw, WinWithdrawForm, "The entry is withdrawn."),
]

#: All of them by slug.
ACTS: dict[str, Act] = {act.slug: act for act in _ACTS}


@dataclasses.dataclass
class Tried:
    """An act that was refused.

    `form` holds what was typed, where the table still stands so that it can be drawn, and `field` is the label of the
    field at which the error stands there; `typed` says it in words.
    """

    act: Act
    error: FloorError
    form: CommandForm | None = None
    field: str = ""
    typed: list[tuple[str, str]] = dataclasses.field(default_factory=list)
