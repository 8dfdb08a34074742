"""What was recorded at a table, held against its rotation profile: every deviation with its rule and clause.

The floor lets nobody bank out of turn, so a review of what it recorded itself finds nothing. It reads the facts alone
(seats, offers, turns, rounds, stops), never a count that was kept beside them, and so it finds what came in another
way: rows that were written past the services, copied wrongly, or corrected into a turn that was full.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from . import (
    ACCEPTED,
    NEVER,
    Answer,
    Play,
    Profile,
    Step,
    Stint,
    Turn,
    load_profile,
    next_step,
    seats_to_ask,
)

#: Each kind of deviation, and the rule that it breaks.
RULES: dict[str, str] = {
    "over_limit": "a turn ends with its rounds, and every seat is offered the bank",
    "offer_due": "no round is dealt while the bank is to be offered",
    "out_of_order": "offers go clockwise, seat by seat",
    "not_accepted": "a turn begins where the bank was accepted",
    "renewed_early": "a new turn of the same bank takes everybody else's no",
    "no_intervening": "another player banks before the same one does again",
    "provider_renewed": "somebody else follows a provider's player",
    "pause_missing": "the game stops before the same bank goes on",
    "game_over": "too few others have banked: the game ends",
    "house_banked": "the house does not bank",
    "other_bank": "a round is banked by whoever holds the turn",
}
#: Where the house may not bank, whatever the profile (`001` winners 4).
HOUSE_CLAUSE = "california:winners.4"


class Seated(NamedTuple):
    """A player's stay at a seat, `until` exclusive (None: still)."""

    seat: int
    player: str
    since: datetime
    until: datetime | None


class Offered(NamedTuple):
    """An offer with its answer; those of one `cycle` belong to one run around the table."""

    id: int
    cycle: int
    seat: int
    player: str
    answer: str
    at: datetime


class Held(NamedTuple):
    """A turn. `left`: nobody took it over as it ended; `closed`: because the table closed. `profile` is an id."""

    id: int
    cycle: int
    seat: int
    player: str
    provider: bool
    house: bool
    renewed: bool
    began_at: datetime
    ended_at: datetime | None
    left: bool
    closed: bool
    profile: str


class Played(NamedTuple):
    """A round: who banked it in which turn. `dealt` and `settled` are false for a void before the deal, a void."""

    id: int
    name: str
    turn: int | None
    seat: int
    player: str
    at: datetime
    dealt: bool
    settled: bool
    profile: str


class Stopped(NamedTuple):
    """The game stopped after the turn `turn`."""

    id: int
    cycle: int
    turn: int
    at: datetime


class Record(NamedTuple):
    """What was recorded at one table in a stretch of time, from the beginning of a turn on."""

    seated: Sequence[Seated]
    offers: Sequence[Offered]
    turns: Sequence[Held]
    rounds: Sequence[Played]
    stops: Sequence[Stopped]


class Deviation(NamedTuple):
    """Something that the rotation does not allow: of which `kind` (see `RULES`), where, when, and by what clause.

    `turn`, `round` and `offer` are ids of the rows that it shows in.
    """

    kind: str
    at: datetime
    seat: int
    player: str
    says: str
    clause: str
    turn: int | None = None
    round: int | None = None
    offer: int | None = None

    @property
    def rule(self) -> str:
        return RULES[self.kind]


def deviations(record: Record, *, profile: str) -> list[Deviation]:
    """Return what in `record` deviates from the rotation, in the order in which it happened.

    Turns and rounds are held against the profile noted with them, offers against the one before; `profile` is the id
    of the one that holds before the first. What came before the record is unknown: the first turn's own beginning
    is judged as if nobody had banked before.
    """
    return list(_Review(record, load_profile(profile)).run())


class _End(NamedTuple):
    """A turn ended, and nobody took it over."""

    turn: Held


