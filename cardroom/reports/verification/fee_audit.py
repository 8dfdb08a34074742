"""Recomputes the fees of every round, from its wagers and the version of the schedule by which it was charged.

Rounds are streamed shift by shift and columns are read without a row's object, so that a month takes no more memory than
an hour. Equal work is done once: two rounds with the same antes under one version cost the same, with any players. And
what has been found right is right again: of a round that bears the same figures as one before, only the seats are left
to look at.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypedDict

from django.db.models import QuerySet

from cardroom.filings.models import FeeSchedule
from cardroom.floor.models import Round
from fees.document import WAGER
from fees.errors import FeeError
from fees.quote import BANK, Ante, quote, waived_places
from fees.rates import Schedule
from games.engine import read_recorded_sheet, settle_wagers
from games.refusal import Refusal
from games.registry import load_rulebook, rulebook_with
from games.round_fees import round_fees
from games.rulebook import Rulebook
from games.terms import cents_on

from ..queries.rounds_in_scope import round_name

#: Differences that are kept in full; all of them are counted.
MOST_FOUND: Final = 1000
#: Rounds between two words on how far it has come.
STRIDE: Final = 2000
#: Quotes that are remembered; there are as many as different antes on the table.
_MOST_QUOTES: Final = 100_000

_COLUMNS: Final = (
    *("pk", "corrects_id", "bank_seat", "bets", "fees", "options", "schedule_id", "schedule_version"),
    *("total_table_action_cents", "player_fees_cents", "bank_fee_cents", "bank_fee_band"),
    *("jackpot_cents", "waived_cents"),
)
_UNREADABLE: Final = "the record cannot be read"
#: What a fee has that neither gives to the jackpot nor is waived: payer, seat and cents.
_PLAIN: Final = 3
#: What a correction takes over from the record that it corrects, when the drop box stays as it was.
_FEE_COLUMNS: Final = (
    *("fees", "player_fees_cents", "bank_fee_cents", "bank_fee_band", "jackpot_cents", "waived_cents"),
    "rake_cents",
)


class Found(TypedDict):
    """A figure of a round that is recorded otherwise than it computes; both in words, money as "250 cents"."""

    round: int
    table: int
    name: str
    figure: str
    recorded: str
    computed: str


class Charged(TypedDict):
    """What the rounds of one version of a schedule put into drop and jackpot boxes, in cents; `number` 0: no schedule."""

    number: int
    version: int
    rounds: int
    recorded_cents: int
    computed_cents: int


@dataclasses.dataclass
class Outcome:
    """What came of it: rounds computed again, of them differing, and those whose correction kept the fees as dropped."""

    rounds: int = 0
    differing: int = 0
    kept: int = 0
    found: list[Found] = dataclasses.field(default_factory=list)
    charged: list[Charged] = dataclasses.field(default_factory=list)


def outcomes_joined(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what several audits of different shifts have come to together."""
    whole = Outcome()
    charged: dict[tuple[int, int], Charged] = {}
    for each in outcomes:
        whole.rounds += each.rounds
        whole.differing += each.differing
        whole.kept += each.kept
        whole.found += each.found[: MOST_FOUND - len(whole.found)]
        for version in each.charged:
            key = version["number"], version["version"]
            before = charged.get(key)
            charged[key] = version if before is None else _added(before, version)
    whole.charged = [charged[key] for key in sorted(charged)]
    return whole


def _added(one: Charged, other: Charged) -> Charged:
    return Charged(
        number=one["number"],
        version=one["version"],
        rounds=one["rounds"] + other["rounds"],
        recorded_cents=one["recorded_cents"] + other["recorded_cents"],
        computed_cents=one["computed_cents"] + other["computed_cents"],
    )


class _Counted(NamedTuple):
    """The wagers that count as ante, and those that count toward total table action."""

    main: frozenset[str]
    action: frozenset[str]


@dataclasses.dataclass(frozen=True, slots=True)
class _Filed:
    """A schedule's version as filed, what it may charge, whether that depends on other wagers than the main ones.

    `without_fee` are the wagers that it charges for though no fee may come of them (ruling 13), by id: the name on the
    layout with the clause.
    """

    filed: FeeSchedule
    schedule: Schedule
    by_wager: bool
    without_fee: Mapping[str, str]


@dataclasses.dataclass(frozen=True, slots=True)
class _Due:
    """What a round owes: cents, jackpot and waived cents of each position and of the bank last, and their sums."""

    fees: tuple[tuple[int, int, int], ...]
    action_cents: int
    player_cents: int
    bank_cents: int
    band: str
    jackpot_cents: int
    waived_cents: int

    @property
    def figures(self) -> tuple[int, int, int, str, int, int]:
        return (
            self.action_cents,
            self.player_cents,
            self.bank_cents,
            self.band,
            self.jackpot_cents,
            self.waived_cents,
        )


