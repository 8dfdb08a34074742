"""Model `HandIn`: tips that a dealer hands in. Append-only."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import append_only


class HandIn(models.Model):
    """Tips in cents that a dealer was given by hand and handed in, and who received them. Append-only.

    A mistaken one is taken back by a row that `reverses` it, of the same cents below nothing, with a reason and a
    second person. `down` is the dealer's stint in which they were given, where it is known.
    """

    guards = append_only("a hand-in stays as it was written; take it back by another row")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="hand_ins")
    dealer = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    down = models.ForeignKey("floor.Down", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    cents = models.BigIntegerField()
    received_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
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
        verbose_name_plural = "hand-ins"
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    reverses__isnull=True,
                    cents__gt=0,
                    reason="",
                    approved_by__isnull=True,
                )
                & ~Q(dealer=F("received_by"))
                | (
                    Q(reverses__isnull=False, cents__lt=0, approved_by__isnull=False)
                    & ~Q(reason="")
                    & ~Q(received_by=F("approved_by"))
                ),
                name="a_hand_in_has_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cents} of {self.dealer}"
