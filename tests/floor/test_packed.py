"""Narrow columns: documents, digests and words come back as they were written, and old rows stay readable."""

from __future__ import annotations

import datetime
import hashlib
import json
import pathlib
import zlib
from typing import Any

import pytest
from django.core.exceptions import FieldError
from django.db import connection
from django.db.models import F, Max

import games
from cardroom import packed
from cardroom.floor.models import JournalEntry, Offer, Procedure, Round, Transfer, Turn
from cardroom.floor.models.codes import ROTATIONS, RULEBOOKS
from cardroom.packed import WordField, pack, unpack

from .house import House

FOLDER = pathlib.Path(packed.__file__).parent
DICTIONARY_1, DICTIONARY = ((FOLDER / f"dictionary_{number}.txt").read_bytes() for number in (1, 2))
GAMES = pathlib.Path(games.__file__).parent
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


@pytest.mark.parametrize(
    ("dictionary", "digest", "row"),
    [
        (
            DICTIONARY_1,
            "2c53fd5b4638f6b4e96f31ebe859a4ddc4ca7137b3eb7695deb0b1ff3e4cd918",
            "01433708a42f2afff06a2c7af117ff81c5a09eb711d65a1d00",
        ),
        (
            DICTIONARY,
            "9be99d329bdbc88e4f8de565ef39a242b96eec6989781d29aab7947fabfee7a8",
            "02c396a2a3f20faf262677a05f2a659e82e32e2c00",
        ),
    ],
    ids=["1", "2"],
)
def test_a_row_that_was_packed_when_a_dictionary_began_is_read_for_ever(
    dictionary: bytes, digest: str, row: str
) -> None:
    assert hashlib.sha256(dictionary).hexdigest() == digest
    assert unpack(bytes.fromhex(row)) == POSITION


def test_what_is_packed_now_is_packed_by_the_last_dictionary() -> None:
    assert pack([POSITION] * 8)[:1] == b"\x02"
    for number in range(3, 9):
        assert not (FOLDER / f"dictionary_{number}.txt").exists()


@pytest.mark.parametrize(
    ("stored", "document"),
    [(b' [1, "2"]\n', [1, "2"]), ('\ufeff{"a":"é"}'.encode(), {"a": "é"}), (b'"\xed\xa0\x80"', "\ud800")],
)
def test_text_that_others_have_written_is_read_as_json_is(stored: bytes, document: Any) -> None:
    assert unpack(stored) == document == json.loads(stored)


@pytest.mark.parametrize(
    "document",
    [b"[1]x", b"[1", b"", b"\x01", b"\x02", pack([POSITION] * 8)[:-1], pack([POSITION] * 8) + b"x"],
)
def test_a_document_that_was_cut_off_or_added_to_is_refused(document: bytes) -> None:
    with pytest.raises(ValueError, match=r"cannot be read|Expecting|Extra data"):
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


