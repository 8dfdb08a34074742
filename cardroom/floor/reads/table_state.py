"""The state of a table (`TableState`), read once: the page shows it, the API answers it and every check decides on it."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from cardroom.filings.models import GameFiling
from cardroom.people.models import Player
from cardroom.people.names import referring
from cardroom.people.permits import anything_expired, local_day
from fees.rates import Schedule
from games.game import Game
from games.procedures.rules import ProcedureRules
from games.registry import game_of, procedure_rules_of, rulebook_with, terms_of
from games.rotation.eligibility import Ineligible, Wagering, why_ineligible
from games.rotation.offers import (
    ABSENT,
    INELIGIBLE,
    Answer,
    seat_after,
    seats_in_order,
    seats_to_ask,
    starts_anew,
)
from games.rotation.play import Play, Stint
from games.rotation.play import Turn as TurnFacts
from games.rotation.profile import Profile, profile_under
from games.rotation.steps import Step, goes_on, next_step
from games.rulebook import Rulebook
from games.terms import Terms

from ..boxes import hanging_boxes, last_dropped
from ..errors import WhyNot
from ..models import (
    Alert,
    Deck,
    Down,
    DropBox,
    Offer,
    Pause,
    Procedure,
    Round,
    Seating,
    Shift,
    Table,
    TraySlip,
    Turn,
    Waiver,
)
from ..models.rounds import is_current
from ..places import Place
from ..settling.waiver_rules import current_waivers
from .table_procedures import TableProcedures, deals_of, decks_of, table_procedures, voiding_of
from .tray import last_count
from .undoing import StepBack, step_back
from .wagering import wagering_at

#: No rotation profile looks back so far: what is older has no say in who banks next.
LOOK_BACK = datetime.timedelta(hours=4)


class LastBank(NamedTuple):
    """Who banked the last settled round at a table: the id of the player, and how many rounds in a row (ruling 40).

    `turn` is the id of the turn in which it was banked. `new_game`: the game has ended since, as everybody had declined
    (ruling 53). `relieved` are the ids of players who held that turn and handed their provider's rack over: they are one bank
    with `player` (ruling 62).
    """

    player: int
    rounds: int
    turn: int | None = None
    new_game: bool = False
    relieved: Sequence[int] = ()

    def is_of(self, player_id: int) -> bool:
        """Whether a player is this bank."""
        return player_id == self.player or player_id in self.relieved


#: What is read of a table when it is asked for first, and stays as it is through the commands that hand a reading on.
_OF_THE_TABLE = (
    "profile",
    "schedule",
    "boxes",
    "box_waiver",
    "decks",
    "last_deal",
    "last_number",
    "bank_ran_out",
    "tray_count",
    "_answered",
    "offers",
    "attempt",
)
#: The same, of the round in play, and of the rounds before it.
_OF_THE_ROUND = ("facts", "waivers")
_OF_ROUNDS_BEFORE = ("wagering",)


@dataclasses.dataclass
class TableState:
    """A table, everyone at it, the turn at the bank, the offers of this cycle, and the live round if there is one.

    `seatings` are the players at the seats, by number; `behind` are the bettors on the back lines of their spots.
    `last_bank` is read while no player holds the bank. `now` is the instant that it is seen at; `banked` (the turns of
    this game, the present one last) and `paused` (its latest stop) are read where the rotation profile goes by them.
    `answers` are those of the checks that were asked so far (`cached_per_state`).
    """

    table: Table
    shift: Shift | None
    down: Down | None
    seatings: dict[int, Seating]
    turn: Turn | None
    last_bank: LastBank | None
    live: Round | None
    now: datetime.datetime = dataclasses.field(default_factory=timezone.now)
    banked: list[Turn] = dataclasses.field(default_factory=list)
    paused: Pause | None = None
    behind: dict[Place, Seating] = dataclasses.field(default_factory=dict)
    answers: dict[Check, WhyNot | None] = dataclasses.field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @functools.cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook as the round in play has it, or else the table: a filing may say seats and wagers itself."""
        options = self.table.options if self.live is None else self.live.options
        return rulebook_with(self.table.rulebook, options)

    @functools.cached_property
    def game(self) -> Game:
        """The game that is played here."""
        return game_of(self.table.rulebook)

    @functools.cached_property
    def terms(self) -> Terms:
        """The terms of the round in play, or else of the next one."""
        options = self.table.sheet_options if self.live is None else self.live.options
        return terms_of(self.table.rulebook, options)

    @property
    def places(self) -> dict[Place, Seating]:
        """Everybody who may wager here, by place: players at the seats and bettors on the back lines, spot by spot."""
        at_seats = {Place(seat): sitting for seat, sitting in self.seatings.items()}
        return dict(sorted((at_seats | self.behind).items())) if self.behind else at_seats

    @property
    def players(self) -> list[Player]:
        """Everybody at the table, and who holds the bank."""
        here = [sitting.player for sitting in (*self.seatings.values(), *self.behind.values())]
        return here if self.turn is None else [*here, self.turn.player]

    @property
    def kept_reason(self) -> str:
        """Why the bank stands where it does, as records keep it: with references to players, and no names."""
        return referring(self.step.reason, self.players)

    @property
    def house_banks(self) -> bool:
        """Whether the house banks: no turn, no offer, no wager of a bank."""
        return self.profile.house

    @functools.cached_property
    def profile(self) -> Profile:
        """The rotation profile that the table is set to, or else its rulebook's, with the terms of its approval."""
        return profile_of(self.table)

    @property
    def procedure_rules(self) -> ProcedureRules:
        """The procedure rules of the table's game."""
        return procedure_rules_of(self.table.book)

    @functools.cached_property
    def last(self) -> Round | None:
        """The last settled round (`last_settled`); read when it is asked for first."""
        return last_settled(self.table)

    @functools.cached_property
    def anything_expired(self) -> bool:
        """Whether a badge or permit of the room's has expired; read when it is asked for first."""
        room = self.table.room
        return anything_expired(room, local_day(room, self.now))

    @functools.cached_property
    def _answered(self) -> list[Any]:
        """The answers of this cycle, those too that were withdrawn; read when they are asked for first."""
        answered = list(_offers(self.table))
        for offer in answered:
            offer.table = self.table
        return answered

    @functools.cached_property
    def offers(self) -> list[Offer]:
        """The answers of this cycle, in the order in which they were given."""
        return [offer for offer in self._answered if offer.withdrawn is None]

    @functools.cached_property
    def attempt(self) -> int:
        """How many answers of this cycle were withdrawn."""
        return sum(1 for offer in self._answered if offer.withdrawn is not None)

    @functools.cached_property
    def procedures(self) -> TableProcedures:
        """The decks, counts and irregularities of the table; read when it is asked for first."""
        last = None if self.rulebook.meter is None else self.last
        return table_procedures(self.table, self.live, last, self.rulebook)

    @functools.cached_property
    def facts(self) -> list[Procedure]:
        """What was done in the round in play beside the money, in order; no query where `procedures` has been read."""
        if self.live is None:
            return []
        if "procedures" in vars(self):
            return [fact for fact in self.procedures.facts if fact.round_id == self.live.pk]
        return list(Procedure.objects.filter(round=self.live).order_by("id"))

    @property
    def voiding(self) -> Procedure | None:
        """What voids the round in play by the rules."""
        return voiding_of(self.facts)

    @functools.cached_property
    def decks(self) -> list[Deck]:
        """The decks that serve at the table; read when it is asked for first."""
        return list(decks_of(self.table))

    @functools.cached_property
    def last_deal(self) -> Procedure | None:
        """The latest deal from a deck that is known; read when it is asked for first."""
        return deals_of(self.table).filter(deck__isnull=False).first()

    @functools.cached_property
    def last_number(self) -> int:
        """The highest number of a round at the table in the gaming day of the open shift; read when asked for first."""
        if self.shift is None:
            return 0
        numbered = Round.objects.filter(table=self.table, gaming_day=self.shift.gaming_day).order_by(
            "-number"
        )
        return numbered.values_list("number", flat=True).first() or 0

    @functools.cached_property
    def bank_ran_out(self) -> bool:
        """Whether the alert of a bank that ran out holds; read when it is asked for first."""
        return Alert.objects.filter(
            table=self.table, kind=Alert.Kind.BANK_EXHAUSTED, cleared_at__isnull=True
        ).exists()

    @functools.cached_property
    def boxes(self) -> Sequence[DropBox]:
        """The boxes that hang at the table; one query when it is asked for first."""
        return hanging_boxes([self.table.pk]).get(self.table.pk, [])

    @functools.cached_property
    def tray_count(self) -> TraySlip | None:
        """The latest opener or closer of the table's tray; one query when it is asked for first."""
        return last_count(self.table)

    @functools.cached_property
    def box_waiver(self) -> Procedure | None:
        """A supervisor's word that the table may collect without a drop box; it holds until one is put on.

        One query when it is asked for first, and another where there is such a word in the open shift.
        """
        if self.shift is None:
            return None
        given = Procedure.objects.filter(
            table=self.table, kind=Procedure.Kind.BOX_WAIVED, made_at__gte=self.shift.opened_at
        )
        word = given.select_related("ordered_by").order_by("-id").first()
        if word is None:
            return None
        since = last_dropped(self.table)
        return word if since is None or word.made_at > since else None

    def at_time(self, now: datetime.datetime) -> TableState:
        """Return the state at a later instant, when nothing has changed but the clock."""
        return self._changed(*_OF_THE_TABLE, *_OF_THE_ROUND, *_OF_ROUNDS_BEFORE, "step", now=now)

    def replace_round(self, round_: Round | None) -> TableState:
        """Return the state with `round_` in play, or none; nothing is read again."""
        if self.live is not None and round_ is not None and round_.pk == self.live.pk:
            return self._changed(*_OF_THE_TABLE, *_OF_THE_ROUND, live=round_)
        changed = self._changed(*_OF_THE_TABLE, live=round_)
        changed.facts, changed.waivers = [], []
        if round_ is not None:
            changed.last_number = round_.number
        return changed

    def with_offer(self, offer: Offer) -> TableState:
        """Return the state with one more answer in this cycle."""
        changed = self._changed(*_OF_THE_TABLE, *_OF_ROUNDS_BEFORE)
        changed.offers = [*self.offers, offer]
        return changed

    def with_stay(self, stay: Seating) -> TableState:
        """Return the state with one more player there. What is read when it is asked for is read anew."""
        seatings, behind = by_place([*self.places.values(), stay])
        return self._changed(seatings=seatings, behind=behind)

    def with_procedures_anew(self) -> TableState:
        """Return the state with the same people and round, of which all that is read when it is asked for is read anew."""
        return self._changed()

    def with_turn(self, turn: Turn) -> TableState:
        """Return the state once `turn` has begun, and with it a new cycle of offers."""
        changed = self._changed(*_OF_THE_TABLE, *_OF_ROUNDS_BEFORE, turn=turn, last_bank=None)
        changed.offers, changed.attempt = [], 0
        return changed

    def _changed(self, *stays: str, **columns: Any) -> TableState:
        """The same with other columns; of what was read when it was asked for first, what `stays` is not read again."""
        changed = dataclasses.replace(self, **columns)
        vars(changed).update((name, vars(self)[name]) for name in stays if name in vars(self))
        return changed

    @functools.cached_property
    def schedule(self) -> Schedule | None:
        """What the table's filed schedule charges; None where no fee is collected."""
        return None if self.table.schedule is None else self.table.schedule.schedule

    @functools.cached_property
    def waivers(self) -> list[Waiver]:
        """The waivers of the round in play that are not withdrawn; asked for where the schedule publishes any."""
        if self.live is None or self.schedule is None or not self.schedule.waivers:
            return []
        return current_waivers(self.live)

    @functools.cached_property
    def step_back(self) -> StepBack | None:
        """The last step, if it can be taken back; read from the journal when it is asked for first."""
        return step_back(self.table, self.live, self.places) if self.table.state == Table.State.OPEN else None

    @functools.cached_property
    def turn_facts(self) -> TurnFacts | None:
        """The turn at the bank as the rules of rotation read it."""
        turn = None if self.bank_is_out else self.turn
        return (
            None
            if turn is None
            else TurnFacts(seat=turn.seat, player=turn.player.known_as, rounds=turn.in_a_row)
        )

    @property
    def bank_is_out(self) -> bool:
        """Whether whoever holds the bank may no longer play here: their turn is over once the round in play is."""
        return self.live is None and self.turn is not None and not self.turn.player.may_play(self.now)

    @functools.cached_property
    def wagering(self) -> dict[int, Wagering] | None:
        """What the players at the seats have wagered, where the filed terms ask for it; read when it is asked for first."""
        return wagering_at(self.table, self.seatings, self.profile) if self.profile.has_eligibility else None

    @functools.cached_property
    def ineligible(self) -> dict[int, Ineligible]:
        """The seats that are not offered the bank by what their players have wagered, each with why (ruling 52).

        Nobody is before a round has been settled since the table opened; who holds the bank has wagered.
        """
        bank = None if self.turn is None else self.turn.player_id
        return {
            seat: why
            for seat, wagering in (self.wagering or {}).items()
            if self.seatings[seat].player_id != bank
            and (why := why_ineligible(self.profile, wagering)) is not None
        }

    @functools.cached_property
    def out(self) -> list[int]:
        """The seats that have not answered and that nobody asks: of who may no longer play here, or is not eligible."""
        answered = {offer.player_id for offer in self.offers}
        return [
            seat
            for seat, sitting in self.seatings.items()
            if sitting.player_id not in answered
            and (not sitting.player.may_play(self.now) or seat in self.ineligible)
        ]

    @functools.cached_property
    def held(self) -> list[int]:
        """The seats that are held and have not answered: their players are absent, and nobody asks who holds the bank."""
        answered = {offer.player_id for offer in self.offers}
        bank = None if self.turn is None else self.turn.player_id
        return [
            seat
            for seat, sitting in self.seatings.items()
            if sitting.held_until is not None
            and sitting.player_id not in answered
            and sitting.player_id != bank
            and seat not in self.out
        ]

    @property
    def unasked(self) -> dict[int, str]:
        """The seats that nobody asks, each with its answer: who may not bank is ineligible, for whom a seat is held absent."""
        return dict.fromkeys(self.out, INELIGIBLE) | dict.fromkeys(self.held, ABSENT)

    @property
    def passed_over(self) -> list[int]:
        """Those of `unasked` that the offers have come to, in order: the seats before the one that is asked next, or all."""
        unasked = self.unasked
        if not unasked or self.step.kind not in ("offer", "renew", "vacant"):
            return []
        asked_last = self.offers[-1].seat if self.offers else None
        order = seats_in_order(
            self.profile, self.turn_facts, sorted(self.seatings), self._start_seat, asked_last
        )
        asked = self.seatings.get(self.step.seat or 0)
        if self.last_bank is not None and asked is not None and self.last_bank.is_of(asked.player_id):
            return [seat for seat in order if seat in unasked]  # who is asked once all others have answered
        if self.step.kind == "offer" and self.step.seat in order:
            order = order[: order.index(self.step.seat)]
        return [seat for seat in order if seat in unasked]

    @property
    def round_of_offers(self) -> list[int]:
        """The seats that a run of offers goes to from its beginning, those that are not asked among them."""
        return seats_in_order(self.profile, self.turn_facts, sorted(self.seatings), self._start_seat, None)

    @property
    def _start_seat(self) -> int | None:
        """Where a run of offers begins while nobody banks."""
        after = self.table.offers_start_after
        if self.bank_is_out and self.turn is not None:
            after = self.turn.seat
        return None if after is None else seat_after(after, self.profile.direction)

    @functools.cached_property
    def play(self) -> Play:
        """Who has banked in this game and when, for profiles that go by it."""
        return Play(
            self.now,
            tuple(
                Stint(
                    *(
                        turn.player.known_as,
                        turn.player.provider_id is not None,
                        turn.began_at,
                        turn.ended_at,
                    ),
                    began_by=self.names_relieved.get(turn.begun_by, ""),
                )
                for turn in self.banked
            ),
            None if self.paused is None else self.paused.began_at,
        )

    @functools.cached_property
    def names_relieved(self) -> dict[int, str]:
        """Who handed a rack over in the turns of this game, by id; no query where nobody did."""
        players = {pk for turn in self.banked for pk in turn.relieved}
        if not players:
            return {}
        return {
            pk: player.known_as
            for pk, player in Player.objects.select_related("merged_into").in_bulk(players).items()
        }

    @property
    def step_after_round(self) -> Step | None:
        """What comes at the bank once the round in play is settled; None between rounds and without a turn.

        None too where it hangs on who wagers: the round in play is not settled yet.
        """
        if self.live is None or self.turn is None or self.profile.has_eligibility:
            return None
        turn = copy.copy(self.turn)
        turn.rounds += 1
        return self._changed("offers", turn=turn, live=None).step

    @functools.cached_property
    def step(self) -> Step:
        """Who must be offered the bank next, or that it goes on, and why (ruling 40)."""
        turn = self.turn_facts
        if turn is not None and goes_on(self.profile, turn, self.play):
            # Nobody is asked: whether anybody is eligible is not looked up.
            return next_step(self.profile, turn=turn, occupied=[], answers=[], play=self.play)
        last_bank = self.last_bank
        of_last_bank = {
            seat: sitting
            for seat, sitting in self.seatings.items()
            if last_bank is not None and last_bank.is_of(sitting.player_id)
        }
        # An answer is its player's, wherever the player sits by now.
        seat_of = {sitting.player_id: seat for seat, sitting in self.seatings.items()}
        answers = [
            Answer(seat=seat_of[offer.player_id], answer=offer.answer)
            for offer in self.offers
            if offer.player_id in seat_of
        ] + [Answer(seat=seat, answer=answer) for seat, answer in self.unasked.items()]
        return next_step(
            self.profile,
            turn=self.turn_facts,
            occupied=seats_to_ask(
                self.profile,
                sorted(self.seatings),
                last_bank=sorted(of_last_bank),
                of_provider=any(sitting.player.provider_id is not None for sitting in of_last_bank.values()),
                answered=[answer.seat for answer in answers],
                rounds=0 if last_bank is None else last_bank.rounds,
                new_game=last_bank is not None and last_bank.new_game,
                asked=bool(self.offers)
                or any(seat not in of_last_bank for seat in [*self.ineligible, *self.held]),
            ),
            answers=answers,
            start_seat=self._start_seat,
            asked_last=self.offers[-1].seat if self.offers else None,
            play=self.play,
            new_game=last_bank is not None and last_bank.new_game,
            waits=next((sitting.player.known_as for sitting in of_last_bank.values()), ""),
        )

    def rounds_before(self, player_id: int) -> int:
        """The rounds in a row that count against the limit of a turn which `player_id` begins now (ruling 40).

        The offers are those that led to it, without the answer by which it is accepted. One query where the turn that
        is open has no round.
        """
        if self.turn is not None and not self.turn.in_a_row:
            return self._changed("offers", last_bank=last_bank_of(self.table)).rounds_counted(player_id)
        return self.rounds_counted(player_id)

    def rounds_counted(self, player_id: int) -> int:
        """The same without a query: of an open turn that has no round as yet, it is believed that it was not given up."""
        last_bank = self.last_bank
        if self.turn is not None and self.turn.in_a_row:
            last_bank = LastBank(self.turn.player_id, self.turn.in_a_row, relieved=self.turn.relieved)
        if last_bank is None or not last_bank.is_of(player_id):
            return 0
        seated = [sitting.player_id for sitting in self.seatings.values()]
        answers = {offer.player_id: str(offer.answer) for offer in self.offers}
        answers |= {self.seatings[seat].player_id: answer for seat, answer in self.unasked.items()}
        return 0 if starts_anew(player_id, seated, answers) else last_bank.rounds


