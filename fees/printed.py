"""The fee schedules that a rulebook's own document prints, as documents to file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.registry import load_rulebook

#: Schedules print bounds in whole dollars: a band ends a dollar below the next ("$5 - $100", "$101+").
_STEP_CENTS = 100


def printed_schedules(rulebook: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield option number and document (see `fees.document`) of each schedule that `rulebook` prints.

    The figures are the rulebook's; a printed band's upper bound follows from the lower bound of the next.
    """
    book = load_rulebook(rulebook)
    for option in book.fee_schedules:
        player: dict[str, Any] = {
            "payer": "player",
            "per": "ante",
            "fee_cents": option.player_fee_cents,
            "clause": book.clause_id(option.player_clause),
        }
        uppers = [band.lower_cents - _STEP_CENTS for band in option.bands[1:]]
        bands = [
            {
                "payer": "bank",
                "per": "total_table_action",
                "lower_cents": band.lower_cents,
                "upper_cents": upper_cents,
                "fee_cents": band.fee_cents,
                "clause": book.clause_id(band.clause),
            }
            for band, upper_cents in zip(option.bands, [*uppers, None], strict=True)
        ]
        document = {
            "clause": book.clause_id(option.clause),
            "ante_min_cents": option.ante_min_cents,
            "ante_max_cents": option.ante_max_cents,
            "lines": [player, *bands],
        }
        yield option.number, document
