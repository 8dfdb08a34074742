"""Expired badges and work permits: precondition checks for seat, bank and down, and who is here on an expired one."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from cardroom.people.models import Player, Staff
from cardroom.people.permits import (
    Expiry,
    badge_expired,
    badge_expiry,
    local_day,
    permit_expired,
    permit_expiries,
)
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from games.phrases import Phrase

from .errors import WhyNot
from .models import Down, ExpiryOverride, Seating
from .reads.table_state import TableState

#: The codes of the two refusals, which are raised as alerts too.
BADGE_EXPIRED, PERMIT_EXPIRED = "badge_expired", "permit_expired"


def why_badge_expired(state: TableState, player: Player) -> WhyNot | None:
    """A provider's player with an expired badge takes no seat and no bank, unless a supervisor has overridden it today.

    Asks the database about a badge that has expired alone.
    """
    room = state.table.room
    expired = badge_expired(player, local_day(room, state.now))
    if expired is None or override_of(room, state.now, expired) is not None:
        return None
    return WhyNot(BADGE_EXPIRED, Phrase("{text}. {what_to_do}", text=expired.text, what_to_do=_WHAT_TO_DO))


def why_permit_expired(room: Room, dealer: Staff, now: datetime.datetime) -> WhyNot | None:
    """A dealer whose work permit has expired begins no down, unless a supervisor has overridden it today."""
    expired = permit_expired(room, dealer, local_day(room, now))
    if expired is None or override_of(room, now, expired) is not None:
        return None
    return WhyNot(PERMIT_EXPIRED, Phrase("{text}. {what_to_do}", text=expired.text, what_to_do=_WHAT_TO_DO))


_WHAT_TO_DO = Phrase(
    "A room manager records the renewed one; until then a floor supervisor may override it for this gaming day, with a "
    "reason."
)


def without_advice(message: str) -> str:
    """What a refusal says of a badge or permit, without what to do about it: a record of it says what happened."""
    return message.removesuffix(_WHAT_TO_DO).rstrip()


def override_of(room: Room, now: datetime.datetime, expired: Expiry) -> ExpiryOverride | None:
    """Return the override of what has expired that holds in the gaming day of `now`."""
    kind, _, pk = expired.subject.partition(":")
    found = ExpiryOverride.objects.filter(
        room=room, gaming_day=gaming_day(room, now), **{f"{kind}_id": int(pk)}
    )
    return found.select_related("ordered_by").first()


def expired_at_tables(
    room: Room, downs: Iterable[Down], seatings: Iterable[Seating], now: datetime.datetime
) -> dict[int, dict[str, str]]:
    """Return by table who is there on an expired badge or permit: the sentence about each, by subject."""
    day = local_day(room, now)
    found: dict[int, dict[str, str]] = {}
    open_downs = list(downs)
    of_dealers = {
        expiry.subject: expiry for expiry in permit_expiries(room, [down.dealer for down in open_downs])
    }
    here: list[tuple[int, Expiry | None]] = [
        (down.table_id, of_dealers.get(f"staff:{down.dealer_id}")) for down in open_downs
    ]
    here += [(sitting.table_id, badge_expiry(sitting.player)) for sitting in seatings]
    for table, expiry in here:
        if expiry is not None and expiry.expires < day:
            override = override_of(room, now, expiry)
            let = f" {override.ordered_by} let them: {override.reason}" if override is not None else ""
            found.setdefault(table, {})[expiry.subject] = f"{expiry.kept}.{let}"
    return found