#: A check of a table as a whole: None, or why a command may not be done now.
Check = Callable[[TableState], WhyNot | None]


_CACHED: set[Check] = set()


def cached_per_state(check: Check) -> Check:
    """Compute a check at most once for each reading of a table; asked again, it answers what it found then.

    A command that changes the table reads it anew: the new reading has no answers yet. The check of a declared command is
    kept this way by its declaration; beside it is what other checks ask too.
    """
    if check in _CACHED:
        return check

    @functools.wraps(check)
    def answer(state: TableState) -> WhyNot | None:
        if check not in state.answers:
            state.answers[check] = check(state)
        return state.answers[check]

    _CACHED.add(answer)
    return answer


def last_settled(table: Table) -> Round | None:
    """Return the last settled round at a table; of one that was corrected the last revision, as it was played."""
    settled = Round.objects.filter(is_current(), table=table, state=Round.State.SETTLED)
    return settled.order_by("-opened_at", "-id").first()


def last_ended(table: Table, shift: Shift) -> Round | None:
    """Return the round that ended last at a table in a shift, settled or void; of one that was corrected the last revision."""
    ended = Round.objects.filter(is_current(), table=table, shift=shift).exclude(ended_at__isnull=True)
    return ended.select_related("bank_player").order_by("-opened_at", "-id").first()


