"""Disputes as items of the inbox: what a claim is about, how it is said, that it is decided before it is explained, and whose names items need."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import Q

from cardroom.core.dates import day_text
from cardroom.floor.errors import NotNow, WhyNot
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Round, Seating
from cardroom.people.models import Player
from cardroom.people.players import same_person
from games.phrases import Phrase

from .kinds import Finding, ItemKind, Stretch
from .models import Dispute, Item, ItemStep
from .models.items import NOT_CLOSED

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


def why_named(player: Player, today: datetime.date) -> WhyNot | None:
    """Why the names of a player are not erased: an item about them is not closed, or a recording is held that is told by them."""
    items = Item.objects.filter(same_person(player, "people__player__")).order_by("pk")
    if (item := items.filter(NOT_CLOSED).first()) is not None:
        said = {"player": player.label, "item": item.pk}
        if item.kind == CODE:
            return WhyNot(
                "claim_open",
                Phrase(
                    "A claim of {player} is not closed: item {item} under Exceptions. Close it first.", **said
                ),
            )
        return WhyNot(
            "named_by_item",
            Phrase("Item {item} under Exceptions is about {player} and not closed. Close it first.", **said),
        )
    asked = Q(dispute__review_asked_at__isnull=False, dispute__review_ended_at__isnull=True)
    if (item := items.filter(asked).first()) is not None:
        return WhyNot(
            "review_open",
            Phrase(
                "Surveillance still reviews a claim of {player}: item {item} under Exceptions. Enter what it found first.",
                player=player.label,
                item=item.pk,
            ),
        )
    held = Q(kept_until__gte=today) | Q(dispute__hold_until__gte=today)
    if (item := items.filter(held).select_related("dispute").first()) is not None:
        days = item.kept_until, item.dispute.hold_until if item.kind == CODE else None
        return WhyNot(
            "recording_held",
            Phrase(
                "A recording of {player} is held until {day}: item {item} under Exceptions. Erase the names after that.",
                player=player.label,
                day=day_text(max(day for day in days if day is not None)),
                item=item.pk,
            ),
        )
    return None


DISPUTE = ItemKind(code=CODE, name="Player's claim", find=_find, says=_says, worked=_worked, alone=True)
