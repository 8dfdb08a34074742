"""A player who is made inactive while seated: no bank, no wagers from the next round on, and an alert at once."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.commands.bank import offer_answer, offers_decline
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
)
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Alert, Offer, Turn
from cardroom.floor.reads.rotation import hours_period, room_rotation
from cardroom.floor.tasks import watch_floors
from cardroom.people.names import named
from tests.cast import HANDS, Cast, open_cast, sheet


@pytest.fixture
def cast(db: None) -> Cast:
    return open_cast()


def make_inactive(cast: Cast, seat: int) -> None:
    player = cast.players[seat]
    player.is_active = False
    player.save()


def answer(cast: Cast, *accepts: int) -> None:
    """Let every seat that is asked decline, up to the one that accepts."""
    while (step := cast.state().step).kind == "offer":
        takes = step.seat in accepts
        cast.send(offer_answer, "dealer", seat=step.seat, answer="accepted" if takes else "declined")
        if takes:
            return


def broken(cast: Cast) -> list[str]:
    period = hours_period(1, cast.state().now)
    return [each.text for table in room_rotation(cast.room, period) for each in table.exceptions]


def test_they_are_not_offered_the_bank_and_the_record_says_why(cast: Cast) -> None:
    make_inactive(cast, 4)
    answer(cast, 6)
    offers = dict(Offer.objects.values_list("seat", "answer"))
    assert offers == {
        1: "declined",
        2: "declined",
        3: "declined",
        4: "ineligible",
        5: "declined",
        6: "accepted",
    }
    assert "may no longer play" in Offer.objects.get(seat=4).reason
    assert cast.state().turn.seat == 6
    assert broken(cast) == []


def test_a_run_of_refusals_passes_them_over_too(cast: Cast) -> None:
    make_inactive(cast, 7)
    cast.send(offers_decline, "dealer")
    assert Offer.objects.filter(seat=4).get().answer == "declined"
    assert cast.state().step.kind == "vacant"


def test_they_cannot_accept(cast: Cast) -> None:
    make_inactive(cast, 4)
    with pytest.raises(FloorError) as refused:
        cast.send(offers_decline, "dealer", accepted_by=4)
    assert refused.value.code == "offer_not_due"
    assert cast.state().turn is None


def test_their_turn_ends_after_the_round_in_play(cast: Cast) -> None:
    answer(cast, 4)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    make_inactive(cast, 4)
    cast.send(bets_place, "dealer", positions=[{"seat": 1, "wagers": {"ante": 1000}}])
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")
    cast.send(
        round_settle,
        "dealer",
        bank_hand="Kh 7d 4c",
        positions=[{"seat": 1, "hand": HANDS[1], "decision": "play"}],
    )
    state = cast.state()
    assert state.turn is None
    assert Turn.objects.get().ended_why == "inactive"
    assert (state.step.kind, state.step.seat) == ("offer", 5)
    answer(cast, 6)
    assert broken(cast) == []


def test_between_rounds_the_bank_is_offered_again(cast: Cast) -> None:
    answer(cast, 4)
    make_inactive(cast, 4)
    assert cast.state().step.seat == 5
    with pytest.raises(FloorError) as refused:
        cast.send(round_open, "dealer", bank_wager_cents=20000)
    assert refused.value.code == "player_inactive"
    answer(cast, 5)
    assert [(turn.seat, turn.ended_why) for turn in Turn.objects.order_by("id")] == [(4, "inactive"), (5, "")]
    assert broken(cast) == []


def test_they_finish_the_round_and_wager_in_no_other(cast: Cast) -> None:
    answer(cast, 4)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    cast.send(bets_place, "dealer", positions=[{"seat": 1, "wagers": {"ante": 1000}}])
    make_inactive(cast, 1)
    cast.send(bets_place, "dealer", positions=[{"seat": 1, "wagers": {"ante": 2000}}])
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")
    cast.send(
        round_settle,
        "dealer",
        bank_hand="Kh 7d 4c",
        positions=[{"seat": 1, "hand": HANDS[1], "decision": "play"}],
    )
    cast.send(round_open, "dealer", bank_wager_cents=20000, repeat_bets=True)
    assert cast.state().live.bets == []
    with pytest.raises(FloorError) as refused:
        cast.send(bets_place, "dealer", positions=[{"seat": 1, "wagers": {"ante": 1000}}])
    assert (refused.value.code, refused.value.path) == ("player_inactive", "positions[0].seat")


def test_a_whole_sheet_with_them_is_refused(cast: Cast) -> None:
    answer(cast, 4)
    make_inactive(cast, 1)
    with pytest.raises(FloorError) as refused:
        cast.send(round_record, "dealer", sheet=sheet({1: 1000}, bank=4))
    assert refused.value.code == "player_inactive"


def test_the_floor_is_told_at_once_until_they_leave(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        make_inactive(cast, 4)
    alert = Alert.objects.get(kind="player_inactive")
    assert alert.is_urgent
    assert named(alert.text).startswith("Dee at seat 4 may no longer play")
    watch_floors()
    assert Alert.objects.filter(kind="player_inactive").count() == 1
    cast.send(player_leave, "floor", seat=4)
    watch_floors()
    alert.refresh_from_db()
    assert alert.cleared_at is not None
