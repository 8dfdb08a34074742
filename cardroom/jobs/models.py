"""Models `Job`, background work that a command or a person asks for, and `Heartbeat` of the processes that do it."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.models import F, Q

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import Guard

if TYPE_CHECKING:
    from cardroom.rooms.models import Room


class Job(models.Model):
    """Something left to a worker, written in the transaction that causes it: neither can be there without the other.

    waiting → running → finished. A failure leads back to waiting, to be tried again at `next_try_at`, or after the last
    try of its kind to failed, where it waits for a person. A person may have it tried again or cancel it. A worker claims
    a job before it runs it; one whose claim has run out (`claimed_until`) is claimed by another. What a job does is known
    by its kind (`cardroom.jobs.kinds`); `cardroom.jobs.lifecycle` alone changes the state.

    A task that beat sends again and again for the whole system has one row without a room, written over by each run
    (`cardroom.jobs.task_log`): running, or waiting for the next run, with the times of the last one and its kind of error.

    `arguments` and `result` are JSON in the shape of the kind. `key` says in one line what the job is about, and
    `at_most_one` how many jobs of that kind and key a room may have.

    A job that is too long for one task leaves **pieces**: jobs of their own, which are `part_of` it. It waits until none of
    them waits or runs any more, and is then run again, to put together what came of them.
    """

    digest_policy = DigestPolicy(
        not_digested="a worker's state, written over as it runs; what background reports say is compared with the journal"
    )

    guards = (
        Guard(
            "UPDATE",
            "a job that has finished or was cancelled stays as it came out",
            when="OLD.state IN ('finished', 'cancelled')",
        ),
        Guard(
            "DELETE",
            "a job is never deleted; of webhooks those that are done are, after a month",
            # Where a worker tells an address of what the journal has, once a second in a busy room, nothing is made.
            when="OLD.kind <> 'webhook' OR OLD.state <> 'finished'",
        ),
    )

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    class AtMostOne(models.TextChoices):
        NO = "", "any number"
        OPEN = "open", "one waiting or running"
        EVER = "ever", "one, ever"

    kind = models.CharField(max_length=80)
    room = models.ForeignKey(
        "rooms.Room",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="jobs",
        help_text="Empty for a task that beat sends again and again.",
    )
    arguments = models.JSONField(default=dict)
    key = models.CharField(max_length=400, blank=True)
    at_most_one = models.CharField(max_length=4, choices=AtMostOne.choices, blank=True)
    cause = models.CharField(max_length=40, help_text="Why it was asked for, as a word.")
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        "people.Staff",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty where a command caused it.",
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    next_try_at = models.DateTimeField(help_text="When it is tried next, while it waits.")
    tries = models.PositiveSmallIntegerField(default=0, help_text="Failures so far.")
    claims = models.PositiveSmallIntegerField(default=0, help_text="How often a worker has claimed it.")
    claimed_by = models.CharField(max_length=200, blank=True, help_text="Host and process of the worker.")
    claimed_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    done = models.PositiveIntegerField(default=0, help_text="How far it has come, of `total`.")
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True, blank=True, help_text="What came of it, once it has finished.")
    error = models.CharField(max_length=500, blank=True, help_text="That of the last failure.")
    ended_at = models.DateTimeField(null=True, blank=True)
    part_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="pieces",
        db_index=False,
        help_text="The job whose piece it is.",
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "kind", "key"],
                condition=Q(at_most_one="open", state__in=["waiting", "running"]),
                name="one_open_job_of_a_key",
            ),
            models.UniqueConstraint(
                fields=["room", "kind", "key"],
                condition=Q(at_most_one="ever"),
                name="one_job_of_a_key_ever",
            ),
            models.UniqueConstraint(
                fields=["kind"], condition=Q(room__isnull=True), name="one_row_of_a_recurring_task"
            ),
            models.CheckConstraint(
                condition=Q(room__isnull=True, state__in=["waiting", "running"])
                | Q(state__in=["waiting", "running"], ended_at__isnull=True)
                | Q(state__in=["finished", "failed", "cancelled"], ended_at__gte=F("asked_at")),
                name="a_job_ends_once_after_it_was_asked_for",
            ),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(claimed_at__isnull=False, claimed_until__isnull=False),
                name="a_running_job_is_claimed",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", result__isnull=False)
                | (~Q(state="finished") & Q(result__isnull=True)),
                name="a_finished_job_has_its_result",
            ),
        ]
        indexes = [
            models.Index(
                fields=["kind", "next_try_at"],
                condition=Q(state__in=["waiting", "running", "failed"]),
                name="jobs_not_done",
            ),
            # In the whole order that the last ones are read in.
            models.Index(fields=["room", "ended_at", "id"], name="jobs_by_end"),
            # Those that may wait for a person, among years of those that are done.
            models.Index(
                fields=["room"], condition=Q(state__in=["waiting", "failed"]), name="jobs_to_look_at"
            ),
            models.Index(fields=["kind", "key"], name="jobs_by_key"),
            models.Index(
                fields=["part_of", "state"], condition=Q(part_of__isnull=False), name="jobs_by_whole"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}".strip()

    @property
    def at_room(self) -> Room:
        """The room of a job; a recurring task has none."""
        assert self.room is not None
        return self.room

    @property
    def has_ended(self) -> bool:
        """Whether no worker does anything more about it by itself."""
        return self.state not in (self.State.WAITING, self.State.RUNNING)

    @property
    def has_failed(self) -> bool:
        """Whether it waits for a person, or for another try."""
        return self.state == self.State.FAILED or (self.state == self.State.WAITING and self.tries > 0)

    @property
    def next_at(self) -> datetime.datetime | None:
        """When it is tried next; None where that is not by itself."""
        return self.next_try_at if self.state == self.State.WAITING else None

    @property
    def seconds(self) -> float | None:
        """How long the try took that ended it; None where it has not ended or was never begun."""
        if self.claimed_at is None or self.ended_at is None:
            return None
        return max(0.0, (self.ended_at - self.claimed_at) / datetime.timedelta(seconds=1))


class Heartbeat(models.Model):
    """When beat or a worker last showed that it works (UTC): one row a kind, written over."""

    digest_policy = DigestPolicy(
        not_digested="the last heartbeats of worker and beat; written over every minute"
    )

    class Kind(models.TextChoices):
        BEAT = "beat", "beat"
        WORKER = "worker", "worker"

    kind = models.CharField(max_length=10, choices=Kind.choices, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind__in=["beat", "worker"]), name="a_heartbeat_is_of_beat_or_worker"
            )
        ]

    def __str__(self) -> str:
        return self.get_kind_display()


def heartbeat_write(kind: Heartbeat.Kind, *, now: datetime.datetime) -> None:
    """Note that the program of this kind works, at `now`."""
    Heartbeat.objects.update_or_create(kind=kind, defaults={"at": now})
