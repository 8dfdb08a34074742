"""Commands of the line-up: the plan by which tables are dealt, and meals of dealers. Pushes: `pushes.py`."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import MOST_ROWS, Id, Size, Text, Whole
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds

from ..errors import BadInput, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from ..models import Down, LineUpPlan, Meal, Table
from ..notify import line_up_changed
from ..reads.line_up import current_meal
from .downs import dealer_found, table_name
from .rooms import time_of_day

#: The heading of these commands, and of pushes.
TAG = "Line-up"
STRING_LENGTH = 20
Minutes = Annotated[int, Whole(1, 1440)]


class TableString(TypedDict):
    """Tables that the same dealers deal one after another, and the dealers, each in their order."""

    name: Annotated[str, Text(STRING_LENGTH)]
    tables: Annotated[list[Id], Size(1, MOST_ROWS)]
    dealers: Annotated[list[Id], Size(0, MOST_ROWS)]


class DealerStart(TypedDict):
    """When a dealer is expected, on the room's clock and within the gaming day of the plan."""

    dealer: Id
    at: Annotated[str, Text(5), "Local time: `17:30`."]


class PlanAnswer(TypedDict):
    """The plan that is in force now."""

    plan: int


class MealAnswer(TypedDict):
    """A dealer's meal."""

    meal: int


@room_command(
    "PUT line-up/plan",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="a plan may be set at any time",
    title="Set the line-up",
    tag=TAG,
    example={"strings": [{"name": "A", "tables": [7, 8], "dealers": [4]}], "down_minutes": 30},
)
def line_up_set(
    tx: RoomTransaction,
    *,
    strings: Annotated[list[TableString], Size(0, MOST_ROWS)],
    starts: Annotated[
        list[DealerStart] | None, Size(0, MOST_ROWS), "When dealers of the strings are expected today."
    ] = None,
    down_minutes: Annotated[Minutes, "How long a down lasts."] = 30,
    break_minutes: Annotated[Minutes, "How long a dealer is away after the last table of a string."] = 30,
    rest_minutes: Annotated[Minutes, "The least time away that counts as a rest."] = 10,
    rest_after_minutes: Annotated[Minutes, "A rest is due after so long at the tables."] = 120,
    meal_minutes: Annotated[Minutes, "How long a meal lasts; a shorter one does not count."] = 30,
    meal_after_minutes: Annotated[
        Minutes, "A meal is due so long after the first down, or the last meal."
    ] = 300,
) -> PlanAnswer:
    """Set by which strings and minutes the room's tables are dealt from now on.

    A dealer goes along the tables of a string and then to break. A table or a dealer is in one string at most. The minutes are
    the room's own, and no statement of law. A dealer who is expected later (`starts`) does not come in before by the plan.
    """
    _check_strings(tx, strings)
    minutes = {
        "down_minutes": down_minutes,
        "break_minutes": break_minutes,
        "rest_minutes": rest_minutes,
        "rest_after_minutes": rest_after_minutes,
        "meal_minutes": meal_minutes,
        "meal_after_minutes": meal_after_minutes,
    }
    plan = LineUpPlan.objects.create(
        room=tx.room,
        strings=[dict(each) for each in strings],
        starts=_instants(tx, strings, starts or []),
        set_at=tx.now,
        set_by=tx.actor,
        **minutes,
    )
    tx.journal("line_up_set", {"plan": plan.pk, "strings": plan.strings, "starts": plan.starts, **minutes})
    line_up_changed(tx.room)
    return {"plan": plan.pk}


