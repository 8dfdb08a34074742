"""Commands on the accounts of a room's people: made, changed, closed, opened again, handed over; passwords, factors, sessions.

Which room may change what of an account is said in `cardroom.people.accounts`, who signs in `cardroom.people.duties`.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final, TypedDict

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db.models import Model

from cardroom.core.json_types import Id, Label, Text
from cardroom.people.accounts import accounts_seen, may_change_account, may_change_person, rooms_kept_by
from cardroom.people.approval import signed_for_duty
from cardroom.people.duties import Duty
from cardroom.people.journal import person_data
from cardroom.people.models import Staff
from cardroom.people.passwords import NewPassword, Password
from cardroom.people.rights import Right
from cardroom.people.sessions import session_of
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, Forbidden, NotFound, NotNow
from ..execution.carry_out import journal_of_person, room_command, rooms_beside
from ..execution.locks import lock_row
from ..execution.transactions import RoomTransaction
from .second_person import signed_for

NAME_LENGTH: Final = 80
USER_NAME_LENGTH: Final = 150
BADGE_LENGTH: Final = 20
LICENCE_LENGTH: Final = 40
EMAIL_LENGTH: Final = 254

UserName = Annotated[str, Text(USER_NAME_LENGTH), Label(Phrase("User name")), "What they sign in with."]
PersonName = Annotated[
    str, Text(NAME_LENGTH), Label(Phrase("Name")), "As shown on table screens and reports."
]
Badge = Annotated[
    str,
    Text(BADGE_LENGTH, blank=True),
    Label(Phrase("Badge")),
    "As a reader types it; it signs at a table, with the person's PIN. One person's in a room.",
]
Email = Annotated[str, Text(EMAIL_LENGTH, blank=True), Label(Phrase("Email"))]
_ChangeSigned = Annotated[Staff, signed_for_duty(Duty.CHANGE_ACCOUNT)]
_PasswordSigned = Annotated[Staff, signed_for_duty(Duty.SET_PASSWORD)]
_FactorSigned = Annotated[Staff, signed_for_duty(Duty.TAKE_FACTOR_OFF)]


class StaffAnswer(TypedDict):
    """Whose account it was."""

    staff: int


def rooms_of_staff(room: int, inputs: Mapping[str, Any]) -> Collection[int]:
    """Return the further rooms of the person `staff_id`, whose journals have the entry too."""
    return rooms_beside(room, Staff.objects.filter(pk=inputs["staff_id"]).first())


@room_command(
    "POST staff",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="anybody may be given an account, which opens nothing without a role",
    title=Phrase("Make an account"),
    tag="People",
    example={"username": "kaguilar", "name": "Kim Aguilar", "password": "nine high straight beats it"},
    fresh=True,
)
def account_make(
    tx: RoomTransaction,
    *,
    username: UserName,
    name: PersonName,
    password: Password,
    badge: Badge = "",
    email: Email = "",
) -> StaffAnswer:
    """Make an account, which belongs to the room. The person sets a password of their own at the first sign-in."""
    person = Staff(
        username=username,
        display_name=name,
        badge=badge,
        email=email,
        home=tx.room,
        added_by=tx.actor,
        must_change_password=True,
    )
    _check_account(person)
    _check_password(password, person)
    person.password = password.hash
    person.save(force_insert=True)
    tx.journal("account_make", {"person": person_data(person)})
    return {"staff": person.pk}


@room_command(
    "PUT staff/{staff_id}",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person",
    title=Phrase("Change an account"),
    tag="People",
    example={"name": "Kim Aguilar", "badge": "101"},
    fresh=True,
    also=rooms_of_staff,
)
def account_set(
    tx: RoomTransaction,
    *,
    staff_id: Id,
    username: UserName | None = None,
    name: PersonName | None = None,
    badge: Badge | None = None,
    email: Email | None = None,
    opens_admin: Annotated[
        bool | None,
        Label(Phrase("may open the admin")),
        "Whether they may open the admin, which shows and searches.",
    ] = None,
    approver: _ChangeSigned | None = None,
) -> StaffAnswer:
    """Change who an account is; what is left out stays. A second person signs, where the room has one.

    Of somebody who works in other rooms too, the home room changes name and badge alone.
    """
    person = _account(tx, staff_id)
    given: dict[str, Any] = {
        "username": username,
        "display_name": name,
        "badge": badge,
        "email": email,
        "is_staff": opens_admin,
    }
    before = {column: getattr(person, column) for column in given}
    for column, value in given.items():
        if value is not None:
            setattr(person, column, value)
    _check_account(person)
    changed = changed_columns(person, before)
    if not changed:
        return {"staff": person.pk}
    if changed.keys() <= {"display_name", "badge"}:
        _check_keeps_person(tx, person)
    else:
        _check_keeps_account(tx, person)
    signed = signed_for(tx, Duty.CHANGE_ACCOUNT, approver, person)
    person.save(update_fields=list(changed))
    journal_of_person(
        tx, person, "account_set", {"person": person_data(person), "changed": changed, **signed}
    )
    return {"staff": person.pk}


@room_command(
    "PUT staff/{staff_id}/licence",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person",
    title=Phrase("Enter a licence"),
    tag="People",
    example={"number": "WP-20418", "expires": "2027-06-30"},
    fresh=True,
    also=rooms_of_staff,
)
def licence_set(
    tx: RoomTransaction,
    *,
    staff_id: Id,
    number: Annotated[str, Text(LICENCE_LENGTH, blank=True), Label(Phrase("Number"))],
    expires: Annotated[
        datetime.date | None, Label(Phrase("Valid through")), "Last day; without one it never expires here."
    ] = None,
) -> StaffAnswer:
    """Enter the key employee licence, or a permit that is not this room's own, of an account; no number takes it off."""
    person = _account(tx, staff_id)
    _check_keeps_person(tx, person)
    before = {column: getattr(person, column) for column in ("licence_number", "licence_expires")}
    person.licence_number, person.licence_expires = number, expires
    if changed := changed_columns(person, before):
        person.save(update_fields=list(changed))
        journal_of_person(tx, person, "licence_set", {"person": person_data(person), "changed": changed})
    return {"staff": person.pk}


