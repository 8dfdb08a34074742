"""The faces that may sign, as a page asks for them; and that every form that is signed asks for them in one way."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from cardroom.core.commands import COMMANDS
from cardroom.core.json_types import Signature
from cardroom.floor.models import Round
from cardroom.people.lockouts import MOST_TRIES, Kind
from cardroom.people.models import Lockout, Role
from cardroom.web.parts.faces import initials_of, tone_of
from tests.cast import PIN, Cast

from ..conftest import Person

TRIES = MOST_TRIES[Kind.PIN]


def faces(page: str) -> list[str]:
    """The user names of the faces on a sheet, in their order; those that one touch more shows in brackets."""
    buttons = re.findall(r"<button type=\"button\" data-name=\"([^\"]+)\"[^>]*>", page)
    hidden = set(re.findall(r"data-name=\"([^\"]+)\"[^>]* hidden>", page))
    return [f"({name})" if name in hidden else name for name in buttons]


def test_faces_are_those_who_may_sign_in_the_language_of_the_page(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer, table = person("dealer"), f"/tables/{running.table.pk}/signers/"
    page = dealer.client.get(f"{table}?right=APPROVE_VOID_BEFORE_DEAL").content.decode()
    # The floor has acted last; floor_2 is not on duty.
    assert faces(page) == ["floor", "shift_manager", "floor_2"]
    assert 'data-part="more"' not in page
    assert ">SM</span>" in page and "asks for it, and cannot sign their own" in page
    page = dealer.client.get(f"{table}?right=APPROVE_VOID_AFTER_DEAL&language=es").content.decode()
    assert faces(page) == ["shift_manager"]
    assert "Jefe de turno" in page and "De turno, no para esto" in page and "no puede firmar esto" in page
    for number in range(12):
        running.hire(f"floor_{number + 3}", Role.FLOOR)
    page = dealer.client.get(f"{table}?right=SUPERVISE").content.decode()
    assert faces(page)[:3] == ["floor", "shift_manager", "floor_10"] and len(faces(page)) == 15
    assert faces(page)[7:9] == ["floor_2", "(floor_3)"] and 'data-part="more"' in page
    # Whoever signs for themselves, at a tablet that is taken over, is among them.
    page = dealer.client.get(f"{table}?right=RUN_ROUNDS&own=1").content.decode()
    assert faces(page)[:4] == ["floor", "shift_manager", "dealer", "dealer_2"]


def test_a_list_of_people_is_shown_to_staff_of_the_room_alone(
    running: Cast, person: Callable[[str], Person]
) -> None:
    table, room = (
        f"/tables/{running.table.pk}/signers/?right=SUPERVISE",
        "/rooms/cache-slough/signers/?right=COUNT",
    )
    assert [Client().get(address).status_code for address in (table, room)] == [302, 302]
    for who, status in (
        ("outsider", 404),
        ("rival_floor", 404),
        ("provider_lead", 403),
        ("inspector", 403),
        ("floor", 200),
        ("shift_manager", 200),
    ):
        client = person(who).client
        assert [client.get(address).status_code for address in (table, room)] == [status, status], who
    count = person("count").client
    assert count.get(room).status_code == 200
    assert count.get("/rooms/cache-slough/signers/?right=NOTHING").status_code == 404
    # A tablet that is locked shows who may take it over, and nobody else.
    dealer = person("dealer").client
    dealer.post("/account/lock/")
    assert dealer.get(table).status_code == 403
    taken = dealer.get(f"/tables/{running.table.pk}/signers/?right=RUN_ROUNDS&own=1")
    assert "dealer_2" in taken.content.decode()


def test_a_touched_face_is_told_how_many_tries_are_left_and_a_typed_name_nothing(
    running: Cast, person: Callable[[str], Person]
) -> None:
    running.bet({1: 1000})
    dealer = person("dealer")
    dealer.at_table()
    typed = {"named_reason": "", "other_reason": "cards on the floor", "approver": "floor"}
    dealer.command("void", **typed, approver_pin="918273")
    assert "belong to nobody here" in dealer.text and "After" not in dealer.text.split("banner")[1][:900]
    for left in range(TRIES - 2, 0, -1):
        dealer.command("void", **typed, approver_pin="918273", touched="1")
        assert f"Wrong PIN. After {left} more Floor rests for 5 minutes." in dealer.text
    dealer.command("void", **typed, approver_pin="918273", touched="1")
    assert "Wrong PIN. Floor rests for 5 minutes: somebody else signs." in dealer.text
    page = dealer.client.get(f"/tables/{running.table.pk}/signers/?right=SUPERVISE").content.decode()
    assert re.search(r'data-name="floor"[^>]* aria-disabled="true"', page)
    assert "rests until" in page
    dealer.command("void", **typed, approver_pin=PIN, touched="1")
    assert "Floor rests after too many wrong PINs" in dealer.text
    # Who is shown on no list is told nothing more, whatever a form claims.
    for nobody in ("outsider", "nobody at all", "inspector"):
        dealer.command("void", **{**typed, "approver": nobody}, approver_pin="918273", touched="1")
        assert "belong to nobody here" in dealer.text
    Lockout.objects.update(tries=13, locked_until=None)
    dealer.command("void", **typed, approver_pin="918273", touched="1")
    assert "After 1 more Floor rests until a supervisor lifts the lock." in dealer.text
    dealer.command("void", **typed, approver_pin="918273", touched="1")
    assert "Wrong PIN. Floor rests until a supervisor lifts the lock" in dealer.text
    assert "918273" not in dealer.text
    dealer.command("void", **{**typed, "approver": "shift_manager"}, approver_pin=PIN, touched="1")
    assert Round.objects.get().void_approved_by == running.people["shift_manager"]


def test_a_form_that_is_signed_names_the_right_and_how_many_sign(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    running.bet({1: 1000})
    page = dealer.at_table().content.decode()
    groups = re.findall(r'data-signature data-right="(\w+)"', page)
    assert groups.count("APPROVE_VOID_BEFORE_DEAL") == 1
    assert "Two sign: you, and somebody else (Floor, Shift manager)." in page
    assert page.count('name="approver_pin"') == len(groups) == page.count('name="touched"')
    running.send(COMMANDS["bets_close"])  # type: ignore[arg-type]
    page = dealer.at_table().content.decode()
    assert {"APPROVE_VOID_BEFORE_DEAL", "APPROVE_CORRECTION"} <= set(
        re.findall(r'data-signature data-right="(\w+)"', page)
    )
    assert 'data-brief="Refund $210"' in page  # the wager, and the bank's


def test_every_signature_is_declared_with_its_right() -> None:
    """But for those that depend on the round, or on who gives the command."""
    depends = {
        name
        for name, command in COMMANDS.items()
        if command.signature is not None
        and isinstance(command.signature.kind, Signature)
        and command.signature.kind.held is None
    }
    assert depends == {
        "round_void",
        *("tray_open", "tray_close", "tray_fill", "tray_credit", "slip_take_back", "buy_in_take_back"),
        "relief_take",  # whoever the push names
    }


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Rosa Delgado", "RD"),
        ("Thaddeus Adeyemi-Brown", "TA"),
        ("Kim", "K"),
        ("  (Jo)  O'Hara ", "JO"),
        ("Floor 2", "F2"),
        ("María José Núñez", "MN"),
        ("王小明", "王"),
        ("–", ""),
    ],
)
def test_initials_are_those_of_the_first_and_the_last_word(name: str, initials: str) -> None:
    assert initials_of(name) == initials


def test_a_person_keeps_their_ground(cast: Cast) -> None:
    assert {tone_of(each) for each in cast.people.values()} == {"a", "b", "c", "d"}
    assert tone_of(cast.people["floor"]) == tone_of(cast.people["floor"])
