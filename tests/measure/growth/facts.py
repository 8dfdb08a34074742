"""Puts in what a played past may lack, so that each table that a SQL view reads has rows: some a table and shift.

Like their copies (`years.py`) they are for the planner alone: no command wrote them, and no journal tells of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import models

from cardroom.drop.models import VarianceCheck, VarianceNote
from cardroom.filings.models import FeeSchedule
from cardroom.floor.models import (
    BuyIn,
    ExpiryOverride,
    MeterMovement,
    Offer,
    Procedure,
    ProgressiveMeter,
    RackCount,
    RackWithdrawal,
    Round,
    Seating,
    Shift,
    TimeCollection,
    TraySlip,
    Waiver,
    Withdrawal,
)
from cardroom.people.models import Player, Provider, Staff
from cardroom.tips.models import HandIn

#: Kinds of slips of a tray in a shift, in their order.
_SLIPS = ("opener", "fill", "credit", "closer")


def facts_put_in() -> None:
    """Add facts of each kind to each table and closed shift in which a round was settled; a table has one round of these."""
    first: dict[tuple[Shift | None, int], Round] = {}
    played = Round.objects.filter(state="settled", shift__closed_at__isnull=False)
    for round_ in played.select_related("room", "table", "shift").order_by("pk"):
        first.setdefault((round_.shift, round_.table_id), round_)
    for number, round_ in enumerate(first.values()):
        for fact in _facts(round_, number):
            type(fact)._base_manager.bulk_create([fact])  # no signal: no digest of it is kept


def _facts(round_: Round, number: int) -> Iterator[models.Model]:
    """Yield the facts of the table and shift of a round; `number` counts those tables and shifts."""
    shift, room, table = round_.shift, round_.room, round_.table
    assert shift is not None
    one, two = Staff.objects.order_by("pk")[:2]
    player = Player.objects.filter(room=room).order_by("pk")[number]
    at = shift.opened_at
    place = {"room": room, "table": table}
    for slip, kind in enumerate(_SLIPS):
        yield TraySlip(**place, shift=shift, number=1000 + 10 * number + slip, kind=kind, chips={}, cents=5000, made_at=at,
                       made_by=one, approved_by=two)  # fmt: skip
    yield BuyIn(**place, shift=shift, seat=1, player=player, cents=2000, made_at=at, recorded_by=one)
    yield TimeCollection(**place, shift=shift, schedule=FeeSchedule.objects.all()[0], schedule_version=1, period="hour",
                         fee_cents=100, fees=[], periods=1, cents=100, made_at=at, recorded_by=one)  # fmt: skip
    yield HandIn(room=room, shift=shift, dealer=one, cents=500, received_by=two, made_at=at)
    rack = RackCount(**place, shift=shift, kind="opening", provider=Provider.objects.all()[0], player=player, seat=1,
                     stay=Seating.objects.all()[0], cents=5000, counted_at=at, recorded_by=one, witnessed_by=two)  # fmt: skip
    yield rack
    yield RackWithdrawal(**place, count=rack, withdrawn_at=at, withdrawn_by=one)
    meter, _ = ProgressiveMeter.objects.get_or_create(room=room, defaults={"name": "Growth"})
    yield MeterMovement(**place, meter=meter, round=round_, kind="wagered", cents=5, shown_cents=5, reserve_cents=1,
                        made_at=at, made_by=one)  # fmt: skip
    yield Waiver(**place, round=round_, schedule=FeeSchedule.objects.all()[0], rule=f"rule {number}", title="Promotion",
                 covers="players", reason="a slow night", made_at=at, recorded_by=one, ordered_by=two)  # fmt: skip
    yield ExpiryOverride(**place, player=player, what="badge", expired_on=shift.gaming_day, gaming_day=shift.gaming_day,
                         reason="seen", made_at=at, recorded_by=one, ordered_by=two)  # fmt: skip
    for kind in ("box_waived", "count_waived"):
        yield Procedure(
            **place, kind=kind, reason="a slow night", made_at=at, recorded_by=one, ordered_by=two
        )
    for offer in Offer.objects.filter(table=table, shift=shift, withdrawal=None)[:1]:
        yield Withdrawal(**place, offer=offer, withdrawn_at=at, withdrawn_by=one)
    for check in VarianceCheck.objects.filter(box__table=table, box__shift=shift, notes=None):
        yield VarianceNote(room=room, variance_check=check, seq=1, status="explained", owner=one, text="It was found.",
                           made_at=at, made_by=one)  # fmt: skip
