"""Search for items: what every registered kind finds becomes an item once, and what no longer holds is said so.

A worker searches every room each minute (`register_due_work`), from where the last search ended. A shift is searched as a whole
every five minutes while it is open, once it has closed, and again when a round of it was corrected. Nothing that is found twice
becomes two items, so a search may run again over any time.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterator

from django.utils import timezone

from cardroom.core.row_digests import rows_create
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Round, Shift
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from .alerts import old_items_watch
from .kinds import ITEM_KINDS, Finding, ItemKind, Stretch
from .models import Item, ItemPerson, ItemStep, Search
from .reads.times import shifts_in
from .steps import step_note

logger = logging.getLogger(__name__)

#: An instant is given before its transaction ends: so much is searched again.
OVERLAP = datetime.timedelta(minutes=10)
#: Shifts that are searched at once: a room that is searched for the first time has many.
MOST_SHIFTS = 20
#: How often an open shift is searched as a whole, in minutes of the clock: a review of a rotation reads all of it.
OPEN_EVERY = 5


def items_search() -> None:
    """Search all rooms: work that is due each minute. A room that fails is logged, and searched again in a minute."""
    for room_id in Room.objects.order_by("pk").values_list("pk", flat=True):
        try:
            room_search(room_id, timezone.now())
        except Exception:
            logger.exception("the items of room %s could not be searched", room_id)


def room_search(room_id: int, now: datetime.datetime) -> int:
    """Search a room from where the last search ended up to `now`; return how many items were found.

    Raises the alert of items that are old, too.
    """
    room = Room.objects.get(pk=room_id)
    found = 0
    while (search := _next(room, now)) is not None:
        stretches, until = search
        found += sum(_searched(room, kind, stretch, now) for kind, stretch in stretches)
        Search.objects.update_or_create(room=room, defaults={"until": until})
    old_items_watch(room, now)
    return found


def shift_search(shift: Shift, now: datetime.datetime) -> int:
    """Search the whole of a shift, up to now where it is open; return how many items were found."""
    stretch = Stretch(shift.room, shift.opened_at, shift.closed_at or now, shift)
    return sum(_searched(shift.room, kind, stretch, now) for kind in list(ITEM_KINDS.values()))


def _next(
    room: Room, now: datetime.datetime
) -> tuple[list[tuple[ItemKind, Stretch]], datetime.datetime] | None:
    """Return what is to be searched next and up to when that is; None once all is searched up to `now`."""
    last = Search.objects.filter(room=room).values_list("until", flat=True).first()
    if last is not None and last >= now:
        return None
    shifts = Shift.objects.filter(room=room)
    if last is None:
        first = shifts.order_by("opened_at").values_list("opened_at", flat=True).first()
        last = now if first is None else first
    closed = list(shifts.filter(closed_at__gt=last, closed_at__lte=now).order_by("closed_at")[:MOST_SHIFTS])
    until = now
    if len(closed) == MOST_SHIFTS and closed[-1].closed_at is not None:
        until = closed[-1].closed_at
    since = last - OVERLAP
    whole = {shift.pk: shift for shift in closed}
    for shift in _corrected_since(room, since, until):
        whole.setdefault(shift.pk, shift)
    if _is_turn(last, until):
        whole |= {shift.pk: shift for shift in shifts.filter(closed_at__isnull=True, opened_at__lt=until)}
    kinds = list(ITEM_KINDS.values())
    wanted = [
        (kind, Stretch(room, shift.opened_at, shift.closed_at or until, shift))
        for shift in whole.values()
        for kind in kinds
        if kind.by_shift
    ]
    wanted += [(kind, Stretch(room, since, until)) for kind in kinds if not kind.by_shift]
    return wanted, until


def _is_turn(last: datetime.datetime, until: datetime.datetime) -> bool:
    """Whether open shifts are searched: five minutes of the clock began between two searches."""
    every = OPEN_EVERY * 60
    return int(last.timestamp()) // every != int(until.timestamp()) // every


def _corrected_since(room: Room, since: datetime.datetime, until: datetime.datetime) -> Iterator[Shift]:
    """The closed shifts in which rounds were first recorded that were corrected in a time."""
    made = Round.objects.filter(
        shift__in=shifts_in(room, since, until), corrects__isnull=False, corrected_at__gte=since
    ).order_by()
    for table, day, number in made.values_list("table", "gaming_day", "number"):
        first = Round.objects.filter(table=table, gaming_day=day, number=number, revision=0)
        shift = first.select_related("shift").get().shift
        if shift is not None and shift.closed_at is not None:
            yield shift


def _searched(room: Room, kind: ItemKind, stretch: Stretch, now: datetime.datetime) -> int:
    """Search one kind in one stretch: write what is new, and what holds no longer or again."""
    found = {each.key: each for each in kind.find(stretch)}
    items = Item.objects.filter(room=room, kind=kind.code)
    known = dict(items.filter(key__in=list(found)).values_list("key", "gone_at"))
    new = [each for key, each in found.items() if key not in known]
    again = [key for key, gone_at in known.items() if gone_at is not None]
    gone: set[str] = set() if kind.gone is None else set(kind.gone(stretch)) - found.keys()
    if kind.by_shift and stretch.shift is not None:
        of_shift = items.filter(shift=stretch.shift, gone_at__isnull=True)
        gone |= set(of_shift.values_list("key", flat=True)) - found.keys()
    if gone:
        gone = set(items.filter(key__in=gone, gone_at__isnull=True).values_list("key", flat=True))
    if new or again or gone:
        _write(room.pk, kind, (new, again, sorted(gone)), now)
    return len(new)


@run_again
def _write(
    room_id: int, kind: ItemKind, changes: tuple[list[Finding], list[str], list[str]], now: datetime.datetime
) -> None:
    """Write what is new, what holds again, and what holds no longer."""
    new, again, gone = changes
    with locked(Room, room_id) as room:
        tx = RoomTransaction(room=room, actor=clock_account(), now=command_time(room, now).now)
        items_note(tx, kind, new)
        _turn(tx, kind, gone, ItemStep.What.GONE)
        _turn(tx, kind, again, ItemStep.What.AGAIN)


def items_note(tx: RoomTransaction, kind: ItemKind, findings: list[Finding]) -> list[Item]:
    """Write items of what was found, those that are none yet, and one entry of the journal."""
    keys = [each.key for each in findings]
    known = set(Item.objects.filter(room=tx.room, kind=kind.code, key__in=keys).values_list("key", flat=True))
    items: list[Item] = []
    people: list[ItemPerson] = []
    for each in findings:
        if each.key in known:
            continue
        item = Item.objects.create(
            room=tx.room,
            kind=kind.code,
            key=each.key,
            table_id=each.table,
            shift_id=each.shift,
            gaming_day=each.day or gaming_day(tx.room, each.at),
            happened_at=each.at,
            found_at=tx.now,
            figures=dict(each.figures),
            evidence=dict(each.evidence),
        )
        items.append(item)
        people += [ItemPerson(item=item, staff_id=pk) for pk in dict.fromkeys(each.staff) if pk]
        people += [ItemPerson(item=item, player_id=pk) for pk in dict.fromkeys(each.players) if pk]
    if items:
        rows_create(people)
        tx.journal("items_find", {"kind": kind.code, "items": {item.key: item.pk for item in items}})
    return items


def _turn(tx: RoomTransaction, kind: ItemKind, keys: list[str], what: ItemStep.What) -> None:
    """Say of items that they hold no longer, or again."""
    holds = what == ItemStep.What.AGAIN
    rows = Item.objects.filter(room=tx.room, kind=kind.code, key__in=keys, gone_at__isnull=not holds)
    items = list(rows.order_by("pk"))
    for item in items:
        item.gone_at = None if holds else tx.now
        step_note(tx, item, what, item.state)
    if items:
        tx.journal(f"items_{what}", {"kind": kind.code, "items": [item.pk for item in items]})
