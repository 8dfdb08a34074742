"""Computes the exceptions table of a stored report: what needs to be looked at, and the table with its details."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from cardroom.core.dates import day_text
from cardroom.documents.document import Column, Grid, Kind, Mark, Row
from cardroom.documents.formatting import several
from games.money import dollars

from ..sections.count import counted_cents, expected_cents
from ..stored.late_corrections import standing
from ..stored.reading import Report, clock, house_banks, players_bank

_TO_LOOK_AT: Final = (
    Column("what", "Exception"),
    Column("count", "Count", Kind.COUNT),
    Column("detail", "Detail"),
)


def to_look_at(report: Report, grids: Collection[str]) -> Grid:
    """List what of a report needs to be looked at, what was found in order, and the table with its details.

    `grids` are the names of the report's tables.
    """
    rows = [
        Row(
            {"what": each.what, "count": each.times, "detail": each.detail},
            {"what": f"#{each.grid}"} if each.grid in grids else {},
            each.mark,
        )
        for each in _findings(report)
    ]
    return Grid("to_look_at", "Exceptions", _TO_LOOK_AT, rows)


class Finding(NamedTuple):
    """What was found, how often, more about it, whether it must not be, and the table with its details."""

    what: str
    times: int | None
    detail: str
    mark: Mark
    grid: str


def _findings(report: Report) -> Iterator[Finding]:
    figures = report.typed_figures
    stands = standing(figures)
    total = cast("Mapping[str, Any]", stands.total)
    if report.changes:
        text = "values differ from the report that this one takes the place of"
        yield Finding("Restated", len(report.changes), text, Mark.NONE, "changes")
    faults = len(figures["differences"])
    text = "figures that do not tie out" if faults else "every way of adding up agrees"
    yield Finding("Cross-check", faults, text, _bad(faults, Mark.STOP), "differences")
    yield from _past_days(report)
    yield from _of_the_count(report)
    if players_bank(report):
        yield from _of_the_banks(report, total)
    if house_banks(report):
        yield from _of_the_trays(total)
    yield from _of_rounds(report, total)
    alerts = report.typed_sections["alerts"]["unanswered"]
    if alerts:
        yield Finding("Alerts not answered", alerts, "", Mark.LOOK, "alerts_alerts")
    yield from _offline(report)
    since = report.typed_sections["corrected_since"]["corrected"]
    if since:
        text = stands.in_words() or "in later shifts"
        yield Finding("Rounds corrected since", since, text, Mark.LOOK, "corrected_since_corrected")


def _offline(report: Report) -> Iterator[Finding]:
    """What was given offline in one shift and recorded in another, and tablets that were out of touch for a day (ruling 61)."""
    offline = report.typed_sections["offline"]
    if earlier := offline["earlier"]:
        text = "they count in this one; the table says how long each waited"
        yield Finding("Entries given in an earlier shift", earlier, text, Mark.LOOK, "offline_entries")
    if late := offline["late"]:
        text = "they count in the later one; the table says how long each waited"
        yield Finding("Entries recorded after the shift had closed", late, text, Mark.LOOK, "offline_entries")
    if over := offline["over"]:
        yield Finding("Tablets out of touch over 24 hours", over, "", Mark.STOP, "offline_tablets")


def _past_days(report: Report) -> Iterator[Finding]:
    """A shift that was open past its gaming day, and in a report of days those that ran in from an earlier one (ruling 60)."""
    subject: Mapping[str, Any] = report.typed_figures["subject"]
    ended = subject.get("day_ends_at")
    if ended and datetime.datetime.fromisoformat(subject["closed_at"]) > datetime.datetime.fromisoformat(
        ended
    ):
        text = f"its day ended {clock(report, ended)}, closed {clock(report, subject['closed_at'])}"
        yield Finding("Open past its gaming day", 1, text, Mark.STOP, "")
    for shift in subject.get("ran_in", []):
        day = day_text(datetime.date.fromisoformat(shift["gaming_day"]))
        text = f"{shift['shift_name']}, {day}, until {clock(report, shift['closed_at'])}; its figures are in the report of {day}"
        yield Finding("Open from an earlier day", 1, text, Mark.STOP, "")


def _of_the_count(report: Report) -> Iterator[Finding]:
    """Boxes: those not counted, variances to explain, and what was collected without a box."""
    count = report.typed_sections["count"]
    if bare := count["without_box"]:
        text = f"{dollars(sum(each['cents'] for each in bare))} collected"
        yield Finding("Collected without a drop box", len(bare), text, Mark.STOP, "count_without_box")
    if waiting := count["waiting"]:
        yield Finding("Boxes not counted", waiting, "", Mark.LOOK, "count_boxes")
    if elsewhere := count["waiting_elsewhere"]:
        text = "hung in another shift, with money of this one"
        yield Finding("Boxes over a change of shift not counted", elsewhere, text, Mark.LOOK, "count_boxes")
    if unexplained := count["unexplained"]:
        cents = counted_cents(count["drop"]) - expected_cents(count["drop"])
        yield Finding(
            "Variances to explain", unexplained, f"{dollars(cents)} in all", Mark.STOP, "count_boxes"
        )
    if not (waiting or elsewhere or unexplained):
        yield Finding("Drop count", 0, "no box waits, no variance to explain", Mark.DONE, "count_boxes")


def _of_the_banks(report: Report, total: Mapping[str, Any]) -> Iterator[Finding]:
    """The rotation of the bank, and the banks that were exhausted."""
    rotation = report.typed_sections.get("rotation")
    broken = len(rotation["exceptions"] if rotation else report.typed_figures["over_limit"])
    offers = total["offers"]
    text = f"{several(sum(offers.values()), 'offer')}, {offers['declined']:,} declined"
    yield Finding("Rotation exceptions", broken, text, _bad(broken, Mark.STOP), "rotation_exceptions")
    if exhausted := total["exhausted_banks"]:
        reported = report.figures["total"]
        text = f"{dollars(total['uncovered_cents'])} returned uncovered"
        if (exhausted, total["uncovered_cents"]) != (
            reported["exhausted_banks"],
            reported["uncovered_cents"],
        ):
            text += (
                f"; {reported['exhausted_banks']:,} and {dollars(reported['uncovered_cents'])} as reported"
            )
        yield Finding("Banks exhausted", exhausted, text, Mark.LOOK, "coverage_tables")


def _of_the_trays(total: Mapping[str, Any]) -> Iterator[Finding]:
    """Trays that are not closed, and closers that found another sum than there should have been."""
    if open_ := total.get("trays_not_closed"):
        yield Finding("Trays not closed", open_, "", Mark.LOOK, "house_win")
    variance = total.get("tray_variance_cents")
    if variance:
        text = f"win by slips less win by rounds {dollars(variance)}"
        yield Finding("Tray variance", 1, text, Mark.LOOK, "house_win")
    elif not open_ and variance == 0:
        yield Finding("Trays", 0, "win by slips is win by rounds", Mark.DONE, "house_win")


def _of_rounds(report: Report, total: Mapping[str, Any]) -> Iterator[Finding]:
    """Rounds that were void or corrected, and what people did with a reason."""
    found = report.typed_sections["exceptions"]
    if voids := total["voids_before_deal"] + total["voids_after_deal"]:
        refunded = found.get("refunded_cents", total["fees_refunded_cents"])
        text = f"{total['voids_after_deal']} after the deal, {dollars(refunded)} refunded"
        yield Finding("Rounds void", voids, text, Mark.LOOK, "exceptions_voids")
    if corrections := total["corrections"]:
        yield Finding("Corrections", corrections, "", Mark.LOOK, "exceptions_corrections")
    if waived := total["fees_waived_cents"]:
        yield Finding(
            "Fees waived", found.get("waivers", 0), dollars(waived), Mark.LOOK, "exceptions_waivers"
        )
    if overrides := found["overrides"]:
        yield Finding(
            "Expired badges and permits overridden", overrides, "", Mark.LOOK, "exceptions_overrides"
        )
    if off_file := found["off_file"]:
        yield Finding("Rounds not played on what is filed", off_file, "", Mark.STOP, "exceptions_off_file")
    irregularities = report.typed_sections["irregularities"]
    if stood := irregularities["settled_though_void"]:
        yield Finding(
            "Rounds settled that the rules void", stood, "", Mark.STOP, "irregularities_settled_though_void"
        )
    if entries := irregularities["irregularities"]:
        void = irregularities["void_by_rule"]
        yield Finding(
            "Irregularities", entries, f"{void} void the round", Mark.LOOK, "irregularities_irregularities"
        )


def _bad(count: int | None, mark: Mark) -> Mark:
    if count is None:
        return Mark.LOOK
    return mark if count else Mark.DONE
