"""A verification in pieces answers what one process answers: on intact data, on every tampering, on what is written meanwhile."""

from __future__ import annotations

import datetime
import io
import json
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from cardroom.core.history_verification import models_with_history
from cardroom.core.row_digests import policy_of
from cardroom.floor.execution.locks import locked
from cardroom.floor.journal import journal_append
from cardroom.floor.models import JournalEntry, Round, Table
from cardroom.floor.verification.id_sets import IdSet
from cardroom.floor.verification.rows import digested_models
from cardroom.jobs.lifecycle import job_cancelled, job_claim, job_retry, job_run, piece_run
from cardroom.jobs.models import Job
from cardroom.jobs.pieces import piece_counts
from cardroom.people.models import Staff
from cardroom.reports.management.commands import verify as verify_command
from cardroom.reports.models import Checkpoint, PeriodReport, PieceScratch, ShiftReport
from cardroom.reports.verification import pieces as pieces_module
from cardroom.reports.verification.merging import Done, Merged, merged
from cardroom.reports.verification.pieces import Scratch, piece_done, pieces_planned
from cardroom.reports.verification.runs import PIECE, result_of, verification_ask
from cardroom.reports.verification.verify import (
    Checked,
    journal_verify,
    period_reports_verify,
    readable,
    reports_verify,
    rounds_again,
    rows_held,
)
from cardroom.rooms.models import Room
from tests.cast import Cast, running_cast
from tests.kept import kept

from .attacks import Attacker
from .exceptions import EXCEPTIONS, reason
from .test_attacks import unfound_without_reason
from .world import LATER, checks_off, constraints_dropped, world

