"""Files of players, staff and providers: checked line by line without a trace, and imported as one act of two people or not at all."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import Client

from cardroom.floor.commands.imports import ImportCommands, players_files, providers_files, staff_files
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Employment, Player, Provider, ProviderContract, Role, Staff, WorkPermit
from cardroom.people.rights import roles_of
from cardroom.rooms.models import Room
from tests.cast import Cast, closed_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def asked(text: str | bytes, **decisions: str) -> dict[str, Any]:
    data = text.encode() if isinstance(text, str) else text
    given = {"content": base64.b64encode(data).decode()}
    return {**given, "decisions": {line.removeprefix("line"): who for line, who in decisions.items()}}


def checked(cast: Cast, text: str | bytes, files: ImportCommands = players_files, **decisions: str) -> Any:
    return cast.send_room(files.check, "room_manager", **asked(text, **decisions))


def imported(cast: Cast, text: str | bytes, files: ImportCommands = players_files, **decisions: str) -> Any:
    plan = checked(cast, text, files, **decisions)["plan"]
    given = {**asked(text, **decisions), "plan": plan, "approver": cast.people["compliance"]}
    return cast.send_room(files.carry_out, "room_manager", **given)


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
    assert (ana["known"], ana["changes"]) == ("1", {"name": ["Ana", "Ana Reyes"]})
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
    again = checked(cast, players_files.kind.exported(cast.room))
    assert (again["new"], again["changed"], again["refused"], again["alike"]) == (0, 0, 0, 0)


def test_what_has_changed_since_the_check_and_who_may_not_sign_are_refused(cast: Cast) -> None:
    given = asked("number,name\n41,Lee Chan\n")
    plan = checked(cast, "number,name\n41,Lee Chan\n")["plan"]
    Player.objects.create(room=cast.room, number=41, name="Lee Ho")
    with pytest.raises(FloorError) as error:
        cast.send_room(
            players_files.carry_out, "room_manager", **given, plan=plan, approver=cast.people["compliance"]
        )
    assert error.value.code == "plan_changed"
    plan = checked(cast, "number,name\n41,Lee Chan\n")["plan"]
    with pytest.raises(FloorError) as error:
        cast.send_room(
            players_files.carry_out, "room_manager", **given, plan=plan, approver=cast.people["floor"]
        )
    assert error.value.code == "approver_may_not"
    assert Player.objects.get(number=41).name == "Lee Ho"


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (b"", "one of them is"),
        (b"number,name\n", "no lines"),
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


STAFF = """username;name;badge;email;roles;provider;licence;licence_expires;permit;permit_expires
kaguilar;Kim Aguilar;101;kim@room.example;Dealer + floor;;KEL-7;2027-06-30;WP-1;2027-01-31
lead_2;Lou Firth;;;provider_lead;Levee Players of Cache Slough;;;;
floor;Floor;;;floor + shift manager;;;;;
dealer;Dealer;D-1;;;;;;WP-2;
room_manager;Room manager;;;room_manager + support;;;;;
count;Count team;;;count + dealer;;;;;
rival_dealer;;;;dealer;;;;;
rival_floor;Rae;;;floor;;;;;
nobody_there;;;;dealer;;;;;
lead_3;Ole Moe;;;provider_lead;;;;;
lead_4;Pia Orr;;;dealer;Levee Players of Cache Slough;;;;
kim_2;Kim  Aguilar;;;dealer;;;;;
joan;Joan Ode;101;;;;;;;
bad name;Gil Hay;;;;;;;;
pat;Pat Lee;;pat-at-room;;;;;;
sid;Sid Fox;;;croupier;;;;;
tom;Tom Ray;;;;;;;WP-3;
una;Una Ide;;;dealer;;;2027-01-01;;
vic;Vic Orr;;;dealer;;;;;2027-02-30
kaguilar;Kim Aguilar;;;;;;;;
;Wes Lum;;;;;;;;
"""


def staff(cast: Cast, text: str, **decisions: str) -> Any:
    return checked(cast, text, staff_files, **decisions)


def entries(command: str) -> list[Any]:
    return [each.data for each in JournalEntry.objects.filter(command=command).order_by("seq")]


def test_each_line_of_staff_is_judged_by_the_duties_that_are_kept_apart(cast: Cast) -> None:
    before = list(Staff.objects.values()), list(Employment.objects.values())
    answer = staff(cast, STAFF)
    told = {each["line"]: each for each in answer["lines"]}
    faults = {line: each["column"] for line, each in told.items() if each["outcome"] == "refused"}
    assert faults == {
        6: "roles",  # to oneself
        7: "roles",  # the count team deals no cards
        9: "username",  # whose account another room keeps
        10: "username",
        11: "provider",
        12: "provider",
        14: "badge",
        15: "username",
        16: "email",
        17: "roles",
        18: "permit",
        19: "licence",
        20: "permit_expires",
        21: "username",
        22: "username",
    }
    assert told[6]["why"].startswith("Nobody gives a role to themselves")
    assert "Dealer and Count team do not meet in one person" in told[7]["why"]
    # Whether somebody elsewhere exists who may not be employed is told alike.
    assert told[10]["why"] == staff(cast, "username,roles\noutsider,dealer\n")["lines"][0]["why"]
    assert told[14]["why"] == "Line 2 has this badge already."
    assert (told[13]["outcome"], told[13]["why"]) == ("alike", "Is it line 2?")
    assert told[4]["changes"] == {"roles": ["Floor", "Floor + Shift manager"]}
    assert told[5]["changes"] == {"badge": ["none", "D-1"], "permit": ["none", "WP-2"]}
    # Of a person of another room nothing is told but the user name that was typed.
    assert told[8]["changes"] == {"roles": ["none", "Dealer"]}
    assert "Rival dealer" not in str(answer)
    assert (answer["new"], answer["changed"], answer["same"], answer["alike"]) == (2, 3, 0, 1)
    assert (list(Staff.objects.values()), list(Employment.objects.values())) == before


def test_two_import_staff_who_open_without_a_password_and_every_role_has_its_entry(cast: Cast) -> None:
    imported(cast, STAFF, staff_files, line13="new")
    kim = Staff.objects.get(username="kaguilar")
    assert (kim.display_name, kim.badge, kim.email) == ("Kim Aguilar", "101", "kim@room.example")
    assert (kim.licence_number, str(kim.licence_expires)) == ("KEL-7", "2027-06-30")
    assert kim.home == cast.room and kim.must_change_password and not kim.has_usable_password()
    assert kim.added_by == cast.people["room_manager"]
    assert {each.role for each in kim.employments.all()} == {Role.DEALER, Role.FLOOR}
    assert str(WorkPermit.objects.get(staff=kim).expires) == "2027-01-31"
    lead = Employment.objects.get(staff__username="lead_2")
    assert str(lead.provider) == "Levee Players of Cache Slough"
    assert set(roles_of(cast.people["floor"], cast.room)) == {Role.FLOOR, Role.SHIFT_MANAGER}
    theirs = cast.people["rival_dealer"]
    assert roles_of(theirs, cast.room) == {Role.DEALER}
    cast.people["dealer"].refresh_from_db()
    assert cast.people["dealer"].badge == "D-1"
    signer = cast.people["compliance"].pk
    made, given = entries("account_make"), entries("role_give")
    assert [each["person"]["name"] for each in made] == ["Kim Aguilar", "Lou Firth", "Kim Aguilar"]
    assert {(each["person"]["name"], each["role"]) for each in given} == {
        ("Kim Aguilar", "dealer"),
        ("Kim Aguilar", "floor"),
        ("Lou Firth", "provider_lead"),
        ("Floor", "shift_manager"),
        ("Rival dealer", "dealer"),
    }
    assert {each["approved_by"]["id"] for each in (*made, *given, *entries("permit_set"))} == {signer}
    [whole] = entries("staff_import")
    assert (whole["new"], whole["changed"], whole["approved_by"]["id"]) == (3, 3, signer)
    assert not list(rows_verify()) and not list(chain_breaks(Room.objects.get(pk=cast.room.pk)))
    # Nothing of a person of another room is in the file that the room gets back.
    file = staff_files.kind.exported(cast.room)
    assert "rival" not in file and "kaguilar,Kim Aguilar,101" in file
    again = checked(cast, file, staff_files)
    assert [again[each] for each in ("new", "changed", "alike", "refused")] == [0, 0, 0, 0]


def test_roles_are_taken_that_a_line_leaves_out_and_kept_where_the_cell_is_empty(cast: Cast) -> None:
    cast.hire("dealer", Role.SUPPORT)
    imported(cast, "username,roles\ndealer,support\nfloor,\n", staff_files)
    assert roles_of(cast.people["dealer"], cast.room) == {Role.SUPPORT}
    assert roles_of(cast.people["floor"], cast.room) == {Role.FLOOR}
    assert [each["role"] for each in entries("role_take")] == ["dealer"]
    assert not list(rows_verify())


def test_who_signs_is_nobody_whom_a_line_is_about(cast: Cast) -> None:
    text = "username,name\ncompliance,Compliance Officer\nfloor,Floor Two\n"
    with pytest.raises(FloorError) as error:
        imported(cast, text, staff_files)
    assert (error.value.code, error.value.path) == ("approver_may_not", "approver")
    assert "line 2 is about them" in error.value.message
    given = {**asked(text), "plan": staff(cast, text)["plan"], "approver": cast.people["room_manager"]}
    with pytest.raises(FloorError) as error:
        cast.send_room(staff_files.carry_out, "room_manager", **given)
    assert error.value.code == "second_person_required"
    assert not JournalEntry.objects.filter(command="staff_import").exists()
    imported(cast, "username,permit\ncompliance,WP-9\n", staff_files)  # which takes one person by hand


def test_an_account_of_several_rooms_and_a_closed_one_are_left_to_their_pages(cast: Cast) -> None:
    cast.hire("dealer", Role.DEALER, room=cast.rival)
    Staff.objects.filter(username="floor_2").update(is_active=False)
    answer = staff(cast, "username,name,roles\ndealer,Dee,\ndealer_2,,dealer\nfloor_2,,floor + support\n")
    [several, closed] = answer["lines"]
    assert (several["column"], "works in other rooms too" in several["why"]) == ("name", True)
    assert (closed["column"], "is closed: open it again" in closed["why"]) == ("roles", True)
    assert answer["same"] == 1


def test_a_person_whose_name_looks_like_a_new_one_is_decided(cast: Cast) -> None:
    text = "username;name;badge\ndealer_b;DEALER;B-9\n"
    [line] = staff(cast, text)["lines"]
    dealer = cast.people["dealer"]
    assert (line["outcome"], line["alike"]) == ("alike", [str(dealer.pk)])
    [line] = staff(cast, text, line2=str(dealer.pk))["lines"]
    assert line["changes"] == {"name": ["Dealer", "DEALER"], "badge": ["none", "B-9"]}
    assert staff(cast, text, line2="new")["new"] == 1
    assert staff(cast, text, line2="0")["refused"] == 1


PROVIDERS = """provider,under_contract,contract,begins_on,ends_on,games,tables,opens_at,closes_at,number,name,badge_number,badge_expires
Delta Players,,,,,,,,,,,,
Delta Players,,P-12,2026-01-01,,,7 + 8,20:00,04:00,,,,
Delta Players,,,,,,,,,41,Lee Chan,TPP-1042,2027-06-30
Levee Players of Cache Slough,no,,,,,,,,,,,
levee players of cache slough,,,,,,,,,,,,
Nobody Inc,,P-1,2026-01-01,,,,,,,,,
Delta Players,,P-13,,,,,,,,,,
Delta Players,,P-14,2026-01-01,2025-01-01,,,,,,,,
Delta Players,,P-15,2026-01-01,,,9,,,,,,
Delta Players,,P-16,2026-01-01,,,,20:00,,,,,
Delta Players,,P-17,2026-01-01,,,x,,,,,,
Delta Players,,P-18,2026-01-01,,,,,,3,Cy,,
Delta Players,,P-12,2026-01-01,,,,,,,,,
Delta Players,,,,,,,,,2,Somebody Else,,
Delta Players,yes,P-19,2026-01-01,,,,,,,,,
"""


def test_providers_their_contracts_and_their_players_are_judged_and_imported(cast: Cast) -> None:
    answer = checked(cast, PROVIDERS, providers_files)
    told = {each["line"]: each for each in answer["lines"]}
    assert {line: each["column"] for line, each in told.items() if each["outcome"] == "refused"} == {
        7: "provider",
        8: "begins_on",
        9: "ends_on",
        10: "tables",
        11: "closes_at",
        12: "tables",
        13: "number",
        14: "contract",
        15: "number",
        16: "under_contract",
    }
    assert told[5]["changes"] == {"under_contract": ["yes", "no"]}
    assert told[6]["outcome"] == "alike"
    assert (answer["new"], answer["changed"]) == (3, 1)
    imported(cast, PROVIDERS, providers_files)
    delta = Provider.objects.get(name="Delta Players")
    contract = ProviderContract.objects.get()
    assert (contract.provider, contract.number, contract.tables) == (delta, "P-12", [7, 8])
    assert (str(contract.opens_at), str(contract.closes_at)) == ("20:00:00", "04:00:00")
    lee = Player.objects.get(number=41)
    assert (lee.provider, lee.badge_number, str(lee.badge_expires)) == (delta, "TPP-1042", "2027-06-30")
    assert not Provider.objects.get(name="Levee Players of Cache Slough").is_active
    [entry] = entries("contract_enter")
    assert entry["approved_by"]["id"] == cast.people["compliance"].pk
    assert not list(rows_verify())
    again = checked(cast, providers_files.kind.exported(cast.room), providers_files)
    assert [again[each] for each in ("new", "changed", "alike", "refused")] == [0, 0, 0, 0]
    # A contract that is on record never changes.
    [line] = checked(cast, "provider,contract,begins_on\nDelta Players,P-12,2026-02-01\n", providers_files)[
        "lines"
    ]
    assert (line["column"], "never changes" in line["why"]) == ("begins_on", True)


def test_what_was_left_out_is_read_again_as_it_came_back_and_no_cell_is_a_formula(cast: Cast) -> None:
    answer = checked(cast, "number,name,badge_number\n0,=SUM(A1),\n")
    assert "'=SUM(A1)" in answer["left_out"]
    again = checked(cast, answer["left_out"])
    assert (again["refused"], again["lines"][0]["column"]) == (1, "number")
    assert imported(cast, "name\n'=SUM(A1)\n")["new"] == 1
    assert Player.objects.filter(name="=SUM(A1)").exists()


def test_the_api_gives_the_file_that_an_import_reads_back(cast: Cast, client: Client) -> None:
    address = f"/api/rooms/{cast.room.pk}/staff"
    client.force_login(cast.people["floor"])
    assert client.get(f"{address}/export").status_code == 403
    client.force_login(cast.people["room_manager"])
    file = client.get(f"{address}/export").json()
    assert file["name"] == "staff-cache-slough.csv"
    headers = {"Idempotency-Key": "export-1", "If-Match": '"0"'}
    body = {key: value for key, value in asked(file["content"]).items() if key == "content"}
    answer = client.post(
        f"{address}/import/check", body, content_type="application/json", headers=headers
    ).json()
    assert (answer["same"], answer["changed"], answer["new"], answer["refused"]) == (12, 0, 0, 0)


def test_toml_has_staff_with_lists_of_roles(cast: Cast) -> None:
    toml = '[[staff]]\nusername = "kaguilar"\nname = "Kim"\nroles = ["dealer", "floor"]\nlicence = "KEL-7"\n'
    imported(cast, f"{toml}licence_expires = 2027-06-30\n", staff_files)
    assert roles_of(Staff.objects.get(username="kaguilar"), cast.room) == {Role.DEALER, Role.FLOOR}
    with pytest.raises(BadInput, match="staff is unknown here"):
        checked(cast, toml)


def test_an_import_that_finds_a_number_taken_meanwhile_is_run_once_more(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table seats a guest under the next number without the room's lock."""
    cast = closed_cast()
    given, numbers = Player.next_number, []

    def next_number(room: int) -> int:
        numbers.append(given(room))
        return numbers[-1] - (len(numbers) == 1)  # as it was before the guest sat down

    monkeypatch.setattr(Player, "next_number", staticmethod(next_number))
    imported(cast, "name\nMina Ode\nOla Ray\n")
    added = Player.objects.filter(name__in=["Mina Ode", "Ola Ray"]).order_by("number")
    assert [player.number for player in added] == [numbers[0], numbers[0] + 1] and len(numbers) == 2
    assert JournalEntry.objects.filter(command="players_import").count() == 1
    assert [*rows_verify()] == []


@pytest.mark.outside
def test_a_bad_line_in_the_middle_of_ten_thousand_is_named_and_the_others_are_one_act_or_none(
    cast: Cast,
) -> None:
    lines = [f"{number},Player {number}" for number in range(100, 10_100)]
    lines[5_000] = "5100,Play\u202eer"
    text = "number,name\n" + "\n".join(lines) + "\n"
    answer = checked(cast, text)
    assert (answer["new"], answer["refused"]) == (9_999, 1)
    [bad] = answer["lines"]
    assert (bad["line"], bad["column"], bad["text"]) == (5_002, "name", lines[5_000])
    before = Player.objects.count()
    given = {**asked(text), "plan": "0" * 64, "approver": cast.people["compliance"]}
    with pytest.raises(FloorError, match="Check it again"):
        cast.send_room(players_files.carry_out, "room_manager", **given)
    assert Player.objects.count() == before
    assert imported(cast, text)["new"] == 9_999
    assert Player.objects.count() == before + 9_999
    assert not list(rows_verify())
    with pytest.raises(BadInput, match="10,000 are read at once"):
        checked(cast, text + "20000,One More\n")
