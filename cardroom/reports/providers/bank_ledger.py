"""Sums what a provider's players banked, won, lost and paid, in cents: by the transfers, and by the columns of the rounds.

A round counts in the shift that was open when its bets closed, a correction in the shift in which it was made, as what it
changes. So these figures are part of those of the shift reports.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from cardroom.config.databases import snapshot
from cardroom.floor.models import Round, Table, Transfer, Turn
from cardroom.people.firms import Firms
from cardroom.people.models import Player, Provider

from ..queries.query import ReportQuery
from ..queries.rounds_in_scope import counts, rounds_of

#: Gaming days that are added up at a time: a worker that is silent for long is taken for lost.
_DAYS_AT_ONCE = 7
_ACCOUNT = Transfer.Account
_BOXES = (_ACCOUNT.DROP, _ACCOUNT.JACKPOT)
_SETTLED = Q(state=Round.State.SETTLED)
_FIRST = Q(corrects__isnull=True)


@dataclasses.dataclass
class BankTotals:
    """What was banked. `by_eye` are those of the `rounds` of whose wins and losses nothing is recorded, nor in any sum.

    `wagers_cents` are the bank's wagers put up, round by round; `won_cents` and `lost_cents` what the bank took and paid;
    `bank_fees_cents` what went from the bank into the drop and jackpot boxes, less what went back; `seat_fees_cents` the
    same of the firm's players at their seats, time collections for the most part.
    """

    turns: int = 0
    rounds: int = 0
    by_eye: int = 0
    voids: int = 0
    corrections: int = 0
    wagers_cents: int = 0
    won_cents: int = 0
    lost_cents: int = 0
    bank_fees_cents: int = 0
    seat_fees_cents: int = 0

    @property
    def net_cents(self) -> int:
        """What the bank won less what it lost."""
        return self.won_cents - self.lost_cents

    @property
    def fees_cents(self) -> int:
        return self.bank_fees_cents + self.seat_fees_cents

    def add(self, more: BankTotals) -> None:
        """Add the figures of `more` to these."""
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(more, field.name))


@dataclasses.dataclass(frozen=True)
class Place:
    """Where something was banked: on which gaming day, at which table (its number), by whom (id and name)."""

    day: datetime.date
    table: int
    player: int
    name: str


@dataclasses.dataclass(frozen=True)
class AtBank:
    """A turn with its place: `pk` is None for rounds that belong to no turn on record."""

    pk: int | None
    place: Place
    began_at: datetime.datetime | None


@dataclasses.dataclass(frozen=True)
class BankedPlaces:
    """What a firm's players banked, place by place, and by how many cents the two ways of adding it up differ."""

    places: dict[Place, BankTotals]
    difference_cents: int


