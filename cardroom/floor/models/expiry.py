"""Model `ExpiryOverride`: who was let play or deal on an expired badge or permit, by whom and why."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.dates import day_text
from cardroom.core.triggers import append_only


class ExpiryOverride(models.Model):
    """A supervisor lets one person play or deal although their badge or permit has expired. Append-only.

    It holds in the room for its gaming day. `what`, `number` and `expired_on` are what the room had on record then.
    """

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="expiry_overrides")
    player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    staff = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    what = models.CharField(max_length=20)
    number = models.CharField(max_length=40, blank=True)
    expired_on = models.DateField(help_text="Last day on which it was valid.")
    gaming_day = models.DateField(help_text="The day for which the override holds.")
    reason = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    ordered_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, related_name="+", help_text="The supervisor."
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "gaming_day", "player"],
                condition=Q(player__isnull=False),
                name="one_expiry_override_of_a_player_a_day",
            ),
            models.UniqueConstraint(
                fields=["room", "gaming_day", "staff"],
                condition=Q(staff__isnull=False),
                name="one_expiry_override_of_a_dealer_a_day",
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, staff__isnull=True)
                | Q(player__isnull=True, staff__isnull=False),
                name="an_expiry_override_is_of_one_person",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="an_expiry_override_has_a_reason"),
            models.CheckConstraint(
                condition=Q(staff__isnull=True) | ~Q(ordered_by=F("staff")),
                name="nobody_overrides_their_own_permit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} of {self.player or self.staff}, {day_text(self.gaming_day)}"
