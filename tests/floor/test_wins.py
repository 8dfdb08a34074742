"""The progressive on the floor: a win is keyed in, waits, and is confirmed or withdrawn; every movement is kept."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from cardroom.floor.acts.commands import AtTable
from cardroom.floor.acts.rounds import round_open
from cardroom.floor.acts.wins import meter_wagered, win_confirm, win_key, win_withdraw
from cardroom.floor.limits import limit_breach
from cardroom.floor.locks import locked
from cardroom.floor.models import Alert, JournalEntry, MeterMovement, ProgressiveWin, Round, Table
from tests.rules.rounds import at, settled, sheet

from .conduct import prompted, refused, round_closed, under
from .house import House

SEED = 100_000


@pytest.fixture
def house(db: None) -> House:
    """A running table with a progressive, seat 3 at the bank that its rules do not have."""
    house = House()
    house.open()
    house.bank_to(3)
    return under(house, "massachusetts")


def settled_round(house: House, hand: str, *, meter: int = SEED) -> Round:
    """A settled round in which seat 4 bets the progressive and holds `hand`, and seat 5 misses."""
    positions = (at(4, hand, progressive=100), at(5, "8s 8c 3d", progressive=100))
    table = ("massachusetts", "2c 4d 7h", *positions)
    round_ = round_closed(house)
    round_.sheet, round_.settlement = sheet(*table, meter=meter), settled(*table, meter=meter).document
    round_.bets = [
        {"seat": seat, "wagers": {"ante": 1000, "progressive": 100}, "tips": {}} for seat in (4, 5)
    ]
    round_.state, round_.dealt_at, round_.ended_at = Round.State.SETTLED, timezone.now(), timezone.now()
    round_.save()
    return round_


def movements() -> list[tuple[str, int, int]]:
    return list(MeterMovement.objects.order_by("id").values_list("kind", "cents", "shown_cents"))


def test_a_win_waits_for_a_supervisor_who_did_not_key_it(house: House) -> None:
    settled_round(house, "9h 9d 9c")
    assert prompted(house)["win_to_key"].blocks
    win = house.send(win_key, seat=4)["win"]
    prompt = prompted(house)["win_pending"]
    assert (prompt.act, prompt.given, prompt.blocks) == ("win_confirm", {"win_id": win}, True)
    assert "win_to_key" not in prompted(house)
    [alert] = Alert.objects.filter(cleared_at__isnull=True)
    assert (alert.kind, "seat 4" in alert.says) == ("meter_win_pending", True)
    assert refused(house, win_confirm, win_id=win) == "supervisor_required"
    house.send(win_confirm, win_id=win, approver=house.floor)
    kept = ProgressiveWin.objects.get()
    assert (kept.state, kept.keyed_by, kept.answered_by) == ("confirmed", house.dealer, house.floor)
    assert not Alert.objects.filter(cleared_at__isnull=True).exists()
    assert movements() == [("opened", SEED, SEED)], "three of a kind is paid from the tray"
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        ProgressiveWin.objects.update(state="withdrawn")


def test_the_floor_that_keyed_a_win_does_not_confirm_it(house: House) -> None:
    settled_round(house, "9h 9d 9c")
    win = house.send(win_key, house.floor, seat=4)["win"]
    assert refused(house, win_confirm, house.floor, win_id=win) == "win_not_confirmed"
    house.send(win_confirm, house.manager, win_id=win)


def test_no_round_opens_before_each_win_is_keyed_and_confirmed(house: House) -> None:
    settled_round(house, "9h 9d 9c")
    assert refused(house, round_open, bank_wager_cents=1000) == "win_waits"
    win = house.send(win_key, seat=4)["win"]
    assert refused(house, round_open, bank_wager_cents=1000) == "win_waits"
    house.send(win_confirm, house.floor, win_id=win)
    # All that stands in the way now is that no service sets a table to this game.
    assert refused(house, round_open, bank_wager_cents=1000) == "settings_not_filed"


def test_a_mistaken_entry_is_withdrawn_while_it_waits(house: House) -> None:
    settled_round(house, "9h 9d 9c")
    wrong = house.send(win_key, seat=5)["win"]
    assert refused(house, win_confirm, house.floor, win_id=wrong) == "win_not_confirmed"
    assert refused(house, win_withdraw, win_id=wrong, reason="") == "reason_required"
    house.send(win_withdraw, win_id=wrong, reason="wrong seat")
    assert refused(house, win_withdraw, win_id=wrong, reason="again") == "no_win"
    right = house.send(win_key, seat=4)["win"]
    assert refused(house, win_key, seat=4) == "win_keyed"
    assert refused(house, win_key, seat=6) == "bad_seat"
    house.send(win_confirm, house.floor, win_id=right)


def test_a_win_of_the_meter_takes_all_of_it_and_seeds_it_anew(house: House) -> None:
    house.room.meter_contribution_cents, house.room.meter_reserve_cents = 20, 5
    house.room.save()
    round_ = settled_round(house, "As Ks Qs", meter=SEED + 40)
    with locked(Table, house.table.pk) as table:
        meter_wagered(AtTable(table=table, actor=house.dealer, now=timezone.now()), round_)
    win = house.send(win_key, seat=4)["win"]
    house.send(win_confirm, house.floor, win_id=win)
    assert movements() == [
        ("opened", SEED, SEED),
        ("wagered", 40, SEED + 40),
        ("win", -(SEED + 40), 0),
        ("reseeded", SEED + 10, SEED + 10),
    ]
    assert JournalEntry.objects.filter(act="meter_move").count() == 4, "every movement is logged"


def test_a_round_settled_on_another_meter_is_looked_at_again(house: House) -> None:
    settled_round(house, "As Ks Qs", meter=SEED + 700)
    win = house.send(win_key, seat=4)["win"]
    assert refused(house, win_confirm, house.floor, win_id=win) == "meter_differs"
    assert ProgressiveWin.objects.get().state == "pending"


def test_a_progressive_wager_is_the_rooms_one_unit(house: House) -> None:
    table = Table.objects.get(pk=house.table.pk)
    table.schedule_id, table.wager_limits = None, {"ante": [500, 5000]}
    bet = {"seat": 4, "wagers": {"ante": 1000, "progressive": 200}}
    assert limit_breach(table, bet) == (
        "wagers.progressive",
        "Seat 4: a progressive wager is 100 cents here, no other amount.",
    )
    bet["wagers"] = {"ante": 1000, "progressive": 100}
    assert limit_breach(table, bet) is None


def test_california_knows_no_progressive(house: House) -> None:
    under(house, "california")
    house.play({4: 1000})
    assert refused(house, win_key, seat=4) == "no_progressive"
    assert refused(house, win_confirm, house.floor, win_id=1) == "no_win"
    assert not MeterMovement.objects.exists()
