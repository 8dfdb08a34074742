"""Models `OfflineEntry` and `TabletGap`: commands given offline, and how long each tablet was offline (ruling 61)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import append_only


class OfflineEntry(models.Model):
    """A command that waited on a tablet: when it was given there, and when the server took it. Append-only.

    It counts in `shift`, which is open when the server takes it. `given_in` is the shift in which it was given, where that
    is closed by then.
    """

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="+")
    screen = models.CharField(max_length=20, blank=True, help_text="The name that the tablet gave itself.")
    command = models.CharField(max_length=40)
    given_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(help_text="By the tablet's clock, corrected by the offset.")
    offset_ms = models.BigIntegerField(
        null=True,
        help_text="The server's clock less the tablet's, measured while it was in touch; empty: never measured.",
    )
    taken_at = models.DateTimeField()
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, null=True, related_name="+")
    given_in = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "offline entries"
        constraints = [
            models.CheckConstraint(
                condition=Q(taken_at__gte=F("given_at")), name="an_entry_is_taken_after_it_was_given"
            ),
            models.CheckConstraint(
                condition=Q(given_in__isnull=True) | Q(shift__isnull=True) | ~Q(given_in=F("shift")),
                name="a_shift_of_an_offline_entry_is_told_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.command} at {self.table}, given offline"


class TabletGap(models.Model):
    """A time in which a table's tablet was out of touch, noted when it was heard again. Append-only."""

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="+")
    screen = models.CharField(max_length=20, help_text="The name that the tablet gave itself.")
    since = models.DateTimeField(help_text="When it was last heard.")
    until = models.DateTimeField(help_text="When it was heard again.")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="a_tablet_is_heard_again_later")
        ]

    def __str__(self) -> str:
        return f"Tablet {self.screen} of {self.table} out of touch"
