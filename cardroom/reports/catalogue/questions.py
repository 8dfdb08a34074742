"""Registry of the report catalogue: every report that a compliance officer can draw, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardroom.rooms.models import Room

from ..queries.banking import banking_of_room
from ..queries.query import Report
from .access import ACCESS
from .alerts import ALERTS
from .bank_time import BANK_TIME
from .breakdown import BREAKDOWN
from .city_statement import CITY_STATEMENT
from .collection import COLLECTION
from .corrected import CORRECTED_SINCE
from .coverage import COVERAGE
from .day_journal import DAY_JOURNAL
from .days import DAYS
from .drop_count import DROP_COUNT
from .exceptions import EXCEPTIONS
from .exclusions import EXCLUSIONS
from .fee_audit import FEE_AUDIT
from .house_win import HOUSE_WIN
from .irregularities import IRREGULARITIES
from .items import ITEMS
from .obligations import OBLIGATIONS
from .offline import OFFLINE
from .people import PEOPLE
from .provider_sessions import PROVIDER_SESSIONS
from .rotation import ROTATION
from .rounds import ROUNDS
from .settings import SETTINGS
from .state_table_fee import STATE_TABLE_FEE
from .tips import TIPS
from .trends import TRENDS
from .what_if import WHAT_IF


class Question(NamedTuple):
    """A question that reports answer, and these."""

    asks: str
    reports: Sequence[Report]


#: Every report under the question that it answers first.
QUESTIONS: tuple[Question, ...] = (
    Question("What did we take in?", (DAYS, BREAKDOWN, HOUSE_WIN, COLLECTION, TRENDS)),
    Question("Does the money agree?", (DROP_COUNT, DAY_JOURNAL, TIPS, FEE_AUDIT)),
    Question("What is owed to the city and the state?", (CITY_STATEMENT, STATE_TABLE_FEE)),
    Question(
        "Did the bank go round, and did it cover?",
        (ROTATION, BANK_TIME, PROVIDER_SESSIONS, COVERAGE, WHAT_IF),
    ),
    Question(
        "What went otherwise, and who allowed it?",
        (ITEMS, EXCEPTIONS, IRREGULARITIES, ALERTS, CORRECTED_SINCE, OFFLINE),
    ),
    Question("What happened, round by round?", (ROUNDS,)),
    Question("What is the room to do, and was it done?", (OBLIGATIONS,)),
    Question("Who may do what, and what was changed?", (ACCESS, PEOPLE, SETTINGS, EXCLUSIONS)),
)

REPORTS: dict[str, Report] = {report.name: report for question in QUESTIONS for report in question.reports}


def listed_in(room: Room) -> list[Report]:
    """Return the reports that answer anything in a room, where players bank, the house, or both; each may be asked for."""
    banking = banking_of_room(room)
    return [report for report in REPORTS.values() if not report.of or getattr(banking, report.of)]


"""The reports of the catalogue, a module each; every one is a function from what is asked to a document."""
