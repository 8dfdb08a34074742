"""The demo room: playable at once, the same after every start, and never beside a real room."""

from __future__ import annotations

import io
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from cardroom.demo import house_room
from cardroom.demo.furnish import CODE, STAFF, Demo, DemoRefused, demo_load
from cardroom.demo.other_games import APPROVED
from cardroom.demo.simulation.rooms import simulated_room
from cardroom.floor.checks.rounds import why_not_open_round
from cardroom.floor.checks.tables import why_not_open_table
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Offer, Round, Shift, Table, Transfer
from cardroom.floor.reads.meters import meter_record
from cardroom.floor.reads.table_state import read_table
from cardroom.floor.room_file import room_set_up, written_room
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Employment, Pin, Player, Role, Staff
from cardroom.people.pins import person_by_pin
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room

pytestmark = pytest.mark.django_db


def everything() -> dict[str, list[Any]]:
    """Every row of every table of these apps, by name of the table."""
    ours = ("rooms", "people", "filings", "floor", "reports")
    return {
        model._meta.db_table: list(model._default_manager.order_by("pk").values())
        for label in ours
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
    }


def table(number: int) -> Table:
    return Table.objects.get(room__code=CODE, number=number)


def rounds() -> models.QuerySet[Round]:
    return Round.objects.order_by("id")


def test_a_second_run_changes_nothing(demo: Demo, tmp_path: Path) -> None:
    before = everything()
    second = demo_load(tmp_path)
    assert demo.news and second.news == []
    assert demo.password == second.password
    assert everything() == before


def test_there_is_somebody_of_every_role_who_can_sign_in(demo: Demo) -> None:
    assert {role for _, _, role in STAFF} == set(Role) - {Role.PROGRAM}
    for username, _, role in STAFF:
        person = Staff.objects.get(username=username)
        assert person.check_password(demo.password), username
        assert Employment.objects.get(staff=person, room=demo.room).role == role
        assert not person.is_superuser
    assert [staff.username for staff in Staff.objects.filter(is_staff=True)] == [
        "roommanager",
        "mr-roommanager",
    ]
    assert Employment.objects.get(role=Role.PROVIDER_LEAD).provider is not None
    assert Player.objects.filter(provider__isnull=False).count() >= 2
    assert Player.objects.count() >= 12


def test_the_password_is_the_installations_own_and_for_its_owner_alone(demo: Demo, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    password = demo_load(here).password
    file = here / "demo_password"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().strip() == password
    assert len(password) >= 16
    other = demo_load(there)  # the file was lost: a new one is made and set
    assert other.password != password
    assert Staff.objects.get(username="dealer").check_password(other.password)
    assert not Staff.objects.get(username="dealer").check_password(password)


def test_an_empty_password_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "demo_password").write_text("\n")
    with pytest.raises(DemoRefused, match="empty"):
        demo_load(tmp_path)
    assert not Room.objects.exists()


def test_table_7_is_in_play(demo: Demo) -> None:
    room = demo.room
    assert (room.time_zone, Shift.objects.filter(room=room, closed_at__isnull=True).count()) == (
        "America/Los_Angeles",
        1,
    )
    state = read_table(table(7))
    assert sorted(state.seatings) == [1, 2, 3, 4, 5, 6]
    assert state.table.schedule is not None and state.table.schedule.number == 1
    assert state.turn is not None and (state.turn.rounds, state.turn.renewed) == (1, True)
    assert why_not_open_round(state) is None
    assert state.down is not None and state.down.dealer.username == "dealer"


def test_the_other_tables_stand_as_told(demo: Demo) -> None:
    steps = {number: read_table(table(number)).step for number in range(8, 13)}
    assert {number: (step.kind, step.seat) for number, step in steps.items()} == {
        8: ("offer", 1),
        9: ("keep", 2),
        10: ("keep", 3),
        11: ("offer", 2),
        12: ("offer", 2),
    }
    assert table(13).state == "closed"


