"""Precondition checks of commands on tips. Each returns None or why not; the button, the API and the command all call it."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from cardroom.core.dates import day_text
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Shift
from cardroom.people.models import Role, Staff

from .models import HandIn, PoolRule, PoolSheet, WorkedHours
from .models.rules import CLAUSE, SUPERVISORS


def why_not_share(roles: Collection[Role]) -> str | None:
    """Tips belong to the employees; supervisors for the employer have no part in them (Lab. Code 351)."""
    supervising = SUPERVISORS.intersection(roles)
    if not supervising:
        return None
    named = ", ".join(sorted(str(role.label) for role in supervising))
    return f"{named}: a supervisor has no part in tips ({CLAUSE})"


def why_not_support(staff: Staff, roles: Collection[Role], rule: PoolRule | None) -> WhyNot | None:
    """Hours count for those who share as support staff under the rule of the shift."""
    if why := why_not_share(roles):
        return WhyNot("supervisor_shares", f"{staff} is {why}.")
    if rule is None or rule.support == PoolRule.Support.NONE:
        return WhyNot("no_support", "Under the rule of this shift nothing of the tips goes to support staff.")
    if not set(rule.support_roles).intersection(roles):
        wanted = ", ".join(str(Role(role).label) for role in rule.support_roles)
        return WhyNot(
            "shares_not", f"{staff} is none of those who share as support staff under {rule}: {wanted}."
        )
    return None


def why_not_touch(shift: Shift, sheet: PoolSheet | None) -> WhyNot | None:
    """What a closed sheet was made from is not added to: what comes late belongs to the shift that is open."""
    if sheet is not None:
        return WhyNot(
            "sheet_closed",
            f"The tips of {shift} were shared out, by {sheet.made_by}. What comes late belongs to the open shift.",
        )
    return None


def why_not_reverse(entry: HandIn | WorkedHours, reversed_before: bool) -> WhyNot | None:
    """An entry is taken back once, and what takes back is not taken back."""
    if entry.reverses_id is not None:
        return WhyNot("is_reversal", "This entry reverses another. Enter the right one again.")
    if reversed_before:
        return WhyNot("reversed_before", "This entry was reversed before. Review the entries.")
    return None


def why_not_begin(
    effective_from: datetime.date,
    today: datetime.date,
    begun: datetime.date | None,
    shared: datetime.date | None,
) -> WhyNot | None:
    """A rule holds from a gaming day that has not begun: tips under way are shared as was agreed when they were given.

    `begun` is the last gaming day that has had a shift under another rule; `shared` the last one with a closed sheet.
    The room's first rule may begin today. All days are gaming days of the room.
    """
    if effective_from < today:
        return WhyNot(
            "past_day",
            f"{day_text(effective_from)} is over. A rule begins today ({day_text(today)}) or later.",
        )
    for day, what in ((begun, "has begun under another rule"), (shared, "has had its tips shared out")):
        if day is not None and effective_from <= day:
            return WhyNot(
                "day_begun", f"Gaming day {day_text(day)} {what}. Let this one begin on a later day."
            )
    return None


def why_not_close(shift: Shift, sheet: PoolSheet | None, in_play: int, held_cents: int) -> WhyNot | None:
    """A sheet is closed once, after its shift, when all of its rounds have ended and every cent has an owner."""
    if why := why_not_touch(shift, sheet):
        return why
    if shift.closed_at is None:
        return WhyNot("shift_open", f"{shift} is open. Its tips are shared out once it is closed.")
    if in_play:
        rounds = "1 round" if in_play == 1 else f"{in_play} rounds"
        return WhyNot("in_play", f"{rounds} of {shift} {'is' if in_play == 1 else 'are'} still in play.")
    if held_cents:
        return WhyNot(
            "nobody_shares",
            "Nobody who dealt in this shift may share in its tips. A room manager looks at the roles held.",
        )
    return None
