"""Queries on the rotation of the bank over a period: the evidence that the position was offered (ruling 40).

Turns with their rounds, every offer with its answer and who recorded it, stops, and what deviates from the rule.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from cardroom.core.dates import day_text
from cardroom.people.names import Names
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room
from games.approved_terms import MOST_ROUNDS
from games.rotation.profile import HOUSE_BANKS, load_profile
from games.rotation.record import Deviation, HandedOver, Held, Offered, Played, Record, Seated, Stopped
from games.rotation.review import deviations
from games.rotation.window import Window, window_of

from ..models import Offer, Pause, RackCount, Round, Seating, Shift, Table, Turn
from ..models.rounds import is_current
from .played_games import PlayedGames
from .racks import hand_overs_in
from .table_state import LOOK_BACK, TableState, profile_of
from .wagering import seats_wagered

MOST_HOURS = 24
#: So many settled rounds before a review are read with it. A count needs as many as the highest limit that an approval may
#: have; the others let the review say which round in a row it was, where more were banked than a limit has.
ROUNDS_BACK = MOST_ROUNDS


@dataclasses.dataclass(frozen=True)
class Period:
    """A stretch of time in UTC, `until` exclusive, and what it is called: "gaming day 2026-11-20"."""

    since: datetime.datetime
    until: datetime.datetime
    name: str

    def holds(self, instant: datetime.datetime) -> bool:
        """Whether the instant lies in it."""
        return self.since <= instant < self.until


def day_period(room: Room, day: datetime.date) -> Period:
    """Return a gaming day of the room."""
    since, until = gaming_day_bounds(room, day)
    return Period(since, until, f"gaming day {day_text(day)}")


def shift_period(shift: Shift, now: datetime.datetime) -> Period:
    """Return a shift, up to `now` while it is open."""
    return Period(shift.opened_at, shift.closed_at or now, f"shift {shift}")


def hours_period(hours: int, now: datetime.datetime) -> Period:
    """Return the last hours, at most `MOST_HOURS` of them."""
    hours = min(hours, MOST_HOURS)
    name = "the last hour" if hours == 1 else f"the last {hours} hours"
    return Period(now - datetime.timedelta(hours=hours), now, name)


@dataclasses.dataclass
class Run:
    """One run of offers around the table, in the order made, and the turn that came of it, if one did.

    `rounds` are those of the turn, settled and void and the one in play, the first first; `stop` is the stop of the
    game that followed a run in which no player accepted. `hand_overs` are those of a provider's rack within the turn, in order.
    `mistakes` are turns whose answer was withdrawn before they
    had a round. `behind` are the bettors who stood on back lines meanwhile: they are not asked. `deviations` are those
    that show here.
    """

    cycle: int
    offers: list[Offer] = dataclasses.field(default_factory=list)
    turn: Turn | None = None
    rounds: list[Round] = dataclasses.field(default_factory=list)
    hand_overs: Sequence[RackCount] = ()
    stop: Pause | None = None
    mistakes: list[Turn] = dataclasses.field(default_factory=list)
    behind: list[Seating] = dataclasses.field(default_factory=list)
    deviations: list[Deviation] = dataclasses.field(default_factory=list)

    @property
    def began_at(self) -> datetime.datetime:
        """When the first of it happened."""
        facts = [offer.answered_at for offer in self.offers[:1]]
        facts += [self.stop.began_at] if self.stop else []
        facts += [turn.began_at for turn in (self.turn, *self.mistakes) if turn is not None]
        return min(facts)

    @property
    def held_by(self) -> list[str]:
        """The players who held the turn, one after the other: more than one where a provider's rack was handed over."""
        if self.turn is None:
            return []
        relieved = [each.relieved.known_as for each in self.hand_overs if each.relieved is not None]
        return [*relieved, self.turn.player.known_as]

    @property
    def settled(self) -> int:
        return sum(1 for round_ in self.rounds if round_.state == Round.State.SETTLED)


