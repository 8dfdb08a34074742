"""The line-up: strings of tables, who comes next by the plan, pushes as waves, meals and rests; downs stay the record."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from cardroom.floor.commands.line_up import line_up_set, meal_end, meal_start
from cardroom.floor.commands.pushes import (
    push_reverse,
    push_start,
    relief_take,
    reliefs_cancel,
    reliefs_confirm,
)
from cardroom.floor.commands.seats import down_start
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotNow
from cardroom.floor.models import Down, JournalEntry, Meal, Push, Relief, Table
from cardroom.floor.reads.line_up import LineUp, line_up_of
from cardroom.floor.reads.line_up_record import line_up_record
from cardroom.floor.reads.next_dealers import proposed
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Role, WorkPermit
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from tests.cast import Cast, written
from tests.filing import table_settings
from tests.kept import kept
from tests.waiting import until_somebody_waits

from .test_locks import in_thread

pytestmark = pytest.mark.postgresql
DEALERS = "ABCDEF"


class Strings(Cast):
    """A room with tables 1 to 4 in one string, dealt by A to D, while E and F are on break; it is noon."""

    tables: dict[int, Table]


def strings_cast() -> Strings:
    cast = Strings()
    cast.send_room(shift_open, name="Swing")
    cast.tables = {}
    settings = table_settings(cast.room, schedule_id=cast.schedule(1).pk)
    for number in (1, 2, 3, 4):
        cast.tables[number] = Table.objects.create(room=cast.room, number=number)
        cast.send(table_set, "floor", cast.tables[number], **settings)
        cast.send(table_open, "floor", cast.tables[number])
    for letter in DEALERS:
        cast.hire(letter, Role.DEALER)
    set_plan(cast)
    return cast


def set_plan(cast: Strings, dealers: str = DEALERS, **more: Any) -> None:
    string = {
        "name": "A",
        "tables": [table.pk for table in cast.tables.values()],
        "dealers": [cast.people[letter].pk for letter in dealers],
    }
    cast.send_room(line_up_set, "floor", strings=[string], **more)


def deal(cast: Strings, dealers: str = "ABCD") -> None:
    """Let dealers begin downs at tables 1, 2, 3 and 4."""
    for table, letter in zip(cast.tables.values(), dealers, strict=False):
        cast.send(down_start, "floor", table, dealer_id=cast.people[letter].pk)


@pytest.fixture
def room(db: None) -> Strings:
    cast = kept(strings_cast)
    deal(cast)
    return cast


def seen(cast: Strings) -> LineUp:
    return line_up_of(Room.objects.get(pk=cast.room.pk), timezone.now())


def dealing(cast: Strings) -> str:
    """Who deals at tables 1 to 4: "ABCD", with a dash where nobody does."""
    downs = {down.table_id: str(down.dealer) for down in Down.objects.filter(ended_at__isnull=True)}
    return "".join(downs.get(table.pk, "-") for table in cast.tables.values())


def coming(cast: Strings, **choice: Any) -> str:
    """Who comes in at tables 1 to 4 by the plan."""
    rows = proposed(seen(cast), **choice)
    return "".join("-" if row.incoming is None else str(row.incoming) for row in rows)


def pushed(cast: Strings, letters: str) -> list[dict[str, Any]]:
    """The reliefs of a push by which these dealers come in at tables 1 to 4; a dash leaves a table out."""
    return [
        {"table": table.pk, "dealer": cast.people[letter].pk}
        for table, letter in zip(cast.tables.values(), letters, strict=True)
        if letter != "-"
    ]


def still() -> Any:
    """Let the clock stand a second after the last dealer began."""
    return time_machine.travel(Down.objects.latest("started_at").started_at.timestamp() + 1, tick=False)


def signing(cast: Strings) -> None:
    Room.objects.filter(pk=cast.room.pk).update(reliefs_sign=True)


def test_who_comes_next_is_the_table_before_and_whoever_has_been_away_longest(room: Strings) -> None:
    """Substitutes stand out with why; a table that is left out keeps its dealer, and so does one to which nobody comes."""
    with still() as clock:
        assert coming(room) == "EABC"
        clock.shift(datetime.timedelta(minutes=41))
        rows = proposed(line := seen(room))
        assert [row.minutes for row in rows] == [41] * 4 and [row.over for row in rows] == [11] * 4
        assert [str(row.goes_to) for row in rows] == ["Table 2", "Table 3", "Table 4", "break"]
        assert [row.comes_from and row.comes_from.number for row in rows] == [None, 1, 2, 3]
        assert len(line.over) == 4 and [str(each) for each in line.on_break] == ["E", "F"]

        room.send_room(meal_start, "floor", dealer_id=room.people["E"].pk)
        first = proposed(seen(room))[0]
        assert (str(first.incoming), str(first.instead_of)) == ("F", "E")
        assert first.why == "at meal"
        assert coming(room, without=[room.tables[2].pk]) == "F-AC"
        assert (
            coming(room, chosen={room.tables[3].pk: room.people["F"].pk}) == "DAFC"
        )  # a ring: nobody is left on break
        WorkPermit.objects.create(
            staff=room.people["F"], room=room.room, number="P-6", expires=datetime.date(2026, 1, 1)
        )
        assert [str(each) for each in seen(room).cannot_deal] == ["F"]
        assert (
            coming(room) == "DABC" and coming(room, without=[pk.pk for pk in room.tables.values()]) == "----"
        )
        set_plan(room, "ABCDE")
        clock.shift(datetime.timedelta(minutes=31))
        assert coming(room) == "EABC"


def test_rests_and_meals_fall_due_by_the_numbers_of_the_plan(room: Strings) -> None:
    """Who is due within the next down goes on break, where somebody is there to come in; a short meal does not count."""
    with still() as clock:
        start = timezone.now()
        set_plan(room, rest_after_minutes=60, meal_after_minutes=240)
        clock.move_to(start + datetime.timedelta(minutes=20))
        assert seen(room).due == []
        room.send_room(push_start, "floor", reliefs=pushed(room, "EABC"))
        clock.move_to(start + datetime.timedelta(minutes=40))
        assert [(str(each), what) for each, what, _ in seen(room).due] == [(each, "break") for each in "ABC"]
        rows = proposed(seen(room))
        # D, who was relieved twenty minutes ago, has had a rest, and F was never at a table.
        assert "".join(str(row.incoming) for row in rows) == "DEFB"
        assert (str(rows[2].instead_of), rows[2].why[:8]) == ("A", "rest by ")
        assert [str(row.goes_to) for row in rows] == ["Table 2", "break", "Table 4", "break"]
        clock.move_to(start + datetime.timedelta(minutes=211))
        meals = [(str(each), what) for each, what, _ in seen(room).due if what == "meal"]
        assert meals == [("D", "meal")]
        room.send_room(meal_start, "floor", dealer_id=room.people["D"].pk)
        clock.shift(datetime.timedelta(minutes=29))
        room.send_room(meal_end, "floor", meal_id=Meal.objects.get().pk)
        assert ("D", "meal") in [(str(each), what) for each, what, _ in seen(room).due]
        room.send_room(meal_start, "floor", dealer_id=room.people["D"].pk)
        clock.shift(datetime.timedelta(minutes=31))
        assert "D" not in [str(each) for each, _, _ in seen(room).due]


def test_a_push_relieves_all_tables_at_one_instant_and_is_put_back_whole(room: Strings) -> None:
    """Each down is in the chain of its table, and all rows are proved by the journal."""
    answer = room.send_room(push_start, "floor", reliefs=pushed(room, "EABC"))
    tables = [table.pk for table in room.tables.values()]
    assert answer["relieved"] == tables and dealing(room) == "EABC"
    [begun] = set(Down.objects.filter(ended_at__isnull=True).values_list("started_at", flat=True))
    assert set(Down.objects.filter(ended_at__isnull=False).values_list("ended_at", flat=True)) == {begun}
    entries = JournalEntry.objects.filter(command="down_start", at=begun).order_by("pk")
    assert [entry.table_id for entry in entries] == tables and entries[1].data["push"] == answer["push"]
    assert list(rows_verify()) == [] and not seen(room).waiting

    downs = Down.objects.count()
    room.send_room(push_reverse, "floor", push_id=answer["push"])
    assert dealing(room) == "ABCD" and Down.objects.count() == downs + 4
    with pytest.raises(NotNow, match="put back already"):
        room.send_room(push_reverse, "floor", push_id=answer["push"])
    ring = room.send_room(push_start, "floor", reliefs=pushed(room, "DABC"))
    assert dealing(room) == "DABC" and sorted(ring["relieved"]) == tables
    room.send(down_start, "floor", room.tables[2], dealer_id=room.people["F"].pk)
    with pytest.raises(NotNow) as refused:
        room.send_room(push_reverse, "floor", push_id=ring["push"])
    assert refused.value.code == "changed_since" and dealing(room) == "DFBC"
    assert list(rows_verify()) == []


def test_a_push_with_somebody_missing_is_refused_with_the_place_and_moves_nobody(room: Strings) -> None:
    dealer = room.people["dealer"]
    room.send(table_set, "floor", **table_settings(room.room, schedule_id=room.schedule(1).pk))
    room.send(table_open, "floor")
    room.send(down_start, "floor", dealer_id=dealer.pk)
    WorkPermit.objects.create(
        staff=room.people["F"], room=room.room, number="P-6", expires=datetime.date(2026, 1, 1)
    )
    elsewhere = room.hire("rival_dealer", Role.DEALER)
    room.send(down_start, "rival_floor", room.rival_table, dealer_id=elsewhere.pk)
    first, second = room.tables[1].pk, room.tables[2].pk
    a, c = room.people["A"].pk, room.people["C"].pk
    before = written()
    refusals: list[tuple[str, str, list[dict[str, Any]]]] = [
        ("no_tables", "reliefs", []),
        ("leaves_table", "reliefs[1].dealer", pushed(room, "E--A")[:1] + pushed(room, "-C--")),
        ("leaves_table", "reliefs[0].dealer", [{"table": first, "dealer": dealer.pk}]),
        ("leaves_table", "reliefs[0].dealer", [{"table": first, "dealer": elsewhere.pk}]),
        ("permit_expired", "reliefs[1].dealer", pushed(room, "EF--")),
        ("unknown_dealer", "reliefs[0].dealer", [{"table": first, "dealer": room.people["count"].pk}]),
        ("unknown_table", "reliefs[0].table", [{"table": room.rival_table.pk, "dealer": a}]),
        ("table_closed", "reliefs[0].table", [{"table": room.second_table.pk, "dealer": a}]),
        ("deals_here", "reliefs[0].dealer", [{"table": first, "dealer": a}]),
        ("twice", "reliefs[1].table", [*pushed(room, "E---"), {"table": first, "dealer": c}]),
        ("twice", "reliefs[1].dealer", pushed(room, "EE--")),
        ("another_deals", "reliefs[0].relieves", [{"table": second, "dealer": a, "relieves": c}]),
        ("another_deals", "reliefs[0].relieves", [{"table": second, "dealer": a, "relieves": None}]),
    ]
    for code, path, reliefs in refusals:
        refused = refusal_of(room, reliefs)
        assert (refused.code, refused.path) == (code, path)
    refused_with = refusal_of(room, [{"table": first, "dealer": elsewhere.pk}]).message
    assert "a table of another room" in refused_with
    assert written() == before and not Push.objects.exists() and dealing(room) == "ABCD"


def refusal_of(cast: Strings, reliefs: list[dict[str, Any]]) -> FloorError:
    with pytest.raises(FloorError) as refused:
        cast.send_room(push_start, "floor", reliefs=reliefs)
    return refused.value


def test_where_reliefs_sign_a_push_is_a_wave_and_who_is_not_relieved_goes_on(room: Strings) -> None:
    """E takes over table 1, so that A is free for table 2; a table whose relief is canceled goes on, and its dealer is credited."""
    signing(room)
    meal = {**pushed(room, "---C")[0], "meal": True}
    push = room.send_room(push_start, "floor", reliefs=[*pushed(room, "EAB-"), meal])
    assert push["relieved"] == [] and dealing(room) == "ABCD"
    one, two, three, four = Relief.objects.order_by("position")
    assert [str(each.after) for each in seen(room).waiting] == ["None", "Table 1", "Table 2", "Table 3"]
    with pytest.raises(NotNow, match="still deals at Table 1") as refused:
        room.send(relief_take, room.people["A"], room.tables[2], relief_id=two.pk)
    assert refused.value.code == "after_table"
    for who, signs in ((room.people["A"], None), (room.people["floor"], room.people["A"])):
        with pytest.raises(Forbidden, match="with their own PIN"):
            room.send(relief_take, who, room.tables[1], relief_id=one.pk, signed_by=signs)
    room.send(relief_take, room.people["E"], room.tables[1], relief_id=one.pk)
    room.send(relief_take, room.people["B"], room.tables[2], relief_id=two.pk, signed_by=room.people["A"])
    assert dealing(room) == "EACD"
    for letters in ("--F-", "B---"):
        assert refusal_of(room, pushed(room, letters)).code == "relief_waits"
    with pytest.raises(NotNow) as refused:
        room.send_room(reliefs_confirm, "floor", tables=[four.table_id])
    assert refused.value.code == "after_table"
    # Somebody else than the relief comes to table 3: it is relieved all the same, and C is free.
    room.send(down_start, "floor", room.tables[3], dealer_id=room.people["F"].pk)
    assert Relief.objects.get(pk=three.pk).down.dealer == room.people["F"]  # type: ignore[union-attr]
    assert room.send_room(reliefs_confirm, "floor")["tables"] == [four.table_id]
    assert dealing(room) == "EAFC" and Meal.objects.get().dealer == room.people["D"]
    assert not seen(room).waiting and list(rows_verify()) == []

    again = room.send_room(push_start, "floor", reliefs=pushed(room, "BEAF"))["push"]
    first, second, *_ = Relief.objects.filter(push=again)
    room.send(relief_take, room.people["B"], room.tables[1], relief_id=first.pk)
    instead = [{**each, "replaces": second.pk} for each in pushed(room, "-D--")]  # E is nowhere to be seen
    room.send_room(push_start, "floor", reliefs=instead)
    second = Relief.objects.get(table=second.table, ended_at__isnull=True, down__isnull=True)
    assert second.incoming == room.people["D"]
    assert room.send_room(reliefs_cancel, "floor")["tables"] == [
        second.table_id,
        three.table_id,
        four.table_id,
    ]
    assert dealing(room) == "BAFC"
    with pytest.raises(NotNow, match="No relief"):
        room.send(relief_take, room.people["D"], room.tables[2], relief_id=second.pk)
    with pytest.raises(NotNow, match="No relief waits"):
        room.send_room(reliefs_confirm, "floor")
    other = room.send_room(push_start, "floor", reliefs=pushed(room, "-D--"))["push"]
    room.send_room(push_reverse, "floor", push_id=again)  # beside a push that is open at another table
    assert dealing(room) == "EAFC" and [each.push.pk for each in seen(room).pushes] == [other]


def test_a_plan_names_tables_and_dealers_of_the_room_once(room: Strings) -> None:
    tables, dealers = [room.tables[1].pk], [room.people["A"].pk]
    for path, strings in (
        ("strings[0].name", [{"name": " ", "tables": tables, "dealers": dealers}]),
        ("strings[0].tables[0]", [{"name": "A", "tables": [room.rival_table.pk], "dealers": dealers}]),
        ("strings[1].tables[0]", [{"name": each, "tables": tables, "dealers": []} for each in "AB"]),
        ("strings[0].dealers[0]", [{"name": "A", "tables": tables, "dealers": [room.people["count"].pk]}]),
        ("strings[0].dealers[1]", [{"name": "A", "tables": tables, "dealers": dealers * 2}]),
    ):
        with pytest.raises(BadInput) as refused:
            room.send_room(line_up_set, "floor", strings=strings)
        assert refused.value.path == path


@pytest.mark.django_db(transaction=True)
def test_two_pushes_at_once_come_to_one_push_and_a_refusal() -> None:
    cast = strings_cast()
    deal(cast)
    reliefs = [{**each, "relieves": here} for each, here in zip(pushed(cast, "EABC"), ids(cast), strict=True)]
    with transaction.atomic():
        cast.send_room(push_start, "floor", reliefs=reliefs)
        thread, outcome = in_thread(lambda: cast.send_room(push_start, "floor_2", reliefs=reliefs))
        until_somebody_waits()
    thread.join(timeout=30)
    [refused] = outcome
    assert isinstance(refused, NotNow) and refused.code == "another_deals", refused
    assert dealing(cast) == "EABC" and Push.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_push_beside_a_dealer_who_is_sent_elsewhere_moves_all_or_nobody() -> None:
    """E is to come in, and begins a down at a table beside: whichever is first, the other is refused whole."""
    cast = strings_cast()
    deal(cast)
    reliefs, beside, pk = pushed(cast, "EABC"), cast.second_table, cast.people["E"].pk
    with transaction.atomic():
        cast.send(down_start, "floor", beside, dealer_id=pk)
        thread, outcome = in_thread(lambda: cast.send_room(push_start, "floor_2", reliefs=reliefs))
        until_somebody_waits()
    thread.join(timeout=30)
    [refused] = outcome
    assert isinstance(refused, NotNow) and refused.code in ("dealer_elsewhere", "leaves_table"), refused
    assert dealing(cast) == "ABCD" and not Push.objects.exists()


def ids(cast: Strings) -> list[int]:
    return [cast.people[letter].pk for letter in "ABCD"]


def test_the_line_up_is_read_in_few_queries_however_many_tables(
    room: Strings, django_assert_max_num_queries: Any
) -> None:
    room.send_room(push_start, "floor", reliefs=pushed(room, "EABC"))
    with django_assert_max_num_queries(10):
        proposed(seen(room))


def test_who_is_expected_later_does_not_come_in_and_is_not_in_until_they_deal(room: Strings) -> None:
    """The times are of the gaming day of the plan, on the room's clock; whoever has dealt is in."""
    zone, e, f = room.room.zone, room.people["E"], room.people["F"]
    with still() as clock:
        start = timezone.now()

        def at(minutes: int) -> str:
            return (start + datetime.timedelta(minutes=minutes)).astimezone(zone).strftime("%H:%M")

        starts = [{"dealer": f.pk, "at": at(45)}, {"dealer": e.pk, "at": at(90)}]
        set_plan(room, starts=starts)
        line = seen(room)
        assert [each["dealer"] for each in line.plan.starts] == [e.pk, f.pk], "in the order of the string"
        assert [str(each) for each in line.starting] == ["F"] and line.on_break == []
        assert coming(room) == "DABC", "a ring: nobody is in"
        clock.move_to(start + datetime.timedelta(minutes=46))
        assert [str(each) for each in seen(room).starting] == ["F", "E"] and coming(room) == "FABC"
        record = room_line_up(room)
        assert [(each["dealer"]["name"], each["not_in"]) for each in record["starting"]] == [
            ("F", True),
            ("E", False),
        ]
        room.send(down_start, "floor", room.tables[1], dealer_id=f.pk)
        assert [str(each) for each in seen(room).starting] == ["E"]
        clock.move_to(start + datetime.timedelta(days=1))
        assert seen(room).starting == [], "of another day"
    for wrong, path in (
        ([{"dealer": e.pk, "at": "5pm"}], "starts[0].at"),
        ([{"dealer": room.people["floor"].pk, "at": "17:00"}], "starts[0].dealer"),
        ([{"dealer": e.pk, "at": "17:00"}] * 2, "starts[1].dealer"),
    ):
        with pytest.raises(BadInput) as refused:
            set_plan(room, starts=wrong)
        assert refused.value.path == path


def room_line_up(cast: Strings) -> Any:
    line = seen(cast)
    return line_up_record(line, proposed(line))


def test_a_time_before_the_gaming_day_begins_is_of_the_next_morning(room: Strings) -> None:
    set_plan(room, starts=[{"dealer": room.people["E"].pk, "at": "01:30"}])
    plan = seen(room).plan
    [each] = plan.starts
    at = datetime.datetime.fromisoformat(each["at"])
    assert gaming_day(room.room, at) == gaming_day(room.room, plan.set_at) and at > plan.set_at
