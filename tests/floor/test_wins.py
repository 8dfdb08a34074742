"""The progressive on the floor: a win is keyed in, waits, and is confirmed or withdrawn; every movement is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

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
from cardroom.floor.models import Alert, JournalEntry, MeterMovement, ProgressiveWin, Round, Transfer
from cardroom.people.models import Role
from cardroom.rooms.models import Room

from .procedures import prompted, refused
from .site import Site, house_site, running_site

clause = pytest.mark.clause
SEED = 100_000


@pytest.fixture(params=["massachusetts", "south_dakota"])
def site(db: None, request: pytest.FixtureRequest) -> Site:
    """A running table of a game with a progressive, which the house banks."""
    return house_site(request.param)


def contributing(site: Site, cents: int, reserve: int = 0) -> Site:
    """Let each progressive wager of the room add so much to the meter and to its reserve."""
    Room.objects.filter(pk=site.room.pk).update(meter_contribution_cents=cents, meter_reserve_cents=reserve)
    return site


def dealt(site: Site) -> None:
    """A round up to the deal: seats 4 and 5 bet the progressive."""
    site.send(round_open)
    wagers = {"ante": 1000, "progressive": 100}
    site.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in (4, 5)])
    site.send(bets_close)
    site.send(round_deal)


def settled(site: Site, hand: str) -> dict[str, Any]:
    """A round in which seat 4 holds `hand` and seat 5 misses; returns its settlement."""
    dealt(site)
    positions = [
        {"seat": seat, "hand": cards, "decision": "play"} for seat, cards in ((4, hand), (5, "8s 8c 3d"))
    ]
    return site.send(round_settle, bank_hand="2c 4d 7h", positions=positions)["settlement"]


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
def test_a_win_waits_for_a_supervisor_who_did_not_key_it(site: Site) -> None:
    settled(site, "9h 9d 9c")
    assert prompted(site)["win_to_key"].blocks
    win = site.send(win_key, seat=4)["win"]
    assert ProgressiveWin.objects.get().seat == 4
    prompt = prompted(site)["win_pending"]
    assert (prompt.command, prompt.given, prompt.blocks) == ("win_confirm", {"win_id": win}, True)
    assert "win_to_key" not in prompted(site)
    [alert] = Alert.objects.filter(cleared_at__isnull=True)
    assert (alert.kind, "seat 4" in alert.text) == ("meter_win_pending", True)
    assert refused(site, win_confirm, win_id=win) == "supervisor_required"
    site.send(win_confirm, win_id=win, approver=site.floor)
    kept = ProgressiveWin.objects.get()
    assert (kept.state, kept.keyed_by, kept.answered_by) == ("confirmed", site.dealer, site.floor)
    assert not Alert.objects.filter(cleared_at__isnull=True).exists()
    assert movements() == [("opened", SEED, SEED)], "three of a kind is paid from the tray"
    assert from_meter() == 0
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        ProgressiveWin.objects.update(state="withdrawn")


@clause("massachusetts:13(d)(f)", "south_dakota:(16)(a)(iii)")
def test_the_floor_that_keyed_a_win_does_not_confirm_it(site: Site) -> None:
    settled(site, "9h 9d 9c")
    win = site.send(win_key, site.floor, seat=4)["win"]
    assert refused(site, win_confirm, site.floor, win_id=win) == "win_not_confirmed"
    site.send(win_confirm, site.manager, win_id=win)


@clause("massachusetts:13(d)(e)", "massachusetts:13(d)(g)", "south_dakota:(16)(a)(vi)")
def test_no_round_opens_before_each_win_is_keyed_and_confirmed(site: Site) -> None:
    settled(site, "9h 9d 9c")
    assert refused(site, round_open) == "win_waits"
    win = site.send(win_key, seat=4)["win"]
    assert refused(site, round_open) == "win_waits"
    site.send(win_confirm, site.floor, win_id=win)
    site.play({4: 1000})


@clause("massachusetts:13(d)", "massachusetts:13(d)(d)", "south_dakota:(16)(a)(iii).2")
def test_a_mistaken_entry_is_withdrawn_while_it_waits(site: Site) -> None:
    settled(site, "9h 9d 9c")
    wrong = site.send(win_key, seat=5)["win"]
    assert refused(site, win_confirm, site.floor, win_id=wrong) == "win_not_confirmed"
    assert refused(site, win_withdraw, win_id=wrong, reason="") == "reason_required"
    site.send(win_withdraw, win_id=wrong, reason="wrong seat")
    assert refused(site, win_withdraw, win_id=wrong, reason="again") == "no_win"
    right = site.send(win_key, seat=4)["win"]
    assert refused(site, win_key, seat=4) == "win_keyed"
    assert refused(site, win_key, seat=6) == "bad_seat"
    site.send(win_confirm, site.floor, win_id=right)
    assert refused(site, win_withdraw, win_id=right, reason="too late") == "no_win", "a confirmed one stands"


@clause(
    "massachusetts:13(d)(a)",
    "south_dakota:(16).5",
    "south_dakota:(16).6",
    "south_dakota:(16)(a)(v)",
    "south_dakota:(16)(a)(v).2",
    "south_dakota:(16)(a)(vi).2",
)
def test_a_win_of_the_meter_takes_all_of_it_and_seeds_it_anew(site: Site) -> None:
    contributing(site, 20, reserve=5)
    settlement = settled(site, "As Ks Qs")
    assert (settlement["meter_paid"], from_meter()) == (SEED + 40, SEED + 40)
    win = site.send(win_key, seat=4)["win"]
    site.send(win_confirm, site.floor, win_id=win)
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
    assert settled(site, "9h 9d 9c")["meter_paid"] == 0
    assert movements()[-1] == ("wagered", 40, SEED + 50)


@clause("massachusetts:13(d)(b)", "south_dakota:(16)(a)(v)")
def test_a_win_off_the_tray_leaves_the_meter(site: Site) -> None:
    contributing(site, 20)
    settled(site, "Th 9h 8h")
    site.send(win_confirm, site.floor, win_id=site.send(win_key, seat=4)["win"])
    assert [kind for kind, _, _ in movements()] == ["opened", "wagered"]
    off_the_tray = Transfer.objects.filter(source=Transfer.Account.TRAY, seat=4, cents=7000)
    assert (from_meter(), off_the_tray.count()) == (0, 1), "70 for 1"


def test_a_void_leaves_the_meter_as_it_was(site: Site) -> None:
    contributing(site, 20)
    dealt(site)
    site.send(round_void, reason="device failure", approver=site.people[Role.SHIFT_MANAGER])
    assert movements() == [("opened", SEED, SEED)]


SET: dict[str, Any] = {"shown_cents": 250_000, "reserve_cents": 7, "reason": "from the old controller"}


def test_a_meter_is_set_by_two_people_between_rounds(site: Site) -> None:
    signed = {**SET, "approver": site.floor}
    assert refused(site, meter_set, **signed) == "forbidden", "a dealer sets none"
    assert refused(site, meter_set, site.floor, **signed) == "second_person_required"
    other = {**SET, "approver": site.manager}
    assert refused(site, meter_set, site.floor, **{**other, "reason": " "}) == "reason_required"
    site.begin()
    assert refused(site, meter_set, site.floor, **other) == "round_live"
    site.send(round_void, reason="nobody plays", approver=site.floor)
    after = site.send(meter_set, site.floor, **other)
    assert (after["shown_cents"], after["reserve_cents"]) == (250_000, 7)
    assert movements() == [("opened", SEED, SEED), ("set", 250_000 - SEED, 250_000)]
    assert settled(site, "As Ks Qs")["meter_paid"] == 250_000
    win = site.send(win_key, seat=4)["win"]
    assert refused(site, meter_set, site.floor, **other) == "win_waits"
    site.send(win_confirm, site.floor, win_id=win)
    assert movements()[-1] == ("reseeded", SEED + 7, SEED + 7)


def test_a_round_settled_on_another_meter_is_looked_at_again(site: Site) -> None:
    settled(site, "As Ks Qs")
    site.send(meter_set, site.floor, **SET, approver=site.manager)  # before anybody has keyed the win in
    win = site.send(win_key, seat=4)["win"]
    assert refused(site, win_confirm, site.floor, win_id=win) == "meter_differs"
    assert ProgressiveWin.objects.get().state == "pending"
    site.send(win_withdraw, win_id=win, reason="the meter is wrong")
    site.send(meter_set, site.floor, **{**SET, "shown_cents": SEED, "approver": site.manager})
    site.send(win_confirm, site.floor, win_id=site.send(win_key, seat=4)["win"])


def test_a_progressive_wager_is_the_rooms_one_unit(site: Site) -> None:
    site.send(round_open)
    bet = {"seat": 4, "wagers": {"ante": 1000, "progressive": 200}}
    assert refused(site, bets_place, positions=[bet]) == "outside_table_limits"
    bet["wagers"] = {"ante": 1000, "progressive": 100}
    site.send(bets_place, positions=[bet])
    assert Round.objects.get().bets[0]["wagers"] == bet["wagers"]


@pytest.mark.django_db
def test_california_knows_no_progressive() -> None:
    site = running_site()
    site.play({4: 1000})
    assert refused(site, win_key, seat=4) == "no_progressive"
    assert refused(site, win_confirm, site.floor, win_id=1) == "no_win"
    assert refused(site, meter_set, site.floor, **SET, approver=site.manager) == "no_progressive"
    assert not MeterMovement.objects.exists()
