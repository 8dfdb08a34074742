"""What was counted stays: the database refuses to change it, and `verify` finds what was changed past the database."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, models, transaction

from cardroom.drop.commands.counts import count_enter
from cardroom.drop.commands.variances import variance_answer
from cardroom.drop.models import CountSheet, DropBox, VarianceCheck, VarianceNote
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import JournalEntry
from cardroom.rooms.models import Room
from tests.reports.commands import as_superuser

from .room import CountTeam, chips


@pytest.fixture
def explained(team: CountTeam) -> DropBox:
    """A box that was a dollar over, with a word about it."""
    box = team.counted(team.dropped(), chips(c100=1))
    team.send_room(variance_answer, "shift_manager", box_id=box.pk, status="explained", text="A tip.")
    return box


def run(sql: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "fact", [CountSheet, DropBox, VarianceCheck, VarianceNote], ids=lambda fact: fact.__name__
)
def test_no_fact_of_the_count_is_changed_or_removed(explained: DropBox, fact: type[models.Model]) -> None:
    count, table = fact._default_manager.count(), fact._meta.db_table
    assert count > 0
    queries = [f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000"]
    if connection.vendor == "postgresql":
        queries.append(f"TRUNCATE {table} CASCADE")
    for sql in queries:
        with pytest.raises(DatabaseError, match=table):
            run(sql)
    assert fact._default_manager.count() == count


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE floor_dropbox SET dropped_at = NULL",
        "UPDATE floor_dropbox SET witness_id = dropped_by_id",
        "UPDATE floor_dropbox SET counted_at = placed_at, dropped_at = NULL, dropped_by_id = NULL, witness_id = NULL",
        "UPDATE floor_dropbox SET number = 0",
    ],
)
def test_the_database_refuses_a_box_in_an_impossible_state(team: CountTeam, sql: str) -> None:
    team.dropped()
    with pytest.raises(DatabaseError):
        run(sql)


@pytest.mark.postgresql
def test_the_database_refuses_two_boxes_at_a_table_and_two_uses_of_a_box(team: CountTeam) -> None:
    box = team.place(12)
    copied = {name: getattr(box, name) for name in ("room", "table", "shift", "placed_at", "placed_by")}
    with pytest.raises(DatabaseError), transaction.atomic():
        DropBox.objects.create(number=13, **copied)
    team.drop(box)
    with pytest.raises(DatabaseError), transaction.atomic():
        DropBox.objects.create(number=12, **copied)
    DropBox.objects.create(number=13, **copied)


@pytest.mark.postgresql
def test_the_database_refuses_a_second_count_by_the_same_person_and_a_correction_by_one(
    team: CountTeam,
) -> None:
    box = team.counted(team.dropped(), chips(c100=1))
    first = box.sheets.get(seq=1)
    copied = {
        name: getattr(first, name) for name in ("room", "box", "pieces", "total_cents", "made_at", "made_by")
    }
    for bad in (
        {"seq": 3, "kind": "recount"},
        {"seq": 2, "kind": "second"},
        {"seq": 3, "kind": "correction", "corrects": first, "approved_by": team.people["floor"]},
        {"seq": 3, "kind": "correction", "corrects": first, "reason": "x", "approved_by": first.made_by},
        {"seq": 4, "kind": "recount"},
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            CountSheet.objects.create(**{**copied, **bad}, salt="s")


# --- verify ---------------------------------------------------------------------------------------------------------------


def verify() -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command("verify", stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


def test_an_honest_count_holds(explained: DropBox) -> None:
    status, out = verify()
    assert status == 0
    assert "2 count sheets added up: all holds." in out


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "UPDATE drop_countsheet SET total_cents = 900 WHERE seq = 2",
            "says 900 cents, its pieces come to 100",
        ),
        ("UPDATE drop_countsheet SET made_by_id = made_by_id + 1", "a column of it was changed"),
        ("UPDATE drop_countsheet SET salt = '0'", "a column of it was changed"),
        ("DELETE FROM floor_journalentry WHERE command = 'count_enter'", "drop.CountSheet"),
        ("DELETE FROM drop_countsheet WHERE seq = 1", "drop.CountSheet"),
        ("DELETE FROM drop_countsheet WHERE seq = 1", "no two counts agree"),
    ],
)
def test_what_somebody_with_the_keys_changed_shows(team: CountTeam, sql: str, message: str) -> None:
    team.counted(team.dropped(), chips(c100=1))
    with as_superuser() as cursor:
        if "= 1" in sql and "DELETE" in sql:
            cursor.execute("DELETE FROM drop_variancecheck")
        cursor.execute(sql)
    status, out = verify()
    assert status == 1
    assert message in out
    if "made_by_id" in sql:  # people are held by a foreign key, which is looked at as the test ends
        with as_superuser() as cursor:
            cursor.execute("UPDATE drop_countsheet SET made_by_id = made_by_id - 1")


# --- At once --------------------------------------------------------------------------------------------------------------


def at_once(*commands: Callable[[], Any]) -> list[Any]:
    """Run commands in threads with connections of their own, as near to one moment as threads come."""
    gate = threading.Barrier(len(commands))

    def run_one(command: Callable[[], Any]) -> Any:
        try:
            gate.wait(timeout=10)
            return command()
        except FloorError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(run_one, commands))


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_second_counts_at_once_one_stands_and_the_other_is_told() -> None:
    team = CountTeam()
    team.open()
    box = team.dropped()
    team.count(box, 0, chips(c100=1))
    version = Room.objects.get(pk=team.room.pk).version

    def counts(who: int) -> Callable[[], Any]:
        meta = CommandMeta(actor=team.counters[who], key=f"at-once-{who}", version=version)
        return lambda: count_enter(meta, team.room.pk, box_id=box.pk, pieces=chips(c100=1))

    answers = at_once(counts(1), counts(2))
    (done,) = [each for each in answers if isinstance(each, dict)]
    (refused,) = [each for each in answers if isinstance(each, FloorError)]
    assert done["stands"]
    assert refused.code == "count_stands"
    assert box.sheets.count() == 2
    assert JournalEntry.objects.filter(command="count_stands").count() == 1
