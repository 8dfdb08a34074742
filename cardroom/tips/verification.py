"""Proving the closed sheets: each against its hash in the journal, and made again from the facts."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from cardroom.core.canonical import canonical_hash
from cardroom.floor.journal_match import Recorded, recorded_verify
from cardroom.floor.models import JournalEntry

from .models import HandIn, PoolRule, PoolSheet, WorkedHours
from .reads.pools import Pool, pool_made, pool_read


def pools_verify() -> Iterator[str]:
    """Yield every closed sheet that is not what it was when it was closed, or that the facts no longer give."""
    entries = JournalEntry.objects.filter(command="pool_close").order_by("pk")
    noted = {entry.data["sheet"]: entry.data["hash"] for entry in entries.iterator()}
    for sheet in PoolSheet.objects.select_related("shift__room").order_by("pk").iterator(chunk_size=50):
        for what in _breaks(sheet, noted.pop(sheet.pk, None)):
            yield f"{sheet} (sheet {sheet.pk}): {what}"
    for missing in sorted(noted):
        if not PoolSheet.objects.filter(
            pk=missing
        ).exists():  # else it was written while the others were read
            yield f"pool sheet {missing}: stands in the journal, but there is none"
    for kind in _ENTERED:
        yield from recorded_verify(kind)


def _hand_ins() -> QuerySet[HandIn]:
    return HandIn.objects.all()


def _hours() -> QuerySet[WorkedHours]:
    return WorkedHours.objects.all()


def _rules() -> QuerySet[PoolRule]:
    return PoolRule.objects.all()


_ENTERED = (
    Recorded(
        "hand-in",
        _hand_ins,
        ("tips_hand_in", "hand_in_reverse"),
        "hand_in",
        {
            "shift": lambda row: row.shift_id,
            "dealer": lambda row: row.dealer_id,
            "down": lambda row: row.down_id,
            "cents": lambda row: row.cents,
            "reverses": lambda row: row.reverses_id,
            "approved_by": lambda row: row.approved_by_id,
        },
        reason=lambda row: row.reason,
    ),
    Recorded(
        "worked hours",
        _hours,
        ("hours_enter", "hours_reverse"),
        "hours",
        {
            "shift": lambda row: row.shift_id,
            "staff": lambda row: row.staff_id,
            "work": lambda row: row.work,
            "minutes": lambda row: row.minutes,
            "reverses": lambda row: row.reverses_id,
            "approved_by": lambda row: row.approved_by_id,
        },
        reason=lambda row: row.reason,
    ),
    Recorded(
        "tip rule",
        _rules,
        ("pool_rule_set",),
        "rule",
        {
            "number": lambda row: row.version,
            "title": lambda row: row.title,
            "sharing": lambda row: row.sharing,
            "break_minutes": lambda row: row.break_minutes,
            "support": lambda row: row.support,
            "support_bp": lambda row: row.support_bp,
            "support_hourly_cents": lambda row: row.support_hourly_cents,
            "support_roles": lambda row: row.support_roles,
            "effective_from": lambda row: str(row.effective_from),
        },
    ),
)


def _breaks(sheet: PoolSheet, noted: str | None) -> Iterator[str]:
    if canonical_hash(sheet.body) != sheet.hash:
        yield "was changed after it was closed"
    if noted is None:
        yield "has no entry in the journal"
    elif noted != sheet.hash:
        yield "differs from its hash in the journal"
    pool = pool_read(sheet.body)
    if sheet.total_cents != pool.total_cents:
        yield f"says {sheet.total_cents} cents, its lines come to {pool.total_cents}"
    now = pool_made(sheet.shift, sheet.made_at)
    for figure, was, is_now in zip(("won", "handed in"), _brought(pool), _brought(now), strict=True):
        if was != is_now:
            yield f"what was {figure} by dealer has changed since: {was} became {is_now}"


def _brought(pool: Pool) -> tuple[dict[int, int], dict[int, int]]:
    """What the dealers brought, in cents by person; nothing is left out but 0."""
    won = {line.staff: line.won_cents for line in pool.dealers if line.won_cents}
    return won, {line.staff: line.handed_cents for line in pool.dealers if line.handed_cents}