class BankLedger:
    """The facts of one firm in the days, and at the table, that were asked about."""

    def __init__(self, query: ReportQuery, provider: Provider) -> None:
        self.query, self.provider = query, provider
        self.firms = Firms(query.room)

    @property
    def rounds(self) -> QuerySet[Round]:
        """The rounds that the firm's players banked, voids and corrections too."""
        return self._rounds(self.query)

    def _rounds(self, query: ReportQuery) -> QuerySet[Round]:
        return rounds_of(query).filter(self._theirs("bank_player", "opened_at"))

    def _theirs(self, player: str, at: str) -> Q:
        return self.firms.played_for(self.provider.pk, player, at)

    @staticmethod
    def _transfers(query: ReportQuery) -> QuerySet[Transfer]:
        moved = Transfer.objects.filter(shift__in=[shift.pk for shift in query.shifts]).order_by()
        return moved if query.table is None else moved.filter(table=query.table)

    def _turns(self, query: ReportQuery) -> QuerySet[Turn]:
        begun = Turn.objects.filter(shift__in=[shift.pk for shift in query.shifts]).order_by()
        begun = begun.filter(self._theirs("player", "began_at")).exclude(ended_why=Turn.Ended.MISTAKE)
        return begun if query.table is None else begun.filter(table=query.table)

    def by_place(self) -> BankedPlaces:
        """Add everything up by gaming day, table and player; five queries for each `_DAYS_AT_ONCE` days or part of them."""
        places: dict[Place, BankTotals] = {}
        difference_cents = 0
        for part in self._parts():
            with snapshot():  # a correction made between two of its sums would look like a difference
                found = self._part(part)
            places.update(found.places)
            difference_cents += found.difference_cents
            if self.query.on_progress is not None:
                self.query.on_progress(rounds_of(part).count())
        return BankedPlaces(places, difference_cents)

    def _parts(self) -> Iterator[ReportQuery]:
        """What is asked, some days at a time: no place is in two of them."""
        if (self.query.last - self.query.first).days < _DAYS_AT_ONCE:
            yield self.query
            return
        first = self.query.first
        while first <= self.query.last:
            last = min(self.query.last, first + datetime.timedelta(days=_DAYS_AT_ONCE - 1))
            yield dataclasses.replace(self.query, first=first, last=last)
            first = last + datetime.timedelta(days=1)

    def _part(self, query: ReportQuery) -> BankedPlaces:
        """The same for a part of the days; five queries, and another where a rack was handed over."""
        places: dict[Place, BankTotals] = {}
        recorded: dict[Place, BankTotals] = {}

        def at(
            into: dict[Place, BankTotals], day: datetime.date, table: int, player: int, name: str
        ) -> BankTotals:
            return into.setdefault(Place(day, table, player, name), BankTotals())

        bank = ("shift__gaming_day", "table__number", "bank_player", "bank_player__name")
        for *place, rounds, by_eye, voids, corrections, wagers, won, lost, fees in _counted(
            self._rounds(query).values(*bank)
        ).values_list(*bank, *_COUNTED):
            sums = at(places, *place)
            sums.rounds, sums.by_eye, sums.voids, sums.corrections = rounds, by_eye, voids, corrections
            sums.wagers_cents = wagers
            by_columns = at(recorded, *place)
            by_columns.won_cents, by_columns.lost_cents, by_columns.bank_fees_cents = won, lost, fees
        moved = self._transfers(query).filter(self._theirs("round__bank_player", "round__opened_at"))
        bank = ("shift__gaming_day", "table__number", "round__bank_player", "round__bank_player__name")
        fees_moved: dict[Place, int] = {}
        for *place, won, lost, boxes, fees in _moved(moved.values(*bank)).values_list(*bank, *_MOVED):
            sums = at(places, *place)
            sums.won_cents, sums.lost_cents, sums.bank_fees_cents = won, lost, boxes
            fees_moved[Place(*place)] = fees
        seat = ("shift__gaming_day", "table__number", "player", "player__name")
        paid = self._transfers(query).filter(self._theirs("player", "made_at"))
        for *place, cents in (
            paid.values(*seat).annotate(cents=_flow(_ACCOUNT.SEAT, _BOXES)).values_list(*seat, "cents")
        ):
            if cents:
                at(places, *place).seat_fees_cents = cents
        turns = ("shift__gaming_day", "table__number", "player", "player__name")
        begun = self._turns(query).values(*turns, "relieved").annotate(count=Count("pk"))
        handed: list[tuple[datetime.date, int, int]] = []
        for day, table, player, name, relieved, count in begun.values_list(*turns, "relieved", "count"):
            if relieved:  # a turn is counted for who began it
                handed += [(day, table, relieved[0])] * count
            else:
                at(places, day, table, player, name).turns = count
        first = Player.objects.in_bulk({player for _, _, player in handed}) if handed else {}
        for day, table, player in handed:
            at(places, day, table, player, first[player].name).turns += 1
        return BankedPlaces(places, _difference(places, recorded, fees_moved))

    def by_turn(self) -> dict[AtBank, BankTotals]:
        """Add up the bank's side turn by turn, by who held it one after the other; three queries, four with hand-overs.

        A correction counts with the turn of its round.
        """
        turns: dict[tuple[int | None, int], AtBank] = {}
        found: dict[AtBank, BankTotals] = {}
        named = ("pk", "shift__gaming_day", "table__number", "player", "player__name", "began_at")
        rows = list(self._turns(self.query).values_list(*named, "relieved"))
        before = {player for *_, relieved in rows for player in relieved}
        names = {each.pk: each.name for each in Player.objects.filter(pk__in=before)} if before else {}
        for pk, day, table, player, name, began_at, relieved in rows:
            names[player] = name
            for number, holder in enumerate(dict.fromkeys([*relieved, player])):
                turns[pk, holder] = AtBank(pk, Place(day, table, holder, names[holder]), began_at)
                found[turns[pk, holder]] = BankTotals(turns=int(number == 0))
        bank = (
            "turn",
            "shift__gaming_day",
            "table__number",
            "bank_player",
            "bank_player__name",
            "turn__began_at",
        )

        def of(turn: int | None, *place: object) -> BankTotals:
            *where, began_at = place
            at_bank = AtBank(turn, Place(*where), began_at)  # type: ignore[arg-type]
            at_bank = turns.get((turn, at_bank.place.player), at_bank)
            return found.setdefault(at_bank, BankTotals())

        for turn, *place, rounds, by_eye, voids, corrections, wagers, _won, _lost, _fees in _counted(
            self.rounds.values(*bank)
        ).values_list(*bank, *_COUNTED):
            more = BankTotals(
                rounds=rounds, by_eye=by_eye, voids=voids, corrections=corrections, wagers_cents=wagers
            )
            of(turn, *place).add(more)
        moved = self._transfers(self.query).filter(self._theirs("round__bank_player", "round__opened_at"))
        bank = (
            "round__turn",
            "shift__gaming_day",
            "table__number",
            *("round__bank_player", "round__bank_player__name", "round__turn__began_at"),
        )
        for turn, *place, won, lost, boxes, _fees in _moved(moved.values(*bank)).values_list(*bank, *_MOVED):
            of(turn, *place).add(BankTotals(won_cents=won, lost_cents=lost, bank_fees_cents=boxes))
        return found