def test_tables_play_games_of_approvals_each_by_a_schedule_that_names_it(demo: Demo) -> None:
    tables = Table.objects.filter(room=demo.room).select_related("game", "schedule").order_by("number")
    assert [(each.number, each.game.book.name, each.recording) for each in tables if each.game] == [
        (7, "Three Card Poker 6 Card Bonus", "cards"),
        (8, "Three Card Poker", "cards"),
        (9, "Ultimate Texas Hold'em", "cards"),
        (10, "Commission-Free Baccarat", "cards"),
        (11, "No Bust Blackjack", "fees"),
        (12, "Pai Gow Tiles", "fees"),
        (13, "Pai Gow Poker", "fees"),
    ]
    assert all(each.schedule and each.game and each.schedule.games == [each.game.number] for each in tables)
    ten = read_table(table(10))
    assert [str(place) for place in ten.places] == ["1", "3", "3b", "3c", "4", "6", "6b", "8"]
    assert [str(place) for place in read_table(table(11)).behind] == ["5b"]
    assert why_not_open_table(read_table(table(13))) is None


def test_at_pai_gow_tiles_the_bank_goes_counter_clockwise_to_who_may_bank(demo: Demo) -> None:
    tiles = read_table(table(12))
    assert [(offer.seat, offer.answer, offer.passed_over) for offer in tiles.offers] == [
        (4, "declined", False),
    ]
    assert tiles.passed_over == [3]
    assert {seat: why.term for seat, why in tiles.ineligible.items()} == {
        3: "previous_round",
        6: "wagered_rounds",
    }


def test_the_second_room_has_tables_that_the_house_banks_and_one_meter(demo: Demo) -> None:
    room = Room.objects.get(code=house_room.CODE)
    for number in house_room.TABLES:
        there = Table.objects.get(room=room, number=number)
        state = read_table(there)
        assert state.house_banks
        assert why_not_open_round(state) is None
        meter = meter_record(there)
        assert meter is not None
        assert (meter["name"], meter["shown_cents"], meter["tables"]) == (house_room.METER, 100_000, [1, 2])
    state = read_table(Table.objects.get(room=room, number=1))
    by_player = Counter(sitting.player.name for sitting in state.seatings.values())
    assert by_player["Vera Boone"] == 2
    for username, _, role in house_room.STAFF:
        person = Staff.objects.get(username=username)
        assert person.check_password(demo.password), username
        assert Employment.objects.get(staff=person).room == room
        assert Employment.objects.get(staff=person).role == role


def test_its_rounds_show_what_there_is_to_show(demo: Demo) -> None:
    settled = rounds().filter(state="settled")
    of_table = Counter(settled.values_list("table__number", flat=True))
    assert of_table == {7: 5, 8: 2, 9: 3, 10: 3, 11: 4, 12: 4}
    assert rounds().filter(state="void").count() == 1
    for number in (7, 11):
        assert settled.filter(table__number=number, exhausted=True, uncovered_cents__gt=0).exists()
    assert settled.filter(tips_cents__gt=0).exists()
    played = settled.filter(table__number=7)
    decisions = [p["decision"] for round_ in played for p in (round_.sheet or {})["positions"]]
    assert decisions.count("fold") >= 1 and decisions.count("play") > decisions.count("fold")
    assert settled.filter(table__number=11).exclude(later_bets=[]).exists()
    void = rounds().get(state="void")
    assert void.dealt_at is not None and void.void_approved_by is not None
    assert void.refunded_cents == void.player_fees_cents + void.bank_fee_cents > 0
    assert {offer.answer for offer in Offer.objects.all()} == {"accepted", "declined", "absent", "ineligible"}
    assert Transfer.objects.filter(target="drop").exists()
    assert Transfer.objects.filter(target="jackpot", round__table__number=8).exists()


def test_every_installation_sees_the_same_evening(demo: Demo) -> None:
    played = rounds().filter(state="settled", table__number=7)
    hands = [(round_.sheet or {})["bank_hand"] for round_ in played]
    cards = [hand.split() for hand in hands]
    assert len({tuple(hand) for hand in cards}) == len(cards) == 5


def test_all_of_it_stands_in_the_journal(demo: Demo) -> None:
    room = demo.room
    room.refresh_from_db()
    for holder in (room, *Table.objects.filter(room=room, game__isnull=False)):
        assert list(chain_breaks(holder)) == []
        assert holder.chain_seq > 0
    assert JournalEntry.objects.filter(command="round_settle").count() == 13


def test_the_people_may_do_what_the_demo_needs(demo: Demo) -> None:
    room = demo.room
    assert may(Staff.objects.get(username="dealer"), Right.RUN_ROUNDS, room)
    assert may(Staff.objects.get(username="manager"), Right.RUN_SHIFTS, room)
    assert not may(Staff.objects.get(username="lead"), Right.SEE_FLOOR, room)


