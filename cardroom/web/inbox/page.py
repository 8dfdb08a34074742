"""What the inbox shows: the filter of its address, a page of items, and the opened one with its place among them."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone

from cardroom.floor.models import Table
from cardroom.inbox.commands.items import MOST_AT_ONCE
from cardroom.inbox.kinds import kind_of, kinds_listed, says_of
from cardroom.inbox.models import Item, ItemStep
from cardroom.inbox.reads.items import EVERY, OPEN_STATES, ItemCounts, ItemFilter, item_counts
from cardroom.people.models import Staff
from cardroom.people.names import named
from cardroom.people.rights import RIGHTS, Right
from cardroom.reports.results.played import span_text
from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY, gaming_day
from cardroom.rooms.models import Room

from ..parts.access import Permissions

#: Items on one page of the list; where several are chosen, as many as are worked off in one act.
ROWS: Final = 50
#: Notes that are offered again.
MOST_NOTES: Final = 3
_MONTH: Final = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_STATES: Final = {OPEN_STATES, EVERY, *Item.State.values}


@dataclasses.dataclass(frozen=True)
class Mark:
    """How a state looks: a shape and a word beside the colour."""

    shape: str
    tone: str
    word: str


MARKS: Final = {
    Item.State.OPEN: Mark("■", "stop", "Open"),
    Item.State.EXPLAINED: Mark("▲", "look", "Explained"),
    Item.State.REFERRED: Mark("→", "info", "Referred"),
    Item.State.CLOSED: Mark("✓", "done", "Closed"),
}


@dataclasses.dataclass(frozen=True)
class Chosen:
    """What the address of the inbox says: filter, page of the list, opened item, and whether several are chosen."""

    filter: ItemFilter
    month: str = ""
    number: int = 1
    item: int | None = None
    several: bool = False

    @classmethod
    def of(cls, query: QueryDict) -> Chosen:
        """Read it; what is no choice is left out."""
        state = query.get("state", "")
        first, last = _month(query.get("month", ""))
        month = query.get("month", "") if first is not None else ""
        if not month:
            first, last = _day(query.get("from", "")), _day(query.get("to", ""))
        chosen = ItemFilter(
            state=state if state in _STATES else OPEN_STATES,
            first=first,
            last=last,
            kind=query.get("kind", "") if kind_of(query.get("kind", "")) else "",
            table=_number(query.get("table")),
            person=_number(query.get("person")),
            old=query.get("age") == "old",
            unowned=query.get("owner") == "none",
        )
        return cls(
            chosen,
            month,
            _number(query.get("page")) or 1,
            _number(query.get("item")),
            query.get("several") == "1" and (bool(chosen.kind) or chosen.state == Item.State.EXPLAINED),
        )

    def query(self, **changes: Any) -> str:
        """The query of an address with changes; what stands at its default is left out."""
        kept = self.filter
        values: dict[str, Any] = {
            "state": "" if kept.state == OPEN_STATES else kept.state,
            "month": self.month,
            "from": "" if self.month else kept.first,
            "to": "" if self.month else kept.last,
            "kind": kept.kind,
            "table": kept.table,
            "person": kept.person,
            "age": "old" if kept.old else "",
            "owner": "none" if kept.unowned else "",
            "several": "1" if self.several else "",
            "page": self.number if self.number > 1 else "",
            "item": self.item,
        } | changes
        made = QueryDict(mutable=True)
        made.update({name: str(value) for name, value in values.items() if value not in ("", None)})
        return made.urlencode()


def _number(text: str | None) -> int | None:
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 19):
        return None
    return int(text) or None


def _day(text: str) -> datetime.date | None:
    """Return a gaming day as an address writes it; None for what is none."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def _month(text: str) -> tuple[datetime.date | None, datetime.date | None]:
    found = _MONTH.fullmatch(text)
    if found is None:
        return None, None
    try:
        first = datetime.date(int(found[1]), int(found[2]), 1)
        last = (first + datetime.timedelta(days=32)).replace(day=1) - datetime.timedelta(days=1)
    except (ValueError, OverflowError):
        return None, None
    return (first, last) if first >= FIRST_DAY and last <= LAST_DAY else (None, None)


