"""The SQL views for auditors: what they show is what the facts are, in dollars and by the room's clock too."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.models import Sum

from cardroom.core.sql_views import Dialect, drop_views, make_views, registered_views
from cardroom.floor.commands.bank import turn_renew
from cardroom.floor.commands.expiry import expiry_override
from cardroom.floor.commands.rounds import bets_close, round_void
from cardroom.floor.commands.seat_time import time_collect, time_take_back
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.commands.stub import count_waive
from cardroom.floor.commands.tray import buy_in, buy_in_take_back, slip_take_back, tray_close, tray_fill
from cardroom.floor.commands.waivers import waiver_withdraw
from cardroom.floor.models import Offer, Round, Shift, Transfer, Waiver
from cardroom.people.models import Provider
from cardroom.rooms.models import Room
from cardroom.tips.commands.entries import tips_hand_in
from tests.cast import JACK_HIGH, Cast, house_cast, running_cast
from tests.drop.room import CountTeam, chips
from tests.floor.charging import TIMED, WAIVING, charge
from tests.floor.procedures import dealt_and_voided
from tests.floor.test_corrections import as_recorded, correct
from tests.floor.test_seat_time import EVENING
from tests.floor.test_waivers import waive
from tests.floor.test_who_may_bank import opened, play
from tests.kept import kept

#: Views are worded for each database.
pytestmark = pytest.mark.postgresql


def select(sql: str, *values: Any) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@pytest.fixture
def room(db: None) -> CountTeam:
    """A round without a box, one voided after the deal, one with a box; tips, and a count that is short."""
    return kept(_room)


def _room() -> CountTeam:
    room = CountTeam().running()
    room.play({4: 1000})
    box = room.place()
    room.deal({4: 1000})
    room.send(round_void, reason="device failure", approver=room.people["shift_manager"])
    room.play({4: 1000, 5: 2000})
    shift = Round.objects.latest("pk").shift_id
    room.send_room(tips_hand_in, "floor", shift_id=shift, dealer_id=room.people["dealer"].pk, cents=2550)
    room.drop(box)
    room.count(box, 0, chips(c100=1))
    return room


def test_every_view_is_there_and_answers(room: CountTeam) -> None:
    names = {view.name for view in registered_views()}
    assert names == {
        "rounds",
        "fees",
        "transfers",
        "offers",
        "tray_slips",
        "buy_ins",
        "rack_counts",
        "meter_movements",
        "tips",
        "counts",
        "exceptions",
        "house_win",
    }
    for name in names:
        select(f"SELECT * FROM {name}")


def test_one_plain_select_tells_which_fees_a_table_collected_and_from_whom(room: CountTeam) -> None:
    day = Round.objects.latest("pk").gaming_day
    found = select(
        "SELECT round_number, seat, player, kind, cents, dollars, made_utc FROM fees"
        " WHERE table_number = 7 AND gaming_day = %s ORDER BY fee_id",
        day,
    )
    expected = Transfer.objects.filter(kind__in=["fee", "fee_refund"]).order_by("pk")
    assert [(row["round_number"], row["seat"], row["player"]) for row in found] == [
        (each.round.number, each.seat, each.player.name) for each in expected
    ]
    drop = Transfer.objects.filter(target="drop").aggregate(sum=Sum("cents"))["sum"]
    back = Transfer.objects.filter(source="drop").aggregate(sum=Sum("cents"))["sum"]
    assert sum(row["cents"] for row in found) == drop - back > 0 and back > 0
    assert all(float(row["dollars"]) == row["cents"] / 100 for row in found)
    assert str(found[0]["made_utc"])[:19] == f"{expected[0].made_at:%Y-%m-%d %H:%M:%S}"


def test_rounds_show_what_each_came_to(room: CountTeam) -> None:
    found = select("SELECT * FROM rounds ORDER BY round_id")
    for row, round_ in zip(found, Round.objects.order_by("pk"), strict=True):
        assert (row["state"], row["drop_cents"], row["stands"]) == (round_.state, round_.drop_cents, 1)
        assert (row["bank_player"], row["rulebook"]) == (round_.bank_player.name, "california")
        assert float(row["drop_dollars"]) == round_.drop_cents / 100
    assert [row["state"] for row in found] == ["settled", "void", "settled"]


def test_offers_and_tips_name_people(room: CountTeam) -> None:
    offers = select("SELECT seat, player, answer FROM offers ORDER BY offer_id")
    assert offers == [
        {"seat": each.seat, "player": each.player.name, "answer": each.answer}
        for each in Offer.objects.order_by("pk")
    ]
    (tip,) = select("SELECT source, dealer, cents, dollars FROM tips")
    assert (tip["source"], tip["dealer"], tip["cents"]) == ("hand_in", str(room.people["dealer"]), 2550)
    assert float(tip["dollars"]) == 25.5


def test_offers_tell_who_was_passed_over_from_who_answered(db: None) -> None:
    """Nobody has wagered in three rounds yet, as the approval asks for."""
    team = opened(4, 5, 7, wagered_rounds=3)
    team.bank_to(4)
    play(team, 2, 5)
    team.send(turn_renew)
    found = select("SELECT seat, answer, passed_over, reason FROM offers ORDER BY offer_id")
    assert [tuple(row.values()) for row in found] == [
        (4, "accepted", 0, "nobody holds the bank: offer the bank to seat 4"),
        (5, "ineligible", 1, "wagered in 2 of 3 rounds since sitting down (GEGA-000123:4.1)"),
        (7, "ineligible", 1, "wagered in 0 of 3 rounds since sitting down (GEGA-000123:4.1)"),
    ]


def test_no_count_is_shown_before_it_stands(room: CountTeam) -> None:
    assert select("SELECT * FROM counts") == []
    room.count(room.room.drop_boxes.get(), 1, chips(c100=1))
    first, second = select("SELECT seq, stands, counted_cents, difference_cents FROM counts ORDER BY seq")
    assert (first["stands"], second["stands"], second["counted_cents"]) == (0, 1, 100)
    assert second["difference_cents"] < 0


def test_exceptions_are_of_every_kind_that_happened(room: CountTeam) -> None:
    room.count(room.room.drop_boxes.get(), 1, chips(c100=1))
    found = {row["kind"]: row for row in select("SELECT * FROM exceptions")}
    assert set(found) == {"void", "table_without_box", "variance"}
    void = found["void"]
    assert (void["reason"], void["approved_by"], void["table_number"], void["round_number"]) == (
        "device failure", str(room.people["shift_manager"]), 7, 2,
    )  # fmt: skip
    assert found["table_without_box"]["gaming_day"] == void["gaming_day"]
    assert found["variance"]["cents"] < 0


def exception(kind: str) -> dict[str, Any]:
    """The one row of a kind; its day is that of the round or shift in which it was made."""
    [row] = [each for each in select("SELECT * FROM exceptions") if each["kind"] == kind]
    assert (row["table_number"], row["gaming_day"]) == (7, Shift.objects.get().gaming_day)
    return row


def test_a_correction_is_an_exception_with_what_it_changes_of_the_drop(running: Cast) -> None:
    played = Round.objects.get(pk=running.play({4: 1000, 5: 2000})["round"])
    record = as_recorded(played)
    record["positions"][0]["hand"] = JACK_HIGH
    correct(running, record)
    row = exception("correction")
    assert (row["source_id"], row["round_number"], row["cents"]) == (Round.objects.latest("pk").pk, 1, 0)
    assert (row["reason"], row["recorded_by"], row["approved_by"]) == (
        "seat 4's cards misread", str(running.people["dealer"]), str(running.people["floor"]),
    )  # fmt: skip


def test_a_waiver_is_an_exception_until_it_is_withdrawn(db: None) -> None:
    team = running_cast()
    charge(team, WAIVING)
    team.hang_box(107, kind="jackpot")
    team.bet({4: 1000, 5: 2000})
    waiver = waive(team, "short_handed")["waiver"]
    row = exception("waiver")
    assert (row["source_id"], row["round_number"], row["reason"]) == (waiver, 1, "slow night")
    assert row["cents"] == 0, "no fee is fixed yet"
    assert row["concerns"] == Waiver.objects.get().title
    team.send(waiver_withdraw, "floor", waiver_id=waiver)
    assert not select("SELECT * FROM exceptions WHERE kind = 'waiver'")


@pytest.mark.parametrize(("rule", "seat", "cents"), [("short_handed", None, 300), ("first_hand", 5, 100)])
def test_a_waiver_has_the_cents_that_it_came_to_and_a_void_its_jackpot(
    db: None, rule: str, seat: int | None, cents: int
) -> None:
    team = running_cast()
    charge(team, WAIVING)
    team.hang_box(107, kind="jackpot")
    team.bet({4: 1000, 5: 2000})
    waive(team, rule, seat=seat)
    team.send(bets_close)
    row = exception("waiver")
    assert (
        (row["cents"], float(row["dollars"]))
        == (cents, cents / 100)
        == (Round.objects.get().waived_cents, cents / 100)
    )
    team.send(round_void, reason="device failure", approver=team.people["shift_manager"])
    row = exception("void")
    assert (row["cents"], row["jackpot_cents"]) == (300 - cents, 100)


def test_rounds_and_fees_name_the_filed_game_and_its_approval(running: Cast) -> None:
    running.play({4: 1000, 5: 2000})
    game = Round.objects.get().game
    assert game is not None
    named = (game.title, game.number, game.version, game.state_reference)
    for view in ("rounds", "fees"):
        found = select(f"SELECT DISTINCT game, game_number, game_version, approval FROM {view}")
        assert [tuple(row.values()) for row in found] == [named], view


def test_time_stands_under_the_game_of_the_last_round_before_it(db: None) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        team = Cast()
        team.open(seats=(1, 2, 4))
        charge(team, TIMED)
        team.bank_to(1)
        team.play({4: 1000})
        clock.move_to(EVENING.replace(minute=31))
        team.send(time_collect)
    game = Round.objects.get().game
    assert game is not None
    found = select("SELECT DISTINCT game, game_version FROM fees WHERE kind = 'time'")
    assert [tuple(row.values()) for row in found] == [(game.title, game.version)]


def test_time_that_is_taken_back_is_an_exception(db: None) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        team = Cast()
        team.open(seats=(1, 2, 4))
        charge(team, TIMED)
        clock.move_to(EVENING.replace(minute=31))
        made = team.send(time_collect)
        team.send(
            time_take_back, collection_id=made["collection"], reason="oops", approver=team.people["floor"]
        )
    row = exception("time_taken_back")
    assert (abs(row["cents"]), row["reason"]) == (made["cents"], "oops")
    assert (row["recorded_by"], row["approved_by"]) == (str(team.people["dealer"]), str(team.people["floor"]))


def test_an_override_of_an_expired_badge_is_an_exception_that_names_the_player(running: Cast) -> None:
    running.send(player_leave, seat=7)
    day = Shift.objects.get().gaming_day
    firm = Provider.objects.create(room=running.room, name="Levee Players")
    hal = running.waiting[0]
    hal.provider, hal.badge_number, hal.badge_expires = firm, "TP-12", day - datetime.timedelta(days=1)
    hal.save()
    running.send(expiry_override, player_id=hal.pk, reason="renewal seen", approver=running.people["floor"])
    row = exception("expiry_override")
    assert (row["concerns"], row["reason"], row["shift"]) == ("Hal", "renewal seen", None)
    assert (row["recorded_by"], row["approved_by"]) == (
        str(running.people["dealer"]),
        str(running.people["floor"]),
    )


def test_a_count_of_the_stub_that_was_let_go_is_an_exception(db: None) -> None:
    team = house_cast("massachusetts")
    dealt_and_voided(team, 5)
    team.send(count_waive, reason="shift change", approver=team.people["floor"])
    row = exception("count_waived")
    assert (row["reason"], row["approved_by"], row["shift"]) == (
        "shift change", str(team.people["floor"]), Shift.objects.get().name,
    )  # fmt: skip


def test_trays_have_exceptions_of_their_own(db: None) -> None:
    team = house_cast("massachusetts")
    filled = team.send(tray_fill, chips={"500": 20}, approver=team.people["floor"])["slip"]
    bought = team.send(buy_in, seat=4, cents=2000)["buy_in"]
    team.send(slip_take_back, slip_id=filled, reason="another table", approver=team.people["floor"])
    team.send(buy_in_take_back, buy_in_id=bought, reason="another seat", approver=team.people["floor"])
    team.send(tray_close, chips={"10000": 499}, note="a black is missing", approver=team.people["floor"])
    for kind, cents, reason in (
        ("slip_taken_back", -10_000, "another table"),
        ("buy_in_taken_back", -2000, "another seat"),
        ("tray_variance", -10_000, "a black is missing"),
    ):
        row = exception(kind)
        assert (row["cents"], row["reason"]) == (cents, reason)
        assert (row["recorded_by"], row["approved_by"]) == (
            str(team.people["dealer"]),
            str(team.people["floor"]),
        )
    slips = select("SELECT slip_number, kind, cents, difference_cents FROM tray_slips ORDER BY slip_number")
    assert [tuple(row.values()) for row in slips] == [
        (1, "opener", 5_000_000, None),
        (2, "fill", 10_000, None),
        (3, "fill", -10_000, None),
        (4, "closer", 4_990_000, -10_000),
    ]
    assert [row["cents"] for row in select("SELECT cents FROM buy_ins ORDER BY buy_in_id")] == [2000, -2000]
    assert select("SELECT * FROM fees") == []


def test_a_corrected_count_is_an_exception_with_the_new_sum(room: CountTeam) -> None:
    box = room.room.drop_boxes.get()
    room.count(box, 1, chips(c100=1))
    room.correct(box, chips(c100=3))
    row = exception("count_corrected")
    assert (row["cents"], row["reason"]) == (300, "a stack was overlooked")
    assert (row["recorded_by"], row["approved_by"]) == (str(room.counters[0]), str(room.counters[1]))


CHANGES = [
    datetime.datetime(2026, 3, 8, 10, 0, tzinfo=datetime.UTC),  # 2:00 becomes 3:00 in Los Angeles
    datetime.datetime(2026, 11, 1, 9, 0, tzinfo=datetime.UTC),  # 2:00 becomes 1:00
]


@pytest.mark.parametrize("change", CHANGES, ids=["spring", "autumn"])
@pytest.mark.parametrize("seconds", [-3600, -1, 0, 1, 3600, 90 * 86400])
@pytest.mark.parametrize("zone", ["America/Los_Angeles", "America/Phoenix", "Australia/Lord_Howe"])
def test_local_time_is_right_where_the_clocks_change(
    db: None, change: datetime.datetime, seconds: int, zone: str
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("about PostgreSQL; the suite runs on both")
    Room.objects.create(name="Alder", code="alder", time_zone=zone)
    at = change + datetime.timedelta(seconds=seconds)
    columns = Dialect(connection.vendor).instant(f"TIMESTAMPTZ '{at:%Y-%m-%d %H:%M:%S}+00'", "made")
    (row,) = select(f"SELECT {columns} FROM rooms_room AS room")
    assert row["made_utc"] == at
    assert str(row["made_local"]) == f"{at.astimezone(zoneinfo.ZoneInfo(zone)):%Y-%m-%d %H:%M:%S}"


def test_views_tell_the_time_of_the_room_on_postgresql_alone(room: CountTeam) -> None:
    for name in ("rounds", "fees", "tips", "exceptions"):
        columns = select(f"SELECT * FROM {name}")[0]
        instants = {column.removesuffix("_utc") for column in columns if column.endswith("_utc")}
        local = {column.removesuffix("_local") for column in columns if column.endswith("_local")}
        assert local == (instants if connection.vendor == "postgresql" else set()) and instants


def test_views_go_before_a_migration_and_come_back_after_it(db: None) -> None:
    def present() -> set[str]:
        with connection.cursor() as cursor:
            tables = connection.introspection.get_table_list(cursor)
        return {table.name for table in tables if table.type == "v"}

    before = present()
    assert before == {view.name for view in registered_views()}
    for app in apps.get_app_configs():
        drop_views(app, using="default")
    assert present() == set()
    for app in apps.get_app_configs():
        make_views(app, using="default")
    assert present() == before


def test_a_view_is_read_only(room: CountTeam) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        select("UPDATE fees SET cents = 0")
