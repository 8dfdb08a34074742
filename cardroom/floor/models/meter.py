"""Models `ProgressiveMeter`, its movements and wins: a meter of one table or of several that are linked (rulings 43, 46)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, append_only


class ProgressiveMeter(models.Model):
    """A progressive meter. Its row is the lock of what it shows; tables refer to the meter that they play for.

    What it shows is its last movement. A table has a meter of its own until it is linked to another one; a meter that no
    table plays for any more stays as it was left, at nothing.
    """

    guards = (Guard("DELETE", "a meter is never deleted"),)

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="meters")
    name = models.CharField(max_length=60, help_text="What it is called on pages and displays.")

    class Meta:
        ordering = ["id"]
        verbose_name = "meter"

    def __str__(self) -> str:
        return self.name


class MeterMovement(models.Model):
    """One change of a meter, and what it shows since; the last one is the current state of the meter. Append-only.

    `table` is where it came from. `cents` is by how much the meter changed, below 0 for a win. The reserve starts the
    next meter beside its seed.
    """

    guards = append_only()

    class Kind(models.TextChoices):
        OPENED = "opened", "opened"
        WAGERED = "wagered", "wagers"
        WIN = "win", "win"
        RESEEDED = "reseeded", "seeded anew"
        SET = "set", "set by a supervisor"
        HANDED = "handed", "handed to another meter"
        TAKEN = "taken", "taken over from a table that was linked"
        CLOSED = "closed", "closed"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    meter = models.ForeignKey(
        ProgressiveMeter, on_delete=models.PROTECT, db_index=False, related_name="movements"
    )
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="meter_movements")
    round = models.ForeignKey(
        "floor.Round", on_delete=models.PROTECT, null=True, blank=True, related_name="meter_movements"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    cents = models.BigIntegerField()
    shown_cents = models.BigIntegerField()
    reserve_cents = models.BigIntegerField()
    reason = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(shown_cents__gte=0, reserve_cents__gte=0), name="a_meter_never_shows_a_debt"
            )
        ]
        indexes = [models.Index(fields=["meter", "-id"], name="last_movement_of_a_meter")]

    def __str__(self) -> str:
        return f"{self.meter}: {self.kind} {self.cents}"


class ProgressiveWin(models.Model):
    """A progressive win as keyed in at a seat: pending until a supervisor confirms it, or the entry is withdrawn.

    Once answered it never changes again; a round has one win a seat that is not withdrawn.
    """

    guards = (
        Guard("UPDATE", "a win that was answered never changes", when="OLD.state <> 'pending'"),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    class State(models.TextChoices):
        PENDING = "pending", "waits for a supervisor"
        CONFIRMED = "confirmed", "confirmed"
        WITHDRAWN = "withdrawn", "withdrawn"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="progressive_wins")
    round = models.ForeignKey("floor.Round", on_delete=models.PROTECT, related_name="progressive_wins")
    seat = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    keyed_at = models.DateTimeField()
    keyed_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=200, blank=True, help_text="Why the entry was withdrawn.")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "seat"],
                condition=~Q(state="withdrawn"),
                name="one_standing_win_a_seat_a_round",
            ),
            models.CheckConstraint(
                condition=Q(state="pending", answered_at__isnull=True, answered_by__isnull=True)
                | Q(state="withdrawn", answered_at__isnull=False, answered_by__isnull=False)
                | (
                    Q(state="confirmed", answered_at__isnull=False, answered_by__isnull=False)
                    & ~Q(answered_by=F("keyed_by"))
                ),
                name="a_second_person_confirms_a_win",
            ),
        ]
        indexes = [
            models.Index(fields=["table"], condition=Q(state="pending"), name="pending_wins_of_a_table")
        ]

    def __str__(self) -> str:
        return f"{self.table}: win at seat {self.seat}, {self.get_state_display()}"