@dataclasses.dataclass(frozen=True)
class Figures:
    """What a rotation comes to in its period: turns that began in it, `banks` that settled a round, all of them different.

    Turns and answers that were recorded by mistake and withdrawn count as `withdrawn` answers alone.
    """

    turns: int = 0
    renewed: int = 0
    banks: int = 0
    rounds: int = 0
    voids: int = 0
    accepted: int = 0
    declined: int = 0
    absent: int = 0
    ineligible: int = 0
    withdrawn: int = 0
    stops: int = 0
    exceptions: int = 0


@dataclasses.dataclass
class TableRotation:
    """The rotation at one table in a period. `runs` are in the order in which they happened.

    `exceptions` are all the deviations, in order; `strays` are rounds that belong to no turn on record. `head_seq` and
    `head_hash` are the last entry of the table's journal as it was read, for `manage.py verify --head`, which compares
    them with the chain.
    """

    table: Table
    period: Period
    runs: list[Run]
    exceptions: list[Deviation]
    strays: list[Round]
    figures: Figures

    @property
    def head_seq(self) -> int:
        return self.table.chain_seq

    @property
    def head_hash(self) -> str:
        return self.table.chain_hash


def rotation_window(state: TableState, now: datetime.datetime | None = None) -> Window | None:
    """Return what is left of the time that the table's rotation profile gives, at `now` (without it, as it was seen).

    None where the profile counts no time, on a closed table, and before any player has banked.
    """
    if not state.profile.needs_play or state.table.state != Table.State.OPEN:
        return None
    play = state.play if now is None else state.play._replace(now=now)
    return window_of(state.profile, turn=state.turn_facts, play=play)


def table_rotation(table: Table, period: Period) -> TableRotation:
    """Return the rotation at one table; eight queries, however many turns there were, and one where a rack was handed over."""
    [rotation] = _rotations(Table.objects.filter(pk=table.pk), period)
    return _named(rotation)


def room_rotation(room: Room, period: Period) -> list[TableRotation]:
    """Return the rotation at every table of a room, by number; eight queries, however many tables there are.

    Left out are tables that the house banks, where nothing went round.
    """
    return [_named(each) for each in room_rotation_kept(room, period)]


def room_rotation_kept(room: Room, period: Period) -> list[TableRotation]:
    """Return the same as it may be kept: what it says of players refers to them."""
    rotations = _rotations(Table.objects.filter(room=room), period)
    return [each for each in rotations if each.runs or each.strays or not each.table.house_banks]


def _named(rotation: TableRotation) -> TableRotation:
    """The same to be read: with names in what its exceptions and the reasons of its offers say."""
    turns = [run.turn.player for run in rotation.runs if run.turn is not None]
    names = Names([*turns, *(offer.player for run in rotation.runs for offer in run.offers)])
    rotation.exceptions = names.in_place(rotation.exceptions)
    for run in rotation.runs:
        run.deviations = names.in_place(run.deviations)
        for offer in run.offers:
            offer.reason = names.in_place(offer.reason)
    return rotation


