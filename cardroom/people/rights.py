"""Permissions: one table of the rights of each role. Pages, API and services all check here."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from cardroom.rooms.models import Room
from games.notices import in_a_row
from games.phrases import Phrase

from .models import Employment, Program, Role, Staff


class Right(StrEnum):
    """A permission in a room."""

    SEE_FLOOR = "see the floor"
    RUN_ROUNDS = "run rounds at a table"
    RUN_ROUNDS_ANYWHERE = "run rounds at any table, without a down there"
    SEAT_PLAYERS = "seat, move and leave players"
    KEEP_PLAYERS = "keep the room's players: add, name and merge them"
    CALL_WAITING = "call who waits for a seat"
    SEE_EXCLUSIONS = "see who is barred or self-excluded, and why"
    KEEP_EXCLUSIONS = "enter and lift exclusions of players"
    OPEN_TABLES = "open and close tables"
    SET_TABLES = "choose a table's filed game and fee schedule, and set its limits"
    CHANGE_DEALER = "start and end downs"
    TAKE_OVER = "take over a table in a push"
    ANSWER_ALERTS = "answer alerts"
    SUPERVISE = "supervise decks, recuts and stub counts"
    CONFIRM_WINS = "confirm progressive wins"
    KEEP_TRAY = "sign for the tray of a table that the house banks"
    WITNESS_RACK = "witness a count of a provider's rack"
    WAIVE_FEES = "waive a fee by a published rule"
    OVERRIDE_EXPIRY = "let somebody play or deal on an expired badge or permit"
    APPROVE_CORRECTION = "approve a correction"
    APPROVE_VOID_BEFORE_DEAL = "approve a void before the deal"
    APPROVE_VOID_AFTER_DEAL = "approve a void after the deal"
    RUN_SHIFTS = "open and close shifts"
    SEE_BOXES = "see where the drop boxes are"
    DROP_BOXES = "set and pull drop boxes"
    COUNT = "count the drop"
    RECOUNT = "recount a box whose two counts differ"
    CORRECT_COUNTS = "correct a verified count"
    SEE_COUNTS = "see what was counted"
    ANSWER_VARIANCES = "explain and escalate variances of the drop"
    SEE_OWN_TIPS = "see one's own tips"
    SEE_TIPS = "see everybody's tips and shares"
    KEEP_TIPS = "receive tips handed in, and enter the hours of support staff"
    CLOSE_TIPS = "share out the tips of a shift"
    SET_TIPS = "set how tips are shared"
    SEE_REPORTS = "see reports and exports"
    SEE_STATEMENTS = "see a provider's statement"
    TAKE_CLAIMS = "take a player's claim down"
    SEE_ITEMS = "see exceptions and what was done about them"
    WORK_ITEMS = "explain, refer and close exceptions"
    END_REVIEWS = "enter what a surveillance review of a claim found"
    SEE_OBLIGATIONS = "see the calendar of obligations"
    KEEP_OBLIGATIONS = "keep the calendar of obligations, and say what is done"
    TRY_AGAIN = "have failed work of the background tried again"
    SUBSCRIBE = "say who gets reports by email"
    VERIFY = "verify the journal"
    FILE_SCHEDULES = "draft and file games and fee schedules"
    APPROVE_FILING = "approve the filing or withdrawal of a game or fee schedule"
    LIFT_LOCKOUTS = "lift the lock on somebody's password or PIN"
    SEE_WHO_SIGNS = "see who is on duty, to sign and to be relieved"
    APPROVE_ADMINISTRATION = "sign for a role, an account or the room's settings"
    SET_PEOPLE = "keep people, tables and the room's settings"


_FLOOR = {Role.FLOOR, Role.SHIFT_MANAGER}
_OVERSIGHT = {Role.COMPLIANCE, Role.INSPECTOR}
#: Who sees what was played, collected, counted and tipped (4 CCR 12396: what the cameras must show).
_WATCHING = {Role.SURVEILLANCE} | _OVERSIGHT

#: Which roles hold which right. A right that is missing here is granted to no role.
RIGHTS: dict[Right, frozenset[Role]] = {
    Right.SEE_FLOOR: frozenset({Role.DEALER, Role.ROOM_MANAGER} | _FLOOR | _WATCHING),
    Right.RUN_ROUNDS: frozenset({Role.DEALER} | _FLOOR),
    Right.RUN_ROUNDS_ANYWHERE: frozenset(_FLOOR),
    Right.SEAT_PLAYERS: frozenset({Role.DEALER} | _FLOOR),
    Right.KEEP_PLAYERS: frozenset({Role.ROOM_MANAGER} | _FLOOR),
    # Whoever seats them, and who keeps the list.
    Right.CALL_WAITING: frozenset({Role.DEALER, Role.ROOM_MANAGER} | _FLOOR),
    Right.SEE_EXCLUSIONS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER} | _WATCHING),
    Right.KEEP_EXCLUSIONS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER, Role.COMPLIANCE}),
    Right.OPEN_TABLES: frozenset(_FLOOR),
    Right.SET_TABLES: frozenset({Role.ROOM_MANAGER} | _FLOOR),
    Right.CHANGE_DEALER: frozenset(_FLOOR),
    Right.TAKE_OVER: frozenset({Role.DEALER} | _FLOOR),
    Right.ANSWER_ALERTS: frozenset(_FLOOR),
    Right.SUPERVISE: frozenset(_FLOOR),
    Right.CONFIRM_WINS: frozenset(_FLOOR),
    Right.KEEP_TRAY: frozenset(_FLOOR),
    Right.WITNESS_RACK: frozenset(_FLOOR),
    Right.WAIVE_FEES: frozenset(_FLOOR),
    Right.OVERRIDE_EXPIRY: frozenset(_FLOOR),
    Right.APPROVE_CORRECTION: frozenset(_FLOOR),
    Right.APPROVE_VOID_BEFORE_DEAL: frozenset(_FLOOR),
    Right.APPROVE_VOID_AFTER_DEAL: frozenset({Role.SHIFT_MANAGER}),
    Right.RUN_SHIFTS: frozenset({Role.SHIFT_MANAGER}),
    Right.SEE_BOXES: frozenset({Role.COUNT, Role.ROOM_MANAGER} | _FLOOR | _WATCHING),
    Right.DROP_BOXES: frozenset({Role.COUNT} | _FLOOR),
    Right.COUNT: frozenset({Role.COUNT}),
    Right.RECOUNT: frozenset({Role.COUNT, Role.SHIFT_MANAGER}),
    Right.CORRECT_COUNTS: frozenset({Role.COUNT, Role.SHIFT_MANAGER}),
    Right.SEE_COUNTS: frozenset({Role.COUNT, Role.SHIFT_MANAGER, Role.ROOM_MANAGER} | _WATCHING),
    Right.ANSWER_VARIANCES: frozenset({Role.SHIFT_MANAGER, Role.COMPLIANCE}),
    Right.SEE_OWN_TIPS: frozenset(
        {Role.DEALER, Role.SUPPORT, Role.COUNT, Role.ROOM_MANAGER} | _FLOOR | _WATCHING
    ),
    Right.SEE_TIPS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER} | _WATCHING),
    Right.KEEP_TIPS: frozenset(_FLOOR),
    Right.CLOSE_TIPS: frozenset({Role.SHIFT_MANAGER}),
    Right.SET_TIPS: frozenset({Role.ROOM_MANAGER}),
    Right.SEE_REPORTS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER} | _WATCHING),
    # A provider lead's right is limited to their own firm: `cardroom.people.firms.providers_within`.
    Right.SEE_STATEMENTS: frozenset({Role.PROVIDER_LEAD, Role.ROOM_MANAGER} | _OVERSIGHT),
    Right.TAKE_CLAIMS: frozenset({Role.ROOM_MANAGER, Role.COMPLIANCE} | _FLOOR),
    Right.SEE_ITEMS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER} | _WATCHING),
    Right.WORK_ITEMS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER, Role.COMPLIANCE}),
    # Who looked at the recordings, and compliance, who asked and decides; not whoever ran the shift that a claim is about.
    Right.END_REVIEWS: frozenset({Role.SURVEILLANCE, Role.COMPLIANCE}),
    Right.SEE_OBLIGATIONS: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER} | _OVERSIGHT),
    Right.KEEP_OBLIGATIONS: frozenset({Role.ROOM_MANAGER, Role.COMPLIANCE}),
    Right.TRY_AGAIN: frozenset({Role.SHIFT_MANAGER, Role.ROOM_MANAGER, Role.COMPLIANCE}),
    Right.SUBSCRIBE: frozenset({Role.ROOM_MANAGER, Role.COMPLIANCE}),
    Right.VERIFY: frozenset({Role.COMPLIANCE, Role.INSPECTOR}),
    Right.FILE_SCHEDULES: frozenset({Role.COMPLIANCE, Role.ROOM_MANAGER}),
    Right.APPROVE_FILING: frozenset({Role.COMPLIANCE, Role.ROOM_MANAGER}),
    Right.LIFT_LOCKOUTS: frozenset({Role.ROOM_MANAGER} | _FLOOR),
    # Whoever gives what a second person signs, or signs it.
    Right.SEE_WHO_SIGNS: frozenset({Role.DEALER, Role.COUNT, Role.COMPLIANCE, Role.ROOM_MANAGER} | _FLOOR),
    Right.APPROVE_ADMINISTRATION: frozenset({Role.COMPLIANCE, Role.ROOM_MANAGER}),
    Right.SET_PEOPLE: frozenset({Role.ROOM_MANAGER}),
}

#: The roles that people are given.
PEOPLE_ROLES: tuple[Role, ...] = tuple(role for role in Role if role is not Role.PROGRAM)
#: What a program may be given (docs/programs.md). It reads, and keys what was played; it counts nothing, opens no shift, works
#: off nothing, keeps no people, and never decides or signs where the rules ask for a person.
PROGRAM_RIGHTS: tuple[Right, ...] = (
    Right.SEE_FLOOR,
    Right.SEE_BOXES,
    Right.SEE_COUNTS,
    Right.SEE_TIPS,
    Right.SEE_REPORTS,
    Right.SEE_STATEMENTS,
    Right.SEE_ITEMS,
    Right.SEE_OBLIGATIONS,
    Right.RUN_ROUNDS,
    Right.SEAT_PLAYERS,
    Right.KEEP_PLAYERS,
    Right.CALL_WAITING,
)
#: A program deals nowhere, so that it has no table of its own: what it may do at one it may do at each.
_WITH_IT = {Right.RUN_ROUNDS_ANYWHERE: Right.RUN_ROUNDS}


def scope_of(right: Right) -> str:
    """Return what a right is called in a program's list and in the API: `see_floor`."""
    return right.name.lower()


