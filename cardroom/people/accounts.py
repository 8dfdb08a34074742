"""Account permissions of rooms: which room may change what of an account, and whom it may employ.

An account belongs to its `home` room, and to every room that employs the person. A manager of all of these rooms may
change all of it. A person employed in several rooms has a password that no single room can change: the person does, or
all rooms together (`cardroom.floor.commands.password_resets`). The home room may still change name, badge and licence; the
other rooms see the roles that they gave and nothing else of the account.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from cardroom.rooms.models import Room
from games.phrases import Phrase

from .journal import journalled, person_data, rooms_of_person
from .models import Employment, PasswordConsent, PasswordReset, Staff
from .rights import RIGHTS, Right, may

#: A request for a new password that the other rooms have not confirmed within so many hours is void.
RESET_HOURS = 24


def rooms_of_account(staff: Staff) -> set[int]:
    """Return the ids of the account's rooms: its home, and those that employ the person."""
    rooms = set(Employment.objects.filter(staff=staff).values_list("room_id", flat=True))
    return rooms | ({staff.home_id} if staff.home_id is not None else set())


def accounts_seen(kept: QuerySet[Room]) -> QuerySet[Staff]:
    """Return the accounts that managers of the rooms `kept` see: those at home there, except site administrators.

    A person at home elsewhere, or nowhere, whom one of the rooms employs appears in its list of roles alone.
    """
    return Staff.objects.filter(home__in=kept, is_superuser=False)


def may_change_account(staff: Staff, kept: Collection[int]) -> bool:
    """Tell whether managers of the rooms `kept` (ids) may change all of the account, the password included."""
    rooms = rooms_of_account(staff)
    return bool(rooms) and rooms <= set(kept) and not staff.is_superuser


def may_change_person(staff: Staff, kept: Collection[int]) -> bool:
    """Tell whether managers of the rooms `kept` may change name, badge and licence: the home room, or all rooms."""
    if staff.is_superuser:
        return False
    if may_change_account(staff, kept):
        return True
    return staff.home_id in set(kept) and Employment.objects.filter(staff=staff, room=staff.home_id).exists()


def rooms_kept_by(staff: Staff) -> set[int]:
    """Return the ids of the rooms whose people `staff` keeps."""
    if not staff.is_active:
        return set()
    kept = Employment.objects.filter(staff=staff, role__in=RIGHTS[Right.SET_PEOPLE])
    return set(kept.values_list("room_id", flat=True))


def person_to_employ(named: str) -> Staff | None:
    """Return the active account whose user name or badge is exactly `named`, for a role in the asker's own room.

    Accounts that belong to no room are left to the administrators of the site. None, without saying which, where there is no
    such account, several with that badge, or one that a room may not employ.
    """
    named = named.strip()
    candidates = Staff.objects.filter(is_active=True, is_superuser=False, home__isnull=False)
    found = list(candidates.filter(Q(username=named) | Q(badge=named))[:2]) if named else []
    exact = [staff for staff in found if staff.username == named] or found
    return exact[0] if len(exact) == 1 else None


def why_not_reset(staff: Staff, room: Room) -> str | None:
    """Return why managers of `room` may not ask the other rooms to reset the password of `staff`; None if they may."""
    employers = set(Employment.objects.filter(staff=staff).values_list("room_id", flat=True))
    if room.pk not in employers:
        return Phrase("{staff} holds no role in {room}.", staff=staff, room=room)
    if staff.is_superuser or not staff.is_active:
        return Phrase("The account of {staff} is kept by the administrators of the site.", staff=staff)
    if rooms_of_account(staff) == {room.pk}:
        return Phrase(
            "No other room has a say in the account of {staff}: set the password itself.", staff=staff
        )
    return None


def lapsed_since(now: datetime.datetime) -> datetime.datetime:
    """Return the instant before which a request for a new password was made that has lapsed by `now`."""
    return now - datetime.timedelta(hours=RESET_HOURS)


def resets_waiting(room: Room, now: datetime.datetime) -> QuerySet[PasswordReset]:
    """Return the requests for new passwords of people of `room` that wait for a room's consent."""
    employed = Employment.objects.filter(room=room).values("staff")
    waiting = PasswordReset.objects.filter(
        state=PasswordReset.State.WAITING, asked_at__gt=lapsed_since(now)
    ).select_related("staff", "room", "asked_by")
    return waiting.filter(Q(staff__in=employed) | Q(staff__home=room))


