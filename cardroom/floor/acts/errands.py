"""Work of the background that has failed: having it tried again."""

from __future__ import annotations

from cardroom.jobs.notify_worker import ring
from cardroom.people.rights import Right

from ..errors import NotFound, NotNow
from ..models import Errand
from ..models.outbox import Work
from ..outbox import why_not_again, work_again
from .commands import Answer, AtRoom, room_command


@room_command(Right.TRY_AGAIN, moves=False)
def errand_try_again(at: AtRoom, *, errand_id: int) -> Answer:
    """Have an errand that failed tried at once, whether it waits or was given up. Its count of failures begins anew."""
    errand = Errand.objects.filter(room=at.room, pk=errand_id).select_related("shift").first()
    return work_try_again(at, "errand", errand_id, errand)


def work_try_again(at: AtRoom, kind: str, pk: int, work: Work | None) -> Answer:
    """Have work of the room tried at once and keep in the journal who asked; `kind` is what it is called there.

    `work` is None where the room has none of that `pk`, which raises NotFound; NotNow where it did not fail.
    """
    if work is None:
        raise NotFound("not_found", f"This room has no {kind} {pk}.")
    if why := why_not_again(work):
        raise NotNow.because(why)
    work_again(work, at.now)
    at.journal(
        f"{kind}_try_again", {kind: work.pk, "what": str(work), "tries": work.tries, "error": work.error}
    )
    ring()
    return {kind: work.pk}
