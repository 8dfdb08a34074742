"""`verify --since-checkpoint` looks at what was written since, and trusts what lies before no further than its heads."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from pytest_django import Settings

from cardroom.floor.models import JournalEntry, Round, Transfer
from cardroom.reports.models import Checkpoint
from tests.cast import Cast, running_cast
from tests.kept import kept
from tests.reports.commands import as_superuser

from .signed import keyed, sign_due

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def verify(**options: Any) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command("verify", stdout=out, **options)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def played() -> Cast:
    """A table with a checkpoint behind its first round, and a round since."""
    return kept(_played)


def _played() -> Cast:
    cast = running_cast()
    cast.play({4: 1000})
    assert verify(checkpoint=True)[0] == 0
    cast.play({4: 2000, 5: 1000})
    return cast


def test_it_looks_at_what_was_written_since_and_stores_the_next(played: Cast) -> None:
    first = Checkpoint.objects.get()
    newer = JournalEntry.objects.count() - first.entries
    status, out = verify(since_checkpoint=True)
    assert (status, f"{newer} entries walked" in out) == (0, True)
    second = Checkpoint.objects.first()
    assert second is not None
    assert (second.pk, second.entries) == (first.pk + 1, JournalEntry.objects.count())
    assert "0 entries walked" in verify(since_checkpoint=True)[1]


def test_without_a_checkpoint_it_says_what_to_do(db: None) -> None:
    with pytest.raises(CommandError, match="Run verify --checkpoint once"):
        call_command("verify", since_checkpoint=True)


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("UPDATE floor_round SET taken_cents = taken_cents + 1 WHERE id = {last}", "floor.Round {last}: is not what"),
        ("DELETE FROM floor_transfer WHERE id = {transfer}", "floor.Transfer {transfer}: entry"),
        ("UPDATE floor_journalentry SET reason = 'x' WHERE id = {entry}", "does not follow from the entry before it"),
        ("UPDATE floor_journalentry SET hash = 'x' WHERE id = {head}", "when the chain was last verified"),
    ],
)  # fmt: skip
def test_what_was_changed_since_is_named_and_nothing_stored(played: Cast, sql: str, text: str) -> None:
    head = next(
        head for head in Checkpoint.objects.get().chain_heads if head.chain.startswith("table") and head.seq
    )
    names = {
        "last": Round.objects.latest("pk").pk,
        "transfer": Transfer.objects.latest("pk").pk,
        "entry": JournalEntry.objects.latest("pk").pk,
        "head": JournalEntry.objects.get(chain=head.chain, seq=head.seq).pk,
    }
    with as_superuser() as cursor:
        cursor.execute(sql.format(**names))
    status, out = verify(since_checkpoint=True)
    assert (status, text.format(**names) in out) == (1, True), out
    assert Checkpoint.objects.count() == 1


def test_a_round_brought_in_since_is_settled_again_whenever_it_was_played(played: Cast) -> None:
    """Its id is newer than the checkpoint, its instants are a month older."""
    with as_superuser():
        Checkpoint.objects.update(made_at=Round.objects.latest("pk").opened_at + datetime.timedelta(days=30))
    assert "1 rounds settled and charged again" in verify(since_checkpoint=True)[1]


def test_a_row_put_in_since_is_named(played: Cast) -> None:
    with as_superuser():
        forged = Transfer.objects.latest("pk")
        forged.pk = None
        forged.save(force_insert=True)
    assert (
        f"floor.Transfer {forged.pk}: the journal has no entry about it" in verify(since_checkpoint=True)[1]
    )


def test_a_row_of_before_that_was_changed_is_for_the_whole_run(played: Cast) -> None:
    first = Transfer.objects.earliest("pk")
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_transfer SET cents = cents + 1 WHERE id = %s", [first.pk])
    assert verify(since_checkpoint=True)[0] == 0
    assert f"floor.Transfer {first.pk}: is not what" in verify()[1]


def test_a_checkpoint_never_changes(played: Cast) -> None:
    with pytest.raises(IntegrityError, match="where verify has ended"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM reports_checkpoint")


def test_it_begins_at_the_last_signed_checkpoint_where_that_is_earlier(
    played: Cast, settings: Settings, tmp_path: Path
) -> None:
    """What was signed is proved by its signature, and everything after it: also what a whole run has looked at since."""
    keyed(settings, tmp_path)
    signed = sign_due()
    assert verify(checkpoint=True)[0] == 0
    after = JournalEntry.objects.count() - sum(head.seq for head in signed.signed.heads)
    status, out = verify(since_checkpoint=True)
    assert (status, f"{after} entries walked" in out, "1 signed checkpoints followed" in out) == (
        0,
        True,
        True,
    )
    assert f"Proved: the signed checkpoints (number 1 of {played.room}, signed " in out
    assert "Not proved: entries before them, rows and rounds that were changed without an entry" in out
    with as_superuser() as cursor:
        cursor.execute("UPDATE reports_signedcheckpoint SET signature = %s", ["0" * 128])
    assert "Checkpoint 1 of" in verify(since_checkpoint=True)[1]
