"""Rows compared with the journal: what is changed, gone or cannot be read is named with its entry."""

from __future__ import annotations

import pytest
from django.db import connection

from cardroom.floor.models import JournalEntry, Round, Transfer
from cardroom.floor.verification.rows import RowBreak, Since, rows_verify
from tests.cast import running_cast
from tests.kept import kept
from tests.reports.commands import as_superuser

from .world import checks_off, constraints_dropped


def _one_round() -> None:
    running_cast().play({4: 1000, 5: 2000})


@pytest.fixture
def first(db: None) -> Transfer:
    """The first of several transfers of a round."""
    kept(_one_round)
    found = Transfer.objects.order_by("pk").first()
    assert found is not None
    assert Transfer.objects.count() > 2
    return found


def _told_by(transfer: Transfer) -> str:
    """The last entry that names a transfer, as a break names it."""
    entries = [
        entry
        for entry in JournalEntry.objects.order_by("seq")
        if str(transfer.pk) in entry.rows.get("floor_transfer", {})
    ]
    return f"{entries[-1].chain} #{entries[-1].seq}"


def _changed(transfer: Transfer) -> RowBreak:
    """Change a transfer past its triggers; return what is said of it."""
    with as_superuser():
        Transfer.objects.filter(pk=transfer.pk).update(cents=transfer.cents + 1)
    text = f"is not what entry {_told_by(transfer)} says: a column of it was changed"
    return RowBreak("floor.Transfer", transfer.pk, text)


def test_a_changed_row_is_named_with_the_last_entry_about_it(first: Transfer) -> None:
    expected = _changed(first)
    assert list(rows_verify(models=[Transfer])) == [expected]


def test_a_row_that_is_gone_is_named_where_others_follow_it(first: Transfer) -> None:
    expected = RowBreak("floor.Transfer", first.pk, f"entry {_told_by(first)} names it, and it is gone")
    with as_superuser():
        Transfer.objects.filter(pk=first.pk).delete()
    assert list(rows_verify(models=[Transfer])) == [expected]


def test_a_chain_that_began_since_is_read(first: Transfer) -> None:
    """An earlier proof that knew no chain: what the new ones name is checked, though no row is newer."""
    expected = _changed(first)
    since = Since({}, {"floor_transfer": Transfer.objects.latest("pk").pk})
    assert list(rows_verify(models=[Transfer], since=since)) == [expected]


def test_a_table_with_a_row_that_cannot_be_read_is_named_as_a_whole(first: Transfer) -> None:
    if connection.vendor == "postgresql":
        pytest.skip("PostgreSQL takes no text that is no instant")
    with checks_off(), connection.cursor() as cursor:
        constraints_dropped(Round)
        cursor.execute("UPDATE floor_round SET opened_at = '2026-99-99 00:00:00'")
        [found] = rows_verify(models=[Round])
    assert str(found).startswith("floor.Round: a row of it cannot be read: ")
