"""Work in the background as the database knows it: who of those that carry it out was alive when, and what ran last."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Heartbeat(models.Model):
    """When a program of the background last showed that it works (UTC): one row a kind, written over."""

    class Kind(models.TextChoices):
        """The programs that work where nobody looks."""

        BEAT = "beat", "beat"
        WORKER = "worker", "worker"

    kind = models.CharField(max_length=10, choices=Kind.choices, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["beat", "worker"]), name="works_heartbeat_kind_known"
            )
        ]

    def __str__(self) -> str:
        return self.get_kind_display()


class LastRun(models.Model):
    """When a task that beat asks for ran last, and how that ended: one row a task, written over.

    `ended_at` is empty while it runs, and stays so where its worker was killed. `error` is the kind of error alone: its
    words may be about any room, and stand in the worker's log.
    """

    task = models.CharField(max_length=100, primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.task
