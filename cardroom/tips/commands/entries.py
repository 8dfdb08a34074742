"""Commands that enter tips that dealers hand in and hours of support staff, or take either back."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, TypeVar

from cardroom.core.json_types import REASON_LENGTH, Cents, Id, Note, Signature, Text, Whole
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Down, Shift
from cardroom.people.models import Role, Staff
from cardroom.people.rights import Right, why_not_may

from ..checks import why_not_reverse, why_not_support, why_not_touch
from ..models import HandIn, WorkedHours
from ..reads.pools import pool_sheet_of, roles_held, shift_of
from ..reads.rules import rule_on

E = TypeVar("E", HandIn, WorkedHours)

_Approval = Annotated[Staff, Signature(right=Right.KEEP_TIPS)]

#: More than any dealer is given in a shift.
MOST_TIP_CENTS = 100_000_000
MOST_MINUTES = 24 * 60
WORK_LENGTH = 60
#: A number of minutes or basis points is refused with a reason far below this.
MOST = 10**9


class HandInAnswer(TypedDict):
    """Tips were received, or taken back."""

    hand_in: int


class HoursAnswer(TypedDict):
    """Hours were entered, or taken back."""

    hours: int


@room_command(
    "POST shifts/{shift_id}/hand-ins",
    Right.KEEP_TIPS,
    bumps_version=False,
    no_check="it depends on the shift: why_not_touch",
    title="Receive tips from a dealer",
    tag="Tips",
    example={"dealer_id": 4, "cents": 1250},
)
def tips_hand_in(
    tx: RoomTransaction,
    *,
    shift_id: Id,
    dealer_id: Id,
    cents: Cents,
    down_id: Annotated[Id, "The down in which they were given, where it is known."] | None = None,
) -> HandInAnswer:
    """Receive tips in cents from a dealer for a shift; the actor is the one who received them.

    `down_id` is the down of the dealer in which they were given, where it is known. Raises NotNow once the tips of the
    shift were shared out.
    """
    shift = _open_for(tx, shift_id)
    if type(cents) is not int or not 0 < cents <= MOST_TIP_CENTS:
        raise BadInput(
            "bad_amount", f"An amount is above 0 and at most ${MOST_TIP_CENTS // 100:,}.", path="cents"
        )
    dealer = _person(tx, dealer_id, "dealer_id")
    roles = roles_held(tx.room).get(dealer.pk, set())
    if Role.DEALER not in roles:
        raise BadInput("unknown_dealer", f"{dealer} does not deal in this room.", path="dealer_id")
    if dealer.pk == tx.actor.pk:
        raise Forbidden("same_person", "Somebody else than the dealer receives the tips.", path="dealer_id")
    down = _down(tx, shift, dealer, down_id)
    made = HandIn.objects.create(
        room=tx.room, shift=shift, dealer=dealer, down=down, cents=cents, received_by=tx.actor, made_at=tx.now
    )
    tx.journal(
        "tips_hand_in",
        {
            "hand_in": made.pk,
            "shift": shift.pk,
            "dealer": dealer.pk,
            "dealer_name": str(dealer),
            "down": down_id,
            "cents": cents,
        },
    )
    return {"hand_in": made.pk}


@room_command(
    "POST hand-ins/{hand_in_id}/reverse",
    Right.KEEP_TIPS,
    bumps_version=False,
    no_check="it depends on the entry: why_not_reverse",
    title="Reverse a hand-in",
    tag="Tips",
    example={"reason": "counted twice"},
)
def hand_in_reverse(
    tx: RoomTransaction, *, hand_in_id: Id, reason: Note, approver: _Approval
) -> HandInAnswer:
    """Take a mistaken hand-in back, whole, with a reason and a second person; what should stand is entered anew."""
    entry = HandIn.objects.filter(room=tx.room, pk=hand_in_id).select_related("shift", "dealer").first()
    if entry is None:
        raise NotFound("not_found", f"This room has no hand-in {hand_in_id}.")
    of = {"dealer": entry.dealer, "down_id": entry.down_id, "received_by": tx.actor}
    made = _reversed(tx, entry, reason, approver, **of, cents=-entry.cents)
    data = {"hand_in": made.pk, "reverses": entry.pk, "dealer": entry.dealer_id, "cents": made.cents}
    tx.journal("hand_in_reverse", {**data, **_signed(approver)}, reason=made.reason)
    return {"hand_in": made.pk}


@room_command(
    "POST shifts/{shift_id}/hours",
    Right.KEEP_TIPS,
    bumps_version=False,
    no_check="it depends on the shift and the person: why_not_touch, why_not_support",
    title="Enter hours of one of the support staff",
    tag="Tips",
    example={"staff_id": 9, "minutes": 480, "work": "chip runner"},
)
def hours_enter(
    tx: RoomTransaction,
    *,
    shift_id: Id,
    staff_id: Id,
    minutes: Annotated[int, Whole(-MOST, MOST)],
    work: Annotated[str, Text(WORK_LENGTH, blank=True), "As what: chip runner, host."],
) -> HoursAnswer:
    """Enter how many minutes one of the support staff worked in a shift, and as what.

    Raises NotNow for a supervisor (Lab. Code 351) and for a person who has no part under the rule of the shift.
    """
    shift = _open_for(tx, shift_id)
    work = work.strip()
    if not work or len(work) > WORK_LENGTH:
        raise BadInput("bad_work", f"Say in 1 to {WORK_LENGTH} characters what the work was.", path="work")
    staff = _person(tx, staff_id, "staff_id")
    if why := why_not_support(
        staff, roles_held(tx.room).get(staff.pk, set()), rule_on(tx.room, shift.gaming_day)
    ):
        raise NotNow(why.code, why.message, path="staff_id")
    if staff.pk == tx.actor.pk:
        raise Forbidden("same_person", "Nobody enters their own hours. Somebody else does.", path="staff_id")
    before = sum(WorkedHours.objects.filter(shift=shift, staff=staff).values_list("minutes", flat=True))
    if type(minutes) is not int or not 0 < minutes <= MOST_MINUTES - before:
        raise BadInput(
            "bad_minutes",
            "Hours are above 0, and a person works 24 in a shift at the most"
            + (f": {before} minutes are entered already." if before else "."),
            path="minutes",
        )
    made = WorkedHours.objects.create(
        room=tx.room, shift=shift, staff=staff, work=work, minutes=minutes, made_by=tx.actor, made_at=tx.now
    )
    tx.journal(
        "hours_enter",
        {
            "hours": made.pk,
            "shift": shift.pk,
            "staff": staff.pk,
            "staff_name": str(staff),
            "work": work,
            "minutes": minutes,
        },
    )
    return {"hours": made.pk}


@room_command(
    "POST hours/{hours_id}/reverse",
    Right.KEEP_TIPS,
    bumps_version=False,
    no_check="it depends on the entry: why_not_reverse",
    title="Reverse hours",
    tag="Tips",
    example={"reason": "counted twice"},
)
def hours_reverse(tx: RoomTransaction, *, hours_id: Id, reason: Note, approver: _Approval) -> HoursAnswer:
    """Take mistaken hours back, whole, with a reason and a second person; what should stand is entered anew."""
    entry = WorkedHours.objects.filter(room=tx.room, pk=hours_id).select_related("shift", "staff").first()
    if entry is None:
        raise NotFound("not_found", f"This room has no hours {hours_id}.")
    of = {"staff": entry.staff, "work": entry.work, "made_by": tx.actor}
    made = _reversed(tx, entry, reason, approver, **of, minutes=-entry.minutes)
    data = {"hours": made.pk, "reverses": entry.pk, "staff": entry.staff_id, "minutes": made.minutes}
    tx.journal("hours_reverse", {**data, **_signed(approver)}, reason=made.reason)
    return {"hours": made.pk}


def _open_for(tx: RoomTransaction, shift_id: int) -> Shift:
    """Return the shift of the room to which something is to be entered."""
    shift = shift_of(tx.room, shift_id)
    if why := why_not_touch(shift, pool_sheet_of(shift)):
        raise NotNow(why.code, why.message, path="shift_id")
    return shift


def _person(tx: RoomTransaction, staff_id: int, path: str) -> Staff:
    people = Staff.objects.filter(employments__room=tx.room, program__isnull=True)
    staff = people.filter(pk=staff_id).distinct().first()
    if staff is None:
        raise BadInput("unknown_person", f"Nobody with number {staff_id} works in this room.", path=path)
    return staff


def _down(tx: RoomTransaction, shift: Shift, dealer: Staff, down_id: int | None) -> Down | None:
    if down_id is None:
        return None
    down = Down.objects.filter(room=tx.room, pk=down_id, dealer=dealer).first()
    over = shift.closed_at or tx.now
    if down is None or down.started_at > over or (down.ended_at and down.ended_at < shift.opened_at):
        raise BadInput("unknown_down", f"{dealer} had no down {down_id} in {shift}.", path="down_id")
    return down


def _reversed(tx: RoomTransaction, entry: E, reason: str, approver: Staff, **own: Any) -> E:
    """Write the row that takes `entry` back; `own` are the columns that only its model has."""
    reversed_before = type(entry)._default_manager.filter(reverses_id=entry.pk).exists()
    if why := why_not_touch(entry.shift, pool_sheet_of(entry.shift)) or why_not_reverse(
        entry, reversed_before
    ):
        raise NotNow.because(why)
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH:
        raise BadInput(
            "bad_reason", f"Say in 1 to {REASON_LENGTH} characters why it is reversed.", path="reason"
        )
    if approver.pk == tx.actor.pk:
        raise Forbidden("same_person", "It takes two people. Somebody else signs for it.", path="approver")
    if why_not := why_not_may(approver, Right.KEEP_TIPS, tx.room):
        raise Forbidden("approver_may_not", why_not, path="approver")
    row = {"reverses": entry, "reason": reason, "approved_by": approver, "made_at": tx.now}
    return type(entry)._default_manager.create(room=tx.room, shift=entry.shift, **row, **own)


def _signed(approver: Staff) -> dict[str, Any]:
    return {"approved_by": approver.pk, "approved_by_name": str(approver)}