pytestmark = [pytest.mark.outside, pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut so small that a world of some hundred entries has many pieces."""
    monkeypatch.setattr(pieces_module, "MOST_ENTRIES", 20)
    for check, ranged in pieces_module.RANGED.items():
        monkeypatch.setitem(pieces_module.RANGED, check, pieces_module.dataclasses.replace(ranged, rows=1))


def run(command: str = "verify", **options: Any) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command(command, stdout=out, stderr=io.StringIO(), **options)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


def breaks(out: str) -> list[str]:
    return sorted(line for line in out.splitlines() if line.startswith("BREAK"))


def asked() -> Job:
    with transaction.atomic():
        return verification_ask(Room.objects.earliest("pk"), timezone.now(), None, "command")


@pytest.fixture
def played() -> Cast:
    return kept(_played)


def _played() -> Cast:
    cast = running_cast()
    cast.play({4: 2000, 5: 1000})
    return cast


def in_pieces(
    *checks: str, between: Callable[[], None] = lambda: None, after: Callable[[], None] = lambda: None
) -> Merged:
    """Plan and do the pieces, those of some `checks` alone, and merge them, as workers do.

    `between` is called after the plan, `after` before merging.
    """
    planned = [piece for piece in pieces_planned() if not checks or piece["check"] in checks]
    between()
    left: dict[int, Scratch] = {}
    done = []
    for number, piece in enumerate(planned):
        result, scratch = piece_done(json.loads(json.dumps(piece)))
        if scratch is not None:
            left[number] = Scratch.read(scratch.data())
        done.append(Done(number, piece, json.loads(json.dumps(result))))
    after()
    return merged(done, lambda each: left[each.job])


def forge(sql: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@pytest.mark.usefixtures("small")
def test_on_intact_data_the_sums_are_those_of_one_process(played: Cast) -> None:
    _, whole = run()
    status, out = run(pieces=True)
    assert (status, out.splitlines()[-1]) == (0, whole.splitlines()[-1])
    job = Job.objects.get(kind="verification")
    assert (job.state, piece_counts(job).pieces > 13) == ("finished", True)
    assert not PieceScratch.objects.exists()
    assert "all holds" in run()[1], "the journal says how it ended"


@pytest.mark.usefixtures("small")
def test_in_a_world_with_a_row_in_every_table_they_say_the_same() -> None:
    world()
    journal = [piece for piece in pieces_planned() if piece["check"] == "journal"]
    assert len({piece["room"] for piece in journal}) == 2 and len(journal) > 3
    assert breaks(run()[1]) == sorted(f"BREAK  {line.text}" for line in in_pieces().lines)


_ENTRIES = "floor_journalentry"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "sql",
    [
        f"DELETE FROM {_ENTRIES} WHERE chain = '{{chain}}' AND seq = {{cut}}",
        f"DELETE FROM {_ENTRIES} WHERE chain = '{{chain}}' AND seq IN ({{cut}}, {{cut}} + 1)",
        f"DELETE FROM {_ENTRIES} WHERE chain = '{{chain}}' AND seq > {{cut}}",
        f"DELETE FROM {_ENTRIES} WHERE chain = '{{chain}}'",
        f"UPDATE {_ENTRIES} SET reason = 'x' WHERE chain = '{{chain}}' AND seq = {{cut}}",
        f"UPDATE {_ENTRIES} SET reason = 'x' WHERE chain = '{{chain}}' AND seq = {{cut}} + 1",
        f"UPDATE {_ENTRIES} SET hash = 'x' WHERE chain = '{{chain}}' AND seq = {{cut}}",
        f"UPDATE {_ENTRIES} SET chain = 'table:999' WHERE chain = '{{chain}}' AND seq = {{cut}}",
        f"UPDATE {_ENTRIES} SET chain = 'hall:1' WHERE chain = '{{chain}}'",
        f"UPDATE {_ENTRIES} SET rows = '{{{{}}}}' WHERE chain = '{{chain}}' AND seq = {{cut}}",
        "UPDATE floor_table SET chain_seq = chain_seq + 1 WHERE id = {table}",
        "UPDATE floor_table SET chain_hash = 'x' WHERE id = {table}",
        "DELETE FROM floor_transfer WHERE id = (SELECT min(id) FROM floor_transfer)",
        "DELETE FROM floor_transfer",
        "UPDATE floor_transfer SET cents = cents + 1 WHERE id = (SELECT max(id) FROM floor_transfer)",
        "UPDATE floor_transfer SET id = id + 100000 WHERE id = (SELECT max(id) FROM floor_transfer)",
        "UPDATE floor_round SET taken_cents = taken_cents + 1",
        "UPDATE floor_round SET gaming_day = '2019-01-01' WHERE id = (SELECT min(id) FROM floor_round)",
        "UPDATE people_staff SET email = 'forged@cardroom.example'",
        'UPDATE reports_checkpoint SET heads = \'[{{"chain": "{chain}", "seq": {cut}, "hash": "00"}}]\'',
        'UPDATE reports_checkpoint SET heads = \'[{{"chain": "{chain}", "seq": 99999, "hash": "00"}}]\'',
        "UPDATE reports_checkpoint SET heads = '[7]'",
    ],
)
def test_what_is_tampered_with_at_a_cut_is_said_as_one_process_says_it(sql: str) -> None:
    room = world()
    chain = f"table:{room.table.pk}"
    cuts = [
        until
        for piece in pieces_planned()
        for name, after, until in piece.get("segments", [])
        if name == chain and after is not None
    ]
    assert cuts, "a chain that is cut"
    with checks_off():
        constraints_dropped(JournalEntry)
        constraints_dropped(Table)
        forge(sql.format(chain=chain, cut=cuts[0] - 1, table=room.table.pk))
        _same()
    with checks_off():
        forge(sql.format(chain=chain, cut=cuts[0], table=room.table.pk))
        _same()


def _same() -> None:
    whole = breaks(run()[1])
    assert whole == sorted({f"BREAK  {line.text}" for line in in_pieces().lines})
    assert whole


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("when", ["between", "after"])
def test_what_is_played_while_the_pieces_are_done_is_proved_too(played: Cast, when: str) -> None:
    """A round between the plan and the pieces, or before they are put together."""

    def meanwhile() -> None:
        played.play({4: 3000})

    whole = in_pieces(**{when: meanwhile})
    assert (whole.lines, whole.checked.entries) == ([], JournalEntry.objects.count())
    one = Checked()
    assert [*journal_verify(one), *rows_held(one)] == []
    assert (whole.checked.rows, whole.checked.last) == (one.rows, one.last)
    assert whole.checked.heads == one.heads


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("UPDATE floor_transfer SET cents = cents + 1 WHERE id = (SELECT max(id) FROM floor_transfer)", "a column of it was changed"),
        ("DELETE FROM floor_transfer WHERE id = (SELECT max(id) FROM floor_transfer)", "and it is gone"),
        ("UPDATE floor_journalentry SET reason = 'x' WHERE id = (SELECT max(id) FROM floor_journalentry)", "one of them was changed"),
    ],
)  # fmt: skip
def test_what_is_tampered_with_after_the_plan_is_found(played: Cast, sql: str, text: str) -> None:
    def meanwhile() -> None:
        played.play({4: 3000})
        with checks_off():
            forge(sql)

    [line] = in_pieces(after=meanwhile).lines
    assert text in line.text


def test_a_row_that_entries_of_two_rooms_name_is_as_the_later_one_says(small: None) -> None:
    """One of the staff works in both rooms: each room's journal has digests of the row, and the newest one counts."""
    room = world()
    staff, rooms = room.people["dealer"], list(Room.objects.order_by("pk"))
    assert len(rooms) == 2
    for number, place in enumerate([*rooms, rooms[0]]):
        with locked(Room, place.pk) as holder:
            staff.first_name = f"Pat {number}"
            staff.save()
            journal_append(holder=holder, actor=staff, at=LATER, command="renamed")
    assert not any("Staff" in line.text for line in in_pieces().lines)
    with checks_off():
        Staff.objects.filter(pk=staff.pk).update(first_name="Pat 1")  # as the other room's entry says
    assert any(f"people.Staff {staff.pk}: is not what entry" in line.text for line in in_pieces().lines)


@pytest.mark.usefixtures("small")
def test_after_a_worker_was_lost_another_goes_on_and_nothing_is_done_twice(played: Cast) -> None:
    job = asked()
    assert job_run(job.pk), "it plans, and waits"
    job.refresh_from_db()
    assert (job.state, job_run(job.pk)) == ("waiting", False)
    assert piece_run([PIECE]) and piece_run([PIECE])
    lost = Job.objects.filter(kind=PIECE, state="waiting").earliest("pk")
    assert job_claim(lost.pk) is not None
    while piece_run([PIECE]):
        pass
    assert not job_run(job.pk), "the lost worker may yet come back"
    Job.objects.filter(pk=lost.pk).update(claimed_until=timezone.now() - datetime.timedelta(seconds=1))
    assert piece_run([PIECE]) and job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result and job.result["broken"]) == ("finished", 0)
    assert dict(job.pieces.values_list("pk", "claims")) == {
        pk: 2 if pk == lost.pk else 1 for pk in job.pieces.values_list("pk", flat=True)
    }


