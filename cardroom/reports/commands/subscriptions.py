"""Commands on e-mail subscriptions: subscribing a person to a room's e-mails, and ending that."""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from cardroom.core.json_types import Id, OneOf, Text
from cardroom.floor.errors import BadInput, NotFound, NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.models import Staff
from cardroom.people.rights import Right, roles_of

from ..emails.subscriptions import why_not_to
from ..models import Subscription

What = Subscription.What

ADDRESS_LENGTH = 254


class SubscriptionAnswer(TypedDict):
    """A subscription was made or ended."""

    subscription: int


@room_command(
    "POST subscriptions",
    Right.SUBSCRIBE,
    bumps_version=False,
    no_check="it depends on what is sent to whom: why_not_to",
    title="Let somebody get something by email",
    tag="Background",
    example={"what": "variance", "address": "owner@cardroom.example"},
)
def subscription_make(
    tx: RoomTransaction,
    *,
    what: Annotated[str, OneOf(What)],
    staff_id: Annotated[Id, "One of the staff, who has an address and may see it on the site."] | None = None,
    address: Annotated[str, Text(ADDRESS_LENGTH, blank=True), "Or an address, instead."] = "",
    restatements: Annotated[bool, "Whether to send what takes the place of another report too."] = True,
) -> SubscriptionAnswer:
    """Let one of the staff, or the reader at an address, get something by email from the next report on."""
    if what not in What.values:
        raise BadInput(
            "unknown_choice", f"There is no {what!r}. Choose one of {', '.join(What.values)}.", path="what"
        )
    address = address.strip()
    if (staff_id is None) == (not address):
        raise BadInput(
            "one_reader", "Name one of the staff or give an address: one of the two.", path="address"
        )
    staff = None if staff_id is None else _reader(tx, staff_id, What(what))
    if staff is None:
        _check_address(address)
    current = Subscription.objects.filter(room=tx.room, what=what, ended_at__isnull=True)
    if current.filter(staff=staff, address=address).exists():
        raise NotNow(
            "subscribed", f"{staff or address} gets {What(what).label} already. End that to change it."
        )
    made = Subscription.objects.create(
        room=tx.room,
        what=what,
        staff=staff,
        address=address,
        restatements=restatements,
        made_at=tx.now,
        made_by=tx.actor,
    )
    tx.journal("subscription_make", _subscription_data(made))
    return {"subscription": made.pk}


@room_command(
    "POST subscriptions/{subscription_id}/end",
    Right.SUBSCRIBE,
    bumps_version=False,
    no_check="it depends on the subscription, which is ended once",
    title="End a subscription",
    tag="Background",
)
def subscription_end(tx: RoomTransaction, *, subscription_id: Id) -> SubscriptionAnswer:
    """End a subscription. E-mails that were written before are still sent."""
    ended = Subscription.objects.filter(room=tx.room, pk=subscription_id).select_related("staff").first()
    if ended is None:
        raise NotFound("not_found", f"This room has no subscription {subscription_id}.")
    if ended.ended_at is not None:
        raise NotNow("subscription_ended", "This subscription was ended before.")
    ended.ended_at, ended.ended_by = max(tx.now, ended.made_at), tx.actor  # two machines, two clocks
    ended.save(update_fields=["ended_at", "ended_by"])
    tx.journal("subscription_end", _subscription_data(ended))
    return {"subscription": ended.pk}


def _reader(tx: RoomTransaction, staff_id: int, what: Subscription.What) -> Staff:
    staff = Staff.objects.filter(pk=staff_id).first()
    if staff is None or not roles_of(staff, tx.room):
        raise BadInput(
            "unknown_staff", f"Nobody of this room's staff has the number {staff_id}.", path="staff_id"
        )
    if why := why_not_to(staff, what, tx.room):
        raise BadInput.because(why, "staff_id")
    return staff


def _check_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        fits = False
    else:
        fits = len(address) <= ADDRESS_LENGTH
    if not fits:
        raise BadInput(
            "bad_address",
            f"{address[:80]!r} is no email address, such as owner@cardroom.example.",
            path="address",
        )


def _subscription_data(subscription: Subscription) -> dict[str, object]:
    return {
        "subscription": subscription.pk,
        "what": subscription.what,
        "staff": subscription.staff_id,
        "to": subscription.reader,
        "restatements": subscription.restatements,
    }
