"""A room before its first day: what the admin makes of it, and what its people make of it by pages and files."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from tests.web.conftest import Form

from .somebody import PASSWORD, Somebody, form_of

CODE = "delta-oaks"
ROOM = f"/rooms/{CODE}"
FIRST = "first of all passwords"

#: The form of a page of the admin that adds something.
_ADMIN_FORM = re.compile(r'<form [^>]*id="\w+_form".*?</form>', re.DOTALL)
#: Who works here beside the first two: the last line but one is no role, and the last is one of them again.
STAFF = """username,name,badge,roles,permit,permit_expires
sam,Sam Okafor,S-1,shift manager,WP-10,2036-06-30
flo,Flo Brandt,F-1,floor,WP-11,2036-06-30
fay,Fay Moreau,F-2,floor,WP-12,2036-06-30
dan,Dan Reyes,D-1,dealer,WP-13,2026-11-17
dot,Dot Lindqvist,D-2,dealer,WP-14,2036-06-30
dee,Dee Nakamura,D-3,dealer,WP-15,2036-06-30
del,Del Castellano,D-4,dealer,WP-16,2036-06-30
cal,Cal Ferreira,C-1,count,,
cat,Cat Kovac,C-2,count,,
coy,Coy Barros,C-3,count,,
ray,Ray Petersen,R-1,support,,
ira,Ira Santillan,I-1,inspector,,
wes,Wes Lum,W-1,croupier,,
dan,Dan Again,D-9,dealer,,
"""
#: Those of the file, by user name.
HIRED = ("sam", "flo", "fay", "dan", "dot", "dee", "del", "cal", "cat", "coy", "ray", "ira")
PROVIDERS = """provider,contract,begins_on,number,name,badge_number,badge_expires
Delta Players,,,,,,
Delta Players,P-12,2026-11-01,,,,
Delta Players,,,50,Max Tremblay,TPP-50,2026-11-18
Delta Players,,,51,Vinh Le,TPP-51,2036-06-30
"""
PLAYERS = ("Ana Soto", "Bo Hart", "Cy Vance", "Dina Wu", "Eli Ford", "Gus Pope")
#: The schedule: what a player pays an ante, and the player-dealer up to and above $100 of total table action.
FEE, BANK_LOW, BANK_HIGH, MIDDLE = 100, 200, 300, 10_000


def first_room() -> dict[str, Somebody]:
    """Make a room and its first two people as docs/people.md says: `createsuperuser`, the admin, and a PIN between them."""
    call_command("createsuperuser", username="root", email="", interactive=False, verbosity=0)
    root = Staff.objects.get(username="root")
    root.set_password(PASSWORD)
    root.save()
    return first_people(Somebody("root"))


def first_people(site: Somebody) -> dict[str, Somebody]:
    """What the administrator of an empty site does in the admin; returns the room's first two people, with PINs."""
    site.sign_in()
    _added(site, "rooms/room", name="Delta Oaks", code=CODE)
    room = Room.objects.get()
    people: dict[str, Somebody] = {}
    for username, name, role in (
        ("walt", "Walt Ames", "room_manager"),
        ("grace", "Grace Yee", "compliance"),
    ):
        account = {"username": username, "display_name": name, "badge": "", "home": room.pk}
        _added(site, "people/staff", **account, password1=FIRST, password2=FIRST)
        given = {"staff": Staff.objects.get(username=username).pk, "room": room.pk, "role": role}
        _added(site, "people/employment", **given, **(people["walt"].signature if people else {}))
        people[username] = Somebody(username)
        people[username].begins(FIRST)
    return people


def _added(site: Somebody, what: str, **typed: Any) -> None:
    """Fill in the form of the admin that adds something, and save it."""
    address = f"/admin/{what}/add/"
    site.open(address)
    form = _ADMIN_FORM.search(site.text)
    assert form is not None, site.words
    site.page = site.client.post(address, {**Form(form[0], "").fields, **typed})
    assert site.page.status_code == 302, site.words


def settled_in(people: dict[str, Somebody]) -> None:
    """Set the room up: settings and tables, staff from a file, providers and players, games, fees and tips as filed."""
    walt, grace = people["walt"], people["grace"]
    _settings(walt, grace)
    _staff(people)
    _providers_and_players(walt, grace)
    _filings(walt, grace)


def _settings(walt: Somebody, grace: Somebody) -> None:
    page = f"{ROOM}/settings/"
    walt.see(f"{ROOM}/results/", "The room has no table", "Nobody works here as", "No game is filed")
    walt.see(page, "The room has no table yet.")
    walt.refused(f"{page}room/", "This field is required", idle_minutes="20")
    walt.done(
        f"{page}room/", "The settings of the room are changed.", boxes_at_opening="on", **grace.signature
    )
    walt.done(f"{page}chips/", chips="1 5 25 100")
    for number in ("1", "2", "3"):
        walt.done(f"{page}tables/", f"Table {number} is added.", number=number)
    walt.refused(f"{page}tables/", "table 3", number="3")
    walt.see(page)
    walt.done(f"{page}tables/3/", "It is table 9 now.", number="9")
    grace.see(page, "Table 9", "that is for Room manager")


