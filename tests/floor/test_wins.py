"""The progressive on the floor: a win is keyed in, waits, and is confirmed or withdrawn; every movement is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from cardroom.floor.commands.exclusions import exclusion_enter
from cardroom.floor.commands.meters import meter_set
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_settle,
    round_void,
)
from cardroom.floor.commands.wins import win_confirm, win_key, win_withdraw
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Alert, JournalEntry, MeterMovement, ProgressiveWin, Round, Transfer
from cardroom.rooms.models import Room
from tests.cast import Cast, house_cast, running_cast

from .procedures import prompted, refused

clause = pytest.mark.clause
SEED = 100_000


@pytest.fixture(params=["massachusetts", "south_dakota"])
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """A running table of a game with a progressive, which the house banks."""
    return house_cast(request.param)


def contributing(cast: Cast, cents: int, reserve: int = 0) -> Cast:
    """Let each progressive wager of the room add so much to the meter and to its reserve."""
    Room.objects.filter(pk=cast.room.pk).update(meter_contribution_cents=cents, meter_reserve_cents=reserve)
    return cast


def dealt(cast: Cast) -> None:
    """A round up to the deal: seats 4 and 5 bet the progressive."""
    cast.send(round_open)
    wagers = {"ante": 1000, "progressive": 100}
    cast.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in (4, 5)])
    cast.send(bets_close)
    cast.send(round_deal)


def settled(cast: Cast, hand: str) -> dict[str, Any]:
    """A round in which seat 4 holds `hand` and seat 5 misses; returns its settlement."""
    dealt(cast)
    positions = [
        {"seat": seat, "hand": cards, "decision": "play"} for seat, cards in ((4, hand), (5, "8s 8c 3d"))
    ]
    return cast.send(round_settle, bank_hand="2c 4d 7h", positions=positions)["settlement"]


def movements() -> list[tuple[str, int, int]]:
    return list(MeterMovement.objects.order_by("id").values_list("kind", "cents", "shown_cents"))


def from_meter() -> int:
    """What transfers took off the meter's account, in cents."""
    return sum(Transfer.objects.filter(source=Transfer.Account.METER).values_list("cents", flat=True))


@clause(
    "massachusetts:13(d)",
    "massachusetts:13(d)(d)",
    "massachusetts:13(d)(e)",
    "massachusetts:13(d)(f)",
    "south_dakota:(16)(a)(iii)",
    "south_dakota:(16)(a)(v)",
)
def test_a_win_waits_for_a_supervisor_who_did_not_key_it(cast: Cast) -> None:
    settled(cast, "9h 9d 9c")
    assert prompted(cast)["win_to_key"].blocks
    win = cast.send(win_key, seat=4)["win"]
    assert ProgressiveWin.objects.get().seat == 4
    prompt = prompted(cast)["win_pending"]
    assert (prompt.command, prompt.given, prompt.blocks) == ("win_confirm", {"win_id": win}, True)
    assert "win_to_key" not in prompted(cast)
    [alert] = Alert.objects.filter(cleared_at__isnull=True)
    assert (alert.kind, "seat 4" in alert.text) == ("meter_win_pending", True)
    assert refused(cast, win_confirm, win_id=win) == "supervisor_required"
    cast.send(win_confirm, win_id=win, approver=cast.people["floor"])
    kept = ProgressiveWin.objects.get()
    assert (kept.state, kept.keyed_by, kept.answered_by) == (
        "confirmed",
        cast.people["dealer"],
        cast.people["floor"],
    )
    assert not Alert.objects.filter(cleared_at__isnull=True).exists()
    assert movements() == [("opened", SEED, SEED)], "three of a kind is paid from the tray"
    assert from_meter() == 0
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        ProgressiveWin.objects.update(state="withdrawn")


@clause("massachusetts:13(d)(f)", "south_dakota:(16)(a)(iii)")
def test_the_floor_that_keyed_a_win_does_not_confirm_it(cast: Cast) -> None:
    settled(cast, "9h 9d 9c")
    win = cast.send(win_key, "floor", seat=4)["win"]
    assert refused(cast, win_confirm, "floor", win_id=win) == "win_not_confirmed"
    cast.send(win_confirm, "shift_manager", win_id=win)


