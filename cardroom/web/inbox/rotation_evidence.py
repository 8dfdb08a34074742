"""The rotation around an item, as its opened page shows it: the seats as they were, and the offers with a missing one in its place."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from typing import Final

from django.db.models import Q

from cardroom.core.dates import seconds_text
from cardroom.floor.models import Offer, Round, Seating
from cardroom.floor.reads.rotation import Period, Run, stands, table_rotation
from cardroom.inbox.models import Item
from games.rotation.offers import round_table, seat_after, way_round
from games.rotation.profile import profile_under

#: How much before an item is read, and after it: what led into it, and what came of it.
BEFORE, AFTER = datetime.timedelta(hours=1), datetime.timedelta(minutes=10)
#: Distances of the picture, in its own units.
_FIRST, _STEP = 60, 100
_BANK, _MISSING, _TAKEN = "bank", "missing", "taken"


@dataclasses.dataclass(frozen=True)
class RingSeat:
    """A seat of the picture: where it stands, how it looks, and its word."""

    x: int
    number: int
    look: str
    word: str


@dataclasses.dataclass(frozen=True)
class OfferLine:
    """A seat in the order in which the bank is offered: who sat there, what was answered or not, and when."""

    seat: int
    player: str
    said: str
    at: str
    missing: bool


@dataclasses.dataclass(frozen=True)
class RotationEvidence:
    """What stands on record about the run of offers in which an item shows."""

    at: datetime.datetime
    seats: list[RingSeat]
    lines: list[OfferLine]
    way: str
    arrow: tuple[int, int] | None

    @property
    def width(self) -> int:
        return 2 * _FIRST + _STEP * max(len(self.seats) - 1, 0)

    @property
    def arc(self) -> str:
        """The path of the arrow from the bank to where it went."""
        if self.arrow is None:
            return ""
        left, right = self.arrow
        return f"M{left} 28 C{left + 40} 0,{right - 40} 0,{right} 27"

    @property
    def in_words(self) -> str:
        """The picture for those who listen."""
        return ", ".join(f"seat {seat.number} {seat.word}" for seat in self.seats)


_NOT_ASKED: Final = "not asked, no answer recorded"


def rotation_evidence(item: Item) -> RotationEvidence | None:
    """Read the run of offers in which an item of the rotation shows; None where its rounds belong to none."""
    if item.table is None:
        return None
    period = Period(item.happened_at - BEFORE, item.happened_at + AFTER, "")
    rotation = table_rotation(item.table, period)
    shows = [number for number, run in enumerate(rotation.runs) if _shows(run, item)]
    if not shows:
        return None
    run = rotation.runs[shows[0]]
    before = next((each for each in reversed(rotation.runs[: shows[0]]) if each.turn is not None), None)
    at = run.began_at
    there = _seated(item.table.pk, at)
    profile = profile_under(item.table.book, item.table.rotation or item.table.book.rotation or "two_rounds")
    bank = None if before is None or before.turn is None else before.turn.seat
    accepted = None if run.turn is None else run.turn.seat
    offers = {offer.seat: offer for offer in run.offers if stands(offer)}
    numbers = range(1, item.table.book.seats + 1)
    first = seat_after(bank, profile.direction) if bank is not None else (min(offers, default=1))
    order = round_table({*numbers, *there, *offers}, first, profile.direction)
    if bank in order:
        order = [bank, *(seat for seat in order if seat != bank)]
    taken = _as_taken(order, bank, accepted)
    missing = {seat for seat in taken if seat in there and seat not in offers and seat != accepted}
    zone = item.room.zone
    seen = _Seen(order, bank, accepted, offers, there, missing)
    lines = [*_of_bank(before, zone), *seen.lines(zone)]
    seats = [RingSeat(_FIRST + _STEP * place, seat, *seen.look_of(seat)) for place, seat in enumerate(order)]
    arrow = None
    if bank is not None and accepted is not None and accepted in order and accepted != bank:
        places = {seat.number: seat.x for seat in seats}
        arrow = places[bank], places[accepted]
    return RotationEvidence(at, seats, lines, str(way_round(profile.direction)), arrow)


def _shows(run: Run, item: Item) -> bool:
    """Whether an item is one of the deviations of a run."""
    return any(
        each.kind == item.figures["rule"]
        and each.at == item.happened_at
        and each.seat == item.figures["seat"]
        for each in run.deviations
    )


def _seated(table: int, at: datetime.datetime) -> dict[int, str]:
    """Who sat at a table at an instant, by seat."""
    still = Q(left_at__isnull=True) | Q(left_at__gt=at)
    stays = Seating.objects.filter(still, table=table, seated_at__lte=at, behind=0).select_related(
        "player__merged_into"
    )
    return {stay.seat: stay.player.known_as for stay in stays}


def _as_taken(order: Sequence[int], bank: int | None, accepted: int | None) -> list[int]:
    """The seats between the bank and where it went, in order."""
    if accepted is None or accepted not in order:
        return []
    between = order[: order.index(accepted)]
    return [seat for seat in between if seat != bank]


def _of_bank(before: Run | None, zone: datetime.tzinfo) -> list[OfferLine]:
    if before is None or before.turn is None:
        return []
    settled = [round_ for round_ in before.rounds if round_.state == Round.State.SETTLED]
    numbers = ", ".join(str(round_.number) for round_ in settled)
    said = f"banked round{'' if len(settled) == 1 else 's'} {numbers}" if settled else "held the bank"
    ended = settled[-1].ended_at if settled else None
    turn = before.turn
    return [
        OfferLine(
            turn.seat, turn.player.known_as, said, seconds_text(ended, zone) if ended else "–", missing=False
        )
    ]


@dataclasses.dataclass(frozen=True)
class _Seen:
    """The seats in the order of the offers, whose bank it was, who took it, who was asked, who sat there, and who was left out."""

    order: Sequence[int]
    bank: int | None
    accepted: int | None
    offers: dict[int, Offer]
    there: dict[int, str]
    missing: set[int]

    def lines(self, zone: datetime.tzinfo) -> list[OfferLine]:
        """The offers, each missing one in its place, and who would have been asked next."""
        lines: list[OfferLine] = []
        past = False
        for seat in self.order:
            offer = self.offers.get(seat)
            if offer is not None:
                at = seconds_text(offer.answered_at, zone)
                said = str(offer.get_answer_display())
                lines.append(OfferLine(seat, offer.player.known_as, said, at, missing=False))
            elif seat in self.missing:
                lines.append(OfferLine(seat, self.there[seat], _NOT_ASKED, "–", missing=True))
            elif past and seat in self.there and seat != self.bank:
                lines.append(
                    OfferLine(seat, self.there[seat], "would have been asked next", "–", missing=False)
                )
                break
            past = past or seat == self.accepted
        return lines

    def look_of(self, seat: int) -> tuple[str, str]:
        """How a seat looks, and its word."""
        if seat in self.missing:
            return _MISSING, "not asked"
        if seat in self.offers:
            word = str(self.offers[seat].get_answer_display())
            return ("accepted" if seat == self.accepted else _TAKEN), word
        if seat == self.bank:
            return _BANK, "bank"
        if seat == self.accepted:
            return "accepted", "took the bank"
        return (_TAKEN, "taken") if seat in self.there else ("empty", "empty")
