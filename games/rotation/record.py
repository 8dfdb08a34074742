"""Records of a table as input of a rotation review, and the deviations that it finds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from ..rulebook import Rulebook

#: Each kind of deviation, and the rule that it breaks.
RULES: dict[str, str] = {
    "over_limit": "a turn ends with its rounds, and every seat is offered the bank",
    "offer_due": "no round is dealt while the bank is to be offered",
    "out_of_order": "offers go seat by seat, in the filed direction",
    "not_accepted": "a turn begins where the bank was accepted",
    "renewed_early": "a new turn of the same bank takes everybody else's no",
    "no_intervening": "another player banks before the same one does again",
    "provider_renewed": "somebody else follows a provider's player",
    "pause_missing": "the game stops before the same player banks again",
    "game_over": "too few others have banked: the game ends",
    "house_banked": "the house does not bank",
    "other_bank": "a round is banked by whoever holds the turn",
    "two_of_provider": "of each provider one player at most is at a table",
    "game_ended": "once everybody has declined the game ends, until somebody else takes the bank",
    "not_eligible": "the bank is offered to who has wagered as the approved rules ask",
    "eligible_passed_over": "whoever has wagered as the approved rules ask is offered the bank",
}
#: The ruling that staff of the house may not bank, in any game and under any profile.
HOUSE_CLAUSE = "ruling 41"
#: The rule of at most one player of a provider at a table, under any profile: every contract with one has it.
PROVIDER_CLAUSE = "4 CCR 12270(b)(5)"


class Seated(NamedTuple):
    """A player's stay at a seat, `until` exclusive (None: still). `firm` is the id of a provider whose player it is.

    `behind` is above 0 for a bettor on the back line of the seat's spot, whom the bank is not offered.
    """

    seat: int
    player: str
    since: datetime
    until: datetime | None
    firm: int | None = None
    behind: int = 0


class PlayedGame(NamedTuple):
    """What was played: the id of its profile, its rulebook, and what tells its approval from others (ruling 53)."""

    profile: str
    rulebook: Rulebook
    approval: str


class Offered(NamedTuple):
    """An offer with its answer; those of one `cycle` belong to one run around the table.

    `by_hand`: somebody asked, and the seat was not passed over. `house`: a person of the house sat there. `game` is the
    filed game by which it was made; None: that before it.
    """

    id: int
    cycle: int
    seat: int
    player: str
    answer: str
    at: datetime
    by_hand: bool = True
    house: bool = False
    game: PlayedGame | None = None


class Held(NamedTuple):
    """A turn; `player` is who began it. `left`: it ended without a successor; `closed`: because the table closed. `profile` is an id."""

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
    rulebook: Rulebook | None = None
    approval: str = ""


class HandedOver(NamedTuple):
    """A provider's rack passed from the player who held the turn `turn` to another of its players, who goes on with it."""

    id: int
    turn: int
    player: str
    at: datetime


class Played(NamedTuple):
    """A round: who banked it in which turn. `dealt` and `settled` are false for a void before the deal, a void.

    `at` is when it opened, `ended_at` when it was settled or voided (None: still in play, or not known). `rulebook` is
    the one by which it was played, whose clauses a deviation names; None: not known. `approval` tells its approval from
    others, "" where that is not known; `wagered` are the seats that wagered and `closed_at` when bets closed, where the rules
    of the bank ask for that.
    """

    id: int
    name: str
    turn: int | None
    seat: int
    player: str
    at: datetime
    dealt: bool
    settled: bool
    profile: str
    ended_at: datetime | None = None
    rulebook: Rulebook | None = None
    approval: str = ""
    wagered: frozenset[int] = frozenset()
    closed_at: datetime | None = None


class Stopped(NamedTuple):
    """The game stopped after the turn `turn` (0: within one). `until` is when it went on, where that is known.

    `ended`: everybody had declined, and the game was over; a new one begins.
    """

    id: int
    cycle: int
    turn: int
    at: datetime
    until: datetime | None = None
    ended: bool = False


class Record(NamedTuple):
    """The records of one table over a period that begins with a turn.

    `known_from`: all rounds from then on are among them; None: from the first of them. `hand_overs` are those of a provider's
    rack while its player held the bank.
    """

    seated: Sequence[Seated]
    offers: Sequence[Offered]
    turns: Sequence[Held]
    rounds: Sequence[Played]
    stops: Sequence[Stopped]
    known_from: datetime | None = None
    hand_overs: Sequence[HandedOver] = ()


class Deviation(NamedTuple):
    """A deviation from the rotation: its `kind` (see `RULES`), place, time, and clause.

    `turn`, `round` and `offer` are ids of the rows concerned.
    """

    kind: str
    at: datetime
    seat: int
    player: str
    text: str
    clause: str
    turn: int | None = None
    round: int | None = None
    offer: int | None = None

    @property
    def rule(self) -> str:
        return RULES[self.kind]
