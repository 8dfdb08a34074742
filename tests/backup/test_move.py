"""A site moves into another database whole, or not at all; what it leaves stays as it was."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from django.db import DatabaseError, IntegrityError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from cardroom.config.databases import database_settings, opened, settings_for_reading
from cardroom.config.values import database
from cardroom.floor.models import JournalEntry, Round, Transfer
from cardroom.ops.backup.copying import CopyRefused, site_copy, why_not_to
from cardroom.ops.backup.tally import Tally, differences, tally_of
from cardroom.people.models import Player
from tests.cast import Cast

from .conftest import Manage, tallies

pytestmark = [pytest.mark.outside, pytest.mark.real_time, pytest.mark.django_db(transaction=True)]


def silent(text: str) -> None:
    pass


@contextlib.contextmanager
def moved(url: str) -> Iterator[BaseDatabaseWrapper]:
    """Copy the site into a database, and give that one."""
    with opened("moved", database_settings(database(url))) as target:
        with opened("source", settings_for_reading()) as source:
            site_copy(source, target, silent)
        yield target


@pytest.mark.postgresql
def test_a_played_database_moves_whole_and_the_one_that_is_left_stays_as_it_was(
    played: Cast, manage: Manage, blank_postgres: str
) -> None:
    before = tallies()
    done = manage("move_to", "-", given=blank_postgres + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert tallies() == before
    cents = sum(Transfer.objects.values_list("cents", flat=True))
    assert f"{Transfer.objects.count():,} rows  cents {cents:,}\n" in done.stdout
    assert "the same on both sides" in done.stdout
    assert "all holds" in done.stdout
    with opened("moved", database_settings(database(blank_postgres))):
        assert tallies("moved") == before
        there = Round.objects.using("moved").get(pk=Round.objects.first().pk)
        here = Round.objects.first()
        assert (there.sheet, there.fees, there.opened_at) == (here.sheet, here.fees, here.opened_at)


@pytest.mark.postgresql
def test_after_the_move_ids_go_on_and_facts_stay_facts(
    played: Cast, migrated_once: None, on_postgres: str
) -> None:
    with moved(on_postgres):
        latest = Player.objects.order_by("-pk")[0].pk
        assert Player.objects.using("moved").create(room_id=played.room.pk, name="New").pk == latest + 1
        for model in (JournalEntry, Transfer, Round):
            with pytest.raises(IntegrityError), transaction.atomic("moved"):
                model.objects.using("moved").all().delete()


def test_a_database_is_moved_once_and_one_in_use_is_refused(
    played: Cast, manage: Manage, migrated_once: None, on_postgres: str
) -> None:
    with moved(on_postgres):
        before = tallies("moved")
        again = manage("move_to", on_postgres)
        assert again.returncode == 1
        assert "The target is in use" in again.stderr
        assert tallies("moved") == before


@pytest.mark.postgresql
def test_a_move_that_breaks_off_leaves_nothing_and_may_be_begun_anew(
    played: Cast, migrated_once: None, on_postgres: str
) -> None:
    def cut(text: str) -> None:
        if text.startswith("floor_transfer"):
            raise ConnectionError("the power went")

    with (
        opened("source", settings_for_reading()) as source,
        opened("target", database_settings(database(on_postgres))) as target,
    ):
        with pytest.raises(ConnectionError):
            site_copy(source, target, cut)
        assert why_not_to(target) is None
        assert {name for name, tally in tallies("target").items() if tally["rows"]} == {
            "auth_permission",
            "django_content_type",
        }
        tallies_there = site_copy(source, target, silent)
        assert tallies("target") == tallies_there == tallies()


def test_what_belongs_to_a_visit_stays_behind(played: Cast, migrated_once: None, on_postgres: str) -> None:
    from django.contrib.sessions.models import Session

    Session.objects.create(session_key="k" * 32, session_data="", expire_date=timezone.now())
    with moved(on_postgres):
        assert not Session.objects.using("moved").exists()
    assert Session.objects.exists()


def test_tables_of_something_else_are_not_moved_in_with(manage: Manage, blank_postgres: str) -> None:
    with opened("other", database_settings(database(blank_postgres))) as other, other.cursor() as cursor:
        cursor.execute("CREATE TABLE guests (name text)")
    done = manage("move_to", blank_postgres)
    assert done.returncode == 1
    assert "The target holds tables of something else (guests …)" in done.stderr


def test_a_source_that_is_not_migrated_is_refused(on_sqlite: str, blank_postgres: str) -> None:
    with (
        opened("source", database_settings(database(on_sqlite))) as source,
        opened("target", database_settings(database(blank_postgres))) as target,
    ):
        with pytest.raises(CopyRefused, match=r"Run manage\.py migrate on it first"):
            site_copy(source, target, silent)
        assert target.introspection.table_names() == []


def test_a_source_of_a_newer_version_is_refused(transactional_db: None, on_postgres: str) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder(connections["default"]).record_applied("floor", "9999_from_tomorrow")
    try:
        with (
            opened("source", settings_for_reading()) as source,
            opened("target", database_settings(database(on_postgres))) as target,
            pytest.raises(CopyRefused, match=r"newer version \(floor\.9999_from_tomorrow\)"),
        ):
            site_copy(source, target, silent)
    finally:
        MigrationRecorder(connections["default"]).record_unapplied("floor", "9999_from_tomorrow")


@pytest.mark.parametrize("url", ["ftp://who:hunter2@host/x", "postgresql://who:hunter2@127.0.0.1:1/house"])
def test_an_address_that_leads_nowhere_is_said_without_its_password(manage: Manage, url: str) -> None:
    done = manage("move_to", url)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "hunter2" not in done.stdout + done.stderr


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda: Player.objects.filter(name="Ana").update(name="Anna"),
            "people_player: the same number of rows",
        ),
        (lambda: Player.objects.filter(name="Rae").delete(), "people_player"),
    ],
)
def test_a_row_that_differs_or_is_missing_is_found(
    db: None, change: Callable[[], object], message: str
) -> None:
    Cast()
    before = tallies()
    change()
    found = differences(before, tallies())
    assert [difference for difference in found if difference.startswith(message)]
    assert all("player" in difference for difference in found), "of the others, all is as it was"


def test_a_cent_that_differs_is_found() -> None:
    tallies_there = {"floor_transfer": Tally(rows=2, cents={"amount_cents": 500}, digest="a")}
    found = {"floor_transfer": Tally(rows=2, cents={"amount_cents": 499}, digest="b")}
    assert differences(tallies_there, found)[0] == "floor_transfer.amount_cents: 500 cents here, 499 there"
    assert differences(tallies_there, {}) == ["floor_transfer is on one side alone"]
    assert differences(tallies_there, tallies_there) == []


@pytest.mark.postgresql
def test_a_database_is_read_in_one_snapshot_while_others_write(played: Cast) -> None:
    from cardroom.ops.backup.copying import held_still

    with opened("source", settings_for_reading()) as source, held_still(source):
        before = tally_of(Player, "source")
        Player.objects.create(room=played.room, name="Late")
        assert tally_of(Player, "source") == before
        with pytest.raises(DatabaseError), transaction.atomic("source"):
            Player.objects.using("source").create(room_id=played.room.pk, name="Never")
    assert tally_of(Player, "default")["rows"] == before["rows"] + 1
