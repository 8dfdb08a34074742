"""Builds a provider's statement: what its players banked, won, lost and paid at the room's tables, and nothing of others."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.errors import NotFound
from cardroom.people.firms import providers_within
from cardroom.people.models import Provider, Staff
from cardroom.people.players import ref_of
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room

from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import counts, report_address, round_address, round_name
from .bank_ledger import AtBank, BankLedger, BankTotals, Place
from .sessions import SESSION_NOTES, session_grids, sessions_asked

#: What the report is called, for any provider.
STATEMENT = "statement"
#: Rounds of the room or table, under any bank, that are added up while a user waits: some two seconds.
AT_ONCE = 60_000
#: So many gaming days at most are listed turn by turn.
MOST_DAYS_OF_TURNS = 7

_MONEY = (
    Column("wagers_cents", "Wagers banked", Kind.MONEY, adds=True),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
    Column("lost_cents", "Lost", Kind.MONEY, adds=True),
    Column("net_cents", "Net", Kind.MONEY, adds=True),
    Column("bank_fees_cents", "Bank fees", Kind.MONEY, adds=True),
)
_ROUNDS = (
    Column("rounds", "Rounds", Kind.COUNT, adds=True),
    Column("by_eye", "not carded", Kind.COUNT, adds=True),
)
_SUMS = (
    Column("turns", "Turns", Kind.COUNT, adds=True),
    *_ROUNDS,
    *_MONEY,
    Column("seat_fees_cents", "Seat fees", Kind.MONEY, adds=True),
    Column("after_fees_cents", "After fees", Kind.MONEY, adds=True),
)
_DAYS = (Column("gaming_day", "Gaming day", Kind.DAY), *_SUMS)
_TABLES = (Column("table", "Table", Kind.COUNT), *_SUMS)
_PEOPLE = (Column("player", "Player"), *_SUMS)
_TURNS = (
    Column("began_at", "Turn began", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("player", "Player"),
    *_ROUNDS,
    *_MONEY,
)
_CORRECTIONS = (
    Column("corrected_at", "Corrected at", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("round", "Round"),
    Column("player", "Player"),
    Column("wagers_cents", "Wagers banked", Kind.MONEY, adds=True),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
    Column("lost_cents", "Lost", Kind.MONEY, adds=True),
    Column("reason", "Reason"),
)

_NOTES = (
    (
        "This is the room's own record of its tables. It is not the provider's playing book (4 CCR 12260), takes nothing "
        "from it and does not replace it: the two can be compared."
    ),
    (
        "Wagers banked are the player-dealer wagers, added up round by round: money that was wagered again "
        "counts again. Won is what the bank took of wagers, lost what it paid, won tips included."
    ),
    (
        "A round counts in the shift that was open when its bets closed, and a correction in the shift in which it was made, "
        "as what it changes: new less old. Days that were drawn before do not change."
    ),
    (
        "Won, lost and fees are added up from the transfers of cents. The columns of the rounds are added up beside them, and "
        "by how much the two differ is above."
    ),
    "Bank fees are what went from the bank into the drop and jackpot boxes, less refunds for voids.",
    "Seat fees are what the provider's players paid otherwise, such as time collections.",
    "Of rounds not carded it is not recorded what the bank won and lost: they are counted, and in no such sum.",
    (
        "A turn counts for who began it. Where its rack was handed over it goes on, and turn by turn has a row for each player "
        "who held it, with the rounds that they banked."
    ),
    "Whoever changed the provider counts for each in the rounds that they banked for it.",
)


def get_provider_for(staff: Staff, room: Room, provider_id: int) -> Provider:
    """Return the provider, if its statement is open to `staff` in `room`; NotFound, as if it were not there, if not."""
    provider = providers_within(staff, room).filter(pk=provider_id).first()
    if provider is None:
        raise NotFound("not_found", f"There is no provider {provider_id}.")
    return provider


def statement_report(provider: Provider) -> Report:
    """Return the statement of a provider as a report: it is asked for like those of the catalogue, and is not in it."""
    return Report(
        name=f"statement-{provider.pk}",
        title=f"Statement of {provider}",
        text="What did the provider's players bank, win, lose and pay?",
        right=Right.SEE_STATEMENTS,
        make=functools.partial(statement, provider),
        answer=_answer,
        by_shift=True,
        at_once=AT_ONCE,
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("rounds"):
        return f"{figures.several('rounds', 'round').capitalize()} was banked by its players in this time"
    net = figures.number("net_cents")
    did = "won" if net >= 0 else "lost"
    amount = figures.text("net_cents").lstrip("−-")
    return (
        f"Its players {did} {amount} in {figures.several('rounds', 'round')} banked, "
        f"{figures.text('after_fees_cents')} after {figures.text('fees_cents')} of fees"
    )


def statement(provider: Provider, query: ReportQuery) -> ReportDocument:
    """Tell what the players of `provider` banked in the days asked about."""
    bank_ledger = BankLedger(query, provider)
    by_place = bank_ledger.by_place()
    places = sorted(by_place.places.items(), key=lambda each: (each[0].day, each[0].table, each[0].name))
    total = BankTotals()
    for _, sums in places:
        total.add(sums)
    linked = may(query.staff, Right.SEE_REPORTS, query.room)
    turns_listed = (query.last - query.first).days < MOST_DAYS_OF_TURNS
    grids = [
        Grid("days", "By gaming day", _DAYS, _grouped(places, "gaming_day", lambda place: place.day)),
        Grid("tables", "By table", _TABLES, _tables(query, places, linked=linked)),
        Grid("people", "By player", _PEOPLE, _people(places)),
        *([Grid("turns", "Turn by turn", _TURNS, _turns(bank_ledger.by_turn()))] if turns_listed else []),
        *session_grids(sessions_asked(query, provider)),
        Grid(
            "corrections",
            "Corrections made in this time, and what they changed",
            _CORRECTIONS,
            list(_corrections(bank_ledger, linked=linked)),
        ),
    ]
    return query.document(
        STATEMENT,
        f"Statement of {provider}",
        answers=list(_answers(total, by_place.difference_cents)),
        grids=grids,
        notes=(
            *_NOTES,
            *SESSION_NOTES,
            *(() if turns_listed else (f"Turn by turn covers {MOST_DAYS_OF_TURNS} gaming days at most.",)),
        ),
    )


def _answers(total: BankTotals, difference_cents: int) -> Iterator[Answer]:
    yield Answer("net_cents", "Net: won less lost", total.net_cents, Kind.MONEY)
    yield Answer("won_cents", "Won", total.won_cents, Kind.MONEY)
    yield Answer("lost_cents", "Lost", total.lost_cents, Kind.MONEY)
    yield Answer("fees_cents", "Fees paid", total.fees_cents, Kind.MONEY)
    yield Answer("after_fees_cents", "Net after fees", total.net_cents - total.fees_cents, Kind.MONEY)
    yield Answer("wagers_cents", "Wagers banked", total.wagers_cents, Kind.MONEY)
    yield Answer("turns", "Turns begun", total.turns, Kind.COUNT)
    yield Answer("rounds", "Rounds banked", total.rounds, Kind.COUNT)
    if total.by_eye:
        yield Answer("by_eye", "of them not carded, in no sum", total.by_eye, Kind.COUNT, Mark.LOOK)
    yield Answer(
        "difference_cents",
        "Difference between transfers and rounds",
        difference_cents,
        Kind.MONEY,
        Mark.STOP if difference_cents else Mark.DONE,
    )


def _money(sums: BankTotals) -> dict[str, int]:
    return {column.name: getattr(sums, column.name) for column in (*_ROUNDS, *_MONEY)}


def _values(sums: BankTotals) -> dict[str, int]:
    return {
        "turns": sums.turns,
        **_money(sums),
        "seat_fees_cents": sums.seat_fees_cents,
        "after_fees_cents": sums.net_cents - sums.fees_cents,
    }


def _added(
    places: Iterable[tuple[Place, BankTotals]], key: Callable[[Place], object]
) -> dict[object, BankTotals]:
    found: dict[object, BankTotals] = {}
    for place, sums in places:
        found.setdefault(key(place), BankTotals()).add(sums)
    return found


def _grouped(
    places: Sequence[tuple[Place, BankTotals]], name: str, key: Callable[[Place], object]
) -> Sequence[Row]:
    return [Row({name: value, **_values(sums)}) for value, sums in _added(places, key).items()]  # type: ignore[dict-item]


def _tables(query: ReportQuery, places: Sequence[tuple[Place, BankTotals]], *, linked: bool) -> Sequence[Row]:
    rows = _grouped(sorted(places, key=lambda each: each[0].table), "table", lambda place: place.table)
    if not linked:
        return rows
    return [
        Row(row.values, {"table": report_address(query, "rotation", table=str(row.values["table"]))})
        for row in rows
    ]


def _people(places: Sequence[tuple[Place, BankTotals]]) -> Sequence[Row]:
    by_player = _added(sorted(places, key=lambda each: each[0].name), lambda place: place.player)
    return [Row({"player": f"player:{player}", **_values(sums)}) for player, sums in by_player.items()]


def _turns(by_turn: dict[AtBank, BankTotals]) -> Sequence[Row]:
    def order(each: tuple[AtBank, BankTotals]) -> tuple[object, ...]:
        turn = each[0]
        return turn.place.table, turn.began_at is None, turn.began_at or turn.place.day, turn.pk or 0

    return [
        Row(
            {
                "began_at": turn.began_at,
                "table": turn.place.table,
                "player": f"player:{turn.place.player}",
                **_money(sums),
            }
        )
        for turn, sums in sorted(by_turn.items(), key=order)
    ]


def _corrections(bank_ledger: BankLedger, *, linked: bool) -> Iterator[Row]:
    made = bank_ledger.rounds.filter(corrects__isnull=False).order_by("corrected_at", "pk")
    columns = ("pk", "corrected_at", "table__number", "gaming_day", "number", "revision")
    for pk, at, table, day, number, revision, player, reason, wagers, won, lost in made.annotate(
        wagers=counts("bank_wager_cents"), won=counts("taken_cents"), lost=counts("paid_cents")
    ).values_list(*columns, ref_of("bank_player__"), "correction_reason", "wagers", "won", "lost"):
        yield Row(
            {
                "corrected_at": at,
                "table": table,
                "round": round_name(day, number, revision),
                "player": player,
                "wagers_cents": wagers,
                "won_cents": won,
                "lost_cents": lost,
                "reason": reason,
            },
            links={"round": round_address(pk)} if linked else {},
        )
