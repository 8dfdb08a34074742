"""Corrections of settled rounds: reversed and recorded anew, with a reason and a second person."""

from __future__ import annotations

import copy
from collections import defaultdict
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from cardroom.core.row_digests import digest_of
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_finish, round_open
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Round, Transfer
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.table_state import read_table
from cardroom.floor.settling.correction_preview import correction_computed, current_transfers
from cardroom.people.models import Role
from cardroom.people.names import named
from tests.cast import HANDS, JACK_HIGH, Cast, running_cast, table_7
from tests.kept import kept

from .test_by_eye import set_recording

#: Seat 4's jack high loses to the bank's king high, seat 5's ace high beats it.
ANTES = {4: 1000, 5: 2000}


def as_recorded(round_: Round) -> dict[str, Any]:
    """A round's own record, as a correction names it: what a test then changes."""
    record: dict[str, Any] = {
        "round_id": round_.pk,
        "bank_wager_cents": round_.bank_wager_cents,
        "action_seat": round_.action_seat,
    }
    if round_.sheet is None:
        return {
            **record,
            "positions": copy.deepcopy([{k: b[k] for k in ("seat", "wagers", "tips")} for b in round_.bets]),
        }
    keys = ("seat", "wagers", "tips", "hand", "decision")
    positions = [{key: p[key] for key in keys if key in p} for p in copy.deepcopy(round_.sheet["positions"])]
    return {**record, "bank_hand": round_.sheet["bank_hand"], "positions": positions}


def correct(cast: Cast, record: dict[str, Any], **more: Any) -> dict[str, Any]:
    return cast.send(
        round_correct,
        **{"reason": "seat 4's cards misread", "approver": cast.people["floor"], **record, **more},
    )


def balances(*rounds: Round) -> dict[tuple[str, int | None], int]:
    """What all transfers of the rounds come to, in cents by account."""
    sums: defaultdict[tuple[str, int | None], int] = defaultdict(int)
    for transfer in Transfer.objects.filter(round__in=rounds):
        for account, cents in ((transfer.target, transfer.cents), (transfer.source, -transfer.cents)):
            sums[account, transfer.seat if account == "seat" else None] += cents
    return {account: cents for account, cents in sums.items() if cents}


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """The running table; for a test of a played round, with that round."""
    return kept(_played) if "played" in request.fixturenames else running_cast()


def _played() -> Cast:
    cast = running_cast()
    cast.play(ANTES, hands={4: JACK_HIGH})
    return cast


@pytest.fixture
def played(running: Cast) -> Round:
    """A round that is settled: seat 4 lost ante and play, seat 5 won both."""
    return Round.objects.get(table=running.table)


@pytest.fixture
def misread(played: Round) -> dict[str, Any]:
    """What the round should have said: seat 4 held a pair of jacks."""
    record = as_recorded(played)
    record["positions"][0]["hand"] = "Js Jh 5c"
    return record


def test_a_correction_reverses_what_moved_and_moves_what_should_have(
    running: Cast, played: Round, misread: dict[str, Any]
) -> None:
    answer = correct(running, misread)
    new = Round.objects.get(pk=answer["round"])
    assert (new.corrects, new.revision, new.number, new.gaming_day) == (
        played,
        1,
        played.number,
        played.gaming_day,
    )
    assert (new.opened_at, new.ended_at, new.turn_round) == (played.opened_at, played.ended_at, 1)
    assert (new.correction_reason, new.corrected_by, new.correction_approved_by) == (
        "seat 4's cards misread", running.people["dealer"], running.people["floor"],
    )  # fmt: skip
    # Seat 4 had lost 10 + 10; it wins 10 + 10, and the bank is out of pocket by 40.
    assert answer["moved"] == [
        {"account": "seat", "seat": 4, "player": "Dee", "cents": 4000},
        {"account": "bank", "seat": 3, "player": "Cy", "cents": -4000},
    ]
    undone = Transfer.objects.filter(round=new, reverses__isnull=False)
    assert {t.reverses for t in undone} == set(played.transfers.exclude(kind="fee"))
    assert all(
        (t.source, t.target, t.cents) == (t.reverses.target, t.reverses.source, t.reverses.cents)
        for t in undone
    )
    # Old and new together come to what the right record would have come to.
    fees = {("seat", 4): -100, ("seat", 5): -100, ("drop", None): 300}
    wins = {("seat", 4): 2000, ("seat", 5): 4000}
    both = balances(played, new)
    assert both == {
        ("seat", 4): wins["seat", 4] + fees["seat", 4],
        ("seat", 5): wins["seat", 5] + fees["seat", 5],
        ("bank", None): -6000 - 100,
        ("drop", None): 300,
    }
    assert (new.taken_cents, new.paid_cents) == (0, 6000)