def roles_of(staff: Staff, room: Room) -> frozenset[Role]:
    """Return the roles that `staff` holds in `room`; none for someone who has left (an inactive account)."""
    if not staff.is_active or staff.pk is None:
        return frozenset()
    roles = Employment.objects.filter(staff=staff, room=room).order_by().values_list("role", flat=True)
    return frozenset(Role(role) for role in roles)


def roles_with(right: Right, also: Right | None = None) -> frozenset[Role]:
    """Return the roles that hold `right`, and `also` where it is given."""
    return RIGHTS[right] if also is None else RIGHTS[right] & RIGHTS[also]


def rooms_of(staff: Staff) -> list[Room]:
    """Return the rooms in which `staff` holds any role, by name."""
    if not staff.is_active or staff.pk is None:
        return []
    return list(Room.objects.filter(employments__staff=staff).distinct().order_by("name"))


def holds(roles: frozenset[Role], staff: Staff, right: Right) -> bool:
    """Tell whether `staff`, who holds `roles` in a room, has `right` there: by a role, or a program by its list."""
    if Role.PROGRAM in roles:
        return scope_of(_WITH_IT.get(right, right)) in program_rights(staff)
    return bool(roles & RIGHTS[right])


def program_rights(staff: Staff) -> frozenset[str]:
    """Return the rights that a program was given, as `scope_of` calls them; none for a person."""
    try:
        given = frozenset[str](staff.program.rights)
    except Program.DoesNotExist:
        return frozenset()
    return given & {scope_of(right) for right in PROGRAM_RIGHTS}


