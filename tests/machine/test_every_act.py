"""Every declared act in any order, at a table that players bank and at one that the house banks.

What is held after each act: a refusal writes nothing; nothing but a refusal is ever raised; the drop is what a model of the
fees says, by transfers, by the board and by the collection report; transfers of a round balance; numbers of rounds and of
journal entries have no gaps, each entry names the one before; nobody has banked a third round in a row; no act is taken where
docs/races.md says that another one is taken alone. At the end
the shift is closed and reported, its figures tie out, and `verify` finds nothing.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from cardroom.core.acts import ACTS, Act, Whole
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, Offer, Round, Shift, Table, TimeCollection, Transfer, Waiver
from cardroom.floor.reads.board import room_board
from cardroom.people.rights import RIGHTS
from cardroom.reports.compliance.collection import collection
from cardroom.reports.query import ReportQuery
from cardroom.reports.services import shift_report_make
from tests.cast import BANK_HAND, HANDS, Cast, house_cast, running_cast, written
from tests.races.conditions import conditions_of
from tests.races.states import apart_from

from .inputs import IDS, drawn
from .model import Model, fees_due

pytestmark = pytest.mark.postgresql

ROLES = ("dealer", "floor", "shift_manager", "room_manager", "count", "compliance")
#: How often a step is the one that the table waits for, of seven.
STEPS_OF_SEVEN = 3


class Floor(RuleBasedStateMachine):
    """One example: a table as the cast has it, and whatever comes."""

    cast_of: Callable[[], Cast]
    #: Acts that were carried out, over all examples.
    carried_out: Counter[str] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        self.cast = type(self).cast_of()
        self.model = Model()
        self.last_act = ""

    def teardown(self) -> None:
        try:
            self.hold_at_the_end()
        finally:
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    # --- What may happen ---------------------------------------------------------------------------------------------

    @rule(data=st.data(), turn=st.integers(1, 7))
    def act(self, data: st.DataObject, turn: int) -> None:
        """Mostly what the table waits for, so that rounds are played; else any act by anybody."""
        if turn > 7 - STEPS_OF_SEVEN and (found := self.next_step(data)) is not None:
            name, who, inputs = found
            self.give(ACTS[name], who, inputs)
            return
        act = data.draw(st.sampled_from(self.acts_now() if turn > 1 else list(ACTS.values())), label="act")
        may = [role for role in ROLES if role in RIGHTS[act.right]] or ["dealer"]
        who = data.draw(st.sampled_from([*may * 4, "outsider"]), label="who")
        self.give(act, who, drawn(data, act, self.cast))

    def acts_now(self) -> list[Act]:
        """The acts whose check, as a page asks it for its buttons, finds nothing against them; most have further rules."""
        reading = self.cast.reading()
        return [
            act for act in ACTS.values() if act.place == "room" or act.check is None or not act.check(reading)
        ]

    def next_step(self, data: st.DataObject) -> tuple[str, str, dict[str, Any]] | None:
        """The act that the table waits for, None where somebody must decide what it is."""
        reading = self.cast.reading()
        if reading.shift is None:
            return "shift_open", "shift_manager", {"name": f"Shift {Shift.objects.count() + 1}"}
        if reading.table.state != Table.State.OPEN:
            return "table_open", "floor", {}
        if reading.down is None:
            return "down_start", "floor", {"dealer_id": self.cast.people["dealer"].pk}
        live = reading.live
        if live is None:
            return self.between_rounds(data, reading)
        places = [seat for seat in sorted(reading.seatings) if seat != live.bank_seat]
        if live.state == Round.State.BETTING:
            if not live.bets and places:
                antes = data.draw(
                    st.lists(st.sampled_from([500, 1000, 2500, 10000]), min_size=1, max_size=len(places)),
                    label="antes",
                )
                bets = [
                    {"seat": seat, "wagers": {"ante": cents}}
                    for seat, cents in zip(places, antes, strict=False)
                ]
                return "bets_place", "dealer", {"positions": bets}
            return "bets_close", "dealer", {}
        if live.dealt_at is None:
            return "round_deal", "dealer", {}
        if live.by_eye:
            return "round_finish", "dealer", {}
        decision = data.draw(st.sampled_from(["play", "play", "fold"]), label="decision")
        results = [
            {"seat": bet["seat"], "hand": HANDS[bet["seat"]], "decision": decision} for bet in live.bets
        ]
        return "round_settle", "dealer", {"bank_hand": BANK_HAND, "positions": results}

    def between_rounds(self, data: st.DataObject, reading: Any) -> tuple[str, str, dict[str, Any]] | None:
        step = reading.step
        if reading.house_banks:
            tray_open = ACTS["tray_open"]
            if tray_open.check is not None and not tray_open.check(reading):
                counted = {"chips": {"2500": 200, "500": 200}, "approver": self.cast.people["floor_2"]}
                return "tray_open", "floor", counted
            return "round_open", "dealer", {}
        if step.kind == "keep":
            wager = data.draw(st.sampled_from([1500, 4000, 100000]), label="bank wager")
            return "round_open", "dealer", {"bank_wager_cents": wager}
        if step.kind == "offer":
            answer = data.draw(
                st.sampled_from(["declined", "accepted", "declined", "absent"]), label="answer"
            )
            return "offer_answer", "dealer", {"seat": step.seat, "answer": answer}
        if step.kind == "renew":
            return "turn_renew", "dealer", {}
        return "offers_ask_again", "dealer", {}

    def give(self, act: Act, who: str, inputs: dict[str, Any]) -> None:
        """Give an act and note what the model must know of it; a refusal leaves everything as it was."""
        before = written()
        at = conditions_of(self.cast.reading())
        send = self.cast.send if act.place == "table" else self.cast.send_room
        self.last_act = f"{act.name} by {who}: {inputs}"
        refused = ""
        try:
            with transaction.atomic():
                send(act.command, who, **inputs)
        except FloorError as refusal:
            refused = refusal.code
        if refused:
            assert written() == before, f"refused with {refused}, and yet something was written"
            return
        self.carried_out[act.name] += 1
        assert apart_from(act.name, at) == [], (
            "a pair that docs/races.md lists as never together was taken together"
        )
        event(act.name)
        self.note(act.name, inputs)

    # --- The model ---------------------------------------------------------------------------------------------------

    def note(self, name: str, inputs: dict[str, Any]) -> None:
        table = self.cast.table.pk
        if name in ("round_settle", "round_finish", "round_record"):
            last = Round.objects.filter(table=table, corrects__isnull=True).latest("pk")
            if last.bank_player_id is not None:
                self.model.settled(table, last.bank_player_id)
        if name == "turn_renew":
            self.model.renewed(table)
        if name == "offer_answer" and inputs["answer"] == "accepted":
            self.note_acceptance(table)
        if name == "round_correct" and inputs.get("drop") not in (None, "as_recorded"):
            corrected = Round.objects.filter(corrects__isnull=False).latest("pk")
            self.model.paid[_first(corrected)] = self.due(corrected, corrected.sheet["positions"])
        for each in Round.objects.filter(corrects__isnull=True):
            if each.state in (Round.State.BETTING, Round.State.VOID):
                self.model.paid.pop(each.pk, None)
            elif each.pk not in self.model.paid:
                self.model.paid[each.pk] = self.due(each, each.bets)

    def note_acceptance(self, table: int) -> None:
        """Who accepts after all others were asked begins anew, the player who banked last too."""
        reading, banked = self.cast.reading(), self.model.banked.get(table)
        if reading.turn is not None and banked and banked[-1] == reading.turn.player_id:
            others = {sitting.player_id for sitting in reading.seatings.values()} - {reading.turn.player_id}
            answered = set(Offer.objects.filter(table=table).values_list("player", flat=True))
            if others <= answered:
                self.model.renewed(table)

    def due(self, of: Round, bets: Any) -> int:
        if of.house_banks or of.schedule is None:
            return 0
        waived = [
            None if w.seat is None else w.seat
            for w in Waiver.objects.filter(round=_first(of), withdrawn_at=None)
        ]
        return fees_due(of.schedule.document, bets, waived)

    @property
    def drop_cents(self) -> int:
        timed = sum(TimeCollection.objects.values_list("cents", flat=True))
        return sum(self.model.paid.values()) + timed

    # --- What holds after every act ----------------------------------------------------------------------------------

    @invariant()
    def the_drop_is_what_the_model_says(self) -> None:
        cents = 0
        for each in Transfer.objects.filter(kind__in=Transfer.COLLECTION_KINDS):
            cents += each.cents if each.target == Transfer.Account.DROP else -each.cents
        assert cents == self.drop_cents, self.last_act
        shift = Shift.objects.filter(room=self.cast.room, closed_at=None).first()
        if shift is None or Shift.objects.filter(room=self.cast.room).count() > 1:
            return
        board = room_board(self.cast.room, shift, timezone.now())
        assert sum(card.drop_cents or 0 for card in board) == self.drop_cents, self.last_act
        query = ReportQuery(
            room=self.cast.room,
            first=shift.gaming_day,
            last=shift.gaming_day,
            staff=self.cast.people["shift_manager"],
            now=timezone.now(),
            shift=shift,
        )
        said = {answer.name: answer.value for answer in collection(query).answers}
        assert said["drop_cents"] == self.drop_cents, self.last_act
        assert said["difference_cents"] == 0, self.last_act

    @invariant()
    def what_moves_in_a_round_stays_within_its_wagers(self) -> None:
        """Players and bank win of each other alone, and the bank pays and takes its wager at most (ruling 6)."""
        for each in Round.objects.filter(state=Round.State.SETTLED, bank_wager_cents__isnull=False):
            moved = defaultdict[str, int](int)
            for transfer in each.transfers.filter(kind__in=(Transfer.Kind.PAY, Transfer.Kind.TAKE)):
                moved[transfer.target] += transfer.cents
                moved[transfer.source] -= transfer.cents
            assert sum(moved.values()) == 0
            if each.corrects_id is None:
                assert each.taken_cents + each.paid_cents <= (each.bank_wager_cents or 0), self.last_act

    @invariant()
    def numbers_have_no_gaps(self) -> None:
        for table in Table.objects.filter(room=self.cast.room):
            days = defaultdict[Any, list[int]](list)
            rounds = Round.objects.filter(table=table, corrects__isnull=True).order_by("pk")
            for day, number in rounds.values_list("gaming_day", "number"):
                days[day].append(number)
            assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in days.values()), (
                self.last_act
            )
        chains = defaultdict[tuple[int | None, int | None], list[JournalEntry]](list)
        for entry in JournalEntry.objects.order_by("pk"):
            chains[entry.room_id if entry.table_id is None else None, entry.table_id].append(entry)
        for entries in chains.values():
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1)), self.last_act

    @invariant()
    def nobody_banks_a_third_round_in_a_row(self) -> None:
        assert self.model.in_a_row(self.cast.table.pk) <= 2, self.last_act

    def hold_at_the_end(self) -> None:
        """Close the shift, report it and verify the whole."""
        shift = Shift.objects.filter(room=self.cast.room, closed_at=None).first()
        if shift is not None:
            live = self.cast.reading().live
            if live is not None:
                reason = {"reason": "the night is over", "approver": self.cast.people["shift_manager"]}
                self.give(ACTS["round_void"], "floor", reason)
            sent = {"shift_id": shift.pk, "confirmed": True}
            self.cast.send_room(ACTS["shift_close"].command, "shift_manager", **sent)
            figures = shift_report_make(shift.pk).figures
            assert figures["differences"] == []
            assert figures["over_limit"] == []
            if Shift.objects.filter(room=self.cast.room).count() == 1:
                assert figures["total"]["drop_expected_cents"] - _bought(figures) == self.drop_cents
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
    """Table 7 of the California rules on fee schedule 1, seat 3 at the bank."""

    cast_of = staticmethod(running_cast)


class HouseBanks(Floor):
    """Table 7 of the Massachusetts rules, which the house banks."""

    cast_of = staticmethod(house_cast)


def played(machine: type[Floor], examples: int, steps: int, *, anew: bool) -> None:
    """Play so many examples: `anew` others each time, else the same ones, so that a change and no chance fails the suite."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=not anew,
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("machine", [PlayersBank, HouseBanks])
def test_any_order_of_acts_keeps_money_numbers_chain_and_reports(db: None, machine: type[Floor]) -> None:
    played(machine, 6, 40, anew=False)


