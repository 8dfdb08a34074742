"""The page of a tray: what lies there, its forms, and what comes back when a slip is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import BuyIn, TraySlip
from cardroom.floor.reads.tray import open_tray
from tests.cast import PIN, Cast, uncounted_cast
from tests.pdf_text import pages_of

from ..conftest import Form, Person


@pytest.fixture
def cast(db: None) -> Cast:
    return uncounted_cast()


@pytest.fixture
def dealer(cast: Cast, person: Callable[[str], Person]) -> Person:
    return person("dealer")


def signed(**typed: str) -> dict[str, str]:
    return {"approver": "floor", "approver_pin": PIN, **typed}


def address(cast: Cast, slug: str = "") -> str:
    return f"/tables/{cast.table.pk}/tray/{slug}{'/' if slug else ''}"


def opened(dealer: Person) -> Person:
    """The page of the tray, with $3,000 counted into it."""
    cast = dealer.cast
    cast.send(tray_open, "dealer", chips={"2500": 100, "500": 100}, approver=cast.people["floor"])
    dealer.open(address(cast))
    return dealer


def test_the_tray_is_counted_on_its_page_and_says_what_lies_there(cast: Cast, dealer: Person) -> None:
    assert f'href="{address(cast)}"' in dealer.at_table().content.decode()
    dealer.open(address(cast))
    assert "no opener yet" in dealer.text and "Fill the tray" not in dealer.text
    dealer.post(address(cast, "open"), **signed(**{"chips-2500": "100", "chips-500": "100"}))
    assert "The tray is open." in dealer.text and "$3,000" in dealer.text
    dealer.post(address(cast, "buy-in"), seat="4", cents="200")
    dealer.post(address(cast, "fill"), **signed(**{"chips-2500": "40", "note": "greens were low"}))
    dealer.post(address(cast, "credit"), **signed(**{"chips-10000": "5"}))
    assert open_tray(cast.table).expected_cents == 330_000  # type: ignore[union-attr]
    for words in (
        "$3,300",
        "+$1,000",
        "−$500",
        "−$200",
        "40\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}$25",
        "greens were low",
        "Dealer, Floor",
    ):
        assert words in dealer.text, words
    bought, filled = BuyIn.objects.get(), TraySlip.objects.get(kind="fill")
    dealer.post(address(cast, "buy-in-back"), **signed(buy_in_id=str(bought.pk), reason="the wrong seat"))
    dealer.post(address(cast, "slip-back"), **signed(slip_id=str(filled.pk), reason="the wrong table"))
    assert "reversed by 4" in dealer.text and "reverses 2" in dealer.text
    dealer.post(address(cast, "close"), **signed(**{"chips-2500": "100"}))
    assert "The tray is closed." in dealer.text and "even" in dealer.text
    assert TraySlip.objects.get(kind="closer").cents == 250_000


def test_a_refused_slip_keeps_what_was_typed(cast: Cast, dealer: Person) -> None:
    opened(dealer)
    page = dealer.post(address(cast, "close"), **signed(**{"chips-2500": "90", "chips-500": "7"}))
    assert page.status_code == 422
    assert 'value="90"' in dealer.text and 'value="7"' in dealer.text and PIN not in dealer.text
    assert "should lie there" in dealer.text
    for typed, status, text in (
        ({"chips-2500": "-1"}, 422, "greater than or equal to 0"),
        ({"chips-2500": "x"}, 422, "whole number"),
        ({}, 422, "at least one kind of chip"),
        ({"chips-100000": "50"}, 409, "Fill it first"),
    ):
        dealer.open(address(cast))
        page = dealer.post(address(cast, "credit"), **signed(**typed))
        assert (page.status_code, text in dealer.text) == (status, True), (typed, dealer.text)
    page = dealer.post(address(cast, "fill"), **{"chips-2500": "1", **signed(approver_pin="wrong")})
    assert page.status_code == 403
    assert TraySlip.objects.count() == 1


def test_a_form_that_is_sent_twice_writes_one_slip(cast: Cast, dealer: Person) -> None:
    opened(dealer)
    fields = {**Form(dealer.text, address(cast, "fill")).fields, **signed(**{"chips-500": "20"})}
    for _ in range(2):
        dealer.client.post(address(cast, "fill"), fields)
    assert TraySlip.objects.filter(kind="fill").count() == 1


def test_a_slip_is_printed_with_lines_for_both(cast: Cast, dealer: Person) -> None:
    opened(dealer)
    slip = TraySlip.objects.get()
    printed: Any = dealer.client.get(f"{address(cast)}slips/{slip.pk}.pdf")
    assert printed["Content-Type"] == "application/pdf"
    [text] = pages_of(printed.content)
    for words in ("Opener, slip 1", "$25", "$2,500", "$3,000", "Dealer", "Floor", "Signature"):
        assert words in text, words
    assert dealer.client.get(f"{address(cast)}slips/{slip.pk + 1}.pdf").status_code == 404
    elsewhere = f"/tables/{cast.second_table.pk}/tray/slips/{slip.pk}.pdf"
    assert dealer.client.get(elsewhere).status_code == 404


def test_who_may_not_write_slips_sees_why(cast: Cast, person: Callable[[str], Person]) -> None:
    inspector = person("inspector")
    inspector.open(address(cast))
    assert "that is for Dealer" in inspector.text
    assert person("outsider").open(address(cast)).status_code == 404  # type: ignore[attr-defined]
    assert person("count").open(address(cast)).status_code == 403  # type: ignore[attr-defined]


def test_a_table_that_a_player_banks_has_no_tray(cast: Cast, dealer: Person) -> None:
    dealer.open(f"/tables/{cast.second_table.pk}/tray/")
    assert "it has no tray" in dealer.text and "<form" not in dealer.text.split("<h1")[1]
    assert "/tray/" not in dealer.at_table(cast.second_table).content.decode()
