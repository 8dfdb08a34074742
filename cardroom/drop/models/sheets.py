"""Model `CountSheet`: what one person counted in one box. Append-only."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import append_only


class CountSheet(models.Model):
    """What one person counted in one box, by denomination (4 CCR 12385). Append-only (database triggers).

    Sheets of a box are numbered by `seq` from 1. The first two are blind: until the count stands no user is shown their
    figures, and the journal holds the digest of the row alone, in which `salt`, 256 random bits, hides them: without it a
    count of a few thousand dollars could be guessed from the digest. Once the count stands (`DropBox.counted_at`), the
    sheet with the greatest `seq` is the one that counts; those before it stay as they were written.

    `pieces` is a list of `{"kind": "chip", "cents": 500, "pieces": 12}`, as `cardroom.drop.pieces` reads it.
    """

    guards = append_only("a count stays as it was written; correct it by another")

    class Kind(models.TextChoices):
        FIRST = "first", "first count"
        SECOND = "second", "second count"
        RECOUNT = "recount", "recount"
        CORRECTION = "correction", "correction"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    box = models.ForeignKey("floor.DropBox", on_delete=models.PROTECT, related_name="sheets")
    seq = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    pieces = models.JSONField()
    total_cents = models.BigIntegerField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    corrects = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrected_by",
        help_text="The sheet whose figure this one strikes through.",
    )  # fmt: skip
    reason = models.CharField(max_length=200, blank=True)
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    salt = models.CharField(max_length=64)

    class Meta:
        ordering = ["box", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["box", "seq"], name="one_sheet_at_a_place"),
            models.UniqueConstraint(
                fields=["box", "made_by"],
                condition=~Q(kind="correction"),
                name="nobody_counts_a_box_twice",
            ),
            models.CheckConstraint(condition=Q(total_cents__gte=0), name="a_count_is_not_negative"),
            models.CheckConstraint(
                condition=Q(seq=1, kind="first")
                | Q(seq=2, kind="second")
                | Q(seq=3, kind="recount")
                | Q(seq__gte=3, kind="correction"),
                name="sheets_come_in_their_order",
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind="correction", corrects__isnull=False, approved_by__isnull=False)
                    & ~Q(reason="")
                    & ~Q(made_by=F("approved_by"))
                )
                | (~Q(kind="correction") & Q(corrects__isnull=True, approved_by__isnull=True, reason="")),
                name="a_corrected_count_has_a_reason_and_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.box}, {self.get_kind_display()}"