@dataclasses.dataclass(frozen=True)
class Line:
    """An item as a line of the list."""

    item: Item
    kind: str
    says: str
    mark: Mark
    age: str
    is_old: bool
    query: str

    @property
    def ticked(self) -> str:
        """Its id as a form posts it."""
        return str(self.item.pk)

    @property
    def explained(self) -> ItemStep | None:
        """What was said last to explain it, read where several are chosen."""
        said: list[ItemStep] = getattr(self.item, "explained", [])
        return said[-1] if said and self.item.state == Item.State.EXPLAINED else None

    @property
    def about(self) -> list[int]:
        """The ids of the staff whom it is about: none of them signs for its closing."""
        return [person.staff_id for person in self.item.people.all() if person.staff_id is not None]

    @property
    def place(self) -> str:
        return "Room" if self.item.table is None else str(self.item.table)


def lines_of(
    items: Sequence[Item], now: datetime.datetime, query: Callable[[Item], str] = lambda item: ""
) -> list[Line]:
    """Return items as the list shows them, players by their names; `query` opens one in it."""
    said = says_of(items)
    return named([_line(item, said[item.pk], now, query(item)) for item in items])


def _line(item: Item, says: str, now: datetime.datetime, query: str) -> Line:
    kind = kind_of(item.kind)
    ended = item.closed_at or now
    old = not item.is_closed and ended - item.happened_at > datetime.timedelta(days=item.room.item_days)
    return Line(
        item,
        item.kind.capitalize() if kind is None else kind.name,
        says,
        MARKS[Item.State(item.state)],
        format_age(ended - item.happened_at),
        old,
        query,
    )