_COUNTED = ("count", "eye", "void", "corrected", "wagered", "won", "lost", "bank_fees")
_MOVED = ("won", "lost", "boxes", "bank_fees")


def _counted(rounds: QuerySet[Round, dict[str, object]]) -> QuerySet[Round, dict[str, object]]:
    """Annotate groups of rounds with what their columns say."""
    given_back = Case(When(refunded_cents__gt=0, then=F("bank_fee_cents")), default=0)
    return rounds.annotate(
        count=Count("pk", filter=_SETTLED & _FIRST),
        eye=Count("pk", filter=_SETTLED & _FIRST & Q(recording=Table.Recording.FEES)),
        void=Count("pk", filter=Q(state=Round.State.VOID)),
        corrected=Count("pk", filter=~_FIRST),
        wagered=Coalesce(Sum(counts("bank_wager_cents"), filter=_SETTLED), 0),
        won=Sum(counts("taken_cents")),
        lost=Sum(counts("paid_cents")),
        bank_fees=Sum(counts("bank_fee_cents") - given_back),
    )


def _moved(transfers: QuerySet[Transfer, dict[str, object]]) -> QuerySet[Transfer, dict[str, object]]:
    """Annotate groups of transfers with what went into and out of the bank."""
    kind = Transfer.Kind
    return transfers.annotate(
        won=-_flow(_ACCOUNT.BANK, None, Q(kind=kind.TAKE)),
        lost=_flow(_ACCOUNT.BANK, None, Q(kind=kind.PAY)),
        boxes=_flow(_ACCOUNT.BANK, _BOXES),
        bank_fees=_flow(_ACCOUNT.BANK, None, Q(kind__in=(kind.FEE, kind.FEE_REFUND))),
    )


def _flow(account: str, others: Sequence[str] | None, more: Q | None = None) -> Coalesce:
    """The cents that went out of `account` (to `others`, or anywhere) less those that came in."""
    forth, back = Q(source=account), Q(target=account)
    if others is not None:
        forth, back = forth & Q(target__in=others), back & Q(source__in=others)
    if more is not None:
        forth, back = forth & more, back & more
    return Coalesce(Sum(Case(When(forth, then=F("cents")), When(back, then=-F("cents")), default=0)), 0)


def _difference(
    places: dict[Place, BankTotals], recorded: dict[Place, BankTotals], fees_moved: dict[Place, int]
) -> int:
    """By how many cents transfers and columns differ, place by place: in what was won, lost, and paid as the bank's fee."""
    none = BankTotals()

    def each() -> Iterable[int]:
        for place, sums in places.items():
            by_columns = recorded.get(place, none)
            yield abs(sums.won_cents - by_columns.won_cents)
            yield abs(sums.lost_cents - by_columns.lost_cents)
            yield abs(fees_moved.get(place, 0) - by_columns.bank_fees_cents)

    return sum(each())