@dataclasses.dataclass
class _Review:
    """Goes through a record in order, with the state of the table as it was."""

    record: Record
    profile: Profile
    turn: Held | None = None
    rounds: int = 0
    gave_up: Held | None = None
    start_after: int | None = None
    cycle: int | None = None
    answers: list[Answer] = dataclasses.field(default_factory=list)
    stints: list[Stint] = dataclasses.field(default_factory=list)
    paused_at: datetime | None = None
    told: set[tuple[str, int]] = dataclasses.field(default_factory=set)

    def run(self) -> Iterator[Deviation]:
        cycles = {turn.id: turn.cycle for turn in self.record.turns}
        # Facts of one instant stand in the order of the runs of offers that they belong to.
        facts: list[tuple[tuple[datetime, int, int, int], Any]] = [
            *(((o.at, o.cycle, 0, o.id), o) for o in self.record.offers),
            *(((s.at, s.cycle, 1, s.id), s) for s in self.record.stops),
            *(((t.began_at, t.cycle, 2, t.id), t) for t in self.record.turns),
            *(((r.at, cycles.get(r.turn or 0, 0), 3, r.id), r) for r in self.record.rounds),
            *(((t.ended_at, t.cycle, 4, t.id), _End(t)) for t in self.record.turns if t.ended_at and t.left),
        ]
        for _, fact in sorted(facts, key=itemgetter(0)):
            if isinstance(fact, Offered):
                yield from self.offered(fact)
            elif isinstance(fact, Held):
                yield from self.began(fact)
            elif isinstance(fact, Played):
                yield from self.played(fact)
            elif isinstance(fact, Stopped):
                self.paused_at = fact.at
            else:
                self.ended(fact.turn)

    def offered(self, offer: Offered) -> Iterator[Deviation]:
        if offer.cycle != self.cycle:
            self.cycle, self.answers = offer.cycle, []
        step = self.step(offer.at)
        wrong = step.kind == "offer" and step.seat != offer.seat
        if wrong and self.turn is None and self.emptied(offer.at):
            self.begin_anew()
            step = self.step(offer.at)
            wrong = step.kind == "offer" and step.seat != offer.seat
        if wrong and ("out_of_order", offer.cycle) not in self.told:
            self.told.add(("out_of_order", offer.cycle))
            yield Deviation(
                "out_of_order",
                offer.at,
                offer.seat,
                offer.player,
                f"The bank was offered to seat {offer.seat} when seat {step.seat} was next.",
                self.profile.clause,
                offer=offer.id,
            )
        self.answers.append(Answer(offer.seat, offer.answer))

    def began(self, turn: Held) -> Iterator[Deviation]:
        self.profile = load_profile(turn.profile)
        if turn.house:
            yield self.of_turn(
                "house_banked", turn, f"{turn.player} works for the house, and took the bank.", HOUSE_CLAUSE
            )
        if turn.renewed:
            yield from self.renewed(turn)
        elif (barred := self.barred(turn)) is not None:
            yield self.of_turn(*barred, self.profile.renew_clause)
        elif Answer(turn.seat, ACCEPTED) not in self.answers:
            yield self.of_turn(
                "not_accepted",
                turn,
                f"{turn.player} took the bank at seat {turn.seat}, and no accepted offer is on record.",
                self.profile.clause,
            )
        if self.turn is not None:
            self.end_stint(turn.began_at)
        self.turn, self.rounds, self.gave_up, self.answers = turn, 0, None, []
        self.stints.append(Stint(turn.player, turn.provider, turn.began_at))

    def renewed(self, turn: Held) -> Iterator[Deviation]:
        if self.turn is None or self.turn.player != turn.player:
            yield self.of_turn(
                "not_accepted",
                turn,
                f"{turn.player} began a new turn without holding the bank before.",
                self.profile.clause,
            )
            return
        step = self.step(turn.began_at)
        if step.kind in ("renew", "taken"):
            return
        if step.kind == "pause":
            says = f"{turn.player} went on, and the game had not stopped for {self.profile.pause_minutes} minutes."
            yield self.of_turn("pause_missing", turn, says, step.clause)
        elif step.kind == "vacant" and (barred := self.barred(turn)) is not None:
            yield self.of_turn(*barred, self.profile.renew_clause)
        else:
            unasked = self.unasked(turn)
            why = " before one was due"
            if unasked:
                why = f", and seat{'s' if len(unasked) > 1 else ''} {_listed(unasked)} had not answered"
            says = f"{turn.player} took a new turn{why}."
            yield self.of_turn("renewed_early", turn, says, self.profile.renew_clause)

    def played(self, round_: Played) -> Iterator[Deviation]:
        turn, self.profile = self.turn, load_profile(round_.profile)
        if not round_.dealt:
            return
        if turn is None or round_.turn != turn.id or round_.player != turn.player:
            holder = f"{turn.player} held the turn" if turn is not None else "nobody held a turn"
            says = f"{round_.player} banked round {round_.name}, and {holder}."
            yield self.of_round("other_bank", round_, says, self.profile.clause)
            return
        step, limit = self.step(round_.at), self.profile.offer_after_rounds
        if step.kind == "end":
            says = f"Round {round_.name} was dealt: {step.reason}."
            yield self.of_round("game_over", round_, says, step.clause)
        elif step.kind != "keep" and limit is not None and self.rounds >= limit:
            says = (
                f"{turn.player} banked round {round_.name} as the {_ordinal(self.rounds + 1)} of a turn; "
                f"the bank goes round after {limit}."
            )
            yield self.of_round("over_limit", round_, says, self.profile.clause)
        elif step.kind != "keep":
            says = f"Round {round_.name} was dealt: {step.reason}."
            yield self.of_round("offer_due", round_, says, step.clause)
        if round_.settled:
            self.rounds += 1

    def ended(self, turn: Held) -> None:
        if self.turn is None or turn.id != self.turn.id:
            return  # another turn has begun in between, which ended this one
        assert turn.ended_at is not None  # only turns that have ended come here
        self.end_stint(turn.ended_at)
        self.turn, self.answers = None, []
        self.gave_up, self.start_after = turn, turn.seat
        if turn.closed:
            self.begin_anew()

    def end_stint(self, at: datetime) -> None:
        self.stints[-1] = self.stints[-1]._replace(ended_at=at)

    def step(self, at: datetime) -> Step:
        """What was to come next at `at`, by the facts up to then."""
        turn, players = self.turn, self.seated(at)
        gave_up = None if turn is not None or self.start_after is None else self.gave_up
        return next_step(
            self.profile,
            turn=None if turn is None else Turn(turn.seat, turn.player, self.rounds),
            occupied=seats_to_ask(
                self.profile,
                players,
                gave_up=[seat for seat, name in players.items() if gave_up and name == gave_up.player],
                of_provider=gave_up is not None and gave_up.provider,
                answered=[answer.seat for answer in self.answers],
            ),
            answers=self.answers,
            start_seat=None if self.start_after is None else self.start_after + 1,
            play=Play(at, tuple(self.stints), self.paused_at),
        )

    def seated(self, at: datetime) -> dict[int, str]:
        """Who sat where."""
        return {
            stay.seat: stay.player
            for stay in self.record.seated
            if stay.since <= at and (stay.until is None or at < stay.until)
        }

    def emptied(self, at: datetime) -> bool:
        """Whether nobody sat at the table at some instant since the last bank left it, up to `at`."""
        if self.gave_up is None or self.gave_up.ended_at is None:
            return False
        left = [stay.until for stay in self.record.seated if stay.until is not None]
        return any(self.gave_up.ended_at <= gone <= at and not self.seated(gone) for gone in left)

    def begin_anew(self) -> None:
        """The table may have closed and opened again: offers begin at seat 1, and so does the game."""
        self.gave_up, self.start_after, self.stints, self.paused_at = None, None, [], None

    def barred(self, turn: Held) -> tuple[str, Held, str] | None:
        """Why the last bank may not be the next one, where the profile says so."""
        before = self.turn or self.gave_up
        if before is None or before.player != turn.player:
            return None
        if self.profile.renewal == NEVER:
            return "no_intervening", turn, f"{turn.player} banked again, and nobody had in between."
        if before.provider and not self.profile.provider_may_renew:
            return (
                "provider_renewed",
                turn,
                f"{turn.player} banks for a provider, and took the next turn too.",
            )
        return None

    def unasked(self, turn: Held) -> list[int]:
        """The other seats that had not answered as `turn` began."""
        answered = {answer.seat for answer in self.answers}
        return sorted(set(self.seated(turn.began_at)) - answered - {turn.seat})

    @staticmethod
    def of_turn(kind: str, turn: Held, says: str, clause: str) -> Deviation:
        return Deviation(kind, turn.began_at, turn.seat, turn.player, says, clause, turn=turn.id)

    @staticmethod
    def of_round(kind: str, round_: Played, says: str, clause: str) -> Deviation:
        return Deviation(
            kind, round_.at, round_.seat, round_.player, says, clause, turn=round_.turn, round=round_.id
        )


def _listed(seats: Sequence[int]) -> str:
    *most, last = map(str, seats)
    return f"{', '.join(most)} and {last}" if most else last


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"
