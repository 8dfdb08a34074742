"""A value that is not of the kind that it must be is a break of `verify`, and not the end of the run."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from cardroom.floor.models import JournalEntry
from cardroom.reports.models import Checkpoint
from tests.cast import Cast, running_cast
from tests.kept import kept

from .world import checks_off, constraints_dropped

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def played() -> Cast:
    return kept(_played)


def _played() -> Cast:
    """A round, and a checkpoint behind it."""
    cast = running_cast()
    cast.play({4: 1000})
    call_command("verify", stdout=io.StringIO(), checkpoint=True)
    return cast


def broken(**options: Any) -> str:
    """What `verify` prints, which ends with its sums and status 1."""
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", stdout=out, **options)
    assert out.getvalue().endswith(" breaks.\n")
    return out.getvalue()


@pytest.mark.parametrize("column", ["data", "rows"])
@pytest.mark.parametrize("value", ["[1]", '"x"', "null", "{"])
def test_an_entry_whose_document_is_none(played: Cast, column: str, value: str) -> None:
    if value == "{" and connection.vendor == "postgresql":
        pytest.skip("PostgreSQL takes no text that is not JSON")
    entry = JournalEntry.objects.get(command="round_settle")
    with checks_off(), connection.cursor() as cursor:
        constraints_dropped(JournalEntry)
        cursor.execute(f"UPDATE floor_journalentry SET {column} = %s WHERE id = %s", [value, entry.pk])
        assert f"BREAK  {entry.chain}: entry {entry.seq} " in broken()


@pytest.mark.parametrize(
    "heads", ["[1]", '[{"chain": "table:1"}]', "7", '[{"chain": "room:1", "seq": "x", "hash": ""}]']
)
def test_heads_of_a_checkpoint_that_are_none(played: Cast, heads: str) -> None:
    with checks_off(), connection.cursor() as cursor:
        cursor.execute("UPDATE reports_checkpoint SET heads = %s", [heads])
        assert f"checkpoint {Checkpoint.objects.get().pk}: the heads noted on it cannot be read" in broken()


def test_heads_of_a_checkpoint_that_the_journal_does_not_have(played: Cast) -> None:
    checkpoint = Checkpoint.objects.get()
    last = next(head for head in checkpoint.heads if head["chain"].startswith("table"))
    with checks_off():
        Checkpoint.objects.update(heads=[{**head, "hash": "0" * 64} for head in checkpoint.heads])
        assert f"{last['chain']}: entry {last['seq']} differs from the head noted on" in broken()
        Checkpoint.objects.update(heads=checkpoint.heads, entries=checkpoint.entries + 1)
        assert "its heads are those of another number of entries" in broken()
