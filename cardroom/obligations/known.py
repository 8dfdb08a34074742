"""What lies below the calendar and has days: badges and permits, contracts of providers, filings, claims, recordings."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import F, Q
from django.urls import reverse

from cardroom.filings.models import FeeSchedule, Filing, GameFiling
from cardroom.inbox.kinds import kind_of, says_of
from cardroom.inbox.models import Item
from cardroom.inbox.reads.items import item_address
from cardroom.people.models import ProviderContract
from cardroom.people.permits import REMIND_DAYS, expiries
from cardroom.people.rights import Right

from .models import Obligation
from .sources import DATE, Entry, Source, Span

Kind, State = Obligation.Kind, Obligation.State
CLAIM, RECORDING = "claim", "recording"


def _permits(span: Span) -> Iterator[Entry]:
    """Badges of providers' players, work permits and licences of the staff: each is to be renewed by its last day."""
    for expiry in expiries(span.room):
        if not span.first <= expiry.expires <= span.last:
            continue
        kind, _, pk = expiry.subject.partition(":")
        is_player = kind == "player"
        page = "web:player" if is_player else "web:person"
        number = f" {expiry.number}" if expiry.number else ""
        yield Entry(
            key=f"{'badge' if is_player else 'permit'} {pk}",
            due_on=expiry.expires,
            kind=Kind.PERMIT,
            what=f"{expiry.what.capitalize()}{number} of {expiry.subject if is_player else expiry.person}: last day",
            address=reverse(page, args=[span.room.code, int(pk)]),
            right=Right.SEE_FLOOR if is_player else Right.SET_PEOPLE,
            remind_days=REMIND_DAYS,
        )


def _contracts(span: Span) -> Iterator[Entry]:
    """Contracts with providers of proposition players that end."""
    rows = ProviderContract.objects.filter(
        room=span.room, ended_on=None, ends_on__range=(span.first, span.last)
    )
    for contract in rows.select_related("provider").order_by("ends_on", "pk"):
        assert contract.ends_on is not None  # that was asked for
        yield Entry(
            key=f"contract {contract.pk}",
            due_on=contract.ends_on,
            kind=Kind.CONTRACT,
            what=f"Contract with {contract.provider}: last day",
            rests_on=contract.number,
            address=reverse("web:providers", args=[span.room.code]),
            right=Right.SEE_FLOOR,
            remind_days=REMIND_DAYS,
        )


def _filings(span: Span) -> Iterator[Entry]:
    """Games and schedules of fees: drafts that are planned for a day, and the first and last days of what is filed."""
    for model, page in ((GameFiling, "web:game"), (FeeSchedule, "web:schedule")):
        begins = Q(effective_from__range=(span.first, span.last))
        ends = Q(
            effective_to__range=(_after(span.first), _after(span.last)), effective_to__gt=F("effective_from")
        )
        rows: Any = model.objects.filter(begins | ends, room=span.room).order_by("effective_from", "pk")
        for version in rows.select_related("room"):
            yield from _of_version(span, version, page)


def _of_version(span: Span, version: Any, page: str) -> Iterator[Entry]:
    said: dict[str, Any] = {
        "kind": Kind.FILING,
        "rests_on": version.state_reference,
        "address": reverse(page, args=[span.room.code, version.number, version.version]),
        "right": Right.SEE_FLOOR,
    }
    key = f"{version.word} {version.pk}"
    begins, ends = version.effective_from, version.effective_to
    if begins is not None and span.first <= begins <= span.last:
        if version.status == Filing.Status.DRAFT:
            what = f"{version} is a draft, planned for this day"
            yield Entry(key=f"{key} planned", due_on=begins, what=what, remind_days=REMIND_DAYS, **said)
        elif ends is None or ends > begins:
            yield Entry(key=f"{key} begins", due_on=begins, what=f"{version}: first day", state=DATE, **said)
    if ends is not None and ends > begins and span.first <= (last := _before(ends)) <= span.last:
        yield Entry(key=f"{key} ends", due_on=last, what=f"{version}: last day", state=DATE, **said)


def _claims(span: Span) -> Iterator[Entry]:
    """Exceptions that are to be answered by a day, as players' claims are."""
    items = _items(span, due_on__range=(span.first, span.last))
    said = says_of(items)
    for item in items:
        assert item.due_on is not None  # that was asked for
        yield Entry(
            key=f"item {item.pk} due",
            due_on=item.due_on,
            kind=CLAIM,
            what=f"To be answered: {said[item.pk] or item.kind}",
            address=item_address(item),
            right=Right.SEE_ITEMS,
            owner=item.owner_id,
            owner_name="" if item.owner is None else str(item.owner),
            state=State.DONE if item.is_closed else State.OPEN,
            remind_days=span.room.answer_days,
        )


def _recordings(span: Span) -> Iterator[Entry]:
    """Recordings that are held for a review, or were noted with an exception: until when."""
    for item in _items(span, kept_until__range=(span.first, span.last)):
        assert item.kept_until is not None  # that was asked for
        kind = kind_of(item.kind)
        about = item.kind if kind is None else kind.name
        yield Entry(
            key=f"item {item.pk} kept",
            due_on=item.kept_until,
            kind=RECORDING,
            what=f"Recording held until this day: {about}, {item.table or 'the room'}",
            rests_on=item.camera,
            address=item_address(item),
            right=Right.SEE_ITEMS,
            state=DATE,
        )


def _items(span: Span, **in_span: Any) -> list[Item]:
    rows = Item.objects.filter(room=span.room, **in_span).select_related("room", "table", "owner")
    return list(rows.order_by("pk"))


def _after(day: datetime.date) -> datetime.date:
    return day + datetime.timedelta(days=1)


def _before(day: datetime.date) -> datetime.date:
    return day - datetime.timedelta(days=1)


#: In the order of their kinds.
KNOWN: Final = (
    Source(kind=Kind.PERMIT, name=Kind.PERMIT.label, find=_permits),
    Source(kind=Kind.CONTRACT, name=Kind.CONTRACT.label, find=_contracts),
    Source(kind=Kind.FILING, name=Kind.FILING.label, find=_filings),
    Source(kind=CLAIM, name="Player's claim", find=_claims),
    Source(kind=RECORDING, name="Recording held", find=_recordings),
)
