"""Model `PoolSheet`: the pool's sheet of a shift, as it was closed. Append-only."""

from __future__ import annotations

from django.db import models

from cardroom.core.canonical import canonical_hash
from cardroom.core.triggers import append_only


class PoolSheet(models.Model):
    """What the tips of a shift came to and who got what of them, as a shift manager closed it. Append-only.

    `body` is the whole sheet as `cardroom.tips.reads.pools` reads it. `rule` is empty where the room had none: then each
    kept their own.
    """

    guards = append_only("a closed sheet never changes")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="pool_sheets")
    shift = models.OneToOneField("floor.Shift", on_delete=models.PROTECT, related_name="pool_sheet")
    rule = models.ForeignKey(
        "tips.PoolRule", on_delete=models.PROTECT, null=True, blank=True, related_name="sheets"
    )
    total_cents = models.BigIntegerField()
    body = models.JSONField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-shift"]

    def __str__(self) -> str:
        return f"Tips of {self.shift}"

    @property
    def hash(self) -> str:
        """The verification code on paper: what is stored says what was printed as long as it has the same one."""
        return canonical_hash(self.body)