@pytest.mark.slow
@pytest.mark.parametrize("machine", [PlayersBank, HouseBanks])
def test_any_long_order_of_acts_keeps_money_numbers_chain_and_reports(db: None, machine: type[Floor]) -> None:
    machine.carried_out = Counter()
    played(machine, 20, 60, anew=True)
    print(
        f"{machine.__name__}: {machine.carried_out.total()} acts of {len(machine.carried_out)} kinds"
    )  # with -s
    assert len(machine.carried_out) > 25, "most acts were refused: what is drawn for them is no use"


def test_the_machine_knows_of_which_table_each_id_is() -> None:
    """A new act whose input is an id of another name: say in `IDS` of what."""
    ids = {
        each.name
        for act in ACTS.values()
        for each in act.inputs
        if isinstance(each.kind, Whole) and re.search(r"_id$", each.name)
    }
    assert ids <= IDS.keys()


def test_the_model_charges_what_the_printed_schedule_says(db: None) -> None:
    """Worked by hand from the document: $1 a player, $1 for the bank to $100 of antes, $2 above."""
    document = running_cast().schedule(1).document
    bets = [{"seat": seat, "wagers": {"ante": 5000}} for seat in (1, 2)]
    assert fees_due(document, bets) == 300
    assert fees_due(document, [*bets, {"seat": 4, "wagers": {"ante": 100}}]) == 500
    assert fees_due(document, bets, waived=[None]) == 200
