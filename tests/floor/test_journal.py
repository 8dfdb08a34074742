"""The journal's chain: complete, and broken by any edit, deletion, reordering or cut-off tail."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.core.row_digests import rows_gathered
from cardroom.core.triggers import triggers_lifted
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.rounds import round_open, round_record, round_void
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.errors import FloorError
from cardroom.floor.journal import Head, chain_breaks, journal_append
from cardroom.floor.models import JournalEntry, Table
from cardroom.rooms.models import Room
from tests.cast import Cast, running_cast, sheet
from tests.kept import kept
from tests.verify.world import checks_off, constraints_dropped

pytestmark = pytest.mark.postgresql


@pytest.fixture
def running(db: None) -> Cast:
    """A table with a round that was settled, one that was void, and a bank that went home."""
    return kept(_played)


def _played() -> Cast:
    cast = running_cast()
    cast.play({4: 1000})
    cast.deal({4: 1000})
    cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
    cast.send(turn_end, reason="going home")
    return cast


@pytest.fixture
def table(running: Cast) -> Table:
    return Table.objects.get(pk=running.table.pk)


def tamper(sql: str) -> None:
    """Change the journal behind the back of the triggers, as somebody with the database's password could."""
    with triggers_lifted(connection), connection.cursor() as cursor:
        cursor.execute(sql)


def whats(table: Table, noted: list[Head] | None = None) -> list[str]:
    return [f"{found.seq}: {found.what}" for found in chain_breaks(Table.objects.get(pk=table.pk), noted)]


def test_an_untouched_chain_holds(table: Table, running: Cast) -> None:
    assert whats(table) == []
    assert list(chain_breaks(Room.objects.get(pk=running.room.pk))) == []


def test_every_command_is_written_with_who_when_and_what(table: Table, running: Cast) -> None:
    commands = list(JournalEntry.objects.filter(table=table).values_list("command", flat=True))
    assert commands[:3] == ["table_set", "table_open", "down_start"]
    assert commands[-6:] == ["round_open", "bets_place", "bets_close", "round_deal", "round_void", "turn_end"]
    void = JournalEntry.objects.get(command="round_void")
    assert (void.actor, void.roles, void.reason) == (running.people["dealer"], "dealer", "device failure")
    assert void.data["approved_by"]["id"] == running.people["shift_manager"].pk


def test_the_head_and_the_version_are_written_together(table: Table, running: Cast) -> None:
    with CaptureQueriesContext(connection) as asked:
        running.send(player_leave, seat=4)
    written = [each["sql"] for each in asked if each["sql"].startswith('UPDATE "floor_table"')]
    assert len(written) == 1
    assert all(column in written[0] for column in ('"chain_seq"', '"chain_hash"', '"version"'))
    after = Table.objects.get(pk=table.pk)
    assert (after.version, after.chain_seq) == (table.version + 1, table.chain_seq + 1)
    assert whats(table) == []


def test_a_whole_sheet_writes_its_entries_together_and_the_head_once(db: None) -> None:
    cast = kept(running_cast)
    before = Table.objects.get(pk=cast.table.pk)
    with CaptureQueriesContext(connection) as asked:
        cast.send(round_record, sheet=sheet({4: 1000, 5: 1000}))
    written = [" ".join(each["sql"].split()[:3]) for each in asked]
    assert written.count('INSERT INTO "floor_journalentry"') == 1
    assert [line.split()[:2] for line in written].count(["UPDATE", '"floor_table"']) == 1
    after = Table.objects.get(pk=before.pk)
    assert (after.version, after.chain_seq) == (before.version + 1, before.chain_seq + 5)
    assert whats(after) == []


def test_a_command_that_is_refused_leaves_head_and_version(table: Table, running: Cast) -> None:
    with pytest.raises(FloorError):
        running.send(round_open, bank_wager_cents=20_000)
    after = Table.objects.get(pk=table.pk)
    assert (after.version, after.chain_seq, after.chain_hash) == (
        table.version,
        table.chain_seq,
        table.chain_hash,
    )


def test_an_edited_entry_shows(table: Table) -> None:
    tamper("UPDATE floor_journalentry SET reason = 'nothing' WHERE command = 'round_void'")
    assert [line.split(": ")[1] for line in whats(table)] == ["does not follow from the entry before it"]


