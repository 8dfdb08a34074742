"""Tables of games that the house banks through HTTP: what is refused, and the meter."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.rooms.models import Room
from tests.cast import BANK_HAND, HANDS, PIN, PLAYERS, Cast, written
from tests.filing import free_schedule, table_settings
from tests.kept import kept

from .client import Caller
from .feed import Feed

APPROVER = {"username": "shift_manager", "pin": PIN}


@pytest.fixture
def feed(db: None) -> Feed:
    """Table 7 plays by the rules of Massachusetts, with players at seats 4 and 5."""
    return Feed(kept(_massachusetts))


def _massachusetts() -> Cast:
    cast = Cast()
    cast.open(seats=())
    Feed(cast).prepare(sheet())
    return cast


def sheet(**more: Any) -> dict[str, Any]:
    positions = [
        {
            "seat": seat,
            "player": PLAYERS[seat],
            "hand": HANDS[seat],
            "wagers": {"ante": 1000, "progressive": 100} if "meter" in more else {"ante": 1000},
            "decision": "play",
        }
        for seat in (4, 5)
    ]
    return {"rulebook": "massachusetts", "bank_hand": BANK_HAND, "positions": positions, **more}


def refused(feed: Feed, method: str, path: str, body: Any, who: str = "floor") -> tuple[int, str, str]:
    """Status, code and path of a refusal, after which nothing has changed."""
    before = written()
    reply = Caller(feed.cast, who).send(method, f"{feed.table}/{path}", body)
    assert written() == before
    return reply.status, reply.code, reply.path


def test_no_schedule_is_charged_and_no_wager_of_a_bank_taken(feed: Feed) -> None:
    settings = table_settings(feed.cast.room, rulebook="massachusetts")
    settings["schedule_id"] = free_schedule(feed.cast.room, "massachusetts").pk
    assert refused(feed, "PUT", "settings", settings) == (422, "house_banks", "schedule_id")
    given = refused(feed, "POST", "rounds", {"bank_wager_cents": 20000})
    assert given == (422, "bank_not_allowed", "bank_wager_cents")
    with_bank = sheet(bank={"seat": 3, "wager": 20000})
    assert refused(feed, "POST", "rounds/record", with_bank)[1:] == ("bank_not_allowed", "bank")
    assert feed.dealer.send("POST", f"{feed.table}/rounds", {}).status == 200
    changed = refused(feed, "PUT", "rounds/current/bank-wager", {"bank_wager_cents": 20000})
    assert changed[1] == "house_banks"


def test_nobody_is_offered_the_bank(feed: Feed) -> None:
    assert feed.state()["next"]["kind"] == "house"
    assert refused(feed, "POST", "offers", {"seat": 4, "answer": "accepted"})[1] == "no_offer_due"


def test_a_sheet_is_recorded_on_the_meter_that_stands_at_the_table(feed: Feed) -> None:
    other = refused(feed, "POST", "rounds/record", sheet(meter=123_400))
    assert other == (422, "meter_differs", "meter")
    setting = {"shown_cents": 123_400, "reserve_cents": 0, "reason": "from the old controller"}
    assert refused(feed, "PUT", "meter", setting)[1] == "missing_key"
    own = {**setting, "approver": {"username": "floor", "pin": PIN}}
    assert refused(feed, "PUT", "meter", own)[1] == "second_person_required"
    assert refused(feed, "PUT", "meter", {**setting, "approver": APPROVER}, "dealer")[:2] == (
        403,
        "forbidden",
    )
    reply = feed.floor.send("PUT", f"{feed.table}/meter", {**setting, "approver": APPROVER})
    assert (reply.status, reply.said["shown_cents"]) == (200, 123_400)
    assert feed.record(sheet(meter=123_400))["settlement"]["meter_paid"] == 0
    assert feed.dealer.send("POST", f"{feed.table}/rounds", {}).status == 200
    in_play = refused(feed, "PUT", "meter", {**setting, "approver": APPROVER})
    assert in_play[1] == "round_live"


def test_a_californian_room_sets_no_such_game(feed: Feed) -> None:
    settings = table_settings(feed.cast.room, rulebook="massachusetts")
    Room.objects.filter(pk=feed.cast.room.pk).update(jurisdiction="california")
    found = refused(feed, "PUT", "settings", settings)
    assert found == (422, "rulebook_of_another_jurisdiction", "game_id")


def test_a_table_is_linked_to_the_meter_of_another_and_unlinked(feed: Feed) -> None:
    cast = feed.cast
    other = f"tables/{cast.second_table.pk}"
    settings = table_settings(cast.room, rulebook="massachusetts")
    assert feed.floor.send("PUT", f"{other}/settings", settings).status == 200
    state = feed.floor.get(f"{feed.table}/meter").said
    assert (state["name"], state["shown_cents"], state["tables"]) == ("Table 7", 100_000, [7])
    own = feed.floor.get(f"{other}/meter").said
    assert (own["name"], own["tables"]) == ("Table 8", [8]), "it was never open"
    given = {"meter_id": state["id"], "name": "The Pit", "reason": "one jackpot", "approver": APPROVER}
    linked = feed.floor.send("POST", f"{other}/meter/link", given)
    assert (linked.status, linked.said["meter"]) == (200, state["id"])
    for table in (feed.table, other):
        meter = feed.floor.get(table).said["meter"]
        assert (meter["id"], meter["name"], meter["tables"]) == (state["id"], "The Pit", [7, 8])
    moved = feed.floor.get(f"{other}/meter/movements").said["results"]
    assert [(row["kind"], row["table"], row["shown_cents"]) for row in moved] == [
        ("opened", cast.table.pk, 100_000)
    ]
    given.pop("name")
    assert refused(feed, "POST", "meter/link", given) == (409, "meter_linked", "")
    unlinking = {"reason": "moves to another pit", "approver": APPROVER}
    assert feed.floor.send("POST", f"{other}/meter/unlink", unlinking).said["shown_cents"] == 100_000
    assert feed.floor.get(f"{other}/meter").said["tables"] == [8]
    assert feed.floor.send("POST", f"{feed.table}/meter/unlink", unlinking).code == "meter_not_linked"


def test_a_row_of_a_round_says_what_the_meter_paid(feed: Feed) -> None:
    position = {
        "seat": 4,
        "player": PLAYERS[4],
        "hand": "As Ks Qs",
        "wagers": {"ante": 1000, "progressive": 100},
        "decision": "play",
    }
    won = {"rulebook": "massachusetts", "bank_hand": "2c 4d 7h", "positions": [position], "meter": 100_000}
    feed.record(won)
    [row] = feed.floor.get(f"{feed.table}/rounds").said["results"]
    assert (row["meter_cents"], row["paid_cents"] > 100_000) == (100_000, True)


def test_a_game_without_a_progressive_has_no_meter(feed: Feed) -> None:
    other = f"tables/{feed.cast.second_table.pk}"
    none = feed.floor.get(f"{other}/meter")
    assert (none.status, none.code) == (404, "no_progressive")
    assert feed.floor.get(other).said["meter"] is None
    assert feed.floor.get(f"{other}/meter/movements").said["results"] == []
