"""Report on what the room owes the state for its tables: the statement of a levy for a fiscal year."""

from __future__ import annotations

from cardroom.documents.document import ReportDocument
from cardroom.people.rights import Right
from fees.levy import STATE

from ..levies.statement import SIGNED_BY, levy_option, statement, statement_answer
from ..queries.query import Report, ReportQuery


def state_table_fee(query: ReportQuery) -> ReportDocument:
    """State what a levy of the state comes to."""
    return statement(query, "state-table-fee", "State table fee")


STATE_TABLE_FEE = Report(
    name="state-table-fee",
    title="State table fee",
    text="What does the room owe the state for its tables in the fiscal year, by tables and by gross revenue?",
    right=Right.SEE_REPORTS,
    make=state_table_fee,
    answer=statement_answer,
    options=(levy_option(STATE),),
    by_table=False,
    signed_by=SIGNED_BY,
)
