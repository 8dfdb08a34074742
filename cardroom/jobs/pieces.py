"""Long work in pieces: jobs that are part of another, left to workers together, counted, and put together by its second run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from .lifecycle import OPEN, job_ask
from .models import Job

#: Of pieces that have failed, so many are named.
_MOST_NAMED: Final = 5


class PiecesFailed(Exception):
    """Some pieces have failed, so that the whole cannot be put together; the message names them."""


@dataclasses.dataclass(frozen=True)
class PieceCounts:
    """How many pieces a job has, how many are done, and how many have failed for good."""

    pieces: int
    done: int
    failed: int


@transaction.atomic
def pieces_leave(whole: Job, kind: str, pieces: Iterable[Mapping[str, Any]]) -> None:
    """Leave every piece to workers, each a job of this kind with these arguments; `about` among them names it.

    A second worker that leaves the same is refused by the keys.
    """
    now = timezone.now()
    for number, arguments in enumerate(pieces):
        job_ask(
            kind,
            room=whole.at_room,
            at=now,
            cause="piece",
            arguments=arguments,
            key=f"{whole.pk} {number:06}",
            at_most_one=Job.AtMostOne.EVER,
            part_of=whole,
        )


def pieces_done(whole: Job) -> list[Job] | None:
    """Return the pieces of a job in their order, all of them finished; None where some are still to be done, or none was left.

    Raises PiecesFailed.
    """
    pieces = list(whole.pieces.order_by("pk"))
    if not pieces or any(piece.state in OPEN for piece in pieces):
        return None
    failed = [piece for piece in pieces if piece.state != Job.State.FINISHED]
    if failed:
        named = "; ".join(f"{piece.arguments['about']}: {piece.error}" for piece in failed[:_MOST_NAMED])
        raise PiecesFailed(f"{len(failed)} of {len(pieces)} parts were not done. {named}")
    return pieces


def piece_counts(whole: Job) -> PieceCounts:
    """Count the pieces of a job."""
    states = Job.State
    found = whole.pieces.aggregate(
        pieces=Count("pk"),
        done=Count("pk", filter=Q(state=states.FINISHED)),
        failed=Count("pk", filter=Q(state=states.FAILED)),
    )
    return PieceCounts(**found)


def pieces_failing(whole: Job) -> list[Job]:
    """Return the pieces that have failed for good, or are tried again: the first ones."""
    failed = Q(state=Job.State.FAILED) | Q(state__in=OPEN, tries__gt=0)
    return list(whole.pieces.filter(failed).order_by("pk")[:_MOST_NAMED])
