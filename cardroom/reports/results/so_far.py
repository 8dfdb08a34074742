"""Figures of a shift until an instant, counted from the rows: of one that is open, and of one before it until the same minute."""

from __future__ import annotations

import datetime

from django.db.models import Count, Q, Sum

from cardroom.drop.models import DropBox
from cardroom.floor.models import BuyIn, Round, Shift, TimeCollection
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from cardroom.tips.reads.earned import stints_of, tips_handed

from ..queries.query import ReportQuery
from ..queries.rounds_in_scope import counted_at, counts
from ..shift.open_shift import rounds_counted
from ..stored.game_fees import drop_counted
from .result import Result

_WEEK = datetime.timedelta(days=7)


def result_until(shift: Shift, staff: Staff, until: datetime.datetime) -> Result:
    """Return what a shift had come to at `until`; eight queries.

    Fees count as their bets closed, as later voids and corrections in the shift left them; tips and what was not covered once a
    round was settled. What its boxes held, what the house won, and what was out of the ordinary are not known.
    """
    query = ReportQuery(
        room=shift.room, first=shift.gaming_day, last=shift.gaming_day, staff=staff, now=until, shift=shift
    )
    counted, own = rounds_counted(query, shift)
    until_then = counted.annotate(at=counted_at()).filter(at__lte=until)
    settled = Q(ended_at__lte=until)
    sums = until_then.aggregate(
        drop=Sum(drop_counted()),
        jackpot=Sum(counts("jackpot_cents") - counts("jackpot_refunded_cents")),
        tips=Sum(counts("tips_cents"), filter=settled),
        uncovered=Sum(counts("uncovered_cents"), filter=settled & own),
        rounds=Count("pk", filter=settled & Q(state=Round.State.SETTLED, corrects__isnull=True)),
    )
    timed = TimeCollection.objects.filter(shift=shift, made_at__lte=until).aggregate(cents=Sum("cents"))
    bought = BuyIn.objects.filter(shift=shift, made_at__lte=until).aggregate(cents=Sum("cents"))
    tables = until_then.filter(state=Round.State.SETTLED).values_list("table__number", flat=True)
    pulled = DropBox.objects.filter(shift=shift, kind=DropBox.Kind.DROP, dropped_at__lte=until)
    boxes = pulled.aggregate(all=Count("pk"), counted=Count("pk", filter=Q(counted_at__lte=until)))
    buy_ins = int(bought["cents"] or 0)
    return Result(
        drop_cents=int(sums["drop"] or 0) + int(timed["cents"] or 0) + buy_ins,
        jackpot_cents=int(sums["jackpot"] or 0),
        tips_cents=int(sums["tips"] or 0) + tips_handed(shift, until),
        uncovered_cents=int(sums["uncovered"] or 0),
        rounds=sums["rounds"],
        table_seconds=_table_seconds(shift, until),
        boxes=boxes["all"],
        boxes_counted=boxes["counted"],
        over_short_cents=None,
        buy_ins_cents=buy_ins,
        tables=frozenset(tables.distinct()),
    )


def _table_seconds(shift: Shift, until: datetime.datetime) -> int:
    """How long dealers were at tables, whole seconds of each down as the tips of a shift count them."""
    ends = ((stint.begins_at, min(stint.ends_at, until)) for stint in stints_of(shift, until))
    return sum(max(0, int((end - begins_at).total_seconds())) for begins_at, end in ends)


def same_minute_before(room: Room, now: datetime.datetime) -> datetime.datetime:
    """Return the instant a week before at which the room's clock stood as it does now; across a change of clocks too."""
    local = now.astimezone(room.zone).replace(tzinfo=None) - _WEEK
    return local.replace(tzinfo=room.zone).astimezone(datetime.UTC)
