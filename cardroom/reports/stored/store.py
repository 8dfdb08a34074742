"""Stores a report as it was made, with its content hash and the heads of the journal: what every kind of report has in common."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from cardroom.core.canonical import canonical_json
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.journal import Head, chain_name
from cardroom.floor.models import Table
from cardroom.rooms.models import Room

from ..models import PeriodReport, ShiftReport, StoredReport
from ..sections.section import Section
from .diff import changes_between
from .reading import sections_of

R = TypeVar("R", ShiftReport, PeriodReport)


def report_keep(
    report: R,
    room: Room,
    *,
    current: R | None,
    inputs_hash: Callable[[list[Head]], str],
    command: str,
    about: Mapping[str, int | str],
) -> R:
    """Write a report with its figures and sections, and its hash into the journal of `room`, whose row is locked.

    `current` is the report that it takes the place of, if any; `inputs_hash` answers with the hash of what it was made
    from and the journal's heads of now. The entry is a `command` and says what the report is `about`.
    """
    heads = heads_now(room)
    report.made_at = command_time(room).now
    if current is not None:
        report.restates, report.revision = current, current.revision + 1
        report.changes = changes_between(_compared(current), _compared(report))
    report.heads = [{"chain": head.chain, "seq": head.seq, "hash": head.hash} for head in heads]
    report.inputs_hash = inputs_hash(heads)
    report.content_hash = content_hash(report)
    report.save(force_insert=True)
    RoomTransaction(room=room, actor=clock_account(), now=report.made_at).journal(
        command,
        {
            "report": report.pk,
            **about,
            "revision": report.revision,
            "content_hash": report.content_hash,
            "inputs_hash": report.inputs_hash,
        },
    )
    return report


def _compared(report: ShiftReport | PeriodReport) -> tuple[Mapping[str, Any], Sequence[Section]]:
    return report.figures, sections_of(report)


def content_hash(report: StoredReport) -> str:
    """Return the hex SHA-256 of what a report says."""
    return hashlib.sha256(content_text(report).encode()).hexdigest()


def content_text(report: StoredReport) -> str:
    """Return what a report says as canonical JSON: its figures, sections and changes."""
    return canonical_json({"figures": report.figures, "sections": report.sections, "changes": report.changes})


def heads_now(room: Room) -> list[Head]:
    """Return the heads of the chains of a room, whose row is locked, and of all its tables."""
    holders: list[Room | Table] = [room, *Table.objects.filter(room=room).order_by("pk")]
    return [
        Head(chain=chain_name(holder), seq=holder.chain_seq, hash=holder.chain_hash) for holder in holders
    ]
