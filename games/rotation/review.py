"""Reviews a table's records against its rotation profile: every deviation with its rule and clause.

The floor refuses a bank out of turn, so a review of its own records finds nothing. It reads facts alone (seats, offers,
turns, rounds, stops) and no stored counts, and so finds rows that were written without the services, copied wrongly, or
corrected into a turn that was full.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any, TypeVar

from ..rulebook import Rulebook
from .offers import ACCEPTED, Answer, first_without_no, seats_in_order, seats_to_ask, starts_anew
from .play import Play, Stint, Turn, game_lasts_until, why_game_ends
from .profile import AFTER_PAUSE, NEVER, Profile, is_full, load_profile, with_clauses
from .record import HOUSE_CLAUSE, PROVIDER_CLAUSE, Deviation, Held, Offered, Played, Record, Seated, Stopped
from .steps import Step, goes_on, next_step

R = TypeVar("R")

#: Kinds of facts, in the order in which those of one instant and one run of offers are gone through. `_ENDED` is a turn
#: without a successor.
_OFFERED, _STOPPED, _BEGAN, _PLAYED, _ENDED = range(5)
#: No rotation profile looks back so far: a stay at the bank that ended before does not affect what is due.
_FORGOTTEN = timedelta(hours=4)
_BEGINNING, _NEVER_ENDS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def deviations(record: Record, *, profile: str, rulebook: Rulebook | None = None) -> list[Deviation]:
    """Return what in `record` deviates from the rotation, in the order in which it happened.

    Turns and rounds are checked against the profile recorded with them, offers against the one before; `profile` is the
    id of the one that holds before the first, at a table of `rulebook`. Clauses are those of the rulebook that was played
    by, as far as the profile is its own. What came before the record is unknown: rounds in a row are counted from
    its first round on, so it has to begin as many settled rounds before the part under review as the profile's limit.
    """
    review = _Review(record, _profile(profile, rulebook), rulebook)
    return _in_order(review.run(), _two_of_provider(record.seated))


def deviations_under(record: Record, *, profile: str, rulebook: Rulebook | None = None) -> list[Deviation]:
    """Return the deviations in `record` as if all of it had been played under `profile`.

    The facts are unchanged, but for two rules: an offer, or a new turn after it, that came sooner than `profile`
    requires is no deviation; and where `profile` requires a stop of the game, which was not recorded then, any time as
    long between two rounds counts as one.
    """
    supposed = _profile(profile, rulebook)
    stops = _stops_between(record.rounds, supposed) if supposed.renewal == AFTER_PAUSE else []
    review = _Review(record._replace(stops=stops), supposed, rulebook, supposed=True)
    return _in_order(review.run(), _two_of_provider(record.seated))


def seat_due(
    profile: Profile,
    *,
    turn: Turn | None,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
    asked_last: int | None = None,
    play: Play | None = None,
) -> int | None:
    """The seat of `next_step` where it says `offer`, and else None: without wording a step, as a review asks of every offer."""
    if profile.house or (play is not None and why_game_ends(profile, play)):
        return None
    if turn is not None and goes_on(profile, turn, play):
        return None
    given = dict(answers)
    seat = first_without_no(seats_in_order(turn, occupied, start_seat, asked_last), given)
    return None if seat in given else seat


def _in_order(*found: Iterable[Deviation]) -> list[Deviation]:
    return sorted(chain(*found), key=attrgetter("at"))


def _stops_between(rounds: Sequence[Played], profile: Profile) -> list[Stopped]:
    """The times between two rounds in which `profile` would see the game as stopped."""
    least = timedelta(minutes=profile.pause_minutes)
    stops = []
    for before, after in pairwise(sorted(rounds, key=attrgetter("at"))):
        if before.ended_at is not None and after.at - before.ended_at >= least:
            stops.append(Stopped(before.id, 0, before.turn or 0, before.ended_at, after.at))
    return stops


def _two_of_provider(seated: Sequence[Seated]) -> Iterator[Deviation]:
    """Each time that a provider's player sat down while another of the same provider was seated."""
    there: list[Seated] = []
    for stay in sorted(seated, key=attrgetter("since")):
        there = [other for other in there if other.until is None or other.until > stay.since]
        if stay.firm is None or stay.until == stay.since:
            continue
        for other in there:
            if other.firm == stay.firm and other.player != stay.player:
                text = (
                    f"{stay.player} sat down at seat {stay.seat}, and {other.player} of the same provider "
                    f"sat at seat {other.seat}."
                )
                yield Deviation("two_of_provider", stay.since, stay.seat, stay.player, text, PROVIDER_CLAUSE)
        there.append(stay)