@room_command(
    "POST staff/{staff_id}/close",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, whose account must be open",
    title=Phrase("Close the account"),
    tag="People",
    fresh=True,
    also=rooms_of_staff,
)
def account_close(tx: RoomTransaction, *, staff_id: Id) -> StaffAnswer:
    """Close an account at once: it opens nothing any more, and all its sessions end. Nobody else need be about."""
    person = _account(tx, staff_id)
    _check_keeps_account(tx, person)
    if not person.is_active:
        raise NotNow("account_closed", Phrase("The account of {person} is closed already.", person=person))
    person.is_active = False
    person.save(update_fields=["is_active"])
    journal_of_person(tx, person, "account_close", {"person": person_data(person)})
    return {"staff": person.pk}


@room_command(
    "POST staff/{staff_id}/open",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, whose account must be closed",
    title=Phrase("Open the account again"),
    tag="People",
    fresh=True,
    also=rooms_of_staff,
)
def account_open(
    tx: RoomTransaction,
    *,
    staff_id: Id,
    approver: _ChangeSigned | None = None,
) -> StaffAnswer:
    """Open a closed account again, with the roles that it holds; a second person signs, where the room has one."""
    person = _account(tx, staff_id)
    _check_keeps_account(tx, person)
    if person.is_active:
        raise NotNow("account_is_open", Phrase("The account of {person} is open.", person=person))
    signed = signed_for(tx, Duty.CHANGE_ACCOUNT, approver, person)
    person.is_active = True
    person.save(update_fields=["is_active"])
    journal_of_person(tx, person, "account_open", {"person": person_data(person), **signed})
    return {"staff": person.pk}


@room_command(
    "POST staff/{staff_id}/hand-over",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, who works in one other room alone",
    title=Phrase("Hand the account over"),
    tag="People",
    fresh=True,
    also=rooms_of_staff,
)
def account_hand_over(tx: RoomTransaction, *, staff_id: Id) -> StaffAnswer:
    """Hand the account of somebody who has left this room over to the one room that employs them now."""
    person = _account(tx, staff_id)
    rooms = list(Room.objects.filter(employments__staff=person).distinct()[:2])
    if len(rooms) != 1 or rooms[0] == tx.room:
        raise NotNow(
            "not_to_hand_over",
            Phrase(
                "{person}: an account is handed over when this room employs the person no more and one other does.",
                person=person,
            ),
        )
    [to] = rooms
    if person.badge and Staff.objects.filter(home=to, badge=person.badge).exists():
        raise NotNow(
            "badge_taken",
            Phrase(
                "{person}: somebody of that room has the badge {badge} already. Change it first.",
                person=person,
                badge=person.badge,
            ),
        )
    person.home = to
    person.save(update_fields=["home"])
    journal_of_person(tx, person, "account_hand_over", {"person": person_data(person), "to": str(to)})
    return {"staff": person.pk}


@room_command(
    "POST staff/{staff_id}/password",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person",
    title=Phrase("Set a password"),
    tag="People",
    example={"password": "nine high straight beats it"},
    fresh=True,
    also=rooms_of_staff,
)
def password_set(
    tx: RoomTransaction,
    *,
    staff_id: Id,
    password: Password,
    approver: _PasswordSigned | None = None,
) -> StaffAnswer:
    """Set the password of somebody who has forgotten theirs; a second person signs, where the room has one.

    Their sessions end, and they set a password of their own at the next sign-in. One's own is changed by oneself.
    """
    person = _account(tx, staff_id)
    if person == tx.actor:
        raise Forbidden(
            "own_account", Phrase("Change your own password under your own name in the bar, not here.")
        )
    _check_keeps_account(tx, person)
    _check_password(password, person)
    signed = signed_for(tx, Duty.SET_PASSWORD, approver, person)
    person.password, person.must_change_password = password.hash, True
    person.save(update_fields=["password", "must_change_password"])
    journal_of_person(tx, person, "password_set", {"person": person_data(person), **signed})
    return {"staff": person.pk}


