"""The journal of a room as a feed: each entry once, none left out, whatever is committed meanwhile."""

from __future__ import annotations

import datetime
import hashlib
import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from cardroom.floor.commands.players import player_add
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.reads.feed import MARK_LENGTH, Place, feed_read, position_text
from cardroom.people.models import Role
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.measure.growth.entries import entries_put_in
from tests.measure.growth.pages import found_by, read_of_tables

from .client import Caller
from .programs import calling, make_program

pytestmark = pytest.mark.django_db


def _reader(cast: Cast) -> Caller:
    return calling(cast, make_program(cast, "see_reports", name="Feed")["token"])


def _feed(cast: Cast) -> str:
    return f"rooms/{cast.room.pk}/feed"


def read_all(caller: Caller, path: str, *, limit: int = 7) -> tuple[list[dict[str, Any]], str]:
    """Read a feed to its end, page by page; return its entries and the last position."""
    found: list[dict[str, Any]] = []
    reply = caller.get(f"{path}?limit={limit}").said
    while True:
        found += reply["results"]
        if not reply["more"]:
            return found, reply["position"]
        reply = caller.get(reply["next"].removeprefix("/api/")).said


def names(entries: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(each["chain"], each["seq"]) for each in entries]


def checked(entries: list[dict[str, Any]]) -> dict[str, str]:
    """Check the chains of a feed as docs/programs.md says; return the hash that each ends with."""
    heads: dict[str, str] = {}
    for entry in entries:
        covered = {key: value for key, value in entry.items() if key != "hash"}
        text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert entry["previous"] == heads.get(entry["chain"], ""), names([entry])
        assert hashlib.sha256(text.encode()).hexdigest() == entry["hash"], names([entry])
        heads[entry["chain"]] = entry["hash"]
    return heads


def test_every_entry_comes_once_in_the_order_of_its_chain_and_proves_itself(running: Cast) -> None:
    running.play({4: 1000})
    reader = _reader(running)
    found, position = read_all(reader, _feed(running))
    there = JournalEntry.objects.filter(room=running.room)
    assert sorted(names(found)) == sorted(there.values_list("chain", "seq"))
    assert len(found) > 14
    end = reader.get(f"{_feed(running)}?after={position}").said
    assert (end["results"], end["more"], end["position"]) == ([], False, position)
    assert {each["chain"]: each["hash"] for each in end["heads"] if each["seq"]} == checked(found)
    assert [each["at"] for each in found] == sorted(each["at"] for each in found)


def test_what_is_written_after_a_position_comes_next_and_nothing_twice(running: Cast) -> None:
    reader = _reader(running)
    found, position = read_all(reader, _feed(running))
    running.play({4: 1000})
    running.send_room(player_add, "floor", name="Lou")
    after = reader.get(f"{_feed(running)}?after={position}&limit=200").said["results"]
    assert {each["command"] for each in after} >= {"round_settle", "player_add"}
    assert not set(names(found)) & set(names(after))
    checked(found + after)


def test_an_entry_whose_instant_is_earlier_but_that_is_committed_later_is_not_skipped(running: Cast) -> None:
    """Table 8 commits what it began before table 7's entry, which was read already: a cursor of instants or ids would pass it."""
    reader = _reader(running)
    position = reader.get(f"{_feed(running)}?after=latest").said["position"]
    running.play({4: 1000})
    read = reader.get(f"{_feed(running)}?after={position}&limit=200").said
    last = max(each["at"] for each in read["results"])
    late = _late_entry(running, last)
    after = reader.get(f"{_feed(running)}?after={read['position']}").said["results"]
    assert names(after) == [late]
    assert after[0]["at"] < last


def _late_entry(cast: Cast, before: str) -> tuple[str, int]:
    at = datetime.datetime.fromisoformat(before) - datetime.timedelta(minutes=1)
    with locked(Table, cast.second_table.pk, "room") as table:
        TableTransaction(table=table, actor=cast.people["floor"], now=at).journal("note", {})
        return f"table:{table.pk}", table.chain_seq


