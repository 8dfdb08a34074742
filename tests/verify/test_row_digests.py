"""What commands write is covered by the journal, and a digest is what docs/verify.md says: recomputed here from plain SQL."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import hashlib
import itertools
import json
from typing import Any

import pytest
from django.db import connection, models, transaction
from django.test.utils import isolate_apps
from simple_history.utils import get_history_manager_for_model

from cardroom.core.history_verification import models_with_history
from cardroom.core.row_digests import (
    DIGITS,
    DigestPolicy,
    RowsUncovered,
    digest_of,
    digests_of_table,
    policy_of,
    pop_pending,
    rows_gathered,
    rows_note,
    rows_update,
)
from cardroom.core.triggers import triggers_lifted
from cardroom.floor.execution.locks import locked
from cardroom.floor.journal import journal_append
from cardroom.floor.models import JournalEntry, Round, Seating, Shift, Table, Transfer
from cardroom.floor.verification.rows import digested_models, rows_verify
from games.phrases import plural
from tests.cast import Cast, running_cast

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def played() -> Cast:
    cast = running_cast()
    cast.play({4: 1000, 1: 2500})
    return cast


def newest(table: str, pk: int) -> str:
    """The newest digest of a row, by plain reading."""
    found = [
        rows[table][str(pk)]
        for rows in JournalEntry.objects.order_by("pk").values_list("rows", flat=True)
        if str(pk) in rows.get(table, {})
    ]
    return found[-1]


def test_a_played_table_holds(played: Cast) -> None:
    assert list(map(str, rows_verify())) == []


def test_a_text_that_knows_its_translation_is_digested_as_its_english(played: Cast) -> None:
    row = JournalEntry.objects.latest("pk")
    row.data = {"text": "2 more rounds"}
    plain = digest_of(row)
    row.data = {"text": plural("{n} more round", "{n} more rounds", 2)}
    assert digest_of(row) == plain


def test_a_digest_is_recomputed_from_sql_with_the_standard_library_alone(played: Cast) -> None:
    """Of an offer of the bank: whole numbers, words, an instant and an empty column."""
    instant = {
        "sqlite": "answered_at || ''",  # 2026-11-30 20:00:00.123456, without the fraction where there is none
        "postgresql": "to_char(answered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT *, {instant} AS instant FROM floor_offer ORDER BY id DESC LIMIT 1")
        row: dict[str, Any] = dict(
            zip([column[0] for column in cursor.description], cursor.fetchone(), strict=True)
        )
    day, _, time = row.pop("instant").partition(" ")
    seconds, _, fraction = time.partition(".")
    row["answered_at"] = f"{day}T{seconds}.{fraction:0<6}+00:00"
    text = json.dumps(["floor_offer", row], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest()[:DIGITS] == newest("floor_offer", row["id"])


def test_every_row_has_the_digest_of_its_canonical_json(played: Cast) -> None:
    rows = [*Transfer.objects.all(), *Round.objects.all(), *Seating.objects.all()]
    assert {type(row) for row in rows} == {Transfer, Round, Seating}
    for row in rows:
        columns = {
            field.column: value.isoformat(timespec="microseconds")
            if hasattr(value, "hour")
            else value.isoformat()
            if hasattr(value, "isoformat")
            else value
            for field in row._meta.concrete_fields
            for value in [getattr(row, field.attname)]
        }
        text = json.dumps(
            [row._meta.db_table, columns], sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert digest_of(row) == hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
        assert digest_of(row) == newest(row._meta.db_table, row.pk)


def test_what_an_object_says_and_what_is_read_back_have_one_digest(played: Cast) -> None:
    for model in digested_models():
        read = dict(digests_of_table(model))
        assert read == {row.pk: digest_of(row) for row in model._base_manager.all()}


def test_a_table_of_which_the_journal_tells_and_that_nothing_covers_is_named(played: Cast) -> None:
    entry = JournalEntry.objects.latest("pk")
    with transaction.atomic(), triggers_lifted(connection, [JournalEntry._meta.db_table]):
        JournalEntry._base_manager.filter(pk=entry.pk).update(rows={**entry.rows, "floor_gone": {"1": "f"}})
    assert list(map(str, rows_verify())) == [
        "floor_gone: is named in the journal, and no table of this name is covered by it"
    ]
    assert list(rows_verify(models=digested_models())) == []


def test_rows_changed_by_a_query_are_covered(played: Cast) -> None:
    with locked(Table, played.table.pk) as table:
        rows_update(Seating.objects.filter(table=table), time_paid_to=None)
        rows_update(Shift.objects.all(), name="Renamed")
        journal_append(
            holder=table, actor=played.people["floor"], at=Shift.objects.get().opened_at, command="round_note"
        )
    entry = JournalEntry.objects.filter(table=played.table).latest("seq")
    assert set(entry.rows) == {"floor_seating", "floor_shift"}
    assert list(map(str, rows_verify())) == []


def test_a_command_that_writes_a_row_and_no_entry_is_refused_and_undone(played: Cast) -> None:
    shift = Shift.objects.get()
    with pytest.raises(RowsUncovered, match=f"floor.Shift {shift.pk}"), locked(Table, played.table.pk):
        Shift(pk=shift.pk, name="Forged").save(update_fields=["name"])
    assert Shift.objects.get().name != "Forged"


def test_what_was_undone_inside_a_command_is_not_covered(played: Cast) -> None:
    with locked(Table, played.table.pk) as table:
        with contextlib.suppress(ZeroDivisionError), transaction.atomic(), rows_gathered():
            Seating.objects.filter(table=table).latest("pk").save()
            raise ZeroDivisionError
        journal_append(
            holder=table, actor=played.people["floor"], at=Shift.objects.get().opened_at, command="round_note"
        )
    assert JournalEntry.objects.filter(table=played.table).latest("seq").rows == {}


def test_what_fails_inside_is_not_swallowed_and_leaves_nothing_noted(played: Cast) -> None:
    def command() -> None:
        with rows_gathered():
            rows_note(Seating, [1])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        command()
    with pytest.raises(RuntimeError, match="inside rows_gathered"):
        pop_pending()


def test_a_history_is_set_up_where_its_model_is_and_says_why() -> None:
    told_of = {
        model: policy_of(model).may_predate_journal
        for model in models_with_history()
        if not policy_of(model).not_digested
    }
    assert any(told_of.values())
    for model, why in told_of.items():
        of_history = policy_of(get_history_manager_for_model(model).model).may_predate_journal
        assert of_history == (why or "what the administration changes has a history and no command")


def test_the_journal_is_not_written_where_rows_are_not_noted(played: Cast) -> None:
    with pytest.raises(RuntimeError, match="inside rows_gathered"), transaction.atomic():
        journal_append(
            holder=Table.objects.get(pk=played.table.pk),
            actor=played.people["floor"],
            at=Shift.objects.get().opened_at,
            command="round_note",
        )


@isolate_apps("cardroom.floor")
def test_a_column_that_came_later_is_in_a_digest_only_with_another_value_than_rows_of_before_have() -> None:
    def digest(policy: DigestPolicy, **values: Any) -> str | None:
        fields = {
            "wing": models.CharField(max_length=9, default=""),
            "marks": models.JSONField(default=list),
            "since": models.DateField(null=True),
        }
        made = {
            "__module__": "cardroom.floor.models.of_a_test",
            "Meta": type("Meta", (), {"app_label": "floor", "db_table": "floor_chair"}),
            "number": models.IntegerField(),
            "digest_policy": policy,
            **{name: fields[name] for name in values},
        }
        return digest_of(type(f"Chair{next(numbers)}", (models.Model,), made)(id=1, number=4, **values))

    numbers = itertools.count()
    later = DigestPolicy(later={"wing": "", "marks": [], "since": None})
    before = digest(DigestPolicy())
    assert digest(dataclasses.replace(later, later={"wing": ""}), wing="") == before
    assert digest(later, wing="", marks=[], since=None) == before
    others = [
        digest(later, wing="north", marks=[], since=None),
        digest(later, wing="", marks=["new"], since=None),
        digest(later, wing="", marks=[], since=datetime.date(2027, 1, 4)),
        digest(DigestPolicy(), wing="", marks=[], since=None),
    ]
    assert len({before, *others}) == 5
