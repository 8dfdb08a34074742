"""Reviews a table's records against its rotation profile: every deviation with its rule and clause.

The floor refuses a bank out of turn, so a review of its own records finds nothing. It reads facts alone (seats, offers,
turns, rounds, stops) and no stored counts, and so finds rows that were written without the services, copied wrongly, or
corrected into a turn that was full.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any, TypeVar

from ..rulebook import Rulebook
from .eligibility import PREVIOUS_ROUND, Ineligible, Wagering, eligible_words, why_ineligible
from .offers import (
    ACCEPTED,
    INELIGIBLE,
    Answer,
    first_without_no,
    is_barred,
    seat_after,
    seats_in_order,
    seats_to_ask,
    starts_anew,
)
from .play import Play, Stint, Turn, game_lasts_until, why_game_ends
from .profile import AFTER_PAUSE, Profile, is_full, load_profile, profile_supposed, profile_under
from .record import (
    HOUSE_CLAUSE,
    PROVIDER_CLAUSE,
    Deviation,
    HandedOver,
    Held,
    Offered,
    Played,
    Record,
    Seated,
    Stopped,
)
from .steps import Step, goes_on, next_step

R = TypeVar("R")

#: Kinds of facts, in the order in which those of one instant and one run of offers are gone through. `_ENDED` is a turn
#: without a successor.
_OFFERED, _STOPPED, _BEGAN, _HANDED, _PLAYED, _ENDED = range(6)
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
    supposed = load_profile(profile) if rulebook is None else profile_supposed(rulebook, profile)
    stops = [stop for stop in record.stops if stop.ended]
    if supposed.renewal == AFTER_PAUSE:
        stops += _stops_between(record.rounds, supposed)
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
    seat = first_without_no(seats_in_order(profile, turn, occupied, start_seat, asked_last), given)
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
    leaving the bank or the seat and closing the table change neither, and a game of another approval has none (ruling
    53). `relieved` are those who held `last_bank` before its player did and handed the rack over: with that player they are one
    bank (ruling 62). `new_game`: the game ended since that round. `offers` are those of the present run, `wagered_under` the settled
    rounds with who wagered in them, by approval. A player is known by the name, which is one player's in a room.
    """

    record: Record
    profile: Profile
    rulebook: Rulebook | None
    turn: Held | None = None
    last_bank: Held | None = None
    relieved: frozenset[str] = frozenset()
    rounds: int = 0
    start_after: int | None = None
    cycle: int | None = None
    offers: list[Offered] = dataclasses.field(default_factory=list)
    stints: list[Stint] = dataclasses.field(default_factory=list)
    paused_at: datetime | None = None
    reported: set[tuple[str, int]] = dataclasses.field(default_factory=set)
    supposed: bool = False
    approval: str = ""
    counted_under: str = ""
    new_game: bool = False
    wagered_under: dict[str, list[Played]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        at_seats = [stay for stay in self.record.seated if not stay.behind]
        self.stays = sorted(at_seats, key=attrgetter("since"))
        self.sitting: list[Seated] = []
        self.moved = {(stay.player, stay.until): stay for stay in at_seats}
        self.sat_since: dict[int, datetime] = {}
        first = min((each.at for each in self.record.rounds), default=_NEVER_ENDS)
        self.known_from = first if self.record.known_from is None else self.record.known_from
        self.sat_down, self.at_time = 0, _BEGINNING
        self.names: dict[int, str] = {}
        self.names_until = _BEGINNING
        self.held_so_far: tuple[Stint, ...] = ()
        self.lasting, self.lasts_until = self.profile, _BEGINNING
        # A turn is one of the game in which its rounds were played.
        self.rulebooks = {each.turn: each.rulebook for each in self.record.rounds}
        self.rulebooks |= {each.id: each.rulebook for each in self.record.turns if each.rulebook is not None}

    def run(self) -> Iterator[Deviation]:
        cycles = {turn.id: turn.cycle for turn in self.record.turns}
        # Facts of one instant are in the order of the runs of offers that they belong to.
        facts: list[tuple[datetime, int, int, int, Any]] = [
            *((o.at, o.cycle, _OFFERED, o.id, o) for o in self.record.offers),
            *((s.at, s.cycle, _STOPPED, s.id, s) for s in self.record.stops),
            *((t.began_at, t.cycle, _BEGAN, t.id, t) for t in self.record.turns),
            *((h.at, cycles.get(h.turn, 0), _HANDED, h.id, h) for h in self.record.hand_overs),
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
            elif kind == _HANDED:
                self.handed(fact)
            elif kind == _STOPPED:
                self.stopped(fact)
            else:
                self.ended(fact)

    def held_against(self, profile: str, rulebook: Rulebook | None, approval: str = "") -> None:
        """Switch to the profile of that id in a game of `rulebook`, unless another one is supposed."""
        self.approval = approval or self.approval
        if not self.supposed and (profile, rulebook) != (self.profile.id, self.rulebook):
            self.profile, self.rulebook, self.lasts_until = (
                _profile(profile, rulebook),
                rulebook,
                _BEGINNING,
            )

    def offered(self, offer: Offered) -> Iterator[Deviation]:
        if offer.game is not None:
            self.held_against(*offer.game)
        if offer.cycle != self.cycle:
            self.cycle, self.offers = offer.cycle, []
        barred = self.ineligible(offer.at)
        if offer.seat in barred and offer.answer == INELIGIBLE:
            self.offers.append(offer)
            return
        due = self.due(offer.at)
        if offer.seat in barred:
            yield self.of_offer(
                "not_eligible",
                offer,
                f"The bank was offered to seat {offer.seat}, {offer.player}: {barred[offer.seat].text}.",
                barred[offer.seat].clause,
            )
        elif due is not None and due != offer.seat and ("out_of_order", offer.cycle) not in self.reported:
            self.reported.add(("out_of_order", offer.cycle))
            text = f"The bank was offered to seat {offer.seat} when seat {due} was next."
            clause = self.profile.direction_clause or self.profile.clause
            yield self.of_offer("out_of_order", offer, text, clause)
        elif self.is_eligible(offer):
            yield self.of_offer(
                "eligible_passed_over",
                offer,
                f"{offer.player} at seat {offer.seat} was recorded as ineligible: {eligible_words(self.profile)}.",
                self.profile.wagered_clause if self.profile.wagered_rounds else self.profile.previous_clause,
            )
        self.offers.append(offer)

    def is_eligible(self, offer: Offered) -> bool:
        """Whether a seat that was recorded as ineligible by hand is eligible by what is on record."""
        if offer.answer != INELIGIBLE or not offer.by_hand or offer.house or not self.profile.has_eligibility:
            return False
        wagering = self.wagering(offer.at)
        return wagering is None or (
            (found := wagering.get(offer.seat)) is not None and why_ineligible(self.profile, found) is None
        )

    def ineligible(self, at: datetime) -> dict[int, Ineligible]:
        """The seats that the bank is not offered to by what was wagered, each with why; those that the record shows."""
        if not self.profile.has_eligibility:
            return {}
        held = None if self.turn is None else self.turn.player
        players = self.seated(at)
        return {
            seat: why
            for seat, wagering in (self.wagering(at) or {}).items()
            if players[seat] != held
            and (why := why_ineligible(self.profile, wagering)) is not None
            and (why.term == PREVIOUS_ROUND or self.sat_since[seat] >= self.known_from)
        }

    def wagering(self, at: datetime) -> dict[int, Wagering] | None:
        """What the players at the seats had wagered at `at`; None before a round was settled since the first of them sat."""
        self.seated(at)
        stays = [stay for stay in self.sitting if _sits(stay, at)]
        rounds = self.wagered_under.get(self.approval)
        if not rounds or not stays or _closed(rounds[-1]) < min(stay.since for stay in stays):
            return None
        found = {}
        for stay in stays:
            moved = list(self.stays_of(stay))
            self.sat_since[stay.seat] = moved[-1].since
            found[stay.seat] = Wagering(self.rounds_wagered(rounds, moved), _wagered(stay, rounds[-1]))
        return found

    def rounds_wagered(self, rounds: Sequence[Played], stays: Sequence[Seated]) -> int:
        """In how many of `rounds` a player wagered in these stays; no more are counted than the profile asks for."""
        wagered, since = 0, stays[-1].since
        for each in reversed(rounds):
            if _closed(each) < since or wagered >= self.profile.wagered_rounds:
                break
            wagered += any(_wagered(stay, each) for stay in stays)
        return wagered

    def stays_of(self, stay: Seated) -> Iterator[Seated]:
        """A stay, and those from which the player moved to it, the last first: who moves has not left the table."""
        yield stay
        while (before := self.moved.get((stay.player, stay.since))) is not None and before.since < stay.since:
            yield (stay := before)

    def began(self, turn: Held) -> Iterator[Deviation]:
        self.held_against(turn.profile, self.rulebooks.get(turn.id, self.rulebook), turn.approval)
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

    def handed(self, hand_over: HandedOver) -> None:
        """The turn goes on with another player of the provider: neither its rounds nor its minutes begin anew (ruling 62)."""
        turn = self.turn
        if turn is None or turn.id != hand_over.turn:
            return
        self.turn = turn._replace(player=hand_over.player)
        if self.counted(turn.player):
            relieved = self.relieved if self.last_bank and self.last_bank.id == turn.id else frozenset[str]()
            self.last_bank, self.relieved = self.turn, (relieved | {turn.player}) - {hand_over.player}
        stint = self.stints[-1]
        self.stints[-1] = stint._replace(player=hand_over.player, began_by=stint.first)
        self.held_so_far = ()

    def answers_by_player(self) -> dict[str, str]:
        """The answers of this run of offers by player."""
        return {offer.player: offer.answer for offer in self.offers}

    def counted(self, player: str) -> int:
        """The settled rounds in a row of `player`, up to now."""
        return self.rounds if self.is_last_bank(player) else 0

    def is_last_bank(self, player: str) -> bool:
        """Whether `player` is the bank of the last settled round, or handed its rack over in that turn."""
        last = self.bank_before
        return last is not None and (last.player == player or player in self.relieved)

    @property
    def bank_before(self) -> Held | None:
        """The turn of the last settled round of this game: of another approval's there is none (ruling 53)."""
        other = self.approval and self.counted_under and self.approval != self.counted_under
        return None if other else self.last_bank

    def stopped(self, stop: Stopped) -> None:
        if stop.ended:
            self.new_game = True
            return
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
        self.held_against(round_.profile, round_.rulebook, round_.approval)
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
        self.counted_under, self.new_game = self.approval, False
        self.wagered_under.setdefault(self.approval, []).append(round_)
        turn = self.turn
        if turn is None or turn.player != round_.player:
            turn, self.relieved = _turn_of(round_), frozenset()
        elif self.last_bank is None or self.last_bank.id != turn.id:
            self.relieved = frozenset()
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
            barred = self.ineligible(at)
            answers += [Answer(seat, INELIGIBLE) for seat in barred if players[seat] not in given]
            return Turn(turn.seat, turn.player, self.counted(turn.player)), players, answers, None
        last = self.bank_before
        barred = self.ineligible(at)
        answers += [Answer(seat, INELIGIBLE) for seat in barred if players[seat] not in given]
        occupied = seats_to_ask(
            self.profile,
            players,
            last_bank=[seat for seat, name in players.items() if self.is_last_bank(name)],
            of_provider=last is not None and last.provider,
            answered=[answer.seat for answer in answers],
            rounds=0 if last is None else self.rounds,
            asked=bool(self.offers) or any(not self.is_last_bank(players[seat]) for seat in barred),
            new_game=self.new_game,
        )
        return None, occupied, answers, None if first is None else seat_after(first, self.profile.direction)

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
        before = self.bank_before
        if before is None or not self.is_last_bank(turn.player):
            return None
        if not is_barred(self.profile, self.rounds, of_provider=before.provider, new_game=self.new_game):
            return None
        if before.provider and not self.profile.provider_may_renew:
            text = f"{turn.player} banks for a provider, and took the next turn too."
            return "provider_renewed", turn, text
        if self.profile.another_first:
            return "no_intervening", turn, f"{turn.player} banked again, and nobody had in between."
        return (
            "game_ended",
            turn,
            f"{turn.player} banked again, and the game had ended: nobody else took the bank.",
        )

    def unasked(self, turn: Held) -> list[int]:
        """The other seats that had not answered as `turn` began."""
        given = self.answers_by_player()
        seated = self.seated(turn.began_at).items()
        return sorted(seat for seat, name in seated if name not in given and name != turn.player)

    @staticmethod
    def of_offer(kind: str, offer: Offered, text: str, clause: str) -> Deviation:
        return Deviation(kind, offer.at, offer.seat, offer.player, text, clause, offer=offer.id)

    @staticmethod
    def of_turn(kind: str, turn: Held, text: str, clause: str) -> Deviation:
        return Deviation(kind, turn.began_at, turn.seat, turn.player, text, clause, turn=turn.id)

    @staticmethod
    def of_round(kind: str, round_: Played, text: str, clause: str) -> Deviation:
        return Deviation(
            kind, round_.at, round_.seat, round_.player, text, clause, turn=round_.turn, round=round_.id
        )


def _profile(profile: str, rulebook: Rulebook | None) -> Profile:
    """The profile of that id in a game of `rulebook`, with what its document says of it."""
    return load_profile(profile) if rulebook is None else profile_under(rulebook, profile)


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


def _closed(round_: Played) -> datetime:
    """When the bets of a round closed, or else when it was opened."""
    return round_.closed_at or round_.at


def _wagered(stay: Seated, round_: Played) -> bool:
    """Whether a player wagered in a round in this stay."""
    return stay.seat in round_.wagered and _sits(stay, _closed(round_))


def _sits(stay: Seated, at: datetime) -> bool:
    return stay.since <= at and (stay.until is None or at < stay.until)


def _listed(seats: Sequence[int]) -> str:
    *most, last = map(str, seats)
    return f"{', '.join(most)} and {last}" if most else last


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"