def test_latest_begins_at_the_end(running: Cast) -> None:
    reply = _reader(running).get(f"{_feed(running)}?after=latest").said
    assert (reply["results"], reply["more"]) == ([], False)


@pytest.mark.parametrize(
    ("after", "code"),
    [
        ("x", "bad_position"),
        ("1~0.5", "bad_position"),
        ("1~0.5.zzzzzzzz", "bad_position"),
        ("1~0.05.00000000", "bad_position"),
        ("1~0.5.00000000~0.6.00000000", "bad_position"),
        ("99999999", "position_of_other_room"),
    ],
)
def test_what_is_no_position_of_the_room_is_refused_and_says_what_to_send(
    cast: Cast, after: str, code: str
) -> None:
    reply = _reader(cast).get(f"{_feed(cast)}?after={after}")
    assert (reply.status, reply.code, reply.path) == (400, code, "after")


def test_after_a_restore_a_position_is_gone_and_the_chain_is_named(running: Cast) -> None:
    reader = _reader(running)
    room, chain = running.room.pk, f"table:{running.table.pk}"
    table = Table.objects.get(pk=running.table.pk)
    # As if an entry more had been read than was restored; or another one in its place.
    for seq, mark in ((table.chain_seq + 1, table.chain_hash[:8]), (table.chain_seq, "0" * 8)):
        reply = reader.get(f"{_feed(running)}?after={room}~{table.pk}.{seq}.{mark}")
        assert (reply.status, reply.code) == (410, "position_gone")
        assert (reply.said["chain"], reply.said["seq"]) == (chain, seq)


def test_a_position_tells_nothing_of_another_room(running: Cast) -> None:
    rival = Table.objects.get(pk=running.rival_table.pk)
    reply = _reader(running).get(f"{_feed(running)}?after={running.room.pk}~{rival.pk}.1.{'0' * 8}")
    assert (reply.status, reply.code) == (410, "position_gone")
    with_own = feed_read(running.room, None, 200)
    assert {each["room"] for each in with_own.entries} == {running.room.pk}


def test_people_read_it_with_the_right_of_reports_and_names_of_players_are_not_in_it(running: Cast) -> None:
    running.play({4: 1000})
    for role in Role:
        status = Caller(running, str(role)).get(f"{_feed(running)}?limit=1").status
        assert status == (200 if role in RIGHTS[Right.SEE_REPORTS] else 403)
    said = json.dumps(Caller(running, "inspector").get(f"{_feed(running)}?limit=200").said)
    assert not [player.name for player in running.players.values() if f'"{player.name}"' in said]


def test_a_page_asks_a_few_queries_however_long_the_journal(
    running: Cast, django_assert_max_num_queries: Any
) -> None:
    for _ in range(2):
        running.play({4: 1000})
    room = Room.objects.get(pk=running.room.pk)
    page = feed_read(room, None, 50)
    with django_assert_max_num_queries(7):  # heads, marks, a chain that has more each, the entries
        feed_read(room, page.position, 20)


def test_one_busy_chain_among_quiet_ones_is_read_to_the_end_of_the_page(running: Cast) -> None:
    """What a chain gives beyond the first piece that is read of it comes too, in its order and with its instants among the others'."""
    for _ in range(2):
        running.play({4: 1000})
    running.send_room(player_add, "floor", name="Lou")
    last = max(feed_read(running.room, None, 200).entries, key=lambda each: each["at"])["at"]
    _late_entry(running, last)
    room = Room.objects.get(pk=running.room.pk)
    there = JournalEntry.objects.filter(room=room).order_by("at", "pk")
    assert there.filter(table=running.table).count() > 20
    page = feed_read(room, None, 200)
    assert [(each["chain"], each["seq"]) for each in page.entries] == list(there.values_list("chain", "seq"))
    assert not page.more
    shorter = feed_read(room, None, 20)
    assert (shorter.entries, shorter.more) == (page.entries[:20], True)


