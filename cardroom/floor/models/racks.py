"""Model `RackCount`: a provider's rack of chips, counted at a table as a session begins, changes hands, or ends."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from cardroom.core.triggers import append_only


class RackCount(models.Model):
    """A count of the rack with which a provider's authorized players play at a table. Append-only.

    The chips are the provider's: its players count them, nobody of the house does, and the floor witnesses the count
    (4 CCR 12290(b)). `opening` and `closing` are counted by `player` alone, as the provider's session at the table begins
    and ends. At a `hand_over` `player` takes over from `relieved` and the two count together: `left` is the stay that ended
    with it, `stay` the one that began, and `turn` the turn at the bank that goes on, where the rack held the bank. `chips` is
    the number of chips by their worth, `{}` where the sum alone was told. Of several counts of one kind in a session the last
    one counts; a hand-over that was undone has a `withdrawal`.
    """

    guards = append_only()

    class Kind(models.TextChoices):
        OPENING = "opening", "opening count"
        HAND_OVER = "hand_over", "hand-over"
        CLOSING = "closing", "closing count"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey(
        "floor.Table", on_delete=models.PROTECT, db_index=False, related_name="rack_counts"
    )
    shift = models.ForeignKey(
        "floor.Shift", on_delete=models.PROTECT, related_name="rack_counts", help_text="Open as it was made."
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    provider = models.ForeignKey("people.Provider", on_delete=models.PROTECT, related_name="rack_counts")
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="+")
    relieved = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    seat = models.PositiveSmallIntegerField()
    stay = models.ForeignKey("floor.Seating", on_delete=models.PROTECT, related_name="rack_counts")
    left = models.OneToOneField(
        "floor.Seating", on_delete=models.PROTECT, null=True, blank=True, related_name="hand_over"
    )
    turn = models.ForeignKey(
        "floor.Turn", on_delete=models.PROTECT, null=True, blank=True, related_name="hand_overs"
    )
    chips = models.JSONField(
        default=dict, blank=True, help_text='Number of chips by their worth in cents: {"2500": 40}.'
    )
    cents = models.BigIntegerField()
    counted_at = models.DateTimeField()
    recorded_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    witnessed_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, related_name="+", help_text="Of the floor."
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(cents__gte=0), name="a_rack_is_not_below_nothing"),
            models.CheckConstraint(
                condition=Q(kind="hand_over", relieved__isnull=False, left__isnull=False)
                | (~Q(kind="hand_over") & Q(relieved__isnull=True, left__isnull=True, turn__isnull=True)),
                name="a_rack_is_handed_over_by_somebody",
            ),
        ]
        indexes = [models.Index(fields=["table", "counted_at"], name="rack_counts_of_a_time")]

    def __str__(self) -> str:
        return f"{self.get_kind_display().capitalize()} of {self.provider} at {self.table}"


class RackWithdrawal(models.Model):
    """A hand-over was recorded by mistake and undone: it counts no more. Append-only; the count stays on record."""

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="+")
    count = models.OneToOneField(RackCount, on_delete=models.PROTECT, related_name="withdrawal")
    withdrawn_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.count}, withdrawn"
