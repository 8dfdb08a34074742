"""Report on what the room owes a city: the statement of a levy for a month, a quarter or a year."""

from __future__ import annotations

from cardroom.documents.document import ReportDocument
from cardroom.people.rights import Right
from fees.levy import CITY

from ..levies.statement import SIGNED_BY, levy_option, statement, statement_answer
from ..queries.query import Report, ReportQuery


def city_statement(query: ReportQuery) -> ReportDocument:
    """State what a city's levy comes to."""
    return statement(query, "city-statement", "City statement")


CITY_STATEMENT = Report(
    name="city-statement",
    title="City statement",
    text="What does the room owe the city for the month or quarter, tier by tier, and of which revenue?",
    right=Right.SEE_REPORTS,
    make=city_statement,
    answer=statement_answer,
    options=(levy_option(CITY),),
    by_table=False,
    signed_by=SIGNED_BY,
)