@room_command(
    "POST staff/{staff_id}/second-factor-off",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, who must have set one up",
    title=Phrase("Take the second factor off"),
    tag="People",
    fresh=True,
    also=rooms_of_staff,
)
def second_factor_off(
    tx: RoomTransaction,
    *,
    staff_id: Id,
    approver: _FactorSigned | None = None,
) -> StaffAnswer:
    """Take the factors and recovery codes of somebody off who has lost them; a second person signs. Never one's own.

    The next sign-in sets another up, where the role needs one.
    """
    person = _account(tx, staff_id)
    if person == tx.actor:
        raise Forbidden(
            "own_account", Phrase("Nobody takes their own second factor off here: ask another room manager.")
        )
    _check_keeps_account(tx, person)
    factors = Authenticator.objects.filter(user=person)
    if not factors.exists():
        raise NotNow("no_second_factor", Phrase("{person} has no second factor.", person=person))
    signed = signed_for(tx, Duty.TAKE_FACTOR_OFF, approver, person)
    factors.delete()
    journal_of_person(tx, person, "second_factor_off", {"person": person_data(person), **signed})
    return {"staff": person.pk}


@room_command(
    "POST staff/{staff_id}/sessions/{session_id}/end",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, who must be signed in there",
    title=Phrase("End a session"),
    tag="People",
    also=rooms_of_staff,
)
def staff_session_end(tx: RoomTransaction, *, staff_id: Id, session_id: Id) -> StaffAnswer:
    """End one of the sessions of a person of the room at once; they sign in again, if they may."""
    person = _account(tx, staff_id)
    _check_keeps_person(tx, person)
    session = session_of(person, session_id)
    if session is None:
        raise NotFound("unknown_session", Phrase("{person} is not signed in there any more.", person=person))
    session.end()
    journal_of_person(tx, person, "staff_session_end", {"person": person_data(person), "of": session.ip})
    return {"staff": person.pk}


def check_valid(row: Model, columns: Mapping[str, str], **options: Any) -> None:
    """Raise BadInput for the first value of a row that its model does not take; `columns` are the inputs' names by column."""
    try:
        row.full_clean(**options)
    except ValidationError as refused:
        column, messages = next(iter(refused.message_dict.items()))
        raise BadInput("bad_value", " ".join(messages), path=columns.get(column, column)) from refused


def _account(tx: RoomTransaction, staff_id: int) -> Staff:
    """Lock and return the account of a person who is at home in the room; raises NotFound."""
    if not accounts_seen(Room.objects.filter(pk=tx.room.pk)).filter(pk=staff_id).exists():
        raise NotFound(
            "unknown_account", Phrase("No account of this room has the number {staff_id}.", staff_id=staff_id)
        )
    return lock_row(Staff, staff_id)


def _check_keeps_account(tx: RoomTransaction, person: Staff) -> None:
    """Raise Forbidden where other rooms have a say in the account, which the actor does not keep too."""
    if not may_change_account(person, rooms_kept_by(tx.actor)):
        raise Forbidden(
            "other_rooms",
            Phrase(
                "{person} works in other rooms too, which have a say in this account: no single room changes user name, "
                "email or password, nor closes it. All rooms together set a new password.",
                person=person,
            ),
        )


def _check_keeps_person(tx: RoomTransaction, person: Staff) -> None:
    """Raise Forbidden where the room employs the person no more, and others do."""
    if not may_change_person(person, rooms_kept_by(tx.actor)):
        raise Forbidden(
            "left_the_room",
            Phrase(
                "{person} works in other rooms alone: hand the account over to the room that employs them.",
                person=person,
            ),
        )


def _check_account(person: Staff) -> None:
    """Raise BadInput for a value that is none, or that another account has."""
    check_valid(
        person,
        {"display_name": "name", "is_staff": "opens_admin"},
        exclude={"password"},
        validate_unique=False,
        validate_constraints=False,
    )
    if Staff.objects.filter(username=person.username).exclude(pk=person.pk).exists():
        raise BadInput("username_taken", Phrase("Somebody has this user name already."), path="username")
    same = Staff.objects.filter(badge=person.badge, home=person.home_id).exclude(pk=person.pk)
    if person.badge and same.exists():
        raise BadInput("badge_taken", Phrase("Somebody of this room has this badge already."), path="badge")


def _check_password(password: NewPassword, person: Staff) -> None:
    if why := password.why_not(person):
        raise BadInput("bad_password", why, path="password")


def changed_columns(row: Model, before: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the columns that differ from `before`, each as it was and as it is, in words."""
    after = {column: getattr(row, column) for column in before}
    return {name: [str(was), str(after[name])] for name, was in before.items() if was != after[name]}
