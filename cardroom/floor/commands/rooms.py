"""Commands on a room itself: its settings, and its list of tables."""

from __future__ import annotations

import datetime
import re
from typing import Annotated, Any, Final, TypedDict

from cardroom.core.json_types import Id, Label, Money, OneOf, Text, Whole
from cardroom.people.approval import signed_for_duty
from cardroom.people.duties import Duty
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.account_numbers import MOST_LETTERS
from cardroom.rooms.models import LEAST_RETENTION_YEARS, Room
from games.phrases import Phrase

from ..errors import BadInput, NotFound
from ..execution.carry_out import room_command
from ..execution.locks import lock_tables
from ..execution.transactions import RoomTransaction
from ..models import Table
from .accounts import changed_columns, check_valid
from .second_person import signed_for

_TIME: Final = re.compile(r"[0-9]{2}:[0-9]{2}", re.ASCII)
#: What the columns of whole numbers hold.
_MOST, _MOST_CENTS = 32_767, 2_147_483_647
MOST_TABLE: Final = 32_767
Minutes = Annotated[int, Whole(1, _MOST)]
Days = Annotated[int, Whole(1, _MOST)]
SettingCents = Annotated[int, Money(0, _MOST_CENTS)]
TableNumber = Annotated[
    int, Whole(1, MOST_TABLE), Label(Phrase("Number")), "The number painted on the table."
]
#: The chips on the keypads move no money and are charged nowhere: who keeps the room sets them alone.
_BY_ONE: Final = frozenset({"chips"})
_RoomSigned = Annotated[Staff, signed_for_duty(Duty.CHANGE_ROOM)]


class TableAnswer(TypedDict):
    """Which table it was."""

    table_id: int
    number: int


@room_command(
    "PUT settings",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on what is set",
    title=Phrase("Set the room"),
    tag="Room",
    example={"chips": "1 5 25 100"},
)
def room_set(
    tx: RoomTransaction,
    *,
    name: Annotated[str, Text(120)] | None = None,
    code: Annotated[str, Text(40), "Short name in addresses and file names."] | None = None,
    licence_number: Annotated[str, Text(40, blank=True), "State gambling licence."] | None = None,
    time_zone: Annotated[str, Text(64), "As in the IANA database: `America/Los_Angeles`."] | None = None,
    gaming_day_starts: Annotated[str, Text(5), "Local time at which a gaming day begins: `06:00`."]
    | None = None,
    fees_on_void: Annotated[str, OneOf(Room.FeesOnVoid)] | None = None,
    idle_minutes: Annotated[Minutes, "After so long without a round the floor is told."] | None = None,
    offer_minutes: Annotated[Minutes, "After so long with a bank to be offered the floor is told."]
    | None = None,
    progressive_unit_cents: Annotated[int, Money(1, _MOST_CENTS), "One progressive wager."] | None = None,
    meter_contribution_cents: Annotated[SettingCents, "What each adds to the meter."] | None = None,
    meter_reserve_cents: Annotated[SettingCents, "What each adds to the reserve."] | None = None,
    variance_threshold_cents: Annotated[SettingCents, "A variance above it must be explained."] | None = None,
    variance_hours: Annotated[Minutes, "Within so many hours."] | None = None,
    item_days: Annotated[Days, "After so many days an exception that is not closed is old."] | None = None,
    answer_days: Annotated[Days, "Within so many days a player's claim is answered."] | None = None,
    records_shown_card: Annotated[
        bool | None, "Whether the table asks for the card that the bank shows."
    ] = None,
    boxes_at_opening: Annotated[
        bool | None, "Whether opening a shift puts a drop box on every table that has none."
    ] = None,
    reliefs_sign: Annotated[
        bool | None, "Whether each relief of a push confirms with their PIN at the table."
    ] = None,
    hold_choices: Annotated[
        str, Text(40), "Minutes for which a seat is held by one touch, with blanks between: `5 10 20`."
    ]
    | None = None,
    call_minutes: Annotated[Minutes, "After so long a call of the waiting list is marked."] | None = None,
    account_numbers: Annotated[
        str,
        Text(MOST_LETTERS, blank=True),
        "Numbers of the accounts of a day's journal: `cash = 1010, boxes = 1015`.",
    ]
    | None = None,
    chips: Annotated[str, Text(80), "Chips on the keypads in dollars, with blanks between."] | None = None,
    retention_years: Annotated[int, Whole(LEAST_RETENTION_YEARS, _MOST), "4 CCR 12312(a): 7 or more."]
    | None = None,
    checkpoint_directory: Annotated[
        str, Text(200, blank=True), "Directory of the server for signed checkpoints."
    ]
    | None = None,
    checkpoint_witness: Annotated[
        str, Text(200, blank=True), "https address to which each signed checkpoint is sent."
    ]
    | None = None,
    approver: _RoomSigned | None = None,
) -> None:
    """Change the room's settings; what is left out stays. A second person signs, where the room has one.

    The chips on the keypads alone are set by one. The jurisdiction stays: filings and rounds depend on it.
    """
    given: dict[str, Any] = {
        "name": name,
        "code": code,
        "licence_number": licence_number,
        "time_zone": time_zone,
        "gaming_day_starts": None
        if gaming_day_starts is None
        else time_of_day(gaming_day_starts, "gaming_day_starts"),
        "fees_on_void": fees_on_void,
        "idle_minutes": idle_minutes,
        "offer_minutes": offer_minutes,
        "progressive_unit_cents": progressive_unit_cents,
        "meter_contribution_cents": meter_contribution_cents,
        "meter_reserve_cents": meter_reserve_cents,
        "variance_threshold_cents": variance_threshold_cents,
        "variance_hours": variance_hours,
        "item_days": item_days,
        "answer_days": answer_days,
        "records_shown_card": records_shown_card,
        "boxes_at_opening": boxes_at_opening,
        "reliefs_sign": reliefs_sign,
        "hold_choices": hold_choices,
        "call_minutes": call_minutes,
        "account_numbers": account_numbers,
        "chips": chips,
        "retention_years": retention_years,
        "checkpoint_directory": checkpoint_directory,
        "checkpoint_witness": checkpoint_witness,
    }
    room = tx.room
    before = {column: getattr(room, column) for column in given}
    for column, value in given.items():
        if value is not None:
            setattr(room, column, value)
    check_valid(room, {"__all__": "progressive_unit_cents"})
    changed = changed_columns(room, before)
    if not changed:
        return
    signed = {} if changed.keys() <= _BY_ONE else signed_for(tx, Duty.CHANGE_ROOM, approver)
    room.save(update_fields=list(changed))
    tx.journal("room_set", {"changed": changed, **signed})


