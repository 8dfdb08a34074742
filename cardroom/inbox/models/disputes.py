"""Model `Dispute`: what a player claims, what was decided, and what surveillance was asked to look at."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import Guard, changed

_CLAIMED = (
    *("id", "room_id", "item_id", "table_id", "round_id", "seat", "player_id", "claim"),
    *("opened_at", "opened_by_id"),
)


class Dispute(models.Model):
    """A player's claim about a round of a table, or about the table: what its item of kind `dispute` is about.

    What was claimed never changes. Who claims it is a player, whose names can be erased; a guest who gave no name is nobody. A decision may be taken anew as long as its item is not closed; every one is a step of the item.
    `hold_until`: recordings of it are held so long for the surveillance review that was asked for.
    """

    guards = (
        Guard(
            "UPDATE", "what was claimed never changes", when=lambda vendor: changed(*_CLAIMED, vendor=vendor)
        ),
        Guard("DELETE", "a dispute is never deleted; its item is closed"),
    )

    class Outcome(models.TextChoices):
        UPHELD = "upheld", "upheld"
        PARTLY = "partly", "upheld in part"
        DENIED = "denied", "denied"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    item = models.OneToOneField("inbox.Item", on_delete=models.PROTECT, related_name="dispute")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="+")
    round = models.ForeignKey(
        "floor.Round", on_delete=models.PROTECT, null=True, blank=True, related_name="disputes"
    )
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    claim = models.CharField(max_length=500)
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    review_asked_at = models.DateTimeField(null=True, blank=True)
    review_asked_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    hold_until = models.DateField(null=True, blank=True, help_text="Recordings of it are held until then.")
    review_ended_at = models.DateTimeField(null=True, blank=True)
    review_ended_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    review_found = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(claim=""), name="a_dispute_says_what_is_claimed"),
            models.CheckConstraint(
                condition=Q(outcome="", reason="", decided_at__isnull=True, decided_by__isnull=True)
                | (
                    ~Q(outcome="")
                    & ~Q(reason="")
                    & Q(decided_at__gte=F("opened_at"), decided_by__isnull=False)
                ),
                name="a_dispute_is_decided_by_someone_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(
                    review_asked_at__isnull=True, review_asked_by__isnull=True, hold_until__isnull=True
                )
                | Q(review_asked_at__isnull=False, review_asked_by__isnull=False, hold_until__isnull=False),
                name="a_review_is_asked_by_someone_with_a_hold",
            ),
            models.CheckConstraint(
                condition=Q(review_ended_at__isnull=True, review_ended_by__isnull=True, review_found="")
                | (
                    Q(
                        review_ended_at__isnull=False,
                        review_ended_by__isnull=False,
                        review_asked_at__isnull=False,
                    )
                    & ~Q(review_found="")
                ),
                name="a_review_ends_with_what_it_found",
            ),
        ]

    def __str__(self) -> str:
        return f"claim at {self.table}"

    @property
    def by(self) -> str:
        """Whose claim it is, in words."""
        return "a guest" if self.player is None else self.player.label

    @property
    def is_under_review(self) -> bool:
        return self.review_asked_at is not None and self.review_ended_at is None
