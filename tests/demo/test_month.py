"""A simulated day is a day like any other: its journal holds, its reports tie out, its boxes were counted."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Sum

from cardroom.demo.simulation.month import SimulationRefused, Wanted, simulate
from cardroom.demo.simulation.rooms import simulated_room
from cardroom.drop.models import CountSheet, DropBox, VarianceCheck
from cardroom.floor.models import (
    Alert,
    Down,
    JournalEntry,
    Offer,
    Round,
    Seating,
    Shift,
    TimeCollection,
    Transfer,
    Turn,
    Waiver,
)
from cardroom.floor.models.rounds import is_current
from cardroom.people.names import named
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.verification.fee_audit import audit_fees
from cardroom.reports.verification.verify import Checked, counts_verify, journal_verify, reports_verify
from cardroom.rooms.models import Room
from cardroom.tips.models import HandIn, PoolSheet
from cardroom.tips.verification import pools_verify

pytestmark = [pytest.mark.django_db, pytest.mark.outside]

#: A table by the round with a jackpot, one by the half hour, and one by the round without.
WANTED = Wanted(days=1, tables=3, seed=10, rounds_per_hour=8)
#: The clocks go back in the night of this gaming day: it has 25 hours.
LONG_DAY = datetime.date(2026, 10, 31)
NEXT_NOON = datetime.datetime(2026, 11, 1, 20, 0, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def room(django_db_setup: None, django_db_blocker: Any) -> Iterator[Room]:
    """A room with one simulated day, played once for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        room = simulated_room("one-day")
        assert list(simulate(room, WANTED, NEXT_NOON))
        yield room
        transaction.set_rollback(True)


@pytest.fixture
def raked_room() -> Room:
    """A room of a designated player with one simulated day at a table with a house rake."""
    room = simulated_room("raked", "designated_player")
    assert list(simulate(room, dataclasses.replace(WANTED, tables=1, rounds_per_hour=5), NEXT_NOON))
    return room


def test_the_journal_and_the_counts_hold(room: Room) -> None:
    checked = Checked()
    assert list(journal_verify(checked)) == []
    assert list(counts_verify(checked)) == []
    assert checked.entries == JournalEntry.objects.count() > 500
    assert checked.sheets > 4


def test_the_reports_of_its_shifts_tie_out(room: Room) -> None:
    for shift in Shift.objects.filter(room=room):
        assert shift_report_make(shift.pk).typed_figures["differences"] == []
    assert list(reports_verify(Checked())) == []


def test_its_shifts_fill_the_25_hours_of_a_day_on_which_the_clocks_go_back(room: Room) -> None:
    shifts = list(Shift.objects.filter(room=room).order_by("opened_at"))
    assert [shift.name for shift in shifts] == ["Day", "Swing", "Graveyard"]
    assert {shift.gaming_day for shift in shifts} == {LONG_DAY}
    assert all(earlier.closed_at == later.opened_at for earlier, later in itertools.pairwise(shifts))
    assert shifts[-1].closed_at is not None
    assert shifts[-1].closed_at - shifts[0].opened_at == datetime.timedelta(hours=25)


def test_rounds_are_numbered_without_gaps_and_belong_to_the_shift_they_were_closed_in(room: Room) -> None:
    by_table: dict[int, list[int]] = {}
    for round_ in Round.objects.filter(room=room, revision=0).select_related("shift").order_by("id"):
        by_table.setdefault(round_.table_id, []).append(round_.number)
        assert round_.shift is not None
        assert round_.shift.closed_at is not None
        assert round_.ended_at is not None
        assert round_.shift.opened_at <= round_.opened_at < round_.ended_at <= round_.shift.closed_at
    assert len(by_table) == 3
    for numbers in by_table.values():
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_bank_goes_round_among_players_and_a_provider(room: Room) -> None:
    answers = set(Offer.objects.filter(room=room).values_list("answer", flat=True))
    assert answers >= {"accepted", "declined", "absent"}
    turns = Turn.objects.filter(room=room)
    assert turns.filter(player__provider=None).exists()
    assert turns.exclude(player__provider=None).exists()
    assert not turns.filter(ended_at=None).exists()