def test_the_win_of_somebody_who_may_no_longer_play_is_a_shift_managers_to_confirm(cast: Cast) -> None:
    """Nobody else is told why; the journal marks the win and says no more (4 CCR 12463 to 12466)."""
    settled(cast, "9h 9d 9c")
    win = cast.send(win_key, seat=4)["win"]
    four = cast.players[4]
    cast.send_room(
        exclusion_enter, "shift_manager", player_id=four.pk, kind="self_excluded", reason="form of today"
    )
    for who, signs in (("floor", {}), ("dealer", {"approver": cast.people["floor"]})):
        with pytest.raises(FloorError) as refusal:
            cast.send(win_confirm, who, win_id=win, **signs)
        assert (refusal.value.code, refusal.value.message) == (
            "player_inactive",
            f"{four.name} may no longer play in this room: ask a shift manager.",
        )
    assert ProgressiveWin.objects.get().state == "pending"
    cast.send(win_confirm, "dealer", win_id=win, approver=cast.people["shift_manager"])
    data = JournalEntry.objects.get(command="win_confirm").data
    assert (data["player"], data["may_not_play"]) == (four.pk, True)
    assert "form of today" not in str(data) and "self" not in str(data)


@clause("massachusetts:13(d)(e)", "massachusetts:13(d)(g)", "south_dakota:(16)(a)(vi)")
def test_no_round_opens_before_each_win_is_keyed_and_confirmed(cast: Cast) -> None:
    settled(cast, "9h 9d 9c")
    assert refused(cast, round_open) == "win_waits"
    win = cast.send(win_key, seat=4)["win"]
    assert refused(cast, round_open) == "win_waits"
    cast.send(win_confirm, "floor", win_id=win)
    cast.play({4: 1000})


@clause("massachusetts:13(d)", "massachusetts:13(d)(d)", "south_dakota:(16)(a)(iii).2")
def test_a_mistaken_entry_is_withdrawn_while_it_waits(cast: Cast) -> None:
    settled(cast, "9h 9d 9c")
    wrong = cast.send(win_key, seat=5)["win"]
    assert refused(cast, win_confirm, "floor", win_id=wrong) == "win_not_confirmed"
    assert refused(cast, win_withdraw, win_id=wrong, reason="") == "reason_required"
    cast.send(win_withdraw, win_id=wrong, reason="wrong seat")
    assert refused(cast, win_withdraw, win_id=wrong, reason="again") == "no_win"
    right = cast.send(win_key, seat=4)["win"]
    assert refused(cast, win_key, seat=4) == "win_keyed"
    assert refused(cast, win_key, seat=6) == "bad_seat"
    cast.send(win_confirm, "floor", win_id=right)
    assert refused(cast, win_withdraw, win_id=right, reason="too late") == "no_win", "a confirmed one stands"


@clause(
    "massachusetts:13(d)(a)",
    "south_dakota:(16).5",
    "south_dakota:(16).6",
    "south_dakota:(16)(a)(v)",
    "south_dakota:(16)(a)(v).2",
    "south_dakota:(16)(a)(vi).2",
)
def test_a_win_of_the_meter_takes_all_of_it_and_seeds_it_anew(cast: Cast) -> None:
    contributing(cast, 20, reserve=5)
    settlement = settled(cast, "As Ks Qs")
    assert (settlement["meter_paid"], from_meter()) == (SEED + 40, SEED + 40)
    win = cast.send(win_key, seat=4)["win"]
    cast.send(win_confirm, "floor", win_id=win)
    assert movements() == [
        ("opened", SEED, SEED),
        ("wagered", 40, SEED + 40),
        ("win", -(SEED + 40), 0),
        ("reseeded", SEED + 10, SEED + 10),
    ]
    logged = JournalEntry.objects.filter(command="meter_move")
    assert [entry.data["kind"] for entry in logged.order_by("seq")] == [kind for kind, _, _ in movements()]
    assert {fact.reason == "" for fact in MeterMovement.objects.all()} == {False}
    # The next round plays for the new meter.
    assert settled(cast, "9h 9d 9c")["meter_paid"] == 0
    assert movements()[-1] == ("wagered", 40, SEED + 50)


