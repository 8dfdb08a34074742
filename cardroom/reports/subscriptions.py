"""Who gets what of a room by e-mail: made and ended by those with the right, and kept with its history."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from cardroom.floor.acts.commands import Answer, AtRoom, room_command
from cardroom.floor.errors import BadInput, NotFound, NotNow, WhyNot
from cardroom.people.models import Staff
from cardroom.people.rights import RIGHTS, Right, roles_of, why_not_may
from cardroom.rooms.models import Room

from .models import Subscription

What = Subscription.What

ADDRESS_LENGTH = 254
#: Subscriptions that were ended, as many as are shown.
MOST_ENDED = 50
#: What one of the staff may do on the site who gets this by e-mail.
SEES = {
    What.SHIFT_REPORT: Right.SEE_REPORTS,
    What.DAY_REPORT: Right.SEE_REPORTS,
    What.MONTH_REPORT: Right.SEE_REPORTS,
    What.VARIANCE: Right.SEE_COUNTS,
}


def subscriptions_of(room: Room) -> list[Subscription]:
    """Return the subscriptions of a room that hold, by what is sent and in the order in which they were made."""
    held = Subscription.objects.filter(room=room, ended_at__isnull=True)
    return list(held.select_related("staff", "made_by", "room").order_by("what", "pk"))


def subscriptions_ended(room: Room) -> list[Subscription]:
    """Return the last that were ended, the latest first."""
    ended = Subscription.objects.filter(room=room, ended_at__isnull=False)
    return list(
        ended.select_related("staff", "made_by", "ended_by").order_by("-ended_at", "-pk")[:MOST_ENDED]
    )


def readers_of(room: Room) -> list[Staff]:
    """Return who of the room's staff may get something by e-mail: they hold a right to see it, and have an address."""
    roles = frozenset[str]().union(*(RIGHTS[right] for right in SEES.values()))
    people = Staff.objects.filter(is_active=True, employments__room=room, employments__role__in=roles)
    return list(people.exclude(email="").distinct().order_by("display_name", "username"))


def why_not_sent(subscription: Subscription) -> WhyNot | None:
    """A letter is written to an address; to one of the staff, while they may see on the site what it tells."""
    staff = subscription.staff
    if staff is None:
        return None
    return why_not_to(staff, What(subscription.what), subscription.room)


def why_not_to(staff: Staff, what: Subscription.What, room: Room) -> WhyNot | None:
    """The same for one of the staff who does not get it yet."""
    if not staff.is_active:
        return WhyNot("has_left", f"{staff} has left.")
    if why := why_not_may(staff, SEES[what], room):
        return WhyNot("may_not_see", why)
    if not staff.email:
        return WhyNot(
            "no_address",
            f"{staff} has no e-mail address. A room manager enters it in the admin, under Staff.",
        )
    return None


@room_command(Right.SUBSCRIBE, moves=False)
def subscription_make(
    at: AtRoom, *, what: str, staff_id: int | None = None, address: str = "", restatements: bool = True
) -> Answer:
    """Let one of the staff (`staff_id`), or whoever reads at `address`, get `what` by e-mail from now on.

    `restatements`: whether they also get the reports that take the place of others.
    """
    if what not in What.values:
        raise BadInput(
            "unknown_choice", f"There is no {what!r}. Choose one of {', '.join(What.values)}.", path="what"
        )
    address = address.strip()
    if (staff_id is None) == (not address):
        raise BadInput(
            "one_reader", "Name one of the staff or give an address: one of the two.", path="address"
        )
    staff = None if staff_id is None else _reader(at, staff_id, What(what))
    if staff is None:
        _check_address(address)
    held = Subscription.objects.filter(room=at.room, what=what, ended_at__isnull=True)
    if held.filter(staff=staff, address=address).exists():
        raise NotNow(
            "subscribed", f"{staff or address} gets {What(what).label} already. End that to change it."
        )
    made = Subscription.objects.create(
        room=at.room,
        what=what,
        staff=staff,
        address=address,
        restatements=restatements,
        made_at=at.now,
        made_by=at.actor,
    )
    at.journal("subscription_make", _said(made))
    return {"subscription": made.pk}


@room_command(Right.SUBSCRIBE, moves=False)
def subscription_end(at: AtRoom, *, subscription_id: int) -> Answer:
    """End a subscription. Letters that were written before are still sent."""
    ended = Subscription.objects.filter(room=at.room, pk=subscription_id).select_related("staff").first()
    if ended is None:
        raise NotFound("not_found", f"This room has no subscription {subscription_id}.")
    if ended.ended_at is not None:
        raise NotNow("subscription_ended", "This subscription was ended before.")
    ended.ended_at, ended.ended_by = max(at.now, ended.made_at), at.actor  # two machines, two clocks
    ended.save(update_fields=["ended_at", "ended_by"])
    at.journal("subscription_end", _said(ended))
    return {"subscription": ended.pk}


def _reader(at: AtRoom, staff_id: int, what: Subscription.What) -> Staff:
    staff = Staff.objects.filter(pk=staff_id).first()
    if staff is None or not roles_of(staff, at.room):
        raise BadInput(
            "unknown_staff", f"Nobody of this room's staff has the number {staff_id}.", path="staff_id"
        )
    if why := why_not_to(staff, what, at.room):
        raise BadInput(why.code, why.message, path="staff_id")
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
            f"{address[:80]!r} is no e-mail address, such as owner@cardroom.example.",
            path="address",
        )


def _said(subscription: Subscription) -> dict[str, object]:
    return {
        "subscription": subscription.pk,
        "what": subscription.what,
        "staff": subscription.staff_id,
        "to": subscription.reader,
        "restatements": subscription.restatements,
    }
