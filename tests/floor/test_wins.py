"""The progressive on the floor: a win is keyed in, waits, and is confirmed or withdrawn; every movement is kept."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from cardroom.floor.acts.commands import AtTable
from cardroom.floor.acts.rounds import round_open
from cardroom.floor.acts.wins import meter_wagered, win_confirm, win_key, win_withdraw
from cardroom.floor.limits import limit_breach, names_limited_at
from cardroom.floor.locks import locked
from cardroom.floor.models import Alert, JournalEntry, MeterMovement, ProgressiveWin, Round, Table
from tests.rules.rounds import at, settled, sheet

from .procedures import prompted, refused, round_closed, under
from .site import Site, running_site

SEED = 100_000


@pytest.fixture
def site(db: None) -> Site:
    """A running table with a progressive, seat 3 at the bank that its rules do not have."""
    return under(running_site(), "massachusetts")


def settled_round(site: Site, hand: str, *, meter: int = SEED) -> Round:
    """A settled round in which seat 4 bets the progressive and holds `hand`, and seat 5 misses."""
    positions = (at(4, hand, progressive=100), at(5, "8s 8c 3d", progressive=100))
    table = ("massachusetts", "2c 4d 7h", *positions)
    round_ = round_closed(site)
    round_.sheet, round_.settlement = sheet(*table, meter=meter), settled(*table, meter=meter).document
    round_.bets = [
        {"seat": seat, "wagers": {"ante": 1000, "progressive": 100}, "tips": {}} for seat in (4, 5)
    ]
    round_.state, round_.dealt_at, round_.ended_at = Round.State.SETTLED, timezone.now(), timezone.now()
    round_.save()
    return round_


def movements() -> list[tuple[str, int, int]]:
    return list(MeterMovement.objects.order_by("id").values_list("kind", "cents", "shown_cents"))


def test_a_win_waits_for_a_supervisor_who_did_not_key_it(site: Site) -> None:
    settled_round(site, "9h 9d 9c")
    assert prompted(site)["win_to_key"].blocks
    win = site.send(win_key, seat=4)["win"]
    prompt = prompted(site)["win_pending"]
    assert (prompt.act, prompt.given, prompt.blocks) == ("win_confirm", {"win_id": win}, True)
    assert "win_to_key" not in prompted(site)
    [alert] = Alert.objects.filter(cleared_at__isnull=True)
    assert (alert.kind, "seat 4" in alert.says) == ("meter_win_pending", True)
    assert refused(site, win_confirm, win_id=win) == "supervisor_required"
    site.send(win_confirm, win_id=win, approver=site.floor)
    kept = ProgressiveWin.objects.get()
    assert (kept.state, kept.keyed_by, kept.answered_by) == ("confirmed", site.dealer, site.floor)
    assert not Alert.objects.filter(cleared_at__isnull=True).exists()
    assert movements() == [("opened", SEED, SEED)], "three of a kind is paid from the tray"
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        ProgressiveWin.objects.update(state="withdrawn")


def test_the_floor_that_keyed_a_win_does_not_confirm_it(site: Site) -> None:
    settled_round(site, "9h 9d 9c")
    win = site.send(win_key, site.floor, seat=4)["win"]
    assert refused(site, win_confirm, site.floor, win_id=win) == "win_not_confirmed"
    site.send(win_confirm, site.manager, win_id=win)


def test_no_round_opens_before_each_win_is_keyed_and_confirmed(site: Site) -> None:
    settled_round(site, "9h 9d 9c")
    assert refused(site, round_open, bank_wager_cents=1000) == "win_waits"
    win = site.send(win_key, seat=4)["win"]
    assert refused(site, round_open, bank_wager_cents=1000) == "win_waits"
    site.send(win_confirm, site.floor, win_id=win)
    # All that stands in the way now is that no service sets a table to this game.
    assert refused(site, round_open, bank_wager_cents=1000) == "settings_not_filed"


def test_a_mistaken_entry_is_withdrawn_while_it_waits(site: Site) -> None:
    settled_round(site, "9h 9d 9c")
    wrong = site.send(win_key, seat=5)["win"]
    assert refused(site, win_confirm, site.floor, win_id=wrong) == "win_not_confirmed"
    assert refused(site, win_withdraw, win_id=wrong, reason="") == "reason_required"
    site.send(win_withdraw, win_id=wrong, reason="wrong seat")
    assert refused(site, win_withdraw, win_id=wrong, reason="again") == "no_win"
    right = site.send(win_key, seat=4)["win"]
    assert refused(site, win_key, seat=4) == "win_keyed"
    assert refused(site, win_key, seat=6) == "bad_seat"
    site.send(win_confirm, site.floor, win_id=right)


def test_a_win_of_the_meter_takes_all_of_it_and_seeds_it_anew(site: Site) -> None:
    site.room.meter_contribution_cents, site.room.meter_reserve_cents = 20, 5
    site.room.save()
    round_ = settled_round(site, "As Ks Qs", meter=SEED + 40)
    with locked(Table, site.table.pk) as table:
        meter_wagered(AtTable(table=table, actor=site.dealer, now=timezone.now()), round_)
    win = site.send(win_key, seat=4)["win"]
    site.send(win_confirm, site.floor, win_id=win)
    assert movements() == [
        ("opened", SEED, SEED),
        ("wagered", 40, SEED + 40),
        ("win", -(SEED + 40), 0),
        ("reseeded", SEED + 10, SEED + 10),
    ]
    assert JournalEntry.objects.filter(act="meter_move").count() == 4, "every movement is logged"


def test_a_round_settled_on_another_meter_is_looked_at_again(site: Site) -> None:
    settled_round(site, "As Ks Qs", meter=SEED + 700)
    win = site.send(win_key, seat=4)["win"]
    assert refused(site, win_confirm, site.floor, win_id=win) == "meter_differs"
    assert ProgressiveWin.objects.get().state == "pending"


def test_a_progressive_wager_is_the_rooms_one_unit(site: Site) -> None:
    table = Table.objects.get(pk=site.table.pk)
    table.schedule_id, table.wager_limits = None, {"ante": [500, 5000]}
    bet = {"seat": 4, "wagers": {"ante": 1000, "progressive": 200}}
    assert limit_breach(table, names_limited_at(table), bet) == (
        "wagers.progressive",
        "Seat 4: a progressive wager is 100 cents here, no other amount.",
    )
    bet["wagers"] = {"ante": 1000, "progressive": 100}
    assert limit_breach(table, names_limited_at(table), bet) is None


def test_california_knows_no_progressive(site: Site) -> None:
    under(site, "california")
    site.play({4: 1000})
    assert refused(site, win_key, seat=4) == "no_progressive"
    assert refused(site, win_confirm, site.floor, win_id=1) == "no_win"
    assert not MeterMovement.objects.exists()