def profile_of(table: Table) -> Profile:
    """Return the rotation profile of a table: its own, or else its rulebook's, with the terms of its approval."""
    return profile_under(table.book, table.rotation)


def _who_is_there(table: Table) -> Table:
    """The shift, the down, the turn and the live round at a table, of each the one that is open; all in one."""
    one_of_each = {
        "open_shift": FilteredRelation("room__shifts", condition=Q(room__shifts__closed_at__isnull=True)),
        "open_down": FilteredRelation("downs", condition=Q(downs__ended_at__isnull=True)),
        "open_turn": FilteredRelation("turns", condition=Q(turns__ended_at__isnull=True)),
        "live_round": FilteredRelation("rounds", condition=Q(rounds__ended_at__isnull=True)),
    }
    related = ("open_shift", "open_down__dealer", "open_turn__player", "live_round")
    return Table.objects.annotate(**one_of_each).select_related(*related).only("pk").get(pk=table.pk)


def _seatings(table: Table) -> QuerySet[Seating]:
    here = Seating.objects.filter(table=table, left_at__isnull=True)
    return here.select_related("player").order_by()


def by_place(stays: Iterable[Seating]) -> tuple[dict[int, Seating], dict[Place, Seating]]:
    """Return the stays at the seats by number, and those on the back lines by place, both in that order."""
    seatings: dict[int, Seating] = {}
    behind: dict[Place, Seating] = {}
    for stay in sorted(stays, key=lambda stay: stay.place):
        if stay.behind:
            behind[stay.place] = stay
        else:
            seatings[stay.seat] = stay
    return seatings, behind