def test_a_deleted_entry_shows(table: Table) -> None:
    gone = JournalEntry.objects.get(command="round_void").seq
    tamper("DELETE FROM floor_journalentry WHERE command = 'round_void'")
    found = [(each.chain, each.seq, each.what) for each in chain_breaks(Table.objects.get(pk=table.pk))]
    chain, after = f"table:{table.pk}", gone + 1
    assert found == [
        (chain, after, f"entries {gone} to {gone} are missing"),
        (chain, after, "does not follow from the entry before it: one of them was changed"),
    ]


def test_two_entries_put_in_each_others_place_show(table: Table) -> None:
    seq = table.chain_seq
    for before, after in ((seq, 10_000), (seq - 1, seq), (10_000, seq - 1)):
        tamper(
            f"UPDATE floor_journalentry SET seq = {after} WHERE chain = 'table:{table.pk}' AND seq = {before}"
        )
    assert any("does not follow" in line for line in whats(table))


def test_a_cut_off_tail_shows_by_the_tables_head(table: Table) -> None:
    tamper(f"DELETE FROM floor_journalentry WHERE chain = 'table:{table.pk}' AND seq = {table.chain_seq}")
    assert any(f"its head is at entry {table.chain_seq}" in line for line in whats(table))


def test_a_tail_cut_off_together_with_its_head_shows_by_the_printed_head(table: Table) -> None:
    printed = Head(f"table:{table.pk}", table.chain_seq, table.chain_hash)
    last_but_one = JournalEntry.objects.get(table=table, seq=table.chain_seq - 1)
    tamper(f"DELETE FROM floor_journalentry WHERE chain = 'table:{table.pk}' AND seq = {table.chain_seq}")
    Table.objects.filter(pk=table.pk).update(chain_seq=last_but_one.seq, chain_hash=last_but_one.hash)
    assert whats(table) == []
    assert any("is named as a head by a report" in line for line in whats(table, [printed]))


def test_a_printed_head_that_the_chain_never_reached_is_named_by_its_number(table: Table) -> None:
    chain, beyond = f"table:{table.pk}", table.chain_seq + 5
    found = list(chain_breaks(Table.objects.get(pk=table.pk), [Head(chain, beyond, "0" * 64)]))
    assert [(each.chain, each.seq) for each in found] == [(chain, beyond)]
    assert "does not reach it" in found[0].what


def test_an_earlier_end_that_the_chain_does_not_have_is_named_by_its_number(table: Table) -> None:
    since = Head(f"table:{table.pk}", 3, "0" * 64)
    found = next(iter(chain_breaks(Table.objects.get(pk=table.pk), since=since)))
    assert (found.chain, found.seq) == (since.chain, 3)
    assert "when the chain was last verified" in found.what


def test_an_entry_that_cannot_be_read_ends_the_walk_before_it(table: Table) -> None:
    if connection.vendor == "postgresql":
        pytest.skip("PostgreSQL takes no text that is no instant")
    with checks_off(), connection.cursor() as cursor:
        constraints_dropped(JournalEntry)
        cursor.execute(
            "UPDATE floor_journalentry SET at = '2026-99-99 00:00:00' WHERE command = 'round_void'"
        )
        [line] = whats(table)
    # Entries are read many at a time: the number is that of the first one that was not walked.
    assert line.startswith("1: or one after it cannot be read, and none of them was walked: ")


def test_progress_tells_of_every_entry_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.floor.journal.CHUNK", 5)
    walked: list[int] = []
    assert list(chain_breaks(Table.objects.get(pk=table.pk), on_progress=walked.append)) == []
    chunks, rest = divmod(table.chain_seq, 5)
    assert chunks > 1
    assert walked == [5] * chunks + [rest]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_written_outside_the_transaction_of_its_command() -> None:
    cast = Cast()
    with pytest.raises(RuntimeError, match="inside the transaction"):
        journal_append(holder=cast.table, actor=cast.people["floor"], at=None, command="nothing")  # type: ignore[arg-type]


def test_entries_are_stored_as_they_are_whatever_their_text_holds(table: Table, running: Cast) -> None:
    text = 'Ünï "quoted" \\ back\\\\slash %s {curly} \t tab\n new line 🂡 \u2028'
    data: dict[str, Any] = {"said": [text, None, True, 1.5, 10**15, {}], text: ""}
    with transaction.atomic(), rows_gathered():
        journal_append(
            holder=table,
            actor=running.people["floor"],
            at=timezone.now(),
            command="table_set",
            data=data,
            reason=text,
        )
    stored = JournalEntry.objects.filter(table=table).latest("seq")
    assert (stored.data, stored.reason) == (data, text)
    assert whats(table) == []
