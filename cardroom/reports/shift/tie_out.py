"""Reconciles the money figures of a shift: each added up in several ways, from rows or documents of its own.

For each round of a shift, and each way of looking at it, there is what that way makes of every figure. Transfers are added
up by the database; the columns of rounds are read with their settlements, quotes and bets, which are documents, read one
by one and not held. However many rounds there are, six queries read them all.

A correction counts as what it changes: every way counts what the round comes to now, less what the round that it
corrects came to. So a shift shows what was recorded in it first, and another what was corrected in it later.
"""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone; the shift is a parameter

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import add, itemgetter
from typing import Any, Final, TypedDict

from django.db.models import BigIntegerField, Case, F, QuerySet, Sum, Value, When
from django.db.models.expressions import Combinable

from cardroom.config.replica import reading_connection
from cardroom.floor.models import BuyIn, Round, TimeCollection, Transfer
from games.meter import off_the_meter
from games.ran_out import read_ran_out, uncovered_cents, wagers_in_order
from games.refusal import Refusal
from games.registry import action_wagers_on_record, rulebook_with
from games.rotation.profile import HOUSE_BANKS

from ..stored.figure_types import WAYS

#: The ways that need no look into the documents of a round.
ROW_WAYS: Final = ("transfers", "rounds")
#: Rounds that are read at a time.
_CHUNK: Final = 500

#: What one way makes of a round, or of a part of it: cents, in the order of the figures of which the way speaks.
_Cents = tuple[int, ...]


class TieOutSums(TypedDict):
    """What one way makes of a table's figures: cents by figure, for the figures of which the way speaks."""

    table: int
    way: str
    cents: dict[str, int]


class Fault(TypedDict):
    """A round in which the ways of one figure differ."""

    table: int
    round: int
    gaming_day: str
    number: int
    figure: str
    ways: dict[str, int]


class _Tally:
    """What one way makes of a shift: of each table piece by piece, and of each round as a whole."""

    def __init__(self) -> None:
        self.tables: defaultdict[int, list[_Cents]] = defaultdict(list)
        self.rounds: dict[tuple[int, int], _Cents] = {}

    def add(self, table: int, round_: int | None, cents: _Cents) -> None:
        """Count `cents` for a table and, unless they are of time or a buy-in there, for one of its rounds."""
        self.tables[table].append(cents)
        if round_ is not None:
            known = self.rounds.get((table, round_))
            self.rounds[table, round_] = cents if known is None else tuple(map(add, known, cents))


def ways_read(shift_id: int) -> tuple[list[TieOutSums], list[Fault]]:
    """Add up every figure of a shift in every way: the sums by table, and the rounds in which any two ways differ."""
    tallies = {way: _Tally() for way in _OF}
    for table, round_, *cents in _transfers(shift_id):
        tallies["transfers"].add(table, round_, tuple(cents))
    # A correction counts as what it changes: with the sign -1, the round whose place it takes.
    _look(Round.objects.filter(shift=shift_id), "pk", 1, tallies)
    _look(Round.objects.filter(correction__shift=shift_id), "correction", -1, tallies)
    times = TimeCollection.objects.filter(shift=shift_id)
    for table, cents, fees in times.values_list("table", "cents", "fees"):
        tallies["rounds"].add(table, None, _beside_rounds("rounds", "time_fees_cents", cents))
        if listed := _listed(fees):
            quoted = _beside_rounds("quotes", "time_fees_cents", _sum(listed, "cents"))
            tallies["quotes"].add(table, None, quoted)
    _bought_in(shift_id, tallies["rounds"])
    return [
        _way_sums(table, way, map(sum, zip(*pieces, strict=True)))
        for table, way, pieces in sorted(
            (table, way, pieces) for way, tally in tallies.items() for table, pieces in tally.tables.items()
        )
    ], _faults({way: tally.rounds for way, tally in tallies.items()})