def _staff(people: dict[str, Somebody]) -> None:
    walt, grace = people["walt"], people["grace"]
    _imported(walt, grace, f"{ROOM}/people/import/", STAFF, "12 added, 0 changed, 2 left out.")
    walt.see(f"{ROOM}/results/", "12 accounts have no password yet")
    walt.see(f"{ROOM}/people/?only=no-password", "Dan Reyes", "no password yet")
    for username in HIRED:
        person = people[username] = Somebody(username)
        own = f"{ROOM}/people/{Staff.objects.get(username=username).pk}/"
        walt.see(own, "none yet")
        walt.done(f"{own}password/", "The password is set", password=FIRST, **grace.signature)
        person.begins(FIRST)
    walt.done_at(
        f"{ROOM}/people/", f"{ROOM}/people/make/", name="Kim Aguilar", username="kim", password=FIRST
    )
    kim = f"{ROOM}/people/{Staff.objects.get(username='kim').pk}/"
    walt.done_at(kim, f"{kim}role/", "The role is given.", role="dealer", **grace.signature)
    walt.refused(f"{kim}role/", "do not meet in one person", role="compliance", **grace.signature)
    walt.see(kim)
    walt.done(f"{kim}permit/", "Saved.", number="WP-20", expires="2036-06-30")
    walt.done(f"{kim}badge/", "Saved.", badge="D-5", **grace.signature)
    walt.done(f"{kim}licence/", "Saved.", number="KEL-20", expires="2036-06-30")
    people["kim"] = Somebody("kim")
    people["kim"].begins(FIRST)


def _providers_and_players(walt: Somebody, grace: Somebody) -> None:
    _imported(walt, grace, f"{ROOM}/providers/import/", PROVIDERS, "4 added, 0 changed, 0 left out.")
    walt.see(f"{ROOM}/providers/", "Delta Players", "P-12")
    walt.done(f"{ROOM}/providers/", "Oaks Bank", name="Oaks Bank Services")
    players = "number,name\n" + "".join(f"{n},{name}\n" for n, name in enumerate(PLAYERS, start=1))
    _imported(walt, grace, f"{ROOM}/players/import/", players, "6 added, 0 changed, 0 left out.")


def _imported(walt: Somebody, grace: Somebody, address: str, text: str, says: str) -> None:
    """Choose a file, read what its import would do, and let another sign it."""
    walt.see(address)
    file = SimpleUploadedFile("people.csv", text.encode())
    walt.page = walt.client.post(address, {**form_of(walt.page, address), "file": file})
    walt.done(address, says, do="import", **grace.signature)


def _filings(walt: Somebody, grace: Somebody) -> None:
    games = f"{ROOM}/games/"
    grace.done_at(games, f"{games}new/", number="1", rulebook="california")
    edit = f"{games}1/1/edit/"
    added = {**form_of(grace.page, edit), "more": "add", "add": "seats"}
    grace.page = grace.client.post(edit, added)
    terms = {"say-seats": "8", "clause-seats": "2, page 2"}
    named = {
        "approval_title": "Three Card Poker",
        "approval_date": "2026-10-14",
        "state_reference": "GEGR-004861",
    }
    grace.done(edit, "", **terms, **named)
    filed = {"effective_from": "2026-11-01", "state_reference": "GEGR-004861"}
    grace.done_at(f"{games}1/1/", f"{games}1/1/file/", "is filed", **filed, **walt.signature)

    fees = f"{ROOM}/schedules/"
    grace.done_at(fees, f"{fees}new/", number="11", rulebook="california")
    edit = f"{fees}11/1/edit/"
    head = {"head-title": "House fees", "head-clause": "GEGR-004861, page 7", "head-ante_min_cents": "5"}
    lines = (
        ("player:ante", "", "", FEE),
        ("bank:total_table_action", "5", "100", BANK_LOW),
        ("bank:total_table_action", "101", "", BANK_HIGH),
    )
    for number, (kind, lower, upper, fee) in enumerate(lines):
        of_line = {"kind": kind, "lower_cents": lower, "upper_cents": upper, "fee_cents": str(fee // 100)}
        head |= {f"lines-{number}-{name}": value for name, value in of_line.items()}
    for _line in lines[1:]:
        grace.page = grace.client.post(edit, {**form_of(grace.page, edit), "more": "lines"})
    grace.done(edit, "", **head, **{"head-ante_max_cents": "100"})
    filed = {"effective_from": "2026-11-01", "state_reference": "GEGR-004861-F"}
    grace.done_at(f"{fees}11/1/", f"{fees}11/1/file/", "is filed", **filed, **walt.signature)

    rule = {"title": "House pool", "sharing": "hours", "support": "share", "support_percent": "10"}
    walt.done_at(f"{ROOM}/tips/", f"{ROOM}/tips/rule/", "The rule holds", **rule, support_roles="support")
