"""The page on which the records are verified: who may, how far it has come, what came of it."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from cardroom.floor.execution.locks import locked
from cardroom.floor.journal import journal_append
from cardroom.floor.models import JournalEntry, Transfer
from cardroom.jobs.lifecycle import job_run, piece_run
from cardroom.jobs.models import Job
from cardroom.reports.models import Checkpoint
from cardroom.reports.verification.runs import PIECE, verification_ask
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.reports.commands import as_superuser
from tests.web.conftest import Person

PAGE = "/rooms/cache-slough/verification/"


def text(browser: Person) -> str:
    return browser.open(PAGE).content.decode()


def verified(browser: Person) -> Job:
    """Press the button, and do the work of the workers."""
    browser.open(PAGE)
    browser.post(f"{PAGE}begin/")
    job = Job.objects.filter(kind="verification").latest("pk")
    assert job_run(job.pk)
    while piece_run([PIECE]):
        pass
    assert job_run(job.pk)
    return job


def test_it_is_begun_seen_on_its_way_and_holds(running: Cast, person: Callable[[str], Person]) -> None:
    browser = person("inspector")
    assert "Nobody has had them verified from here yet" in text(browser)
    browser.open(PAGE)
    browser.post(f"{PAGE}begin/")
    assert "Waiting to start" in text(browser)
    job = Job.objects.get(kind="verification")
    assert job_run(job.pk) and piece_run([PIECE])
    pieces = job.pieces.count()
    assert f"1 of {pieces} parts are verified." in text(browser)
    while piece_run([PIECE]):
        pass
    assert job_run(job.pk)
    shown = text(browser)
    assert "All holds" in shown and f"in {pieces} parts" in shown
    assert Checkpoint.objects.count() == 1
    commands = JournalEntry.objects.filter(command__startswith="verification").order_by("pk")
    assert [entry.command for entry in commands] == ["verification_start", "verification_end"]


def test_a_break_is_listed(running: Cast, person: Callable[[str], Person]) -> None:
    entry = JournalEntry.objects.filter(table__isnull=False).earliest("seq")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_journalentry SET reason = 'x' WHERE id = %s", [entry.pk])
    browser = person("compliance")
    verified(browser)
    assert f"{entry.chain}: entry {entry.seq} does not follow from the entry before it" in text(browser)
    assert not Checkpoint.objects.exists()


def test_who_may_not_verify_is_told_who_may(running: Cast, person: Callable[[str], Person]) -> None:
    shown = text(person("shift_manager"))
    assert "Verify now" in shown and 'id="verify"' not in shown


def test_breaks_of_another_room_are_counted_and_not_listed(
    running: Cast, person: Callable[[str], Person]
) -> None:
    """Each room's people see what was found in their own entries and rows; the other room's are the administrator's."""
    rival = Room.objects.exclude(pk=running.room.pk).get()
    with locked(Room, rival.pk) as place:
        journal_append(holder=place, actor=running.people["compliance"], at=timezone.now(), command="noted")
    running.play({4: 1000})
    played = Transfer.objects.earliest("pk")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_journalentry SET reason = 'x' WHERE command = 'noted'")
        cursor.execute("UPDATE floor_transfer SET cents = cents + 1 WHERE id = %s", [played.pk])
    browser = person("compliance")
    verified(browser)
    shown = text(browser)
    assert f"floor.Transfer {played.pk}: is not what entry" in shown
    assert f"room:{rival.pk}: entry" not in shown
    assert "more is not listed here" in shown or "more are not listed here" in shown


def test_who_asked_in_another_room_is_not_named(running: Cast, person: Callable[[str], Person]) -> None:
    rival = Room.objects.exclude(pk=running.room.pk).get()
    elsewhere = running.people["room_manager"]
    with transaction.atomic():
        verification_ask(rival, timezone.now(), elsewhere, "asked")
    shown = text(person("inspector"))
    assert "Waiting to start" in shown and f"by {elsewhere}" not in shown