def row_sums(shift_id: int) -> list[TieOutSums]:
    """Add up every figure of a shift by its transfers and by the columns of its rounds, by table: no document is read."""
    tallies = {way: _Tally() for way in ROW_WAYS}
    for table, *cents in _transfers(shift_id, by_round=False):
        tallies["transfers"].add(table, None, tuple(cents))
    for rounds, sign in (
        (Round.objects.filter(shift=shift_id), 1),
        (Round.objects.filter(correction__shift=shift_id), -1),
    ):
        sums = {f"sum_of_{figure}": Sum(_OF_ROUND[figure]) for figure in _OF["rounds"]}
        by_table = rounds.order_by().values("table").annotate(**sums)
        for table, *cents in by_table.values_list("table", *sums):
            tallies["rounds"].add(table, None, tuple(sign * int(value) for value in cents))
    times = TimeCollection.objects.filter(shift=shift_id).order_by()
    for table, cents in times.values("table").values_list("table", Sum("cents")):
        tallies["rounds"].add(table, None, _beside_rounds("rounds", "time_fees_cents", int(cents)))
    _bought_in(shift_id, tallies["rounds"])
    return [
        _way_sums(table, way, map(sum, zip(*tallies[way].tables[table], strict=True)))
        for way in ROW_WAYS
        for table in sorted(tallies[way].tables)
    ]


def _bought_in(shift_id: int, rounds: _Tally) -> None:
    """Count the cash that players bought chips for, by its own rows."""
    bought = BuyIn.objects.filter(shift=shift_id).order_by()
    for table, cents in bought.values("table").values_list("table", Sum("cents")):
        rounds.add(table, None, _beside_rounds("rounds", "buy_ins_cents", int(cents)))


def _way_sums(table: int, way: str, cents: Iterable[int]) -> TieOutSums:
    return {"table": table, "way": way, "cents": dict(zip(_OF[way], cents, strict=True))}


def _faults(rounds: Mapping[str, Mapping[tuple[int, int], _Cents]]) -> list[Fault]:
    """The rounds in which any two ways of a figure differ, and the figures in which they do."""
    columns, others = rounds["rounds"], [(rounds[way], *same) for way, same in _SAME.items()]
    suspects = []
    for key in {key for looked in rounds.values() for key in looked}:
        # The columns of rounds have every figure: where every other way agrees with them, all agree.
        of_round = columns.get(key, _NOTHING["rounds"])
        for looked, picked, nothing in others:
            if looked.get(key, nothing) != picked(of_round):
                suspects.append(key)
                break
    differing = []
    for table, round_ in sorted(suspects):
        cents = {
            (figure, way): value
            for way, figures in _OF.items()
            for figure, value in zip(figures, rounds[way].get((table, round_), _NOTHING[way]), strict=True)
        }
        for figure, ways in WAYS.items():
            by_way = {way: cents[figure, way] for way in ways}
            if len(set(by_way.values())) > 1:
                differing.append((table, round_, figure, by_way))
    named = _named({round_ for _, round_, _, _ in differing})
    return [
        {
            "table": table,
            "round": round_,
            "gaming_day": named[round_][0],
            "number": named[round_][1],
            "figure": figure,
            "ways": by_way,
        }
        for table, round_, figure, by_way in differing
    ]


def _named(rounds: Iterable[int]) -> dict[int, tuple[str, int]]:
    """Gaming day (ISO) and number of each of `rounds`."""
    ids = sorted(rounds)
    named = {}
    for start in range(0, len(ids), _CHUNK):
        found = Round.objects.filter(pk__in=ids[start : start + _CHUNK]).order_by()
        for pk, gaming_day, number in found.values_list("pk", "gaming_day", "number"):
            named[pk] = (gaming_day.isoformat(), number)
    return named


def _transfers(shift_id: int, *, by_round: bool = True) -> Iterator[Any]:
    """The table, the round (unless not `by_round`) and what its transfers come to, figure by figure."""
    keys = "table_id, round_id" if by_round else "table_id"
    with reading_connection().cursor() as cursor:
        cursor.execute(
            f"SELECT {keys}, {_TRANSFERS} FROM {Transfer._meta.db_table} WHERE shift_id = %(shift)s GROUP BY {keys}",
            {"shift": shift_id},
        )
        yield from cursor


