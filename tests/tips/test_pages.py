"""The pages about tips: a shift's tips from hand-in to the signed sheet, in every form to the cent, and who sees what."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import openpyxl
import pytest
from django.test import Client

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Down, Shift
from cardroom.people.models import Role
from cardroom.people.rights import RIGHTS, Right
from cardroom.tips.models import HandIn, PoolRule, PoolSheet, WorkedHours
from tests.cast import PIN, Cast, running_cast, sheet
from tests.kept import kept
from tests.pdf_text import pages_of
from tests.web.conftest import Person

ROOM = "/rooms/cache-slough/tips/"


@pytest.fixture
def cast(db: None) -> Cast:
    """The cast with a round at table 7 whose tip of $5 on seat 5's ante wins $5: $10 in the tip box."""
    return kept(_tipped_cast)


def _tipped_cast() -> Cast:
    cast = running_cast()
    tipped = sheet({5: 1000})
    tipped["positions"][0]["tips"] = {"ante": 500}
    cast.send(round_record, "dealer", sheet=tipped)
    return cast


@pytest.fixture
def person(cast: Cast) -> Callable[[str], Person]:
    return lambda who: Person(cast, who)


def at(path: str) -> str:
    return f"/shifts/{Shift.objects.get().pk}/tips/{path}"


def hand_in(cast: Cast, person: Callable[[str], Person], dollars: str = "12.50") -> Person:
    floor = person("floor")
    floor.open(at("entries/"))
    down = Down.objects.get()
    floor.post(at("hand-ins/"), dealer=f"{down.dealer_id}-{down.pk}", cents=dollars)
    return floor


def test_a_shifts_tips_from_rule_to_signed_sheet(cast: Cast, person: Callable[[str], Person]) -> None:
    manager = person("room_manager")
    manager.open(ROOM)
    manager.post(
        f"{ROOM}rule/",
        title="House pool",
        sharing="hours",
        support="share",
        support_percent="10",
        support_roles="support",
    )
    rule = PoolRule.objects.get()
    assert (rule.support_bp, rule.support_roles) == (1000, ["support"])
    assert "10% of the tips goes to support staff" in manager.text
    floor = hand_in(cast, person)
    assert "$12.50 received." in floor.text
    floor.post(
        at("hours/"), staff_id=str(cast.people["support"].pk), work="chip runner", hours="1", minutes="30"
    )
    assert WorkedHours.objects.get().minutes == 90
    boss = person("shift_manager")
    boss.open(at(""))
    assert "is open" in boss.text
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    boss.open(at(""))
    assert "Close the sheet · $22.50" in boss.text
    boss.post(at("close/"))
    closed = PoolSheet.objects.get()
    assert (closed.total_cents, closed.hash in boss.text) == (2250, True)
    floor.open(at("entries/"))
    assert "were shared out" in floor.text and "Receive</button>" not in floor.text
    (text,) = pages_of(person("compliance").open(at("").rstrip("/") + ".pdf").content)
    for words in (
        "$22.50",
        "$20.25",
        "$2.25",
        "Lab. Code 351",
        "Signed (name, signature, date)",
        "For the dealers",
    ):
        assert words in text.replace("\n", " "), words


