"""Fee schedules and games filed by the API, as on the pages: drafted, checked, changed, filed and withdrawn."""

from __future__ import annotations

import base64
import datetime
from typing import Any

import pytest
from django.utils import timezone

from cardroom.filings.models import FeeSchedule
from cardroom.filings.models.documents import MOST_BYTES
from cardroom.floor.models import JournalEntry
from tests.cast import PIN, Cast, written, written_but_wrong_pins
from tests.fees.documents import OPTION_1, band, player, with_lines
from tests.games.test_approval import PAPER

from .client import Caller, Reply


@pytest.fixture
def officer(cast: Cast) -> Caller:
    return Caller(cast, "compliance")


def versions(cast: Cast) -> str:
    return f"rooms/{cast.room.pk}/schedules/versions"


SIGNS = {"username": "room_manager", "pin": PIN}


def games(cast: Cast) -> str:
    return f"rooms/{cast.room.pk}/games"


def in_days(cast: Cast, days: int) -> str:
    return str(timezone.localdate(timezone=cast.room.zone) + datetime.timedelta(days=days))


@pytest.mark.postgresql
def test_a_schedule_is_drafted_checked_changed_and_filed(cast: Cast, officer: Caller) -> None:
    gap = with_lines(player(100), band(500, 10000, 100), band(20000, None, 200))
    drafted = officer.post(versions(cast), {"number": 1, "rulebook": "california", "document": gap})
    assert drafted.status == 200, drafted.said
    one = f"{versions(cast)}/{drafted.said['schedule']}"
    read = officer.get(one).said
    assert (read["status"], read["version"], read["cliffs"]) == ("draft", 2, [])
    assert [problem["line"] for problem in read["problems"]] == [
        0,
        3,
    ]  # it is not option 1 as printed, either
    assert read["changes"]
    filing = {"effective_from": in_days(cast, 3), "state_reference": "BGC 2", "approver": SIGNS}
    refused = officer.post(f"{one}/file", filing)
    assert (refused.status, refused.code) == (422, "schedule_refused")
    assert "line 3: " in refused.said["error"]["message"]
    assert officer.send("PUT", one, {"document": OPTION_1, "title": "As before"}).status == 200
    read = officer.get(one).said
    assert (read["title"], read["problems"], read["changes"]) == ("As before", [], [])
    assert read["cliffs"] == ["$100 → $101 costs the player-dealer $1 more"]
    assert officer.post(f"{one}/file", filing).said["status"] == "filed"
    again = officer.send("PUT", one, {"document": OPTION_1})
    assert (again.status, again.code) == (409, "not_a_draft")
    listed = officer.get(versions(cast)).said
    stands = [(each["number"], each["version"], each["status"], each["in_force"]) for each in listed]
    assert stands == [(1, 2, "filed", False), (1, 1, "superseded", True), (2, 1, "filed", True)]
    commands = JournalEntry.objects.order_by("pk").values_list("command", flat=True)
    assert [command for command in commands if command.startswith("schedule_")] == [
        "schedule_draft",
        "schedule_edit",
        "schedule_file",
    ]


@pytest.mark.parametrize(("number", "wager"), [(61, "pair_plus"), (1, "six_card_bonus")])
def test_a_fee_on_a_wager_that_bears_none_is_refused_as_a_draft(
    cast: Cast, officer: Caller, number: int, wager: str
) -> None:
    charged = {"payer": "player", "per": "wager", "wager": wager, "fee_cents": 50}
    document = {**OPTION_1, "lines": [*OPTION_1["lines"], charged]}
    refused = officer.post(versions(cast), {"number": number, "rulebook": "california", "document": document})
    assert (refused.status, refused.code) == (422, "schedule_refused")
    assert refused.said["error"]["path"] == "document"
    assert "california:fees.4" in refused.said["error"]["message"]


@pytest.mark.postgresql
def test_a_game_is_drafted_filed_set_at_a_table_and_withdrawn(cast: Cast, officer: Caller) -> None:
    fields = {"number": 1, "rulebook": "california", "options": {"coverage": "net"}}
    game = officer.post(games(cast), fields).said["game"]
    bad = officer.send("PUT", f"{games(cast)}/{game}", {"options": {"coverage": "half"}})
    assert (bad.status, bad.code, bad.said["error"]["path"]) == (422, "bad_option", "options.coverage")
    filing = {"effective_from": in_days(cast, -1), "state_reference": "GEGA-1", "approver": SIGNS}
    assert officer.post(f"{games(cast)}/{game}/file", filing).said["status"] == "filed"
    assert officer.get(f"{games(cast)}/{game}").said["in_force"] is True
    table = f"tables/{cast.table.pk}"
    floor = Caller(cast, "floor")
    settings = {"game_id": game, "schedule_id": cast.schedule(1).pk}
    assert floor.send("PUT", f"{table}/settings", settings).status == 200
    state = floor.get(table).said
    assert (state["game"]["id"], state["options"]) == (game, {"coverage": "net"})
    withdrawn = officer.post(
        f"{games(cast)}/{game}/withdraw", {"reason": "no longer offered", "approver": SIGNS}
    )
    assert withdrawn.said["status"] == "withdrawn"
    assert officer.get(f"{games(cast)}/{game}").said["effective_to"] == in_days(cast, 1)


