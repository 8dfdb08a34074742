"""Shift reports as they were made."""

from __future__ import annotations

from typing import cast

from django.db import models
from django.db.models import F, Q

from cardroom.floor.journal import Head

from .figures import Figures


class ShiftReport(models.Model):
    """The report of a closed shift: made once, kept as made. Append-only (database triggers).

    `figures` has the shape of `cardroom.reports.figures.Figures`. `inputs_hash` is the hex SHA-256 of what it
    was made from (see `cardroom.reports.reading.inputs_hash`). `heads` are the heads of the journal's chains
    of the room and all its tables at that moment, a list of `{"chain", "seq", "hash"}`.
    """

    shift = models.OneToOneField("floor.Shift", on_delete=models.PROTECT, related_name="report")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="shift_reports")
    made_at = models.DateTimeField()
    figures = models.JSONField()
    inputs_hash = models.CharField(max_length=64)
    heads = models.JSONField()

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"Report of {self.shift}"

    @property
    def sums(self) -> Figures:
        """The figures, typed."""
        return cast("Figures", self.figures)

    @property
    def chain_heads(self) -> list[Head]:
        """The noted heads, typed."""
        return [Head(chain=head["chain"], seq=head["seq"], hash=head["hash"]) for head in self.heads]


class Recomputation(models.Model):
    """The fees of all rounds of a period computed again in the background, and what came of it.

    waiting → running → finished, or failed with what went wrong. `done` of `total` rounds were computed by `told_at`,
    which a worker sets every so often: a running one that has fallen silent is begun anew by another. `found` and
    `charged` are lists of `cardroom.reports.recomputing.Found` and `Charged`. Ended, it never changes (database
    triggers): it is the record that on that day every round was computed again.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        FAILED = "failed", "failed"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="recomputations")
    first = models.DateField(help_text="First gaming day.")
    last = models.DateField(help_text="Last gaming day, included.")
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    total = models.PositiveIntegerField(default=0, help_text="Rounds to be computed.")
    done = models.PositiveIntegerField(default=0)
    differing = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0, help_text="Corrections that kept the fees as dropped.")
    found = models.JSONField(default=list)
    charged = models.JSONField(default=list)
    says = models.CharField(max_length=200, blank=True, help_text="Why it failed.")
    started_at = models.DateTimeField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["room"],
                condition=Q(state__in=["waiting", "running"]),
                name="one_recomputation_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running"], ended_at__isnull=True)
                | Q(state__in=["finished", "failed"], ended_at__isnull=False),
                name="a_recomputation_ends_once",
            ),
            models.CheckConstraint(
                condition=Q(last__gte=F("first")), name="a_recomputation_has_its_days_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"Fees of {self.first} to {self.last} computed again"

    @property
    def has_ended(self) -> bool:
        """Whether it is over, well or not."""
        return self.state in (self.State.FINISHED, self.State.FAILED)