def test_a_piece_that_fails_is_named_and_tried_again_alone(
    played: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(checked: Checked) -> Any:
        raise RuntimeError("out of memory")

    job = asked()
    assert job_run(job.pk)
    with monkeypatch.context() as patch:
        patch.setitem(pieces_module.WHOLE, "tips", ("sheets of tips", broken))
        for _ in range(3):
            while piece_run([PIECE]):
                pass
            Job.objects.filter(kind=PIECE, state="waiting").update(next_try_at=timezone.now())
    assert job_run(job.pk)
    job.refresh_from_db()
    pieces = job.pieces.count()
    assert (job.state, piece_counts(job).failed) == ("failed", 1)
    assert job.error.startswith(f"Nothing is proved yet: 1 of {pieces} parts were not done. sheets of tips: ")
    job_retry(job, timezone.now())
    assert piece_run([PIECE]) and not piece_run([PIECE]) and job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, result_of(job)) == ("finished", job.result)


def test_what_was_cancelled_leaves_no_piece_to_be_done(played: Cast) -> None:
    job = asked()
    assert job_run(job.pk) and piece_run([PIECE])
    job.refresh_from_db()
    assert job_cancelled(job, timezone.now())
    assert not piece_run([PIECE])
    assert set(job.pieces.values_list("state", flat=True)) == {"finished", "cancelled"}


def test_who_asks_while_one_is_under_way_joins_it(played: Cast) -> None:
    assert asked().pk == asked().pk


def test_a_checkpoint_of_pieces_is_that_of_one_process(played: Cast) -> None:
    assert run(pieces=True, checkpoint=True)[0] == 0
    made = Checkpoint.objects.get()
    end = JournalEntry.objects.get(command="verification_end")
    assert made.entries == JournalEntry.objects.count() - 1, "it ends before the entry of its own end"
    assert (f"room:{end.room_id}", end.seq - 1) in {(head.chain, head.seq) for head in made.chain_heads}
    assert run(since_checkpoint=True)[0] == 0


