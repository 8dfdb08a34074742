"""What needs doing now in a room, for who looks: a line each, with who, by when or since when, and the page that does it.

What is overdue comes first, then what is due by its day, then what is to be looked at. One fact has one line: what an exception of
the inbox says is said by no other line.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.text import get_text_list

from cardroom.core.dates import day_text, time_text
from cardroom.documents.formatting import several
from cardroom.drop.items import VARIANCE
from cardroom.drop.models import DropBox
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, Levy
from cardroom.floor.models import Alert, Shift, Table
from cardroom.floor.models.alerts import OPEN
from cardroom.floor.reads.staff import people_without_password
from cardroom.inbox.disputes import CODE as CLAIM
from cardroom.inbox.floor_kinds import BADGE, ROTATION
from cardroom.inbox.models import Item, ItemPerson
from cardroom.inbox.models.items import NOT_CLOSED
from cardroom.inbox.reads.items import item_address, item_counts, items_of_alerts
from cardroom.obligations.items import CODE as OVERDUE
from cardroom.obligations.models import Obligation
from cardroom.obligations.reads.calendar import obligation_address, obligations_due
from cardroom.people.lockouts import locked_out
from cardroom.people.models import Employment, ProviderContract, Role
from cardroom.people.permits import REMIND_DAYS, Expiry, expiring, local_day
from cardroom.people.rights import Right
from cardroom.reports.background.overview import failures_of
from cardroom.reports.checkpoints.deliveries import failed_jobs
from cardroom.reports.exports.making import EXPORT
from cardroom.reports.exports.waiting import Standing, WaitingDay, days_waiting
from cardroom.reports.results.overview import Overview
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from cardroom.tips.open_items import tips_open

from ..inbox.page import Mark, lines_of
from ..parts.access import Permissions

#: People, boxes and the like that one line names.
_MOST_NAMED: Final = 2
#: What needs doing that is shown at once; the rest is one touch away.
FIRST: Final = 5
#: Exceptions that have a line each.
MOST_ITEMS: Final = 3
#: Kinds of exceptions at which money or a rule is at stake.
_GRAVE: Final = (VARIANCE.code, ROTATION.code, "off_file", "settled_void", BADGE.code)


class Urgency(enum.IntEnum):
    """How urgent something is, the most urgent first."""

    NOW = 0
    OVERDUE = 1
    DUE = 2
    LOOK = 3


#: How each looks: a shape and a word beside the colour.
_MARKS: Final = {
    Urgency.NOW: Mark("◆", "stop", "Now"),
    Urgency.OVERDUE: Mark("■", "stop", "Overdue"),
    Urgency.DUE: Mark("▲", "look", "Due"),
    Urgency.LOOK: Mark("○", "", "To look at"),
}


class When(NamedTuple):
    """A day of the room's calendar by which lines are sorted, what happened or happens on it, and how far away it is."""

    day: datetime.date | None = None
    text: str = ""
    away: str = ""


_NO_DAY: Final = When()


@dataclasses.dataclass(frozen=True)
class Todo:
    """Something to do: `detail` says who or what, `act` what is done at `address`; `count` is how many things a line tells of."""

    urgency: Urgency
    what: str
    detail: str
    address: str
    act: str
    when: When = _NO_DAY
    count: int = 1

    @property
    def mark(self) -> Mark:
        return _MARKS[self.urgency]


def to_do(permissions: Permissions, overview: Overview) -> list[Todo]:
    """Return what needs doing that is open to a person: by urgency, then by day, and last what has none."""
    found = [each for source in _SOURCES for each in source(permissions, overview.now)]
    if permissions.may(Right.SEE_REPORTS):
        found += _differing(overview)
    return sorted(found, key=lambda each: (each.urgency, each.when.day or datetime.date.max))


