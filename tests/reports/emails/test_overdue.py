"""Variances that nobody explains in time are escalated by the clock: on the board, in the queue, and by email."""

from __future__ import annotations

import datetime

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.drop.commands.variances import variance_answer
from cardroom.drop.models import DropBox, VarianceNote
from cardroom.floor.models import Alert, JournalEntry
from cardroom.jobs.lifecycle import job_run, jobs_due
from cardroom.jobs.models import Job
from cardroom.reports.commands.subscriptions import subscription_make
from cardroom.reports.emails.overdue import rooms_with_variances, variances_watch
from cardroom.reports.tasks import escalate_variances
from tests.drop.room import CountTeam, chips
from tests.kept import kept

HOURS = 24


@pytest.fixture
def team(db: None) -> CountTeam:
    """A box is $4 over: it holds $6, and its table collected $2. The owner hears of variances."""
    return kept(_team)


def _team() -> CountTeam:
    team = CountTeam().running()
    box = team.place()
    team.play({4: 1000})
    team.drop(box)
    team.counted(box, chips(c100=6))
    team.send_room(subscription_make, "room_manager", what="variance", address="owner@cardroom.example")
    return team


def later(hours: float) -> datetime.datetime:
    return timezone.now() + datetime.timedelta(hours=hours)


def watch(team: CountTeam, hours: float) -> int:
    assert rooms_with_variances() == [team.room.pk]
    return variances_watch(team.room.pk, later(hours))


def test_before_its_time_nothing_is_escalated(team: CountTeam) -> None:
    assert watch(team, HOURS - 0.1) == 0
    assert (
        not VarianceNote.objects.exists()
        and not Job.objects.filter(kind="email").exists()
        and not Alert.objects.exists()
    )


@pytest.mark.postgresql
def test_what_nobody_explained_in_time_is_escalated_once_told_on_the_board_and_written_to_subscribers(
    team: CountTeam,
) -> None:
    assert [watch(team, HOURS), watch(team, HOURS + 0.1)] == [1, 0]
    note = VarianceNote.objects.get()
    assert (note.status, note.owner, note.text) == (
        "escalated",
        None,
        "Nobody explained it within 24 hours.",
    )
    entry = JournalEntry.objects.get(command="variance_answer")
    assert (entry.data["after"], entry.data["owner"], str(entry.actor)) == ("escalated", None, "System clock")
    alert = Alert.objects.get()
    assert (alert.kind, alert.table, alert.cleared_at) == ("variance_overdue", team.table, None)
    assert "$" not in alert.text, "dealers see the board, and no figure of the count"
    for email in jobs_due(later(HOURS), "email"):
        Job.objects.filter(pk=email.pk).update(next_try_at=timezone.now(), asked_at=timezone.now())
        assert job_run(email.pk)
    (sent,) = mail.outbox
    assert (
        sent.subject
        == f"Cache Slough: variance of $4 at Table 7, {note.variance_check.box.shift}, not explained"
    )
    assert "is $4 over, and nobody has explained it." in sent.body
    assert "Expected  $2\nCounted   $6" in sent.body and "Owner     nobody yet" in sent.body


def test_an_owner_does_not_explain_it_and_keeps_it(team: CountTeam) -> None:
    manager = team.people["compliance"]
    team.send_room(variance_answer, manager, box_id=DropBox.objects.get().pk, status="open")
    assert watch(team, HOURS) == 1
    assert VarianceNote.objects.latest("pk").owner == manager


def test_the_alert_is_over_when_it_is_explained_and_whoever_explains_it_owns_it(team: CountTeam) -> None:
    watch(team, HOURS)
    explained = {"status": "explained", "text": "four dollars of the next box"}
    team.send_room(variance_answer, "shift_manager", box_id=DropBox.objects.get().pk, **explained)
    assert VarianceNote.objects.latest("pk").owner == team.people["shift_manager"]
    assert watch(team, HOURS + 1) == 0
    assert Alert.objects.get().cleared_at is not None


def test_what_was_explained_in_time_is_left_alone_and_what_was_reopened_is_not(team: CountTeam) -> None:
    box = DropBox.objects.get()
    team.send_room(variance_answer, box_id=box.pk, status="explained", text="a tip in the wrong box")
    assert watch(team, HOURS) == 0 and not Alert.objects.exists()
    team.send_room(variance_answer, box_id=box.pk, status="open")
    assert watch(team, HOURS) == 1


def test_what_a_person_escalated_is_on_the_board_and_not_escalated_again(team: CountTeam) -> None:
    box = DropBox.objects.get()
    team.send_room(variance_answer, box_id=box.pk, status="escalated", text="to the owner")
    assert watch(team, HOURS) == 0
    assert Alert.objects.get().kind == "variance_overdue" and not Job.objects.filter(kind="email").exists()


def test_each_room_has_its_own_time(team: CountTeam) -> None:
    team.room.variance_hours = 2
    team.room.save(update_fields=["variance_hours"])
    assert watch(team, 2) == 1
    assert VarianceNote.objects.get().text == "Nobody explained it within 2 hours."


def test_a_correction_that_settles_it_leaves_nothing_to_escalate(team: CountTeam) -> None:
    team.correct(DropBox.objects.get(), chips(c100=2))
    assert watch(team, HOURS) == 0


def test_beat_asks_and_one_room_that_fails_does_not_keep_the_others(
    team: CountTeam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    escalate_variances()
    assert not VarianceNote.objects.exists()

    def fail(*_: object) -> int:
        raise OSError("the disk is full")

    monkeypatch.setattr("cardroom.reports.tasks.variances_watch", fail)
    escalate_variances()
    assert "could not be looked at" in caplog.text


@pytest.mark.postgresql
def test_only_what_was_escalated_may_have_no_owner(team: CountTeam) -> None:
    watch(team, HOURS)
    note = VarianceNote.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        VarianceNote.objects.create(
            room=team.room,
            variance_check=note.variance_check,
            seq=9,
            status="explained",
            text="x",
            made_at=note.made_at,
            made_by=team.people["shift_manager"],
        )
