"""Fee schedules as filings: drafts are edited, a filed version never changes again."""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from simple_history.models import HistoricalRecords

from .rates import Schedule, read_schedule


class FeeSchedule(models.Model):
    """One version of a room's fee schedule, and the days on which it is in force.

    draft → filed → superseded (by the next version) or withdrawn. A filed version is in force from
    `effective_from` until the day before `effective_to`, whether or not it has been closed since; the two
    dates are calendar days of the room. Database triggers keep a filed version as it was filed: closing it is
    all that can still happen to it (see the migrations). `document` is what `fees.document` reads; only a
    legal one can be filed.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", "draft"
        FILED = "filed", "filed"
        SUPERSEDED = "superseded", "superseded"
        WITHDRAWN = "withdrawn", "withdrawn"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="fee_schedules")
    rulebook = models.CharField(max_length=40, help_text="The game that the schedule is filed for.")
    number = models.PositiveSmallIntegerField(help_text="The schedule option's number in this room.")
    version = models.PositiveSmallIntegerField(editable=False)
    title = models.CharField(max_length=80)
    document = models.JSONField(help_text="Table limit and fees, in whole cents, each with its clause.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT, editable=False)
    effective_from = models.DateField(null=True, blank=True, help_text="First day in force.")
    effective_to = models.DateField(
        null=True,
        blank=True,
        editable=False,
        help_text="First day no longer in force; empty: until further notice.",
    )
    state_reference = models.CharField(
        max_length=80,
        blank=True,
        help_text="The Bureau's number of the filing, or of the letter that approves it.",
    )
    filed_at = models.DateTimeField(null=True, blank=True, editable=False)
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="fee_schedules_filed",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    history = HistoricalRecords(history_change_reason_field=models.CharField(max_length=200, null=True))

    class Meta:
        ordering = ["room", "number", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "number", "version"], name="one_fee_schedule_of_a_version"
            ),
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(status="draft"), name="one_draft_of_a_fee_schedule"
            ),
            # At most one version is open-ended; services see to it that closed periods do not overlap either.
            models.UniqueConstraint(
                fields=["room", "number"],
                condition=Q(status="filed"),
                name="one_filed_version_of_a_fee_schedule",
            ),
            models.CheckConstraint(
                condition=Q(status="draft", filed_at__isnull=True, filed_by__isnull=True)
                | (
                    Q(status__in=["filed", "superseded", "withdrawn"])
                    & Q(filed_at__isnull=False, filed_by__isnull=False, effective_from__isnull=False)
                    & ~Q(state_reference="")
                ),
                name="a_filed_fee_schedule_says_when_and_by_whom",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "filed"], effective_to__isnull=True)
                | Q(status__in=["superseded", "withdrawn"], effective_to__gte=F("effective_from")),
                name="a_closed_fee_schedule_has_its_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"

    def in_force(self, on: datetime.date) -> bool:
        """Tell whether this version is in force on the day `on`, whether or not it has been closed since."""
        if self.status == self.Status.DRAFT or self.effective_from is None:
            return False
        return self.effective_from <= on and (self.effective_to is None or on < self.effective_to)

    @property
    def schedule(self) -> Schedule:
        """What this version charges. Raises ScheduleRefused for a draft that is not legal yet."""
        return read_schedule(self.document, number=self.number, title=self.title)
