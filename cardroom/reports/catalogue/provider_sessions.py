"""Report on providers' sessions of play: who played for each in which order, hand-overs, and what their racks came to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, ReportDocument, Row
from cardroom.floor.reads.racks import RackSession
from cardroom.people.rights import Right

from ..providers.sessions import SESSION_NOTES, session_grids, sessions_asked
from ..queries.query import Report, ReportQuery

_PROVIDERS = (
    Column("provider", "Provider"),
    Column("sessions", "Sessions", Kind.COUNT, adds=True),
    Column("hand_overs", "Hand-overs", Kind.COUNT, adds=True),
    Column("uncounted", "Sessions without an opening or closing count", Kind.COUNT, adds=True),
)


def provider_sessions(query: ReportQuery) -> ReportDocument:
    """Tell which sessions each provider played at the tables, and who handed whose rack over."""
    sessions = sessions_asked(query)
    return query.document(
        "provider-sessions",
        "Provider sessions",
        answers=[
            Answer("sessions", "Sessions", len(sessions), Kind.COUNT),
            Answer("hand_overs", "Hand-overs", _hand_overs(sessions), Kind.COUNT),
            Answer(
                "uncounted", "Sessions without an opening or closing count", _uncounted(sessions), Kind.COUNT
            ),
        ],
        grids=[
            Grid("providers", "By provider", _PROVIDERS, _provider_rows(sessions)),
            *session_grids(sessions, of_providers=True),
        ],
        notes=SESSION_NOTES,
    )


def _provider_rows(sessions: Sequence[RackSession]) -> Sequence[Row]:
    by_provider: dict[str, list[RackSession]] = defaultdict(list)
    for session in sessions:
        by_provider[session.provider.name].append(session)
    return [
        Row(
            {
                "provider": name,
                "sessions": len(theirs),
                "hand_overs": _hand_overs(theirs),
                "uncounted": _uncounted(theirs),
            }
        )
        for name, theirs in sorted(by_provider.items())
    ]


def _hand_overs(sessions: Sequence[RackSession]) -> int:
    return sum(len(session.hand_overs) for session in sessions)


def _uncounted(sessions: Sequence[RackSession]) -> int:
    """How many sessions lack a count: who sits there still has no closing one to tell."""
    return sum(
        session.opening is None or (session.closing is None and session.ended_at is not None)
        for session in sessions
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("sessions"):
        return "No provider played a session in this time"
    without = figures.number("uncounted")
    counts = (
        f"{figures.text('uncounted')} without an opening or closing count"
        if without
        else "each with its opening and closing count"
    )
    return f"{figures.several('sessions', 'session')} of play with {figures.several('hand_overs', 'hand-over')}, {counts}"


PROVIDER_SESSIONS = Report(
    name="provider-sessions",
    title="Provider sessions",
    text="Which sessions did providers play, who handed whose rack over, and with what count?",
    right=Right.SEE_REPORTS,
    make=provider_sessions,
    answer=_answer,
    by_shift=True,
    of="players",
)
