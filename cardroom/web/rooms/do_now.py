"""What needs doing now in a room, for who looks: a line each, with who or since when, and the page that does it."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Case, F, IntegerField, QuerySet, When
from django.urls import reverse
from django.utils.text import get_text_list

from cardroom.core.dates import day_text, time_text
from cardroom.documents.document import Mark
from cardroom.documents.formatting import several
from cardroom.drop.models import DropBox
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, Levy
from cardroom.floor.models import Alert, Shift, Table
from cardroom.floor.models.alerts import OPEN
from cardroom.inbox.models import Item
from cardroom.inbox.models.items import NOT_CLOSED
from cardroom.inbox.reads.items import item_counts
from cardroom.obligations.items import CODE as OVERDUE
from cardroom.obligations.models import Obligation
from cardroom.obligations.reads.calendar import obligation_address, obligations_due
from cardroom.people.lockouts import locked_out
from cardroom.people.models import Employment, ProviderContract, Role, Staff
from cardroom.people.permits import REMIND_DAYS, Expiry, expiring, local_day
from cardroom.people.rights import Right
from cardroom.reports.background.overview import failures_of
from cardroom.reports.checkpoints.deliveries import failed_jobs
from cardroom.reports.results.overview import Overview
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from cardroom.tips.open_items import tips_open

from ..inbox.page import lines_of
from ..parts.access import Permissions

#: People, boxes and the like that one line names.
_MOST_NAMED: Final = 2
#: What needs doing that is shown at once; the rest is one touch away.
FIRST: Final = 4
#: Exceptions that have a line each.
MOST_ITEMS: Final = 3
#: Kinds of exceptions at which money or a rule is at stake.
_GRAVE: Final = ("variance", "rotation", "off_file", "settled_void", "badge")
_LATELY: Final = datetime.timedelta(days=31)


class Todo(NamedTuple):
    """Something to do: `detail` says who or what, `due` when or since when, `act` what is done at `address`."""

    mark: Mark
    what: str
    detail: str
    due: str
    address: str
    act: str


def to_do(permissions: Permissions, overview: Overview) -> list[Todo]:
    """Return what needs doing that is open to a person, what must not wait first."""
    found = [each for source in _SOURCES for each in source(permissions, overview.now)]
    if permissions.may(Right.SEE_REPORTS):
        found += _differing(overview)
    return sorted(found, key=lambda each: each.mark is not Mark.STOP)


def _differing(overview: Overview) -> Iterator[Todo]:
    """Reports of the last day whose figures were added up in several ways that differ."""
    for line in overview.shifts:
        if line.now.differences and line.scope.shift is not None:
            yield Todo(
                Mark.STOP,
                f"The report of {line.name} does not tie out",
                f"{several(line.now.differences, 'figure')} of {day_text(line.scope.first)} added up in two ways",
                "",
                reverse("web:report", args=[line.scope.shift.pk]),
                "Open the report",
            )


def _first_steps(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """What a room lacks before its first shift: tables, what they play and charge, and people."""
    room = permissions.room
    if Shift.objects.filter(room=room).exists():
        return

    def step(what: str, why: str, page: str, act: str) -> Todo:
        return Todo(Mark.LOOK, what, why, "", reverse(page, args=[room.code]), act)

    if permissions.may(Right.SET_PEOPLE):
        if not Table.objects.filter(room=room).exists():
            yield step(
                "The room has no table", "each by the number painted on it", "web:room_settings", "Add tables"
            )
        held = set(Employment.objects.filter(room=room).values_list("role", flat=True))
        lacks = [str(role.label) for role in _NEEDED if role not in held]
        if lacks:
            what = f"Nobody works here as {get_text_list(lacks, 'or')}"
            yield step(what, "one by one, or all from a file", "web:people", "Add people")
    if permissions.may(Right.FILE_SCHEDULES):
        games = GameFiling.objects.filter(room=room, status=Filing.Status.FILED)
        if not games:
            yield step("No game is filed", "no table opens before one is", "web:games", "Draft a game")
        elif (
            any(game.charged_by_schedule for game in games)
            and not FeeSchedule.objects.filter(room=room, status=Filing.Status.FILED).exists()
        ):
            yield step(
                "No fee schedule is filed", "no table opens before one is", "web:schedules", "Draft fees"
            )


#: Who must be there before a table deals, beside the first two.
_NEEDED: Final = (Role.SHIFT_MANAGER, Role.FLOOR, Role.DEALER)


def _shift(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Tables need a shift before they deal."""
    room = permissions.room
    if permissions.may(Right.RUN_SHIFTS) and not Shift.objects.filter(room=room, closed_at=None).exists():
        address = reverse("web:room", args=[room.code])
        yield Todo(
            Mark.LOOK, "No shift is open", "tables need one before they deal", "", address, "Open a shift"
        )


