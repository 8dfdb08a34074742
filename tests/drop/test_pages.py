"""The pages of drop and count: a shift's drop from putting boxes on to the signed sheet, and who sees what of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from cardroom.drop.models import CountSheet, DropBox
from cardroom.floor.commands.rounds import round_record
from cardroom.inbox.models import Item
from cardroom.people.models import Role, Staff
from cardroom.people.rights import RIGHTS, Right
from tests.cast import PIN, Cast, sheet
from tests.kept import kept
from tests.pdf_text import pages_of
from tests.web.conftest import Form, Person

from .room import CountTeam

ROOM = "/rooms/cache-slough/count/"


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """The cast with a count team of three; with `dropped`, box 12 with two rounds of $40 in it, $6, pulled."""
    return kept(_dropped if "dropped" in request.fixturenames else _cast)


def _cast() -> Cast:
    return CountTeam().running()


def play(cast: Cast) -> None:
    for _ in range(2):
        cast.send(round_record, "dealer", sheet=sheet({4: 2000, 5: 2000}))


@pytest.fixture
def person(cast: Cast) -> Callable[[str], Person]:
    return lambda who: Person(cast, who)


def place(who: Person, number: str = "12") -> DropBox:
    who.open(ROOM)
    who.post(f"{ROOM}place/", **{f"table-{who.cast.table.pk}": number})
    return DropBox.objects.latest("pk")


def drop(who: Person, box: DropBox, second: str = "count_2") -> None:
    who.open(ROOM)
    who.post(f"{ROOM}drop/", boxes=str(box.pk), approver=second, approver_pin=PIN)


def count(who: Person, box: DropBox, **pieces: str) -> None:
    """Type a count: `count(who, box, chip_100="3")`."""
    address = f"/boxes/{box.pk}/"
    who.open(address)
    typed = {name.replace("_", "-"): number for name, number in pieces.items()}
    who.post(f"{address}count/", **typed)


def _dropped() -> Cast:
    cast = _cast()
    box = place(Person(cast, "floor"))
    play(cast)
    drop(Person(cast, "count"), box)
    return cast


@pytest.fixture
def dropped(cast: Cast) -> DropBox:
    """Box 12, put on and taken off by the pages: it waits for its counts."""
    return DropBox.objects.get(number=12, dropped_at__isnull=False)


def test_the_count_team_comes_straight_to_its_page(person: Callable[[str], Person]) -> None:
    assert person("count").open("/").redirect_chain[-1][0] == ROOM


def test_a_drop_is_counted_explained_and_printed_on_the_pages(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    floor, first, second, manager = (person(who) for who in ("floor", "count", "count_2", "shift_manager"))
    box = place(floor)
    assert "1 put on." in floor.text
    play(cast)
    drop(first, box)
    assert "1 pulled. They wait for their counts." in first.text
    count(first, box, chip_100="5")
    assert "Your count of Box 12 is in. Another person makes the second count." in first.text
    count(second, box, chip_100="5")
    assert "The count of Box 12 is verified." in second.text
    manager.open(ROOM)
    assert "▼ $1 short" in manager.text
    manager.open(f"/boxes/{box.pk}/")
    assert "−$1" in manager.text and "/rounds/" in manager.text
    [item] = Item.objects.filter(kind="variance")
    inbox = f"/rooms/{cast.room.code}/exceptions/"
    assert f'{inbox}?item={item.pk}">Explain it in the inbox' in manager.text
    manager.open(f"{inbox}?item={item.pk}")
    manager.post(f"{inbox}explain/", note="Found under the rail.")
    manager.open(f"/boxes/{box.pk}/")
    assert "Found under the rail." in manager.text
    manager.open(ROOM)
    assert "No variance waits for an answer." in manager.text
    first.open(f"/boxes/{box.pk}/")
    first.post(
        f"/boxes/{box.pk}/correct/",
        **{"chip-100": "6", "reason": "one stuck in the slot", "approver": "count_2"},
        approver_pin=PIN,
    )
    assert "The count of Box 12 is corrected." in first.text
    assert '<del class="struck">$5</del>' in first.text
    assert "Found under the rail." in first.text, (
        "what was said of a variance stays when the count is corrected"
    )
    manager.open(f"/shifts/{box.shift_id}/count/")
    assert "✓ none" in manager.text and '<del class="struck">$5</del>' in manager.text
    document = "\n".join(pages_of(manager.open(f"/shifts/{box.shift_id}/count.pdf").content))
    for text in ("Drop count sheet", "Cache Slough", "Swing", "1 of 1", "$6", "$5", "one stuck in the slot"):
        assert text in document, text
    for name in ("Count", "Count 2", "Signature", "C. / C. 2."):
        assert name in document, name


def test_a_blind_count_is_nowhere_before_it_stands(
    dropped: DropBox, cast: Cast, person: Callable[[str], Person]
) -> None:
    """7,131 chips of $5 are $35,655: a figure that stands nowhere else."""
    count(person("count"), dropped, chip_500="7131")
    admin = Staff.objects.create(
        username="root", is_staff=True, is_superuser=True, password=cast.people["count"].password
    )
    cast.people["root"] = admin
    cast.people["room_manager"].is_staff = True
    cast.people["room_manager"].save()
    sheet_made = CountSheet.objects.get()
    seen = 0
    addresses = [
        ROOM,
        f"/boxes/{dropped.pk}/",
        f"/shifts/{dropped.shift_id}/count/",
        f"/api/rooms/{cast.room.pk}/boxes",
        f"/api/rooms/{cast.room.pk}/boxes/{dropped.pk}",
        f"/api/rooms/{cast.room.pk}/shifts/{dropped.shift_id}/count",
        "/admin/drop/countsheet/",
        f"/admin/drop/countsheet/{sheet_made.pk}/change/",
        f"/admin/floor/dropbox/{dropped.pk}/change/",
        "/admin/floor/journalentry/",
        *(
            f"/admin/floor/journalentry/{pk}/change/"
            for pk in cast.room.journal.filter(command="count_enter").values_list("pk", flat=True)
        ),
    ]
    for who in (*(str(role) for role in Role), "count_2", "root"):
        browser = person(who)
        for address in addresses:
            answer = browser.open(address)
            seen += answer.status_code == 200
            assert answer.status_code == 200 or who != "root" or not address.startswith("/admin/"), address
            for figure in ("7131", "7,131", "35655", "35,655", "3565500"):
                assert figure not in browser.text, f"{who} at {address}"
        pdf = browser.open(f"/shifts/{dropped.shift_id}/count.pdf")
        if pdf.status_code == 200:
            assert "35,655" not in "\n".join(pages_of(pdf.content))
    assert seen > 40
    count(person("count_2"), dropped, chip_500="7131")
    reader = person("count_2")
    reader.open(f"/boxes/{dropped.pk}/")
    assert "$35,655" in reader.text


def test_what_is_expected_is_not_shown_before_the_count_stands(
    dropped: DropBox, person: Callable[[str], Person]
) -> None:
    for who in ("count", "shift_manager", "compliance"):
        browser = person(who)
        for address in (ROOM, f"/boxes/{dropped.pk}/", f"/shifts/{dropped.shift_id}/count/"):
            browser.open(address)
            assert "$6" not in browser.text, f"{who} at {address}"


def test_the_same_person_gets_no_second_form_and_is_refused_if_they_post(
    dropped: DropBox, person: Callable[[str], Person]
) -> None:
    first = person("count")
    count(first, dropped, chip_100="2")
    first.open(f"/boxes/{dropped.pk}/")
    assert "Another person makes the second count" in first.text
    assert f"/boxes/{dropped.pk}/count/" not in first.text
    fields = {"version": "0", "idempotency_key": "again", "chip-100": "2"}
    answer = first.client.post(f"/boxes/{dropped.pk}/count/", fields)
    assert answer.status_code == 409
    assert CountSheet.objects.count() == 1


def test_counts_that_differ_lead_to_a_recount_by_a_third(
    dropped: DropBox, person: Callable[[str], Person]
) -> None:
    count(person("count"), dropped, chip_100="2")
    second = person("count_2")
    count(second, dropped, chip_100="3")
    assert "the two differ. A third person counts it afresh" in second.text
    third = person("count_3")
    third.open(ROOM)
    assert "counts differ: recount" in third.text and "$3" not in third.text
    count(third, dropped, chip_100="2")
    assert "The count of Box 12 is verified." in third.text


@pytest.mark.parametrize("typed", ["-1", "1.5", "NaN", "a few", "999999999", "1e5"])
def test_what_is_no_number_of_pieces_is_said_at_its_field_and_the_rest_stays_typed(
    dropped: DropBox, person: Callable[[str], Person], typed: str
) -> None:
    first = person("count")
    count(first, dropped, chip_500=typed, chip_100="17", coin_1="0.35")
    assert first.page.status_code == 422
    assert "count-chip-500_error" in first.text
    form = Form(first.text, f"/boxes/{dropped.pk}/count/")
    assert (form.fields["chip-100"], form.fields["coin-1"]) == ("17", "0.35")
    assert not CountSheet.objects.exists()


def test_coin_is_typed_in_dollars(dropped: DropBox, person: Callable[[str], Person]) -> None:
    count(person("count"), dropped, coin_1="1.85", chip_50="3")
    assert CountSheet.objects.get().total_cents == 185 + 150


def test_a_drop_without_the_second_persons_pin_is_not_done(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    floor = person("floor")
    box = place(floor)
    floor.open(ROOM)
    for approver, pin, text in (
        ("count", "wrong", "belong to nobody here"),
        ("floor", PIN, "A drop takes two people"),
        ("dealer", PIN, "that is for Count team, Floor, Shift manager"),
    ):
        floor.post(f"{ROOM}drop/", boxes=str(box.pk), approver=approver, approver_pin=pin)
        assert floor.page.status_code == 403, approver
        assert text in floor.text
        assert PIN not in floor.text
    floor.open(ROOM)
    floor.post(f"{ROOM}drop/", approver="count", approver_pin=PIN)
    assert "Choose the boxes that come off." in floor.text
    box.refresh_from_db()
    assert box.dropped_at is None


def test_each_page_shows_itself_to_the_roles_with_its_right(
    dropped: DropBox, cast: Cast, person: Callable[[str], Person]
) -> None:
    pages = {
        ROOM: Right.SEE_BOXES,
        f"/boxes/{dropped.pk}/": Right.SEE_BOXES,
        f"/shifts/{dropped.shift_id}/count/": Right.SEE_COUNTS,
        f"/shifts/{dropped.shift_id}/count.pdf": Right.SEE_COUNTS,
    }
    commands = {
        f"{ROOM}place/": Right.DROP_BOXES,
        f"{ROOM}drop/": Right.DROP_BOXES,
        f"/boxes/{dropped.pk}/count/": Right.COUNT,
        f"/boxes/{dropped.pk}/correct/": Right.CORRECT_COUNTS,
        f"/boxes/{dropped.pk}/check-variance/": Right.SEE_COUNTS,
    }
    for role in Role:
        browser = person(str(role))
        for address, right in pages.items():
            expected = 200 if role in RIGHTS[right] else 403
            assert browser.client.get(address).status_code == expected, f"{role} at {address}"
        for address, right in commands.items():
            refused = browser.client.post(address, {}).status_code == 403
            assert refused == (role not in RIGHTS[right]), f"{role} at {address}"
    for who in ("outsider", "rival_count", "rival_shift_manager"):
        browser = person(who)
        for address in pages:
            assert browser.client.get(address).status_code == 404, f"{who} at {address}"
        for address in commands:
            assert browser.client.post(address, {}).status_code == 404, f"{who} at {address}"
    for address in pages:
        assert Client().get(address)["Location"].startswith("/accounts/login/")
    for address in commands:
        assert Client().post(address)["Location"].startswith("/accounts/login/")
    assert not CountSheet.objects.exists()


def test_a_table_that_collected_without_a_box_stands_on_page_and_paper(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    cast.let_collect()
    play(cast)
    compliance = person("compliance")
    shift = cast.room.shifts.get()
    compliance.open(f"/shifts/{shift.pk}/count/")
    assert "Table 7 collected $6 without a box." in compliance.text
    document = "\n".join(pages_of(compliance.open(f"/shifts/{shift.pk}/count.pdf").content))
    assert "table 7 collected $6 without a box" in document
