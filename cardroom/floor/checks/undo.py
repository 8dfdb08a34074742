"""Whether the last step may be taken back."""

from __future__ import annotations

import datetime

from games.phrases import Phrase, capital

from ..errors import WhyNot
from ..reads.table_reading import TableReading, once_a_reading
from ..reads.undoing import IRREGULARITY
from .procedures import why_void_due

#: How long "no more bets" can be taken back without a signature.
TAKE_BACK = datetime.timedelta(seconds=10)


@once_a_reading
def why_not_undo(reading: TableReading) -> WhyNot | None:
    """The last step within a round or a run of offers can be taken back; what has ended is corrected instead."""
    step = reading.step_back
    if (step is None or step.act != IRREGULARITY) and (why := why_void_due(reading)):
        return why
    if step is None:
        return WhyNot(
            "nothing_to_undo",
            Phrase(
                "There is no step to undo. A round that has ended is corrected, one in play can be voided."
            ),
        )
    if step.problem:
        return WhyNot(
            "cannot_undo",
            Phrase("{says} cannot be undone: {problem}", says=capital(step.says), problem=step.problem),
        )
    return None


@once_a_reading
def why_not_reopen_bets(reading: TableReading) -> WhyNot | None:
    """For ten seconds, and while no card is out, "no more bets" is taken back by a user who may call it, unsigned."""
    live = reading.live
    if live is None or live.bets_closed_at is None:
        return WhyNot("bets_open", Phrase("Bets are open already."))
    if why := why_void_due(reading):
        return why
    step = reading.step_back
    if live.dealt_at is not None or step is None or step.act != "bets_close":
        return WhyNot("cards_out", Phrase("Bets stay closed: a card is out, or was recorded as dealt."))
    if reading.now - live.bets_closed_at > TAKE_BACK:
        return WhyNot(
            "too_late",
            Phrase(
                "Bets can be reopened within {seconds} seconds. Undo it with a reason and a second person's signature.",
                seconds=TAKE_BACK.seconds,
            ),
        )
    return None
