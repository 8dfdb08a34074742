"""The pages of the inbox: list, opened item, acts, and who sees what."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone

from cardroom.floor.commands.rounds import round_void
from cardroom.inbox.models import Item
from cardroom.inbox.search import room_search
from tests.cast import PIN, Cast

from ..conftest import Form, Person

PAGE = "/rooms/cache-slough/exceptions/"


def items(cast: Cast, voids: int = 1) -> list[Item]:
    """Void rounds, and find the items."""
    for number in range(voids):
        cast.deal({4: 1000})
        cast.send(round_void, reason=f"jam {number + 1}", approver=cast.people["shift_manager"])
    room_search(cast.room.pk, timezone.now())
    return list(Item.objects.filter(kind="void"))


def post(browser: Person, address: str, act: str, **typed: object) -> str:
    """Fill in the form of the opened item, and press the button of an act."""
    fields = {**Form(browser.client.get(address).content.decode(), "/explain/").fields, **typed}
    answer = browser.client.post(f"{PAGE}{act}/", fields, follow=True)
    return answer.content.decode()


def test_an_officer_works_an_item_off_without_leaving_the_inbox(
    running: Cast, person: Callable[[str], Person]
) -> None:
    first, second = items(running, 2)
    browser = person("compliance")
    page = browser.client.get(PAGE).content.decode()
    assert "2 not closed of 2" in page and "2 without an owner" in page and "none older than" in page
    assert "Round 1 voided after the deal: jam 1; $2 refunded." in page
    assert '<span class="waits">2</span>' in page and "✓ holds" in page
    opened = f"{PAGE}?item={first.pk}"
    page = post(browser, opened, "close", approver="room_manager", approver_pin=PIN)
    assert "It is closed once it is explained" in page
    page = post(browser, opened, "explain", note="the shuffler\njammed")
    assert "Explained." in page and "the shuffler jammed" in page
    page = post(browser, opened, "close", approver="room_manager", approver_pin=PIN)
    assert "Closed." in page
    first.refresh_from_db()
    assert first.is_closed
    # The next one is opened then.
    assert "1 of 1" in page and "jam 2" in page and '<span class="waits">1</span>' in page
    page = browser.client.get(f"{PAGE}?state=closed").content.decode()
    assert "jam 1" in page and "Reopen, with this note" in page
    assert second.state == "open"


def test_several_of_a_kind_are_worked_off_in_one_act(running: Cast, person: Callable[[str], Person]) -> None:
    found = items(running, 3)
    browser = person("compliance")
    address = f"{PAGE}?kind=void&several=1"
    ids = [str(item.pk) for item in found]
    assert "Explained. 3 items." in post(browser, address, "explain", items=ids, note="all the same")
    page = post(browser, address, "close", items=ids, approver="room_manager", approver_pin=PIN)
    assert "Closed. 3 items." in page and "Every exception is closed." in page
    assert "0 not closed of 3" in page


def test_what_is_explained_of_several_kinds_is_closed_with_one_signature(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    cast.open(box=False)
    cast.let_collect()
    cast.bank_to(3)
    items(cast, 2)
    browser = person("compliance")
    page = browser.client.get(PAGE).content.decode()
    assert "Several at once:" in page and "kind=void&amp;several=1" in page
    for _ in range(3):
        page = post(browser, PAGE, "explain", note="seen on video")
    assert "None is left to be explained." in page and "3 explained, and not closed yet" in page
    address = f"{PAGE}?state=explained&several=1"
    page = browser.client.get(address).content.decode()
    assert "Explain" not in page.partition('id="acts"')[2] and "Compliance: seen on video" in page
    ids = [str(item.pk) for item in Item.objects.all()]
    page = post(browser, address, "close", items=ids, approver="shift_manager", approver_pin=PIN)
    assert "It is about Shift manager: untick the void at Table 7" in page
    page = post(browser, address, "close", items=ids, approver="room_manager", approver_pin=PIN)
    assert "Closed. 3 items." in page and "The month as PDF" in page


def test_filters_of_the_address_and_what_is_not_there(running: Cast, person: Callable[[str], Person]) -> None:
    [item] = items(running)
    browser = person("inspector")
    for query, shown in (
        ("kind=void", True),
        ("kind=clock", False),
        (f"table={running.second_table.pk}", False),
        (f"person={running.people['dealer'].pk}", True),
        (f"month={item.gaming_day:%Y-%m}", True),
        ("month=2020-01", False),
        ("month=9999-99&table=x&page=77&person=1e9", True),
        ("age=old", False),
        ("owner=none", True),
        ("state=closed", False),
    ):
        page = browser.client.get(f"{PAGE}?{query}").content.decode()
        assert ("jam 1" in page) is shown, query
    assert browser.client.get(f"{PAGE}?item={item.pk + 1}").status_code == 404
    # An inspector reads, and works nothing off.
    page = browser.client.get(PAGE).content.decode()
    assert "Explain, with this note" not in page
    sent = {"version": "1", "idempotency_key": "mine", "items": str(item.pk), "note": "mine"}
    assert browser.client.post(f"{PAGE}explain/", sent).status_code == 403
    assert browser.client.post(f"{PAGE}juggle/", sent).status_code == 404
    assert person("dealer").client.get(PAGE).status_code == 403
    assert person("rival_compliance").client.get(PAGE).status_code == 404


def test_what_is_typed_is_kept_where_the_floor_refuses(
    running: Cast, person: Callable[[str], Person]
) -> None:
    [item] = items(running)
    browser = person("compliance")
    page = post(browser, f"{PAGE}?item={item.pk}", "refer", note="to the maker of the shuffler")
    assert "Say to whom it is referred." in page and "to the maker of the shuffler</textarea>" in page
    page = post(browser, f"{PAGE}?item={item.pk}", "owner", owner_id="")
    assert "Choose who it is given to." in page
    page = post(browser, f"{PAGE}?item={item.pk}", "camera", camera="T7-B", minute="12:01")
    assert "camera T7-B" in page
