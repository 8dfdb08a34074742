"""Queries on the tips of a shift: won with tip wagers, and handed in; by dealer, by down, by round. All in cents.

Tips won are what the shift's transfers moved into the tip boxes less what they moved out. So a void brings none, and
a correction counts as what it changes, in the shift in which it was made. A round's tips are those of the dealer whose
down it was opened in, even if another finished it.
"""

from __future__ import annotations

import bisect
import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Case, F, Q, QuerySet, Sum, When

from cardroom.floor.models import Down, Shift, Transfer

from ..models import HandIn

_TIPS = Transfer.Account.TIPS
#: What transfers moved into the tip boxes, less what they moved out.
_TO_TIP_BOX = Sum(Case(When(target=_TIPS, then=F("cents")), default=-F("cents")))


class RoundTips(NamedTuple):
    """What one round moved into the tip box in a shift, less what it moved out: a correction may move less than 0."""

    round: int
    table: int
    table_number: int
    dealer: int
    gaming_day: datetime.date
    number: int
    revision: int
    opened_at: datetime.datetime
    cents: int


def tips_won(shift: Shift, dealer_id: int | None = None) -> list[RoundTips]:
    """Return the rounds that moved tips in `shift`, in their order; those of one dealer where one is named."""
    moved = _moved(shift)
    if dealer_id is not None:
        moved = moved.filter(round__dealer=dealer_id)
    rows = (
        moved.values_list(
            "round",
            "table",
            "table__number",
            "round__dealer",
            "round__gaming_day",
            "round__number",
            "round__revision",
            "round__opened_at",
        )
        .annotate(cents=_TO_TIP_BOX)
        .order_by("round")
    )
    return [RoundTips(*row) for row in rows if row[-1]]


def tips_brought(shift: Shift) -> int:
    """Return the cents that tips have come to in `shift`, won and handed in: the total of its pool; two sums."""
    won = _moved(shift).aggregate(cents=_TO_TIP_BOX)["cents"]
    return int(won or 0) + tips_handed(shift)


def tips_handed(shift: Shift, until: datetime.datetime | None = None) -> int:
    """Return the cents that were handed in in `shift`, less what was taken back; with `until`, up to that instant."""
    handed = HandIn.objects.filter(shift=shift, **({} if until is None else {"made_at__lte": until}))
    return int(handed.aggregate(cents=Sum("cents"))["cents"] or 0)


def _moved(shift: Shift) -> QuerySet[Transfer]:
    """The transfers of a shift by which tips were won, or went back where a round was taken back."""
    kinds = (Transfer.Kind.PAY, Transfer.Kind.TIP)
    in_or_out = Q(target=_TIPS) | Q(source=_TIPS)
    return Transfer.objects.filter(in_or_out, shift=shift, kind__in=kinds)


class Stint(NamedTuple):
    """A dealer's down, as far as it lies in a shift. `ends_at` is now while it is open."""

    down: Down
    begins_at: datetime.datetime
    ends_at: datetime.datetime

    @property
    def seconds(self) -> int:
        return int((self.ends_at - self.begins_at).total_seconds())


def stints_of(shift: Shift, now: datetime.datetime) -> list[Stint]:
    """Return the downs of a shift, cut to it, by table and time."""
    ends = shift.closed_at or now
    downs = Down.objects.filter(room=shift.room_id, started_at__lt=ends).filter(
        Q(ended_at__isnull=True) | Q(ended_at__gt=shift.opened_at)
    )
    return [
        Stint(down, max(down.started_at, shift.opened_at), min(down.ended_at or ends, ends))
        for down in downs.select_related("table", "dealer").order_by("table__number", "started_at", "pk")
    ]


def worked_seconds(stints: Iterable[Stint], break_minutes: int) -> int:
    """Return how long one dealer worked: the dealer's downs, and the breaks between two that are short enough."""
    seconds, before = 0, None
    for stint in sorted(stints, key=lambda stint: stint.begins_at):
        seconds += stint.seconds
        if before is not None:
            pause = int((stint.begins_at - before).total_seconds())
            if 0 < pause <= break_minutes * 60:
                seconds += pause
        before = stint.ends_at
    return seconds


def by_down(rounds: Sequence[RoundTips], shift: Shift) -> dict[int, int]:
    """Return what was won by the down in whose time each round was opened, in cents by the down's id.

    A correction of an older shift's round belongs to a down of that time, which is no down of this shift.
    """
    downs: defaultdict[tuple[int, int], list[tuple[datetime.datetime, int]]] = defaultdict(list)
    if rounds:
        first = min(each.opened_at for each in rounds)
        in_room = Down.objects.filter(room=shift.room_id, dealer__in={each.dealer for each in rounds})
        in_room = in_room.filter(Q(ended_at__isnull=True) | Q(ended_at__gte=first)).order_by(
            "started_at", "pk"
        )
        for pk, table, dealer, started_at in in_room.values_list("pk", "table", "dealer", "started_at"):
            downs[table, dealer].append((started_at, pk))
    won: defaultdict[int, int] = defaultdict(int)
    for each in rounds:
        mine = downs[each.table, each.dealer]
        at = bisect.bisect_right(mine, each.opened_at, key=lambda down: down[0])
        if at:
            won[mine[at - 1][1]] += each.cents
    return won
