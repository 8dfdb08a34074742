"""Serializes a table and its round as plain data: what the API answers, and what a stale command is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.people.models import Player
from games.phrases import Phrase
from games.rotation.eligibility import eligible_words
from games.rotation.offers import seat_after
from games.rotation.profile import HOUSE_BANKS, PROFILES
from games.rulebook import CLOCKWISE, Rulebook

from ..checks import why_nots
from ..models import Offer, Round, Table
from ..settling.fixing import main_above_bank
from ..settling.round_documents import Fee, Settlement
from .meters import MeterRecord, meter_record
from .round_names import names_of
from .table_state import TableState


class NamedRow(TypedDict):
    """Something by its id and name."""

    id: int
    name: str


class FilingName(TypedDict):
    """A filed schedule or game by name."""

    id: int
    number: Annotated[int, "The number in the room, as filed."]
    version: int
    title: str


class RakeTerms(TypedDict):
    """The house rake."""

    mode: Annotated[str, "Who pays it: `all`, `all_but_bank` or `bank_only`."]
    cents: Annotated[int, "What each of them pays a round."]


class TableRow(TypedDict):
    """A table in a list."""

    table: int
    number: int
    room: int
    version: int
    state: Annotated[str, OneOf(Table.State)]
    game: Annotated[FilingName | None, "The filed game that is played; null where it is set by hand."]
    rulebook: str
    options: dict[str, Any]
    wager_limits: dict[str, list[int]]
    recording: Annotated[str, OneOf(Table.Recording), "How much of a round is recorded."]
    schedule: FilingName | None
    rake: Annotated[RakeTerms | None, "The house rake, in place of a schedule's fees."]
    must_move_to: Annotated[int | None, "The table whose free seats are filled from here; null for none."]


class BackLineState(TypedDict):
    """A further bettor on the spot of a seat."""

    behind: Annotated[int, "The place on the back line, from 1."]
    player: NamedRow


class EligibilityState(TypedDict):
    """Whether the bank may be offered to the player of a seat, by what they have wagered."""

    eligible: bool
    reason: Annotated[str, "What was wagered, or what is missing."]
    clause: str


class SeatState(TypedDict):
    """A seat and who sits there."""

    seat: int
    player: NamedRow | None
    held_until: Annotated[Instant | None, "While the seat is held for its player, who is away."]
    eligibility: Annotated[
        EligibilityState | None, "Null where everybody seated is asked, and for who holds the bank."
    ]
    back_line: list[BackLineState]


class TurnState(TypedDict):
    """The turn at the bank."""

    id: int
    seat: int
    player: str
    rounds: Annotated[int, "Settled rounds in this turn."]
    in_a_row: Annotated[
        int, "Settled rounds in a row that count against the limit: those of the player's earlier turns too."
    ]
    renewed: bool


class OfferState(TypedDict):
    """An answer in this run of offers."""

    seat: int
    player: str
    answer: Annotated[str, OneOf(Offer.Answer)]


class NextStep(TypedDict):
    """What the rotation asks for, and why."""

    kind: Annotated[str, OneOf(("house", "keep", "offer", "taken", "renew", "vacant", "pause", "end"))]
    seat: int | None
    reason: str
    clause: str


class BankState(TypedDict):
    """The bank of a round."""

    seat: int | None
    wager: int | None


class BetState(TypedDict):
    """What one bettor has wagered."""

    seat: int
    behind: NotRequired[Annotated[int, "Of a back-line bettor: the place behind the seat, from 1."]]
    player: str
    wagers: dict[str, int]
    tips: dict[str, int]


class RoundFacts(TypedDict):
    """What is known of a round so far."""

    id: int
    table: int
    gaming_day: DayText
    number: Annotated[int, "Counts the table's rounds of the gaming day, without gaps."]
    revision: Annotated[int, "0 as recorded first; one more with every correction."]
    state: Annotated[
        str,
        OneOf(Round.State),
        '`bets_closed` begins at "no more bets": fees are dropped. The first card is `dealt_at`.',
    ]
    source: Annotated[str, OneOf(Round.Source)]
    recording: Annotated[str, OneOf(Table.Recording)]
    shift: int | None
    bank: BankState
    bank_below_main_wager_cents: Annotated[
        int | None,
        "The largest main wager, where the player-dealer's own is below it: ask about that once (ruling 54).",
    ]
    action_seat: int | None
    shown_card: Annotated[
        str | None, "The bank's card that lay face up before the decisions; null: not recorded."
    ]
    board: Annotated[str, "Cards of the board that were recorded as they were shown."]
    decided: Annotated[dict[str, str], "By seat, decisions that were recorded as they were made."]
    decision_order: Annotated[
        list[int],
        "Seats in the order in which they decide: from the bank's next seat on, in the filed direction.",
    ]
    rulebook: str
    options: dict[str, Any]
    schedule: int | None
    schedule_version: int | None
    bets: list[BetState]
    later_bets: Annotated[list[BetState], "Wagers after the deal of a round that is not carded."]
    fees: list[Fee]
    total_table_action_cents: int
    rake_cents: Annotated[int, "House rake taken as the round was settled."]
    drop_cents: int
    opened_at: Instant
    bets_closed_at: Instant | None
    dealt_at: Instant | None
    ended_at: Instant | None
    settlement: Settlement | None
    ran_out: Annotated[
        dict[str, Any] | None,
        "Where the bank of a round that is not carded ran out, in cents paid, taken and returned; null: it covered all.",
    ]
    void_reason: str


class WhyNotState(TypedDict):
    """Why a command may not be given now."""

    code: str
    message: str
    clause: Annotated[str, "The source of the rule that says so; empty where no rule does."]


#: What a table's bank goes by: a profile, or the house banks.
TABLE_ROTATIONS = (*PROFILES, HOUSE_BANKS)


class TableRecord(TableRow):
    """The state of a table. Its `version` is what `If-Match` names."""

    rotation: Annotated[
        str,
        OneOf(TABLE_ROTATIONS),
        "Profile by which the bank rotates: the table's own, or its rulebook's; house_banks: the house does.",
    ]
    shift: NamedRow | None
    meter: Annotated[MeterRecord | None, "Null where the game has no progressive."]
    dealer: NamedRow | None
    seats: list[SeatState]
    turn: TurnState | None
    offers: Annotated[list[OfferState], "Answers in this run of offers."]
    next: NextStep
    round: Annotated[RoundFacts | None, "The live round."]
    why_not: Annotated[
        dict[str, WhyNotState | None], "By command: null when it may be done now, else why not."
    ]


def table_record(state: TableState) -> TableRecord:
    """Return a table as plain data (money in cents, instants in UTC), the same for page, API and 412."""
    table = state.table
    return {
        "table": table.pk,
        "number": table.number,
        "room": table.room_id,
        "version": table.version,
        "state": table.state,
        "game": None if table.game is None else filing_name(table.game),
        "rulebook": table.rulebook,
        "options": table.options,
        "wager_limits": table.wager_limits,
        "rotation": state.profile.id,
        "recording": table.recording,
        "rake": rake_terms(table),
        "must_move_to": table.must_move_to_id,
        "schedule": None if table.schedule is None else filing_name(table.schedule),
        "shift": None if state.shift is None else {"id": state.shift.pk, "name": str(state.shift)},
        "meter": meter_record(table),
        "dealer": None
        if state.down is None
        else {"id": state.down.dealer_id, "name": str(state.down.dealer)},
        "seats": [
            {
                "seat": seat,
                "player": None
                if (sitting := state.seatings.get(seat)) is None
                else {"id": sitting.player_id, "name": sitting.player.known_as},
                "held_until": None if sitting is None else utc_text(sitting.held_until),
                "eligibility": eligibility_at(state, seat),
                "back_line": [
                    {
                        "behind": place.behind,
                        "player": {"id": stay.player_id, "name": stay.player.known_as},
                    }
                    for place, stay in state.behind.items()
                    if place.seat == seat
                ],
            }
            for seat in range(1, state.rulebook.seats + 1)
        ],
        "turn": None
        if state.turn is None
        else {
            "id": state.turn.pk,
            "seat": state.turn.seat,
            "player": state.turn.player.known_as,
            "rounds": state.turn.rounds,
            "in_a_row": state.turn.in_a_row,
            "renewed": state.turn.renewed,
        },
        "offers": [{"seat": o.seat, "player": o.player.known_as, "answer": o.answer} for o in state.offers],
        "next": {
            "kind": state.step.kind,
            "seat": state.step.seat,
            "reason": state.step.reason,
            "clause": state.step.clause,
        },
        "round": None if state.live is None else round_facts(state.live, state.players),
        "why_not": {
            command: None if why is None else {"code": why.code, "message": why.message, "clause": why.clause}
            for command, why in why_nots(state).items()
        },
    }


def eligibility_at(state: TableState, seat: int) -> EligibilityState | None:
    """Return whether the player of a seat may be offered the bank by the filed terms, and why."""
    profile, sitting = state.profile, state.seatings.get(seat)
    if not profile.has_eligibility or sitting is None:
        return None
    if state.turn is not None and sitting.player_id == state.turn.player_id:
        return None
    if (why := state.ineligible.get(seat)) is not None:
        return {"eligible": False, "reason": why.text, "clause": why.clause}
    clause = profile.wagered_clause if profile.wagered_rounds else profile.previous_clause
    if state.wagering is None:
        first = Phrase("no round has been settled since the table opened")
        return {"eligible": True, "reason": first, "clause": clause}
    return {"eligible": True, "reason": eligible_words(profile), "clause": clause}


def rake_terms(table: Table) -> RakeTerms | None:
    """Return the house rake of a table; None where a schedule's fees are taken instead."""
    return None if table.rake is None else {"mode": table.rake.mode, "cents": table.rake.cents}