def test_nobody_is_in_two_places_at_once(room: Room) -> None:
    stays = Seating.objects.filter(room=room).values_list("player", "seated_at", "left_at")
    downs = Down.objects.filter(room=room).values_list("dealer", "started_at", "ended_at")
    for rows in (stays, downs):
        at: dict[int, list[tuple[datetime.datetime, datetime.datetime]]] = {}
        for who, since, until in rows:
            assert until is not None
            at.setdefault(who, []).append((since, until))
        for spells in at.values():
            assert all(one[1] <= other[0] for one, other in itertools.pairwise(sorted(spells)))


def test_every_commands_entry_comes_after_the_one_before(room: Room) -> None:
    entries = (
        JournalEntry.objects.filter(room=room).order_by("chain", "seq").values_list("chain", "at", "command")
    )
    for (chain, at, _), (next_chain, next_at, command) in itertools.pairwise(entries):
        assert chain != next_chain or at <= next_at, (chain, command, at, next_at)


def test_every_box_was_dropped_and_counted_and_holds_what_was_collected(room: Room) -> None:
    boxes = DropBox.objects.filter(room=room)
    assert boxes.exists()
    assert not boxes.filter(counted_at=None).exists()
    for kind in ("drop", "jackpot"):
        collected = Transfer.objects.filter(room=room, target=kind).aggregate(cents=Sum("cents"))["cents"]
        back = Transfer.objects.filter(room=room, source=kind).aggregate(cents=Sum("cents"))["cents"] or 0
        checked = VarianceCheck.objects.filter(room=room, box__kind=kind)
        assert checked.aggregate(cents=Sum("expected_cents"))["cents"] == collected - back > 0
    assert CountSheet.objects.filter(room=room).count() >= 2 * boxes.count()


def test_each_table_collects_in_its_own_way_and_no_other(room: Room) -> None:
    made: dict[int, set[str]] = {}
    into = Transfer.objects.filter(room=room, target__in=("drop", "jackpot"))
    for table, kind in into.values_list("table__number", "kind").order_by().distinct():
        made.setdefault(table, set()).add(kind)
    assert made == {11: {"fee", "jackpot"}, 12: {"fee", "time"}, 13: {"fee"}}
    assert set(room.tables.filter(number__gte=11).values_list("rulebook", flat=True)) == {"california"}
    assert reported(room, "time_fees_cents") == moved(room, "time") > 0
    assert fees_computed_again(room) > 0


def test_a_raked_table_tells_its_rake_beside_the_fees_to_the_cent(raked_room: Room) -> None:
    tables = raked_room.tables.filter(number__gte=11)
    assert set(tables.values_list("rulebook", flat=True)) == {"designated_player"}
    assert reported(raked_room, "rake_cents") == moved(raked_room, "rake") > 0
    assert fees_computed_again(raked_room) > 0


def reported(room: Room, figure: str) -> int:
    """A figure of the reports of all shifts, added up."""
    shifts = Shift.objects.filter(room=room)
    totals: list[Mapping[str, Any]] = [shift_report_make(shift.pk).typed_figures["total"] for shift in shifts]
    return sum(total[figure] for total in totals)


def moved(room: Room, kind: str) -> int:
    """The cents of a kind in the drop, less those given back."""
    into = Transfer.objects.filter(room=room, kind=kind, target="drop")
    back = Transfer.objects.filter(room=room, kind=kind, source="drop")
    return sum(into.values_list("cents", flat=True)) - sum(back.values_list("cents", flat=True))


def fees_computed_again(room: Room) -> int:
    """How many rounds were computed again; none of them may differ."""
    shifts = Shift.objects.filter(room=room).values_list("pk", flat=True)
    outcome = audit_fees(Round.objects.filter(room=room), shifts)
    assert (outcome.differing, outcome.found) == (0, [])
    return outcome.rounds


