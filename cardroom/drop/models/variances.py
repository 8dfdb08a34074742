"""Models `VarianceCheck` and `VarianceNote`: differences between counted and collected, and their explanations. Append-only."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from cardroom.core.triggers import append_only


class VarianceCheck(models.Model):
    """What was counted in a box compared with what its table collected, at one moment. Append-only.

    Made when a count comes to stand, when it is corrected, and when a user asks for it since the expected figure has
    changed (a round that was corrected or voided later). The last one of a box holds. `is_over`: the difference is
    more than the room's threshold was then, or a recount agreed with neither count (`disputed`).
    """

    guards = append_only("a count stays as it was written; correct it by another")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    box = models.ForeignKey("floor.DropBox", on_delete=models.PROTECT, related_name="variance_checks")
    sheet = models.ForeignKey("drop.CountSheet", on_delete=models.PROTECT, related_name="+")
    expected_cents = models.BigIntegerField()
    counted_cents = models.BigIntegerField()
    threshold_cents = models.PositiveIntegerField()
    disputed = models.BooleanField()
    is_over = models.BooleanField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["box", "id"]
        indexes = [models.Index(fields=["room", "is_over"], name="variance_checks_of_a_room")]

    def __str__(self) -> str:
        return f"{self.box}: {self.difference_cents}"

    @property
    def difference_cents(self) -> int:
        """Counted less expected: negative is short."""
        return self.counted_cents - self.expected_cents

    @property
    def status(self) -> VarianceNote.Status:
        """Its state, if it is over: as the last note says, and open without one."""
        last = self.notes.order_by("seq").last()
        return VarianceNote.Status.OPEN if last is None else VarianceNote.Status(last.status)


class VarianceNote(models.Model):
    """A note on a variance check that is over: the last note of a check is its status. Append-only.

    `owner` is the person who is to explain it. There is none where no person had taken it on when the clock escalated
    it.
    """

    guards = append_only("a count stays as it was written; correct it by another")

    class Status(models.TextChoices):
        OPEN = "open", "open"
        EXPLAINED = "explained", "explained"
        ESCALATED = "escalated", "escalated"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    variance_check = models.ForeignKey("drop.VarianceCheck", on_delete=models.PROTECT, related_name="notes")
    seq = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices)
    owner = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    text = models.CharField(max_length=500, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["variance_check", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["variance_check", "seq"], name="one_note_at_a_place"),
            models.CheckConstraint(
                condition=Q(status="open") | ~Q(text=""), name="an_answer_to_a_variance_says_something"
            ),
            models.CheckConstraint(
                condition=Q(owner__isnull=False) | Q(status="escalated"),
                name="only_what_was_escalated_has_no_owner",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variance_check}: {self.get_status_display()}"
