"""A database rewritten whole: `verify` by itself finds nothing, and `verify --against` a checkpoint from outside does."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
import time_machine
from pytest_django import Settings

from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.models import JournalEntry, Shift
from cardroom.reports.models import PeriodReport, ShiftReport, SignedCheckpoint
from cardroom.tips.models import HandIn
from tests.reports.verification.test_verify_attacks import NOON, reported_room

from .rewriting import database_rewritten
from .signed import keyed, sign_due
from .test_signed_checkpoints import kept, verify

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
LATER = NOON + datetime.timedelta(days=2)


def tips_kept_back(entry: JournalEntry) -> None:
    """Of the tips that were handed in, ten dollars never were."""
    if entry.command == "tips_hand_in":
        entry.data["cents"] -= 1000
        HandIn.objects.filter(pk=entry.data["hand_in"]).update(cents=entry.data["cents"])


@pytest.fixture
def outside(settings: Settings, tmp_path: Path) -> Path:
    """A directory with two checkpoints of a room with every kind of report, play between them, and play since."""
    keyed(settings, tmp_path)
    place = tmp_path / "outside"
    place.mkdir()
    room = reported_room()
    with time_machine.travel(LATER, tick=False) as clock:
        kept(sign_due(), place)
        room.send_room(shift_open, name="Graveyard")
        room.place(13)
        room.play({4: 2000, 5: 1000})
        clock.shift(datetime.timedelta(hours=1))
        kept(sign_due(), place)
        room.bank_to(5)
        room.play({4: 1000})
    return place


def test_a_database_rewritten_whole_passes_alone_and_fails_against_a_checkpoint(outside: Path) -> None:
    status, out = verify(against=[str(outside)])
    assert status == 0, out
    reports = ShiftReport.objects.count() + PeriodReport.objects.count()
    before = {entry.pk: entry.hash for entry in JournalEntry.objects.all()}
    said = ShiftReport.objects.get(shift=Shift.objects.earliest("pk")).content_hash

    database_rewritten(tips_kept_back)

    assert said != ShiftReport.objects.get(shift=Shift.objects.earliest("pk")).content_hash
    assert ShiftReport.objects.count() + PeriodReport.objects.count() == reports
    assert [pk for pk, was in before.items() if JournalEntry.objects.get(pk=pk).hash != was]
    status, out = verify()
    assert status == 0 and "all holds" in out, out  # it agrees with itself

    status, out = verify(against=[str(outside)])
    assert status == 1
    for number in (1, 2):
        file = outside / f"cache-slough-{number:06}.checkpoint"
        assert f"{file}: checkpoint {number} of Cache Slough names entry" in out
        assert f"{file}: checkpoint {number} of Cache Slough is another one in the database" in out
    assert "which does not say what was signed on" in out  # the report of the shift, by name


def test_the_first_entry_that_differs_is_what_the_owner_changed(outside: Path) -> None:
    """The control: with nothing changed the same rewriting gives the same hashes, so that it is the change that is found."""
    before = list(SignedCheckpoint.objects.order_by("pk").values_list("hash", flat=True))
    database_rewritten(lambda entry: None)
    assert list(SignedCheckpoint.objects.order_by("pk").values_list("hash", flat=True)) == before
    status, out = verify(against=[str(outside)])
    assert status == 0, out


def test_history_that_was_cut_off_behind_the_last_checkpoint_is_not_found(outside: Path) -> None:
    """What no checkpoint outside has seen yet is not proved by one: docs/checkpoints.md says so."""
    last = JournalEntry.objects.filter(chain__startswith="table").latest("pk")

    def renamed(entry: JournalEntry) -> None:
        if entry.pk == last.pk:
            entry.actor_name = "Somebody else"
            JournalEntry.objects.filter(pk=entry.pk).update(actor_name=entry.actor_name)

    database_rewritten(renamed)
    status, out = verify(against=[str(outside)])
    assert status == 0, out
