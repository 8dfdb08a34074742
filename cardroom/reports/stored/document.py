"""Builds the document of a stored report: its first page, its figures table by table, its sections, what proves it.

Everything comes from the stored record; what a report is compared with comes from that one's own. What is not in an
older record is not known, and never 0.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from django.urls import reverse

from cardroom.documents.answering import sentence_of
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.documents.formatting import UNKNOWN
from cardroom.people.names import named
from games.money import dollars

from ..queries.rounds_in_scope import round_address, round_name
from ..sections.section import Section
from ..summary.answers import key_answers
from ..summary.charts import first_charts
from ..summary.comparison import Earlier, compared_grid
from ..summary.findings import to_look_at
from ..summary.key_figures import paces_grid
from ..summary.sentence import took
from .diff import Change
from .figure_tables import figure_tables
from .figure_types import HOUSE_FIGURES, PLAYERS_FIGURES, WAYS, Difference, RoundRef
from .ladders import ladders_of
from .late_corrections import CHANGES, Standing, added_up, format_changed, standing
from .reading import Report, clock, house_banks, players_bank, sections_of
from .rounds_counted import rounds_counted_grid

#: Who signs the printed report.
SIGNED_BY = ("Shift manager", "Manager on duty")

_CHANGES = (
    Column("where", "Where"),
    Column("what", "What"),
    Column("was", "Was"),
    Column("now", "Is now"),
)
_DIFFERENCES = (
    Column("table", "Table", Kind.COUNT),
    Column("figure", "Figure"),
    Column("ways", "Ways of adding up"),
    Column("rounds", "Rounds at fault"),
)
_OVER_LIMIT = (
    Column("table", "Table", Kind.COUNT),
    Column("player", "Player"),
    Column("limit", "Limit", Kind.COUNT),
    Column("rounds", "Rounds"),
)
_HEADS = (Column("chain", "Chain"), Column("seq", "Entries", Kind.COUNT), Column("hash", "Verification code"))

#: The parts of a report, in their order, with the tables and the sections in each.
_IN_PARTS: Final[Mapping[str, Sequence[str]]] = {
    "Drop and count": ("shifts", "days", "fees", "games", "bands", "collection", "count"),
    "Player-dealers": ("over_limit", "conduct", "coverage", "rotation"),
    "House win and trays": ("house_win", "trays", "house_rounds"),
    "Rounds": ("paces", "rounds_counted"),
    "Tips": ("tips",),
    "Exceptions": ("exceptions", "irregularities", "alerts", "since", "corrected_since"),
}
_PROOF: Final = "Cross-check and proof"
_PARTS: Final = (*_IN_PARTS, _PROOF)


@dataclasses.dataclass(frozen=True)
class About:
    """What one kind of report says in its own words: its name, of when it is, what it is compared with, how it was made.

    `subject` is what its sentence is about: "Swing", "November 2026".
    `parts` and `proof` are tables that no other kind has: before the figures by table, and before the journal's heads.
    """

    name: str
    title: str
    period: str
    subject: str
    earlier: Earlier
    notes: Sequence[str]
    parts: Sequence[Grid] = ()
    proof: Sequence[Grid] = ()


def report_document_of(report: Report, about: About) -> ReportDocument:
    """Return a stored report as a document: its first page, and its tables by part."""
    detail = [
        *(_placed(grid, grid.name) for grid in _grids(report, about)),
        *_section_grids(sections_of(report)),
        *(_placed(grid, "") for grid in (*_changes(report), *about.proof, _heads(report))),
    ]
    detail.sort(key=lambda grid: _PARTS.index(grid.part))
    looked_at = to_look_at(report, {grid.name for grid in detail})
    document = ReportDocument(
        name=about.name,
        title=f"{about.title}{report.restated}" + (" (superseded)" if report.is_superseded else ""),
        room=report.typed_figures["subject"]["room_name"],
        zone=report.room.zone,
        period=about.period,
        answers=list(key_answers(report, about.earlier, looked_at)),
        charts=list(first_charts(report, about.earlier)),
        grids=[*ladders_of(report), looked_at, compared_grid(report, about.earlier), *detail],
        notes=[*about.notes, *_notes(report)],
        has_summary=True,
    )
    return named(dataclasses.replace(document, sentence=sentence_of(document, took(about.subject))))


def _placed(grid: Grid, name: str) -> Grid:
    """A table in the part that lists a table or section of that name."""
    part = next((part for part, names in _IN_PARTS.items() if name in names), _PROOF)
    return dataclasses.replace(grid, part=part)


def _grids(report: Report, about: About) -> Iterator[Grid]:
    figures = report.typed_figures
    if figures["differences"]:
        yield _differences(figures["differences"])
    if figures["over_limit"]:
        yield Grid(
            "over_limit",
            "Rounds in a row over the limit",
            _OVER_LIMIT,
            [
                Row(
                    {
                        "table": run["number"],
                        "player": f"player:{run['player']}",
                        "limit": run["limit"],
                        "rounds": "; ".join(_round(ref) for ref in run["rounds"]),
                    },
                    {"rounds": round_address(run["rounds"][0]["id"])} if run["rounds"] else {},
                    Mark.STOP,
                )
                for run in figures["over_limit"]
            ],
            text="Counted from the rounds themselves, without what the floor counted: rounds of one player without offers "
            "to all others between.",
        )
    yield from about.parts
    stands = standing(figures)
    yield from _since(stands, figures["total"])
    yield from figure_tables(report, stands.tables)
    if (paces := paces_grid(report)) is not None:
        yield paces
    yield rounds_counted_grid(report)


_SINCE: Final = (
    Column("figure", "Figure"),
    Column("reported", "As reported", Kind.FIGURE),
    Column("since", "Changed since", Kind.FIGURE),
    Column("brought", "of other shifts' rounds", Kind.FIGURE),
    Column("stands", "Stands", Kind.FIGURE),
)


def _since(stands: Standing, reported: Mapping[str, Any]) -> Iterator[Grid]:
    """What corrections made in other shifts change, figure by figure; no table where there is none."""
    since, brought = added_up(stands.later), added_up(stands.brought)
    rows = [
        Row(
            {
                "figure": heading,
                "reported": _format_figure(name, reported.get(name)),
                "since": format_changed(name, since[name]) if since[name] else "",
                "brought": format_changed(name, brought[name]) if brought[name] else "",
                "stands": _format_figure(name, cast("Mapping[str, Any]", stands.total).get(name)),
            },
            mark=Mark.LOOK,
        )
        for name, (heading, _) in CHANGES.items()
        if since[name] or brought[name]
    ]
    if rows:
        yield Grid("since", "What corrections made in other shifts change", _SINCE, rows, text=_SAYS_SINCE)


_SAYS_SINCE: Final = (
    "What was moved counts in the shift in which it was moved, as in boxes, trays and chips. Table action, waived fees "
    "and what a bank did not cover count with their round, as it is on record now: what later corrections changed is in, what "
    "was corrected here of other shifts' rounds is out."
)


def _format_figure(name: str, value: int | None) -> str:
    if value is None:
        return UNKNOWN
    return dollars(value) if name.endswith("_cents") else f"{value:,}".replace("-", "−")


def _differences(found: Sequence[Difference]) -> Grid:
    """The figures whose ways differ; a period report names the shift of each."""
    by_shift = any("shift" in each for each in found)
    return Grid(
        "differences",
        "Figures that do not tie out",
        (Column("shift", "Shift"), *_DIFFERENCES) if by_shift else _DIFFERENCES,
        [
            Row(
                {
                    **({"shift": each.get("shift_name", "")} if by_shift else {}),
                    "table": each["number"],
                    "figure": each["figure"].removesuffix("_cents").replace("_", " "),
                    "ways": ", ".join(f"{way} {dollars(cents)}" for way, cents in each["ways"].items()),
                    "rounds": "; ".join(_round(ref) for ref in each["rounds"]),
                },
                _difference_links(each),
                Mark.STOP,
            )
            for each in found
        ],
        text="This report is not to be relied on before these are explained.",
    )


def _round(ref: RoundRef) -> str:
    """What a round is called, as on its page."""
    return round_name(datetime.date.fromisoformat(ref["gaming_day"]), ref["number"])


def _difference_links(each: Difference) -> dict[str, str]:
    links = {"rounds": round_address(each["rounds"][0]["id"])} if each["rounds"] else {}
    return {**links, "shift": reverse("web:report", args=[each["shift"]])} if "shift" in each else links


def _words(name: str) -> str:
    return name.removesuffix("_cents").replace("_", " ").capitalize()


def _section_grids(sections: Iterable[Section]) -> Iterator[Grid]:
    """The grids of every section, each under the name of its section, so that no two have the same."""
    for section in sections:
        for grid in section.grids:
            title = grid.title if grid.title.startswith(section.title) else f"{section.title}: {grid.title}"
            named = dataclasses.replace(grid, name=f"{section.name}_{grid.name}", title=title)
            yield _placed(named, section.name)


def _changes(report: Report) -> Iterator[Grid]:
    if report.changes:
        yield Grid(
            "changes",
            "What this restatement changes",
            _CHANGES,
            [_change(change) for change in report.changes],
            text=f"Against the report made {_made(report.restates)}, which stays as it was made.",
        )


def _made(report: Report | None) -> str:
    assert report is not None  # what has changes restates one
    return clock(report, report.made_at)


def _change(change: Change) -> Row:
    return Row(
        {
            "where": change["where"],
            "what": change["what"],
            "was": _format_change(change, change["was"]),
            "now": _format_change(change, change["now"]),
        },
        mark=Mark.LOOK,
    )


def _format_change(change: Change, value: str | int | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return dollars(value) if change["kind"] == Kind.MONEY else f"{value:,}"
    return value


def _heads(report: Report) -> Grid:
    return Grid(
        "heads",
        "Heads of the journal's chains",
        _HEADS,
        [Row({"chain": head.chain, "seq": head.seq, "hash": head.hash}) for head in report.chain_heads],
        text="As they stood when the report was made; `manage.py verify` walks every chain and compares.",
    )


def _notes(report: Report) -> Iterator[str]:
    left_out = (
        *(() if house_banks(report) else HOUSE_FIGURES),
        *(() if players_bank(report) else PLAYERS_FIGURES),
    )
    ways = "; ".join(
        f"{_words(figure).lower()}: {', '.join(names)}"
        for figure, names in WAYS.items()
        if figure not in left_out
    )
    yield f"Every figure of money is added up in these ways, which must agree to the cent: {ways}."
    yield f"Verification codes: inputs {report.inputs_hash}, report {report.content_hash or 'none'}."