@room_command(
    "POST tables",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the number, which no table of the room has yet",
    title=Phrase("Add a table"),
    tag="Room",
    example={"number": 12},
)
def table_add(tx: RoomTransaction, *, number: TableNumber) -> TableAnswer:
    """Add a table, closed and with no game; what it plays and charges is set at the table."""
    _check_number(tx, number)
    table = Table.objects.create(room=tx.room, number=number)
    tx.journal("table_add", {"added": table.pk, "number": number})
    return {"table_id": table.pk, "number": number}


@room_command(
    "PUT tables/{table_id}/number",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the number, which no other table of the room has",
    title=Phrase("Renumber a table"),
    tag="Room",
    example={"number": 12},
)
def table_number_set(tx: RoomTransaction, *, table_id: Id, number: TableNumber) -> TableAnswer:
    """Give a table the number that is painted on it now. Facts refer to the table, and not to its number."""
    found = lock_tables(tx.room, [table_id])
    if not found:
        raise NotFound("unknown_table", Phrase("This room has no table {table_id}.", table_id=table_id))
    [table] = found
    before = table.number
    if before != number:
        _check_number(tx, number)
        table.number = number
        table.save(update_fields=["number"])
        tx.journal("table_number_set", {"of": table.pk, "before": before, "number": number})
    return {"table_id": table.pk, "number": number}


def _check_number(tx: RoomTransaction, number: int) -> None:
    if Table.objects.filter(room=tx.room, number=number).exists():
        raise BadInput(
            "number_taken",
            Phrase("The room has a table {number} already. Choose another number.", number=number),
            path="number",
        )


def time_of_day(typed: str, path: str) -> datetime.time:
    """Read hours and minutes, as in `06:00`. Raises BadInput."""
    try:
        found = datetime.time.fromisoformat(typed) if _TIME.fullmatch(typed) else None
    except ValueError:
        found = None
    if found is None:
        raise BadInput(
            "bad_time",
            Phrase("Write the time of day as 06:00, not {typed}.", typed=typed),
            path=path,
        )
    return found
