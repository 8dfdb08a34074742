"""Model `WorkedHours`: hours that support staff worked. Append-only."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import append_only


class WorkedHours(models.Model):
    """Minutes that one of the support staff worked in a shift, and as what. Append-only; taken back like a hand-in."""

    guards = append_only("hours stay as they were written; take them back by another row")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="worked_hours")
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    work = models.CharField(max_length=60, help_text="As what: chip runner, host.")
    minutes = models.IntegerField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversal"
    )
    reason = models.CharField(max_length=200, blank=True)
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "worked hours"
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    reverses__isnull=True,
                    minutes__gt=0,
                    reason="",
                    approved_by__isnull=True,
                )
                & ~Q(staff=F("made_by"))
                | (
                    Q(reverses__isnull=False, minutes__lt=0, approved_by__isnull=False)
                    & ~Q(reason="")
                    & ~Q(made_by=F("approved_by"))
                ),
                name="nobody_enters_their_own_hours",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.minutes} min of {self.staff}"
