"""The pages of files of a room's people: checked, decided, signed by two, imported, and handed out again."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from cardroom.people.models import Player, ProviderContract, Role, Staff
from cardroom.people.rights import roles_of
from cardroom.web.imports.views import MOST_BYTES
from tests.cast import PIN, Cast, closed_cast

from ..conftest import Form, Person

ROOM = "/rooms/cache-slough"


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def test_a_file_is_checked_decided_signed_and_imported(cast: Cast, person: Callable[[str], Person]) -> None:
    manager, address = person("room_manager"), f"{ROOM}/players/import/"
    manager.open(address)
    file = SimpleUploadedFile("players.csv", "name\nbo\nLee Chan\n\u202e\n".encode())
    manager.page = manager.client.post(address, {"file": file})
    assert "Is it Bo #2?" in manager.text
    manager.post(address, **{"line-2": "new", "do": "check"})
    assert "Sign and import 2" in manager.text
    left_out = manager.client.post(address, {**Form(manager.text, address).fields, "do": "left-out"})
    assert "line 4" in left_out.content.decode()
    manager.post(address, do="import", approver="compliance", approver_pin=PIN)
    assert "2 added, 0 changed, 1 left out." in manager.text
    assert Player.objects.filter(room=cast.room, name__in=["bo", "Lee Chan"]).count() == 2
    assert b"Lee Chan" in manager.client.get(f"{ROOM}/players/export.csv").content
    assert person("floor").open(f"{ROOM}/players/export.csv").status_code == 403


@pytest.mark.parametrize("do", ["check", "left-out", "import"])
def test_a_tampered_file_is_refused_in_words(cast: Cast, person: Callable[[str], Person], do: str) -> None:
    manager, address = person("room_manager"), f"{ROOM}/players/import/"
    manager.open(address)
    file = SimpleUploadedFile("players.csv", b"name\nLee Chan\n\n")
    manager.page = manager.client.post(address, {"file": file})
    given = {**Form(manager.text, address).fields, "approver": "compliance", "approver_pin": PIN, "do": do}
    spoilt = manager.client.post(address, {**given, "content": base64.b64encode(b"color\nred\n").decode()})
    assert spoilt.status_code == 422
    assert "Column &#x27;color&#x27; is unknown" in spoilt.content.decode()
    assert manager.client.post(address, {**given, "content": "%%%"}).status_code == 302
    assert not Player.objects.filter(name__in=["Lee Chan", "red"]).exists()


def test_a_large_file_and_many_decisions_fit_a_form(cast: Cast, person: Callable[[str], Person]) -> None:
    manager, address = person("room_manager"), f"{ROOM}/players/import/"
    manager.open(address)
    for text in (
        "number,name\n" + "\n".join(f"{each + 100},{'Lee Chan ' * 8}" for each in range(9900)),
        "name\n" + "Ana\n" * 900,
    ):
        assert len(text) < MOST_BYTES
        file = SimpleUploadedFile("players.csv", text.encode())
        manager.page = manager.client.post(address, {"file": file})
        fields = Form(manager.text, address).fields
        fields |= {f"line-{each + 2}": "new" for each in range(500) if "more are left out" in manager.text}
        body = urlencode({**fields, "do": "check"})
        again = manager.client.post(address, body, content_type="application/x-www-form-urlencoded")
        assert again.status_code == 200
    large = SimpleUploadedFile("players.csv", b"name\n" + b"Ana\n" * 400_000)
    assert manager.client.post(address, {"file": large}).status_code == 422


def test_staff_are_imported_and_given_their_first_password_on_their_page(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    manager, address = person("room_manager"), f"{ROOM}/people/import/"
    manager.open(f"{ROOM}/people/")
    assert address in manager.text
    manager.open(address)
    file = SimpleUploadedFile(
        "staff.csv", b"username,name,roles\nkaguilar,Kim Aguilar,dealer\ncount,,count + dealer\n"
    )
    manager.page = manager.client.post(address, {"file": file})
    assert "do not meet in one person" in manager.text and "roles: <b>Dealer</b>" in manager.text
    manager.post(address, do="import", approver="compliance", approver_pin=PIN)
    assert "1 added, 0 changed, 1 left out. Whoever is new signs in once a password is set" in manager.text
    assert "▲ no password yet" in manager.text
    assert "1 account has no password yet" in manager.open(f"{ROOM}/results/").content.decode()
    kim = Staff.objects.get(username="kaguilar")
    assert roles_of(kim, cast.room) == {Role.DEALER}
    own = f"{ROOM}/people/{kim.pk}/"
    assert own in manager.open(f"{ROOM}/people/?only=no-password").content.decode()
    assert "none yet" in manager.open(own).content.decode()
    signed = {"approver": "compliance", "approver_pin": PIN}
    manager.post(f"{own}password/", password="nine high straight beats it", **signed)
    kim.refresh_from_db()
    assert kim.check_password("nine high straight beats it") and kim.must_change_password
    assert own not in manager.open(f"{ROOM}/people/?only=no-password").content.decode()
    assert b"kaguilar,Kim Aguilar" in manager.client.get(f"{ROOM}/people/export.csv").content
    assert person("compliance").open(f"{ROOM}/people/export.csv").status_code == 403
    floor = person("floor").open(address).content.decode()
    assert "that is for Room manager" in floor and "Preview" not in floor


def test_providers_are_imported_with_contracts(cast: Cast, person: Callable[[str], Person]) -> None:
    manager, address = person("room_manager"), f"{ROOM}/providers/import/"
    manager.open(f"{ROOM}/providers/")
    assert address in manager.text
    manager.open(address)
    text = b"provider,contract,begins_on\nDelta Players,,\nDelta Players,P-12,2026-01-01\n"
    manager.page = manager.client.post(address, {"file": SimpleUploadedFile("providers.csv", text)})
    manager.post(address, do="import", approver="compliance", approver_pin=PIN)
    assert ProviderContract.objects.get().provider.name == "Delta Players"
    assert b"Delta Players,,P-12,2026-01-01" in manager.client.get(f"{ROOM}/providers/export.csv").content
