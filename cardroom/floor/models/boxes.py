"""Model `DropBox`: which box hung at which table in which shift."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import Guard


class DropBox(models.Model):
    """A box's stay at a table in one shift (4 CCR 12384), until what was in it is counted.

    It is put on, dropped by two people, and counted; `counted_at` is when its count came to stand. After that the row
    never changes (database triggers): what is corrected later is a further sheet. What is painted on the box, `number`,
    may hang at one table at a time. A jackpot's collection is kept apart from the other fees, in a box of its own
    (4 CCR 12384(a)(2)): a table has at most one box of each kind.
    """

    guards = (
        Guard("UPDATE", "a counted box never changes", when="OLD.counted_at IS NOT NULL"),
        Guard("DELETE", "a box is never deleted"),
    )

    class Kind(models.TextChoices):
        DROP = "drop", "drop box"
        JACKPOT = "jackpot", "jackpot box"

    class State(models.TextChoices):
        ON_TABLE = "on_table", "on the table"
        DROPPED = "dropped", "waits for its count"
        COUNTED = "counted", "counted"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="drop_boxes")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="drop_boxes")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="drop_boxes")
    number = models.PositiveIntegerField(help_text="The number painted on the box.")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.DROP)
    placed_at = models.DateTimeField()
    placed_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    dropped_at = models.DateTimeField(null=True, blank=True)
    dropped_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    witness = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="The second person at the drop, who signed.",
    )  # fmt: skip
    counted_at = models.DateTimeField(null=True, blank=True, help_text="When its count came to stand.")

    class Meta:
        ordering = ["shift", "table", "placed_at", "id"]
        verbose_name_plural = "drop boxes"
        constraints = [
            models.UniqueConstraint(
                fields=["table", "kind"], condition=Q(dropped_at__isnull=True), name="one_box_at_a_table"
            ),
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(counted_at__isnull=True), name="one_use_of_a_box"
            ),
            models.CheckConstraint(condition=Q(number__gt=0), name="a_box_has_a_number"),
            models.CheckConstraint(
                condition=Q(kind__in=["drop", "jackpot"]), name="a_box_is_for_fees_or_for_the_jackpot"
            ),
            models.CheckConstraint(
                condition=Q(dropped_at__isnull=True, dropped_by__isnull=True, witness__isnull=True)
                | (
                    Q(dropped_at__isnull=False, dropped_by__isnull=False, witness__isnull=False)
                    & Q(dropped_at__gte=F("placed_at"))
                    & ~Q(dropped_by=F("witness"))
                ),
                name="a_box_is_dropped_by_two_people",
            ),
            models.CheckConstraint(
                # Not only later: a check that comes to NULL, as for a box that was never dropped, lets a row pass.
                condition=Q(counted_at__isnull=True)
                | Q(dropped_at__isnull=False, counted_at__gte=F("dropped_at")),
                name="a_box_is_counted_after_its_drop",
            ),
        ]

    def __str__(self) -> str:
        return f"{'Jackpot box' if self.kind == self.Kind.JACKPOT else 'Box'} {self.number}"

    @property
    def state(self) -> State:
        """Where the box has come to."""
        if self.dropped_at is None:
            return self.State.ON_TABLE
        return self.State.DROPPED if self.counted_at is None else self.State.COUNTED