def _offers(table: Table) -> QuerySet[Any]:
    """The answers of the present cycle in order, those too that were withdrawn (`withdrawn`: its id)."""
    offers = Offer.objects.filter(table=table, cycle=table.offer_cycle)
    return offers.annotate(withdrawn=F("withdrawal__id")).select_related("player").order_by("id")


def read_table(table: Table, now: datetime.datetime | None = None) -> TableState:
    """Read the state of a table at `now` (without it, this instant), in two queries however full it is.

    The answers to offers take a third, once they are asked for: the commands in a round do not. A rotation profile that
    goes by who banked when takes two more, and a bank that was given up one.
    """
    now = now or timezone.now()
    banked, pauses = played_in_games([table], now)
    there = _who_is_there(table)
    shift, down, turn, live = (
        getattr(there, name, None) for name in ("open_shift", "open_down", "open_turn", "live_round")
    )
    seatings, behind = by_place(_seatings(table))
    for row in (down, turn, live, *seatings.values(), *behind.values()):
        if row is not None:
            row.table = table
    if live is not None and turn is not None and live.turn_id == turn.pk:
        live.turn, live.bank_player = turn, turn.player
    return TableState(
        table=table,
        shift=shift,
        down=down,
        seatings=seatings,
        behind=behind,
        turn=turn,
        last_bank=None if turn is not None or table.offers_start_after is None else last_bank_of(table),
        live=live,
        now=now,
        banked=banked.get(table.pk, []),
        paused=pauses.get(table.pk),
    )


