"""Verifies progressive meters: each movement against the one before it, and against the round whose win it pays."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.config.databases import snapshot
from games.meter import Meter, meter_seats

from ..models import MeterMovement, ProgressiveWin

_KIND = MeterMovement.Kind


def meters_verify() -> Iterator[str]:
    """Yield every movement that does not go on from the one before."""
    with snapshot():
        found = [*_chain_breaks(), *_win_breaks()]
    yield from found


def _chain_breaks() -> Iterator[str]:
    """Add up each meter again: what it shows is what it showed before and what was moved; only its first one opens it."""
    stands: dict[int, Meter] = {}
    for row in MeterMovement.objects.order_by("meter", "pk").iterator(chunk_size=500):
        before = stands.get(row.meter_id)
        stands[row.meter_id] = Meter(row.shown_cents, row.reserve_cents)
        if (before is None) != (row.kind == _KIND.OPENED):
            yield f"movement of a meter {row.pk}: is {row.kind}, which no meter begins with, or goes on with"
        due = row.cents + (0 if before is None else before.shown_cents)
        if row.shown_cents != due:
            yield f"movement of a meter {row.pk}: shows {row.shown_cents} cents, and {due} follow from the one before"


def _win_breaks() -> Iterator[str]:
    """Compare what meters paid with the confirmed wins of the rounds that they were won in."""
    paid = {
        row.round_id: -row.cents
        for row in MeterMovement.objects.filter(kind=_KIND.WIN).order_by("pk").iterator(chunk_size=500)
    }
    wins = ProgressiveWin.objects.filter(state=ProgressiveWin.State.CONFIRMED, round__meter_cents__gt=0)
    for win in wins.select_related("round").order_by("pk").iterator(chunk_size=500):
        if win.seat not in meter_seats((win.round.settlement or {}).get("lines", [])):
            continue
        if (cents := paid.pop(win.round_id, 0)) != win.round.meter_cents:
            yield f"win {win.pk}: its round pays {win.round.meter_cents} cents of the meter, which paid {cents}"
    for round_id in sorted(paid, key=str):
        yield f"round {round_id}: the meter paid {paid[round_id]} cents, and no confirmed win was of it"
