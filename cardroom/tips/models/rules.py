"""How the dealers of a room share their tips: rules, filed in versions with the days on which they hold."""

from __future__ import annotations

import datetime

from django.db import models
from django.db.models import Q

from cardroom.filings.models.filing import Filing, filed_is_final
from cardroom.floor.models import Shift

from ..sharing import Sharing, Support, Terms


class PoolRule(Filing):
    """One version of a room's rule, in force from the gaming day `effective_from` until another is, or it is withdrawn.

    A room has one rule at a time: its `number` is always 1, and people know a rule by its version. `support_roles` are
    the roles that share as support staff; a supervisor's is never among them (Lab. Code 351). `break_minutes`: a break
    between two downs of a dealer that is no longer counts as worked.
    """

    word = "rule"
    drafted = ("sharing", "break_minutes", "support", "support_bp", "support_hourly_cents", "support_roles")
    guards = filed_is_final(*drafted)

    class Sharing(models.TextChoices):
        KEEP = Sharing.KEEP.value, "every dealer keeps their own"
        HOURS = Sharing.HOURS.value, "dealers pool by hours worked"

    class Support(models.TextChoices):
        NONE = Support.NONE.value, "nothing"
        SHARE = Support.SHARE.value, "a share of the pool, by hours"
        HOURLY = Support.HOURLY.value, "a sum an hour"

    sharing = models.CharField(max_length=8, choices=Sharing.choices)
    break_minutes = models.PositiveSmallIntegerField(default=0)
    support = models.CharField(max_length=8, choices=Support.choices)
    support_bp = models.PositiveIntegerField(
        default=0, help_text="Basis points of the pool: the share, or the most that the hourly sums may take."
    )
    support_hourly_cents = models.PositiveIntegerField(default=0)
    support_roles = models.JSONField(default=list, blank=True)

    class Meta(Filing.Meta):
        constraints = [
            *Filing.Meta.constraints,
            models.CheckConstraint(condition=Q(number=1), name="a_room_has_one_pool_rule"),
            models.CheckConstraint(
                condition=Q(support="none", support_bp=0, support_hourly_cents=0)
                | Q(support="share", support_bp__range=(1, 10_000), support_hourly_cents=0)
                | Q(support="hourly", support_bp__range=(1, 10_000), support_hourly_cents__gt=0),
                name="support_staff_get_what_the_rule_says",
            ),
            models.CheckConstraint(condition=Q(sharing__in=["keep", "hours"]), name="dealers_keep_or_pool"),
        ]

    def __str__(self) -> str:
        return f"Rule {self.version}: {self.title}"

    @property
    def terms(self) -> Terms:
        """The rule in figures."""
        return Terms(self.sharing, self.support, self.support_bp, self.support_hourly_cents)

    def free_from(self, today: datetime.date) -> datetime.date:
        """Return the day after the last that has had a shift: tips under way are shared as was agreed."""
        begun = Shift.objects.filter(room=self.room_id).order_by("gaming_day").last()
        return today if begun is None else max(today, begun.gaming_day + datetime.timedelta(days=1))
