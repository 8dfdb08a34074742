"""The sections of a stored report in their order: each read of a shift, added up over shifts, and drawn from its figures.

So a shift report and a compliance report of the same shift cannot say two things: both draw the same figures. They are those
as of the close of the shift, in the name of the user who closed it: the same rows give the same figures in any worker.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from cardroom.floor.models import Shift

from ..catalogue.alerts import ALERT_ANSWERS, ALERTS_BY_KIND, alerts
from ..catalogue.collection import collection_read
from ..catalogue.corrected import CORRECTED_ANSWERS, corrected_since
from ..catalogue.coverage import COVERAGE_ANSWERS, EXHAUSTED_BY_TABLE, coverage
from ..catalogue.exceptions import EXCEPTION_ANSWERS, exceptions
from ..catalogue.house_win import house_win
from ..catalogue.irregularities import IRREGULARITIES_BY_KIND, IRREGULARITY_ANSWERS, irregularities
from ..catalogue.offline import GAPS_BY_TABLET, OFFLINE_ANSWERS, offline
from ..catalogue.rotation import rotation_read
from ..queries.banking import Banking, banking_in
from ..queries.query import ReportQuery, Scope
from .collection import collection_added, collection_drawn
from .count import count_added, count_drawn, count_read
from .figure_types import Sections
from .listed import Lists
from .rotation import rotation_added, rotation_drawn
from .section import Drawn, Section, Span
from .tips import tips_added, tips_drawn, tips_read


@dataclasses.dataclass(frozen=True)
class SectionKind:
    """How a section is read, added up and drawn. What `read` and `add` return is what is stored: plain JSON.

    `of` says where it is read: where `players` bank, where the `house` does; empty: everywhere.
    """

    name: str
    title: str
    read: Callable[[ReportQuery], Any]
    add: Callable[[Sequence[Any], Span], Any]
    draw: Callable[[Any, Scope], Drawn]
    of: str = ""

    def belongs(self, banking: Banking) -> bool:
        """Whether it is read where these bank."""
        return not self.of or bool(getattr(banking, self.of))


def _listed(name: str, title: str, lists: Lists, of: str = "") -> SectionKind:
    return SectionKind(name, title, lists.read, lists.add, lists.draw, of)


SECTIONS: Final = (
    _listed("house_win", "Counts of trays", Lists(house_win, lists=("counts",)), "house"),
    SectionKind("collection", "Collection", collection_read, collection_added, collection_drawn, "players"),
    SectionKind("rotation", "Rotation of the bank", rotation_read, rotation_added, rotation_drawn, "players"),
    _listed(
        "coverage",
        "Bank coverage",
        Lists(coverage, COVERAGE_ANSWERS, (EXHAUSTED_BY_TABLE,), of_days=("banks", "wagers")),
        "players",
    ),
    SectionKind("tips", "Tips", tips_read, tips_added, lambda tips, _: tips_drawn(tips)),
    _listed("exceptions", "Voids, waivers and corrections", Lists(exceptions, EXCEPTION_ANSWERS)),
    _listed(
        "irregularities",
        "Irregularities",
        Lists(irregularities, IRREGULARITY_ANSWERS, (IRREGULARITIES_BY_KIND,)),
    ),
    SectionKind(
        "count", "Drop counted against expected", count_read, count_added, lambda count, _: count_drawn(count)
    ),
    _listed("alerts", "Alerts", Lists(alerts, ALERT_ANSWERS, (ALERTS_BY_KIND,), of_days=("alerts",))),
    _listed("corrected_since", "Corrected since", Lists(corrected_since, CORRECTED_ANSWERS)),
    # An entry that waited from shift to shift is listed in the reports of both.
    _listed(
        "offline",
        "Offline",
        Lists(offline, OFFLINE_ANSWERS, (GAPS_BY_TABLET,), ("entries",), ("entries",), ("entries",)),
    ),
)


def sections_read(shift: Shift) -> Sections:
    """Read every section of a closed shift that belongs where it was played."""
    assert shift.closed_at is not None
    assert shift.closed_by is not None
    query = ReportQuery(
        room=shift.room,
        first=shift.gaming_day,
        last=shift.gaming_day,
        staff=shift.closed_by,
        now=shift.closed_at,
        shift=shift,
        options={},
    )
    banking = banking_in(shift.room, [shift])
    return cast("Sections", {kind.name: kind.read(query) for kind in SECTIONS if kind.belongs(banking)})


def sections_added(several: Sequence[Sections], span: Span) -> Sections:
    """Add the sections of shifts up, in the order in which they were opened; one that belongs to none of them is left out."""
    added: dict[str, Any] = {}
    for kind in SECTIONS:
        stored: list[Mapping[str, Any]] = [cast("Mapping[str, Any]", each) for each in several]
        found = [each[kind.name] for each in stored if kind.name in each]
        if found or not kind.of:
            added[kind.name] = kind.add(found, span)
    return cast("Sections", added)


def sections_drawn(sections: Sections, scope: Scope) -> Iterator[Section]:
    """Draw the stored sections of a report about `scope`."""
    stored = cast("Mapping[str, Any]", sections)
    for kind in SECTIONS:
        if kind.name in stored:
            yield Section(kind.name, kind.title, *kind.draw(stored[kind.name], scope))
