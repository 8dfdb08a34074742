"""`manage.py verify`: what somebody with the keys of the database has changed shows."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from cardroom.config.databases import format_database
from cardroom.core.dates import utc_text
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tray import buy_in
from cardroom.floor.journal import entry_hash
from cardroom.floor.models import JournalEntry, Round, Table
from cardroom.reports.models import ShiftReport
from cardroom.rooms.models import Room
from tests.cast import JACK_HIGH, Cast, house_cast
from tests.floor.test_corrections import as_recorded, correct
from tests.kept import kept

from ..commands import as_superuser, report


def verify(*heads: str) -> tuple[int, str]:
    """Run the command, with heads from paper; return its exit status and what it printed."""
    out = io.StringIO()
    try:
        call_command("verify", head=list(heads), stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def reported(db: None) -> Cast:
    """A room with a reported shift of three rounds, and a round in the one that is open now."""
    return kept(_reported)


def _reported() -> Cast:
    cast = Cast().running()
    cast.play({4: 1000})
    cast.play({1: 3000, 4: 1000, 5: 5000}, wager=15000)
    cast.bank_to(5)
    cast.play({4: 1000})
    report(cast)
    cast.send_room(shift_open, name="Graveyard")
    cast.play({4: 1000})
    return cast


def chain(cast: Cast) -> str:
    return f"table:{cast.table.pk}"


def seq_of(cast: Cast, command: str) -> int:
    return JournalEntry.objects.filter(chain=chain(cast), command=command).earliest("seq").seq


def test_an_honest_site_holds(reported: Cast) -> None:
    entries, last = JournalEntry.objects.count(), JournalEntry.objects.latest("pk")
    status, out = verify()
    assert status == 0
    assert out == (
        f"Verifying the {format_database(connection)}.\n"
        f"The journal's last entry is of {utc_text(last.at.replace(microsecond=0))}; without --head or --against nothing says "
        "whether there were later ones.\n"
        f"5 chains with {entries} entries walked, 256 rows compared with them, 4 rounds settled and charged again, "
        "1 shift reports added up again: all holds.\n"
    )


def test_it_says_how_far_it_has_come_when_asked(reported: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.reports.management.commands.verify._TICK", 0.0)
    out = io.StringIO()
    call_command("verify", progress=True, stdout=io.StringIO(), stderr=out)
    entries = JournalEntry.objects.count()
    said = out.getvalue().splitlines()
    for line in (
        f"{entries} of {entries} entries of the journal",
        "1 of 1 shift reports added up again",
    ):
        assert line in said


def test_slips_of_trays_are_counted_among_what_holds(db: None) -> None:
    cast = house_cast("massachusetts")
    cast.send(buy_in, seat=4, cents=2000)
    status, out = verify()
    said = "1 slips of trays added up, 1 movements of meters followed: all holds."
    assert (status, said in out) == (0, True)


def test_an_edited_entry_is_found(reported: Cast) -> None:
    seq = seq_of(reported, "round_settle")
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE floor_journalentry SET reason = 'x' WHERE chain = %s AND seq = %s",
            [chain(reported), seq],
        )
    status, out = verify()
    assert status == 1
    assert f"BREAK  {chain(reported)}: entry {seq} does not follow from the entry before it" in out
    assert "1 breaks." in out


def hash_before(entry: JournalEntry) -> str:
    return JournalEntry.objects.get(chain=entry.chain, seq=entry.seq - 1).hash


def test_an_edited_entry_with_a_new_hash_is_found_at_the_next_one(reported: Cast) -> None:
    seq = seq_of(reported, "round_settle")
    entry = JournalEntry.objects.get(chain=chain(reported), seq=seq)
    entry.reason = "x"
    with as_superuser() as cursor:
        cursor.execute(
            "UPDATE floor_journalentry SET reason = 'x', hash = %s WHERE id = %s",
            [entry_hash(entry, hash_before(entry)), entry.pk],
        )
    status, out = verify()
    assert status == 1
    assert f"entry {seq + 1} does not follow from the entry before it" in out


def test_a_deleted_entry_is_found(reported: Cast) -> None:
    seq = seq_of(reported, "round_settle")
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM floor_journalentry WHERE chain = %s AND seq = %s", [chain(reported), seq])
    status, out = verify()
    assert status == 1
    assert f"entries {seq} to {seq} are missing" in out


def test_two_entries_that_changed_places_are_found(reported: Cast) -> None:
    seq = seq_of(reported, "round_settle")
    with as_superuser() as cursor:
        for before, after in ((seq, 10_000), (seq + 1, seq), (10_000, seq + 1)):
            cursor.execute(
                "UPDATE floor_journalentry SET seq = %s WHERE chain = %s AND seq = %s",
                [after, chain(reported), before],
            )
    status, out = verify()
    assert status == 1
    assert f"entry {seq} does not follow from the entry before it" in out
    assert f"entry {seq + 1} does not follow from the entry before it" in out


def test_a_tail_that_was_cut_off_is_found(reported: Cast) -> None:
    head = Table.objects.get(pk=reported.table.pk).chain_seq
    with as_superuser() as cursor:
        cursor.execute(
            "DELETE FROM floor_journalentry WHERE chain = %s AND seq > %s", [chain(reported), head - 2]
        )
    status, out = verify()
    assert status == 1
    assert f"the chain ends at entry {head - 2}, but its head is at entry {head}" in out


def cut_to(cast: Cast, seq: int) -> None:
    """Cut a chain off and put its head where the rest ends: sound in itself."""
    last = JournalEntry.objects.get(chain=chain(cast), seq=seq)
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM floor_journalentry WHERE chain = %s AND seq > %s", [chain(cast), seq])
    Table.objects.filter(pk=cast.table.pk).update(chain_seq=last.seq, chain_hash=last.hash)


def test_a_tail_cut_off_together_with_its_head_is_found_by_the_shift_report(reported: Cast) -> None:
    noted = next(head for head in ShiftReport.objects.get().chain_heads if head.chain == chain(reported))
    cut_to(reported, noted.seq - 1)
    status, out = verify()
    assert status == 1
    assert (
        f"entry {noted.seq} is named as a head by a report, a checkpoint or a printout, but the chain does not reach it"
        in out
    )


def test_a_chain_written_anew_is_found_by_the_shift_report(reported: Cast) -> None:
    seq = seq_of(reported, "round_settle")
    previous = ""
    with as_superuser() as cursor:
        for entry in JournalEntry.objects.filter(chain=chain(reported)).order_by("seq"):
            entry.reason = "x" if entry.seq == seq else entry.reason
            previous = entry_hash(entry, previous)
            cursor.execute(
                "UPDATE floor_journalentry SET hash = %s, reason = %s WHERE id = %s",
                [previous, entry.reason, entry.pk],
            )
    Table.objects.filter(pk=reported.table.pk).update(chain_hash=previous)
    noted = next(head for head in ShiftReport.objects.get().chain_heads if head.chain == chain(reported))
    status, out = verify()
    assert status == 1
    assert out.splitlines()[1].startswith(
        f"BREAK  {chain(reported)}: entry {noted.seq} differs from the head noted on a report, a checkpoint or a printout"
    )


def test_a_run_says_when_the_journal_ended_and_whether_anything_from_outside_was_compared(
    reported: Cast,
) -> None:
    last = JournalEntry.objects.latest("pk")
    ended = f"The journal's last entry is of {utc_text(last.at.replace(microsecond=0))}"
    lines = verify()[1].splitlines()
    assert lines[-2] == f"{ended}; without --head or --against nothing says whether there were later ones."
    table = Table.objects.get(pk=reported.table.pk)
    lines = verify(f"table:{table.pk}:{table.chain_seq}:{table.chain_hash}")[1].splitlines()
    assert lines[-2] == f"{ended}."


def test_a_database_without_a_journal_proves_nothing(db: None) -> None:
    with pytest.raises(CommandError, match=r"The journal is empty.*Nothing was proved"):
        verify()


def test_an_edited_head_is_found(reported: Cast) -> None:
    Table.objects.filter(pk=reported.table.pk).update(chain_hash="0" * 64)
    assert verify()[0] == 1


def test_a_chain_of_no_table_is_found(reported: Cast) -> None:
    entry = JournalEntry.objects.filter(chain=chain(reported)).latest("seq")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_journalentry SET chain = 'table:0' WHERE id = %s", [entry.pk])
    status, out = verify()
    assert status == 1
    assert "table:0: entry 0 belongs to no room or table that there is" in out


def test_a_report_whose_figures_were_changed_is_found(reported: Cast) -> None:
    made = ShiftReport.objects.get()
    figures = json.loads(json.dumps(made.figures))
    figures["tables"][0]["drop_expected_cents"] -= 100
    figures["total"]["drop_expected_cents"] -= 100
    with as_superuser() as cursor:
        cursor.execute("UPDATE reports_shiftreport SET figures = %s", [json.dumps(figures)])
    status, out = verify()
    drop = made.typed_figures["total"]["drop_expected_cents"]
    assert status == 1
    message = f"drop_expected_cents: the report says {drop - 100}, the database {drop}"
    assert f"table 7 {message}" in out and f"total {message}" in out
    assert f"reports.ShiftReport {made.pk}: is not what entry" in out


def test_rounds_changed_after_their_report_are_found(reported: Cast) -> None:
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET tips_cents = 700 WHERE number = 2")
    status, out = verify()
    assert status == 1
    assert "differences were 0 and are 1" in out
    assert "table 7 tips_cents does not tie out: transfers 0, rounds 700, settlements 0" in out


def test_a_round_and_its_transfers_changed_together_are_found(reported: Cast) -> None:
    """Every way of adding up still agrees with every other, but no longer with the report."""
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM floor_transfer WHERE kind = 'fee' AND source = 'bank'")
        cursor.execute("UPDATE floor_round SET bank_fee_cents = 0, fees = '[]', player_fees_cents = 0")
        cursor.execute("DELETE FROM floor_transfer WHERE kind = 'fee'")
    status, out = verify()
    assert status == 1
    assert "does not tie out" not in out
    assert "table 7 drop_expected_cents: the report says" in out


def test_a_settlement_that_is_no_settlement_any_more_is_a_break_and_no_crash(reported: Cast) -> None:
    with as_superuser() as cursor:
        cursor.execute("""UPDATE floor_round SET settlement = '{"lines": 5}' WHERE number = 1""")
    status, out = verify()
    assert status == 1
    assert "does not tie out" in out


@pytest.mark.postgresql
@pytest.mark.parametrize("document", ["bets", "fees", "sheet", "settlement"])
def test_a_document_of_a_round_that_was_changed_is_named_with_its_round(
    reported: Cast, document: str
) -> None:
    round_ = Round.objects.get(number=1, shift__closed_at__isnull=False)
    found = getattr(round_, document)
    found = [*found, found[0]] if isinstance(found, list) else {**found, "bank_hand": "Ah Kh Qh"}
    with as_superuser() as cursor:
        cursor.execute(
            f"UPDATE floor_round SET {document} = %s WHERE id = %s", [json.dumps(found), round_.pk]
        )
    status, out = verify()
    assert status == 1
    assert f"BREAK  floor.Round {round_.pk}: is not what entry" in out


def test_of_a_corrected_round_both_records_are_proved(reported: Cast) -> None:
    first = Round.objects.latest("pk")
    record = as_recorded(first)
    record["positions"][0]["hand"] = JACK_HIGH
    correct(reported, record)
    second = Round.objects.latest("pk")
    assert second.corrects == first and verify()[0] == 0
    for round_ in (first, second):
        with as_superuser() as cursor:
            cursor.execute(
                "UPDATE floor_round SET sheet = %s WHERE id = %s",
                [json.dumps({**(round_.sheet or {}), "bank_hand": "Ah Kh Qh"}), round_.pk],
            )
        assert f"BREAK  floor.Round {round_.pk}: is not what entry" in verify()[1]


def test_new_names_and_new_tables_are_no_break(reported: Cast) -> None:
    Table.objects.create(room=reported.room, number=20)
    table, room = Table.objects.get(pk=reported.table.pk), Room.objects.get(pk=reported.room.pk)
    table.number, room.name = 9, "Cache Slough Casino"
    table.save()
    room.save()
    assert verify()[0] == 0


class TestAHeadFromPaper:
    def head(self, cast: Cast) -> str:
        table = Table.objects.get(pk=cast.table.pk)
        return f"{chain(cast)}:{table.chain_seq}:{table.chain_hash}"

    def test_it_holds_however_far_the_chain_has_come_since(self, reported: Cast) -> None:
        printed = self.head(reported)
        reported.send(turn_end)
        assert verify(printed)[0] == 0

    @pytest.mark.postgresql
    def test_an_entry_that_was_written_anew_after_the_print_shows(self, reported: Cast) -> None:
        printed = self.head(reported)
        with as_superuser():
            last = JournalEntry.objects.filter(chain=chain(reported)).latest("seq")
            last.data = {**last.data, "why": "another"}
            last.hash = entry_hash(last, hash_before(last))
            last.save()
            Table.objects.filter(pk=reported.table.pk).update(chain_hash=last.hash)
        assert (
            verify()[0] == 0
        )  # whoever forges the last entry and the head leaves a chain that holds in itself
        status, out = verify(printed)
        assert status == 1
        assert f"entry {last.seq} differs from the head noted on a report, a checkpoint or a printout" in out

    def test_a_tail_that_was_cut_off_shows(self, reported: Cast) -> None:
        printed = self.head(reported).replace(f":{reported.table.pk}:", f":{reported.table.pk}:9", 1)
        status, out = verify(printed)
        assert status == 1 and "but the chain does not reach it" in out

    @pytest.mark.parametrize(
        "text", ["", "table:7", "table:x:1:" + "a" * 64, "table:7:0:" + "a" * 64, "table:7:1:xyz"]
    )
    def test_what_is_no_head_is_refused_with_what_one_looks_like(self, db: None, text: str) -> None:
        with pytest.raises(CommandError, match=r"head|hash"):
            verify(text)