def test_a_game_is_read_with_its_approval_its_document_and_the_whole(cast: Cast, officer: Caller) -> None:
    paper = {name: value for name, value in PAPER.items() if name != "sources"}
    fields = {"number": 1, "rulebook": "california", "options": {"approval": paper}}
    one = f"{games(cast)}/{officer.post(games(cast), fields).said['game']}"
    read = officer.get(one).said
    assert read["approval"] == {
        "number": "GEGR-004861",
        "title": "Three Card Poker",
        "date": "2026-10-14",
        "based_on": "california",
        "differences": ["seats", "wagers.six_card_bonus.offered", "pair_plus_tables"],
        "without_clause": ["seats", "wagers.six_card_bonus.offered", "pair_plus_tables"],
    }
    whole = {each["key"]: each for each in read["whole"]}
    assert whole["seats"] == {
        "key": "seats", "label": "Seats", "group": "Table and seats", "before": 7, "now": 8, "clause": "", "differs": True,
    }  # fmt: skip
    assert (whole["bank.qualifies"]["clause"], whole["bank.qualifies"]["differs"]) == (
        "california:dealing.13.2, ruling 2", False,
    )  # fmt: skip
    assert whole["pair_plus_tables"]["before"]["flush"] == "3:1"
    filing = {"effective_from": in_days(cast, 1), "state_reference": "GEGR-004861", "approver": SIGNS}
    refused = officer.post(f"{one}/file", filing)
    assert (refused.code, refused.said["error"]["path"]) == (
        "clause_missing",
        "options.approval.sources.seats",
    )
    assert officer.send("PUT", one, {"options": {"approval": PAPER}}).status == 200
    assert officer.post(f"{one}/file", filing).said["status"] == "filed"
    assert officer.get(one).said["approval"]["without_clause"] == []


def test_a_document_has_one_limit_and_the_refusals_say_it(cast: Cast, officer: Caller) -> None:
    """In Base64 a document of the limit is larger than any other body may be."""
    one = f"{games(cast)}/{officer.post(games(cast), {'number': 4, 'rulebook': 'california'}).said['game']}"

    def attached(size: int) -> Reply:
        pdf = b"%PDF-1.7" + b"0" * (size - 13) + b"%%EOF"
        content = base64.b64encode(pdf).decode()
        return officer.send("PUT", f"{one}/document", {"name": "a.pdf", "content": content})

    assert attached(MOST_BYTES).status == 200
    for over, status, path in ((1, 422, "content"), (3, 400, "content"), (2_000_000, 413, "")):
        refused = attached(MOST_BYTES + over)
        assert (refused.status, refused.said["error"]["path"]) == (status, path)
        assert "10,000,000" in refused.said["error"]["message"]


def test_a_document_is_attached_read_and_taken_off_and_a_filed_version_keeps_its_own(
    cast: Cast, officer: Caller
) -> None:
    one = f"{games(cast)}/{officer.post(games(cast), {'number': 4, 'rulebook': 'california'}).said['game']}"
    content = base64.b64encode(b"%PDF-1.7 x %%EOF").decode()
    assert officer.get(f"{one}/document").code == "no_document"
    for given, code in ((content[:-3], "bad_base64"), ("aGVsbG8=", "not_a_pdf")):
        refused = officer.send("PUT", f"{one}/document", {"name": "a.pdf", "content": given})
        assert (refused.status, refused.code, refused.said["error"]["path"]) == (422, code, "content")
    attached = officer.send("PUT", f"{one}/document", {"name": "a.pdf", "content": content})
    assert attached.status == 200, attached.said
    read = officer.get(f"{one}/document").said
    assert read == {"name": "a.pdf", "sha256": attached.said["sha256"], "size": 16, "content": content}
    assert officer.get(one).said["document"] == {name: read[name] for name in ("name", "sha256", "size")}
    assert Caller(cast, "outsider").get(f"{one}/document").status == 404
    assert officer.delete(f"{one}/document").said["sha256"] == ""
    assert officer.get(one).said["document"] is None
    filed = f"{games(cast)}/{cast.game.pk}"
    assert (
        officer.send("PUT", f"{filed}/document", {"name": "a.pdf", "content": content}).code == "not_a_draft"
    )
    assert officer.delete(f"{filed}/document").code == "not_a_draft"


