"""`python -m tests.measure.growth.feed`: what pages of a room's feed read and take, with a million entries in its journal.

Beside it the database has two more rooms with half a million each. Prints a row for each page, as docs/programs.md has them.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import sys
import time

from tests.servers.postgres import Postgres

_TABLES = 20
_TIMES = 20


def main(entries: int) -> int:
    """Make the rooms, and read pages from the beginning, the middle and the end, as a program does."""
    # The settings of the test run need the database first, and Django the settings.
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import CaptureQueriesContext, setup_test_environment

    from cardroom.floor.models import JournalEntry, Table
    from cardroom.floor.reads.feed import LATEST, Place, feed_read, position_text
    from cardroom.rooms.models import Room
    from tests.api.programs import calling, make_program
    from tests.cast import Cast
    from tests.databases import tables_made

    from .entries import entries_put_in
    from .pages import most_read, read_of_tables

    setup_test_environment()
    logging.disable(logging.INFO)  # a line for each request
    tables_made("default")
    cast = Cast()
    cast.running()
    cast.play({4: 1000})
    third = Room.objects.create(name="Third", code="third")
    for room, share in ((cast.room, 1.0), (cast.rival, 0.5), (third, 0.5)):
        for number in range(100, 100 + _TABLES):
            Table.objects.create(room=room, number=number)
        tables = list(Table.objects.filter(room=room))
        entries_put_in(Room.objects.get(pk=room.pk), tables, int(entries * share), like=cast.table)
    token = make_program(cast, "see_reports")["token"]
    caller = calling(cast, token)
    heads = {0: Room.objects.get(pk=cast.room.pk).chain_seq}
    heads |= dict(Table.objects.filter(room=cast.room).values_list("pk", "chain_seq"))
    there = JournalEntry.objects.filter(room=cast.room)
    print(f"{JournalEntry.objects.count():,} entries, {there.count():,} of the room, {len(heads)} chains")

    def position(left: int, parts: int) -> str:
        """So far that of each chain `left` entries, or a half of them, are still to come."""
        read = {}
        for table, head in heads.items():
            seq = head // parts if parts > 1 else head - left
            chain = f"table:{table}" if table else f"room:{cast.room.pk}"
            read[table] = Place(seq, JournalEntry.objects.get(chain=chain, seq=seq).hash[:8])
        return position_text(cast.room, read)

    pages = {
        "the first": None,
        "in the middle": position(0, 2),
        "the last": position(9, 1),
        "nothing new": feed_read(cast.room, LATEST, 1).position,
    }
    for name, after in pages.items():
        path = f"rooms/{cast.room.pk}/feed?limit=200" + (f"&after={after}" if after else "")
        took, answer = [], caller.get(path)
        for _ in range(_TIMES):
            begun = time.perf_counter()
            answer = caller.get(path)
            took.append(time.perf_counter() - begun)
        with CaptureQueriesContext(connection) as captured:
            caller.get(path)
        asked = [query["sql"] for query in captured.captured_queries if "floor_journalentry" in query["sql"]]
        rows = sum(read_of_tables(query).get("floor_journalentry", 0) for query in asked)
        most = max((most_read(name, query) for query in asked), key=lambda read: read.rows)
        print(
            f"| {name} | {len(answer.said['results'])} | {len(asked)} | {rows:,} | {most.rows} ({most.step}) | "
            f"{statistics.median(took) * 1000:.0f} ms |"
        )
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000, help="entries in the room's journal")
    wanted = parser.parse_args()
    with Postgres(
        settings={"shared_buffers": "512MB", "maintenance_work_mem": "256MB", "max_wal_size": "4GB"}
    ) as server:
        os.environ["CARDROOM_DATABASE_URL"] = server.url.replace("/cardroom?", "/postgres?")
        sys.exit(main(wanted.entries))
