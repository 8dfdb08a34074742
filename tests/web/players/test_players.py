"""The pages of a room's players: found, added, named, merged and excluded by who may, and need-to-know kept."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from cardroom.floor.commands.player_photos import player_photo_remove, player_photo_set
from cardroom.floor.commands.players import player_merge
from cardroom.floor.errors import NotNow
from cardroom.floor.models import JournalEntry
from cardroom.people.models import Exclusion, Player, PlayerPhoto, Provider, ProviderContract
from tests.cast import PIN, Cast, closed_cast

from ..conftest import Person

ROOM = "/rooms/cache-slough"


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def test_a_player_is_added_found_named_and_merged(cast: Cast, person: Callable[[str], Person]) -> None:
    floor = person("floor")
    floor.open(f"{ROOM}/players/")
    floor.post(f"{ROOM}/players/", name="Lee Chan", other_name="陳麗")
    lee = Player.objects.get(name="Lee Chan")
    assert f"#{lee.number}" in floor.text
    floor.open(f"{ROOM}/players/?search=陳")
    assert f"{ROOM}/players/{lee.pk}/" in floor.text
    assert "Ana" not in floor.text

    guest = Player.objects.create(room=cast.room, name="Guest 44", is_guest=True)
    own = f"{ROOM}/players/{guest.pk}/"
    floor.open(own)
    floor.post(f"{own}name/", name="LEE CHAN")
    assert f'Names that look like this one: <a href="{ROOM}/players/{lee.pk}/">' in floor.text
    wrong = floor.post(f"{own}merge/", into="Lee Chan", reason="one", approver="floor_2", approver_pin=PIN)
    assert wrong.status_code == 422
    assert "may mean" in floor.text
    floor.post(f"{own}merge/", into=lee.label, reason="one", approver="floor_2", approver_pin=PIN)
    guest.refresh_from_db()
    assert guest.merged_into == lee
    floor.open(own)
    floor.post(f"{own}unmerge/", reason="two after all", approver="floor_2", approver_pin=PIN)
    guest.refresh_from_db()
    assert guest.merged_into is None


def test_an_exclusion_is_entered_looked_at_and_lifted_and_others_read_nothing_of_it(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    hal = cast.waiting[0]
    manager, own = person("shift_manager"), f"{ROOM}/players/{hal.pk}/"
    manager.open(own)
    manager.post(f"{own}exclude/", kind="self_excluded", reason="signed form", ends_on="")
    dealer = person("dealer")
    dealer.open(own)
    assert "May not play in this room" in dealer.text
    assert "signed form" not in dealer.text
    assert dealer.open(f"{ROOM}/exclusions/").status_code == 403

    compliance = person("compliance")
    compliance.open(f"{ROOM}/exclusions/")
    assert "signed form" in compliance.text
    look = JournalEntry.objects.get(command="exclusions_look")
    assert look.actor == cast.people["compliance"]
    [row] = compliance.client.get(f"/api/rooms/{cast.room.pk}/exclusions").json()
    assert (row["name"], row["reason"]) == (hal.name, "signed form")
    assert JournalEntry.objects.filter(command="exclusions_look").count() == 2

    lift = f"{ROOM}/exclusions/{Exclusion.objects.get().pk}/lift/"
    compliance.post(lift, reason="wrong person", approver="shift_manager", approver_pin=PIN)
    hal.refresh_from_db()
    assert hal.excluded_until is None
    compliance.open(f"{ROOM}/reports/exclusions/")
    assert "signed form" not in compliance.text
    assert "Looks at the reasons" in compliance.text


def test_a_contract_is_entered_and_ended(cast: Cast, person: Callable[[str], Person]) -> None:
    manager, address = person("room_manager"), f"{ROOM}/providers/"
    manager.open(address)
    manager.post(address, name="Delta Players")
    provider = Provider.objects.get(name="Delta Players")
    enter = f"{address}{provider.pk}/contract/"
    manager.post(enter, number="P-9", begins_on="2026-01-01", opens_at="20:00")
    assert "Write from when and until when" in manager.text
    manager.post(enter, number="P-9", begins_on="2026-01-01", opens_at="20:00", closes_at="04:00", tables="7")
    contract = ProviderContract.objects.get()
    assert "8:00 PM to 4:00 AM" in manager.text
    assert contract.tables == [7]
    manager.post(f"{ROOM}/contracts/{contract.pk}/end/", reason="over")
    contract.refresh_from_db()
    assert contract.ended_by == cast.people["room_manager"]
    compliance = person("compliance")
    compliance.open(address)
    assert "Enter a contract" not in compliance.text


def test_a_photograph_is_set_shown_replaced_and_taken_away(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    who, floor = cast.players[3], person("floor")
    own = f"{ROOM}/players/{who.pk}/"
    floor.open(own)
    assert "/photos/" not in floor.text and f"{own}photo-remove/" not in floor.text
    assert floor.post(f"{own}photo/").status_code == 422
    assert "Take a photograph, or choose its file." in floor.text
    wrong = SimpleUploadedFile("face.jpg", b"GIF89a", content_type="image/jpeg")
    assert floor.post(f"{own}photo/", file=wrong).status_code == 422
    assert "no whole JPEG, PNG or WebP" in floor.text
    for name in ("camera", "file"):
        given = SimpleUploadedFile("x", base64.b64decode(player_photo_set.example["content"]))
        floor.open(own)
        floor.post(f"{own}photo/", **{name: given})
        who.refresh_from_db()
        address = f"{own}photos/{who.photo_id}.jpg"
        for page in (own, f"{ROOM}/players/?search={who.name}"):
            floor.open(page)
            assert f'<img src="{address}" alt="" loading="lazy" decoding="async">' in floor.text
    assert PlayerPhoto.objects.count() == 1
    guest = Player.objects.create(room=cast.room, name="Guest 44", merged_into=who)
    floor.open(f"{ROOM}/players/{guest.pk}/")
    assert address in floor.text  # of the one whom they were merged into

    shown = person("dealer").client.get(address)
    assert Image.open(io.BytesIO(shown.content)).format == "JPEG"
    headers = [shown.headers[name] for name in ("Content-Type", "Cache-Control", "X-Content-Type-Options")]
    assert headers == ["image/jpeg", "no-store", "nosniff"]
    assert Client().get(address).status_code == 302
    assert person("rival_floor").client.get(address).status_code == 404
    assert person("count").client.get(address).status_code == 403
    assert floor.client.get(address.replace(f"{who.photo_id}.jpg", "999.jpg")).status_code == 404
    read = floor.client.get(f"/api/rooms/{cast.room.pk}/players/{who.pk}/photo").json()
    assert base64.b64decode(read["content"]) == shown.content

    floor.open(own)
    floor.post(f"{own}photo-remove/")
    assert "No photograph is kept." in floor.text
    assert not PlayerPhoto.objects.exists()
    assert floor.client.get(address).status_code == 404
    assert floor.client.get(f"/api/rooms/{cast.room.pk}/players/{who.pk}/photo").status_code == 404
    assert [each.data for each in JournalEntry.objects.filter(command="player_photo_remove")] == [
        {"player": who.pk, "number": who.number, "photo": read["photo"]}
    ]
    with pytest.raises(NotNow, match="No photograph of"):
        cast.send_room(player_photo_remove, "floor", player_id=who.pk)


def test_who_erases_sees_which_texts_name_the_person(cast: Cast, person: Callable[[str], Person]) -> None:
    who, manager = cast.players[3], person("room_manager")
    own = f"{ROOM}/players/{who.pk}/"
    manager.open(own)
    assert f'<a href="{own}texts/">' in manager.text
    manager.open(f"{own}texts/")
    assert "No text that somebody typed" in manager.text
    other, signed = cast.players[4], {"approver": cast.people["floor_2"]}
    guest = Player.objects.create(room=cast.room, name="Guest 44", is_guest=True)
    arguments = {"player_id": guest.pk, "into_id": other.pk, "reason": f"a friend of {who.name}"}
    cast.send_room(player_merge, "floor", **arguments, **signed)
    manager.open(f"{own}texts/")
    assert manager.text.count(f"<td>a friend of {who.name}</td>") == 2  # the merge, and its entry
    read = manager.client.get(f"/api/rooms/{cast.room.pk}/players/{who.pk}/texts").json()
    assert [each["record"] for each in read] == ["journal entry", "player merge"]
    assert person("floor").client.get(f"{own}texts/").status_code == 403