def played_in_games(
    tables: Collection[Table], now: datetime.datetime
) -> tuple[dict[int, list[Turn]], dict[int, Pause]]:
    """Return by table the turns of its game within `LOOK_BACK`, the first first, and its latest stop; two queries.

    Only of tables whose rotation profile goes by them: where none does, nothing is asked.
    """
    if (played := turns_to_look_at(tables, now)) is None:
        return {}, {}
    return by_table(Turn.objects.filter(played).select_related("player").order_by("id")), latest_stops(
        tables, now
    )


def turns_to_look_at(tables: Collection[Table], now: datetime.datetime) -> Q | None:
    """Return which turns the rotation of `tables` goes by, within `LOOK_BACK`; None where no profile goes by them.

    A game that ends by who has banked in it begins with the opening of the table. One that stops for a pause goes on
    over a closing that was shorter than that.
    """
    timed = [table for table in tables if profile_of(table).needs_play]
    if not timed:
        return None
    this_game = Q(pk__in=[])
    for table in timed:
        begins = table.opened_at is not None and not profile_of(table).pause_minutes
        since = {"began_at__gte": table.opened_at} if begins else {}
        this_game |= Q(table=table, **since)
    return (
        this_game
        & (Q(ended_at__isnull=True) | Q(ended_at__gt=now - LOOK_BACK))
        & ~Q(ended_why=Turn.Ended.MISTAKE)
    )


