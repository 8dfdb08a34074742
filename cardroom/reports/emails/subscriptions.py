"""Queries on e-mail subscriptions of a room: who gets what. Commands: `cardroom.reports.commands.subscriptions`."""

from __future__ import annotations

from cardroom.floor.errors import WhyNot
from cardroom.people.models import Staff
from cardroom.people.rights import RIGHTS, Right, why_not_may
from cardroom.rooms.models import Room

from ..models import Subscription

What = Subscription.What

#: Subscriptions that were ended, as many as are shown.
MOST_ENDED = 50
#: What one of the staff may do on the site who gets this by email.
SEES = {
    What.SHIFT_REPORT: Right.SEE_REPORTS,
    What.DAY_REPORT: Right.SEE_REPORTS,
    What.MONTH_REPORT: Right.SEE_REPORTS,
    What.VARIANCE: Right.SEE_COUNTS,
    What.CHECKPOINT: Right.SEE_REPORTS,
}


def subscriptions_of(room: Room) -> list[Subscription]:
    """Return the subscriptions of a room that hold, by what is sent and in the order in which they were made."""
    current = Subscription.objects.filter(room=room, ended_at__isnull=True)
    return list(current.select_related("staff", "made_by", "room").order_by("what", "pk"))


def subscriptions_ended(room: Room) -> list[Subscription]:
    """Return the last that were ended, the latest first."""
    ended = Subscription.objects.filter(room=room, ended_at__isnull=False)
    return list(
        ended.select_related("staff", "made_by", "ended_by").order_by("-ended_at", "-pk")[:MOST_ENDED]
    )


def readers_of(room: Room) -> list[Staff]:
    """Return who of the room's staff may get something by email: they hold a right to see it, and have an address."""
    roles = frozenset[str]().union(*(RIGHTS[right] for right in SEES.values()))
    people = Staff.objects.filter(is_active=True, employments__room=room, employments__role__in=roles)
    return list(people.exclude(email="").distinct().order_by("display_name", "username"))


def why_not_sent(subscription: Subscription) -> WhyNot | None:
    """An e-mail is written to an address; to one of the staff, while they may see on the site what it reports."""
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
            f"{staff} has no email address. A room manager enters it on their page.",
        )
    return None
