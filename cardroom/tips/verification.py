"""Verifies the closed sheets of tips: each added up, and made again from the facts."""

from __future__ import annotations

from collections.abc import Iterator

from .models import PoolSheet
from .reads.pools import Pool, pool_made, pool_read


def pools_verify() -> Iterator[str]:
    """Yield every closed sheet whose lines are not its total, or that the facts no longer give."""
    for sheet in PoolSheet.objects.select_related("shift__room").order_by("pk").iterator(chunk_size=50):
        for what in _breaks(sheet):
            yield f"{sheet} (sheet {sheet.pk}): {what}"


def _breaks(sheet: PoolSheet) -> Iterator[str]:
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
