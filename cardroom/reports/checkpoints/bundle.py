"""Writes an inspector's bundle: journal entries, checkpoints and reports of some gaming days of a room, as one text file.

Each line is its kind and its parts with tabs between them; no part holds a tab or a line's end, since JSON escapes them. What
is hashed or signed is kept as the exact text, so that SHA-256 of a part is all that a checker computes:

    cardroom evidence 1   {"room":{…},"first":"2026-11-30","last":"2026-11-30"}
    checkpoint            TEXT   SIGNATURE                      in the order of their numbers
    stamp                 NUMBER   BASE64                       the response of a time stamp authority (RFC 3161)
    chain                 table:7   SEQ   HASH                  the entry that the chain's next entry follows
    entry                 TEXT                                  its hash is the `previous` of the next one
    report                COMMAND   ID   TEXT                       figures, sections and changes
    end                   LINES                                 how many lines there were before

The first checkpoint is the last one before the days, whose heads the entries follow; the last is the first one after them,
where there is one already.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.db.models import QuerySet

from cardroom.config.databases import snapshot
from cardroom.core.canonical import canonical_json
from cardroom.floor.journal import Head, chain_name, entry_text
from cardroom.floor.models import JournalEntry
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room

from ..models import SignedCheckpoint, TimeStamp
from ..stored.store import content_text, heads_now
from .against import REPORTS

FORMAT: Final = "cardroom evidence 1"
SUFFIX: Final = ".evidence"
#: The page that checks a bundle: one file, opened in a browser, without the site and without a network.
CHECKER: Final = Path(__file__).with_name("check_evidence.html")


def bundle_lines(room: Room, first: datetime.date, last: datetime.date) -> Iterator[str]:
    """Yield the lines of a bundle, as they were in the database at one moment."""
    with snapshot():
        lines = 0
        for parts in _parts(room, first, last):
            lines += 1
            yield "\t".join(parts) + "\n"
        yield f"end\t{lines}\n"


def _parts(room: Room, first: datetime.date, last: datetime.date) -> Iterator[tuple[str, ...]]:
    about = {"room": {"id": room.pk, "code": room.code, "name": room.name}}
    yield FORMAT, canonical_json({**about, "first": first.isoformat(), "last": last.isoformat()})
    checkpoints = list(_checkpoints(room, first, last))
    for each in checkpoints:
        yield "checkpoint", each.document, each.signature
    for stamp in TimeStamp.objects.filter(checkpoint__in=checkpoints).order_by("checkpoint"):
        yield "stamp", str(stamp.checkpoint.number), stamp.token
    begins, ends = gaming_day_bounds(room, first)[0], gaming_day_bounds(room, last)[1]
    before = checkpoints[0].signed.heads if checkpoints and checkpoints[0].made_at < begins else []
    is_closed = bool(checkpoints) and checkpoints[-1].made_at >= ends
    until = checkpoints[-1].signed.heads if is_closed else heads_now(room)
    for head in until:
        yield from _chain(next((each for each in before if each.chain == head.chain), None), head)
    yield from _reports(room, before, until)


def _checkpoints(room: Room, first: datetime.date, last: datetime.date) -> QuerySet[SignedCheckpoint]:
    """The checkpoints of these days, the last one before them and the first one after them."""
    begins, ends = gaming_day_bounds(room, first)[0], gaming_day_bounds(room, last)[1]
    of_room = SignedCheckpoint.objects.filter(room=room).order_by("number")
    before, after = of_room.filter(made_at__lt=begins).last(), of_room.filter(made_at__gte=ends).first()
    if before is not None:
        of_room = of_room.filter(number__gte=before.number)
    if after is not None:
        of_room = of_room.filter(number__lte=after.number)
    return of_room


def _chain(since: Head | None, until: Head) -> Iterator[tuple[str, ...]]:
    """The entries of a chain behind one head and up to another."""
    since = since or Head(until.chain, 0, "")
    yield "chain", until.chain, str(since.seq), since.hash
    previous = since.hash
    entries = JournalEntry.objects.filter(chain=until.chain, seq__gt=since.seq, seq__lte=until.seq)
    for entry in entries.order_by("seq").iterator():
        yield "entry", entry_text(entry, previous)
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