def test_who_sits_as_a_half_hour_begins_pays_for_it_once_or_leaves_owing(room: Room) -> None:
    """Half hours begun in a stay are those collected, less those taken back, and those let go as the player left."""
    paid: dict[int, int] = {}
    for collected in TimeCollection.objects.filter(room=room):
        for fee in collected.fees:
            paid[fee["seating"]] = paid.get(fee["seating"], 0) + fee["periods"]
    let_go: dict[int, int] = {}
    for entry in JournalEntry.objects.filter(room=room, command="time_let_go"):
        for fee in entry.data["fees"]:
            let_go[fee["seating"]] = fee["periods"]
    assert paid
    for sitting in Seating.objects.filter(room=room, table__number=12):
        assert sitting.left_at is not None
        first, last = (int(at.timestamp()) // 1800 for at in (sitting.seated_at, sitting.left_at))
        assert paid.get(sitting.pk, 0) + let_go.get(sitting.pk, 0) == last - first


def test_the_same_seed_plays_the_same_rounds_and_another_seed_others() -> None:
    first, again, other = (simulated_room(code) for code in ("first", "once-more", "another"))
    slow = dataclasses.replace(WANTED, tables=1, rounds_per_hour=2)
    list(simulate(first, slow, NEXT_NOON))
    list(simulate(again, slow, NEXT_NOON))
    list(simulate(other, dataclasses.replace(slow, seed=8), NEXT_NOON))
    assert _told(again) == _told(first)
    assert _told(other) != _told(first)


def _told(room: Room) -> list[tuple[Any, ...]]:
    """Everything of the rounds of a room and of its collections of time, but ids."""
    columns = (
        *("table__number", "number", "revision", "state", "opened_at", "ended_at", "dealer__display_name"),
        *("bank_player__name", "bank_wager_cents", "bets", "fees", "sheet", "settlement", "void_reason"),
    )
    rounds = Round.objects.filter(room=room).order_by("table__number", "id").values_list(*columns)
    times = TimeCollection.objects.filter(room=room).order_by("table__number", "id")
    return [
        *named(list(rounds)),
        *times.values_list("table__number", "made_at", "periods", "cents", "reason"),
    ]


def test_days_that_are_there_already_are_refused_and_nothing_is_written(room: Room) -> None:
    before = (Round.objects.count(), Shift.objects.count(), JournalEntry.objects.count())
    with pytest.raises(SimulationRefused, match=r"has entries up to gaming day 2026-10-31 already"):
        list(simulate(room, WANTED, NEXT_NOON))
    assert (Round.objects.count(), Shift.objects.count(), JournalEntry.objects.count()) == before


def test_after_a_break_it_says_how_many_days_are_left(room: Room) -> None:
    two_days_on = NEXT_NOON + datetime.timedelta(days=2)
    with pytest.raises(SimulationRefused, match=r"To go on after that day, say --days 2\."):
        list(simulate(room, Wanted(days=5, tables=2, seed=7), two_days_on))


def test_alerts_of_banks_that_ran_out_are_over_and_mostly_answered(room: Room) -> None:
    exhausted = Round.objects.filter(room=room, exhausted=True, revision=0).count()
    alerts = Alert.objects.filter(room=room, kind=Alert.Kind.BANK_EXHAUSTED)
    assert alerts.aggregate(times=Sum("times"))["times"] == exhausted > 0
    assert not alerts.filter(cleared_at=None).exists()


def test_tips_are_handed_in_and_shared_out_and_fees_of_short_games_waived(room: Room) -> None:
    shifts = Shift.objects.filter(room=room)
    assert {sheet.shift_id for sheet in PoolSheet.objects.filter(room=room)} == {shift.pk for shift in shifts}
    handed = HandIn.objects.filter(room=room).aggregate(cents=Sum("cents"))["cents"]
    won = Round.objects.filter(is_current(), room=room).aggregate(cents=Sum("tips_cents"))["cents"]
    assert sum(PoolSheet.objects.filter(room=room).values_list("total_cents", flat=True)) == handed + won
    assert list(pools_verify()) == []
    waived = Round.objects.filter(room=room, waived_cents__gt=0)
    assert waived.exists()
    assert {row.round_id for row in Waiver.objects.filter(room=room)} == {round_.pk for round_ in waived}
