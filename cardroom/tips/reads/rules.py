"""Queries on tip-pool rules (`PoolRule`): the one in force on a day, all versions, as a sentence, eligible support staff."""

from __future__ import annotations

import datetime

from cardroom.filings.selectors import in_force, versions
from cardroom.people.models import Employment, Role, Staff
from cardroom.rooms.models import Room
from games.money import dollars

from ..models import PoolRule
from ..models.rules import SUPPORTERS


def rule_on(room: Room, day: datetime.date) -> PoolRule | None:
    """Return the rule that holds on gaming day `day`; None where the room has none: each keeps their own."""
    return in_force(PoolRule, room, day).first()


def rules_of(room: Room) -> list[PoolRule]:
    """Return the rules of a room, the one that begins last first."""
    return list(versions(PoolRule, room).order_by("-effective_from", "-version"))


def format_rule(rule: PoolRule | None) -> str:
    """Return a rule in one or two sentences: what is shared by whom."""
    if rule is None:
        return "The room has no rule: every dealer keeps their own tips."
    dealers = (
        "Every dealer keeps their own tips."
        if rule.sharing == PoolRule.Sharing.KEEP
        else "Dealers pool their tips by hours worked."
    )
    if rule.sharing == PoolRule.Sharing.HOURS and rule.break_minutes:
        dealers += f" A break of up to {rule.break_minutes} minutes between two downs counts as worked."
    if rule.support == PoolRule.Support.NONE:
        return dealers
    roles = " and ".join(str(Role(role).label).lower() for role in rule.support_roles)
    if rule.support == PoolRule.Support.SHARE:
        return f"{dealers} {_percent(rule.support_bp)} of the tips goes to {roles} by hours worked."
    return (
        f"{dealers} Before that, {roles} get {dollars(rule.support_hourly_cents)} for each hour worked, but together "
        f"no more than {_percent(rule.support_bp)} of the tips."
    )


def supporters_of(room: Room, rule: PoolRule | None) -> list[Staff]:
    """Return who may share as support staff under `rule`, by name; supervisors are left out by the entry's own check."""
    if rule is None or rule.support == PoolRule.Support.NONE:
        return []
    employments = Employment.objects.filter(room=room, role__in=SUPPORTERS.intersection(rule.support_roles))
    people = Staff.objects.filter(is_active=True, pk__in=employments.values("staff"))
    return list(people.order_by("display_name", "username"))


def _percent(basis_points: int) -> str:
    whole, part = divmod(basis_points, 100)
    return f"{whole}.{part:02}%" if part else f"{whole}%"
