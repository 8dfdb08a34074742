"""Model `PoolRule`: how the dealers of a room share their tips, filed in versions with the days on which they hold."""

from __future__ import annotations

import datetime
from typing import Final

from django.db import models
from django.db.models import Q

from cardroom.core.row_digests import DigestPolicy
from cardroom.filings.errors import FilingError
from cardroom.filings.models.filing import Filing, filed_is_final
from cardroom.floor.models import Shift
from cardroom.people.models import Role

from ..sharing import WHOLE_BP, Sharing, Support, Terms

#: Who commands for the employer and may not share in tips, under any rule.
SUPERVISORS: Final = frozenset({Role.FLOOR, Role.SHIFT_MANAGER, Role.ROOM_MANAGER})
#: Employees who do not deal and may share as support staff. Inspectors and providers' people are no employees.
SUPPORTERS: Final = frozenset({Role.SUPPORT, Role.COUNT})
CLAUSE: Final = "Lab. Code 351"
TITLE_LENGTH: Final = 80
MOST_BREAK: Final = 120
MOST_HOURLY_CENTS: Final = 100_000


class PoolRule(Filing):
    """One version of a room's rule, in force from the gaming day `effective_from` until another is, or it is withdrawn.

    A room has one rule at a time: its `number` is always 1, and people know a rule by its version. `support_roles` are
    the roles that share as support staff; a supervisor's is never among them (Lab. Code 351). `break_minutes`: a break
    between two downs of a dealer that is no longer counts as worked.
    """

    #: A command alone files rules: no file sets a room up with them, so that each row has its digest.
    digest_policy = DigestPolicy()

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

    def check_draft(self) -> None:
        """Refuse what is no rule, a supervisor among those who share (Lab. Code 351) above all."""
        if not self.title.strip() or len(self.title) > TITLE_LENGTH:
            raise FilingError(
                "bad_title", f"A rule has a title of 1 to {TITLE_LENGTH} characters.", path="title"
            )
        if self.sharing not in self.Sharing.values:
            raise _unknown("sharing", self.sharing, self.Sharing.values)
        if self.support not in self.Support.values:
            raise _unknown("support", self.support, self.Support.values)
        if not 0 <= self.break_minutes <= MOST_BREAK:
            raise FilingError(
                "bad_break",
                f"A break that counts as worked has 0 to {MOST_BREAK} minutes.",
                path="break_minutes",
            )
        _check_support(self.support, self.support_bp, self.support_hourly_cents, self.support_roles)
        super().check_draft()

    def free_from(self, today: datetime.date) -> datetime.date:
        """Return the day after the last that has had a shift: tips under way are shared as was agreed."""
        begun = Shift.objects.filter(room=self.room_id).order_by("gaming_day").last()
        return today if begun is None else max(today, begun.gaming_day + datetime.timedelta(days=1))


def _check_support(support: str, basis_points: int, hourly_cents: int, roles: list[str]) -> None:
    for index, role in enumerate(roles):
        here = f"support_roles[{index}]"
        if role in SUPERVISORS:
            raise FilingError(
                "supervisor_shares",
                f"{Role(role).label} may not share in tips: a supervisor acts for the employer ({CLAUSE}).",
                path=here,
            )
        if role not in SUPPORTERS:
            named = ", ".join(sorted(SUPPORTERS))
            raise FilingError("unknown_role", f"Support staff are of {named}, not {role!r}.", path=here)
    if support == Support.NONE:
        if basis_points or hourly_cents or roles:
            raise FilingError(
                "support_of_nothing",
                "Support staff get nothing under this rule: leave their share, sum and roles out.",
                path="support",
            )
        return
    if not roles:
        raise FilingError("no_roles", "Name the roles that share as support staff.", path="support_roles")
    if not 1 <= basis_points <= WHOLE_BP:
        raise FilingError(
            "bad_share",
            "The share of support staff is between 0.01% and 100% of the tips.",
            path="support_bp",
        )
    wanted = support == Support.HOURLY
    if wanted != bool(hourly_cents) or not 0 <= hourly_cents <= MOST_HOURLY_CENTS:
        raise FilingError(
            "bad_hourly",
            f"The sum an hour is up to ${MOST_HOURLY_CENTS // 100:,}, and there is one only where support staff get it.",
            path="support_hourly_cents",
        )


def _unknown(path: str, given: str, choices: list[str]) -> FilingError:
    return FilingError(
        "unknown_choice", f"There is no {path} {given!r}. Choose one of {', '.join(choices)}.", path=path
    )