def _boxes(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Boxes that were pulled and are not counted, by the shift in which they hung."""
    room = permissions.room
    if not permissions.may(Right.SEE_BOXES):
        return
    waiting = DropBox.objects.filter(room=room, counted_at__isnull=True, dropped_at__isnull=False)
    by_shift: defaultdict[Shift, list[DropBox]] = defaultdict(list)
    for box in waiting.select_related("shift", "shift__room", "table").order_by("dropped_at", "pk"):
        by_shift[box.shift].append(box)
    act = "Open the count" if permissions.may(Right.COUNT) else "See the boxes"
    today = gaming_day(room, now)
    for shift, boxes in by_shift.items():
        yield Todo(
            Mark.STOP if shift.gaming_day < today else Mark.LOOK,
            f"{several(len(boxes), 'box')} of {shift.name} {'is' if len(boxes) == 1 else 'are'} not counted",
            f"{day_text(shift.gaming_day)} · {_named(f'{box} of {box.table}' for box in boxes)}",
            f"since {_when(room, min(box.dropped_at for box in boxes if box.dropped_at), now)}",
            reverse("web:count", args=[room.code]),
            act,
        )


def _items(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """The exceptions that are first to be worked off: what is due, then where money or a rule is at stake, the latest first.

    An obligation that is overdue has a line as what is to be done (`_obligations`).
    """
    room = permissions.room
    if not permissions.may(Right.SEE_ITEMS):
        return
    works, today = permissions.may(Right.WORK_ITEMS), gaming_day(room, now)
    grave = Case(When(kind__in=_GRAVE, then=0), default=1, output_field=IntegerField())
    first = F("due_on").asc(nulls_last=True), grave
    items = _named_first(room).select_related("room", "table", "owner", "explained_by")
    for line in lines_of(list(items.order_by(*first, "-happened_at", "-pk")[:MOST_ITEMS]), now):
        item = line.item
        explained = item.state == Item.State.EXPLAINED
        who = f"explained by {item.explained_by}: closing takes a second person" if explained else ""
        who = who or (f"with {item.owner}" if item.owner else "nobody has it")
        act = "Read and close" if explained else "Work it off" if item.owner else "Give an owner"
        yield Todo(
            Mark.LOOK if explained or item.state == Item.State.REFERRED else Mark.STOP,
            line.says.rstrip("."),
            f"{line.place} · {line.kind} · {who}",
            _due(item, today) if item.due_on else f"{_when(room, item.happened_at, now)}",
            f"{reverse('web:inbox', args=[room.code])}?item={item.pk}",
            act if works else "Read",
        )


def _named_first(room: Room) -> QuerySet[Item]:
    """The exceptions of which the first have a line each."""
    return Item.objects.filter(NOT_CLOSED, room=room).exclude(kind=OVERDUE)


def _due(item: Item, today: datetime.date) -> str:
    assert item.due_on is not None  # that was asked for
    return f"{'overdue since' if item.due_on < today else 'due'} {item.due_on:%a %b} {item.due_on.day}"


def exceptions_text(room: Room, overview: Overview) -> str:
    """Return how they stand: "17 exceptions are not closed, 12 without an owner"."""
    counts = item_counts(room, Item.objects.filter(room=room), overview.now, overview.today)
    if not counts.not_closed:
        return "Every exception is closed"
    text = f"{several(counts.not_closed, 'exception')} {'is' if counts.not_closed == 1 else 'are'} not closed"
    return text + (f", {counts.unowned:,} without an owner" if counts.unowned else "")


class Inbox(NamedTuple):
    """The exceptions beside those that have a line of their own; `old` of all have waited for longer than the room's days."""

    more: int
    due: int
    old: int
    days: int

    @property
    def text(self) -> str:
        """How many, how many of all are due today, and how many are old."""
        due = f"{self.due} due today" if self.due else "none due today"
        old = f", {self.old} older than {several(self.days, 'day')}" if self.old else ""
        return f"{several(self.more, 'more exception')} in the inbox, {due}{old}"


def inbox_of(permissions: Permissions, now: datetime.datetime) -> Inbox | None:
    """Return how many exceptions wait beside those that `to_do` names; None where there is none, or for others to see."""
    room, today = permissions.room, gaming_day(permissions.room, now)
    if not permissions.may(Right.SEE_ITEMS):
        return None
    waiting = Item.objects.filter(NOT_CLOSED, room=room)
    counts = item_counts(room, waiting, now, today)
    more = counts.not_closed - len(_named_first(room).order_by().values_list("pk")[:MOST_ITEMS])
    if not more:
        return None
    due = waiting.filter(due_on__lte=today).count() if counts.due else 0
    return Inbox(more, due, counts.old, room.item_days)


def _obligations(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Obligations that are overdue, a line each, and those that are due soon in one."""
    room, today = permissions.room, local_day(permissions.room, now)
    if not permissions.may(Right.SEE_OBLIGATIONS):
        return
    act = "Open" if permissions.may(Right.KEEP_OBLIGATIONS) else "Read"
    soon: list[Obligation] = []
    for each in obligations_due(room, today):
        if each.due_on >= today:
            soon.append(each)
            continue
        days, who = (today - each.due_on).days, f"with {each.owner}" if each.owner else "nobody has it"
        yield Todo(
            Mark.STOP,
            f"Overdue: {each.title}",
            f"{each.get_kind_display()} · {who} · {several(days, 'day')} late",
            f"was due {each.due_on:%a %b} {each.due_on.day}",
            obligation_address(each),
            act,
        )
    if soon:
        yield Todo(
            Mark.LOOK,
            f"{several(len(soon), 'obligation')} due soon",
            _named(each.title for each in soon),
            f"first {day_text(soon[0].due_on)}",
            obligation_address(soon[0]) if len(soon) == 1 else reverse("web:obligations", args=[room.code]),
            "Open" if len(soon) == 1 else "See them",
        )


def _reports(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Jobs that failed, and shifts whose report is still to come."""
    room = permissions.room
    if not permissions.may(Right.SEE_REPORTS):
        return
    address = reverse("web:background", args=[room.code])
    failed = failures_of(room)
    if failed:
        yield Todo(
            Mark.STOP,
            f"{several(len(failed), 'job')} failed",
            _named(f"{each.labels.what}: {each.labels.about}" for each in failed),
            "",
            address,
            "Try again" if permissions.may(Right.TRY_AGAIN) else "Read why",
        )
    waiting = Shift.objects.filter(room=room, closed_at__gt=now - _LATELY, reports__isnull=True).count()
    if waiting and not failed:
        yield Todo(
            Mark.LOOK,
            f"{several(waiting, 'shift report')} to come",
            "made by themselves, the latest first",
            "",
            address,
            "See the jobs",
        )


def _checkpoints(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    room = permissions.room
    if permissions.may(Right.SEE_REPORTS) and (count := failed_jobs(room).count()):
        yield Todo(
            Mark.LOOK,
            f"{several(count, 'checkpoint')} could not be signed, stamped or delivered",
            "tried again by itself",
            "",
            reverse("web:checkpoints", args=[room.code]),
            "Open checkpoints",
        )


def _alerts(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Alerts of the floor that nobody has answered."""
    room = permissions.room
    if not permissions.may(Right.SEE_FLOOR):
        return
    waiting = Alert.objects.filter(OPEN, room=room, acknowledged_at__isnull=True).select_related("table")
    if alerts := list(waiting.order_by("raised_at", "pk")):
        urgent = any(each.kind in Alert.URGENT and each.cleared_at is None for each in alerts)
        yield Todo(
            Mark.STOP if urgent else Mark.LOOK,
            f"{several(len(alerts), 'alert')} {'is' if len(alerts) == 1 else 'are'} not answered",
            _named(f"{each.get_kind_display()}, {each.table}" for each in alerts),
            f"since {_when(room, alerts[0].raised_at, now)}",
            reverse("web:alerts", args=[room.code]),
            "Answer" if permissions.may(Right.ANSWER_ALERTS) else "See them",
        )


def _expiries(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Badges and permits that have expired or will soon, and contracts with providers."""
    room, day = permissions.room, local_day(permissions.room, now)
    if not permissions.may(Right.SEE_REPORTS):
        return
    found = expiring(room, day)
    expired = [each for each in found if each.expires < day]
    soon = [each for each in found if each.expires >= day]
    if permissions.may(Right.SET_PEOPLE):
        address = reverse("web:people", args=[room.code])
    elif permissions.may(Right.OVERRIDE_EXPIRY):
        address = f"{reverse('web:room', args=[room.code])}#expiring"
    else:
        address = f"{reverse('web:compliance', args=[room.code])}#record"
    if expired:
        what = "1 badge or permit has" if len(expired) == 1 else f"{len(expired)} badges and permits have"
        yield Todo(Mark.STOP, f"{what} expired", _people(expired), "", address, "See who")
    if soon:
        what = "1 badge or permit expires" if len(soon) == 1 else f"{len(soon)} badges and permits expire"
        due = f"first {day_text(soon[0].expires)}"
        yield Todo(Mark.LOOK, f"{what} within {REMIND_DAYS} days", _people(soon), due, address, "See who")
    last = day + datetime.timedelta(days=REMIND_DAYS)
    contracts = ProviderContract.objects.filter(room=room, ended_on=None, ends_on__range=(day, last))
    for contract in contracts.select_related("provider").order_by("ends_on"):
        assert contract.ends_on is not None  # that was asked for
        yield Todo(
            Mark.LOOK,
            f"The contract with {contract.provider} ends",
            f"contract {contract.number}",
            day_text(contract.ends_on),
            reverse("web:providers", args=[room.code]),
            "Open providers",
        )


def _people(expiries: Iterable[Expiry]) -> str:
    return _named(f"{each.person}, {each.what}" for each in expiries)


def _filings(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Games and schedules of fees that are drafted, and wait for two people to file them."""
    if not permissions.may(Right.FILE_SCHEDULES):
        return
    for version in drafts_of(permissions.room):
        day = version.effective_from
        yield Todo(
            Mark.LOOK,
            f"{version} is a draft",
            "two people file it",
            f"planned for {day_text(day)}" if day else "",
            filing_address(permissions.room, version),
            "Read and file",
        )


def drafts_of(room: Room) -> list[Filing]:
    """Return the games, schedules of fees and levies of a room that are drafted and not filed yet."""
    return [
        version
        for kind in (GameFiling, FeeSchedule, Levy)
        for version in kind.objects.filter(room=room, status=Filing.Status.DRAFT)
    ]


def filing_address(room: Room, version: Filing) -> str:
    """Return the address of the page of a filing of a room."""
    return reverse(f"web:{version.word}", args=[room.code, version.number, version.version])


def _tips(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Tips of closed shifts that are not shared out."""
    room = permissions.room
    last = Shift.objects.filter(room=room).order_by("-opened_at").first()
    if last is None or not permissions.may(Right.CLOSE_TIPS):
        return
    for item in tips_open(last):
        if item.kind == "tips_of_earlier_shifts" or last.closed_at is not None:
            address = reverse("web:tips", args=[room.code])
            yield Todo(Mark.LOOK, "Tips are not shared out", item.text, "", address, "Share out")


def _passwords(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Accounts that came from a file, with which nobody can sign in yet."""
    room = permissions.room
    if not permissions.may(Right.SET_PEOPLE):
        return
    unset = Staff.objects.filter(home=room, is_active=True, password__startswith=UNUSABLE_PASSWORD_PREFIX)
    if people := list(unset.order_by("display_name")):
        what = f"{several(len(people), 'account')} {'has' if len(people) == 1 else 'have'} no password yet"
        address = f"{reverse('web:people', args=[room.code])}?only=no-password"
        yield Todo(Mark.LOOK, what, _named(str(each) for each in people), "", address, "Set them")


def _lockouts(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    room = permissions.room
    if permissions.may(Right.LIFT_LOCKOUTS) and (locked := locked_out(room)):
        names = _named(str(each.staff) for each in locked)
        address = f"{reverse('web:room', args=[room.code])}#locked-out"
        yield Todo(
            Mark.LOOK, f"{several(len(locked), 'account')} locked", names, "", address, "Lift the lock"
        )


_SOURCES: Final[Sequence[Callable[[Permissions, datetime.datetime], Iterator[Todo]]]] = (
    *(_first_steps, _shift, _boxes, _items, _obligations, _reports, _alerts, _checkpoints),
    *(_filings, _expiries, _tips, _lockouts, _passwords),
)


def _named(names: Iterable[str]) -> str:
    """Return the first names with how many there are beside them: "Box 7 of Table 7, Box 8 of Table 8 and 4 more"."""
    every = list(dict.fromkeys(names))
    left = len(every) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {left} more" if left > 0 else "")


def _when(room: Room, at: datetime.datetime, now: datetime.datetime) -> str:
    """Return an instant as short as it is clear: "3:12 AM" of today, "Sat Nov 21, 3:12 AM" of another day."""
    local = at.astimezone(room.zone)
    time = time_text(at, room.zone)
    if local.date() == now.astimezone(room.zone).date():
        return time
    return f"{local:%a %b} {local.day}, {time}"