def test_when_no_shift_is_open_one_is_opened_and_said(demo: Demo, tmp_path: Path) -> None:
    room = demo.room
    for _ in range(2):
        shift = Shift.objects.get(room=room, closed_at__isnull=True)
        version = Room.objects.get(pk=room.pk).version
        manager = Staff.objects.get(username="manager")
        shift_close(
            CommandMeta(actor=manager, key=f"close {shift.pk}", version=version),
            room.pk,
            shift_id=shift.pk,
            confirmed=True,
        )
        played = rounds().count()
        (found,) = demo_load(tmp_path).news
        opened = Shift.objects.get(room=room, closed_at__isnull=True)
        assert opened.name in found and opened.pk != shift.pk
        assert rounds().count() == played


def test_a_real_room_gets_no_demo_people(tmp_path: Path) -> None:
    Room.objects.create(name="Bay Oaks", code="bay-oaks")
    with pytest.raises(DemoRefused, match="Bay Oaks"):
        demo_load(tmp_path)
    assert Staff.objects.count() == 0
    assert not (tmp_path / "demo_password").exists()


def test_a_simulated_room_is_no_real_one_and_the_demo_is_loaded_beside_it(demo: Demo, tmp_path: Path) -> None:
    simulated_room()
    assert demo_load(tmp_path).room.code == CODE


def test_nobody_elses_account_gets_the_demos_password(tmp_path: Path) -> None:
    Room.objects.create(name="Bay Oaks", code="bay-oaks")
    real = Staff.objects.create(username="floor", password="theirs")
    with pytest.raises(DemoRefused, match="'floor'"):
        demo_load(tmp_path, force=True)
    real.refresh_from_db()
    assert real.password == "theirs"
    assert not Room.objects.filter(code=CODE).exists()


def test_the_command_prints_the_sign_ins(demo: Demo, tmp_path: Path, settings: Any) -> None:
    settings.STATE_DIR = tmp_path
    out = io.StringIO()
    call_command("load_demo", stdout=out)
    output = out.getvalue()
    assert (tmp_path / "demo_password").read_text().strip() in output
    pin = (tmp_path / "demo_pin").read_text().strip()
    assert f"the PIN {pin}" in output
    assert person_by_pin(Room.objects.get(code=CODE), "105", pin).username == "floor"
    assert not list(rows_verify(models=[Pin]))
    Pin.objects.filter(staff__username="floor").update(set_at=timezone.now())
    assert [found.model for found in rows_verify(models=[Pin])] == ["people.Pin"], (
        "the PIN of a file is not covered"
    )
    for username, name, role in STAFF:
        assert any(
            line.split()[0] == username and name in line and str(role.label) in line
            for line in output.splitlines()[1:]
            if line
        )


@pytest.mark.parametrize("days", [-1, 401])
def test_days_of_a_past_that_make_no_sense_are_refused(days: int) -> None:
    with pytest.raises(CommandError, match="--past is from 0 to 400"):
        call_command("load_demo", past=days)
    assert not Room.objects.exists()


def test_the_command_refuses_beside_a_real_room(tmp_path: Path, settings: Any) -> None:
    settings.STATE_DIR = tmp_path
    Room.objects.create(name="Bay Oaks", code="bay-oaks")
    with pytest.raises(CommandError, match="--force"):
        call_command("load_demo", stdout=io.StringIO())
    call_command("load_demo", "--force", stdout=io.StringIO())
    assert Room.objects.count() == 3
    assert Room.objects.filter(code=CODE).exists()


def test_its_approvals_are_a_rooms_file() -> None:
    by = Staff.objects.create(username="filer")
    made = room_set_up(APPROVED.read_bytes(), file=APPROVED.name, by=by)
    assert (made.schedules, made.games, made.tables) == (3, 3, 3)
    three, ultimate, baccarat = (table.book for table in made.room.tables.order_by("number"))
    assert three.seats == 8 and "six_card_bonus" not in three.offered
    assert ultimate.seats == 7 and baccarat.back_line == 3
    text = written_room(made.room).replace("example-approvals", "copy").replace("Example Approvals", "Copy")
    assert written_room(room_set_up(text.encode(), file="copy.toml", by=by).room) == text