def _look(rounds: QuerySet[Round], counts_as: str, sign: int, tallies: Mapping[str, _Tally]) -> None:
    """Look at the columns and at the documents of `rounds`; `counts_as` is where the id of the round is that it counts with."""
    read: tuple[str | Combinable, ...]
    read = (
        "table",
        F(counts_as),
        "rulebook",
        "options",
        "state",
        "rotation",
        "bank_seat",
        "schedule",
        "settlement",
        "fees",
        "bets",
        "later_bets",
        "ran_out",
        "action_seat",
        *_COLUMNS,
    )
    columns, settlements, quotes, stakes = (
        tallies[way].add for way in ("rounds", "settlements", "quotes", "bets")
    )
    # fmt: off
    for (
        table, round_, rulebook, options, state, rotation, bank_seat, schedule, settlement, fees, bets, later_bets, ran_out,
        action_seat, *cents
    ) in rounds.order_by().values_list(*read).iterator(chunk_size=_CHUNK):
        # fmt: on
        columns(table, round_, tuple(cents) if sign > 0 else tuple([sign * value for value in cents]))
        settled = state == Round.State.SETTLED
        if settled and settlement and (lines := _listed(settlement.get("lines"))):
            settlements(table, round_, _settled(lines, sign, house_banks=rotation == HOUSE_BANKS))
        elif settled and ran_out:
            first = bank_seat if action_seat is None else action_seat
            laid, later = _listed(bets), _listed(later_bets)
            gone = _gone_back(rulebook, options, ran_out, bets=laid, later_bets=later, first=first)
            settlements(table, round_, (0, 0, 0, sign * gone, 0, 0))
        if quoted := _listed(fees):
            quotes(table, round_, _quoted(quoted, bank_seat, schedule, sign))
        if settled and (placed := _listed(bets)):
            wagers = [bet.get("wagers") or {} for bet in placed]
            staked = sum([_sum(wagers, wager) for wager in action_wagers_on_record(rulebook, options)])
            stakes(table, round_, (sign * staked,))


def _settled(lines: list[dict[str, Any]], sign: int, *, house_banks: bool) -> _Cents:
    """What the lines of a settlement come to; what the meter paid is no loss of a house that banks."""
    tips = taken = paid = uncovered = 0
    try:
        for line in lines:
            of_line = _of_line(line)
            tips += of_line[0]
            taken += of_line[1]
            paid += of_line[2]
            uncovered += of_line[3]
        whole = isinstance(tips + taken + paid + uncovered, int)
    except (KeyError, TypeError):
        whole = False
    if not whole:  # a line leaves one of them out, or says it otherwise than in whole cents
        tips, taken, paid, uncovered = (_sum(lines, column) for column in _LINE_COLUMNS)
    if not house_banks:
        return sign * tips, sign * taken, sign * paid, sign * uncovered, 0, 0
    meter = _sum((line for line in lines if off_the_meter({"odds": "", **line})), "paid")
    won = taken - (paid - meter)
    return sign * tips, sign * taken, sign * paid, sign * uncovered, sign * won, sign * meter


def _gone_back(
    rulebook: str,
    options: Mapping[str, Any],
    ran_out: Mapping[str, Any],
    *,
    bets: list[dict[str, Any]],
    later_bets: list[dict[str, Any]],
    first: int | None,
) -> int:
    """What went back uncovered in a round that was settled by eye, from its wagers and where its bank ran out."""
    try:
        wagers = wagers_in_order(bets, later_bets, rulebook_with(rulebook, options), first)
        return uncovered_cents(wagers, read_ran_out(ran_out))
    except (Refusal, LookupError, TypeError, AttributeError):  # what was recorded names no wager of the round
        return 0


def _quoted(fees: list[dict[str, Any]], bank_seat: int | None, schedule: int | None, sign: int) -> _Cents:
    """What a quote comes to. What a round without a schedule lists as fees is its house rake."""
    banks = others = waived = 0
    for fee in fees:
        if fee.get("seat") == bank_seat:
            banks += int(fee.get("cents") or 0)
        else:
            others += int(fee.get("cents") or 0)
        if "waived" in fee:
            waived += int(fee["waived"] or 0)
    if schedule is None:
        return 0, 0, 0, sign * (banks + others), sign * waived
    return sign * others, sign * banks, 0, 0, sign * waived


def _beside_rounds(way: str, figure: str, cents: int) -> _Cents:
    """What a way makes of time collected, or of cash for chips, at a table: it goes into the drop box and nowhere else."""
    known = {figure: cents, "drop_expected_cents": cents}
    return tuple(known.get(figure, 0) for figure in _OF[way])


def _listed(document: Any) -> list[dict[str, Any]]:
    """A list in a document. What is no list has no elements: it shows as a difference and not as an error."""
    return document if isinstance(document, list) else []


def _sum(elements: Iterable[Mapping[str, Any]], key: str) -> int:
    """The sum of the values under `key`; elements without it count nothing."""
    return sum(int(element.get(key) or 0) for element in elements)


def _sum_if(kind: str, *, account: str = "") -> str:
    """Sum up transfers of a kind, less those that take one back; `account` is where they come from."""
    back = "reverses_id IS NOT NULL"
    forth = "reverses_id IS NULL"
    if account:
        back, forth = f"{back} AND target = '{account}'", f"{forth} AND source = '{account}'"
    return f"CASE WHEN kind <> '{kind}' THEN 0 WHEN {forth} THEN cents WHEN {back} THEN -cents ELSE 0 END"