@clause("massachusetts:13(d)(b)", "south_dakota:(16)(a)(v)")
def test_a_win_off_the_tray_leaves_the_meter(cast: Cast) -> None:
    contributing(cast, 20)
    settled(cast, "Th 9h 8h")
    cast.send(win_confirm, "floor", win_id=cast.send(win_key, seat=4)["win"])
    assert [kind for kind, _, _ in movements()] == ["opened", "wagered"]
    off_the_tray = Transfer.objects.filter(source=Transfer.Account.TRAY, seat=4, cents=7000)
    assert (from_meter(), off_the_tray.count()) == (0, 1), "70 for 1"


def test_a_void_leaves_the_meter_as_it_was(cast: Cast) -> None:
    contributing(cast, 20)
    dealt(cast)
    cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
    assert movements() == [("opened", SEED, SEED)]


SET: dict[str, Any] = {"shown_cents": 250_000, "reserve_cents": 7, "reason": "from the old controller"}


def test_a_meter_is_set_by_two_people_between_rounds(cast: Cast) -> None:
    signed = {**SET, "approver": cast.people["floor"]}
    assert refused(cast, meter_set, **signed) == "forbidden", "a dealer sets none"
    assert refused(cast, meter_set, "floor", **signed) == "second_person_required"
    other = {**SET, "approver": cast.people["shift_manager"]}
    assert refused(cast, meter_set, "floor", **{**other, "reason": " "}) == "reason_required"
    cast.begin()
    assert refused(cast, meter_set, "floor", **other) == "round_live"
    cast.send(round_void, reason="nobody plays", approver=cast.people["floor"])
    after = cast.send(meter_set, "floor", **other)
    assert (after["shown_cents"], after["reserve_cents"]) == (250_000, 7)
    assert movements() == [("opened", SEED, SEED), ("set", 250_000 - SEED, 250_000)]
    assert settled(cast, "As Ks Qs")["meter_paid"] == 250_000
    win = cast.send(win_key, seat=4)["win"]
    assert refused(cast, meter_set, "floor", **other) == "win_waits"
    cast.send(win_confirm, "floor", win_id=win)
    assert movements()[-1] == ("reseeded", SEED + 7, SEED + 7)


def test_a_round_settled_on_another_meter_is_looked_at_again(cast: Cast) -> None:
    settled(cast, "As Ks Qs")
    cast.send(
        meter_set, "floor", **SET, approver=cast.people["shift_manager"]
    )  # before anybody has keyed the win in
    win = cast.send(win_key, seat=4)["win"]
    assert refused(cast, win_confirm, "floor", win_id=win) == "meter_differs"
    assert ProgressiveWin.objects.get().state == "pending"
    cast.send(win_withdraw, win_id=win, reason="the meter is wrong")
    cast.send(meter_set, "floor", **{**SET, "shown_cents": SEED, "approver": cast.people["shift_manager"]})
    cast.send(win_confirm, "floor", win_id=cast.send(win_key, seat=4)["win"])


def test_a_progressive_wager_is_the_rooms_one_unit(cast: Cast) -> None:
    cast.send(round_open)
    bet = {"seat": 4, "wagers": {"ante": 1000, "progressive": 200}}
    assert refused(cast, bets_place, positions=[bet]) == "outside_table_limits"
    bet["wagers"] = {"ante": 1000, "progressive": 100}
    cast.send(bets_place, positions=[bet])
    assert Round.objects.get().bets[0]["wagers"] == bet["wagers"]


@pytest.mark.django_db
def test_california_knows_no_progressive() -> None:
    cast = running_cast()
    cast.play({4: 1000})
    assert refused(cast, win_key, seat=4) == "no_progressive"
    assert refused(cast, win_confirm, "floor", win_id=1) == "no_win"
    assert refused(cast, meter_set, "floor", **SET, approver=cast.people["shift_manager"]) == "no_progressive"
    assert not MeterMovement.objects.exists()
