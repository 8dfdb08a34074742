"""The same rows without the house: a plpgsql function that writes what a posted sheet has written."""

from __future__ import annotations

import itertools
import json
from typing import Any

import psycopg
from django.db import connection

from cardroom.floor.models import JournalEntry, Procedure, Round, StoredAnswer, Transfer

#: The rows of a round, by table; each names the round by a column, or not.
_WITH_ROUND = {Transfer: "round_id", Procedure: "round_id", JournalEntry: None, StoredAnswer: None}

_FUNCTION = """
CREATE OR REPLACE FUNCTION bare_post(doc jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    round bigint := nextval(pg_get_serial_sequence('floor_round', 'id'));
BEGIN
    PERFORM 1 FROM floor_table WHERE id = (doc->'round'->>'table_id')::bigint FOR UPDATE;
    INSERT INTO floor_round SELECT * FROM jsonb_populate_record(
        NULL::floor_round, doc->'round' || jsonb_build_object('id', round));
    {inserts}
    UPDATE floor_turn SET rounds = rounds WHERE id = (doc->'round'->>'turn_id')::bigint;
    UPDATE floor_table SET version = version, chain_seq = chain_seq, chain_hash = chain_hash
    WHERE id = (doc->'round'->>'table_id')::bigint;
    RETURN round;
END $$
"""

_INSERT = """
    INSERT INTO {table} SELECT written.* FROM jsonb_array_elements(doc->'{table}') AS row, jsonb_populate_record(
        NULL::{table}, row || jsonb_build_object('id', nextval(pg_get_serial_sequence('{table}', 'id')){round})
    ) AS written;"""


class BarePosting:
    """Posts one round after another by the function, on a connection of its own, each in a transaction of its own.

    The rows are those that the last sheet posted, which was at `table_id`, has written; numbers and keys are new.
    """

    def __init__(self, table_id: int) -> None:
        with connection.cursor() as cursor:
            inserts = "".join(
                _INSERT.format(
                    table=model._meta.db_table, round="" if column is None else f", '{column}', round"
                )
                for model, column in _WITH_ROUND.items()
            )
            cursor.execute(_FUNCTION.format(inserts=inserts))
        self._table_id = table_id
        self._written = _rows_of_last(table_id)
        self._numbers = itertools.count(1)
        where = connection.settings_dict
        self._connection = psycopg.connect(
            host=where["HOST"], user=where["USER"], dbname=where["NAME"], autocommit=True
        )

    def post(self) -> None:
        number = 100_000 + next(self._numbers)
        rows = self._written
        rows["round"]["number"] = number
        for place, entry in enumerate(rows[JournalEntry._meta.db_table]):
            entry["seq"] = 10 * number + place
        rows[StoredAnswer._meta.db_table][0]["key"] = f"bare-{self._table_id}-{number}"
        self._connection.execute("SELECT bare_post(%s::jsonb)", (json.dumps(rows),))


def _rows_of_last(table_id: int) -> dict[str, Any]:
    """The rows of the last round at a table as the database words them in JSON, by table; the round's own apart."""
    last = Round.objects.filter(table=table_id).latest("pk")
    of_round: dict[Any, Any] = {
        Transfer: Transfer.objects.filter(round=last),
        Procedure: Procedure.objects.filter(round=last),
        JournalEntry: JournalEntry.objects.filter(table=table_id, at=last.opened_at),
        StoredAnswer: StoredAnswer.objects.order_by("-pk")[:1],
    }
    [round_row] = _as_json(Round, [last.pk])
    rows = {model._meta.db_table: _as_json(model, [row.pk for row in of_round[model]]) for model in of_round}
    assert all(rows.values()), "a sheet that was posted writes into each of these"
    return {"round": round_row, **rows}


def _as_json(model: Any, ids: list[int]) -> list[dict[str, Any]]:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT to_jsonb(t)::text FROM {table} AS t WHERE id = ANY(%s) ORDER BY id", [ids])
        return [json.loads(row) for (row,) in cursor.fetchall()]
