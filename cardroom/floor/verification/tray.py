"""Verifies tray slips and buy-ins: slips against sums and numbers, buy-ins against their transfers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from cardroom.config.databases import snapshot

from ..chips import chips_cents
from ..models import BuyIn, SlipCounter, Transfer, TraySlip
from ..reads.tray import tray_since


def trays_verify() -> Iterator[str]:
    """Yield every slip and buy-in that does not add up."""
    with snapshot():
        found = [*_slip_breaks(), *_count_breaks(), *_buy_in_breaks()]
    yield from found


def _slip_breaks() -> Iterator[str]:
    numbers: dict[int, count[int]] = {}
    for slip in TraySlip.objects.order_by("room", "number").iterator(chunk_size=500):
        if chips_cents(slip.chips) != slip.cents:
            yield f"tray slip {slip.pk}: says {slip.cents} cents, its chips come to {chips_cents(slip.chips)}"
        due = next(numbers.setdefault(slip.room_id, count(1)))
        if slip.number != due:
            yield f"tray slip {slip.pk}: is number {slip.number}, and {due} comes next in its room"
            numbers[slip.room_id] = count(slip.number + 1)
    counters = dict(SlipCounter.objects.values_list("room", "last"))
    for room in sorted(counters.keys() | numbers.keys()):
        due = next(numbers.get(room, count(1)))
        if counters.get(room) != due - 1:
            yield f"counter of tray slips of room {room}: is at {counters.get(room)}, and its last slip is {due - 1}"


def _count_breaks() -> Iterator[str]:
    """Add up again what each opener and closer should have counted."""
    last: dict[int, TraySlip] = {}
    counts = TraySlip.objects.filter(kind__in=TraySlip.COUNTS).select_related("shift")
    for slip in counts.order_by("table", "pk").iterator(chunk_size=500):
        before = last.get(slip.table_id)
        last[slip.table_id] = slip
        if before is not None and before.kind == slip.kind:
            yield f"tray slip {slip.pk}: follows {before.kind} {before.pk}, which is of its kind"
        elif slip.kind == TraySlip.Kind.CLOSER:
            due = None if before is None else tray_since(before, slip).expected_cents
            if slip.expected_cents != due:
                yield f"tray slip {slip.pk}: {slip.expected_cents} cents were expected, and {due} should have been"
        elif slip.expected_cents != (None if before is None else before.cents):
            yield f"tray slip {slip.pk}: expects something else than the last closer counted"


def _buy_in_breaks() -> Iterator[str]:
    drop = Transfer.Account.DROP
    moved: dict[int, list[tuple[int, ...]]] = {}
    for row in Transfer.objects.filter(buy_in__isnull=False).iterator(chunk_size=500):
        into = row.cents if row.target == drop else -row.cents
        moved.setdefault(row.buy_in_id or 0, []).append((row.table_id, row.shift_id, into))
    for bought in BuyIn.objects.order_by("pk").iterator(chunk_size=500):
        if moved.get(bought.pk) != [(bought.table_id, bought.shift_id, bought.cents)]:
            yield f"buy-in {bought.pk}: its transfer does not move what it says"