def counts_text(todos: Sequence[Todo]) -> str:
    """Return how many there are, by urgency: "1 overdue, 2 due, 4 to look at"."""
    counted = Counter[Urgency]()
    for each in todos:
        counted[each.urgency] += each.count
    return ", ".join(f"{counted[each]} {_MARKS[each].word.lower()}" for each in Urgency if counted[each])


def others_text(todos: Sequence[Todo]) -> str:
    """Return what is not shown at once: "12 others: 8 alerts are not answered, 4 other exceptions are not closed"."""
    return f"{several(sum(each.count for each in todos), 'other')}: {_named(each.what for each in todos)}"


def _differing(overview: Overview) -> Iterator[Todo]:
    """Reports of the last day whose figures were added up in several ways that differ."""
    for line in overview.shifts:
        if line.now.differences and line.scope.shift is not None:
            yield Todo(
                Urgency.NOW,
                f"The report of {line.name} does not tie out",
                f"{several(line.now.differences, 'figure')} of {day_text(line.scope.first)} added up in two ways",
                reverse("web:report", args=[line.scope.shift.pk]),
                "Open the report",
            )


def _first_steps(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """What a room lacks before its first shift: tables, what they play and charge, and people."""
    room = permissions.room
    if Shift.objects.filter(room=room).exists():
        return

    def step(what: str, why: str, page: str, act: str) -> Todo:
        return Todo(Urgency.DUE, what, why, reverse(page, args=[room.code]), act, _today(room, now))

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
            Urgency.DUE,
            "No shift is open",
            "tables need one before they deal",
            address,
            "Open a shift",
            _today(room, now),
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
            Urgency.OVERDUE if shift.gaming_day < today else Urgency.LOOK,
            f"{several(len(boxes), 'box')} of {shift.name} {'is' if len(boxes) == 1 else 'are'} not counted",
            f"{day_text(shift.gaming_day)} · {_named(f'{box} of {box.table}' for box in boxes)}",
            reverse("web:count", args=[room.code]),
            act,
            _was("pulled", room, min(box.dropped_at for box in boxes if box.dropped_at), now),
            len(boxes),
        )


