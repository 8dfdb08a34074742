"""Fees computed again in the background: asked for by a person, done by a worker, kept as a record."""

from __future__ import annotations

import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from cardroom.documents.document import Paper
from cardroom.floor.acts.commands import Answer, AtRoom, room_command
from cardroom.floor.errors import BadInput, NotFound, NotNow, WhyNot
from cardroom.floor.models import Round, Shift
from cardroom.floor.notify_worker import ring_for_reports
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from .compliance.recomputed import NOTES, answers_of, grids_of
from .long_runs import ENDS_JOURNALED, UNDER_WAY, Telling, run_carried_out, runs_due, why_not_again
from .models import Recomputation
from .query import MOST_DAYS, Asked
from .recomputing import charged_rounds, compute_again


def recomputations_of(room: Room) -> list[Recomputation]:
    """Return the last recomputations of a room, the latest first."""
    return list(Recomputation.objects.filter(room=room).select_related("asked_by")[:50])


def recomputation_of(room: Room, pk: int) -> Recomputation:
    """Return one of the room's recomputations; raises NotFound."""
    found = Recomputation.objects.filter(room=room, pk=pk).select_related("asked_by", "room").first()
    if found is None:
        raise NotFound("not_found", f"There is no recomputation {pk} in this room.")
    return found


def why_not_recompute(room: Room) -> WhyNot | None:
    """A room has one under way at a time."""
    if Recomputation.objects.filter(room=room, state__in=UNDER_WAY).exists():
        return WhyNot(
            "recomputation_under_way", "Fees are being computed again already. Wait until it has ended."
        )
    return None


@room_command(Right.VERIFY, moves=False)
def recomputation_start(at: AtRoom, *, first: datetime.date, last: datetime.date) -> Answer:
    """Ask for the fees of gaming days `first` to `last`, both included, to be computed again."""
    if last < first:
        raise BadInput("days_reversed", f"The period ends on {last}, before it begins on {first}.", path="to")
    if first.year < 2000 or last.year > 2999:
        raise BadInput("no_such_days", "Give days between 2000-01-01 and 2999-12-31.", path="from")
    if (last - first).days + 1 > MOST_DAYS:
        raise BadInput("too_many_days", f"At most {MOST_DAYS} gaming days at a time.", path="to")
    return _start(at, first, last)


@room_command(Right.TRY_AGAIN, moves=False)
def recomputation_try_again(at: AtRoom, *, recomputation_id: int) -> Answer:
    """Ask anew for one that has failed. The one that failed stays on record."""
    failed = recomputation_of(at.room, recomputation_id)
    if why := why_not_again(failed):
        raise NotNow.because(why)
    return _start(at, failed.first, failed.last)


def _start(at: AtRoom, first: datetime.date, last: datetime.date) -> Answer:
    if why := why_not_recompute(at.room):
        raise NotNow.because(why)
    run = Recomputation.objects.create(
        room=at.room, first=first, last=last, asked_at=at.now, asked_by=at.actor
    )
    at.journal(
        "recomputation_start",
        {"recomputation": run.pk, "first": str(first), "last": str(last), ENDS_JOURNALED: True},
    )
    ring_for_reports()
    return {"recomputation": run.pk}


def recomputations_failed(room: Room) -> QuerySet[Recomputation]:
    """Return those of the room that failed and that nobody has asked for since: the same days again."""
    later = Recomputation.objects.filter(
        room=OuterRef("room"), first=OuterRef("first"), last=OuterRef("last"), pk__gt=OuterRef("pk")
    )
    failed = Recomputation.objects.filter(room=room, state=Recomputation.State.FAILED)
    return failed.filter(~Exists(later)).select_related("room")


def recomputations_due(now: datetime.datetime) -> list[int]:
    """Return the ids of those that wait, and of those whose worker has fallen silent."""
    return runs_due(Recomputation, now)


def recomputation_run(pk: int) -> bool:
    """Compute what was asked for, and keep what came of it; False when somebody else is at it or has been."""
    return run_carried_out(Recomputation, pk, _computed)


def _computed(run: Recomputation, telling: Telling) -> dict[str, Any]:
    shifts = Shift.objects.filter(room_id=run.room_id, gaming_day__range=(run.first, run.last))
    ids = list(shifts.order_by("opened_at").values_list("pk", flat=True))
    telling.total(charged_rounds(Round.objects.filter(shift__in=ids)).count())
    made = compute_again(Round.objects.all(), ids, telling.done)
    return {
        "done": made.rounds,
        "total": made.rounds,
        "differing": made.differing,
        "kept": made.kept,
        "found": made.found,
        "charged": made.charged,
    }


def recomputation_paper(run: Recomputation, staff: Staff) -> Paper:
    """Return a finished recomputation as a paper: what came out then, and nothing computed now."""
    assert run.ended_at is not None  # only what has ended is told
    asked = Asked(run.room, run.first, run.last, staff, run.ended_at)
    ended = f"{run.ended_at.astimezone(run.room.zone):%Y-%m-%d %H:%M %Z}"
    return asked.paper(
        "recomputation",
        "Fees computed again",
        answers=answers_of(run.done, run.differing, run.kept),
        grids=grids_of(run.found, run.charged, run.differing),
        notes=(f"Asked for by {run.asked_by}, computed in the background, ended {ended}.", *NOTES),
    )
