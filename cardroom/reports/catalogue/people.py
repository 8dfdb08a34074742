"""Report on the people at the tables: dealers with their permits, providers' players with their badges, and who else gave commands."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db.models import Count, Max, Min, Q

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Down, JournalEntry, Seating, Table
from cardroom.people.models import Role
from cardroom.people.permits import Expiry, badge_expiry, local_day, permit_expiries
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery

_NOTES = (
    "Who dealt or played before the days began, and went on, is listed from when they began.",
    "Permits and badges are as they are recorded now; valid through is marked where that day lay before the last day at the table.",
    "A work permit of this room is named before the licence of the account.",
    "Commands are those of the tables' journals; those of the room as a whole, such as filings, are in the access list.",
)
_DOCUMENT = (
    Column("document", "Permit"),
    Column("number", "No."),
    Column("expires", "Valid through", Kind.DAY),
)
_TIMES = (
    Column("table", "Table", Kind.COUNT),
    Column("began_at", "From", Kind.INSTANT),
    Column("ended_at", "To", Kind.INSTANT),
)
_DEALERS = (Column("person", "Dealer"), *_TIMES, *_DOCUMENT)
_PLAYERS = (
    Column("player", "Player"),
    Column("player_number", "Player no.", Kind.COUNT),
    Column("provider", "Provider"),
    *_TIMES,
    Column("seat", "Seat", Kind.COUNT),
    *_DOCUMENT,
)
_OTHERS = (
    Column("person", "Person"),
    Column("roles", "Roles then"),
    Column("table", "Table", Kind.COUNT),
    Column("commands", "Commands", Kind.COUNT, adds=True),
    Column("first_at", "First", Kind.INSTANT),
    Column("last_at", "Last", Kind.INSTANT),
)


def people(query: ReportQuery) -> ReportDocument:
    """List who worked at the tables asked about, and the players of providers who sat there."""
    tables = Table.objects.filter(room=query.room)
    if query.table is not None:
        tables = tables.filter(pk=query.table.pk)
    numbers = dict(tables.values_list("pk", "number"))
    downs = list(
        Down.objects.filter(_touches(query, "started_at", "ended_at"), table__in=numbers)
        .select_related("dealer")
        .order_by("table__number", "started_at", "pk")
    )
    seatings = list(
        Seating.objects.filter(_touches(query, "seated_at", "left_at"), table__in=numbers)
        .filter(player__provider__isnull=False)
        .select_related("player__provider", "player__merged_into")
        .order_by("table__number", "seated_at", "pk")
    )
    permits = {
        each.subject: each for each in permit_expiries(query.room, list({down.dealer for down in downs}))
    }
    dealers = [
        Row(
            {
                "person": str(down.dealer),
                "table": numbers[down.table_id],
                "began_at": down.started_at,
                "ended_at": down.ended_at,
                **_document(permit := permits.get(f"staff:{down.dealer_id}")),
            },
            mark=_mark(query, permit, down.ended_at),
        )
        for down in downs
    ]
    players = [
        Row(
            {
                "player": seating.player.ref,
                "player_number": seating.player.number,
                "provider": str(seating.player.provider),
                "table": numbers[seating.table_id],
                "began_at": seating.seated_at,
                "ended_at": seating.left_at,
                "seat": seating.seat,
                **_document(badge := badge_expiry(seating.player)),
            },
            mark=_mark(query, badge, seating.left_at),
        )
        for seating in seatings
    ]
    others = list(_others(query, numbers))
    expired = sum(row.mark is Mark.LOOK for row in (*dealers, *players))
    return query.document(
        "people",
        "People at the tables",
        answers=[
            Answer("dealers", "Dealers", len({down.dealer_id for down in downs}), Kind.COUNT),
            Answer(
                "players",
                "Providers' players",
                len({seating.player.person_id for seating in seatings}),
                Kind.COUNT,
            ),
            Answer(
                "expired",
                "Times at a table past a permit or badge",
                expired,
                Kind.COUNT,
                Mark.LOOK if expired else Mark.DONE,
            ),
        ],
        grids=[
            Grid("dealers", "Dealers", _DEALERS, dealers, empty="Nobody dealt."),
            Grid(
                "players", "Players of providers", _PLAYERS, players, empty="No provider's player sat there."
            ),
            Grid("others", "Who gave commands", _OTHERS, others, empty="Nobody gave a command."),
        ],
        notes=_NOTES,
    )


def _touches(query: ReportQuery, began: str, ended: str) -> Q:
    """Stretches of time that lie in the time asked about, wholly or in part."""
    return Q(**{f"{began}__lt": query.until}) & (
        Q(**{f"{ended}__isnull": True}) | Q(**{f"{ended}__gt": query.since})
    )


def _document(expiry: Expiry | None) -> dict[str, str | datetime.date | None]:
    if expiry is None:
        return {"document": "", "number": "", "expires": None}
    return {"document": expiry.what, "number": expiry.number, "expires": expiry.expires}


def _mark(query: ReportQuery, expiry: Expiry | None, ended: datetime.datetime | None) -> Mark:
    """Marked where the document had expired on the last day at the table, as far as that lies in the time."""
    if expiry is None:
        return Mark.NONE
    last = min(each for each in (ended, query.until, query.now) if each is not None)
    return Mark.LOOK if expiry.expires < local_day(query.room, last) else Mark.NONE


def _others(query: ReportQuery, numbers: dict[int, int]) -> Iterable[Row]:
    """Everybody with an entry in the journals of the tables, by the roles that they held then."""
    chains = [f"table:{pk}" for pk in numbers]
    entries = JournalEntry.objects.filter(chain__in=chains, at__gte=query.since, at__lt=query.until)
    found = (
        entries.order_by()
        .values_list("table", "actor_name", "roles")
        .annotate(commands=Count("pk"), first=Min("at"), last=Max("at"))
    )
    for table, name, roles, commands, first, last in sorted(
        found, key=lambda each: (numbers[each[0]], each[4], each[1])
    ):
        labels = sorted(Role(role).label for role in roles.split(",") if role)
        yield Row(
            {
                "person": name,
                "roles": ", ".join(str(label) for label in labels),
                "table": numbers[table],
                "commands": commands,
                "first_at": first,
                "last_at": last,
            }
        )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    dealers, players = figures.number("dealers"), figures.number("players")
    if not dealers and not players:
        return f"{figures.several('dealers', 'dealer').capitalize()} and no provider’s player was at a table"  # noqa: RUF001
    late = figures.number("expired")
    permits = (
        f"{figures.text('expired')} times past a permit or badge"
        if late
        else "each on a valid permit or badge"
    )
    who = f"{figures.several('dealers', 'dealer')} and {figures.several('players', 'provider player')}"
    return f"{who} were at the tables, {permits}"


PEOPLE = Report(
    name="people",
    title="People at the tables",
    text="Who dealt, who played for a provider, with which permit or badge, and who else gave commands?",
    right=Right.SEE_REPORTS,
    make=people,
    answer=_answer,
)
