"""Report of the round log: the rows that make a figure of another report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from django.db.models import Case, Q, QuerySet, When

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Down, Round
from cardroom.people.models import Staff
from cardroom.people.players import ref_of
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.rotation.profile import HOUSE_BANKS

from ..queries.banking import banking_of_room, players_banked
from ..queries.hours import all_hours, hour_of_shift
from ..queries.query import Option, Report, ReportQuery
from ..queries.rounds_in_scope import counted_at, counts, round_address, round_name, rounds_of
from ..stored.late_corrections import Corrections, corrections_of

#: Rounds that one document lists; more are asked for in parts.
MOST_ROUNDS = 20_000

#: The kinds of rounds by the name in the address: what it is called, and its condition.
_KINDS: dict[str, tuple[str, Q]] = {
    "": ("all rounds", Q()),
    "settled": ("settled, as recorded first", Q(state=Round.State.SETTLED, corrects__isnull=True)),
    "void": ("void", Q(state=Round.State.VOID)),
    "corrections": ("corrections", Q(corrects__isnull=False)),
    "exhausted": ("bank exhausted or wagers uncovered", Q(exhausted=True) | Q(uncovered_cents__gt=0)),
}

_COLUMNS = (
    Column("round", "Round"),
    Column("table", "Table", Kind.COUNT),
    Column("shift", "Shift"),
    Column("counted_at", "Counts at", Kind.INSTANT),
    Column("state", "State"),
)
_SHOWN_CARD = Column("shown_card", "Shown card")
_ACTION = Column("total_table_action_cents", "Table action", Kind.MONEY, adds=True)
#: The further columns where players bank, and where the house does.
_OF_PLAYERS = (
    Column("game", "Game"),
    Column("schedule", "Schedule"),
    _ACTION,
    Column("player_fees_cents", "Player fees", Kind.MONEY, adds=True),
    Column("bank_fees_cents", "Player-dealer fee", Kind.MONEY, adds=True),
    Column("band", "By band"),
    Column("rake_cents", "House rake", Kind.MONEY, adds=True),
    Column("given_back_cents", "Refunded", Kind.MONEY, adds=True),
    Column("drop_cents", "Drop", Kind.MONEY, adds=True),
    Column("jackpot_cents", "Jackpot box", Kind.MONEY, adds=True),
    Column("waived_cents", "Waived", Kind.MONEY, adds=True),
)
_OF_THE_HOUSE = (
    Column("taken_cents", "Wagers taken", Kind.MONEY, adds=True),
    Column("paid_cents", "Winnings paid", Kind.MONEY, adds=True),
    Column("meter_cents", "by the meter", Kind.MONEY, adds=True),
    Column("won_cents", "House win", Kind.MONEY, adds=True),
)

#: The sums shown above the rows, where there are any.
_SUMS = (
    ("drop_cents", "Drop"),
    ("jackpot_cents", "Into jackpot boxes"),
    ("won_cents", "House win by rounds"),
)

_NOTES = (
    "A round counts in the shift that was open when its bets closed.",
    (
        "A correction counts in the shift in which it was made, and its amounts are what it changes: new less old. Table action "
        "and what was waived count with the round: corrections made later are listed for them, and those of earlier rounds "
        "have none."
    ),
    "Jackpot collections go into a box of their own and are no part of the drop; refunds of them are left out.",
    "Table action is that of settled rounds. Fees of a void round are shown with their refunds.",
)


def _kinds(_: Room) -> Sequence[tuple[str, str]]:
    return [(name, label) for name, (label, _) in _KINDS.items()]


def _games(room: Room) -> Sequence[tuple[str, str]]:
    filed = GameFiling.objects.filter(room=room).exclude(status=GameFiling.Status.DRAFT)
    versions = [(f"{each.number}v{each.version}", f"{each.number}, {each}") for each in filed]
    return [("", "all games"), *versions, ("none", "no filed game")]


def _schedules(room: Room) -> Sequence[tuple[str, str]]:
    filed = FeeSchedule.objects.filter(room=room).exclude(status=FeeSchedule.Status.DRAFT)
    versions = [(f"{each.number}v{each.version}", f"{each.number}, {each}") for each in filed]
    return [("", "all schedules"), *versions, ("none", "no schedule")]


def _bands(room: Room) -> Sequence[tuple[str, str]]:
    filed = FeeSchedule.objects.filter(room=room).exclude(status=FeeSchedule.Status.DRAFT)
    labels = {label for each in filed for label in each.schedule.bank_labels}
    return [("", "all bands"), *((label, label) for label in sorted(labels))]


def _hours(room: Room) -> Sequence[tuple[str, str]]:
    return [("", "all hours"), *((name, name) for name in all_hours(room))]


def _dealers(room: Room) -> Sequence[tuple[str, str]]:
    dealt = Down.objects.filter(room=room).order_by().values("dealer")
    people = Staff.objects.filter(pk__in=dealt).order_by("display_name", "username")
    return [("", "all dealers"), *((str(each.pk), str(each)) for each in people)]


def rounds(query: ReportQuery) -> ReportDocument:
    """List the rounds asked about with what each of them counts in fees."""
    corrections = corrections_of((shift.pk for shift in query.shifts), query.table)
    later = {each.round.pk for each in corrections.later}
    listed_here = rounds_of(query)
    if later:
        listed_here = listed_here | Round.objects.filter(pk__in=later)
    wanted = listed_here.filter(_KINDS[query.options["kind"]][1])
    if (game := query.options["game"]) == "none":
        wanted = wanted.filter(game__isnull=True)
    elif game:
        number, _, version = game.partition("v")
        wanted = wanted.filter(game__number=int(number), game__version=int(version))
    if (schedule := query.options["schedule"]) == "none":
        wanted = wanted.filter(schedule__isnull=True)
    elif schedule:
        number, _, version = schedule.partition("v")
        wanted = wanted.filter(schedule__number=int(number), schedule__version=int(version))
    if band := query.options["band"]:
        wanted = wanted.filter(bank_fee_band=band)
    if dealer := query.options["dealer"]:
        wanted = wanted.filter(dealer=int(dealer))
    in_order = wanted.order_by("table__number", "gaming_day", "number", "revision")
    columns = _columns(query)
    listed = list(islice(_rows(query, in_order, columns, corrections), MOST_ROUNDS + 1))
    if len(listed) > MOST_ROUNDS:
        raise BadInput(
            "too_many_rounds",
            f"These are more than {MOST_ROUNDS:,} rounds. Ask for fewer days, one shift, or one table.",
            path="to",
            status=400,
        )
    grid = Grid("rounds", "Rounds", columns, listed, empty="No round is of this kind in this time.")
    assert grid.totals is not None
    return query.document(
        "rounds",
        "Round log",
        answers=[
            Answer("rounds", "Rounds", len(listed), Kind.COUNT),
            *(
                Answer(name, heading, grid.totals[name], Kind.MONEY)
                for name, heading in _SUMS
                if name in grid.totals
            ),
        ],
        grids=[grid],
        notes=_NOTES,
    )


def _columns(query: ReportQuery) -> Sequence[Column]:
    players, house = players_banked(query.room, query.shifts), banking_of_room(query.room).house
    bank = Column("bank", "Player-dealer" if players else "Bank")
    of_house = _OF_THE_HOUSE if players else (_ACTION, *_OF_THE_HOUSE)
    more = (*(_OF_PLAYERS if players else ()), *(of_house if house else ()))
    return (*_COLUMNS, bank, _SHOWN_CARD, *more)


def _rows(
    query: ReportQuery, wanted: QuerySet[Round], columns: Sequence[Column], corrections: Corrections
) -> Iterator[Row]:
    names = [column.name for column in columns]
    listed = [
        *query.shifts,
        *(each.round.shift for each in corrections.later if each.round.shift is not None),
    ]
    shifts = {shift.pk: str(shift) for shift in listed}
    days = {shift.pk: shift.gaming_day for shift in listed}
    # What was moved counts where the correction was made, the rest where the round is.
    elsewhere = {each.round.pk for each in corrections.later}
    brought = {each.round.pk for each in corrections.brought}
    settled = Case(When(state=Round.State.SETTLED, then=counts("total_table_action_cents")), default=0)
    found = wanted.values(
        *(
            "pk",
            "gaming_day",
            "number",
            "revision",
            "table__number",
            "shift_id",
            "state",
            "rotation",
            "shown_card",
        ),
        *("game__title", "game__version", "schedule__number", "schedule_version", "bank_fee_band"),
        at=counted_at(),
        bank=ref_of("bank_player__"),
        action=settled,
        players=counts("player_fees_cents"),
        banks=counts("bank_fee_cents"),
        rake=counts("rake_cents"),
        back=counts("refunded_cents"),
        jackpot=counts("jackpot_cents") - counts("jackpot_refunded_cents"),
        waived=counts("waived_cents"),
        taken=counts("taken_cents"),
        paid=counts("paid_cents"),
        meter=counts("meter_cents"),
    )
    hour = query.options["hour"]
    for each in found.iterator(chunk_size=2000):
        at, revision = each["at"], each["revision"]
        if hour and (at is None or hour_of_shift(query.room, days[each["shift_id"]], at) != hour):
            continue
        if each["pk"] in elsewhere:
            each.update(dict.fromkeys(_MOVED, 0))
        if each["pk"] in brought:
            each.update(action=0, waived=0)
        game, schedule = each["game__title"], each["schedule__number"]
        of_house = each["rotation"] == HOUSE_BANKS
        values: dict[str, Value] = {
            "round": round_name(each["gaming_day"], each["number"], revision),
            "table": each["table__number"],
            "shift": shifts[each["shift_id"]],
            "counted_at": at,
            "state": "correction" if revision else each["state"],
            "bank": "the house" if of_house else each["bank"] or "",
            "shown_card": each["shown_card"],
            "game": "" if game is None else f"{game}, version {each['game__version']}",
            "schedule": "" if schedule is None else f"{schedule}, version {each['schedule_version']}",
            "total_table_action_cents": each["action"],
            "player_fees_cents": each["players"],
            "bank_fees_cents": each["banks"],
            "band": each["bank_fee_band"],
            "rake_cents": each["rake"],
            "given_back_cents": each["back"],
            "drop_cents": each["players"] + each["banks"] + each["rake"] - each["back"],
            "jackpot_cents": each["jackpot"],
            "waived_cents": each["waived"],
            "taken_cents": each["taken"],
            "paid_cents": each["paid"],
            "meter_cents": each["meter"],
            "won_cents": each["taken"] - each["paid"] + each["meter"] if of_house else 0,
        }
        yield Row(
            {name: values[name] for name in names},
            links={"round": round_address(each["pk"])},
            mark=Mark.LOOK if revision or each["state"] == Round.State.VOID else Mark.NONE,
        )


#: The columns of what was moved.
_MOVED = ("players", "banks", "rake", "back", "jackpot", "taken", "paid", "meter")


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("rounds"):
        return f"{figures.several('rounds', 'round').capitalize()} is of this kind in this time"
    sums = [
        f"{figures.text(name)} {words}"
        for name, words in (("drop_cents", "drop"), ("won_cents", "house win by rounds"))
        if name in figures
    ]
    return (
        f"{figures.several('rounds', 'round')} made {' and '.join(sums)}"
        if sums
        else figures.several("rounds", "round")
    )


ROUNDS = Report(
    name="rounds",
    title="Round log",
    text="Which rounds make a figure, and what did each of them drop, or win for the house?",
    right=Right.SEE_REPORTS,
    make=rounds,
    answer=_answer,
    options=(
        Option("kind", "Rounds", _kinds),
        Option("game", "Game", _games),
        Option("schedule", "Schedule", _schedules),
        Option("band", "Band", _bands),
        Option("hour", "Hour", _hours),
        Option("dealer", "Dealer", _dealers),
    ),
    by_shift=True,
)