@room_command(
    "POST line-up/meals",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="it depends on the dealer, who may deal now",
    title="Begin a meal",
    tag=TAG,
    example={"dealer_id": 4},
)
def meal_start(tx: RoomTransaction, *, dealer_id: Id) -> MealAnswer:
    """Note that a dealer on break has gone to a meal. It ends by itself as soon as they begin a down."""
    dealer = dealer_found(tx.room, dealer_id)
    down = Down.objects.filter(dealer=dealer, ended_at__isnull=True).select_related("table").first()
    if down is not None:
        raise NotNow(
            "dealer_deals",
            f"{dealer} deals at {table_name(tx.room, down)}. A meal begins once they are relieved.",
            path="dealer_id",
        )
    if (running := current_meal(dealer)) is not None and running.room_id == tx.room.pk:
        raise NotNow("at_meal", f"{dealer} is at a meal already.", path="dealer_id")
    meal = Meal.objects.create(room=tx.room, dealer=dealer, started_at=tx.now, started_by=tx.actor)
    tx.journal("meal_start", {"meal": meal.pk, "dealer": dealer.pk, "name": str(dealer)})
    line_up_changed(tx.room)
    return {"meal": meal.pk}


@room_command(
    "POST line-up/meals/{meal_id}/end",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="it depends on the meal, which is ended once",
    title="End a meal",
    tag=TAG,
)
def meal_end(tx: RoomTransaction, *, meal_id: Id) -> MealAnswer:
    """Note that a dealer is back from a meal before it was over, or that it was begun by mistake."""
    meal = (
        Meal.objects.filter(pk=meal_id, room=tx.room, ended_at__isnull=True).select_related("dealer").first()
    )
    if meal is None or current_meal(meal.dealer) != meal:
        raise NotNow("no_meal", f"There is no meal {meal_id} that goes on in this room.")
    meal.ended_at, meal.ended_by = max(tx.now, meal.started_at), tx.actor
    meal.save(update_fields=["ended_at", "ended_by"])
    tx.journal("meal_end", {"meal": meal.pk, "dealer": meal.dealer_id, "name": str(meal.dealer)})
    line_up_changed(tx.room)
    return {"meal": meal.pk}


def _instants(
    tx: RoomTransaction, strings: Sequence[TableString], starts: Sequence[DealerStart]
) -> list[dict[str, Any]]:
    """When dealers of the strings are expected within the gaming day of now."""
    planned = [pk for string in strings for pk in string["dealers"]]
    begins, _ = gaming_day_bounds(tx.room, day := gaming_day(tx.room, tx.now))
    found: dict[int, datetime.datetime] = {}
    for index, start in enumerate(starts):
        here = f"starts[{index}]"
        if start["dealer"] not in planned or start["dealer"] in found:
            raise BadInput(
                "unknown_dealer", "A start is of a dealer of the strings, and once.", path=f"{here}.dealer"
            )
        time = time_of_day(start["at"], f"{here}.at")
        at = datetime.datetime.combine(day, time, tzinfo=tx.room.zone).astimezone(datetime.UTC)
        if at < begins:
            after = day + datetime.timedelta(days=1)
            at = datetime.datetime.combine(after, time, tzinfo=tx.room.zone).astimezone(datetime.UTC)
        found[start["dealer"]] = at
    return [{"dealer": pk, "at": utc_text(found[pk])} for pk in planned if pk in found]


def _check_strings(tx: RoomTransaction, strings: Sequence[TableString]) -> None:
    """Refuse a string without a name of its own, and tables or dealers that are none here or in another string too."""
    known = set(Table.objects.filter(room=tx.room).values_list("pk", flat=True))
    names: set[str] = set()
    tables: set[int] = set()
    dealers: set[int] = set()
    for index, string in enumerate(strings):
        here, name = f"strings[{index}]", string["name"].strip()
        if not name or name in names:
            raise BadInput("bad_name", "Each string has a name of its own.", path=f"{here}.name")
        names.add(name)
        for at, pk in enumerate(string["tables"]):
            if pk not in known:
                raise BadInput("unknown_table", f"This room has no table {pk}.", path=f"{here}.tables[{at}]")
            if pk in tables:
                raise BadInput("twice", "A table is in one string, and once.", path=f"{here}.tables[{at}]")
            tables.add(pk)
        for at, pk in enumerate(string["dealers"]):
            if pk in dealers:
                raise BadInput("twice", "A dealer is in one string, and once.", path=f"{here}.dealers[{at}]")
            dealers.add(pk)
            dealer_found(tx.room, pk, path=f"{here}.dealers[{at}]")
