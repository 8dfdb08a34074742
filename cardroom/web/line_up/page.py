"""Template context of the line-up: a row a table in the order of the strings, what a push would do, and what came of one.

What was chosen is in the address: the string (`string`), tables that are left out (`in=6:0`, or `without=6`), and who comes in
instead of whom the plan names (`in=6:12`, a table and a dealer).
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import QueryDict

from cardroom.core.json_types import MOST_ID
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.line_up import (
    MEAL,
    Dealer,
    LineUp,
    PushSeen,
    ReliefSeen,
    permits_ending,
)
from cardroom.floor.reads.next_dealers import Row, proposed, why_not_come
from cardroom.people.models import Staff
from cardroom.people.permits import Expiry, local_day

from ..parts.faces import Face, face_of

#: So long after a push everybody can be put back by one touch, and another push is not the next step.
JUST_PUSHED = datetime.timedelta(minutes=10)
#: Letters of a name that fits its place; a longer one is set smaller.
FITS = 18


@dataclasses.dataclass(frozen=True)
class Person:
    """Somebody as the page shows them: face and name."""

    staff: Staff

    @property
    def name(self) -> str:
        return str(self.staff)

    @property
    def face(self) -> Face:
        return face_of(self.staff)

    @property
    def is_long(self) -> bool:
        return len(self.name) > FITS


@dataclasses.dataclass(frozen=True)
class Choice:
    """Somebody who might come in at a table, as its list offers them."""

    value: str
    text: str
    is_chosen: bool = False


@dataclasses.dataclass(frozen=True)
class Choices:
    """People of one kind among the choices."""

    name: str
    choices: list[Choice]


@dataclasses.dataclass(frozen=True)
class Chosen:
    """What the address says: the string that is shown, tables left out, and who comes in where."""

    string: str | None
    without: frozenset[int]
    coming: dict[int, int]

    @classmethod
    def of(cls, query: QueryDict) -> Chosen:
        without = {int(each) for each in query.getlist("without") if _is_id(each)}
        coming = {}
        for each in query.getlist("in"):
            table, _, dealer = each.partition(":")
            if _is_id(table) and dealer == "0":
                without.add(int(table))
            elif _is_id(table) and _is_id(dealer):
                coming[int(table)] = int(dealer)
        return cls(query.get("string"), frozenset(without), coming)

    def query(self, *, without: Iterable[int] | None = None) -> str:
        """The address's query with other tables left out."""
        pairs = [] if self.string is None else [("string", self.string)]
        pairs += [("without", str(pk)) for pk in sorted(self.without if without is None else without)]
        pairs += [("in", f"{table}:{dealer}") for table, dealer in self.coming.items()]
        return urlencode(pairs)


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text[:20]) <= MOST_ID


