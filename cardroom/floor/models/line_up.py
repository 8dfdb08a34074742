"""Models of the line-up: the plan by which tables are dealt, meals of dealers, and pushes with their reliefs."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, append_only, changed
from games.phrases import Phrase

_MEAL = ("id", "room_id", "dealer_id", "started_at", "started_by_id")
_PUSH = ("id", "room_id", "started_at", "started_by_id")
_RELIEF = ("id", "push_id", "room_id", "position", "table_id", "outgoing_id", "incoming_id", "meal")


def _minutes(default: int, says: str) -> models.PositiveSmallIntegerField[int, int]:
    return models.PositiveSmallIntegerField(
        default=default, validators=[MinValueValidator(1)], help_text=says
    )


class LineUpPlan(models.Model):
    """How the tables of a room are dealt: in strings, each with its dealers, and by the room's own minutes. Append-only.

    The latest of a room is in force until another is set. `strings` are objects of `name`, `tables` and `dealers`, lists of ids in
    their order: a dealer goes from a table to the next one of the string, from the last one to break, and then to the first.
    """

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="line_up_plans")
    strings = models.JSONField(default=list)
    starts = models.JSONField(
        default=list,
        help_text="When dealers are expected: their ids and instants, in the order of the strings.",
    )
    down_minutes = _minutes(30, "How long a down lasts.")
    break_minutes = _minutes(
        30, "How long a dealer is away between the last table of a string and the first."
    )
    rest_minutes = _minutes(10, "The least time away from the tables that counts as a rest.")
    rest_after_minutes = _minutes(120, "A rest is due after so long at the tables.")
    meal_minutes = _minutes(30, "How long a meal lasts; a shorter one does not count.")
    meal_after_minutes = _minutes(300, "A meal is due so long after the first down, or after the last meal.")
    set_at = models.DateTimeField()
    set_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(down_minutes__gt=0, break_minutes__gt=0, rest_minutes__gt=0)
                & Q(rest_after_minutes__gt=0, meal_minutes__gt=0, meal_after_minutes__gt=0),
                name="a_plan_counts_in_minutes",
            )
        ]

    def __str__(self) -> str:
        return f"line-up of {self.room}"


class Meal(models.Model):
    """A dealer's meal. It is over when it was ended, or when a down of theirs has begun since."""

    guards = (
        Guard(
            "UPDATE",
            "a meal never changes; it is ended once",
            when=lambda vendor: f"OLD.ended_at IS NOT NULL OR {changed(*_MEAL, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    dealer = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField()
    started_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-started_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__gte=F("started_at"), ended_by__isnull=False),
                name="a_meal_is_ended_by_someone_later",
            )
        ]
        indexes = [models.Index(fields=["room", "started_at"], name="meals_of_a_time")]

    def __str__(self) -> str:
        return f"meal of {self.dealer}"


class Push(models.Model):
    """Reliefs at several tables that were begun by one command. Whoever it has relieved may be put back, once."""

    guards = (
        Guard(
            "UPDATE",
            "a push never changes; it is reversed once",
            when=lambda vendor: f"OLD.reversed_at IS NOT NULL OR {changed(*_PUSH, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="pushes")
    started_at = models.DateTimeField()
    started_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    reversed_at = models.DateTimeField(null=True, blank=True)
    reversed_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "pushes"
        constraints = [
            models.CheckConstraint(
                condition=Q(reversed_at__isnull=True, reversed_by__isnull=True)
                | Q(reversed_at__gte=F("started_at"), reversed_by__isnull=False),
                name="a_push_is_reversed_by_someone_later",
            )
        ]

    def __str__(self) -> str:
        return f"push of {self.room}"


#: A relief that has neither come nor been canceled.
WAITS = Q(down__isnull=True, ended_at__isnull=True)


class Relief(models.Model):
    """One table of a push: who takes over from whom.

    It waits until a down begins there (`down`, whoever deals it), or until it is canceled: then the table goes on.
    """

    guards = (
        Guard(
            "UPDATE",
            "a relief never changes; it comes once, or is canceled",
            when=lambda vendor: (
                f"OLD.down_id IS NOT NULL OR OLD.ended_at IS NOT NULL OR {changed(*_RELIEF, vendor=vendor)}"
            ),
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    push = models.ForeignKey(Push, on_delete=models.PROTECT, related_name="reliefs")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField(help_text="Its place in the push, from 0.")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="reliefs")
    outgoing = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Who dealt there when the push began.",
    )  # fmt: skip
    incoming = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    meal = models.BooleanField(default=False, help_text="Whether who is relieved goes to a meal.")
    down = models.OneToOneField(
        "floor.Down", on_delete=models.PROTECT, null=True, blank=True, related_name="relief"
    )
    ended_at = models.DateTimeField(null=True, blank=True, help_text="When it was canceled.")
    ended_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["push", "position"]
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=WAITS, name="one_relief_waits_at_a_table"),
            models.UniqueConstraint(
                fields=["incoming"], condition=WAITS, name="one_table_waits_for_a_relief"
            ),
            models.CheckConstraint(
                condition=Q(outgoing__isnull=True) | ~Q(outgoing=F("incoming")),
                name="nobody_relieves_themself",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False, down__isnull=True),
                name="a_relief_comes_or_is_canceled_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return Phrase("{incoming} takes over", incoming=self.incoming)