@dataclasses.dataclass
class _Review:
    """Goes through a record in order, with the state of the table as it was.

    `profile` is the one that holds, at a table of `rulebook`; where it is `supposed`, it holds throughout, in place of the
    recorded ones.
    `last_bank` is the turn of the last settled round, and `rounds` how many its player has banked in a row (ruling 40):
    leaving the bank or the seat and closing the table change neither. `offers` are those of the present run. A player
    is known by the name, which is one player's in a room.
    """

    record: Record
    profile: Profile
    rulebook: Rulebook | None
    turn: Held | None = None
    last_bank: Held | None = None
    rounds: int = 0
    start_after: int | None = None
    cycle: int | None = None
    offers: list[Offered] = dataclasses.field(default_factory=list)
    stints: list[Stint] = dataclasses.field(default_factory=list)
    paused_at: datetime | None = None
    reported: set[tuple[str, int]] = dataclasses.field(default_factory=set)
    supposed: bool = False

    def __post_init__(self) -> None:
        at_seats = [stay for stay in self.record.seated if not stay.behind]
        self.stays = sorted(at_seats, key=attrgetter("since"))
        self.sitting: list[Seated] = []
        self.sat_down, self.at_time = 0, _BEGINNING
        self.names: dict[int, str] = {}
        self.names_until = _BEGINNING
        self.held_so_far: tuple[Stint, ...] = ()
        self.lasting, self.lasts_until = self.profile, _BEGINNING
        # A turn is one of the game in which its rounds were played.
        self.rulebooks = {each.turn: each.rulebook for each in self.record.rounds}

    def run(self) -> Iterator[Deviation]:
        cycles = {turn.id: turn.cycle for turn in self.record.turns}
        # Facts of one instant are in the order of the runs of offers that they belong to.
        facts: list[tuple[datetime, int, int, int, Any]] = [
            *((o.at, o.cycle, _OFFERED, o.id, o) for o in self.record.offers),
            *((s.at, s.cycle, _STOPPED, s.id, s) for s in self.record.stops),
            *((t.began_at, t.cycle, _BEGAN, t.id, t) for t in self.record.turns),
            *((r.at, cycles.get(r.turn or 0, 0), _PLAYED, r.id, r) for r in self.record.rounds),
            *((t.ended_at, t.cycle, _ENDED, t.id, t) for t in self.record.turns if t.ended_at and t.left),
        ]
        facts.sort()
        for _, _, kind, _, fact in facts:
            if kind == _OFFERED:
                yield from self.offered(fact)
            elif kind == _PLAYED:
                yield from self.played(fact)
            elif kind == _BEGAN:
                yield from self.began(fact)
            elif kind == _STOPPED:
                self.stopped(fact)
            else:
                self.ended(fact)

    def held_against(self, profile: str, rulebook: Rulebook | None) -> None:
        """Switch to the profile of that id in a game of `rulebook`, unless another one is supposed."""
        if not self.supposed and (profile, rulebook) != (self.profile.id, self.rulebook):
            self.profile, self.rulebook, self.lasts_until = (
                _profile(profile, rulebook),
                rulebook,
                _BEGINNING,
            )

    def offered(self, offer: Offered) -> Iterator[Deviation]:
        if offer.cycle != self.cycle:
            self.cycle, self.offers = offer.cycle, []
        due = self.due(offer.at)
        if due is not None and due != offer.seat and ("out_of_order", offer.cycle) not in self.reported:
            self.reported.add(("out_of_order", offer.cycle))
            yield Deviation(
                "out_of_order",
                offer.at,
                offer.seat,
                offer.player,
                f"The bank was offered to seat {offer.seat} when seat {due} was next.",
                self.profile.clause,
                offer=offer.id,
            )
        self.offers.append(offer)

    def began(self, turn: Held) -> Iterator[Deviation]:
        self.held_against(turn.profile, self.rulebooks.get(turn.id, self.rulebook))
        if turn.house:
            yield self.of_turn(
                "house_banked", turn, f"{turn.player} works for the house, and took the bank.", HOUSE_CLAUSE
            )
        if turn.renewed:
            yield from self.renewed(turn)
        elif (barred := self.barred(turn)) is not None:
            yield self.of_turn(*barred, self.profile.renew_clause)
        elif self.answers_by_player().get(turn.player) != ACCEPTED:
            yield self.of_turn(
                "not_accepted",
                turn,
                f"{turn.player} took the bank at seat {turn.seat}, and no accepted offer is on record.",
                self.profile.clause,
            )
        if self.turn is not None:
            self.end_stint(turn.began_at)
        if self.counted(turn.player) and starts_anew(
            turn.player, list(self.seated(turn.began_at).values()), self.answers_by_player()
        ):
            self.rounds = 0
        self.turn, self.offers = turn, []
        self.begin_stint(turn, turn.began_at)
        while (ended_at := self.stints[0].ended_at) is not None and turn.began_at - ended_at > _FORGOTTEN:
            del self.stints[0]

    def answers_by_player(self) -> dict[str, str]:
        """The answers of this run of offers by player."""
        return {offer.player: offer.answer for offer in self.offers}

    def counted(self, player: str) -> int:
        """The settled rounds in a row of `player`, up to now."""
        return self.rounds if self.last_bank is not None and self.last_bank.player == player else 0

    def stopped(self, stop: Stopped) -> None:
        self.paused_at = stop.at
        if stop.until is not None and self.turn is not None:
            # The stop lies within a turn or before a renewal: the stay at the bank is counted from its end.
            self.end_stint(stop.at)
            self.begin_stint(self.turn, stop.until)

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
        if step.kind in ("renew", "taken") or (step.kind == "keep" and self.supposed):
            return
        if step.kind == "pause":
            text = f"{turn.player} went on, and the game had not stopped for {self.profile.pause_minutes} minutes."
            yield self.of_turn("pause_missing", turn, text, step.clause)
        elif step.kind in ("vacant", "end") and (barred := self.barred(turn)) is not None:
            yield self.of_turn(*barred, self.profile.renew_clause)
        elif step.kind != "end":  # once a game is over, each further round is a deviation
            unasked = self.unasked(turn)
            why = " before one was due"
            if unasked:
                why = f", and seat{'s' if len(unasked) > 1 else ''} {_listed(unasked)} had not answered"
            text = f"{turn.player} took a new turn{why}."
            yield self.of_turn("renewed_early", turn, text, self.profile.renew_clause)

    def played(self, round_: Played) -> Iterator[Deviation]:
        turn = self.turn
        self.held_against(round_.profile, round_.rulebook)
        if not round_.dealt:
            return
        if turn is None or round_.turn != turn.id or round_.player != turn.player:
            holder = f"{turn.player} held the turn" if turn is not None else "nobody held a turn"
            text = f"{round_.player} banked round {round_.name}, and {holder}."
            yield self.of_round("other_bank", round_, text, self.profile.clause)
            self.count(round_)
            return
        profile = self.rule(round_.at)
        counted = self.counted(turn.player)
        if goes_on(profile, Turn(turn.seat, turn.player, counted), self.play(round_.at, profile)):
            self.count(round_)
            return
        step = self.step(round_.at)
        if step.kind == "end":
            text = f"Round {round_.name} was dealt: {step.reason}."
            yield self.of_round("game_over", round_, text, step.clause)
        elif step.kind != "keep" and is_full(self.profile, counted):
            text = (
                f"{turn.player} banked round {round_.name} as the {_ordinal(counted + 1)} in a row; "
                f"the bank goes round after {self.profile.offer_after_rounds}."
            )
            yield self.of_round("over_limit", round_, text, self.profile.clause)
        elif step.kind != "keep":
            text = f"Round {round_.name} was dealt: {step.reason}."
            yield self.of_round("offer_due", round_, text, step.clause)
        self.count(round_)

    def count(self, round_: Played) -> None:
        """Count a round for its banking player; a void does not count."""
        if not round_.settled:
            return
        self.rounds = self.counted(round_.player) + 1
        turn = self.turn
        if turn is None or turn.player != round_.player:
            turn = _turn_of(round_)
        self.last_bank = turn

    def ended(self, turn: Held) -> None:
        if self.turn is None or turn.id != self.turn.id:
            return  # another turn has begun in between, which ended this one
        assert turn.ended_at is not None  # only turns that have ended come here
        self.end_stint(turn.ended_at)
        self.turn, self.start_after = None, turn.seat
        if turn.closed and not self.profile.pause_minutes:
            # A game that ends by who has banked in it ends with the closing; rounds in a row and offers go on.
            self.stints, self.paused_at, self.held_so_far = [], None, ()

    def begin_stint(self, turn: Held, at: datetime) -> None:
        self.stints.append(Stint(turn.player, turn.provider, at))
        self.held_so_far = ()

    def end_stint(self, at: datetime) -> None:
        self.stints[-1] = self.stints[-1]._replace(ended_at=at)
        self.held_so_far = ()

    def step(self, at: datetime) -> Step:
        """The step due at `at`, by the facts up to then."""
        return self.decided(next_step, at)

    def due(self, at: datetime) -> int | None:
        """The seat that the bank was to be offered at `at`, if an offer was due."""
        return self.decided(seat_due, at)

    def decided(self, decide: Callable[..., R], at: datetime) -> R:
        """What `next_step` or `seat_due` decides by the facts up to `at`."""
        profile = self.rule(at)
        turn, occupied, answers, first = self.asked(at)
        return decide(
            profile,
            turn=turn,
            occupied=occupied,
            answers=answers,
            start_seat=first,
            asked_last=self.offers[-1].seat if self.offers else None,
            play=self.play(at, profile),
        )

    def rule(self, at: datetime) -> Profile:
        """The profile in force, without its rule for the end of the game while that end is not near.

        Whether a game is over depends on all who banked lately: the check is skipped as long as it cannot be.
        """
        if self.profile.others is None:
            return self.profile
        if at >= self.lasts_until:
            play = self.play(at, self.profile)
            assert play is not None  # given for a profile with a rule for others
            self.lasts_until = game_lasts_until(self.profile, play)
            self.lasting = dataclasses.replace(self.profile, others=None)
        return self.lasting if at < self.lasts_until else self.profile

    def asked(self, at: datetime) -> tuple[Turn | None, Collection[int], list[Answer], int | None]:
        """Who held the bank at `at`, the seats that it could go to, what they had answered, and where offers began."""
        players, given, first = self.seated(at), self.answers_by_player(), self.start_after
        answers = [Answer(seat, given[name]) for seat, name in players.items() if name in given]
        if (turn := self.turn) is not None:
            return Turn(turn.seat, turn.player, self.counted(turn.player)), players, answers, None
        last = self.last_bank
        occupied = seats_to_ask(
            self.profile,
            players,
            last_bank=[seat for seat, name in players.items() if last and name == last.player],
            of_provider=last is not None and last.provider,
            answered=[answer.seat for answer in answers],
            rounds=self.rounds,
            asked=bool(self.offers),
        )
        return None, occupied, answers, None if first is None else first + 1

    def play(self, at: datetime, profile: Profile) -> Play | None:
        """The game as it was at `at`, for a profile that needs it."""
        if not profile.needs_play:
            return None
        if not self.held_so_far:
            self.held_so_far = tuple(self.stints)
        return Play(at, self.held_so_far, self.paused_at)

    def seated(self, at: datetime) -> dict[int, str]:
        """Who sat where. Optimized for ascending instants: only changes since the last call are applied."""
        if self.at_time <= at < self.names_until:
            return self.names
        if at < self.at_time:
            return {stay.seat: stay.player for stay in self.stays if _sits(stay, at)}
        self.at_time = at
        while self.sat_down < len(self.stays) and self.stays[self.sat_down].since <= at:
            self.sitting.append(self.stays[self.sat_down])
            self.sat_down += 1
        self.sitting = [stay for stay in self.sitting if _sits(stay, at)]
        self.names = {stay.seat: stay.player for stay in self.sitting}
        leaves = [stay.until for stay in self.sitting if stay.until is not None]
        comes = [stay.since for stay in self.stays[self.sat_down : self.sat_down + 1]]
        self.names_until = min([*leaves, *comes], default=_NEVER_ENDS)
        return self.names

    def barred(self, turn: Held) -> tuple[str, Held, str] | None:
        """Why the last bank may not be the next one, or empty if the profile allows it."""
        before = self.last_bank
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
        given = self.answers_by_player()
        seated = self.seated(turn.began_at).items()
        return sorted(seat for seat, name in seated if name not in given and name != turn.player)

    @staticmethod
    def of_turn(kind: str, turn: Held, text: str, clause: str) -> Deviation:
        return Deviation(kind, turn.began_at, turn.seat, turn.player, text, clause, turn=turn.id)

    @staticmethod
    def of_round(kind: str, round_: Played, text: str, clause: str) -> Deviation:
        return Deviation(
            kind, round_.at, round_.seat, round_.player, text, clause, turn=round_.turn, round=round_.id
        )


@cache
def _profile(profile: str, rulebook: Rulebook | None) -> Profile:
    """The profile of that id, with the clauses of the rulebook where one is named and the profile is its own."""
    found = load_profile(profile)
    return found if rulebook is None else with_clauses(found, rulebook)


def _turn_of(round_: Played) -> Held:
    """A stand-in turn for a round whose bank held none, to count rounds in a row."""
    return Held(
        *(round_.turn or 0, 0, round_.seat, round_.player),
        provider=False,
        house=False,
        renewed=False,
        began_at=round_.at,
        ended_at=None,
        left=False,
        closed=False,
        profile=round_.profile,
    )


def _sits(stay: Seated, at: datetime) -> bool:
    return stay.since <= at and (stay.until is None or at < stay.until)


def _listed(seats: Sequence[int]) -> str:
    *most, last = map(str, seats)
    return f"{', '.join(most)} and {last}" if most else last


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"
