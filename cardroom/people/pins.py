"""PINs: four to six digits by which a person signs at somebody else's tablet, with their user name or badge.

A PIN is stored as a hash that needs the site's secret key too: it has so few digits that the database alone would give
it away. With another secret key everybody sets a new one.
"""

from __future__ import annotations

import re

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables

from cardroom.rooms.models import Room
from games.phrases import Phrase

from .journal import journalled, person_data, rooms_of_person
from .lockouts import Kind, tries_forgotten, try_counted, try_was_right, try_was_wrong
from .models import Employment, Pin, Staff

LEAST_DIGITS, MOST_DIGITS = 4, 6
_SALT = "cardroom.people.pins"
#: A column of the keypad, and its neighbours: patterns of the hand.
_KEYPAD = frozenset({"2580", "0852", "1470", "0741", "3690", "0963", "1397", "7931", "159753", "357159"})
_ROUND = "01234567890" + "987654321" + "0"


class PinRefused(Exception):
    """A PIN did not open. `code` is stable, `message` a sentence for people, `status` the HTTP status."""

    def __init__(self, code: str, message: str, status: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


@sensitive_variables("pin")
def why_not_pin(pin: str, staff: Staff) -> str | None:
    """Return why a person may not take this PIN, a sentence; None if they may."""
    if not re.fullmatch(r"[0-9]+", pin) or not LEAST_DIGITS <= len(pin) <= MOST_DIGITS:
        return f"A PIN has {LEAST_DIGITS} to {MOST_DIGITS} digits, and nothing else."
    if any(pin == pin[:size] * (len(pin) // size) for size in (1, 2, 3) if len(pin) % size == 0):
        return "This PIN repeats itself, such as 0000, 1212 or 123123: it is guessed first. Choose another."
    if pin in _ROUND or pin in _ROUND[::-1] or pin in _KEYPAD:
        return "This PIN goes up, down or along the keypad, such as 1234 or 2580: it is guessed first. Choose another."
    if len(pin) == LEAST_DIGITS and pin.startswith(("19", "20")):
        return "This PIN looks like a year: it is guessed first. Choose another."
    if _is_date(pin):
        return "This PIN looks like a date: it is guessed first. Choose another."
    if pin == staff.badge.strip() or pin == staff.username:
        return "This is your badge's number or your user name. Choose another PIN."
    return None


@sensitive_variables("pin")
def pin_set(staff: Staff, pin: str) -> None:
    """Give a person the PIN that they chose; a lock on the one before ends with it. Raises ValueError for a simple one."""
    if why := why_not_pin(pin, staff):
        raise ValueError(why)
    data = {"person": person_data(staff)}
    with journalled(rooms_of_person(staff), staff, "pin_set", data), transaction.atomic():
        Pin.objects.update_or_create(staff=staff, defaults={"hash": pin_hash(pin), "set_at": timezone.now()})
        tries_forgotten(Kind.PIN, staff)


@sensitive_variables("pin")
def pin_hash(pin: str) -> str:
    """Return a PIN as it is stored."""
    return make_password(_keyed(pin))


@sensitive_variables("pin")
def pin_opens(pin: str, hashed: str) -> bool:
    """Tell whether `hashed` is this PIN as it is stored."""
    return check_password(_keyed(pin), hashed)


@sensitive_variables("pin")
def person_by_pin(room: Room, named: str, pin: str) -> Staff:
    """Return the active person of this user name, or of this badge in `room`, whose PIN this is. Raises PinRefused.

    `approver_not_known` (403) does not tell a wrong name from a wrong PIN, nor from a person who has none;
    `approver_resting` (429) follows too many wrong ones, by name, known or not. By address, one bad guesser would lock
    every tablet behind the room's router.
    """
    person = person_named(room, named)
    if own_pin_opens(person, pin, named, room):
        assert person is not None
        return person
    raise PinRefused(
        "approver_not_known",
        Phrase(
            "This user name or badge and this PIN belong to nobody here. Each person sets their PIN under their own "
            "name in the bar."
        ),
        403,
    )


@sensitive_variables("pin")
def own_pin_opens(person: Staff | None, pin: str, named: str = "", room: Room | None = None) -> bool:
    """Tell whether this is the person's PIN, and count the try; raises PinRefused while they rest.

    For nobody, by the name that was typed, it takes as long and counts alike. A wrong one is an entry in the journals of
    the person's rooms, and of `room`, where it was typed.
    """
    if not try_counted(Kind.PIN, person, named):
        raise PinRefused(
            "approver_resting",
            Phrase(
                "Too many wrong PINs were given under this name. Wait five minutes, ask somebody else, or have a "
                "supervisor lift the lock."
            ),
            429,
        )
    pins = None if person is None else Pin.objects.filter(staff=person).first()
    if person is None or pins is None:
        make_password(_keyed(pin))  # takes as long as the check of a PIN that exists
    elif pin_opens(pin, pins.hash):
        try_was_right(Kind.PIN, person)
        return True
    try_was_wrong(Kind.PIN, person, named, "pin_refuse", rooms=[] if room is None else [room])
    return False


def person_named(room: Room, named: str) -> Staff | None:
    """Return the active person of this user name, in any case, else of this badge among the people of `room`."""
    named = named.strip()
    if not named:
        return None
    active = Staff.objects.filter(is_active=True)
    found = list(active.filter(username=named)[:1] or active.filter(username__iexact=named)[:2])
    if not found:
        here = Employment.objects.filter(room=room).values("staff")
        badged = active.filter(badge=named).filter(Q(pk__in=here) | Q(home=room)).distinct()
        found = list(badged.filter(home=room)[:2] or badged[:2])
    return found[0] if len(found) == 1 else None


def _keyed(pin: str) -> str:
    return salted_hmac(_SALT, pin, algorithm="sha256").hexdigest()


def _is_date(pin: str) -> bool:
    """Tell whether four digits are a day of the year with its month, in either order."""
    if len(pin) != LEAST_DIGITS:
        return False
    one, other = int(pin[:2]), int(pin[2:])
    return (1 <= one <= 12 and 1 <= other <= 31) or (1 <= other <= 12 and 1 <= one <= 31)
