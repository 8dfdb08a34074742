"""Commands on a new password of somebody who works in several rooms: one room asks, each other one consents or refuses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypedDict

from cardroom.core.json_types import Id, Reason
from cardroom.people.accounts import (
    RESET_HOURS,
    lapsed_since,
    rooms_of_account,
    why_not_reset,
)
from cardroom.people.journal import person_data
from cardroom.people.models import Employment, PasswordConsent, PasswordReset, Staff
from cardroom.people.passwords import Password
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, Forbidden, NotFound, NotNow
from ..execution.carry_out import journal_of_person, room_command, rooms_beside
from ..execution.locks import lock_row
from ..execution.transactions import RoomTransaction
from .accounts import rooms_of_staff
from .second_person import given_reason


class ResetAnswer(TypedDict):
    """Which request it was, and whose password it is about."""

    reset: int
    staff: int
    #: `waiting`, `done` or `refused`.
    state: str


def _rooms_of_reset(room: int, inputs: Mapping[str, Any]) -> Collection[int]:
    found = PasswordReset.objects.select_related("staff__home").filter(pk=inputs["reset_id"]).first()
    return rooms_beside(room, None if found is None else found.staff)


@room_command(
    "POST staff/{staff_id}/password-resets",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, who works in several rooms",
    title=Phrase("Ask for a new password"),
    tag="People",
    example={"password": "nine high straight beats it", "reason": "forgot it"},
    fresh=True,
    also=rooms_of_staff,
)
def password_ask(tx: RoomTransaction, *, staff_id: Id, password: Password, reason: Reason) -> ResetAnswer:
    """Ask for a new password of somebody who works in several rooms: it is set once a manager of each other room has consented.

    A request lapses after 24 hours; meanwhile the account keeps its password.
    """
    if not Employment.objects.filter(staff=staff_id, room=tx.room).exists():
        raise NotFound(
            "unknown_person",
            Phrase("Nobody of this room's staff has the number {staff_id}.", staff_id=staff_id),
        )
    person = lock_row(Staff, staff_id)
    if why := why_not_reset(person, tx.room):
        raise NotNow("no_reset", why)
    reason = given_reason(reason, Phrase("A new password"))
    if why := password.why_not(person):
        raise BadInput("bad_password", why, path="password")
    waiting = PasswordReset.objects.filter(staff=person, state=PasswordReset.State.WAITING).first()
    if waiting is not None and waiting.asked_at > lapsed_since(tx.now):
        raise NotNow(
            "reset_waits",
            Phrase(
                "A new password of {person} waits for a room's consent already. Let it be answered first.",
                person=person,
            ),
        )
    if waiting is not None:
        _end(tx, waiting, PasswordReset.State.REFUSED)
    reset = PasswordReset.objects.create(
        staff=person,
        room=tx.room,
        reason=reason,
        password=password.hash,
        asked_by=tx.actor,
        asked_at=tx.now,
    )
    PasswordConsent.objects.create(reset=reset, room=tx.room, given_by=tx.actor, given_at=tx.now)
    journal_of_person(tx, person, "password_ask", {"person": person_data(person), "reason": reason})
    return _answer(reset)


@room_command(
    "POST password-resets/{reset_id}/consent",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the request, which waits for this room",
    title=Phrase("Consent to a new password"),
    tag="People",
    fresh=True,
    also=_rooms_of_reset,
)
def password_consent(tx: RoomTransaction, *, reset_id: Id) -> ResetAnswer:
    """Consent for this room; the last room's consent sets the password, and ends every session of the person.

    One person consents for one room: who asked can never consent for another.
    """
    reset = _waiting(tx, reset_id)
    if reset.consents.filter(given_by=tx.actor).exists():
        raise Forbidden(
            "second_person_required",
            Phrase("Whoever asked for a new password may not confirm it: ask a second person."),
        )
    rooms = rooms_of_account(reset.staff)
    consented = set(reset.consents.values_list("room_id", flat=True))
    if tx.room.pk in consented:
        raise NotNow("room_consented", Phrase("{room} has consented already.", room=tx.room))
    if why := why_not_reset(reset.staff, reset.room):
        raise NotNow("no_reset", why)
    PasswordConsent.objects.create(reset=reset, room=tx.room, given_by=tx.actor, given_at=tx.now)
    data: dict[str, Any] = {"person": person_data(reset.staff)}
    if rooms <= consented | {tx.room.pk}:
        person = reset.staff
        person.password = reset.password  # the hash; every session of the person ends with it
        person.must_change_password = True
        person.save(update_fields=["password", "must_change_password"])
        _end(tx, reset, PasswordReset.State.DONE)
        data["outcome"] = "the password is set"
        data["approved_by"] = [person_data(each.given_by) for each in reset.consents.all()]
    journal_of_person(tx, reset.staff, "password_consent", data)
    return _answer(reset)


@room_command(
    "POST password-resets/{reset_id}/refuse",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the request, which waits",
    title=Phrase("Refuse a new password"),
    tag="People",
    fresh=True,
    also=_rooms_of_reset,
)
def password_refuse(tx: RoomTransaction, *, reset_id: Id) -> ResetAnswer:
    """End a request without a new password: any room of the person may, the one that asked too."""
    reset = _waiting(tx, reset_id)
    _end(tx, reset, PasswordReset.State.REFUSED)
    journal_of_person(tx, reset.staff, "password_refuse", {"person": person_data(reset.staff)})
    return _answer(reset)


def _waiting(tx: RoomTransaction, reset_id: int) -> PasswordReset:
    """Lock the person of a request, and return the request, which still waits; of people of other rooms there is none."""
    found = PasswordReset.objects.select_related("staff").filter(pk=reset_id).first()
    if found is None or tx.room.pk not in rooms_of_account(found.staff):
        raise NotFound(
            "unknown_reset", Phrase("There is no request {reset_id} for a new password.", reset_id=reset_id)
        )
    person = lock_row(Staff, found.staff_id)
    reset = PasswordReset.objects.select_related("room").get(pk=reset_id)
    reset.staff = person
    if reset.state != PasswordReset.State.WAITING:
        raise NotNow("reset_ended", Phrase("This request has been answered already."))
    if reset.asked_at <= lapsed_since(tx.now):
        raise NotNow(
            "reset_lapsed",
            Phrase("This request is older than {hours} hours. Ask for it again.", hours=RESET_HOURS),
        )
    return reset


def _end(tx: RoomTransaction, reset: PasswordReset, state: str) -> None:
    reset.state, reset.ended_by, reset.ended_at, reset.password = state, tx.actor, tx.now, ""
    reset.save(update_fields=["state", "ended_by", "ended_at", "password"])


def _answer(reset: PasswordReset) -> ResetAnswer:
    return {"reset": reset.pk, "staff": reset.staff_id, "state": reset.state}