def test_every_form_of_the_sheet_says_the_same_to_the_cent(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    hand_in(cast, person, "0.01")
    browser = person("inspector").client
    base = at("").rstrip("/")
    answer = json.loads(browser.get(f"{base}.json").content)
    api = browser.get(f"/api/rooms/{cast.room.pk}/shifts/{Shift.objects.get().pk}/tokes").json()
    (row,) = answer["grids"]["dealers"]["rows"]
    assert (answer["answers"]["total_cents"], row["share_cents"], row["won_cents"]) == (1001, 1001, 1000)
    assert answer["grids"]["dealers"]["totals"]["share_cents"] == 1001
    assert api["answers"] == answer["answers"] and api["grids"]["hand_ins"] == answer["grids"]["hand_ins"]
    header, line, total = csv.reader(io.StringIO(browser.get(f"{base}.csv").content.decode()))
    assert dict(zip(header, line, strict=True))["share_dollars"] == "10.01"
    assert dict(zip(header, total, strict=True))["handed_dollars"] == "0.01"
    book = openpyxl.load_workbook(io.BytesIO(browser.get(f"{base}.xlsx").content))
    assert round(book["Dealers"]["F2"].value * 100) == 1001
    assert "$10.01" in browser.get(f"{base}/").content.decode()
    handed = browser.get(f"{base}.csv?grid=hand_ins").content.decode()
    assert "0.01" in handed and "Floor" in handed
    assert browser.get(f"{base}.csv?grid=none").status_code == 404


def test_a_hand_in_is_taken_back_with_a_second_persons_pin(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    floor = hand_in(cast, person)
    entry = HandIn.objects.get()
    address = at(f"hand-ins/{entry.pk}/take-back/")
    floor.post(address, reason="twice", approver="floor_2", approver_pin="not it")
    assert floor.page.status_code == 403 and HandIn.objects.count() == 1
    floor.post(address, reason="", approver="floor_2", approver_pin=PIN)
    assert floor.page.status_code == 422 and HandIn.objects.count() == 1
    floor.post(address, reason="twice", approver="floor_2", approver_pin=PIN)
    assert [row.cents for row in HandIn.objects.all()] == [1250, -1250]
    assert "reversed: twice" in floor.text
    assert floor.client.post(at(f"tips/{entry.pk}/take-back/")).status_code == 404


@pytest.mark.parametrize(
    ("typed", "text"),
    [({"cents": "ten"}, "ten"), ({"cents": ""}, "required"), ({"cents": "5", "dealer": "x"}, "valid choice")],
)
def test_what_is_typed_wrong_stays_on_the_page_with_what_is_wrong(
    cast: Cast, person: Callable[[str], Person], typed: dict[str, str], text: str
) -> None:
    floor = person("floor")
    floor.open(at("entries/"))
    floor.post(at("hand-ins/"), **{"dealer": f"{cast.people['dealer'].pk}-", **typed})
    assert floor.page.status_code == 422 and text in floor.text
    assert not HandIn.objects.exists()


def test_a_rule_with_a_mistake_is_refused_on_the_page(cast: Cast, person: Callable[[str], Person]) -> None:
    manager = person("room_manager")
    manager.open(ROOM)
    manager.post(f"{ROOM}rule/", title="House pool", sharing="hours", support="share", support_percent="10")
    assert manager.page.status_code == 422 and "Name the roles that share" in manager.text
    manager.post(f"{ROOM}rule/", title="House pool", support_percent="lots")
    assert manager.page.status_code == 422
    assert not PoolRule.objects.exists()


def test_a_rule_is_withdrawn_on_the_page(cast: Cast, person: Callable[[str], Person]) -> None:
    manager = person("room_manager")
    manager.open(ROOM)
    manager.post(f"{ROOM}rule/", title="House pool", sharing="keep", support="none")
    address = f"{ROOM}rule/{PoolRule.objects.get().pk}/withdraw/"
    manager.post(address, reason=" ")
    assert manager.page.status_code == 422 and "A withdrawal needs a reason" in manager.text
    manager.post(address, reason="agreed otherwise")
    assert PoolRule.objects.get().status == "withdrawn" and "The rule is withdrawn." in manager.text


def test_a_dealer_sees_their_own_tips_and_nobody_elses(cast: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealer.open(at("own/"))
    assert "Tips of Dealer" in dealer.text and "$10" in dealer.text
    assert dealer.open(at(f"people/{cast.people['dealer_2'].pk}/")).status_code == 403
    assert dealer.open(at("")).status_code == 403
    other = person("dealer_2")
    other.open(at("own/"))
    assert "$10" not in other.text
    boss = person("shift_manager")
    assert "$10" in boss.open(at(f"people/{cast.people['dealer'].pk}/")).content.decode()
    assert boss.open(at(f"people/{cast.people['rival_dealer'].pk}/")).status_code == 404


def test_each_page_is_for_its_roles_and_for_people_of_elsewhere_there_is_none(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    pages = {
        ROOM: Right.SEE_OWN_TIPS,
        at("own/"): Right.SEE_OWN_TIPS,
        at(""): Right.SEE_TIPS,
        at("").rstrip("/") + ".pdf": Right.SEE_TIPS,
        at("").rstrip("/") + ".xlsx": Right.SEE_TIPS,
        at("entries/"): Right.KEEP_TIPS,
    }
    strangers = ("outsider", "rival_shift_manager", "rival_dealer")
    people = {who: person(who) for who in (*map(str, Role), *strangers)}
    for address, right in pages.items():
        for role in Role:
            expected = 200 if role in RIGHTS[right] else 403
            assert people[role].open(address).status_code == expected, f"{role} at {address}"
        for who in strangers:
            assert people[who].open(address).status_code == 404, f"{who} at {address}"
        assert Client().get(address).status_code == 302
    commands = {
        f"{ROOM}rule/": Right.SET_TIPS,
        f"{ROOM}rule/1/withdraw/": Right.SET_TIPS,
        at("hand-ins/"): Right.KEEP_TIPS,
        at("hours/"): Right.KEEP_TIPS,
        at("close/"): Right.CLOSE_TIPS,
    }
    for address, right in commands.items():
        for role in Role:
            if role not in RIGHTS[right]:
                assert people[role].client.post(address).status_code == 403, f"{role} at {address}"
        assert people["rival_shift_manager"].client.post(address).status_code == 404
    assert not HandIn.objects.exists() and not PoolRule.objects.exists()


def test_support_staff_come_to_their_tips_as_they_sign_in(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    runner = person("support")
    runner.open("/")
    assert "every dealer keeps their own tips" in runner.text
    runner.open(at("own/"))
    assert "Tips of Support" in runner.text
