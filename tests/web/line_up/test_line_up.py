"""The page of the line-up: what a push would do beside what is, one touch for it, and what came of it; the strip; the plan."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest

from cardroom.floor.commands.line_up import meal_start
from cardroom.floor.models import Down, LineUpPlan, Meal, Push, Relief
from cardroom.people.models import Role
from tests.cast import PIN
from tests.floor.test_line_up import Strings, deal, dealing, signing, strings_cast
from tests.kept import kept

from ..conftest import Form, Person

PAGE = "/rooms/cache-slough/line-up/"


@pytest.fixture
def cast(db: None) -> Strings:
    cast = kept(strings_cast)
    deal(cast)
    return cast


@pytest.fixture
def floor(cast: Strings, person: Callable[[str], Person]) -> Person:
    floor = person("floor")
    floor.open(PAGE)
    return floor


def rows(text: str) -> list[str]:
    """What each row says, in words: the number of its table first."""
    found = re.findall(r'<div class="r[^"]*" role="row" data-table.*?\n</div>', text, re.DOTALL)
    said = [re.sub(r"<select.*?</select>|<svg.*?</svg>", "", row, flags=re.DOTALL) for row in found]
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in said]


def pushes(one: Person) -> None:
    """Touch the button of the push."""
    sent = {**Form(one.text, "/push/").fields, "row": re.findall(r'name="row" value="([^"]+)"', one.text)}
    one.page = one.client.post(f"{PAGE}push/", sent, follow=True)


def test_a_row_says_who_deals_and_who_comes_and_the_push_is_one_touch(cast: Strings, floor: Person) -> None:
    first, second, *_ = rows(floor.text)
    assert (
        first.startswith("Table 1 ") and "A A since" in first and first.endswith("E E from break ▾ → Table 2")
    )
    assert second.endswith("A A from Table 1 ▾ → Table 3")
    assert "4 tables · 1 comes in · 1 goes on break" in floor.text
    pushes(floor)
    assert dealing(cast) == "EABC" and "4 tables relieved." in floor.text
    floor.post(f"{PAGE}reverse/", "/reverse/")
    assert dealing(cast) == "ABCD" and Push.objects.get().reversed_by == cast.people["floor"]


def test_whoever_is_chosen_stands_out_and_a_table_that_is_left_out_goes_on(
    cast: Strings, floor: Person
) -> None:
    cast.send_room(meal_start, "floor", dealer_id=cast.people["E"].pk)
    table = cast.tables[2].pk
    floor.open(PAGE)
    assert "F F ▲ for E, at meal" in rows(floor.text)[0]
    floor.open(f"{PAGE}?in={cast.tables[3].pk}:{cast.people['E'].pk}&without={table}")
    first, second, third, _ = rows(floor.text)
    assert "F F from break" in first and "goes on" in second and "E E ▲ chosen by hand" in third
    assert (
        f'<option value="{cast.tables[3].pk}:{cast.people["E"].pk}" selected>E · at meal</option>'
        in floor.text
    )
    leaves = cast.people["A"].pk
    floor.open(f"{PAGE}?in={cast.tables[4].pk}:{leaves}&without={cast.tables[1].pk}")
    assert "A deals at Table 1, which nobody takes over. Change Table 4." in html.unescape(floor.text)
    pushes(floor)
    assert floor.page.status_code == 409 and "Not done." in floor.text and dealing(cast) == "ABCD"
    for wrong in ("1", "1:2:3:x", "1:0:99999999999999999999:0"):
        sent = {**Form(floor.text, "/push/").fields, "row": [wrong]}
        assert floor.client.post(f"{PAGE}push/", sent).status_code == 400
    assert not Push.objects.exists()


def test_what_came_of_a_push_stands_in_its_rows_and_the_relief_takes_over_with_a_pin(
    cast: Strings, floor: Person, person: Callable[[str], Person]
) -> None:
    signing(cast)
    floor.open(PAGE)
    pushes(floor)
    assert dealing(cast) == "ABCD" and "0 of 4 confirmed" in floor.text
    said = rows(floor.text)
    assert (
        "E E on the way since" in said[0]
        and said[1].endswith("after Table 1")
        and "still deals Table 1" in said[1]
    )

    tablet = person("A")  # who still deals there
    tablet.at_table(cast.tables[1])
    address = f"/tables/{cast.tables[1].pk}/take-over/"
    assert f'<a class="button quiet" href="{address}">Take over…</a>' in tablet.text
    tablet.open(address)
    assert "E is the relief here" in tablet.text
    tablet.post(
        address + f"?next=/tables/{cast.tables[1].pk}/", "/", person="B", pin=PIN
    )  # nobody's turn here
    assert dealing(cast) == "ABCD"
    tablet.open(address)
    tablet.post(address + f"?next=/tables/{cast.tables[1].pk}/", "/", person="E", pin=PIN)
    assert dealing(cast) == "EBCD" and "E works at Table 1." in tablet.text
    two = f"/tables/{cast.tables[3].pk}/take-over/"
    early = person("C")
    early.open(two)
    early.post(two + "?next=/", "/", person="B", pin=PIN)
    assert (
        early.page.status_code == 403 and "still deals at Table 2" in early.text and dealing(cast) == "EBCD"
    )

    floor.open(PAGE)
    assert "✓" in rows(floor.text)[0] and "A on the way to Table 2" in rows(floor.text)[0]
    floor.post(f"{PAGE}confirm/", "/confirm/")
    assert dealing(cast) == "EACD"
    floor.post(f"{PAGE}cancel/", "/cancel/", table="")  # a form that has lost its tables
    assert floor.page.status_code == 400
    floor.open(PAGE)
    waiting = re.findall(r'name="table" value="(\d+)"', floor.text.split("/cancel/")[1])
    sent = {**Form(floor.text, "/cancel/").fields, "table": waiting}
    floor.client.post(f"{PAGE}cancel/", sent)
    assert not Relief.objects.filter(down=None, ended_at=None).exists() and dealing(cast) == "EACD"


def test_a_meal_begins_and_ends_by_a_touch_and_the_strip_counts(cast: Strings, floor: Person) -> None:
    floor.post(f"{PAGE}meal/", "/meal/")
    assert Meal.objects.get(ended_at=None).dealer == cast.people["E"] and "meal until" in floor.text
    floor.post(f"{PAGE}meal-end/", "/meal-end/")
    assert Meal.objects.get().ended_by == cast.people["floor"]
    Down.objects.filter(table=cast.tables[1]).update(started_at="2026-11-18T17:00:00Z")
    strip = floor.open(f"{PAGE}strip/").content.decode()
    counted = re.findall(r"<dt>([^<]+)</dt><dd[^>]*>(?:<span[^>]*>.</span> )?(\d+)", strip)
    assert dict(counted) == {"Dealing": "4", "On break": "2", "Over time": "1", "Breaks due": "1"}
    board = floor.open("/rooms/cache-slough/floor/").content.decode()
    assert (
        'id="line-up-strip" aria-label="Line-up" data-address="/rooms/cache-slough/line-up/strip/"' in board
    )


def test_the_plan_is_kept_by_tables_in_order_and_a_string_for_each_dealer(
    cast: Strings, floor: Person
) -> None:
    address = f"{PAGE}plan/"
    floor.open(address)
    a, d = (cast.people[letter].pk for letter in "AD")
    floor.post(
        address, "/plan/", **{"tables-0": "2, 1", "name-1": "High", "tables-1": "4 3", f"dealer-{d}": "1"}
    )
    plan = LineUpPlan.objects.latest("pk")
    first, second = plan.strings
    assert [first["tables"], second["name"]] == [[cast.tables[2].pk, cast.tables[1].pk], "High"]
    assert second["dealers"] == [d] and a in first["dealers"] and d not in first["dealers"]
    assert [row[:8].strip() for row in rows(floor.text)] == ["Table 2", "Table 1", "Table 4", "Table 3"]
    floor.open(f"{PAGE}?string=High")
    assert [row[:7] for row in rows(floor.text)] == ["Table 4", "Table 3"]
    floor.open(address)
    f, e = cast.people["F"].pk, cast.people["E"].pk
    floor.post(address, "/plan/", **{"order": f"{f} {a} {e}", f"start-{f}": "23:50"})
    plan = LineUpPlan.objects.latest("pk")
    assert plan.strings[0]["dealers"][:3] == [f, a, e] and [each["dealer"] for each in plan.starts] == [f]
    floor.open(address)
    assert re.search(rf'name="start-{f}" value="23:50:00"', floor.text)
    floor.open(address)
    floor.post(address, "/plan/", **{"tables-0": "2 99", "down_minutes": "0"})
    assert floor.page.status_code == 422 and "This room has no table 99." in floor.text
    floor.open(address)
    floor.post(address, "/plan/", **{"tables-0": "4", "tables-1": "4"})
    assert floor.page.status_code == 422 and "A table is in one string, and once." in floor.text
    assert LineUpPlan.objects.latest("pk") == plan


def test_it_is_the_floors(cast: Strings, person: Callable[[str], Person]) -> None:
    for role in Role:
        status = 200 if role in (Role.FLOOR, Role.SHIFT_MANAGER) else 403
        for address in (PAGE, f"{PAGE}strip/", f"{PAGE}plan/"):
            assert person(role).open(address).status_code == status, role
    assert person("rival_floor").open(PAGE).status_code == 404
    assert person("floor").client.post(f"{PAGE}no-such/", {}).status_code == 404
