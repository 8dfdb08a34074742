"""Limits on reports that are drawn within a request: how many rounds are too many for that.

Pages and the API are answered by one thread of one process: what takes long there holds up the whole site, and a proxy
gives up on it. So a report with a bound (`Report.at_once`) is drawn at once for so many rounds, and by a worker for more
(`cardroom.reports.background.background_reports`).
"""

from __future__ import annotations

import dataclasses
from typing import Final

from cardroom.core.reading import SOON, read_reports
from cardroom.documents.document import ReportDocument
from cardroom.floor.errors import BadInput
from cardroom.people.names import named

from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import rounds_of

#: Rounds that a worker goes through for one report. A month of thirty tables that play all day has 900,000; twice as
#: many would come near the five minutes that a task may take.
MOST_ROUNDS: Final = 1_000_000


def rounds_asked(query: ReportQuery) -> int:
    """Return how many rounds are asked about, voids and corrections too, counted no further than `MOST_ROUNDS` and one."""
    return rounds_of(query)[: MOST_ROUNDS + 1].count()


def too_many_at_once(report: Report, query: ReportQuery) -> int | None:
    """Return how many rounds are asked about where they are too many to wait for; None where they are not."""
    if report.at_once is None:
        return None
    rounds = rounds_asked(query)
    return rounds if rounds > report.at_once else None


def check_most(rounds: int) -> None:
    """Refuse what a worker does not draw in one report either."""
    if rounds > MOST_ROUNDS:
        raise BadInput("too_many_rounds", too_many_message(), path="to", status=400)


def too_many_message() -> str:
    """Return why a report about more rounds is refused, and what to ask for instead."""
    return f"These are more than the {MOST_ROUNDS:,} rounds that one report goes through. Ask for fewer days, or for one table."


def draw(report: Report, query: ReportQuery) -> ReportDocument:
    """Draw a report while a user waits; raises BadInput (400) where it is about too many rounds for that."""
    if (rounds := too_many_at_once(report, query)) is not None:
        check_most(rounds)
        assert report.at_once is not None  # or they would not be too many
        raise BadInput(
            "too_many_rounds",
            f"These are {rounds:,} rounds, and “{report.title}” is drawn of {report.at_once:,} while you wait. Ask for fewer "
            "days, or have it drawn in the background.",
            path="to",
            status=400,
        )
    return named(drawn(report, query))


def drawn(report: Report, query: ReportQuery, seconds: float = SOON) -> ReportDocument:
    """Draw a report, from the standby where the site has one; a note says which was read."""
    document, source = read_reports(lambda: report.draw(query), seconds)
    return sourced(document, source)


def sourced(document: ReportDocument, source: str) -> ReportDocument:
    """Return a document with a note on from where it was read; without one where the site has no standby ("")."""
    return dataclasses.replace(document, notes=(*document.notes, source)) if source else document
