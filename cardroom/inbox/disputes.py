"""Disputes as items of the inbox: what a claim is about, how it is said, and that it is decided before it is explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cardroom.floor.errors import NotNow
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Round, Seating
from cardroom.people.models import Player

from .kinds import Finding, ItemKind, Stretch
from .models import Dispute, Item, ItemStep

CODE: Final = "dispute"


def _find(stretch: Stretch) -> Iterator[Finding]:
    """None: a dispute is opened by a person, and is an item from then on."""
    del stretch
    return iter(())


def _says(figures: Mapping[str, Any]) -> str:
    seat = f" at seat {figures['seat']}" if figures["seat"] else ""
    about = f" about round {figures['number']}" if figures["number"] else ""
    claim = str(figures["claim"]).rstrip(".")
    return f"{figures['by']}{seat}{about}: “{claim}”."


def _worked(tx: RoomTransaction, item: Item, step: ItemStep) -> None:
    """Refuse to explain a claim that is not decided."""
    if step.what == ItemStep.What.EXPLAIN and Dispute.objects.filter(item=item, outcome="").exists():
        raise NotNow(
            "claim_not_decided",
            "A claim is decided first: upheld, upheld in part, or denied, with the reason.",
        )


def player_at(round_: Round | None, table: int, seat: int | None) -> Player | None:
    """Who sat at a seat in a round, or sits there now."""
    if seat is None:
        return None
    stays = Seating.objects.filter(table=table, seat=seat, behind=0).select_related("player")
    if round_ is None:
        stay = stays.filter(left_at__isnull=True).first()
    else:
        there = stays.filter(seated_at__lte=round_.opened_at)
        stay = there.exclude(left_at__lte=round_.opened_at).order_by("-seated_at").first()
    return None if stay is None else stay.player


DISPUTE = ItemKind(code=CODE, name="Player's claim", find=_find, says=_says, worked=_worked)
