"""The fee schedules that a rulebook's own document prints, as documents to file, and what may bear their name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fees.document import Document, Problem, read_document
from games.registry import load_rulebook

#: How a title names an option: "Schedule option 1", "Option no. 2".
_OPTION = re.compile(r"\boption\s*(?:no\.?|number|#)?\s*(\d+)\b", re.IGNORECASE)

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


def why_not_called(rulebook: str, number: int, title: str, document: object) -> Problem | None:
    """Return why a schedule may not bear its number or title; None where it may, or is in no proper form.

    The number of an option that `rulebook` prints, and a title that names one, are that option's alone: limits, lines,
    bands as printed. Clauses, the order of lines and published waivers are no part of it (ruling 13).
    """
    read, _ = read_document(document)
    if read is None:
        return None
    called = {number, *map(int, _OPTION.findall(title))}
    for option, printed in printed_schedules(rulebook):
        if option in called and _charged(read) != _charged(_read(printed)):
            return Problem(
                0,
                "not_as_printed",
                f"schedule: option {option} of {rulebook} is what its document prints ({printed['clause']}), and these "
                "limits or lines differ. Write what is printed, or file it under another number and title.",
            )
    return None


def _read(document: dict[str, Any]) -> Document:
    read, _ = read_document(document)
    assert read is not None  # it is written above
    return read


def _charged(read: Document) -> tuple[object, ...]:
    """What a document charges: limits and lines, whatever their order and their sources."""
    lines = sorted((replace(line, number=0, clause=None) for line in read.lines), key=repr)
    return read.ante_min_cents, read.ante_max_cents, lines