def by_table(turns: Iterable[Turn]) -> dict[int, list[Turn]]:
    """Return turns by the id of their table, in the order in which they come."""
    at: dict[int, list[Turn]] = {}
    for turn in turns:
        at.setdefault(turn.table_id, []).append(turn)
    return at


def latest_stops(tables: Collection[Table], now: datetime.datetime) -> dict[int, Pause]:
    """Return by table its latest stop within `LOOK_BACK`; asked only of tables whose profile knows stops."""
    stopping = [table for table in tables if profile_of(table).pause_minutes]
    if not stopping:
        return {}
    stops = Pause.objects.filter(table__in=stopping, began_at__gt=now - LOOK_BACK).order_by("id")
    return {stop.table_id: stop for stop in stops}


def last_bank_of(table: Table) -> LastBank | None:
    """Return who banked the last settled round at a table, and how many in a row; None before the first one.

    A count never carries over to a game of another approval (ruling 53): there is none then.
    """
    columns = ("game", "player", "counted", "pk", "game_over", "relieved")
    found = last_banks().filter(table=table).values_list(*columns).first()
    return None if found is None else last_bank_in(table.game, *found)


def last_bank_in(game: GameFiling | None, of_game: int | None, *last_bank: Any) -> LastBank | None:
    """Return the last bank for a table that plays `game`, `of_game` being the id of the filing that was banked."""
    if of_game is not None and game is not None and of_game != game.pk:
        before = GameFiling.objects.filter(pk=of_game).first()
        if not same_approval(before, game):
            return None
    return LastBank(*last_bank)


