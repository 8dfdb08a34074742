"""Model `ChipCall`: who called a chip runner from which table for how much, and when it was brought."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, changed

_CALL = ("id", "room_id", "table_id", "cents", "note", "called_at", "called_by_id")


class ChipCall(models.Model):
    """A call for chips from a table. It is answered once; nothing else of it ever changes (database triggers)."""

    guards = (
        Guard(
            "UPDATE",
            "a chip call never changes; it is answered once",
            when=lambda vendor: f"OLD.answered_at IS NOT NULL OR {changed(*_CALL, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="chip_calls")
    cents = models.BigIntegerField()
    note = models.CharField(max_length=200, blank=True)
    called_at = models.DateTimeField()
    called_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(cents__gt=0), name="a_chip_call_is_for_something"),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, answered_by__isnull=True)
                | Q(answered_at__gte=F("called_at"), answered_by__isnull=False),
                name="a_chip_call_is_answered_by_someone_later",
            ),
        ]

    def __str__(self) -> str:
        return f"chips for {self.table}"
