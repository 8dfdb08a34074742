"""Errands: what an act leaves to the background, written in the transaction of the act itself."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from cardroom.core.triggers import Guard


class Work(models.Model):
    """Something left to the background: tried until it is done, or has failed `MOST_TRIES` times.

    It is written with the facts that cause it, so that neither can be there without the other. After the last failure
    nobody tries again until a person asks: the last `error` stays, and is shown.
    """

    #: Failures after which it waits for a person.
    MOST_TRIES = 8

    made_at = models.DateTimeField()
    not_before = models.DateTimeField(help_text="When it is tried next.")
    begun_at = models.DateTimeField(
        null=True, blank=True, help_text="When the try began that is under way, or the one that did it."
    )
    tries = models.PositiveSmallIntegerField(default=0, help_text="Failures so far.")
    error = models.CharField(max_length=500, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def gave_up(self) -> bool:
        """Whether it waits for a person."""
        return self.done_at is None and self.tries >= self.MOST_TRIES


class Errand(Work):
    """What is to be made for a shift, however often the message about it gets lost.

    It may be carried out twice; what it makes is guarded by unique rows.
    """

    guards = (
        Guard(
            "UPDATE",
            "an errand that is done never changes, and none is deleted",
            when="OLD.done_at IS NOT NULL",
        ),
        Guard("DELETE", "an errand that is done never changes, and none is deleted"),
    )

    class Kind(models.TextChoices):
        SHIFT_REPORT = "shift_report", "make or restate the report of a shift"
        DAY_REPORT = "day_report", "make or restate the report of the day of a shift"
        MONTH_REPORT = "month_report", "make or restate the report of the month of a shift"

    class Cause(models.TextChoices):
        SHIFT_CLOSED = "shift_closed", "the shift was closed"
        ROUND_CORRECTED = "round_corrected", "a round of it was corrected later"
        DROP_COUNTED = "drop_counted", "its drop is counted"
        ALERT_ANSWERED = "alert_answered", "an alert of it was answered later"
        PERIOD_OVER = "period_over", "the day or month is over"
        REPORT_RESTATED = "report_restated", "the report of the shift was made again"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    cause = models.CharField(max_length=20, choices=Cause.choices)
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="errands")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(done_at__gte=models.F("made_at")),
                name="an_errand_is_done_after_it_was_made",
            )
        ]
        indexes = [
            models.Index(fields=["not_before"], condition=Q(done_at__isnull=True), name="errands_to_do")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.shift}"