class AccountRefused(Exception):
    """A change of an account is refused; the message is a sentence for people, `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def reset_waits(staff: Staff) -> bool:
    """Tell whether a password reset of `staff` is pending."""
    waiting = PasswordReset.objects.filter(staff=staff, state=PasswordReset.State.WAITING)
    return waiting.filter(asked_at__gt=lapsed_since(timezone.now())).exists()


@sensitive_variables("password")
def reset_ask(*, staff: Staff, room: Room, by: Staff, password: str, reason: str) -> PasswordReset:
    """Request a new password of `staff`, which the other rooms have to confirm. Raises AccountRefused.

    An earlier pending request is withdrawn if it has expired; otherwise the new one is refused.
    """
    if not may(by, Right.SET_PEOPLE, room):
        raise AccountRefused("forbidden", f"{by} does not keep the people of {room}.")
    if why := why_not_reset(staff, room):
        raise AccountRefused("no_reset", why)
    now = timezone.now()
    data = {"person": person_data(staff), "reason": reason}
    try:
        with journalled(rooms_of_person(staff), by, "password_ask", data), transaction.atomic():
            for lapsed in PasswordReset.objects.filter(
                staff=staff, state=PasswordReset.State.WAITING, asked_at__lte=lapsed_since(now)
            ):
                _end(lapsed, PasswordReset.State.REFUSED, by, now)
            reset = PasswordReset.objects.create(
                staff=staff,
                room=room,
                reason=reason,
                password=make_password(password),
                asked_by=by,
                asked_at=now,
            )
            PasswordConsent.objects.create(reset=reset, room=room, given_by=by, given_at=now)
    except IntegrityError as error:
        raise AccountRefused("reset_waits", reset_waits_words(staff)) from error
    return reset


def reset_confirm(*, reset_id: int, by: Staff) -> PasswordReset:
    """Consent for the rooms that `by` manages; the last room's consent sets the password. Raises AccountRefused.

    One person consents for one room: the one who asked can never confirm.
    """
    data: dict[str, Any] = {}
    with journalled(_rooms_of(reset_id), by, "password_consent", data), transaction.atomic():
        reset = _waiting(reset_id)
        now = timezone.now()
        data["person"] = person_data(reset.staff)
        rooms = rooms_of_account(reset.staff)
        consented = set(reset.consents.values_list("room_id", flat=True))
        mine = [
            room
            for room in Room.objects.filter(pk__in=rooms - consented).order_by("pk")
            if may(by, Right.SET_PEOPLE, room)
        ]
        if not mine:
            raise AccountRefused(
                "forbidden", "None of the rooms whose consent is missing has you as its room manager."
            )
        if reset.consents.filter(given_by=by).exists():
            raise AccountRefused(
                "second_person_required",
                "Whoever asked for a new password may not confirm it: ask a second person.",
            )
        if why := why_not_reset(reset.staff, reset.room):
            raise AccountRefused("no_reset", why)
        PasswordConsent.objects.create(reset=reset, room=mine[0], given_by=by, given_at=now)
        if rooms <= consented | {mine[0].pk}:
            staff = reset.staff
            staff.password = reset.password  # the hash; every session of the person ends with it
            staff.must_change_password = True
            staff.save(update_fields=["password", "must_change_password"])
            _end(reset, PasswordReset.State.DONE, by, now)
            data["outcome"] = "the password is set"
            data["approved_by"] = [person_data(each.given_by) for each in reset.consents.all()]
        return reset


def reset_refuse(*, reset_id: int, by: Staff) -> PasswordReset:
    """End a request without a new password: any room of the person may, the one that asked too. Raises AccountRefused."""
    data: dict[str, Any] = {}
    with journalled(_rooms_of(reset_id), by, "password_refuse", data), transaction.atomic():
        reset = _waiting(reset_id)
        data["person"] = person_data(reset.staff)
        rooms = Room.objects.filter(pk__in=rooms_of_account(reset.staff))
        if not any(may(by, Right.SET_PEOPLE, room) for room in rooms):
            raise AccountRefused("forbidden", "None of this person's rooms has you as its room manager.")
        _end(reset, PasswordReset.State.REFUSED, by, timezone.now())
        return reset


def reset_waits_words(staff: Staff) -> str:
    """Return the refusal of a second request."""
    return f"A new password of {staff} waits for a room's consent already. Let it be answered first."


def _rooms_of(reset_id: int) -> list[Room]:
    """Return the rooms whose journals record a request, if there is one."""
    found = PasswordReset.objects.select_related("staff__home").filter(pk=reset_id).first()
    return [] if found is None else rooms_of_person(found.staff)


def _waiting(reset_id: int) -> PasswordReset:
    found = (
        PasswordReset.objects.select_for_update(of=("self",), no_key=True)
        .select_related("staff", "room")
        .filter(pk=reset_id)
        .first()
    )
    if found is None:
        raise AccountRefused("not_found", f"There is no request {reset_id} for a new password.")
    if found.state != PasswordReset.State.WAITING:
        raise AccountRefused("reset_ended", "This request has been answered already.")
    if found.asked_at <= lapsed_since(timezone.now()):
        raise AccountRefused(
            "reset_lapsed", f"This request is older than {RESET_HOURS} hours. Ask for it again."
        )
    return found


def _end(reset: PasswordReset, state: str, by: Staff, at: datetime.datetime) -> None:
    reset.state, reset.ended_by, reset.ended_at, reset.password = state, by, at, ""
    reset.save(update_fields=["state", "ended_by", "ended_at", "password"])
