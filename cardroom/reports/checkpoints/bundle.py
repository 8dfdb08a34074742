"""Writes the records for an inspector: journal entries, checkpoints, reports and rows of some gaming days, as one text file.

Each line is its kind and its parts with tabs between them; no part holds a tab or a line's end, since JSON escapes them. What
is hashed or signed is kept as the exact text, so that SHA-256 of a part is all that a checker computes:

    cardroom evidence 2   {"room":{…},"first":"2026-11-30","last":"2026-11-30","tables":[7]}
    checkpoint            TEXT   SIGNATURE                      in the order of their numbers
    stamp                 NUMBER   BASE64                       the response of a time stamp authority (RFC 3161)
    chain                 table:7   SEQ   HASH                  the entry that the chain's next entry follows
    entry                 TEXT                                  its hash is the `previous` of the next one
    row                   floor_offer   ID   TEXT               its digest is in the `rows` of an entry
    report                COMMAND   ID   TEXT                   figures, sections and changes
    end                   LINES                                 how many lines there were before

The first checkpoint is the last one before the days, whose heads the entries follow. Rows are what the entries of the tables
asked about wrote in those days, as it is now; checkpoints and entries go on to the present, since a later one may have changed
a row.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from django.apps import apps
from django.db import models
from django.db.models import QuerySet

from cardroom.config.databases import snapshot
from cardroom.core.canonical import canonical_json
from cardroom.core.row_digests import is_digested, text_of
from cardroom.floor.journal import CHUNK, Head, chain_name, entry_text
from cardroom.floor.models import JournalEntry, Table
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room

from ..models import SignedCheckpoint, TimeStamp
from ..stored.store import content_text, heads_now
from .against import REPORTS

FORMAT: Final = "cardroom evidence 2"
SUFFIX: Final = ".evidence"
#: The page that checks a bundle: one file, opened in a browser, without the site and without a network.
CHECKER: Final = Path(__file__).with_name("check_evidence.html")
#: Apps whose rows are facts of the floor: rounds, offers, transfers, boxes. Rows about people stay in the database.
_OF_THE_FLOOR: Final = {"floor", "drop", "tips"}

#: Ids of rows by table of the database.
_Written = dict[str, set[str]]


def bundle_lines(
    room: Room, first: datetime.date, last: datetime.date, tables: Sequence[Table]
) -> Iterator[str]:
    """Yield the lines of a bundle about some tables, as they were in the database at one moment."""
    with snapshot():
        lines = 0
        for parts in _parts(room, first, last, tables):
            lines += 1
            yield "\t".join(parts) + "\n"
        yield f"end\t{lines}\n"


def _parts(
    room: Room, first: datetime.date, last: datetime.date, tables: Sequence[Table]
) -> Iterator[tuple[str, ...]]:
    about = {
        "room": {"id": room.pk, "code": room.code, "name": room.name},
        "first": first.isoformat(),
        "last": last.isoformat(),
        "tables": [table.number for table in tables],
    }
    yield FORMAT, canonical_json(about)
    begins, ends = gaming_day_bounds(room, first)[0], gaming_day_bounds(room, last)[1]
    checkpoints = list(_checkpoints(room, begins))
    for each in checkpoints:
        yield "checkpoint", each.document, each.signature
    for stamp in TimeStamp.objects.filter(checkpoint__in=checkpoints).order_by("checkpoint"):
        yield "stamp", str(stamp.checkpoint.number), stamp.token
    before = checkpoints[0].signed.heads if checkpoints and checkpoints[0].made_at < begins else []
    until = heads_now(room)
    of_tables = {chain_name(table) for table in tables}
    for head in until:
        since = next((each for each in before if each.chain == head.chain), Head(head.chain, 0, ""))
        yield "chain", head.chain, str(since.seq), since.hash
        written: _Written = defaultdict(set)
        for entry, previous in _entries(since, head):
            yield "entry", entry_text(entry, previous)
            if head.chain in of_tables and begins <= entry.at < ends:
                for name, digests in entry.rows.items():
                    written[name].update(digests)
        yield from _rows(written)
    yield from _reports(room, before, until)


def _checkpoints(room: Room, begins: datetime.datetime) -> QuerySet[SignedCheckpoint]:
    """The last checkpoint before an instant, and all after it."""
    of_room = SignedCheckpoint.objects.filter(room=room).order_by("number")
    before = of_room.filter(made_at__lt=begins).last()
    return of_room if before is None else of_room.filter(number__gte=before.number)


def _entries(since: Head, until: Head) -> Iterator[tuple[JournalEntry, str]]:
    """The entries of a chain behind one head and up to another, each with the hash of the one before it."""
    previous = since.hash
    entries = JournalEntry.objects.filter(chain=until.chain, seq__gt=since.seq, seq__lte=until.seq)
    for entry in entries.order_by("seq").iterator():
        yield entry, previous
        previous = entry.hash


def _reports(room: Room, before: list[Head], until: list[Head]) -> Iterator[tuple[str, ...]]:
    """The reports that the room's journal says were stored between two heads."""
    chain = chain_name(room)
    since = next((head.seq for head in before if head.chain == chain), 0)
    last = next((head.seq for head in until if head.chain == chain), 0)
    entries = JournalEntry.objects.filter(chain=chain, seq__gt=since, seq__lte=last, command__in=REPORTS)
    for entry in entries.order_by("seq"):
        report = REPORTS[entry.command]._default_manager.filter(pk=entry.data["report"]).first()
        if report is not None:
            yield "report", entry.command, str(report.pk), content_text(report)


def _rows(written: _Written) -> Iterator[tuple[str, ...]]:
    """The rows of the floor among those that were written, table after table, as they are now."""
    for model in apps.get_models(include_auto_created=True):
        name = model._meta.db_table
        if name not in written or model._meta.app_label not in _OF_THE_FLOOR or not is_digested(model):
            continue
        for row in _read(model, sorted(int(pk) for pk in written[name])):
            if (text := text_of(row)) is not None:
                yield "row", name, str(row.pk), text


def _read(model: type[models.Model], pks: Sequence[int]) -> Iterable[models.Model]:
    for at in range(0, len(pks), CHUNK):
        yield from model._base_manager.filter(pk__in=pks[at : at + CHUNK]).order_by("pk")