def format_age(age: datetime.timedelta) -> str:
    """How long something has waited: "12 min", "9 h", "3 d 9 h"."""
    minutes = max(0, int(age.total_seconds()) // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h" if hours else f"{minutes} min"


@dataclasses.dataclass
class InboxPage:
    """What the page shows of a room to somebody."""

    room: Room
    permissions: Permissions
    chosen: Chosen
    now: datetime.datetime = dataclasses.field(default_factory=timezone.now)

    @functools.cached_property
    def today(self) -> datetime.date:
        return gaming_day(self.room, self.now)

    @functools.cached_property
    def counts(self) -> ItemCounts:
        """How many there are of each state, with the rest of the filter."""
        items = self.chosen.filter.in_any_state(self.room, self.now)
        return item_counts(self.room, items, self.now, self.today)

    @functools.cached_property
    def items(self) -> QuerySet[Item]:
        """The items of the filter, in their order."""
        return self.chosen.filter.items(self.room, self.now).order_by("happened_at", "pk")

    @functools.cached_property
    def listed(self) -> Page[Item]:
        rows = self.items.select_related("room", "table", "owner")
        if self.chosen.several:
            said = (
                ItemStep.objects.filter(what=ItemStep.What.EXPLAIN).select_related("made_by").order_by("pk")
            )
            rows = rows.prefetch_related("people", Prefetch("steps", said, to_attr="explained"))
        return Paginator(rows, MOST_AT_ONCE if self.chosen.several else ROWS).get_page(self.chosen.number)

    @functools.cached_property
    def lines(self) -> list[Line]:
        return lines_of(
            list(self.listed.object_list), self.now, lambda item: self.chosen.query(item=item.pk, several="")
        )

    @functools.cached_property
    def opened(self) -> Item | None:
        """The opened item: the one of the address, or else the first of the list that is open, or else the first."""
        if self.chosen.item is not None:
            rows = Item.objects.select_related("room", "table", "shift", "owner", "explained_by")
            return rows.filter(pk=self.chosen.item, room=self.room).first()
        items = [line.item for line in self.lines]
        waits = (item for item in items if item.state == Item.State.OPEN)
        return next(waits, items[0] if items else None)

    @property
    def is_named(self) -> bool:
        """Whether the address names the opened item: a phone shows it alone then, and else the list alone."""
        return self.chosen.item is not None

    @functools.cached_property
    def _before(self) -> QuerySet[Item]:
        opened = self.opened
        assert opened is not None  # asked for where one is opened
        return self.items.filter(
            Q(happened_at__lt=opened.happened_at) | Q(happened_at=opened.happened_at, pk__lt=opened.pk)
        )

    @functools.cached_property
    def position(self) -> int | None:
        """The place of the opened item among those of the filter, from 1; None where the filter leaves it out."""
        opened = self.opened
        if opened is None or not self.items.filter(pk=opened.pk).exists():
            return None
        return self._before.count() + 1

    @functools.cached_property
    def previous(self) -> str | None:
        """The query of the address of the item before."""
        item = self._before.reverse().values_list("pk", flat=True).first()
        return None if item is None else self.chosen.query(item=item)

    @functools.cached_property
    def next(self) -> str | None:
        """The same of the item after."""
        opened = self.opened
        assert opened is not None  # asked for where one is opened
        item = next_after(self.items, opened)
        return None if item is None else self.chosen.query(item=item)

    @functools.cached_property
    def together(self) -> list[tuple[str, int, str]]:
        """The kinds of which several are not explained: name, how many, and the query by which they are chosen at once."""
        chosen = self.chosen
        if not self.may_work or chosen.several or chosen.filter.kind:
            return []
        waits = self.chosen.filter.in_any_state(self.room, self.now).exclude(
            state__in=[Item.State.EXPLAINED, Item.State.CLOSED]
        )
        counted = waits.order_by().values("kind").annotate(number=Count("pk")).filter(number__gt=1)
        numbers = {row["kind"]: row["number"] for row in counted}
        return [
            (
                kind.name,
                numbers[kind.code],
                chosen.query(kind=kind.code, state="", several="1", item="", page=""),
            )
            for kind in kinds_listed()
            if kind.code in numbers and not kind.alone
        ]

    @property
    def may_choose_several(self) -> bool:
        """Whether what is listed may be worked off at once, or one at a time again."""
        kind = kind_of(self.chosen.filter.kind)
        at_once = kind is not None and not kind.alone and self.listed.paginator.count > 1
        return self.may_work and (self.chosen.several or at_once)

    @property
    def all_explained(self) -> bool:
        """Whether those that are chosen at once are all explained: they are closed then."""
        return self.chosen.several and all(line.item.state == Item.State.EXPLAINED for line in self.lines)

    @property
    def to_close(self) -> int:
        """How many of the filter wait for a second person alone, whatever the state asked for; 0 where they are shown to be closed."""
        shown = self.chosen.several and self.chosen.filter.state == Item.State.EXPLAINED
        return 0 if shown or not self.may_work else self.counts.by_state[Item.State.EXPLAINED]

    @property
    def to_close_query(self) -> str:
        """The query by which they are all chosen at once."""
        return self.chosen.query(state=Item.State.EXPLAINED, several="1", item="", page="")

    @property
    def closes_alone(self) -> bool:
        """Whether what is chosen is of several kinds: one note explains none of them then."""
        return self.chosen.several and not self.chosen.filter.kind

    @functools.cached_property
    def notes(self) -> list[str]:
        """What was said last of items of this kind, to be said again with one touch."""
        opened = self.opened
        if opened is None or not self.may_work or self.closes_alone:
            return []
        said = ItemStep.objects.filter(room=self.room, item__kind=opened.kind, what=ItemStep.What.EXPLAIN)
        return list(dict.fromkeys(said.order_by("-pk").values_list("note", flat=True)[:40]))[:MOST_NOTES]

    @property
    def next_to_explain(self) -> int | None:
        """The id of the next item of the filter that nobody has explained, after the opened one, or else before it."""
        opened = self.opened
        assert opened is not None  # asked for where one is opened
        waits = self.items.filter(state__in=[Item.State.OPEN, Item.State.REFERRED]).exclude(pk=opened.pk)
        return next_after(waits, opened) or waits.values_list("pk", flat=True).first()

    @property
    def states(self) -> list[tuple[str, Mark | None, str, int, str]]:
        """The chips of states: value, mark, word, how many, and the query of the address."""
        counts = self.counts
        chips: list[tuple[str, Mark | None, str, int, str]] = [
            (OPEN_STATES, None, "Not closed", counts.not_closed, self._state_query(""))
        ]
        chips += [
            (str(state), MARKS[state], MARKS[state].word, counts.by_state[state], self._state_query(state))
            for state in Item.State
        ]
        return chips

    def _state_query(self, state: str) -> str:
        return self.chosen.query(state=state, page="", item="", several="")

    @property
    def says(self) -> str:
        """The line below the heading: how many are not closed, and due soon."""
        counts = self.counts
        due = f", {counts.due:,} due within a week" if counts.due else ""
        return f"{counts.not_closed:,} not closed of {counts.every:,}{self._of_month}{due}"

    @property
    def narrower(self) -> list[tuple[str, str, bool]]:
        """Filters of that line: words, the query that sets one or takes it off again, and whether it is set."""
        counts, kept = self.counts, self.chosen.filter
        days = f"the room's {self.room.item_days} day{'' if self.room.item_days == 1 else 's'}"
        found: list[tuple[str, str, bool]] = []
        if counts.unowned or kept.unowned:
            query = self.chosen.query(owner="" if kept.unowned else "none", page="", item="", several="")
            found.append((f"{counts.unowned:,} without an owner", query, kept.unowned))
        if counts.old or kept.old:
            query = self.chosen.query(age="" if kept.old else "old", page="", item="", several="")
            found.append((f"{counts.old:,} older than {days}", query, kept.old))
        else:
            found.append((f"none older than {days}", "", False))
        return found

    @property
    def _of_month(self) -> str:
        time = self._time("%B %Y")
        return f" in {time}" if self.chosen.month else f" of {time}" if time else ""

    def _time(self, month: str) -> str:
        """The time of the filter in words: a month, or days; empty for any."""
        first, last = self.chosen.filter.first, self.chosen.filter.last
        if first is None and last is None:
            return ""
        if self.chosen.month and first is not None:
            return f"{first:{month}}"
        return span_text(first or FIRST_DAY, last or self.today)

    @functools.cached_property
    def months(self) -> list[tuple[str, str]]:
        """The months that have items, the latest first."""
        days = Item.objects.filter(room=self.room).dates("gaming_day", "month", order="DESC")
        return [(f"{day:%Y-%m}", f"{day:%B %Y}") for day in days]

    @property
    def kinds(self) -> list[tuple[str, str]]:
        return [(kind.code, kind.name) for kind in kinds_listed()]

    @functools.cached_property
    def tables(self) -> list[tuple[int, str]]:
        tables = Table.objects.filter(room=self.room).order_by("number")
        return [(table.pk, str(table)) for table in tables]

    @functools.cached_property
    def staff(self) -> list[Staff]:
        """Who owns an item of the room, or whom one is about, by name."""
        of_room = Item.objects.filter(room=self.room)
        owners = of_room.filter(owner__isnull=False).order_by().values("owner").distinct()
        about = of_room.filter(people__staff__isnull=False).order_by().values("people__staff").distinct()
        people = Staff.objects.filter(Q(pk__in=owners) | Q(pk__in=about))
        return list(people.order_by("display_name", "username"))

    @property
    def list_query(self) -> str:
        """The query of the list alone."""
        return self.chosen.query(item="", several="")

    @property
    def earlier(self) -> str:
        return self.chosen.query(item="", page=self.listed.number - 1)

    @property
    def later(self) -> str:
        return self.chosen.query(item="", page=self.listed.number + 1)

    @property
    def several_query(self) -> str:
        """The query of the same list where several are chosen at once, or one at a time again."""
        return self.chosen.query(item="", several="" if self.chosen.several else "1")

    @property
    def filters_set(self) -> str:
        """What is set of the filters that a narrow page keeps behind one button, in words."""
        kept = self.chosen.filter
        kind = kind_of(kept.kind)
        words = [] if kind is None else [kind.name]
        words += [name for pk, name in self.tables if pk == kept.table]
        words += [str(person) for person in self.staff if person.pk == kept.person]
        if time := self._time("%b %Y"):
            words.append(time)
        if kept.old:
            words.append("old")
        if kept.unowned:
            words.append("no owner")
        return ", ".join(words) or "none set"

    @property
    def month_report(self) -> str:
        """The query of the report of the month: that of the filter, or else the present one."""
        first = self.chosen.filter.first or self.today.replace(day=1)
        last = self.chosen.filter.last or self.today
        return f"from={first.isoformat()}&to={last.isoformat()}"

    @functools.cached_property
    def owners(self) -> list[Staff]:
        """Who may own an item: whoever works them off here."""
        people = Staff.objects.filter(
            is_active=True, employments__room=self.room, employments__role__in=RIGHTS[Right.WORK_ITEMS]
        )
        return list(people.distinct().order_by("display_name", "username"))

    @property
    def may_work(self) -> bool:
        return self.permissions.may(Right.WORK_ITEMS)

    @property
    def may_end_reviews(self) -> bool:
        return self.permissions.may(Right.END_REVIEWS)


def next_after(items: QuerySet[Item], item: Item) -> int | None:
    """Return the id of the item that comes after one."""
    later = items.filter(
        Q(happened_at__gt=item.happened_at) | Q(happened_at=item.happened_at, pk__gt=item.pk)
    )
    return later.values_list("pk", flat=True).first()
