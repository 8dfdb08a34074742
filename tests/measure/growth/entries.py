"""Journal entries by the hundred thousand, put into a PostgreSQL database by one statement a room, in the order of their time.

Each is a copy of one that a table has, in its size; their hashes chain to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from cardroom.floor.journal import chain_name
from cardroom.floor.models import JournalEntry, Table
from cardroom.rooms.models import Room

_COLUMNS = "room_id, table_id, chain, seq, at, actor_id, actor_name, roles, command, data, reason, rows, hash"
#: One entry a second, of the chains in turn, in rows that lie as they would have been written.
_PUT_IN = f"""
    INSERT INTO floor_journalentry ({_COLUMNS})
    WITH template AS (SELECT *, row_number() OVER (ORDER BY id) - 1 AS turn FROM floor_journalentry WHERE chain = %(of)s),
    place AS (SELECT *, ordinality - 1 AS turn FROM unnest(%(tables)s::bigint[], %(chains)s::text[], %(heads)s::bigint[])
        WITH ORDINALITY AS each (on_table, named, head, ordinality)),
    entry AS (SELECT number, number %% (SELECT count(*) FROM place) AS place, number / (SELECT count(*) FROM place) AS nth,
        number / (SELECT count(*) FROM place) %% (SELECT count(*) FROM template) AS template
        FROM generate_series(0, %(entries)s - 1) AS number)
    SELECT %(room)s, place.on_table, place.named, place.head + entry.nth + 1,
        template.at + (entry.number + 1) * interval '1 second', actor_id, actor_name, roles, command, data, reason, rows,
        md5(place.named || entry.nth) || md5(entry.nth || place.named)
    FROM entry JOIN place ON place.turn = entry.place JOIN template ON template.turn = entry.template
    ORDER BY entry.number
"""


def entries_put_in(room: Room, tables: Sequence[Table], entries: int, *, like: Table) -> None:
    """Write `entries` more into the chains of a room and its tables, in turn, of the kinds that `like` has; their heads move on."""
    chains: list[tuple[int | None, str, int]] = [(None, chain_name(room), room.chain_seq)]
    chains += [(table.pk, chain_name(table), table.chain_seq) for table in tables]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no trigger, no foreign key
        cursor.execute(
            _PUT_IN,  # our own text
            {
                "of": chain_name(like),
                "tables": [table for table, _, _ in chains],
                "chains": [name for _, name, _ in chains],
                "heads": [head for _, _, head in chains],
                "entries": entries,
                "room": room.pk,
            },
        )
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE floor_journalentry")
    for table_pk, name, _ in chains:
        last = JournalEntry.objects.filter(chain=name).latest("seq")
        of = Room.objects.filter(pk=room.pk) if table_pk is None else Table.objects.filter(pk=table_pk)
        of.update(chain_seq=last.seq, chain_hash=last.hash)