def _rotations(tables: QuerySet[Table], period: Period) -> list[TableRotation]:
    found = list(_with_lead(tables, period))
    reach = Q(pk__in=[])
    reads: dict[str, Q] = {}
    for name in ("began_at", "answered_at", "opened_at", "left_at"):
        reads[name] = reach
        for table in found:
            reads[name] |= Q(table=table.pk, **{f"{name}__gte": table.lead or period.since})  # type: ignore[attr-defined]
    turns = Turn.objects.filter(reads["began_at"], began_at__lt=period.until).select_related("player")
    offers = Offer.objects.filter(reads["answered_at"], answered_at__lt=period.until).select_related(
        "player", "recorded_by", "withdrawal__withdrawn_by"
    )
    stops = Pause.objects.filter(reads["began_at"], began_at__lt=period.until).select_related("recorded_by")
    # A correction stands for the round that it corrects: the same number, the same instants.
    rounds = Round.objects.filter(
        reads["opened_at"], is_current(), ~Q(rotation=HOUSE_BANKS), opened_at__lt=period.until
    ).select_related("bank_player")
    still = Q(left_at__isnull=True, table__in=[table.pk for table in found])
    seatings = Seating.objects.filter(reads["left_at"] | still, seated_at__lt=period.until)
    turns_at = _by_table(turns.order_by("began_at", "id"))
    handed = hand_overs_in(turn for there in turns_at.values() for turn in there)
    offers_at = _by_table(offers.order_by("id"))
    stops_at = _by_table(stops.order_by("id"))
    games = PlayedGames({table.room_id for table in found})
    rounds_at = _by_table(rounds.annotate(**games.wagered).only(*_ROUND_COLUMNS).order_by("id"))
    seatings_at = _by_table(seatings.select_related("player"))
    return [
        _rotation(
            table,
            period,
            _Facts(
                games=games,
                turns=turns_at[table.pk],
                hand_overs={turn.pk: handed[turn.pk] for turn in turns_at[table.pk] if turn.pk in handed},
                offers=offers_at[table.pk],
                stops=stops_at[table.pk],
                rounds=rounds_at[table.pk],
                seatings=seatings_at[table.pk],
            ),
        )
        for table in found
    ]


_ROUND_COLUMNS = (
    *(
        "table",
        "number",
        "gaming_day",
        "state",
        "turn",
        "bank_seat",
        "bank_player__name",
        "bank_player__merged_into",
        "rulebook",
        "rotation",
        "game",
    ),
    *("opened_at", "dealt_at", "ended_at"),
)


@dataclasses.dataclass
class _Facts:
    """What was recorded at one table, each kind in its order, and the filed games of its room; hand-overs by turn."""

    games: PlayedGames
    turns: list[Turn]
    hand_overs: dict[int, Sequence[RackCount]]
    offers: list[Offer]
    stops: list[Pause]
    rounds: list[Round]
    seatings: list[Seating]


def _with_lead(tables: QuerySet[Table], period: Period) -> QuerySet[Table]:
    """Put to each table from when on its facts are read: see `lead_of`."""
    chosen = tables.exclude(rotation="").values_list("rotation", flat=True).distinct()
    timed = any(load_profile(rotation).needs_play for rotation in chosen)
    bound = period.since - LOOK_BACK if timed else period.since
    lead = lead_of(bound)
    return tables.select_related("room", "schedule", "game").annotate(lead=lead).order_by("number")


def lead_of(bound: datetime.datetime) -> Coalesce:
    """Return from when on the facts of a table are read for a review that begins at `bound`, as an expression on tables.

    What is due at `bound` depends on how many rounds in a row the last bank has settled, as far as the limits of the
    profiles go: on so many settled rounds, and on the offers between them and since (ruling 40). The turn in which the
    first of the last `ROUNDS_BACK` of them was settled began with or after those offers; without so many rounds it is
    the first round of the table. Before any round, it is the turn that led into `bound`.
    """
    before = Round.objects.filter(
        table=OuterRef("pk"), state=Round.State.SETTLED, revision=0, opened_at__lt=bound
    )
    began = Coalesce("turn__began_at", "opened_at")
    turns = Turn.objects.filter(table=OuterRef("pk"), began_at__lt=bound).order_by("-began_at")
    return Coalesce(
        Subquery(before.order_by("-opened_at").values(at=began)[ROUNDS_BACK - 1 : ROUNDS_BACK]),
        Subquery(before.order_by("opened_at").values(at=began)[:1]),
        Subquery(turns.values("began_at")[:1]),
    )


