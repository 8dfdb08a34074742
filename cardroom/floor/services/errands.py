"""Errands that have failed: having them tried again."""

from __future__ import annotations

from cardroom.people.rights import Right

from ..doorbell import ring_for_reports
from ..errors import NotFound, NotNow
from ..models import Errand
from ..outbox import why_not_again, work_again
from .commands import Answer, AtRoom, room_command


@room_command(Right.TRY_AGAIN, moves=False)
def errand_try_again(at: AtRoom, *, errand_id: int) -> Answer:
    """Have an errand that failed tried at once, whether it waits or was given up. Its count of failures begins anew."""
    errand = Errand.objects.filter(room=at.room, pk=errand_id).select_related("shift").first()
    if errand is None:
        raise NotFound("not_found", f"This room has no errand {errand_id}.")
    if why := why_not_again(errand):
        raise NotNow.because(why)
    work_again(errand, at.now)
    at.journal(
        "errand_try_again",
        {"errand": errand.pk, "what": str(errand), "tries": errand.tries, "error": errand.error},
    )
    ring_for_reports()
    return {"errand": errand.pk}
