"""Rounds of a room that settles by eye: wagers and fees are recorded, cards are not."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import (
    bets_close,
    round_deal,
    round_finish,
    round_open,
    round_record,
    round_settle,
)
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import JournalEntry, Round, Table, Transfer
from tests.cast import BANK_HAND, HANDS, Cast, table_7
from tests.filing import table_settings


def set_recording(cast: Cast, recording: str | None) -> None:
    table = Table.objects.get(pk=cast.table.pk)
    cast.send(
        table_set,
        "floor",
        **table_settings(
            cast.room,
            rulebook=table.rulebook,
            options=table.options,
            schedule_id=table.schedule_id,
            recording=recording,
        ),
    )


@pytest.fixture
def by_eye(running: Cast) -> Cast:
    """A table at which seat 3 banks and rounds are settled by eye."""
    set_recording(running, "fees")
    return running


def finish(cast: Cast, antes: dict[int, int]) -> Round:
    cast.deal(antes)
    return Round.objects.get(pk=cast.send(round_finish)["round"])


def test_a_table_records_cards_until_it_is_set_otherwise_and_keeps_what_is_left_out(
    running: Cast,
) -> None:
    assert table_7().recording == "cards"
    set_recording(running, "fees")
    set_recording(running, None)
    assert table_7().recording == "fees"
    entry = JournalEntry.objects.filter(command="table_set").order_by("-seq")[1]
    assert (entry.data["before"]["recording"], entry.data["after"]["recording"]) == ("cards", "fees")


def test_a_table_cannot_be_set_to_record_something_else(running: Cast) -> None:
    with pytest.raises(BadInput, match="records cards or fees") as refused:
        set_recording(running, "nothing")
    assert refused.value.path == "recording"


@pytest.mark.clause("california:fees.5", "california:type.5")
def test_a_round_settled_by_eye_drops_its_fees_and_counts_for_the_turn(by_eye: Cast) -> None:
    round_ = finish(by_eye, {4: 1000, 5: 2000})
    assert (round_.state, round_.recording, round_.turn_round) == ("settled", "fees", 1)
    assert (round_.sheet, round_.settlement, round_.taken_cents, round_.paid_cents) == (None, None, 0, 0)
    assert round_.total_table_action_cents == 3000
    assert round_.player_fees_cents + round_.bank_fee_cents > 0
    assert set(round_.transfers.values_list("kind", flat=True)) == {Transfer.Kind.FEE}
    finish(by_eye, {4: 1000})
    assert by_eye.state().step.kind == "offer"
    assert by_eye.send(offer_answer, seat=4, answer="accepted")["seat"] == 4


def test_no_cards_are_asked_of_it_and_none_are_taken(by_eye: Cast) -> None:
    by_eye.deal({4: 1000})
    with pytest.raises(NotNow, match="is not carded") as refused:
        by_eye.send(
            round_settle,
            bank_hand=BANK_HAND,
            positions=[{"seat": 4, "hand": HANDS[4], "decision": "play"}],
        )
    assert refused.value.code == "settled_by_eye"
    by_eye.send(round_finish)
    with pytest.raises(NotNow, match="whole sheets"):
        by_eye.send(round_record, sheet={"rulebook": "california"})


def test_it_is_finished_after_the_deal_and_not_before(by_eye: Cast) -> None:
    with pytest.raises(NotNow, match="No round is in play"):
        by_eye.send(round_finish)
    by_eye.bet({4: 1000})
    with pytest.raises(NotNow, match="still open"):
        by_eye.send(round_finish)
    by_eye.send(bets_close)
    with pytest.raises(NotNow, match="not been dealt"):
        by_eye.send(round_finish)
    by_eye.send(round_deal)
    assert by_eye.send(round_finish)["state"] == "settled"


def test_a_round_whose_cards_are_recorded_is_not_finished_without_them(running: Cast) -> None:
    running.deal({4: 1000})
    with pytest.raises(NotNow, match="records cards") as refused:
        running.send(round_finish)
    assert refused.value.code == "cards_recorded"


def test_wagers_of_a_round_settled_by_eye_repeat(by_eye: Cast) -> None:
    finish(by_eye, {4: 1000, 6: 500})
    answer = by_eye.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    bets = Round.objects.get(pk=answer["round"]).bets
    assert {bet["seat"]: bet["wagers"] for bet in bets} == {4: {"ante": 1000}, 6: {"ante": 500}}


@pytest.mark.parametrize("recording", ["cards", "fees"])
def test_the_database_holds_a_settled_round_to_its_level(by_eye: Cast, recording: str) -> None:
    by_eye.deal({4: 1000})
    round_ = Round.objects.get(state="bets_closed")
    round_.recording, round_.state, round_.ended_at = recording, "settled", round_.dealt_at
    if recording == "fees":
        round_.taken_cents = 1000  # known of no round that was settled by eye
    with pytest.raises(IntegrityError, match="a_settled_round_has_its_sheet"), transaction.atomic():
        round_.save()
