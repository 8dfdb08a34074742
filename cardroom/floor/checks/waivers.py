"""Whether a fee may be waived, and whether its waiver holds for the wagers."""

from __future__ import annotations

from typing import Any

from games.phrases import Phrase

from ..errors import WhyNot
from ..models import Round
from ..reads.table_reading import TableReading, once_a_reading
from ..waiver_rules import why_rule_ends
from .procedures import why_void_due


@once_a_reading
def why_not_waive(reading: TableReading) -> WhyNot | None:
    """A fee is waived until "no more bets" fixes it, by a rule that the schedule publishes (ruling 13)."""
    if reading.schedule is None or not reading.schedule.waivers:
        if reading.schedule is None:
            says = Phrase("No fee is collected here; there is no rule by which a fee could be waived.")
        else:
            says = Phrase(
                "{title} publishes no rule by which a fee could be waived.", title=reading.schedule.title
            )
        return WhyNot("no_waiver_rule", says)
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is open. A waiver is of the fees of a round."))
    if reading.live.state != Round.State.BETTING:
        return WhyNot(
            "fees_fixed",
            Phrase(
                'The fees of round {number} were fixed at "no more bets" and are not waived any more; a void gives them back.',
                number=reading.live.number,
            ),
        )
    return why_void_due(reading)


@once_a_reading
def why_not_withdraw_waiver(reading: TableReading) -> WhyNot | None:
    """A waiver is withdrawn while the fees are not fixed yet."""
    if why := why_not_waive(reading):
        return why
    if not reading.waivers:
        return WhyNot("no_waiver", Phrase("No fee of this round is waived."))
    return None


def why_waiver_ends(reading: TableReading, bets: list[dict[str, Any]]) -> WhyNot | None:
    """Fees are not fixed by a waiver whose rule does not hold for these wagers."""
    for waiver in reading.waivers:
        assert reading.schedule is not None  # a waiver rests on one
        rule = reading.schedule.waiver(waiver.rule)
        why = None if rule is None else why_rule_ends(rule, bets)
        if why is not None:
            return WhyNot("waiver_ends", Phrase("{why} Withdraw the waiver first.", why=why))
    return None
