"""Packed columns: documents and digests come back as they were written, and old rows stay readable."""

from __future__ import annotations

import hashlib
import importlib
import json
import pathlib
import zlib
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import FieldError
from django.db import connection

from cardroom import packed
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Round, Table
from cardroom.packed import pack, unpack
from fees.triggers import triggers_lifted

from .house import House

DICTIONARY = (pathlib.Path(packed.__file__).parent / "dictionary_1.txt").read_bytes()
POSITION = {
    "seat": 4,
    "player": "Zoë",
    "wagers": {"ante": 2500, "pair_plus": 500},
    "hand": "Qs 7d 2c",
    "decision": "play",
}


@pytest.mark.parametrize(
    "document",
    [[], {}, "", None, 0, POSITION, [POSITION] * 8, {"b": 1, "a": [None, True, -5, "\x01", "日本"]}],
    ids=str,
)
def test_a_document_comes_back_as_it_was_its_keys_in_order(document: Any) -> None:
    assert json.dumps(unpack(pack(document))) == json.dumps(document)


def test_a_row_that_was_packed_when_this_began_is_read_for_ever() -> None:
    assert (
        hashlib.sha256(DICTIONARY).hexdigest()
        == "2c53fd5b4638f6b4e96f31ebe859a4ddc4ca7137b3eb7695deb0b1ff3e4cd918"
    )
    assert unpack(bytes.fromhex("01433708a42f2afff06a2c7af117ff81c5a09eb711d65a1d00")) == POSITION


@pytest.mark.parametrize("document", [b"", b"\x01", pack([POSITION] * 8)[:-1], pack([POSITION] * 8) + b"x"])
def test_a_document_that_was_cut_off_or_added_to_is_refused(document: bytes) -> None:
    with pytest.raises(ValueError, match=r"cannot be read|Expecting value"):
        unpack(document)


class TestRound:
    @pytest.fixture
    def played(self, open_house: House) -> Round:
        open_house.play({1: 3000, 4: 1000, 5: 5000}, wager=15000)
        return Round.objects.get()

    def test_its_settlement_takes_an_eighth_of_its_text_and_is_read_by_zlib_alone(
        self, played: Round
    ) -> None:
        (stored,) = raw("SELECT settlement FROM floor_round")
        text = zlib.decompressobj(-15, zdict=DICTIONARY).decompress(stored[1:])
        assert json.loads(text) == played.settlement
        assert len(stored) < len(text) / 8

    def test_the_database_is_not_asked_what_it_cannot_answer(self, played: Round) -> None:
        conditions: list[dict[str, Any]] = [{"settlement__drop": 400}, {"sheet": {}}, {"bets__contains": []}]
        for condition in conditions:
            with pytest.raises(FieldError):
                Round.objects.filter(**condition).exists()

    def test_a_hash_is_thirty_two_bytes_and_found_by_its_digits(self, played: Round) -> None:
        last = JournalEntry.objects.filter(table=played.table).latest("seq")
        (stored,) = raw(f"SELECT hash FROM floor_journalentry WHERE id = {last.pk}")
        assert (stored.hex(), len(stored)) == (last.hash, 32)
        assert JournalEntry.objects.get(hash=last.hash) == last

    def test_rows_from_before_are_packed_and_the_journal_still_holds(self, played: Round) -> None:
        """What the migration finds: texts in the new columns, and on SQLite the digits of hashes."""
        told = list(JournalEntry.objects.order_by("id").values("data", "hash"))
        documents = {column: getattr(played, column) for column in ("bets", "fees", "sheet", "settlement")}
        lite = connection.vendor == "sqlite"
        with triggers_lifted(connection), connection.cursor() as cursor:
            for column, document in documents.items():
                text = json.dumps(document)
                cursor.execute(f"UPDATE floor_round SET {column} = %s", [text if lite else text.encode()])
            for entry in JournalEntry.objects.all():
                text = json.dumps(entry.data)
                cursor.execute(
                    "UPDATE floor_journalentry SET data = %s, hash = %s WHERE id = %s",
                    [text, entry.hash, entry.pk]
                    if lite
                    else [text.encode(), bytes.fromhex(entry.hash), entry.pk],
                )
        migration = importlib.import_module("cardroom.floor.migrations.0014_packed")
        migration.documents_pack(None, SimpleNamespace(connection=connection))
        assert raw("SELECT settlement FROM floor_round") == [pack(documents["settlement"])]
        assert {column: getattr(Round.objects.get(), column) for column in documents} == documents
        assert list(JournalEntry.objects.order_by("id").values("data", "hash")) == told
        assert list(chain_breaks(Table.objects.get(pk=played.table_id))) == []


def raw(sql: str) -> list[bytes]:
    """The one column of a query as the database holds it."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return [bytes(value) for (value,) in cursor.fetchall()]