def same_approval(before: GameFiling | None, after: GameFiling | None) -> bool:
    """Whether two filed games are of one approval; what is not known is believed to be."""
    return before is None or after is None or before.approval_key == after.approval_key


def last_banks() -> QuerySet[Any]:
    """Return the turns that settled a round, each with `counted`: the rounds in a row of its player, the last first.

    A later turn of the same player may have settled none and begun the count anew, so the player's last turn decides.
    One whose rack was handed over with rounds on its count is of them too: the count is that of who took it over.
    Ordered by when they began, as `last_rounds` is by day and number, and for the same reason.
    """
    of_player = Turn.objects.filter(table=OuterRef("table"), player=OuterRef("player"))
    latest = of_player.exclude(ended_why=Turn.Ended.MISTAKE).order_by("-began_at", "-id")
    counted = Subquery(latest.values(counted=F("rounds_before") + F("rounds"))[:1])
    # Of 0 minutes: the game ended.
    game_over = Exists(Pause.objects.filter(after_turn=OuterRef("pk"), minutes=0))
    counts = Q(rounds__gt=0) | (Q(rounds_before__gt=0) & ~Q(relieved=[]))
    settled = (
        Turn.objects.filter(counts)
        .exclude(ended_why=Turn.Ended.MISTAKE)
        .annotate(counted=counted, game_over=game_over)
    )
    return settled.order_by("-began_at", "-id")


def last_rounds() -> QuerySet[Round]:
    """Return the rounds that were played, corrections left out, the last of a table first.

    By an index that begins with the table (`one_round_of_a_number_a_day`). By `-id` PostgreSQL walks back through the
    rounds of all tables until it meets one of this table: through all of them for a table where nobody has played.
    """
    # By the revision: for `corrects`, which has an index of its own, SQLite would walk through all rounds that have none.
    return Round.objects.filter(revision=0).order_by("-gaming_day", "-number")
