"""PINs: four to six digits by which a person signs at somebody else's tablet, with their user name or badge.

A PIN is stored as a hash that needs the site's secret key too: it has so few digits that the database alone would give
it away. With another secret key everybody sets a new one. After the hash comes a seal, by the same key, of the hash and
its person: copied to another person's row it opens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.debug import sensitive_variables

from cardroom.rooms.models import Room
from games.phrases import Phrase

from .journal import journalled, person_data, rooms_of_person
from .lockouts import (
    MOST_TRIES,
    MOST_WRONG_PINS,
    Kind,
    count_of,
    rest_after,
    tries_forgotten,
    try_counted,
    try_was_right,
    try_was_wrong,
)
from .models import Employment, Pin, Staff
from .rights import Right, may

LEAST_DIGITS, MOST_DIGITS = 4, 6
_SALT = "cardroom.people.pins"
#: Before the seal of a stored hash, and its hexadecimal digits.
_SEALED, _SEAL_DIGITS = "|", 32
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
        Pin.objects.update_or_create(
            staff=staff, defaults={"hash": pin_hash(pin, staff), "set_at": timezone.now()}
        )
        tries_forgotten(Kind.PIN, staff)


@sensitive_variables("pin")
def pins_set_up(people: Collection[Staff], pin: str) -> bool:
    """Give people one PIN, by a command that sets a room up, unless they have it; return whether anything was changed.

    Their rooms' journals say so and cover the rows. They share one slow hash, so that a start costs one and not ten, and
    each has a seal of their own.
    """
    stored = Pin.objects.filter(staff__in=people).select_related("staff")
    apart = {each.hash.rpartition(_SEALED)[0]: each for each in stored}
    if len(stored) == len(people) and all(pin_opens(pin, each) for each in apart.values()):
        return False
    rooms = {room.pk: room for person in people for room in rooms_of_person(person)}
    hashed, now = make_password(_keyed(pin)), timezone.now()
    data = {"people": [person_data(person) for person in people]}
    with journalled(rooms.values(), next(iter(people)), "pins_set_up", data):
        for person in people:
            Pin.objects.update_or_create(
                staff=person, defaults={"hash": _sealed(hashed, person), "set_at": now}
            )
    return True


@sensitive_variables("pin")
def pin_hash(pin: str, person: Staff) -> str:
    """Return the PIN of a person as it is stored."""
    return _sealed(make_password(_keyed(pin)), person)


@sensitive_variables("pin")
def pin_opens(pin: str, stored: Pin) -> bool:
    """Tell whether this PIN is the one that is stored, and stored of that person."""
    hashed = stored.hash.rpartition(_SEALED)[0]
    is_right = check_password(_keyed(pin), hashed)  # first: a broken seal takes as long
    return constant_time_compare(stored.hash, _sealed(hashed, stored.staff)) and is_right


@sensitive_variables("pin")
def person_by_pin(room: Room, named: str, pin: str, *, touched: bool = False) -> Staff:
    """Return the active person of `room` with this user name or badge, whose PIN this is. Raises PinRefused.

    Who holds no role in the room is nobody there, whatever their PIN: it takes as long, is answered alike, counts nothing
    against them and is no entry of any journal. `approver_not_known` (403) does not distinguish a wrong name from a wrong
    PIN, nor from a person who has none; `approver_resting` (429) follows too many wrong ones, by name, known or not. By
    address, one bad guesser would lock every tablet behind the room's router.

    Where the person was `touched` among the faces of those who sign, nothing is learned about names, and the sentence says
    how many tries are left.
    """
    person = person_named(room, named)
    is_shown = touched and person is not None and may(person, Right.SEE_WHO_SIGNS, room)
    try:
        if own_pin_opens(person, pin, named, room):
            assert person is not None
            return person
    except PinRefused as refused:
        if is_shown:
            refused.message = Phrase(
                "{person} rests after too many wrong PINs: somebody else signs, or a supervisor lifts the lock.",
                person=person,
            )
        raise
    message = Phrase(
        "This user name or badge and this PIN belong to nobody here. Each person sets their PIN under their own "
        "name in the bar."
    )
    if is_shown and person is not None:
        message = _wrong_pin_of(person)
    raise PinRefused("approver_not_known", message, 403)


def _wrong_pin_of(person: Staff) -> Phrase:
    """Say after a wrong PIN how many tries somebody has before they rest, or that they rest now."""
    count = count_of(Kind.PIN, person)
    tries = 0 if count is None else count.tries
    left = MOST_TRIES[Kind.PIN] - tries % MOST_TRIES[Kind.PIN]
    rests = count is not None and count.is_locked(timezone.now())
    if rests and count is not None and count.until_lifted:
        return Phrase(
            "Wrong PIN. {person} rests until a supervisor lifts the lock: somebody else signs.", person=person
        )
    if rests:
        minutes = rest_after(Kind.PIN, tries).seconds // 60
        return Phrase(
            "Wrong PIN. {person} rests for {minutes} minutes: somebody else signs.",
            person=person,
            minutes=minutes,
        )
    if tries + left >= MOST_WRONG_PINS:
        return Phrase(
            "Wrong PIN. After {left} more {person} rests until a supervisor lifts the lock.",
            left=left,
            person=person,
        )
    return Phrase(
        "Wrong PIN. After {left} more {person} rests for {minutes} minutes.",
        left=left,
        person=person,
        minutes=rest_after(Kind.PIN, tries + left).seconds // 60,
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
    stored = None if person is None else Pin.objects.filter(staff=person).first()
    if person is None or stored is None:
        make_password(_keyed(pin))  # takes as long as the check of a PIN that exists
    elif pin_opens(pin, stored):
        try_was_right(Kind.PIN, person)
        return True
    try_was_wrong(Kind.PIN, person, named, "pin_refuse", rooms=[] if room is None else [room])
    return False


def person_named(room: Room, named: str) -> Staff | None:
    """Return the active person with a role in `room` of this user name, in any case, else of this badge."""
    named = named.strip()
    if not named:
        return None
    here = Staff.objects.filter(is_active=True, pk__in=Employment.objects.filter(room=room).values("staff"))
    found = list(here.filter(username=named)[:1] or here.filter(username__iexact=named)[:2])
    if not found:
        badged = here.filter(badge=named)
        found = list(badged.filter(home=room)[:2] or badged[:2])
    return found[0] if len(found) == 1 else None


def _keyed(pin: str) -> str:
    return salted_hmac(_SALT, pin, algorithm="sha256").hexdigest()


def _sealed(hashed: str, person: Staff) -> str:
    seal = salted_hmac(f"{_SALT}.seal", f"{person.pk}:{hashed}", algorithm="sha256").hexdigest()[
        :_SEAL_DIGITS
    ]
    return f"{hashed}{_SEALED}{seal}"


def _is_date(pin: str) -> bool:
    """Tell whether four digits are a day of the year with its month, in either order."""
    if len(pin) != LEAST_DIGITS:
        return False
    one, other = int(pin[:2]), int(pin[2:])
    return (1 <= one <= 12 and 1 <= other <= 31) or (1 <= other <= 12 and 1 <= one <= 31)
