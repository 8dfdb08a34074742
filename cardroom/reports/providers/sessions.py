"""Tables of providers' sessions of play and of the counts of their racks, as the statement and the report on sessions have them."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.documents.document import Column, Grid, Kind, Row, Value
from cardroom.floor.models import RackCount
from cardroom.floor.reads.racks import RackSession, rack_sessions
from cardroom.people.models import Provider

from ..queries.query import ReportQuery

SESSION_NOTES = (
    (
        "A session of a provider at a table is from when the first of its players sits down until the last one leaves; a player "
        "who moves to another seat, or whose rack another one takes over, goes on with it."
    ),
    (
        "Counts of a rack are what the provider's players count and agree on; the floor witnesses them, and nobody of the house "
        "counts or holds the chips (4 CCR 12290(b)). Opening and closing counts are told where they were recorded."
    ),
)
_SESSIONS = (
    Column("began_at", "Session began", Kind.INSTANT),
    Column("ended_at", "ended", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("players", "Players, one after the other"),
    Column("hand_overs", "Hand-overs", Kind.COUNT, adds=True),
    Column("opening_cents", "Opening count", Kind.MONEY),
    Column("closing_cents", "Closing count", Kind.MONEY),
    Column("change_cents", "Closing less opening", Kind.MONEY),
)
_COUNTS = (
    Column("counted_at", "Counted at", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("seat", "Seat", Kind.COUNT),
    Column("kind", "Count"),
    Column("relieved", "Hands over"),
    Column("player", "Player, or takes over"),
    Column("rack_cents", "Rack", Kind.MONEY),
    Column("bank", "Bank"),
    Column("recorded_by", "Recorded by"),
    Column("witnessed_by", "Witness"),
)
_PROVIDER = Column("provider", "Provider")


def sessions_asked(query: ReportQuery, provider: Provider | None = None) -> list[RackSession]:
    """Return the sessions that went on in the time asked about, of one provider or all."""
    since, until = query.since, query.until
    if query.shift is not None:
        since, until = query.shift.opened_at, query.shift.closed_at or query.now
    return rack_sessions(query.room, since, until, table=query.table, provider=provider)


def session_grids(sessions: Sequence[RackSession], *, of_providers: bool = False) -> list[Grid]:
    """Return the tables of sessions and of their counts; `of_providers`: of several, each row says whose it is."""
    provider = (_PROVIDER,) if of_providers else ()
    counts = sorted((count for session in sessions for count in session.counts), key=lambda count: count.pk)

    def whose(name: Provider) -> dict[str, str]:
        return {"provider": name.name} if of_providers else {}

    return [
        Grid(
            "sessions",
            "Sessions of play",
            (*provider, *_SESSIONS),
            [Row({**whose(session.provider), **_session(session)}) for session in sessions],
        ),
        Grid(
            "rack_counts",
            "Hand-overs and counts of the rack",
            (*provider, *_COUNTS),
            [Row({**whose(count.provider), **_count(count)}) for count in counts],
        ),
    ]


def _session(session: RackSession) -> dict[str, Value]:
    return {
        "began_at": session.began_at,
        "ended_at": session.ended_at,
        "table": session.table.number,
        "players": ", ".join(session.players),
        "hand_overs": len(session.hand_overs),
        "opening_cents": None if session.opening is None else session.opening.cents,
        "closing_cents": None if session.closing is None else session.closing.cents,
        "change_cents": session.difference_cents,
    }


def _count(count: RackCount) -> dict[str, Value]:
    return {
        "counted_at": count.counted_at,
        "table": count.table.number,
        "seat": count.seat,
        "kind": count.get_kind_display(),
        "relieved": "" if count.relieved is None else count.relieved.ref,
        "player": count.player.ref,
        "rack_cents": count.cents,
        "bank": "held the bank" if count.turn_id is not None else "",
        "recorded_by": str(count.recorded_by),
        "witnessed_by": str(count.witnessed_by),
    }
