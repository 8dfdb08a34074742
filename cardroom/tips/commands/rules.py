"""Commands on tip-pool rules. A rule is filed as it is made: the room has no drafts of it."""

from __future__ import annotations

import datetime
from typing import Annotated, TypedDict

from cardroom.core.json_types import Cents, Id, OneOf, Reason, Size, Text, Whole
from cardroom.filings.services import file_at_once
from cardroom.floor.commands.filings import LastDay, Read, read_version, refused_by_the_floor, withdrawn
from cardroom.floor.errors import NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Shift
from cardroom.people.models import Role
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day

from ..checks import why_not_begin
from ..models import PoolRule, PoolSheet
from ..models.rules import TITLE_LENGTH
from ..reads.rules import format_rule
from .entries import MOST


class RuleAnswer(TypedDict):
    """A rule was made, or withdrawn."""

    rule: int
    number: int
    digest: Annotated[str, "Of what it says now."]


@room_command(
    "POST pool-rules",
    Right.SET_TIPS,
    bumps_version=False,
    no_check="it depends on the day from which the rule holds: why_not_begin",
    title="Make a rule by which tips are shared",
    tag="Tips",
    example={
        "title": "House pool",
        "effective_from": "2099-12-01",
        "sharing": "hours",
        "support": "share",
        "support_bp": 1000,
        "support_roles": ["support"],
    },
)
def pool_rule_set(
    tx: RoomTransaction,
    *,
    title: Annotated[str, Text(TITLE_LENGTH, blank=True)],
    sharing: Annotated[str, OneOf(PoolRule.Sharing)],
    support: Annotated[str, OneOf(PoolRule.Support)],
    effective_from: Annotated[datetime.date, "First gaming day in force."],
    break_minutes: Annotated[int, Whole(-MOST, MOST)] = 0,
    support_bp: Annotated[
        int,
        Whole(-MOST, MOST),
        "Basis points of the pool: the share, or the most that the hourly sums may take.",
    ] = 0,
    support_hourly_cents: Cents = 0,
    support_roles: Annotated[
        list[Annotated[str, OneOf(Role)]],
        Size(0, len(Role)),
        "Who shares as support staff. A supervisor is refused (Lab. Code 351).",
    ]
    | None = None,
) -> RuleAnswer:
    """Make a rule that holds from the gaming day `effective_from`, until another one does.

    `sharing` and `support` are of `PoolRule`. A share of the pool is `support_bp` basis points; a sum an hour is
    `support_hourly_cents`, and `support_bp` the most that all of them may take of the pool. Raises BadInput for what is
    no rule, a supervisor among those who share (Lab. Code 351) above all, and NotNow for a day that has begun.
    """
    title = title.strip()
    roles = list(dict.fromkeys(support_roles or []))
    _check_day(tx, effective_from)
    with refused_by_the_floor():
        rule = file_at_once(
            PoolRule(
                room=tx.room,
                number=1,
                title=title,
                sharing=sharing,
                break_minutes=break_minutes,
                support=support,
                support_bp=support_bp,
                support_hourly_cents=support_hourly_cents,
                support_roles=roles,
                created_at=tx.now,
            ),
            by=tx.actor,
            effective_from=effective_from,
            now=tx.now,
        )
    tx.journal(
        "pool_rule_set",
        {
            "rule": rule.pk,
            "number": rule.version,
            "title": title,
            "sharing": sharing,
            "break_minutes": break_minutes,
            "support": support,
            "support_bp": support_bp,
            "support_hourly_cents": support_hourly_cents,
            "support_roles": roles,
            "effective_from": effective_from.isoformat(),
            "text": format_rule(rule),
        },
    )
    return {"rule": rule.pk, "number": rule.version, "digest": rule.digest}


@room_command(
    "POST pool-rules/{rule_id}/withdraw",
    Right.SET_TIPS,
    bumps_version=False,
    no_check="it depends on the rule that is named: cardroom.filings.services",
    title="Withdraw a rule by which tips are shared",
    tag="Tips",
    example={"reason": "agreed otherwise"},
)
def pool_rule_withdraw(
    tx: RoomTransaction, *, rule_id: Id, digest: Read, reason: Reason, effective_to: LastDay = None
) -> RuleAnswer:
    """Without another in its place: from `effective_to` on every dealer keeps their own tips."""
    rule = withdrawn(tx, read_version(tx, PoolRule, rule_id, digest), None, reason, effective_to)
    return {"rule": rule.pk, "number": rule.version, "digest": rule.digest}


def _check_day(tx: RoomTransaction, effective_from: datetime.date) -> None:
    """Refuse a day that is over, or that has begun under another rule."""
    today = gaming_day(tx.room, tx.now)
    rules = PoolRule.objects.filter(room=tx.room)
    shifts = Shift.objects.filter(room=tx.room).order_by("gaming_day")
    begun = shifts.values_list("gaming_day", flat=True).last() if rules.exists() else None
    shared = PoolSheet.objects.filter(room=tx.room).order_by("shift__gaming_day")
    if why := why_not_begin(
        effective_from, today, begun, shared.values_list("shift__gaming_day", flat=True).last()
    ):
        raise NotNow(why.code, why.message, path="effective_from")
