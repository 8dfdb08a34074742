"""Names are written one way, hold nothing that hides, and mean one person."""

# ruff: noqa: RUF001 - letters that look like others are what this is about
from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from cardroom.core.names import looks_like, plain_name
from cardroom.floor.commands.players import player_add
from cardroom.floor.errors import BadInput
from cardroom.people.models import Player, Provider, Staff
from cardroom.people.players import players_found, players_meant
from tests.cast import Cast

HIDES = {
    "a mark of direction": "Ann\u202eBell",
    "a zero-width space": "Ann\u200bBell",
    "a line end": "Ann\nBell",
    "a tab": "Ann\tBell",
    "a control": "Ann\x07Bell",
    "a soft hyphen": "Ann\u00adBell",
    "a filler": "Ann\u3164Bell",
    "a variation selector": "Ann\ufe0fBell",
    "a line separator": "Ann\u2028Bell",
}


@pytest.mark.parametrize("name", HIDES.values(), ids=HIDES)
def test_a_name_holds_nothing_that_hides(cast: Cast, name: str) -> None:
    with pytest.raises(ValidationError, match="nobody sees"):
        Player.objects.create(room=cast.room, name=name)
    with pytest.raises(ValidationError, match="nobody sees"):
        Provider.objects.create(room=cast.room, name=name)
    with pytest.raises(ValidationError, match="nobody sees"):
        Staff.objects.create(username="ann", display_name=name)


def test_a_name_is_composed_and_its_blanks_are_folded(cast: Cast) -> None:
    player = Player.objects.create(room=cast.room, name="  Jose\u0301\u00a0\u3000 Ruiz ")
    assert player.name == "José Ruiz"
    assert plain_name("Lê  Thị Hà") == "Lê Thị Hà"
    cast.people["floor"].display_name = " Flo  Reyes "
    cast.people["floor"].save()
    cast.people["floor"].refresh_from_db()
    assert cast.people["floor"].display_name == "Flo Reyes"


@pytest.mark.parametrize("name", [" Ann", "Ann  Bell", "Ann\u202eBell", "Ann\nBell", "Ann\u200bBell"])
def test_the_database_refuses_such_a_name_by_itself(cast: Cast, name: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE people_player SET name = %s WHERE id = %s", [name, cast.players[1].pk])


@pytest.mark.parametrize(
    "other",
    ["LEE CHAN", "Lee  chan", "Ｌｅｅ　Ｃｈａｎ", "Lее Chan", "ⅬEE CHAN", "Leé Chan", "LЕЕ СНАN", "lее сhаn"],
)
def test_names_that_people_take_for_one_look_alike(other: str) -> None:
    assert looks_like(other) == looks_like("Lee Chan")


def test_other_names_do_not() -> None:
    names = [
        "Lee Chan",
        "Lea Chan",
        "Lee Chang",
        "Li Chan",
        "Сергей",
        "Андрей",
        "陳大文",
        "陳大明",
        "Guest 10",
        "Guest 11",
    ]
    assert len({looks_like(name) for name in names}) == len(names)


def test_a_player_may_have_any_name_but_none(cast: Cast) -> None:
    assert Player.objects.create(room=cast.room, name="bank").name == "bank"
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(room=cast.room, name="")


def test_players_are_numbered_in_their_room(cast: Cast) -> None:
    last = max(Player.objects.filter(room=cast.room).values_list("number", flat=True))
    assert Player.objects.create(room=cast.room, name="Lee Chan").number == last + 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(room=cast.room, name="Lee Chang", number=last + 1)


def test_a_name_means_one_player_or_all_that_look_alike(cast: Cast) -> None:
    lee = Player.objects.create(room=cast.room, name="Lee Chan")
    assert players_meant(cast.room, " lee  CHAN ") == [lee]
    other = Player.objects.create(room=cast.room, name="LEE CHAN")
    assert set(players_meant(cast.room, "LEE CHAN")) == {lee, other}
    assert players_meant(cast.room, other.label) == [other]
    assert players_meant(cast.room, f"#{lee.number}") == [lee]
    assert players_meant(cast.room, str(lee.number)) == [lee]
    assert players_meant(cast.room, f"Rae #{lee.number}") == []
    other.is_active = False
    other.save()
    assert players_meant(cast.room, "Lee Chan") == [lee]


def test_players_are_found_by_number_and_any_part_of_a_name(cast: Cast) -> None:
    for number in range(549):
        Player.objects.create(room=cast.room, name=f"Aaron {number:03}x")
    ruiz = Player.objects.create(room=cast.room, name="Zoë Ruiz")
    for typed in ("zoe", "RUIZ", "oë r", str(ruiz.number), f"#{ruiz.number}", ruiz.label):
        assert ruiz in players_found(cast.room, typed), typed


def test_a_command_keeps_a_name_plain_and_answers_whose_names_look_like_it(cast: Cast) -> None:
    lee = cast.send_room(player_add, "floor", name="Lee  Chan")
    assert Player.objects.get(pk=lee["player"]).name == "Lee Chan"
    assert cast.send_room(player_add, "floor", name="ＬＥＥ Ｃｈａｎ")["alike"] == [lee["player"]]
    with pytest.raises(BadInput) as error:
        cast.send_room(player_add, "floor", name="Lee\u202eChan")
    assert (error.value.code, error.value.path) == ("bad_text", "name")