def test_a_chain_that_ends_below_its_head_is_read_as_far_as_it_goes(running: Cast) -> None:
    """As if entries at the end had been deleted past the triggers: `verify` names them, and the feed comes to an end."""
    running.play({4: 1000})
    there = list(feed_read(running.room, None, 200).entries)
    Table.objects.filter(pk=running.table.pk).update(chain_seq=F("chain_seq") + 5)
    page = feed_read(running.room, None, 200)
    assert (page.entries, page.more) == (there, False)


@pytest.mark.postgresql
def test_a_page_reads_by_the_index_of_chains_and_not_much_more_than_it_shows(running: Cast) -> None:
    """Of a room with twenty tables and a long journal beside another room's: the first page, one in the middle, and the last."""
    if connection.vendor != "postgresql":
        pytest.skip("its plans are measured on PostgreSQL")
    running.play({4: 1000})
    for room in (running.room, running.rival):
        Table.objects.bulk_create(Table(room=room, number=number) for number in range(100, 118))
        tables = list(Table.objects.filter(room=room))
        entries_put_in(Room.objects.get(pk=room.pk), tables, 20_000, like=running.table)
    room = Room.objects.get(pk=running.room.pk)
    places = {table.pk: (table.chain_seq, f"table:{table.pk}") for table in Table.objects.filter(room=room)}
    places[0] = room.chain_seq, f"room:{room.pk}"
    for left in (None, 500, 4):
        position = position_text(
            room,
            {
                table: Place(
                    head - left, JournalEntry.objects.get(chain=chain, seq=head - left).hash[:MARK_LENGTH]
                )
                for table, (head, chain) in places.items()
                if left is not None
            },
        )
        with CaptureQueriesContext(connection) as captured:
            page = feed_read(room, None if left is None else position, 200)
        asked = [query["sql"] for query in captured.captured_queries if "floor_journalentry" in query["sql"]]
        assert len(page.entries) == (200 if left != 4 else 4 * len(places))
        assert set().union(*map(found_by, asked)) <= {
            "one_entry_at_a_place_of_a_chain",
            "floor_journalentry_pkey",
        }
        # Marks of each chain, the keys that are merged, and the entries themselves.
        read = sum(read_of_tables(query)["floor_journalentry"] for query in asked)
        assert read <= len(places) + 3.5 * 200, (left, read)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_commits_late_is_read_and_a_cursor_of_ids_would_have_passed_it(
    running: Cast,
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip(
            "SQLite has one writer at a time: nothing is committed in another order than it was written"
        )
    room = Room.objects.get(pk=running.room.pk)
    position = feed_read(room, "latest", 1).position
    written, go_on = threading.Event(), threading.Event()

    def note(table_id: int, *, wait: bool) -> None:
        try:
            with locked(Table, table_id, "room") as table:
                now = datetime.datetime.now(datetime.UTC)
                TableTransaction(table=table, actor=running.people["floor"], now=now).journal("note", {})
                if wait:
                    written.set()
                    assert go_on.wait(30)
        finally:
            connection.close()

    slow = threading.Thread(target=note, args=(running.table.pk,), kwargs={"wait": True})
    slow.start()
    assert written.wait(30)
    fast = threading.Thread(target=note, args=(running.second_table.pk,), kwargs={"wait": False})
    fast.start()
    fast.join()
    first = feed_read(room, position, 100)
    go_on.set()
    slow.join()
    second = feed_read(room, first.position, 100)
    assert [each["table"] for each in first.entries] == [running.second_table.pk]
    assert [each["table"] for each in second.entries] == [running.table.pk]
    # The control: what was read later has the smaller id and the earlier instant.
    late, early = (
        JournalEntry.objects.get(chain=page.entries[0]["chain"], seq=page.entries[0]["seq"])
        for page in (second, first)
    )
    assert late.pk < early.pk
    assert late.at < early.at