def why_not_may(staff: Staff, right: Right, room: Room) -> str | None:
    """Return None when `staff` holds `right` in `room`, else a sentence that says which roles do.

    Django's superuser flag opens the admin and grants nothing here: without a role in the room a person may
    do nothing at its tables.
    """
    return why_not_with(roles_of(staff, room), staff, right, room)


def why_not_with(roles: frozenset[Role], staff: Staff, right: Right, room: Room) -> str | None:
    """The same for roles already read: a page that checks many rights queries them once."""
    if holds(roles, staff, right):
        return None
    if Role.PROGRAM in roles:
        return (
            f"Not authorized to {right.value}: that is for {role_names(RIGHTS[right])}. {staff} is a program of {room} and was not "
            "given this right."
        )
    wanted, does = role_names(RIGHTS[right]), Phrase(right.value)
    if not roles:
        return Phrase(
            "Not authorized to {does}: that is for {wanted}. {staff} holds no role in {room}.",
            staff=staff,
            room=room,
            does=does,
            wanted=wanted,
        )
    return Phrase(
        "Not authorized to {does}: that is for {wanted}. {staff} is {mine} in {room}.",
        staff=staff,
        mine=role_names(roles),
        room=room,
        does=does,
        wanted=wanted,
    )


def role_names(roles: Iterable[Role]) -> str:
    """Return roles by their names: "Floor, Shift manager"."""
    return in_a_row(Phrase(label) for label in sorted(role.label for role in roles))


def may(staff: Staff, right: Right, room: Room) -> bool:
    """Tell whether `staff` holds `right` in `room`."""
    return why_not_may(staff, right, room) is None