def _items(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """The exceptions that are first to be worked off, a line each, and one of the others.

    First is what is due, then where money or a rule is at stake, the latest first. An obligation that is overdue has a line as what
    is to be done (`_obligations`), for who may see that.
    """
    room = permissions.room
    if not permissions.may(Right.SEE_ITEMS):
        return
    works, today = permissions.may(Right.WORK_ITEMS), local_day(room, now)
    grave = models.Case(models.When(kind__in=_GRAVE, then=0), default=1, output_field=models.IntegerField())
    first = models.F("due_on").asc(nulls_last=True), grave
    waiting = Item.objects.filter(NOT_CLOSED, room=room)
    if permissions.may(Right.SEE_OBLIGATIONS):
        waiting = waiting.exclude(kind=OVERDUE)
    rows = waiting.select_related("room", "table", "owner", "explained_by").order_by(
        *first, "-happened_at", "-pk"
    )
    lines = lines_of(list(rows[:MOST_ITEMS]), now)
    for line in lines:
        item = line.item
        explained = item.state == Item.State.EXPLAINED
        who = f"explained by {item.explained_by}, a second person closes it" if explained else ""
        who = who or (f"with {item.owner}" if item.owner else "nobody has it")
        when = _due(item.due_on, today) if item.due_on else _was("happened", room, item.happened_at, now)
        if item.due_on is None:
            urgency = Urgency.LOOK
        else:
            urgency = Urgency.OVERDUE if item.due_on < today else Urgency.DUE
        yield Todo(
            urgency,
            line.says.rstrip("."),
            f"{line.place} · {line.kind} · {who}",
            item_address(item),
            _act(item) if works else "See it",
            when,
        )
    counts = item_counts(room, waiting, now, today)
    if others := counts.not_closed - len(lines):
        old = f"{counts.old} of all older than {several(room.item_days, 'day')}" if counts.old else ""
        yield Todo(
            Urgency.LOOK,
            f"{several(others, 'other exception')} {'is' if others == 1 else 'are'} not closed",
            old,
            reverse("web:inbox", args=[room.code]),
            "Open the inbox",
            count=others,
        )


def _act(item: Item) -> str:
    """What is done with an exception next."""
    if item.state == Item.State.EXPLAINED:
        return "Close it"
    if item.state == Item.State.REFERRED:
        return "See it"
    if item.owner is None:
        return "Give it an owner"
    return "Answer it" if item.kind == CLAIM else "Explain it"


def exceptions_text(room: Room, overview: Overview) -> str:
    """Return how they stand: "17 exceptions are not closed, 12 without an owner"."""
    counts = item_counts(room, Item.objects.filter(room=room), overview.now, overview.today)
    if not counts.not_closed:
        return "Every exception is closed"
    text = f"{several(counts.not_closed, 'exception')} {'is' if counts.not_closed == 1 else 'are'} not closed"
    return text + (f", {counts.unowned:,} without an owner" if counts.unowned else "")


def _obligations(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Obligations that are overdue, or due within their days of reminding."""
    room, today = permissions.room, local_day(permissions.room, now)
    if not permissions.may(Right.SEE_OBLIGATIONS):
        return
    gives = permissions.may(Right.KEEP_OBLIGATIONS)
    for each in obligations_due(room, today):
        act = (
            "Give it an owner"
            if gives and each.owner is None
            else f"Open the {each.get_kind_display().lower()}"
            if each.kind != Obligation.Kind.OTHER
            else "Open it"
        )
        yield Todo(
            Urgency.OVERDUE if each.due_on < today else Urgency.DUE,
            each.title,
            f"{each.get_kind_display()} · {f'with {each.owner}' if each.owner else 'nobody has it'}",
            obligation_address(each) + ("#owner" if gives and each.owner is None else ""),
            act,
            _due(each.due_on, today),
        )


def _reports(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Jobs that failed, but for exports, which have lines of their own (`_exports`).

    How many reports are still to come is said by the page that lacks them.
    """
    room = permissions.room
    if not permissions.may(Right.SEE_REPORTS):
        return
    if failed := [each for each in failures_of(room) if each.job.kind != EXPORT]:
        yield Todo(
            Urgency.NOW,
            f"{several(len(failed), 'job')} failed",
            _named(f"{each.labels.what}: {each.labels.about}" for each in failed),
            reverse("web:background", args=[room.code]),
            "Try again" if permissions.may(Right.TRY_AGAIN) else "See why",
        )


def _checkpoints(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    room = permissions.room
    if permissions.may(Right.SEE_REPORTS) and (count := failed_jobs(room).count()):
        yield Todo(
            Urgency.LOOK,
            f"{several(count, 'checkpoint')} could not be signed, stamped or delivered",
            "tried again by itself",
            reverse("web:checkpoints", args=[room.code]),
            "Open checkpoints",
        )


def _exports(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Closed and reported gaming days that could not be exported, are late, or were cancelled; none where no store is set."""
    room = permissions.room
    if settings.EXPORT_URL is None or not permissions.may(Right.SEE_REPORTS):
        return
    waiting = days_waiting(room, now)

    def line(urgency: Urgency, found: list[WaitingDay], how: str, why: str, act: str) -> Todo:
        days = _named(day_text(each.report.first) for each in found)
        return Todo(
            urgency,
            f"{several(len(found), 'gaming day')} {how}",
            f"{days} · {why}",
            reverse("web:exports", args=[room.code]),
            act,
            _was("reported", room, min(each.report.made_at for each in found), now),
            len(found),
        )

    if failed := [each for each in waiting if each.has_failed]:
        left = any(each.standing is Standing.GIVEN_UP for each in failed)
        why = "not tried again by itself" if left else "tried again by itself, once an hour in the end"
        act = "Try again" if permissions.may(Right.TRY_AGAIN) else "See why"
        yield line(Urgency.OVERDUE, failed, "could not be exported", why, act)
    if late := [each for each in waiting if each.standing is Standing.LATE]:
        how = "is not exported yet" if len(late) == 1 else "are not exported yet"
        yield line(Urgency.OVERDUE, late, how, "no job server has taken it up", "See what to do")
    if cancelled := [each for each in waiting if each.standing is Standing.CANCELLED]:
        how = "is not exported" if len(cancelled) == 1 else "are not exported"
        yield line(Urgency.LOOK, cancelled, how, "cancelled by a person", "See what to do")


def _alerts(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Alerts of the floor that nobody has answered, but for those of which an exception has a line."""
    room = permissions.room
    if not permissions.may(Right.SEE_FLOOR):
        return
    alerts = list(
        Alert.objects.filter(OPEN, room=room, acknowledged_at__isnull=True)
        .select_related("table")
        .order_by("raised_at", "pk")
    )
    if permissions.may(Right.SEE_ITEMS):
        told = {alert for alert, item in items_of_alerts(room, alerts).items() if not item.is_closed}
        alerts = [each for each in alerts if each.pk not in told and each.kind != Alert.Kind.ITEMS_OLD]
    if alerts:
        urgent = any(each.kind in Alert.URGENT and each.cleared_at is None for each in alerts)
        yield Todo(
            Urgency.NOW if urgent else Urgency.LOOK,
            f"{several(len(alerts), 'alert')} {'is' if len(alerts) == 1 else 'are'} not answered",
            _named(f"{each.get_kind_display()}, {each.table}" for each in alerts),
            reverse("web:alerts", args=[room.code]),
            "Answer" if permissions.may(Right.ANSWER_ALERTS) else "See them",
            _was("raised", room, alerts[0].raised_at, now),
            len(alerts),
        )


def _expiries(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Badges and permits that have expired, a line each, those that will soon in one, and contracts with providers."""
    room, today = permissions.room, local_day(permissions.room, now)
    if not permissions.may(Right.SEE_REPORTS):
        return
    found = expiring(room, today)
    told: set[str] = set()
    if permissions.may(Right.SEE_ITEMS):
        waiting = ItemPerson.objects.filter(item__room=room, item__kind=BADGE.code, item__closed_at=None)
        for staff, player in waiting.values_list("staff", "player"):
            told.add(f"staff:{staff}" if player is None else f"player:{player}")
    for each in found:
        if each.expires < today and each.subject not in told:
            yield Todo(
                Urgency.OVERDUE,
                f"{each.what.capitalize()} of {each.person} has expired",
                each.number,
                _person_address(permissions, each),
                "See who",
                _on("expired", each.expires, today),
            )
    if soon := [each for each in found if each.expires >= today]:
        what = "1 badge or permit expires" if len(soon) == 1 else f"{len(soon)} badges and permits expire"
        yield Todo(
            Urgency.DUE,
            f"{what} within {REMIND_DAYS} days",
            _named(f"{each.person}, {each.what}" for each in soon),
            _person_address(permissions, soon[0]) if len(soon) == 1 else _expiries_address(permissions),
            "See who",
            _on("expires" if len(soon) == 1 else "first expires", soon[0].expires, today),
        )
    last = today + datetime.timedelta(days=REMIND_DAYS)
    contracts = ProviderContract.objects.filter(room=room, ended_on=None, ends_on__range=(today, last))
    for contract in contracts.select_related("provider").order_by("ends_on"):
        assert contract.ends_on is not None  # that was asked for
        yield Todo(
            Urgency.DUE,
            f"The contract with {contract.provider} ends",
            f"contract {contract.number}",
            reverse("web:providers", args=[room.code]),
            "See the providers",
            _on("ends", contract.ends_on, today),
        )


def _person_address(permissions: Permissions, expiry: Expiry) -> str:
    """Where a badge or permit is told in full, as far as the person may see that."""
    kind, _, pk = expiry.subject.partition(":")
    if kind == "player":
        return reverse("web:player", args=[permissions.room.code, int(pk)])
    if permissions.may(Right.SET_PEOPLE):
        return reverse("web:person", args=[permissions.room.code, int(pk)])
    return _expiries_address(permissions)


def _expiries_address(permissions: Permissions) -> str:
    """Where badges and permits are listed with their days: the calendar, or else the room's page."""
    page = "web:obligations" if permissions.may(Right.SEE_OBLIGATIONS) else "web:room"
    return reverse(page, args=[permissions.room.code])


def _filings(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Games and schedules of fees that are drafted, and wait for two people to file them."""
    if not permissions.may(Right.FILE_SCHEDULES):
        return
    today = local_day(permissions.room, now)
    for version in drafts_of(permissions.room):
        day = version.effective_from
        yield Todo(
            Urgency.LOOK if day is None else Urgency.OVERDUE if day < today else Urgency.DUE,
            f"{version} is a draft",
            "two people file it",
            filing_address(permissions.room, version),
            "Read and file",
            _NO_DAY if day is None else _on("planned for", day, today),
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
            yield Todo(Urgency.LOOK, "Tips are not shared out", item.text, address, "Share out")


def _passwords(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    """Accounts that came from a file, with which nobody can sign in yet."""
    room = permissions.room
    if not permissions.may(Right.SET_PEOPLE):
        return
    if people := list(people_without_password(room).filter(is_active=True)):
        what = f"{several(len(people), 'account')} {'has' if len(people) == 1 else 'have'} no password yet"
        address = f"{reverse('web:people', args=[room.code])}?only=no-password"
        yield Todo(Urgency.LOOK, what, _named(str(each) for each in people), address, "Set them")


def _lockouts(permissions: Permissions, now: datetime.datetime) -> Iterator[Todo]:
    room = permissions.room
    if permissions.may(Right.LIFT_LOCKOUTS) and (locked := locked_out(room)):
        names = _named(str(each.staff) for each in locked)
        address = f"{reverse('web:room', args=[room.code])}#locked-out"
        yield Todo(Urgency.LOOK, f"{several(len(locked), 'account')} locked", names, address, "Lift the lock")


_SOURCES: Final[Sequence[Callable[[Permissions, datetime.datetime], Iterator[Todo]]]] = (
    *(_first_steps, _shift, _boxes, _items, _obligations, _reports, _exports, _alerts, _checkpoints),
    *(_filings, _expiries, _tips, _lockouts, _passwords),
)


def _named(names: Iterable[str]) -> str:
    """Return the first names with how many there are beside them: "Box 7 of Table 7, Box 8 of Table 8 and 4 more"."""
    every = list(dict.fromkeys(names))
    left = len(every) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {left} more" if left > 0 else "")


def _today(room: Room, now: datetime.datetime) -> When:
    return When(local_day(room, now), "due now")


def _due(day: datetime.date, today: datetime.date) -> When:
    """Until when something is to be done, or was."""
    return _on("was due" if day < today else "due", day, today, past="late")


def _on(verb: str, day: datetime.date, today: datetime.date, past: str = "ago") -> When:
    """What happens or happened on a day: "due Fri Dec 4", "in 8 days"."""
    days = (day - today).days
    away = (
        "today"
        if not days
        else f"in {several(days, 'day')}"
        if days > 0
        else f"{several(-days, 'day')} {past}"
    )
    return When(day, f"{verb} {day:%a %b} {day.day}", away)


def _was(verb: str, room: Room, at: datetime.datetime, now: datetime.datetime) -> When:
    """What happened at an instant, on the room's calendar: "happened Mon Nov 23", "3 days ago"; of today with its time."""
    day, today = local_day(room, at), local_day(room, now)
    return When(day, f"{verb} {time_text(at, room.zone)}", "today") if day == today else _on(verb, day, today)
