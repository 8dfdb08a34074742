"""Model `Alert`: what the floor must look at, until a user acknowledges it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import Guard

#: An alert is open while it holds, and until a user has answered it.
OPEN = Q(cleared_at__isnull=True) | Q(acknowledged_at__isnull=True)


class Alert(models.Model):
    """Something at a table that the floor must look at.

    It is open until it is both over (`cleared_at`: the condition has gone) and answered (`acknowledged_at`: a user
    has seen it). One that comes again while it is open and unanswered goes on as the same one, `times` counted up;
    while an answered one is open, the same condition raises no other. What is over and answered never changes again
    (database triggers).

    `subject` parts alerts of one kind at one table (a seat, a deck); empty where there can be one alone.
    """

    guards = (
        Guard(
            "UPDATE",
            "an alert that is over and answered never changes",
            when="OLD.cleared_at IS NOT NULL AND OLD.acknowledged_at IS NOT NULL",
        ),
        Guard("DELETE", "an alert is never deleted"),
    )

    class Kind(models.TextChoices):
        ROTATION_DUE = "rotation_due", "bank to be offered"
        ROTATION_BROKEN = "rotation_broken", "rotation broken"
        BANK_EXHAUSTED = "bank_exhausted", "bank exhausted"
        STUB_COUNT_DUE = "stub_count_due", "stub count due"
        METER_WIN_PENDING = "meter_win_pending", "progressive win to confirm"
        TABLE_IDLE = "table_idle", "players without a round"
        TIME_DUE = "time_due", "time to be collected"
        SYNC_LOST = "sync_lost", "tablet offline"
        VARIANCE_OVERDUE = "variance_overdue", "variance not explained"
        CLOCK_BACK = "clock_back", "server clock set back"
        NO_DROP_BOX = "no_drop_box", "no drop box"
        PERMIT_EXPIRED = "permit_expired", "badge or permit expired"
        PLAYER_INACTIVE = "player_inactive", "player no longer active"
        SHIFT_PAST_DAY = "shift_past_day", "shift open past its gaming day"
        ITEMS_OLD = "items_old", "exceptions not closed"

    #: Kinds where money or a rule is at stake; the others can wait a minute.
    URGENT = frozenset(
        {
            Kind.ROTATION_BROKEN,
            Kind.BANK_EXHAUSTED,
            Kind.METER_WIN_PENDING,
            Kind.SYNC_LOST,
            Kind.NO_DROP_BOX,
            Kind.PERMIT_EXPIRED,
            Kind.PLAYER_INACTIVE,
            Kind.SHIFT_PAST_DAY,
        }
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="alerts")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject = models.CharField(max_length=60, blank=True)
    text = models.CharField(max_length=300)
    times = models.PositiveIntegerField(default=1, help_text="How often it has come while it stood.")
    raised_at = models.DateTimeField(help_text="When it came first.")
    cleared_at = models.DateTimeField(
        null=True, blank=True, help_text="When its condition went; empty while it holds."
    )
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    acknowledged_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    note = models.CharField(max_length=200, blank=True, help_text="What was done about it.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "kind", "subject"],
                condition=OPEN,
                name="one_open_alert_of_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(acknowledged_at__isnull=True, acknowledged_by__isnull=True, note="")
                | Q(acknowledged_at__gte=F("raised_at"), acknowledged_by__isnull=False),
                name="an_alert_is_answered_by_someone_later",
            ),
            models.CheckConstraint(
                condition=Q(cleared_at__isnull=True) | Q(cleared_at__gte=F("raised_at")),
                name="an_alert_is_over_after_it_came",
            ),
        ]
        indexes = [
            models.Index(
                fields=["room"],
                condition=OPEN,
                name="open_alerts_of_a_room",
            ),
            models.Index(fields=["room", "raised_at"], name="alerts_of_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"

    @property
    def is_urgent(self) -> bool:
        """Whether money or a rule is at stake."""
        return self.kind in self.URGENT

    @property
    def waits(self) -> bool:
        """Whether it is unanswered."""
        return self.acknowledged_at is None