def _balance(account: str) -> str:
    """Sum up what went into an account, less what came out of it."""
    return f"CASE WHEN target = '{account}' THEN cents WHEN source = '{account}' THEN -cents ELSE 0 END"


#: The figures of which each way speaks.
_OF: Final = {
    way: tuple(figure for figure, ways in WAYS.items() if way in ways)
    for way in ("transfers", "rounds", "settlements", "quotes", "bets")
}
_NOTHING: Final = {way: (0,) * len(figures) for way, figures in _OF.items()}

_ACCOUNT, _KIND = Transfer.Account, Transfer.Kind
#: What each figure is, of the rows of `Transfer`.
_OF_TRANSFER: Final = {
    "player_fees_cents": _sum_if(_KIND.FEE, account=_ACCOUNT.SEAT),
    "bank_fees_cents": _sum_if(_KIND.FEE, account=_ACCOUNT.BANK),
    "time_fees_cents": _sum_if(_KIND.TIME),
    "rake_cents": _sum_if(_KIND.RAKE),
    "buy_ins_cents": _sum_if(_KIND.BUY_IN),
    "fees_refunded_cents": _sum_if(_KIND.FEE_REFUND),
    "drop_expected_cents": _balance(_ACCOUNT.DROP),
    "jackpot_expected_cents": _balance(_ACCOUNT.JACKPOT),
    "tips_cents": _balance(_ACCOUNT.TIPS),
    "taken_cents": _sum_if(_KIND.TAKE),
    "paid_cents": _sum_if(_KIND.PAY),
    "house_win_cents": f"CASE WHEN kind = 'buy_in' THEN 0 ELSE {_balance(_ACCOUNT.TRAY)} END",
    "meter_wins_cents": f"-({_balance(_ACCOUNT.METER)})",
}
#: PostgreSQL sums bigint as numeric, which takes longer to parse: sums of cents fit bigint.
_TRANSFERS: Final = ", ".join(
    f"CAST(SUM({_OF_TRANSFER[figure]}) AS bigint) AS {figure}" for figure in _OF["transfers"]
)

#: What each figure is, of a round's own columns.
_OF_ROUND: Final[dict[str, Combinable]] = {
    "total_table_action_cents": Case(
        When(state=Round.State.SETTLED, then=F("total_table_action_cents")), default=0
    ),
    "player_fees_cents": F("player_fees_cents"),
    "bank_fees_cents": F("bank_fee_cents"),
    "time_fees_cents": Value(0),  # those of a round are none of the clock's
    "rake_cents": F("rake_cents"),
    "buy_ins_cents": Value(0),  # no round has one
    "fees_waived_cents": F("waived_cents"),
    "fees_refunded_cents": F("refunded_cents"),
    "drop_expected_cents": F("player_fees_cents")
    + F("bank_fee_cents")
    + F("rake_cents")
    - F("refunded_cents"),
    "jackpot_expected_cents": F("jackpot_cents") - F("jackpot_refunded_cents"),
    "tips_cents": F("tips_cents"),
    "taken_cents": F("taken_cents"),
    "paid_cents": F("paid_cents"),
    "uncovered_cents": F("uncovered_cents"),
    "house_win_cents": Case(
        When(rotation=HOUSE_BANKS, then=F("taken_cents") - F("paid_cents") + F("meter_cents")),
        default=0,
        output_field=BigIntegerField(),
    ),
    "meter_wins_cents": F("meter_cents"),
}
_COLUMNS: Final = [_OF_ROUND[figure] for figure in _OF["rounds"]]

#: What of a line of a settlement is which of its figures.
_LINE_COLUMNS: Final = ("toked", "taken", "paid", "uncovered")
_of_line: Final = itemgetter(*_LINE_COLUMNS)


def _picked(way: str) -> Callable[[_Cents], _Cents]:
    """What picks out of the columns of a round those figures of which the way speaks too."""
    places = [_OF["rounds"].index(figure) for figure in _OF[way]]
    if len(places) == 1:
        return itemgetter(slice(places[0], places[0] + 1))
    picked: Callable[[_Cents], _Cents] = itemgetter(*places)
    return picked


#: How each other way is compared with the columns of rounds, and what it makes of a round that it does not know.
_SAME: Final = {way: (_picked(way), _NOTHING[way]) for way in _OF if way != "rounds"}
