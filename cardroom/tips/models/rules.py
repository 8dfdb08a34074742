"""How the dealers of a room share their tips: rules with the day from which they hold. Append-only."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from cardroom.core.triggers import append_only

from ..sharing import Sharing, Support, Terms


class PoolRule(models.Model):
    """One rule of a room, in force from the gaming day `effective_from` until another one is. Append-only.

    Of two rules that begin on one day the later one, by `number`, holds. `support_roles` are the roles that share as
    support staff; a supervisor's is never among them (Lab. Code 351). `break_minutes`: a break between two downs of a
    dealer that is no longer counts as worked.
    """

    guards = append_only("a rule stays as it was made; make another that holds from a later day")

    class Sharing(models.TextChoices):
        KEEP = Sharing.KEEP.value, "every dealer keeps their own"
        HOURS = Sharing.HOURS.value, "dealers pool by hours worked"

    class Support(models.TextChoices):
        NONE = Support.NONE.value, "nothing"
        SHARE = Support.SHARE.value, "a share of the pool, by hours"
        HOURLY = Support.HOURLY.value, "a sum an hour"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="pool_rules")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=80)
    sharing = models.CharField(max_length=8, choices=Sharing.choices)
    break_minutes = models.PositiveSmallIntegerField(default=0)
    support = models.CharField(max_length=8, choices=Support.choices)
    support_bp = models.PositiveIntegerField(
        default=0, help_text="Basis points of the pool: the share, or the most that the hourly sums may take."
    )
    support_hourly_cents = models.PositiveIntegerField(default=0)
    support_roles = models.JSONField(default=list, blank=True)
    effective_from = models.DateField(help_text="First gaming day in force.")
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["room", "number"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_pool_rule_of_a_number"),
            models.CheckConstraint(
                condition=Q(support="none", support_bp=0, support_hourly_cents=0)
                | Q(support="share", support_bp__range=(1, 10_000), support_hourly_cents=0)
                | Q(support="hourly", support_bp__range=(1, 10_000), support_hourly_cents__gt=0),
                name="support_staff_get_what_the_rule_says",
            ),
            models.CheckConstraint(condition=Q(sharing__in=["keep", "hours"]), name="dealers_keep_or_pool"),
        ]

    def __str__(self) -> str:
        return f"Rule {self.number}: {self.title}"

    @property
    def terms(self) -> Terms:
        """The rule in figures."""
        return Terms(self.sharing, self.support, self.support_bp, self.support_hourly_cents)