@pytest.mark.postgresql
def test_the_record_that_was_wrong_stays_as_it_was(
    running: Cast, played: Round, misread: dict[str, Any]
) -> None:
    before = Round.objects.filter(pk=played.pk).values().get()
    moved = list(played.transfers.values())
    new = Round.objects.get(pk=correct(running, misread)["round"])
    assert Round.objects.filter(pk=played.pk).values().get() == before
    assert list(played.transfers.values()) == moved
    for column in ("paid_cents = 0", "revision = 7"):
        with (
            pytest.raises(DatabaseError, match="never changes"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"UPDATE floor_round SET {column} WHERE id = {new.pk}")
    entry = JournalEntry.objects.filter(command="round_correct").get()
    assert entry.reason == "seat 4's cards misread"
    assert (entry.data["round"], entry.data["corrects"], entry.data["revision"]) == (new.pk, played.pk, 1)
    assert entry.rows["floor_round"][str(new.pk)] == digest_of(new)
    assert entry.data["approved_by"]["id"] == running.people["floor"].pk
    assert list(chain_breaks(table_7())) == []


@pytest.mark.postgresql
def test_turns_board_and_last_wagers_take_a_correction_for_no_further_round(
    running: Cast, played: Round
) -> None:
    record = as_recorded(played)
    record["positions"] = [p for p in record["positions"] if p["seat"] == 5]
    record["positions"][0]["wagers"] = {"ante": 2500}
    version = table_7().version
    correct(running, record)
    table = table_7()
    assert table.version == version, "a correction does not make whoever works at the table look again"
    state = read_table(table)
    assert state.turn is not None
    assert state.turn.rounds == 1
    assert state.last is not None
    assert state.last.revision == 1
    glance, _ = room_board(running.room, state.shift, state.now)
    assert (glance.rounds, glance.drop_cents, glance.last_ended_at) == (1, 300, played.ended_at)
    answer = running.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    live = Round.objects.get(pk=answer["round"])
    assert [(bet["seat"], bet["wagers"]) for bet in live.bets] == [(5, {"ante": 2500})]
    assert live.number == played.number + 1


def test_the_last_round_stays_the_last_when_an_earlier_one_is_corrected(
    running: Cast, played: Round, misread: dict[str, Any]
) -> None:
    later = running.play({6: 500})["round"]
    correct(running, misread)
    last = read_table(table_7()).last
    assert last is not None
    assert last.pk == later


def test_a_correction_is_corrected_in_its_turn_and_each_round_once(
    running: Cast, played: Round, misread: dict[str, Any]
) -> None:
    first = Round.objects.get(pk=correct(running, misread)["round"])
    with pytest.raises(NotNow, match="was corrected by Dealer") as refused:
        correct(running, misread)
    assert refused.value.code == "corrected_before"
    back = as_recorded(played)
    second = Round.objects.get(pk=correct(running, {**back, "round_id": first.pk})["round"])
    assert (second.revision, second.corrects) == (2, first)
    assert second.sheet == played.sheet
    alone = balances(played)
    assert balances(played, first, second) == alone
    assert {t.kind for t in current_transfers(second)} == {"fee", "take", "pay"}
    assert sum(t.cents for t in current_transfers(second) if t.kind == "fee") == 300


@pytest.mark.clause("california:fees.5")
def test_fees_stay_as_they_were_dropped_unless_the_box_holds_what_was_due(running: Cast) -> None:
    # $15 instead of $150 was typed at seat 5: the bank's fee was of the lowest band.
    played = Round.objects.get(pk=running.play({4: 1000, 5: 1500})["round"])
    record = as_recorded(played)
    record["positions"][1]["wagers"] = {"ante": 10000}
    kept = Round.objects.get(pk=correct(running, record)["round"])
    assert (kept.fees, kept.bank_fee_cents, kept.bank_fee_band) == (
        played.fees, played.bank_fee_cents, played.bank_fee_band,
    )  # fmt: skip
    assert not kept.transfers.filter(kind="fee").exists()
    entry = JournalEntry.objects.get(command="round_correct")
    assert entry.data["fees_due_cents"] == 400
    due = Round.objects.get(pk=correct(running, {**record, "round_id": kept.pk}, drop="as_due")["round"])
    assert (due.bank_fee_cents, due.player_fees_cents, due.sheet) == (200, 200, kept.sheet)
    assert due.settlement is not None
    assert due.settlement["drop"] == 400
    assert balances(played, kept, due)["drop", None] == 400
    assert sum(t.cents for t in current_transfers(due) if t.kind == "fee") == 400


def test_a_seat_that_was_left_out_and_a_seat_too_many_are_corrected(running: Cast, played: Round) -> None:
    record = as_recorded(played)
    record["positions"] = [p for p in record["positions"] if p["seat"] == 5]
    record["positions"].append(
        {"seat": 6, "wagers": {"ante": 500}, "tips": {"ante": 100}, "hand": HANDS[6], "decision": "fold"}
    )
    running.send(player_leave, seat=6)  # left since: who sat there then is what counts
    new = Round.objects.get(pk=correct(running, record)["round"])
    assert [(bet["seat"], bet["player"]) for bet in named(new.bets)] == [(5, "Eve"), (6, "Fay")]
    assert (new.positions, new.total_table_action_cents) == (2, 2500)
    (fay,) = {t.player for t in new.transfers.filter(seat=6)}
    assert fay == running.players[6]
    record["positions"][0]["seat"] = 3
    with pytest.raises(BadInput, match=r"[Ss]eat 3"):
        correct(running, {**record, "round_id": new.pk})


def test_a_seat_at_which_nobody_sat_cannot_be_brought_in(running: Cast, played: Round) -> None:
    record = as_recorded(played)
    record["positions"].append({"seat": 9, "wagers": {"ante": 500}, "hand": HANDS[6], "decision": "fold"})
    with pytest.raises(BadInput, match="Nobody sat at seat 9") as refused:
        correct(running, record)
    assert refused.value.path == "positions[2].seat"


def test_a_round_settled_by_eye_is_corrected_in_its_wagers(running: Cast) -> None:
    set_recording(running, "fees")
    running.deal(ANTES)
    played = Round.objects.get(pk=running.send(round_finish)["round"])
    record = as_recorded(played)
    record["positions"][0]["wagers"] = {"ante": 1500}
    answer = correct(running, record)
    new = Round.objects.get(pk=answer["round"])
    assert (new.recording, new.settlement, new.total_table_action_cents) == ("fees", None, 3500)
    assert answer["moved"] == []
    assert not new.transfers.exists()


def test_whoever_corrects_never_approves_and_not_everybody_may(
    running: Cast, misread: dict[str, Any]
) -> None:
    with pytest.raises(Forbidden, match="second person"):
        running.send(round_correct, "floor", reason="misread", approver=running.people["floor"], **misread)
    for role in (Role.DEALER, Role.COMPLIANCE, Role.ROOM_MANAGER):
        actor = running.people["floor"] if role == Role.DEALER else running.people["dealer"]
        with pytest.raises(Forbidden, match="approve a correction"):
            running.send(round_correct, actor, reason="misread", approver=running.people[role], **misread)
    outsider = running.people["rival_floor"]
    with pytest.raises(Forbidden, match="holds no role"):
        correct(running, misread, approver=outsider)
    with pytest.raises(NotFound):
        running.send(round_correct, outsider, reason="misread", approver=running.people["floor"], **misread)
    assert not Round.objects.filter(revision__gt=0).exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_correction_needs_a_reason(running: Cast, misread: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match="A correction needs a reason"):
        correct(running, misread, reason=reason)


def test_what_the_rules_refuse_is_no_record(running: Cast, misread: dict[str, Any]) -> None:
    misread["positions"][0]["hand"] = misread["positions"][1]["hand"]
    with pytest.raises(BadInput) as refused:
        correct(running, misread)
    assert refused.value.path == "positions[1].hand"


def test_a_record_that_is_right_cannot_be_corrected(running: Cast, played: Round) -> None:
    with pytest.raises(BadInput, match="Nothing differs"):
        correct(running, as_recorded(played))


def test_rounds_in_play_and_void_and_of_other_tables_are_not_corrected(
    running: Cast, misread: dict[str, Any]
) -> None:
    running.deal(ANTES)
    live = Round.objects.get(state="bets_closed")
    with pytest.raises(NotNow, match="in play"):
        correct(running, {**misread, "round_id": live.pk})
    # While it is in play, an earlier round may be corrected.
    assert correct(running, misread)["state"] == "settled"
    with pytest.raises(NotFound, match="no round"):
        correct(running, {**misread, "round_id": live.pk + 1000})


def test_a_correction_on_trial_writes_nothing(running: Cast, played: Round, misread: dict[str, Any]) -> None:
    counts = Round.objects.count(), Transfer.objects.count(), JournalEntry.objects.count()
    record = {key: value for key, value in misread.items() if key not in ("round_id", "bank_hand")}
    record["hands"] = {"bank_hand": misread["bank_hand"]}
    made = correction_computed(played, **record, drop="as_recorded")
    assert [(each.account, each.cents) for each in made.moved] == [("seat", 4000), ("bank", -4000)]
    assert not made.drop_differs
    assert (Round.objects.count(), Transfer.objects.count(), JournalEntry.objects.count()) == counts


@pytest.mark.postgresql
def test_the_database_holds_a_correction_to_its_reason_its_people_and_its_place(
    running: Cast, played: Round, misread: dict[str, Any]
) -> None:
    new = Round.objects.get(pk=correct(running, misread)["round"])
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("a_correction_has_a_reason", {"correction_reason": ""}),
        ("a_correction_has_a_reason", {"correction_approved_by": running.people["dealer"]}),
        ("a_correction_has_a_reason", {"corrects": None, "revision": 2}),
        ("a_correction_has_a_reason", {"revision": 0}),
        ("corrects", {"revision": 2}),
        ("revision|one_round_of_a_number", {"corrects": new}),
    ]
    for name, columns in wrong:
        copied = Round.objects.get(pk=new.pk)
        copied.pk = None
        copied.corrects, copied.revision = new, 2
        for column, value in columns.items():
            setattr(copied, column, value)
        if name == "corrects":
            copied.corrects = played  # which has its correction
        if name.startswith("revision"):
            copied.revision = 1
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            copied.save(force_insert=True)
    taken_back = Transfer.objects.filter(round=new, reverses__isnull=False)[0]
    taken_back.pk = None
    with pytest.raises(IntegrityError, match="reverses"), transaction.atomic():
        taken_back.save(force_insert=True)
