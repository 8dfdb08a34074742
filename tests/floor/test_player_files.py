"""A file of players: checked line by line without a trace, and imported as one act of two people or not at all."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from cardroom.floor.commands.player_files import players_import, players_import_check
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.models import JournalEntry
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Player, Provider
from cardroom.people.player_file import players_csv
from tests.cast import Cast, closed_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def asked(text: str | bytes, **decisions: str) -> dict[str, Any]:
    data = text.encode() if isinstance(text, str) else text
    given = {"content": base64.b64encode(data).decode()}
    return {**given, "decisions": {line.removeprefix("line"): who for line, who in decisions.items()}}


def checked(cast: Cast, text: str | bytes, **decisions: str) -> Any:
    return cast.send_room(players_import_check, "room_manager", **asked(text, **decisions))


def imported(cast: Cast, text: str | bytes, **decisions: str) -> Any:
    plan = checked(cast, text, **decisions)["plan"]
    given = {**asked(text, **decisions), "plan": plan, "approver": cast.people["compliance"]}
    return cast.send_room(players_import, "room_manager", **given)


FILE = """number;name;other_name;provider;badge_expires
1;Ana Reyes;;;
41;Lee Chan;陳麗;Levee Players of Cache Slough;2027-06-30
;bo;;;
2;Somebody Else;;;
42; ;;;
43;Wanda Kowalski;;;31.02.2025
44;Dar\u202eo;;;
45;No Firm;;Nobody;
41;Twice;;;
;Zoë Ruiz;;;
"""


def test_each_line_is_judged_and_nothing_is_written(cast: Cast) -> None:
    before = list(Player.objects.values())
    answer = checked(cast, FILE)
    counts = {name: answer[name] for name in ("new", "changed", "same", "alike", "refused")}
    assert counts == {"new": 2, "changed": 1, "same": 0, "alike": 1, "refused": 6}
    told = {each["line"]: (each["column"], each["why"]) for each in answer["lines"] if each["why"]}
    assert told[4] == ("name", "Is it Bo #2?")
    assert told[5][1].startswith("Number 2 is Bo's.")
    assert {line: column for line, (column, _why) in told.items()} == {
        4: "name",
        5: "number",
        6: "name",
        7: "badge_expires",
        8: "name",
        9: "provider",
        10: "number",
    }
    [ana] = [each for each in answer["lines"] if each["outcome"] == "changed"]
    assert (ana["number"], ana["changes"]) == (1, {"name": ["Ana", "Ana Reyes"]})
    assert "Wanda Kowalski" in answer["left_out"]
    assert list(Player.objects.values()) == before
    assert not JournalEntry.objects.filter(command__startswith="players_import").exists()


def test_two_import_what_the_check_has_shown_and_the_rest_comes_back(cast: Cast) -> None:
    answer = imported(cast, FILE, line4="2")
    lee = Player.objects.get(number=41)
    assert (lee.name, lee.other_name, str(lee.provider)) == (
        "Lee Chan",
        "陳麗",
        "Levee Players of Cache Slough",
    )
    assert Player.objects.get(room=cast.room, number=1).name == "Ana Reyes"
    assert Player.objects.get(name="Zoë Ruiz").number == 42
    assert answer["left_out"].count("\r\n") == 1 + answer["refused"]
    entry = JournalEntry.objects.get(command="players_import")
    assert entry.data["approved_by"]["id"] == cast.people["compliance"].pk
    assert not list(rows_verify())
    again = checked(cast, players_csv(cast.room))
    assert (again["new"], again["changed"], again["refused"], again["alike"]) == (0, 0, 0, 0)


def test_what_has_changed_since_the_check_and_who_may_not_sign_are_refused(cast: Cast) -> None:
    given = asked("number,name\n41,Lee Chan\n")
    plan = checked(cast, "number,name\n41,Lee Chan\n")["plan"]
    Player.objects.create(room=cast.room, number=41, name="Lee Ho")
    with pytest.raises(FloorError) as error:
        cast.send_room(players_import, "room_manager", **given, plan=plan, approver=cast.people["compliance"])
    assert error.value.code == "plan_changed"
    plan = checked(cast, "number,name\n41,Lee Chan\n")["plan"]
    with pytest.raises(FloorError) as error:
        cast.send_room(players_import, "room_manager", **given, plan=plan, approver=cast.people["floor"])
    assert error.value.code == "approver_may_not"
    assert Player.objects.get(number=41).name == "Lee Ho"


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (b"", "one of them is"),
        (b"number,name\n", "no players"),
        (b"nummer,name\n1,x\n", "'nummer' is unknown"),
        (b"number\n1\n", "one of them is"),
        (b"[[player]]\nname = \n", "no TOML"),
        (b"[[player]]\nname = 'x'\n[[staff]]\nname = 'y'\n", "staff is unknown"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(cast: Cast, file: bytes, says: str) -> None:
    with pytest.raises(BadInput) as error:
        checked(cast, file)
    assert says in error.value.message
    assert error.value.path == "content"


def test_toml_and_other_encodings(cast: Cast) -> None:
    firm = Provider.objects.get(room=cast.room).name
    toml = f'[[player]]\nname = "Lee"\nprovider = "{firm}"\nbadge_expires = 2027-06-30\nactive = false\n'
    imported(cast, toml)
    assert Player.objects.get(name="Lee").is_active is False
    answer = checked(cast, b'\xef\xbb\xbfname\r\nGr\xe4f\r\nNow\r\n"Open\r\n')
    told = [(each["line"], each["outcome"]) for each in answer["lines"]]
    assert (answer["new"], told) == (1, [(2, "refused"), (4, "refused")])
