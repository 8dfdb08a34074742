"""Computes whether a stored report ties out, in one sentence: what page, PDF, spreadsheet and the subject of an e-mail say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from cardroom.documents.document import Mark
from games.money import dollars

from ..sections.tips import tips_cents
from .figure_types import Difference
from .ladders import held_of, jackpot_held_of
from .reading import Report

#: Figures that are named where they do not tie out; of the others it says how many there are.
_MOST: Final = 3


class Verdict(NamedTuple):
    """What a report comes to: `word`, and in `says` what is wrong, pending or to be known."""

    word: str
    text: str
    mark: Mark


def verdict_of(report: Report) -> Verdict:
    """Say whether a report ties out.

    "does not tie out": two ways of adding up a figure differ. "$3 short": every way agrees, and the boxes held otherwise.
    "not over yet": all agrees so far, and something is still to be done. "ties out": all agrees, and all is counted.
    """
    wrong, pending, bare = list(_differing(report)), list(_pending(report)), list(_bare(report))
    held = [("", held_of(report))]
    if (jackpot := jackpot_held_of(report)) is not None:
        held.append(("jackpot ", jackpot))
    off = [
        f"{name}{dollars(abs(cents))} {'over' if cents > 0 else 'short'}"
        for name, each in held
        if (cents := each.over_short_cents)
    ]
    where = [each.where for _, each in held if each.over_short_cents]
    if wrong:
        return Verdict("does not tie out", "; ".join([*wrong, *off, *pending, *bare]), Mark.STOP)
    if off:
        return Verdict(", ".join(off), "; ".join([*where, *pending, *bare]), Mark.STOP)
    if pending:
        return Verdict("not over yet", "; ".join([*pending, *bare]), Mark.LOOK)
    return Verdict("ties out", "; ".join(bare), Mark.LOOK if bare else Mark.DONE)


def _differing(report: Report) -> Iterator[str]:
    """The figures whose ways of adding up differ: "bank fees at Table 7: transfers $3, rounds $4"."""
    found = report.typed_figures["differences"]
    yield from (format_difference(each) for each in found[:_MOST])
    if len(found) > _MOST:
        yield f"{len(found) - _MOST} more figures that do not tie out"


def format_difference(each: Difference) -> str:
    """Name a figure that does not tie out, its table, and what each way adds it up to."""
    figure = each["figure"].removesuffix("_cents").replace("_", " ")
    ways = ", ".join(f"{way} {dollars(cents)}" for way, cents in each["ways"].items())
    return f"{figure} at Table {each['number']}: {ways}"


def _pending(report: Report) -> Iterator[str]:
    """What is still to be done before the report says all: boxes, trays and the tip sheet."""
    count = report.typed_sections["count"]
    if waiting := count["waiting"]:
        yield f"{waiting} box{'' if waiting == 1 else 'es'} not counted"
    elif elsewhere := count["waiting_elsewhere"]:
        yield f"{elsewhere} box{'' if elsewhere == 1 else 'es'} over a change of shift not counted"
    if trays := report.figures["total"].get("trays_not_closed"):
        yield f"{trays} tray{'' if trays == 1 else 's'} not closed"
    tips = report.typed_sections["tips"]
    if tips["sheets_open"] and tips_cents(tips):
        yield "tip sheet open"


def _bare(report: Report) -> Iterator[str]:
    """What no count covers, as it went into no box."""
    for held, name in ((held_of(report), "drop"), (jackpot_held_of(report), "jackpot")):
        if held is not None and held.bare_cents:
            did = "collected" if held.bare_cents > 0 else "refunded"
            yield f"{dollars(abs(held.bare_cents))} {did} without a {name} box"
