"""Making shift reports."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.floor.errors import NotFound, NotNow
from cardroom.floor.journal import Head, chain_name
from cardroom.floor.models import Shift, Table
from cardroom.floor.services.commands import AtRoom, locked
from cardroom.floor.services.watch import house_clock
from cardroom.people.models import Player
from cardroom.rooms.models import Room

from .figures import Figures, Subject
from .letters import letters_of_report
from .making import figures_made, tables_spoken_of
from .models import ShiftReport
from .reading import Inputs, inputs_hash, inputs_read, instant, plain_hash
from .restating import changes_between
from .sections import Section, sections_read
from .selectors import report_of, why_not_report

#: The act by which the room's journal keeps that a report was made, and what was in it.
REPORT_ACT = "shift_report"


def shift_report_make(shift_id: int) -> ShiftReport:
    """Make the report of a closed shift, restate it when what it tells of has changed, or return the one that stands.

    However often it runs, there is one report of a revision. Raises NotFound for an unknown shift, NotNow for an open one
    and while a round of it is still in play.
    """
    with transaction.atomic():
        shift = Shift.objects.select_related("room", "opened_by", "closed_by").filter(pk=shift_id).first()
        if shift is None:
            raise NotFound("not_found", f"There is no shift {shift_id}.")
        if why := why_not_report(shift):
            raise NotNow.because(why)
        standing = report_of(shift)
        inputs, sections = inputs_read(shift), sections_read(shift)
        if standing is not None and _is_unchanged(standing, inputs, sections):
            return standing
    try:
        with locked(Room, shift.room_id) as room:
            return _written(room, shift, standing, inputs, sections)
    except IntegrityError:  # somebody else made it at the same moment; the database lets one through
        made = report_of(shift)
        if made is None:
            raise
        return made


def _is_unchanged(standing: ShiftReport, inputs: Inputs, sections: list[Section]) -> bool:
    same_inputs = inputs_hash(inputs, standing.chain_heads) == standing.inputs_hash
    return same_inputs and plain_hash(sections) == plain_hash(standing.sections)


def _written(
    room: Room, shift: Shift, standing: ShiftReport | None, inputs: Inputs, sections: list[Section]
) -> ShiftReport:
    """Write one report, and its hash into the journal of the room, whose row is locked."""
    now, figures, heads = timezone.now(), figures_of(shift, inputs), heads_now(shift.room_id)
    changes = (
        []
        if standing is None
        else changes_between((standing.figures, standing.sections), (figures, sections))
    )
    report = ShiftReport(
        shift=shift,
        room=room,
        revision=0 if standing is None else standing.revision + 1,
        restates=standing,
        made_at=now,
        figures=figures,
        sections=sections,
        changes=changes,
        inputs_hash=inputs_hash(inputs, heads),
        heads=[{"chain": head.chain, "seq": head.seq, "hash": head.hash} for head in heads],
    )
    report.content_hash = content_hash(report)
    report.save(force_insert=True)
    at = AtRoom(room=room, actor=house_clock(), now=now)
    at.journal(
        REPORT_ACT,
        {
            "report": report.pk,
            "shift": shift.pk,
            "revision": report.revision,
            "content_hash": report.content_hash,
            "inputs_hash": report.inputs_hash,
        },
    )
    letters_of_report(report, now)
    return report


def content_hash(report: ShiftReport) -> str:
    """Return the hex SHA-256 of what a report says: its figures, sections and changes."""
    return plain_hash({"figures": report.figures, "sections": report.sections, "changes": report.changes})


def figures_of(shift: Shift, inputs: Inputs) -> Figures:
    """Make the figures of what was read, with the names of now, for every table of the room."""
    return figures_made(
        inputs,
        subject=_subject(shift),
        numbers=dict(
            Table.objects.filter(room=shift.room).values_list("pk", "number")
            | Table.objects.filter(pk__in=tables_spoken_of(inputs)).values_list("pk", "number"),
        ),
        players=dict(
            Player.objects.filter(pk__in={run["player"] for run in inputs.runs}).values_list("pk", "name"),
        ),
    )


def heads_now(room_id: int) -> list[Head]:
    """Return the heads of the chains of a room and of all its tables, as they stand on their rows."""
    room = Room.objects.get(pk=room_id)
    holders: list[Room | Table] = [room, *Table.objects.filter(room=room).order_by("pk")]
    return [
        Head(chain=chain_name(holder), seq=holder.chain_seq, hash=holder.chain_hash) for holder in holders
    ]


def _subject(shift: Shift) -> Subject:
    opened_at, closed_at = instant(shift.opened_at), instant(shift.closed_at)
    assert opened_at is not None
    assert closed_at is not None  # why_not_report has seen to it
    return {
        "room": shift.room_id,
        "room_name": shift.room.name,
        "time_zone": shift.room.time_zone,
        "shift": shift.pk,
        "shift_name": shift.name,
        "gaming_day": shift.gaming_day.isoformat(),
        "opened_at": opened_at,
        "opened_by": str(shift.opened_by),
        "closed_at": closed_at,
        "closed_by": str(shift.closed_by),
    }