def test_a_head_from_paper_is_compared_after_the_pieces(played: Cast) -> None:
    entry = JournalEntry.objects.filter(chain=f"table:{played.table.pk}").latest("seq")
    good, bad = f"{entry.chain}:{entry.seq}:{entry.hash}", f"{entry.chain}:{entry.seq}:{'0' * 64}"
    assert run(pieces=True, head=[good])[0] == 0
    assert f"{entry.chain}: entry {entry.seq} differs from the head noted" in run(pieces=True, head=[bad])[1]


def test_options_that_do_not_go_together_are_refused(played: Cast) -> None:
    with pytest.raises(CommandError, match="one of --pieces and --since-checkpoint"):
        call_command("verify", pieces=True, since_checkpoint=True)


def test_without_a_room_there_is_nothing_to_verify(db: None) -> None:
    with pytest.raises(CommandError, match="There is no room yet"):
        call_command("verify", pieces=True, stdout=io.StringIO())


def test_ids_are_kept_as_they_are() -> None:
    ids = IdSet([7, 1, 1024, 5_000_000_000, 7])
    assert list(IdSet.from_json(json.loads(json.dumps(ids.to_json())))) == [1, 7, 1024, 5_000_000_000]
    assert (len(ids), 7 in ids, 8 in ids) == (4, True, False)


class _InPieces(Attacker):
    """Compares for each attack what pieces find with what one process finds by digests, histories, rounds and reports."""

    #: The checks that are cut by ids, by the model that they go through.
    CUT: ClassVar = {
        Round: ("rounds", rounds_again),
        ShiftReport: ("shift-reports", reports_verify),
        PeriodReport: ("period-reports", period_reports_verify),
    }

    def _found(self, model: type[Model], thorough: bool) -> Iterator[tuple[str, str]]:
        whole = {text for _, text in super()._found(model, False)}
        checks = ["journal"]
        if getattr(model, "instance_type", model) in models_with_history():
            checks.append("histories")
        if model in self.CUT and thorough:
            name, check = self.CUT[model]
            whole |= {text for text in readable(check, Checked()) if not text.startswith(check.__name__)}
            checks.append(name)
        pieces = {line.text for line in in_pieces(*checks).lines}
        assert whole <= pieces, (model, whole - pieces)
        yield from (("pieces", text) for text in pieces)


@pytest.mark.usefixtures("small")
def test_a_row_taken_out_put_in_or_swapped_is_found_by_pieces_as_by_one_process() -> None:
    world()
    attacker, models = _InPieces(), digested_models()
    outcomes = [outcome for model in models for outcome in attacker.rows(model)]
    unfound = {(each.table, each.what) for each in outcomes if not each.found_by}
    assert sorted(unfound_without_reason(unfound)) == []
    assert len(outcomes) > 2 * len(models)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_every_column_of_every_covered_table_is_found_by_pieces_as_by_one_process() -> None:
    world()
    attacker = _InPieces()
    for model in digested_models():
        thorough = model in _InPieces.CUT
        for outcome in attacker.columns(model, thorough=thorough):
            covered = outcome.what not in policy_of(model).columns
            assert outcome.found_by or not covered or reason(outcome.table, outcome.what), outcome


@pytest.mark.usefixtures("small")
def test_entries_attacked_in_any_column_are_found_by_pieces() -> None:
    world()
    found = [
        (outcome.what, outcome.found_by)
        for outcome in (*_InPieces().columns(JournalEntry), *_InPieces().rows(JournalEntry))
    ]
    left = {what for what, found_by in found if not found_by}
    assert left <= set(EXCEPTIONS["floor_journalentry"]), left


def test_every_check_of_a_whole_run_is_in_some_piece() -> None:
    in_pieces_too = {check.__name__ for _, check in pieces_module.WHOLE.values()}
    in_pieces_too |= {ranged.check.__name__ for ranged in pieces_module.RANGED.values()}
    assert {check.__name__ for check in verify_command._WHOLE} == in_pieces_too | {"rows_held"}