_FIGURES: Final = (
    "total table action",
    "player fees",
    "player-dealer fee",
    "band",
    "jackpot collection",
    "waived fees",
)


def charged_rounds(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Return those of `rounds` whose bets were closed: their fees are fixed, settled or void, corrections too."""
    return rounds.filter(bets_closed_at__isnull=False)


def audit_fees(
    rounds: QuerySet[Round], shifts: Iterable[int], on_progress: Callable[[int], None] = lambda _: None
) -> Outcome:
    """Compute the fees of all `rounds` of `shifts` (ids) again; `on_progress` is called every so often with how many are done."""
    work = _Work(on_progress)
    for shift in shifts:
        charged = charged_rounds(rounds.filter(shift=shift)).order_by()
        for row in charged.filter(schedule__isnull=False).values_list(*_COLUMNS).iterator(chunk_size=STRIDE):
            work.round(row)
        for round_ in charged.filter(schedule__isnull=True).iterator(chunk_size=STRIDE):
            work.without_schedule(round_)
    return work.outcome()


class _Work:
    def __init__(self, on_progress: Callable[[int], None]) -> None:
        self._on_progress = on_progress
        self._made = Outcome()
        self._versions: dict[int, FeeSchedule] = {}
        self._schedules: dict[tuple[int, Rulebook], _Filed] = {}
        self._quotes: dict[Any, _Due] = {}
        self._right: dict[Any, tuple[FeeSchedule, int]] = {}
        self._charged: dict[tuple[int, int], list[int]] = {}

    def outcome(self) -> Outcome:
        """Return what came of it, the versions by number."""
        self._on_progress(self._made.rounds)
        self._made.charged = [
            Charged(
                number=number,
                version=version,
                rounds=rounds,
                recorded_cents=recorded,
                computed_cents=computed,
            )
            for (number, version), (rounds, recorded, computed) in sorted(self._charged.items())
        ]
        return self._made

    def round(self, row: Sequence[Any]) -> None:
        """Compute one round again that was charged by a schedule."""
        pk, corrects, bank_seat, bets, fees, options, schedule_id, version, *recorded = row
        charges, counted = self._schedule(schedule_id, options)
        filed = charges.filed
        key = _figures_of(row, counted.main) if counted.action == counted.main else None
        if not charges.by_wager and (known := self._right.get(key)) is not None:
            filed, dropped = known
            return self._count(filed, dropped, dropped)
        dropped = recorded[1] + recorded[2] + recorded[4]
        try:
            due, places = self._due(charges, counted, bank_seat, bets, fees)
            same = (
                tuple(recorded) == due.figures
                and version == filed.version
                and _same_fees(bets, fees, bank_seat, due, places)
            )
        except (FeeError, KeyError, TypeError, AttributeError) as error:  # a record that was tampered with
            text = str(error) if isinstance(error, FeeError) else _UNREADABLE
            self._differs(pk, [("fees", _cents(dropped), text)])
            return self._count(filed, dropped, 0)
        computed = due.player_cents + due.bank_cents + due.jackpot_cents
        if same and key is not None and not charges.by_wager:
            if len(self._right) >= _MOST_QUOTES:
                self._right.clear()
            self._right[key] = filed, dropped
        if not same:
            if corrects is not None and recorded[0] == due.action_cents and self._kept(pk, corrects):
                # The drop box is never opened to mend a record: the correction says what was dropped, and so it counts.
                self._made.kept += 1
                computed = dropped
            else:
                self._differs(pk, list(_differences(charges, row, due, places)))
        return self._count(filed, dropped, computed)

    def without_schedule(self, round_: Round) -> None:
        """Compute one round again that no schedule charged: no player owes a fee, or all owe the house rake."""
        computed = 0
        if round_.rake is not None and round_.sheet is not None:
            sheet = read_recorded_sheet(round_.sheet)
            computed = sum(fee.cents for fee in round_fees(sheet, settle_wagers(sheet).dead_hands))
        recorded = sum(fee["cents"] for fee in round_.fees)
        sums = round_.player_fees_cents + round_.bank_fee_cents + round_.rake_cents
        if (recorded, sums) != (computed, computed):
            corrects = round_.corrects_id
            if corrects is not None and recorded == sums and self._kept(round_.pk, corrects):
                self._made.kept += 1
                return self._count(None, sums, sums)
            figure = "fees" if round_.rake is None else "house rake"
            self._differs(round_.pk, [(figure, _cents(max(recorded, sums)), _cents(computed))])
        return self._count(None, sums, computed)

    def _schedule(self, pk: int, options: Mapping[str, Any]) -> tuple[_Filed, _Counted]:
        """The version as filed, what it charges in the game on these options (read once for each game), and what counts there.

        Where options that were tampered with cannot be read, the rulebook as it ships, of which no wager counts.
        """
        if pk not in self._versions:
            self._versions[pk] = FeeSchedule.objects.get(pk=pk)
        filed = self._versions[pk]
        try:
            book = rulebook_with(filed.rulebook, options)
            counted = _Counted(book.main, book.action)
        except Refusal:
            book, counted = load_rulebook(filed.rulebook), _Counted(frozenset(), frozenset())
        if (pk, book) not in self._schedules:
            text = filed.schedule
            without_fee = {
                wager: f"{book.wagers[wager].name} ({clause})"
                for wager, clause in book.without_fee.items()
                if wager in text.wagers
            }
            schedule = text.without(without_fee)
            charges = (*schedule.players, *schedule.bank, *schedule.jackpot)
            by_wager = any(charge.per == WAGER for charge in charges)
            self._schedules[pk, book] = _Filed(filed, schedule, by_wager, without_fee)
        return self._schedules[pk, book], counted

    def _due(
        self,
        charges: _Filed,
        counted: _Counted,
        bank_seat: int,
        bets: Sequence[Mapping[str, Any]],
        fees: Sequence[Mapping[str, Any]],
    ) -> tuple[_Due, Sequence[int]]:
        """What the schedule gives, once for all rounds with the same antes, and which position each fee is of."""
        waived = waived_places(fees)
        main, action = counted
        kinds = tuple(frozenset(bet["wagers"].items()) for bet in bets) if charges.by_wager or waived else ()
        # A table limit holds each main wager by itself (ruling 56): where there are several, so does the key.
        mains = [_mains(bet, main) for bet in bets] if len(main) > 1 else None
        payers = _payers(bets, bank_seat)
        of_seats = [(seat, behind) for seat, behind, _ in payers]
        if len(set(of_seats)) != len(of_seats) or bank_seat in [seat for seat, _ in of_seats[:-1]]:
            raise FeeError("seat_twice", "a seat antes twice, or the bank's does")
        antes = [cents_on(bet["wagers"], main) for bet in bets]
        counts = antes if action == main else [cents_on(bet["wagers"], action) for bet in bets]
        places: Sequence[int] = range(len(antes))
        if (
            not kinds and mains is None and counts is antes
        ):  # a position's fee depends on nothing but its ante: the same antes in any order are one
            places = sorted(places, key=antes.__getitem__)
        of_antes = tuple([antes[place] for place in places])
        split = None if mains is None else tuple(tuple(sorted(each.items())) for each in mains)
        of_counts = None if counts is antes else tuple(counts)
        key = (
            (charges.filed.pk, *charges.without_fee),
            of_antes,
            of_counts,
            split,
            kinds,
            tuple(map(waived.get, of_seats)) if waived else (),
        )
        if (due := self._quotes.get(key)) is None:
            if len(self._quotes) >= _MOST_QUOTES:
                self._quotes.clear()
            positions = [
                Ante(
                    bets[place]["seat"],
                    bets[place]["player"],
                    antes[place],
                    bets[place]["wagers"],
                    None if mains is None else mains[place],
                    bets[place].get("behind", 0),
                    counts[place],
                )
                for place in places
            ]
            made = quote(charges.schedule, positions, bank_seat=bank_seat, waived=waived)
            bank = made.fees[-1]
            due = self._quotes[key] = _Due(
                fees=tuple((fee.cents, fee.jackpot_cents, fee.waived_cents) for fee in made.fees),
                action_cents=made.total_table_action_cents,
                player_cents=made.drop_cents - bank.cents,
                bank_cents=bank.cents,
                band=made.bank_label,
                jackpot_cents=made.jackpot_cents,
                waived_cents=made.waived_cents,
            )
        return due, places

    def _kept(self, pk: int, corrects: int) -> bool:
        """Whether a correction took its fees over from the record that it corrects, as they were dropped."""
        rows = Round.objects.filter(pk__in=(pk, corrects)).values_list(*_FEE_COLUMNS)
        return len(rows) == 2 and rows[0] == rows[1]

    def _differs(self, pk: int, what: list[tuple[str, str, str]]) -> None:
        self._made.differing += 1
        if len(self._made.found) >= MOST_FOUND:
            return
        round_ = Round.objects.select_related("table").get(pk=pk)
        for figure, recorded, computed in what:
            self._made.found.append(
                Found(
                    round=pk,
                    table=round_.table.number,
                    name=round_name(round_.gaming_day, round_.number, round_.revision),
                    figure=figure,
                    recorded=recorded,
                    computed=computed,
                )
            )

    def _count(self, filed: FeeSchedule | None, recorded: int, computed: int) -> None:
        of = (0, 0) if filed is None else (filed.number, filed.version)
        sums = self._charged.setdefault(of, [0, 0, 0])
        sums[0] += 1
        sums[1] += recorded
        sums[2] += computed
        self._made.rounds += 1
        if self._made.rounds % STRIDE == 0:
            self._on_progress(self._made.rounds)


def _figures_of(row: Sequence[Any], main: frozenset[str]) -> Any:
    """All that the fees of a row of `_COLUMNS` depend on, and what they are recorded as; None if more has a say in them.

    That are waivers, the jackpot, a seat that is charged without having bet, and data that cannot be read.
    """
    _, _, bank_seat, bets, fees, _, *figures = row
    try:
        payers = _payers(bets, bank_seat)
        if [_payer(fee) for fee in fees] != payers or len(set(payers)) != len(payers):
            return None
        if set(map(len, fees)) != {_PLAIN}:
            return None
        if len(main) > 1:
            antes: Any = tuple([tuple(sorted(_mains(bet, main).items())) for bet in bets])
        else:
            antes = tuple([cents_on(bet["wagers"], main) for bet in bets])
        key = *figures, antes, tuple([fee["cents"] for fee in fees])
        hash(key)  # of numbers and words, or the record was tampered with
    except (KeyError, TypeError, AttributeError):
        return None
    return key


def _same_fees(
    bets: Sequence[Mapping[str, Any]],
    fees: Sequence[Mapping[str, Any]],
    bank_seat: int,
    due: _Due,
    places: Sequence[int],
) -> bool:
    """Whether the recorded fees are those due, payer by payer: the positions in their order, then the bank."""
    if len(fees) != len(due.fees):
        return False
    payers = _payers(bets, bank_seat)
    for place, (cents, jackpot, waived) in zip((*places, len(places)), due.fees, strict=True):
        fee = fees[place]
        if _payer(fee) != payers[place] or fee["cents"] != cents:
            return False
        plain = len(fee) == _PLAIN and not jackpot and not waived
        if not plain and (fee.get("jackpot", 0) != jackpot or fee.get("waived", 0) != waived):
            return False
    return True


def _differences(
    charges: _Filed, row: Sequence[Any], due: _Due, places: Sequence[int]
) -> Iterator[tuple[str, str, str]]:
    """Every figure of a row of `_COLUMNS` that differs: what it is, as recorded, as computed."""
    _, _, bank_seat, bets, fees, _, _, version, *recorded = row
    for wager, called in charges.without_fee.items():
        if placed := [bet["seat"] for bet in bets if bet["wagers"].get(wager)]:
            yield f"fee on {called}", f"charged to seat {', '.join(map(str, placed))}", "no fee comes of it"
    if version != charges.filed.version:
        yield "version of the schedule", str(version), str(charges.filed.version)
    for figure, was, is_ in zip(_FIGURES, recorded, due.figures, strict=True):
        if was != is_:
            yield figure, _cents(was), _cents(is_)
    if not _same_fees(bets, fees, bank_seat, due, places):
        owed = dict(zip((*places, len(places)), (cents for cents, _, _ in due.fees), strict=True))
        yield "fees payer by payer", _in_words(fees), " ".join(_cents(owed[place]) for place in sorted(owed))


def _mains(bet: Mapping[str, Any], main: frozenset[str]) -> dict[str, int]:
    """The main wagers of a position in cents, by id."""
    return {wager: cents for wager, cents in bet["wagers"].items() if wager in main}


def _payers(bets: Sequence[Mapping[str, Any]], bank_seat: int) -> list[tuple[int, int, str]]:
    """Who owes a fee of a round, by seat, place behind it and as shown: each position's player, then the bank."""
    payers = [(bet["seat"], bet.get("behind", 0), bet["player"]) for bet in bets]
    payers.append((bank_seat, 0, BANK))
    return payers


def _payer(fee: Mapping[str, Any]) -> tuple[int, int, str]:
    """Who paid a recorded fee, as `_payers` tells who owes it."""
    return fee["seat"], fee.get("behind", 0), fee["payer"]


def _in_words(fees: Sequence[Mapping[str, Any]]) -> str:
    try:
        return " ".join(f"seat {fee['seat']}: {_cents(fee['cents'])}" for fee in fees)
    except (KeyError, TypeError):  # a record that was tampered with
        return _UNREADABLE


def _cents(value: Any) -> str:
    return f"{value} cents" if isinstance(value, int) else str(value)
