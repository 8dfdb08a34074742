"""Models `Shift` and `Down`: shifts of a room and dealers' downs at its tables."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.dates import day_text


class Shift(models.Model):
    """A shift of the whole room, belonging to one gaming day. At most one is open at a time."""

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="shifts")
    name = models.CharField(max_length=20, help_text="Day, Swing, Graveyard, or what the room calls it.")
    gaming_day = models.DateField()
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["room"], condition=Q(closed_at__isnull=True), name="one_open_shift"
            ),
            models.UniqueConstraint(fields=["room", "gaming_day", "name"], name="one_shift_of_a_name_a_day"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_by__isnull=True)
                | Q(closed_at__gte=F("opened_at"), closed_by__isnull=False),
                name="shift_is_closed_by_someone_later",
            ),
        ]
        indexes = [
            # The board asks which shifts closed within the hour.
            models.Index(fields=["room", "closed_at"], name="shifts_by_closing"),
            # The last shift of a room.
            models.Index(fields=["room", "opened_at"], name="shifts_by_opening"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {day_text(self.gaming_day)}"


class Down(models.Model):
    """A dealer's stint at a table."""

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="downs")
    dealer = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="downs")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="one_dealer_at_a_table"
            ),
            models.UniqueConstraint(
                fields=["dealer"], condition=Q(ended_at__isnull=True), name="one_table_of_a_dealer"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("started_at")),
                name="down_ends_after_it_begins",
            ),
        ]
        # Who dealt there in a stretch of time are those who ended after it began: years of downs lie before.
        indexes = [models.Index(fields=["table", "ended_at"], name="downs_of_a_time")]

    def __str__(self) -> str:
        return f"{self.dealer} at {self.table}"