def _by_table(rows: Iterable[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.table_id].append(row)
    return found


def _rotation(table: Table, period: Period, facts: _Facts) -> TableRotation:
    found = deviations(_record(table, facts, period), profile=profile_of(table).id, rulebook=table.book)
    exceptions = [each for each in found if period.holds(each.at)]
    runs = [run for run in _runs(facts, exceptions) if _touches(run, period)]
    for run in runs:
        run.behind = _not_asked(run, facts)
    return TableRotation(
        table=table,
        period=period,
        runs=runs,
        exceptions=exceptions,
        strays=_strays(facts, period),
        figures=_figures(facts, period, len(exceptions)),
    )


def _strays(facts: _Facts, period: Period) -> list[Round]:
    turns = {turn.pk for turn in facts.turns}
    return [each for each in facts.rounds if each.turn_id not in turns and period.holds(each.opened_at)]


def _record(table: Table, facts: _Facts, period: Period) -> Record:
    """The facts as the rules of rotation read them, without answers and turns that were recorded by mistake."""
    own = table.book.rotation or ""
    return Record(
        seated=[
            Seated(s.seat, s.player.ref, s.seated_at, s.left_at, s.player.provider_id, s.behind)
            for s in facts.seatings
        ],
        offers=[
            Offered(
                *(offer.pk, offer.cycle, offer.seat, offer.player.ref, offer.answer, offer.answered_at),
                by_hand=not offer.passed_over,
                house=offer.player.staff_id is not None,
                game=facts.games.game(offer.game_id),
            )
            for offer in facts.offers
            if stands(offer)
        ],
        turns=[_held(turn, own, facts) for turn in facts.turns if turn.ended_why != Turn.Ended.MISTAKE],
        rounds=[_played(round_, own, facts) for round_ in facts.rounds],
        stops=[
            Stopped(stop.pk, stop.cycle, stop.after_turn_id, stop.began_at, ended=stop.ends_game)
            for stop in facts.stops
        ],
        hand_overs=[
            HandedOver(each.pk, turn, each.player.ref, each.counted_at)
            for turn, handed in facts.hand_overs.items()
            for each in handed
        ],
        known_from=known_from(
            table.lead or period.since,  # type: ignore[attr-defined]
            sum(each.opened_at < period.since for each in facts.rounds if each.state == Round.State.SETTLED),
        ),
    )


def known_from(lead: datetime.datetime, rounds: int) -> datetime.datetime:
    """Return from when all rounds of a table are read, where so many settled ones are from before the period.

    Of fewer than `ROUNDS_BACK` there are no others.
    """
    return lead if rounds >= ROUNDS_BACK else datetime.datetime.min.replace(tzinfo=datetime.UTC)


def _runs(facts: _Facts, exceptions: list[Deviation]) -> list[Run]:
    by_cycle: dict[int, Run] = {}
    for offer in facts.offers:
        by_cycle.setdefault(offer.cycle, Run(offer.cycle)).offers.append(offer)
    for stop in facts.stops:
        by_cycle.setdefault(stop.cycle, Run(stop.cycle)).stop = stop
    runs, by_turn = dict(by_cycle), dict[int, Run]()
    further: list[Run] = []
    for turn in facts.turns:
        run = runs.setdefault(turn.cycle, Run(turn.cycle))
        if turn.ended_why == Turn.Ended.MISTAKE:
            run.mistakes.append(turn)
            continue
        if run.turn is not None:  # the floor begins one turn a run; rows of another origin may say otherwise
            run = Run(turn.cycle)
            further.append(run)
        run.turn, by_turn[turn.pk] = turn, run
        run.hand_overs = facts.hand_overs.get(turn.pk, ())
    for round_ in facts.rounds:
        if round_.turn_id in by_turn:
            by_turn[round_.turn_id].rounds.append(round_)
    offered = {offer.pk: by_cycle[offer.cycle] for offer in facts.offers}
    for each in exceptions:
        here = offered.get(each.offer or 0) or by_turn.get(each.turn or 0)
        if here is not None:
            here.deviations.append(each)
    return sorted([*runs.values(), *further], key=lambda run: (run.began_at, run.cycle))


def _not_asked(run: Run, facts: _Facts) -> list[Seating]:
    """The bettors who stood on back lines while a run of offers went round."""
    if not run.offers:
        return []
    first, last = run.offers[0].answered_at, run.offers[-1].answered_at
    standing = [
        stay
        for stay in facts.seatings
        if stay.behind and stay.seated_at <= last and (stay.left_at is None or stay.left_at > first)
    ]
    return sorted(standing, key=lambda stay: (stay.place, stay.seated_at))


def _figures(facts: _Facts, period: Period, exceptions: int) -> Figures:
    begun = [
        turn for turn in facts.turns if period.holds(turn.began_at) and turn.ended_why != Turn.Ended.MISTAKE
    ]
    played = [round_ for round_ in facts.rounds if period.holds(round_.opened_at)]
    settled = [round_ for round_ in played if round_.state == Round.State.SETTLED]
    answered = [offer for offer in facts.offers if period.holds(offer.answered_at)]
    answers = [offer.answer for offer in answered if stands(offer)]
    return Figures(
        turns=len(begun),
        renewed=sum(turn.renewed for turn in begun),
        banks=len({round_.bank_player_id for round_ in settled}),
        rounds=len(settled),
        voids=sum(round_.state == Round.State.VOID for round_ in played),
        accepted=answers.count(Offer.Answer.ACCEPTED),
        declined=answers.count(Offer.Answer.DECLINED),
        absent=answers.count(Offer.Answer.ABSENT),
        ineligible=answers.count(Offer.Answer.INELIGIBLE),
        withdrawn=len(answered) - len(answers),
        stops=sum(period.holds(stop.began_at) for stop in facts.stops),
        exceptions=exceptions,
    )


def total_of(rotations: Sequence[TableRotation]) -> Figures:
    """Add the figures of several tables up. A player who banked at two of them counts at each."""
    names = [field.name for field in dataclasses.fields(Figures)]
    return Figures(**{name: sum(getattr(each.figures, name) for each in rotations) for name in names})


def stands(offer: Offer) -> bool:
    """Whether an answer counts: it has not been withdrawn as a mistake."""
    return getattr(offer, "withdrawal", None) is None


def _held(turn: Turn, own: str, facts: _Facts) -> Held:
    game = facts.games.game(turn.game_id)
    first = next((each.relieved for each in facts.hand_overs.get(turn.pk, ())), None) or turn.player
    return Held(
        id=turn.pk,
        cycle=turn.cycle,
        seat=turn.seat,
        player=first.ref,
        provider=first.provider_id is not None,
        house=first.staff_id is not None,
        renewed=turn.renewed,
        began_at=turn.began_at,
        ended_at=turn.ended_at,
        left=turn.ended_why in Turn.WITHOUT_SUCCESSOR,
        closed=turn.ended_why == Turn.Ended.CLOSED,
        profile=facts.games.profile(turn.game_id, turn.rotation, own),
        rulebook=None if game is None else game.rulebook,
        approval=facts.games.approval(turn.game_id),
    )


def _played(round_: Round, own: str, facts: _Facts) -> Played:
    book = facts.games.rulebook(round_.game_id, round_.rulebook)
    return Played(
        id=round_.pk,
        name=f"{day_text(round_.gaming_day)} · {round_.number}",
        turn=round_.turn_id,
        seat=round_.bank_seat or 0,
        player=round_.bank_player.ref if round_.bank_player else "nobody",
        at=round_.opened_at,
        dealt=round_.dealt_at is not None or round_.state == Round.State.SETTLED,
        settled=round_.state == Round.State.SETTLED,
        profile=round_.rotation or book.rotation or own,
        rulebook=book,
        approval=facts.games.approval(round_.game_id),
        wagered=seats_wagered(round_.wagers or (), round_.bank_seat),  # type: ignore[attr-defined]
        closed_at=round_.wagers_closed_at,  # type: ignore[attr-defined]
    )


def _touches(run: Run, period: Period) -> bool:
    """Whether something of the run lies in the period: a stay at the bank that began before may still last."""
    facts = [offer.answered_at for offer in run.offers]
    facts += [run.stop.began_at] if run.stop else []
    facts += [round_.opened_at for round_ in run.rounds]
    if (turn := run.turn) is not None:
        facts.append(turn.began_at)
        if turn.began_at < period.since and (turn.ended_at is None or turn.ended_at > period.since):
            return True
    return any(period.holds(at) for at in facts)
