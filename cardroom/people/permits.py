"""Expiry of providers' players' badges and of staff work permits: expired on a day, or soon to be.

A badge or permit is valid through its last day, on the room's own calendar. Without a recorded date it never expires here.
A room's own record of a person's work permit overrides the licence of their account.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection

from cardroom.core.dates import day_text
from cardroom.rooms.models import Room
from games.phrases import Phrase

from .models import Player, Role, Staff, WorkPermit

#: The room is reminded this many days before a badge or permit expires.
REMIND_DAYS = 30


@dataclasses.dataclass(frozen=True)
class Expiry:
    """A badge or permit and its last valid day. `subject` identifies the person: "player:12", "staff:4"."""

    subject: str
    person: str
    what: str
    number: str
    expires: datetime.date

    @property
    def text(self) -> str:
        """The expiry as text: "The badge P-12 of Hal was valid through 2026-11-20"."""
        return self._said(self.person)

    @property
    def kept(self) -> str:
        """The same as records keep it: a player is referred to, not named."""
        return self._said(self.subject if self.subject.startswith("player:") else self.person)

    def _said(self, person: str) -> str:
        what = Phrase("{what} {number}", what=self.what, number=self.number) if self.number else self.what
        return Phrase(
            "The {what} of {person} was valid through {day}",
            what=what,
            person=person,
            day=day_text(self.expires),
        )


def local_day(room: Room, instant: datetime.datetime) -> datetime.date:
    """Return the room's calendar day: permits expire by it, not by the gaming day."""
    return instant.astimezone(room.zone).date()


def badge_expiry(player: Player) -> Expiry | None:
    """Return when the badge of a provider's player expires; None for a patron, and where no date is recorded."""
    if player.provider_id is None or player.badge_expires is None:
        return None
    return Expiry(f"player:{player.pk}", str(player), "badge", player.badge_number, player.badge_expires)


def permit_expiries(room: Room, people: Collection[Staff]) -> list[Expiry]:
    """Return when the work permits of `people` expire in `room`, of those with a recorded date; one query."""
    permits = {permit.staff_id: permit for permit in WorkPermit.objects.filter(room=room, staff__in=people)}
    found = []
    for person in people:
        permit = permits.get(person.pk)
        what = ("licence", person.licence_number, person.licence_expires)
        if permit is not None:
            what = ("work permit", permit.number, permit.expires)
        name, number, expires = what
        if expires is not None:
            found.append(Expiry(f"staff:{person.pk}", str(person), name, number, expires))
    return found


def permit_expired(room: Room, person: Staff, day: datetime.date) -> Expiry | None:
    """Return the permit or licence of `person` that has expired in `room` on `day`, if one has."""
    return next((expiry for expiry in permit_expiries(room, [person]) if expiry.expires < day), None)


def badge_expired(player: Player, day: datetime.date) -> Expiry | None:
    """Return the badge of `player` if it has expired on `day`."""
    expiry = badge_expiry(player)
    return expiry if expiry is not None and expiry.expires < day else None


def expiries(room: Room, roles: Collection[Role] = tuple(Role)) -> list[Expiry]:
    """Return when badges, permits and licences of a room expire, earliest first; three queries.

    Of the staff, only holders of one of `roles`.
    """
    players = Player.objects.filter(
        room=room, is_active=True, provider__isnull=False, badge_expires__isnull=False
    )
    employed = Staff.objects.filter(
        employments__room=room, employments__role__in=roles, is_active=True
    ).distinct()
    every = [expiry for player in players if (expiry := badge_expiry(player)) is not None]
    every += permit_expiries(room, list(employed))
    return sorted(every, key=lambda each: (each.expires, each.subject))


def expiring(room: Room, day: datetime.date, roles: Collection[Role] = tuple(Role)) -> list[Expiry]:
    """Return of these what has expired on `day` or will within `REMIND_DAYS`."""
    last = day + datetime.timedelta(days=REMIND_DAYS)
    return [expiry for expiry in expiries(room, roles) if expiry.expires <= last]


def anything_expired(room: Room, day: datetime.date) -> bool:
    """Tell whether any badge, permit or licence in `room` has expired on `day`; one query."""
    badges = Player.objects.filter(
        room=room, is_active=True, provider__isnull=False, badge_expires__lt=day
    ).order_by()
    permits = WorkPermit.objects.filter(room=room, expires__lt=day).order_by()
    licences = Staff.objects.filter(
        employments__room=room, is_active=True, licence_expires__lt=day
    ).order_by()
    found = badges.values("pk").union(permits.values("pk"), licences.values("pk"), all=True)
    return found.exists()
