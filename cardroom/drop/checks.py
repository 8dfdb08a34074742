"""Precondition checks of commands on boxes. Each returns None or why not; the button, the API and the command all call it."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.floor.errors import WhyNot
from cardroom.people.models import Staff

from .models import CountSheet, DropBox, VarianceCheck


def why_not_count(box: DropBox, sheets: Sequence[CountSheet], actor: Staff) -> WhyNot | None:
    """A dropped box is counted twice, by two people; a third counts it when they differ.

    `sheets` are those of the box. The check depends on who has counted, never on what.
    """
    if box.dropped_at is None:
        return WhyNot(
            "box_not_dropped",
            f"{box} still hangs at {box.table}. Two people pull it before it is counted.",
        )
    if box.counted_at is not None:
        return WhyNot(
            "count_stands",
            f"The count of {box} is verified. What is wrong with it is corrected, not counted again.",
        )
    if any(sheet.made_by_id == actor.pk for sheet in sheets):
        return WhyNot(
            "counted_by_you",
            f"{actor} has counted {box} already. Another person makes the {next_kind(sheets).label}.",
        )
    return None


def why_not_kind(box: DropBox, sheets: Sequence[CountSheet], recount: bool) -> WhyNot | None:
    """A recount is made for what it is: afresh, and knowing that two counts differ."""
    is_recount = next_kind(sheets) == CountSheet.Kind.RECOUNT
    if is_recount and not recount:
        return WhyNot(
            "counts_differ",
            f"{box} has been counted twice by now, and the counts differ. Count it afresh as the recount.",
        )
    if recount and not is_recount:
        return WhyNot("no_recount_due", f"{box} is not to be recounted: its two counts are not in yet.")
    return None


def why_not_correct(box: DropBox) -> WhyNot | None:
    """Only what stands is corrected; until then a slip shows as a difference, and the box is counted again."""
    if box.counted_at is None:
        return WhyNot(
            "no_count_stands", f"No count of {box} is verified yet. A slip shows when the counts differ."
        )
    return None


def why_not_answer(
    box: DropBox, check: VarianceCheck | None, counters: Sequence[int], actor: Staff
) -> WhyNot | None:
    """A variance is explained by a person who did not count the box; `counters` are the ids of those who did."""
    if check is None or not check.is_over:
        return WhyNot("no_variance", f"There is nothing to explain at {box}.")
    if actor.pk in counters:
        return WhyNot(
            "own_count", f"{actor} counted {box} and cannot explain its variance. Somebody else answers it."
        )
    return None


def next_kind(sheets: Sequence[CountSheet]) -> CountSheet.Kind:
    """Return which count comes next on a box whose count does not stand."""
    return (CountSheet.Kind.FIRST, CountSheet.Kind.SECOND, CountSheet.Kind.RECOUNT)[min(len(sheets), 2)]