def filing_name(filing: FeeSchedule | GameFiling) -> FilingName:
    """Return which filed schedule or game this is."""
    return {
        "id": filing.pk,
        "number": filing.number,
        "version": filing.version,
        "title": filing.title,
    }


def round_facts(round_: Round, players: Iterable[Player] = ()) -> RoundFacts:
    """Return a round as plain data: what is known of it so far; `players` are known, and not read again."""
    names = names_of(round_, players)
    return {
        "id": round_.pk,
        "table": round_.table_id,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "revision": round_.revision,
        "state": round_.state,
        "source": round_.source,
        "recording": round_.recording,
        "shift": round_.shift_id,
        "bank": {"seat": round_.bank_seat, "wager": round_.bank_wager_cents},
        "bank_below_main_wager_cents": main_above_bank(round_),
        "action_seat": round_.action_seat,
        "shown_card": round_.shown_card or None,
        "board": round_.board,
        "decided": round_.decided,
        "decision_order": decision_order(round_),
        "rulebook": round_.rulebook,
        "options": round_.options,
        "schedule": round_.schedule_id,
        "schedule_version": round_.schedule_version,
        "bets": names.in_place(round_.bets),
        "later_bets": names.in_place(round_.later_bets),
        "fees": names.in_place(round_.fees),
        "total_table_action_cents": round_.total_table_action_cents,
        "rake_cents": round_.rake_cents,
        "drop_cents": round_.drop_cents,
        "opened_at": utc_text(round_.opened_at),
        "bets_closed_at": utc_text(round_.bets_closed_at),
        "dealt_at": utc_text(round_.dealt_at),
        "ended_at": utc_text(round_.ended_at),
        "settlement": names.in_place(round_.settlement),
        "ran_out": round_.ran_out,
        "void_reason": round_.void_reason,
    }


def decision_order(round_: Round) -> list[int]:
    """Return the seats with wagers in the order in which they decide: from the bank's next seat on, in the filed direction.

    Settling starts at the action seat instead, where one was named; so do the decisions where the document has a seat
    named by dice or a button.
    """
    seats = {bet["seat"] for bet in round_.bets if bet["wagers"]}
    if round_.bank_seat is None:
        return sorted(seats)
    book = round_.book
    first = seat_after(round_.bank_seat, book.direction)
    if book.named_start and round_.action_seat is not None:
        first = round_.action_seat
    return round_table(seats, first, book)


def round_table(seats: Iterable[int], first: int, book: Rulebook) -> list[int]:
    """Return `seats` from seat `first` on in the direction that is filed, each once."""
    clockwise = book.direction == CLOCKWISE
    return sorted(set(seats), key=lambda seat: (seat - first if clockwise else first - seat) % book.seats)