def raw(sql: str) -> list[bytes]:
    """The one column of a query as the database holds it."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return [bytes(value) for (value,) in cursor.fetchall()]


#: Every column of words, by the model that has it.
WORDS = [
    (model, field)
    for model in (JournalEntry, Offer, Procedure, Round, Transfer, Turn)
    for field in model._meta.concrete_fields
    if isinstance(field, WordField)
]


class TestWords:
    @pytest.mark.parametrize(("model", "field"), WORDS, ids=str)
    def test_every_word_that_a_column_may_hold_has_a_code(self, model: Any, field: WordField) -> None:
        for word, _ in field.choices or []:
            assert len(field.codes[word]) < len(word), f"{model.__name__}.{field.name}: {word}"

    def test_so_has_every_rulebook_and_every_profile_of_rotation(self) -> None:
        for codes, folder in ((RULEBOOKS, "rulebooks"), (ROTATIONS, "rotation")):
            assert {file.stem for file in (GAMES / folder).glob("*.toml")} == codes.keys()

    def test_codes_stay_what_they_are(self) -> None:
        """Rows that were stored under them are read by them for ever: this digest changes by new words alone."""
        known = {f"{model.__name__}.{field.name}": field.codes for model, field in WORDS}
        text = json.dumps(known, sort_keys=True)
        assert (
            hashlib.sha256(text.encode()).hexdigest()
            == "448874de1c2f9644ac0f705d8bfd54522aa36c7fbbbf261513ef41d781a03e45"
        )

    def test_answers_sort_as_their_words_do(self) -> None:
        """Shift reports hash their counts in the order in which the database gives them."""
        codes = Offer._meta.get_field("answer").codes  # type: ignore[attr-defined]
        assert sorted(codes) == sorted(codes, key=codes.__getitem__)

    def test_a_word_is_stored_as_its_code_and_any_other_as_it_is(self, open_house: House) -> None:
        open_house.play({4: 1000})
        assert set(raw_words("SELECT source FROM floor_transfer WHERE kind = 'f'")) == {"s", "b"}
        assert set(Transfer.objects.filter(kind="fee").values_list("source", flat=True)) == {"seat", "bank"}
        entry = JournalEntry.objects.filter(act="table_open").get()
        assert raw_words(f"SELECT act FROM floor_journalentry WHERE id = {entry.pk}") == ["table_open"]

    def test_what_the_database_cannot_tell_of_a_word_is_not_asked(self, open_house: House) -> None:
        for condition in ({"act__startswith": "round"}, {"act__gt": "b"}, {"chain__contains": "table"}):
            with pytest.raises(FieldError):
                JournalEntry.objects.filter(**condition).exists()

    def test_a_code_is_no_word(self, open_house: House) -> None:
        with pytest.raises(ValueError, match="is a code"):
            Transfer.objects.filter(kind="f").exists()
        for codes in ({"ab": "x", "cd": "x"}, {"ab": "cd", "cd": "y"}):
            with pytest.raises(ValueError, match="two words"):
                WordField(max_length=2, codes=codes)

    def test_a_chain_is_stored_as_the_number_of_its_table_or_room(self, open_house: House) -> None:
        table, room = open_house.table.pk, open_house.room.pk
        assert JournalEntry.objects.filter(chain=f"room:{room}").exists()
        numbers = {int(number) for number in raw_words("SELECT DISTINCT chain FROM floor_journalentry")}
        assert numbers == {table, -room}
        with pytest.raises(ValueError, match="a chain is named"):
            JournalEntry.objects.filter(chain="7").exists()

    def test_the_journal_has_the_keys_that_it_is_asked_by(self, db: None) -> None:
        """A place in a chain is the key on PostgreSQL; keys of a house's few things take four bytes there."""
        if connection.vendor == "sqlite":
            assert JournalEntry._meta.get_field("table").db_type(connection) == "bigint"
            return
        with connection.cursor() as cursor:
            constraints = connection.introspection.get_constraints(cursor, "floor_journalentry")
            columns = {
                column.name: column.type_code
                for column in connection.introspection.get_table_description(cursor, "floor_transfer")
            }
        assert [each["columns"] for each in constraints.values() if each["primary_key"]] == [["chain", "seq"]]
        assert {columns[f"{name}_id"] for name in ("room", "table", "shift", "player")} == {23}  # int4


class TestInstants:
    AT = datetime.datetime(2026, 11, 21, 9, 30, 5, 123456, tzinfo=datetime.UTC)

    def test_an_instant_comes_back_to_the_microsecond_and_is_found(self, open_house: House) -> None:
        entry = JournalEntry.objects.filter(act="table_open").get()
        (stored,) = raw_words(f"SELECT at FROM floor_journalentry WHERE id = {entry.pk}")
        if connection.vendor == "sqlite":
            assert int(stored) == round(entry.at.timestamp() * 1_000_000)
        assert JournalEntry.objects.get(at=entry.at, act="table_open") == entry
        later = entry.at + datetime.timedelta(microseconds=1)
        assert JournalEntry.objects.filter(at__gte=entry.at, at__lt=later, pk=entry.pk).exists()
        assert not JournalEntry.objects.filter(at__gte=later, pk=entry.pk).exists()
        assert JournalEntry.objects.aggregate(last=Max("at"))["last"] == JournalEntry.objects.latest("at").at

    def test_what_sqlite_would_answer_wrongly_is_not_asked(self, db: None) -> None:
        conditions: list[dict[str, Any]] = [
            {"made_at__date": self.AT.date()},
            {"made_at__lt": F("round__ended_at")},
        ]
        for condition in conditions:
            with pytest.raises(FieldError):
                Transfer.objects.filter(**condition).exists()


def raw_words(sql: str) -> list[str]:
    """The one column of a query as the database holds it, as text."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return [str(value) for (value,) in cursor.fetchall()]
