"""Entries about people in the journals of their rooms: sign-ins and failures, lockouts, factors, accounts and roles.

A person's entries are in the chain of each room that employs them and of their home room; those of an administrator of
the site in the chain of every room. The chains are kept by `cardroom.floor`, which registers how they are written.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from django.http import HttpRequest

from cardroom.rooms.models import Room

from .models import Staff

logger = logging.getLogger(__name__)

#: The session's key of the table at whose tablet a PIN opened it.
TABLE = "pin_table"

#: Sign-ins and what belongs to them, as the access report words them.
SIGN_INS = {
    "sign_in": "signed in",
    "sign_in_fail": "failed to sign in",
    "sign_in_afresh": "signed in afresh",
    "sign_out": "signed out",
    "session_end": "ended a session of their own elsewhere",
    "session_unlock": "unlocked a session",
    "tablet_take": "took over a table's tablet",
    "pin_refuse": "gave a wrong PIN",
    "lockout_begin": "was locked out",
    "lockout_end": "was let in again after a lockout",
}
#: What changes who may do what.
ADMINISTRATION = {
    "lockout_lift": "lifted a lock",
    "account_make": "made an account",
    "account_set": "changed an account",
    "staff_import": "imported a file of staff",
    "account_close": "closed an account",
    "account_open": "opened an account again",
    "licence_set": "entered a licence",
    "permit_set": "entered a work permit",
    "staff_session_end": "ended a session of somebody",
    "account_hand_over": "handed an account over",
    "role_give": "gave or changed a role",
    "role_take": "took a role away",
    "password_set": "set a password",
    "password_ask": "asked for a password of several rooms",
    "password_consent": "consented to a password of several rooms",
    "password_refuse": "refused a password of several rooms",
    "password_change": "changed their own password",
    "pin_set": "set their own PIN",
    "pins_set_up": "set up people with a PIN, by manage.py",
    "second_factor_add": "set a second factor up",
    "second_factor_remove": "removed a second factor of their own",
    "second_factor_off": "took somebody's second factor off",
    "recovery_codes_make": "made new recovery codes",
    "program_make": "made a program",
    "program_token_make": "made a token of a program",
    "program_token_revoke": "revoked a token of a program",
    "program_end": "ended a program",
    "webhook_make": "made a webhook of a program",
    "webhook_secret_make": "made another secret of a webhook",
    "webhook_end": "ended a webhook",
    "room_set": "changed the room's settings",
    "table_add": "added a table",
    "table_number_set": "renumbered a table",
    "exclusions_look": "looked at who may not play",
    "evidence_bundle": "drew a bundle for an inspector",
}


class JournalBusy(Exception):
    """A room's journal was busy for too long; nothing was written."""


#: Locks rooms, lets what is done inside write its rows, and writes the entry into the chain of each of them, which
#: covers those rows. Raises JournalBusy.
Keeper = Callable[[list[Room], Staff, str, dict[str, Any]], AbstractContextManager[None]]
_keepers: list[Keeper] = []


def register_journal(keep: Keeper) -> None:
    """Let `keep` write the entries; a later registration takes the place of an earlier one."""
    _keepers[:] = [keep]


@contextmanager
def journalled(rooms: Iterable[Room], by: Staff, command: str, data: dict[str, Any]) -> Iterator[None]:
    """Do what is inside under the locks of `rooms`, and write the entry as it ends; `data` may be added to inside."""
    apart = sorted({room.pk: room for room in rooms}.values(), key=lambda room: room.pk)
    if not apart:
        yield
        return
    with _keepers[0](apart, by, command, data):
        yield


def administration_noted(room: Room, by: Staff, command: str, data: dict[str, Any]) -> None:
    """Write what the administration did into the room's journal."""
    with journalled([room], by, command, data):
        pass


def sign_in_noted(
    person: Staff, command: str, data: dict[str, Any] | None = None, *, rooms: Iterable[Room] = ()
) -> None:
    """Write what a person did to sign in, or somebody under their name, into the chains of their rooms, and `rooms`.

    Whoever is signed in at that browser commands; where nobody is, the person. Nobody is kept from signing in by a journal
    that is busy: after a second try the entry is left out, and the server's log has it as an error.
    """
    by = who_sits_there() or person
    every = {room.pk: room for room in (*rooms_of_person(person), *rooms)}
    noted = {"person": person_data(person), **(data or {}), **_origin()}
    for room in sorted(every.values(), key=lambda room: room.pk):
        if not (_written(room, by, command, noted) or _written(room, by, command, noted)):
            logger.error(
                "the journal of %s was busy and has no entry of: %s %s by %s", room, command, noted, by
            )


def _written(room: Room, by: Staff, command: str, data: dict[str, Any]) -> bool:
    try:
        administration_noted(room, by, command, data)
    except JournalBusy:
        return False
    return True


def stranger_noted(what: str) -> None:
    """Log a try under a name that is nobody's. It concerns no room, and what was typed may be a password."""
    logger.warning("%s under a name that is nobody's, from %s", what, _origin().get("address", "nowhere"))


def rooms_of_person(person: Staff) -> list[Room]:
    """Return the rooms whose journals record a person: those of their roles and their home; all, of the site's."""
    if person.is_superuser:
        return list(Room.objects.order_by("pk"))
    found = {room.pk: room for room in Room.objects.filter(employments__staff_id=person.pk)}
    if person.home is not None:
        found[person.home.pk] = person.home
    return sorted(found.values(), key=lambda room: room.pk)


def person_data(person: Staff | None) -> dict[str, Any] | None:
    """Return a person as the journal names them."""
    return None if person is None else {"id": person.pk, "name": str(person)}


def who_sits_there() -> Staff | None:
    """Return who is signed in at the browser that sends the present request; None outside of one."""
    user = getattr(context.request, "user", None)
    return user if isinstance(user, Staff) else None


def _origin() -> dict[str, Any]:
    """Where a request comes from: its address, and the table whose tablet a PIN opened."""
    request: HttpRequest | None = context.request
    if request is None:
        return {}
    found = {"address": get_adapter().get_client_ip(request), "table": _table(request)}
    return {name: value for name, value in found.items() if value}


def _table(request: HttpRequest) -> int | None:
    match = request.resolver_match
    at: int | None = None if match is None else match.kwargs.get("table_id")
    return at or (request.session.get(TABLE) if hasattr(request, "session") else None)
