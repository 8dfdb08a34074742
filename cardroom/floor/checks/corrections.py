"""Precondition check: whether a settled round may be corrected."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..models import Round
from ..reads.table_state import TableState
from .shifts import why_no_shift


def why_not_correct(state: TableState, round_: Round) -> WhyNot | None:
    """A settled round is corrected once; what is wrong with a correction is corrected in its turn."""
    if round_.is_live:
        return WhyNot(
            "round_live",
            Phrase(
                "Round {number} is in play. Undo the last step, or void it, instead.", number=round_.number
            ),
        )
    if round_.state == Round.State.VOID:
        return WhyNot(
            "round_void", Phrase("Round {number} is void; there is nothing to correct.", number=round_.number)
        )
    later = Round.objects.filter(corrects=round_).first()
    if later is not None:
        return WhyNot(
            "corrected_before",
            Phrase(
                "Round {number} was corrected by {corrected_by}. Correct that correction, if it is wrong.",
                number=round_.number,
                corrected_by=later.corrected_by,
            ),
        )
    return why_no_shift(state)