@dataclasses.dataclass(frozen=True)
class TableRow:
    """One table: `row` is what is and what a push would do, `relief` what has become of its part of an open push."""

    row: Row
    relief: ReliefSeen | None
    begins_string: bool
    people: LineUp

    @property
    def table(self) -> Table:
        return self.row.table

    @property
    def game(self) -> str:
        return "" if self.table.game is None else self.table.game.title or self.table.book.name

    @property
    def limits(self) -> str:
        return "" if self.table.schedule is None else self.table.schedule.schedule.limit_label

    @property
    def dealing(self) -> Person | None:
        """Who is named at the left: who deals, or who was relieved by the open push."""
        if self.relief is not None and self.relief.is_done:
            outgoing = self.relief.relief.outgoing
            return None if outgoing is None else Person(outgoing)
        return None if self.row.down is None else Person(self.row.down.dealer)

    @property
    def left_for(self) -> str:
        """Where the one who was relieved is now."""
        outgoing = None if self.relief is None else self.relief.relief.outgoing
        dealer = None if outgoing is None else self.people.dealers.get(outgoing.pk)
        if dealer is None:
            return ""
        if dealer.down is not None:
            return f"left for {dealer.down.table}"
        for each in self.people.waiting:
            if each.relief.incoming_id == dealer.pk:
                return f"on the way to {each.relief.table}"
        return "left for a meal" if dealer.meal is not None else "on break"

    @property
    def incoming(self) -> Person | None:
        if self.relief is not None:
            done = self.relief.down
            return Person(self.relief.relief.incoming if done is None else done.dealer)
        return None if self.row.incoming is None else Person(self.row.incoming.person)

    @property
    def goes(self) -> str:
        """Where who deals here goes."""
        way = self.row.goes_to
        if isinstance(way, Table):
            return str(way)
        return {None: "", MEAL: "break · meal"}.get(way, "break")

    @functools.cached_property
    def choices(self) -> list[Choices]:
        """Who might come in here, with the one who does chosen."""
        here = None if self.row.down is None else self.row.down.dealer_id
        on_break = [dealer for dealer in self.people.on_break if dealer.pk != here]
        expected = [each for each in self.people.in_plan if each.starts_at is not None and each.down is None]
        named = {dealer.pk for dealer in (*on_break, *expected)}
        others = [
            dealer
            for dealer in self.people.dealers.values()
            if dealer.down is None and not dealer.elsewhere and dealer.pk not in named
        ]
        dealing = [dealer for dealer in self.people.dealing if dealer.pk != here]
        groups = (
            ("On break", on_break),
            ("Expected", expected),
            ("Not in the line-up", others),
            ("At tables", dealing),
        )
        return [
            Choices(name, [self._choice(dealer) for dealer in dealers]) for name, dealers in groups if dealers
        ]

    def _choice(self, dealer: Dealer) -> Choice:
        why = f"from {dealer.down.table}" if dealer.down is not None else why_not_come(dealer, self.people)
        text = f"{dealer} · {why}" if why else str(dealer)
        chosen = self.row.by_hand and self.row.incoming is dealer
        return Choice(f"{self.table.pk}:{dealer.pk}", text, chosen)