@pytest.mark.postgresql
def test_a_draft_is_discarded_and_a_filed_version_never(cast: Cast, officer: Caller) -> None:
    drafted = officer.post(versions(cast), {"number": 9, "rulebook": "california", "document": OPTION_1})
    one = f"{versions(cast)}/{drafted.said['schedule']}"
    assert officer.delete(one).said["schedule"] == drafted.said["schedule"]
    assert (officer.get(one).status, officer.delete(one).status) == (404, 404)
    filed = officer.delete(f"{versions(cast)}/{cast.schedule(1).pk}")
    assert (filed.status, filed.code) == (409, "not_a_draft")
    game = officer.post(games(cast), {"number": 4, "rulebook": "california"}).said["game"]
    assert officer.delete(f"{games(cast)}/{game}").status == 200
    assert officer.delete(f"{games(cast)}/{cast.game.pk}").code == "not_a_draft"
    commands = JournalEntry.objects.filter(command__in=("schedule_discard", "game_discard")).order_by("pk")
    assert [entry.data["number"] for entry in commands] == [9, 4]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"number": 0}, 400, "out_of_range"),
        ({"number": 5000}, 422, "bad_number"),
        ({"rulebook": "nevada"}, 422, "unknown_rulebook"),
        ({"document": []}, 400, "wrong_type"),
        ({"effective_from": "soon"}, 400, "wrong_type"),
        ({"fee": 5}, 400, "unknown_key"),
        ({"number": 1, "state_reference": "x" * 81}, 400, "too_long"),
    ],
)
def test_what_is_no_draft_is_refused_and_nothing_is_written(
    change: dict[str, object], status: int, code: str, cast: Cast, officer: Caller
) -> None:
    before = written(), FeeSchedule.objects.count()
    body = {"number": 9, "rulebook": "california", "document": OPTION_1, **change}
    reply = officer.post(versions(cast), body)
    assert (reply.status, reply.code) == (status, code), reply.said
    assert (written(), FeeSchedule.objects.count()) == before


def test_a_draft_is_there_for_those_alone_who_file(cast: Cast, officer: Caller) -> None:
    body = {"number": 9, "rulebook": "california", "document": {}}
    one = f"{versions(cast)}/{officer.post(versions(cast), body).said['schedule']}"
    assert Caller(cast, "inspector").get(one).status == 404
    assert len(Caller(cast, "inspector").get(versions(cast)).said) == 2
    there = cast.schedule(1, cast.rival).pk
    assert officer.get(f"{versions(cast)}/{there}").status == 404
    assert (
        officer.post(f"{versions(cast)}/{there}/withdraw", {"reason": "x", "approver": SIGNS}).status == 404
    )


@pytest.mark.parametrize(
    "refusal",
    [
        (None, 400, "missing_key"),
        ({"username": "compliance", "pin": PIN}, 403, "second_person_required"),
        ({"username": "room_manager", "pin": "99999"}, 403, "approver_not_known"),
        ({"username": "shift_manager", "pin": PIN}, 403, "approver_may_not"),
        ({"username": "rival_room_manager", "pin": PIN}, 403, "approver_not_known"),
    ],
)
@pytest.mark.parametrize("command", ["file", "withdraw"])
@pytest.mark.parametrize("what", ["game", "schedule"])
def test_what_is_filed_changes_with_a_second_persons_signature_alone(
    what: str, command: str, refusal: tuple[dict[str, str] | None, int, str], cast: Cast, officer: Caller
) -> None:
    signs, status, code = refusal
    series = games(cast) if what == "game" else versions(cast)
    one = cast.game.pk if what == "game" else cast.schedule(1).pk
    if command == "file":
        fields = {"options": {}} if what == "game" else {"document": OPTION_1}
        one = officer.post(series, {"number": 7, "rulebook": "california", **fields}).said[what]
    body: dict[str, Any] = {"effective_from": in_days(cast, 3), "state_reference": "S"}
    body = (body if command == "file" else {"reason": "x"}) | ({"approver": signs} if signs else {})
    before = written_but_wrong_pins()
    reply = officer.post(f"{series}/{one}/{command}", body)
    assert (reply.status, reply.code) == (status, code)
    assert written_but_wrong_pins() == before
    signed = officer.post(f"{series}/{one}/{command}", {**body, "approver": SIGNS})
    assert signed.status == 200, signed.said
    entry = JournalEntry.objects.latest("pk")
    assert entry.command == f"{what}_{command}"
    assert entry.data["approved_by"]["name"] == str(cast.people["room_manager"])