@dataclasses.dataclass
class LineUpPage:
    """Everything the page shows."""

    line_up: LineUp
    shift: Shift | None
    chosen: Chosen

    @functools.cached_property
    def string(self) -> str | None:
        """The string that is shown; None for all of them."""
        names = {each.name for each in self.line_up.strings}
        return self.chosen.string if self.chosen.string in names else None

    @functools.cached_property
    def rows(self) -> list[TableRow]:
        names = None if self.string is None else {self.string}
        rows = proposed(self.line_up, names, self.chosen.without, self.chosen.coming)
        reliefs = self.line_up.open_reliefs
        found, before = [], None
        for row in rows:
            begins = before is not None and before != row.string
            found.append(TableRow(row, reliefs.get(row.table.pk), begins, self.line_up))
            before = row.string
        return found

    @functools.cached_property
    def waiting(self) -> list[ReliefSeen]:
        """The reliefs of the tables shown that have not come yet."""
        return [row.relief for row in self.rows if row.relief is not None and row.relief.waits]

    @property
    def is_pushed(self) -> bool:
        """Whether a push is open at the tables shown: the right half tells what came of it."""
        return bool(self.waiting)

    @property
    def free(self) -> list[ReliefSeen]:
        return [each for each in self.waiting if each.is_free]

    @property
    def following(self) -> list[ReliefSeen]:
        return [each for each in self.waiting if not each.is_free]

    @property
    def in_push(self) -> int:
        """How many tables shown are in the open push."""
        return sum(row.relief is not None for row in self.rows)

    @property
    def confirmed(self) -> int:
        return sum(row.relief is not None and row.relief.is_done for row in self.rows)

    @property
    def pushed_at(self) -> datetime.datetime:
        return max(each.relief.push.started_at for each in self.waiting)

    @functools.cached_property
    def pushed(self) -> list[Row]:
        """The tables that a push would relieve."""
        return [row.row for row in self.rows if row.row.incoming is not None]

    @property
    def come_in(self) -> int:
        return sum(row.comes_from is None for row in self.pushed)

    @property
    def go_on_break(self) -> int:
        return sum(isinstance(row.goes_to, str) for row in self.pushed)

    @functools.cached_property
    def why_not_push(self) -> WhyNot | None:
        """Why the push as it is shown would be refused."""
        if not self.pushed:
            return WhyNot("nobody_comes", "Nobody comes in: there is no table, or nobody to relieve it.")
        tables = {row.table.pk for row in self.pushed}
        seen: set[int] = set()
        for row in self.pushed:
            assert row.incoming is not None  # as `pushed` are
            if row.incoming.pk in seen:
                return WhyNot("twice", f"{row.incoming} comes in at two tables. Change one of them.")
            seen.add(row.incoming.pk)
            if row.comes_from is not None and row.comes_from.pk not in tables:
                return WhyNot(
                    "leaves_table",
                    f"{row.incoming} deals at {row.comes_from}, which nobody takes over. Change {row.table}.",
                )
            if row.incoming.expired is not None:
                return WhyNot(
                    "permit_expired", f"The permit of {row.incoming} has expired. Change {row.table}."
                )
        return None

    @functools.cached_property
    def last_push(self) -> PushSeen | None:
        """The latest push, while it is new and everybody can be put back."""
        pushes = [each for each in self.line_up.pushes if each.may_be_reversed]
        last = pushes[-1] if pushes else None
        if last is None or self.line_up.now - last.push.started_at > JUST_PUSHED:
            return None
        return last

    @property
    def without(self) -> list[tuple[Table, str, bool]]:
        """The tables shown, each with the address's query that leaves it out or takes it in again, and whether it is out."""
        found = []
        for row in self.rows:
            pk = row.table.pk
            is_out = pk in self.chosen.without
            rest = self.chosen.without - {pk} if is_out else self.chosen.without | {pk}
            found.append((row.table, self.chosen.query(without=rest), is_out))
        return found

    @property
    def on_break(self) -> list[tuple[Person, Dealer, int | None, str]]:
        """Who is on break: the person, what is known of them, minutes since when, and where they come in."""
        into = {row.row.incoming.pk: str(row.table) for row in self.rows if row.row.incoming is not None}
        into |= {each.relief.incoming_id: str(each.relief.table) for each in self.waiting}
        return [
            (Person(each.person), each, self._minutes(each), into.get(each.pk, ""))
            for each in self.line_up.on_break
        ]

    def _minutes(self, dealer: Dealer) -> int | None:
        since = dealer.away_since if dealer.meal is None else dealer.meal.started_at
        return None if since is None else int((self.line_up.now - since).total_seconds()) // 60

    @property
    def due(self) -> list[tuple[Person, str, datetime.datetime, bool]]:
        """Rests and meals that fall due: whose, what, by when, and whether it is overdue."""
        return [
            (Person(dealer.person), "meal" if what == MEAL else "rest", at, at <= self.line_up.now)
            for dealer, what, at in self.line_up.due
        ]

    @property
    def starting(self) -> list[tuple[Person, datetime.datetime, bool, str]]:
        """Who starts soon or is not in yet: who, when, whether the time is over, and where they come in."""
        into = {row.row.incoming.pk: str(row.table) for row in self.rows if row.row.incoming is not None}
        return [
            (
                Person(dealer.person),
                dealer.starts_at,
                dealer.starts_at <= self.line_up.now,
                into.get(dealer.pk, ""),
            )
            for dealer in self.line_up.starting
            if dealer.starts_at is not None
        ]

    @property
    def cannot_deal(self) -> list[tuple[Person, Expiry]]:
        return [
            (Person(each.person), each.expired)
            for each in self.line_up.cannot_deal
            if each.expired is not None
        ]

    @property
    def permits(self) -> list[tuple[Expiry, int]]:
        """Permits that end soon, each with the days that are left."""
        day = local_day(self.line_up.room, self.line_up.now)
        return [(each, (each.expires - day).days) for each in permits_ending(self.line_up)]
