"""Queries on the last step at a table, and whether it can be undone: read from the journal, newest entry first.

Nothing is deleted by an undo. It is an entry of its own that names the entry it takes back, so going back step by step
reads the journal the way a person would: what was taken back before is passed over.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cardroom.people.names import named
from games.money import dollars
from games.phrases import Phrase, no_capital
from games.procedures.rules import ROUND_VOID

from ..journal import chain_name
from ..models import JournalEntry, Offer, Round, Seating, Table
from ..places import Place, place_of

#: Steps that can be taken back. Those of `SIGNED` take a reason and a second person (ruling 42).
_PLACED = frozenset({"bets_place", "bets_repeat"})
#: An irregularity is a step where it voids the round: then nothing else is done before the void, or its undo.
IRREGULARITY = "procedure_irregularity"
#: Wagers after the deal.
_LATER = "later_bets_place"
_STEPS = _PLACED | {
    _LATER,
    "bank_wager_set",
    "fee_waive",
    "bets_close",
    "round_deal",
    "offer_answer",
    IRREGULARITY,
}
#: Touches on a seat that are taken back, and those that are told why not: `beside` the steps of a round, which go back past them.
SEATING = frozenset(
    {
        *("player_seat", "back_line_join", "waiting_seat", "player_move", "back_line_move"),
        *("seat_hold", "seat_hold_end"),
        "rack_hand_over",
    }
)
_LEAVES = frozenset({"player_leave", "back_line_leave"})
SIGNED = frozenset({"bets_close", "round_deal", IRREGULARITY})
#: What undoing never goes back beyond: here a round or a run of offers began or ended.
_ENDS = frozenset(
    {
        *("round_open", "round_settle", "round_finish", "round_void"),
        *("table_open", "table_close", "turn_begin", "turn_end", "turn_pause", "offers_ask_again"),
    }
)
UNDO = "undo"
#: Takes a waiver back by itself, even if other commands came after it.
WITHDRAW = "waiver_withdraw"
#: So many entries are looked back on at most; a round has fewer steps than that.
_LOOK_BACK = 80


@dataclasses.dataclass(frozen=True)
class StepBack:
    """The step that an undo would take back: its journal entry, and what it was in words ("seat 4's wagers").

    `signed` says that it takes a reason and a second person. `problem` says why it cannot be taken back after all, `stays` why a
    touch on a seat that came after it is not: that one stays as it is.
    """

    entry: JournalEntry
    text: str
    problem: str = ""
    stays: str = ""

    @property
    def command(self) -> str:
        return str(self.entry.command)

    @property
    def signed(self) -> bool:
        return self.command in SIGNED


def step_back(table: Table, live: Round | None, there: Mapping[Place, Seating]) -> StepBack | None:
    """Return the step at `table` that an undo would take back, or None where there is none; one query."""
    entries = JournalEntry.objects.filter(
        chain=chain_name(table), command__in=[*_STEPS, *_ENDS, *SEATING, *_LEAVES, UNDO, WITHDRAW]
    )
    looked_at = list(entries.order_by("-seq")[:_LOOK_BACK])
    dealt = False
    refused: StepBack | None = None
    for entry, before, undone in _standing(looked_at, live):
        if undone:
            dealt = dealt or entry.command == "round_deal"
        elif entry.command in _ENDS:
            if not _follows_an_answer(entry):
                return refused
        elif entry.command in SEATING or entry.command in _LEAVES:
            problem = _seating_problem(entry, before, there)
            if refused is None and not problem:
                return StepBack(entry, _says_seating(entry, there))
            # What was done at the seats before one that stays is not the last touch any more; steps of a round in play are.
            refused = refused or StepBack(entry, _says_seating(entry, there), problem)
            if live is None and entry.command not in _LEAVES:
                return refused
        elif entry.command == "bets_close" and dealt:
            return refused  # a deal was recorded, if by mistake: wagers change before the first card or never
        else:
            problem = _problem(entry, live, there)
            return StepBack(entry, _says(entry, there), problem, refused.problem if refused else "")
    return refused


def _standing(
    entries: Sequence[JournalEntry], live: Round | None
) -> Iterator[tuple[JournalEntry, JournalEntry | None, bool]]:
    """The entries that are steps or end them, newest first, each with the one before it and whether it was taken back."""
    undone: set[int] = set()
    withdrawn: set[int] = set()
    off_the_list: set[int] = set()
    for entry, before in itertools.zip_longest(entries, entries[1:]):
        if entry.command == UNDO:
            undone.add(entry.data["undoes"])
        elif entry.command == WITHDRAW:
            withdrawn.add(entry.data["waiver"])
        elif (entry.command == "fee_waive" and entry.data["waiver"] in withdrawn) or (
            entry.command == IRREGULARITY and (entry.data["round_fate"] != ROUND_VOID or live is None)
        ):
            continue
        elif entry.command == "player_seat" and entry.data["player"] in off_the_list:
            off_the_list.discard(entry.data["player"])  # the other half of `waiting_seat`
        else:
            if entry.command == "waiting_seat":
                off_the_list.add(entry.data["player"])
            yield entry, before, entry.seq in undone


def _follows_an_answer(entry: JournalEntry) -> bool:
    """Whether a turn ended or began because an offer was accepted: that answer is the step."""
    if entry.command == "turn_end":
        return bool(entry.data["why"] in ("passed", "mistake"))
    return entry.command == "turn_begin" and not entry.data["renewed"]


def _says(entry: JournalEntry, there: Mapping[Place, Seating]) -> str:
    data = entry.data
    if entry.command == _LATER:
        places = ", ".join(str(place_of(bet)) for bet in data["bets"])
        return Phrase("wagers after the deal of seat {seats}", seats=places)
    if entry.command == "bets_place":
        seats = [str(place_of(bet)) for bet in data["bets"]]
        return (
            Phrase("seat {seats}'s wagers", seats=seats[0])
            if len(seats) == 1
            else Phrase("wagers of seats {seats}", seats=", ".join(seats))
        )
    if entry.command == "offer_answer":
        return Phrase(
            "seat {seat}'s answer ({label})", seat=data["seat"], label=Offer.Answer(data["answer"]).label
        )
    if entry.command == IRREGULARITY:
        return Phrase("the irregularity ({text})", text=no_capital(Phrase(data["text"])))
    if entry.command == "fee_waive":
        return Phrase("the waiver ({title})", title=data["title"])
    if entry.command == "bank_wager_set":
        return Phrase("the player-dealer wager of {wager}", wager=dollars(data["after"]))
    return {
        "bets_repeat": Phrase("the repeated wagers"),
        "bets_close": Phrase('"no more bets"'),
        "round_deal": Phrase("the deal"),
    }[entry.command]


def _says_seating(entry: JournalEntry, there: Mapping[Place, Seating]) -> str:
    data = entry.data
    if entry.command in ("player_move", "back_line_move"):
        return Phrase("{name}'s move to seat {seat}", name=_whose(entry, there), seat=_place_after(entry))
    place = place_of(data)
    if entry.command in _LEAVES:
        return Phrase("{name}'s leaving of seat {seat}", name=_whose(entry, there), seat=place)
    if entry.command == "seat_hold":
        return Phrase("the hold of seat {seat}", seat=place)
    if entry.command == "rack_hand_over":
        return Phrase("the hand-over of the rack at seat {seat}", seat=place)
    if entry.command == "seat_hold_end":
        return Phrase("the end of the hold of seat {seat}", seat=place)
    return Phrase("the seating of {name} at seat {seat}", name=_whose(entry, there), seat=place)


def _seating_problem(entry: JournalEntry, before: JournalEntry | None, there: Mapping[Place, Seating]) -> str:
    """Say why a touch on a seat cannot be taken back, and what is done instead; empty where it can."""
    data, command = entry.data, entry.command
    if command in _LEAVES:
        return Phrase(
            "{name} has left: a touch on a free seat lists them first, to sit down again.",
            name=_whose(entry, there),
        )
    moves = command in ("player_move", "back_line_move")
    place = _place_after(entry) if moves else place_of(data)
    sitting = there.get(place)
    if sitting is None or sitting.player_id != data["player"] or sitting.seated_at > entry.at:
        return Phrase("{name} no longer sits at seat {seat}.", name=_whose(entry, there), seat=place)
    if "from" in data:
        return Phrase(
            "{name} came from Table {number}: touch a free seat there, and {name} in the list.",
            name=_whose(entry, there),
            number=data["from"],
        )
    if moves:
        if before is not None and before.command == "turn_end" and before.at == entry.at:
            return Phrase("The turn at the bank ended with the move.")
        if not data.get("before_behind") and (other := there.get(Place(data["before"]))) is not None:
            return Phrase("{player} sits at seat {seat} now.", player=other.player, seat=data["before"])
    elif command == "seat_hold" and sitting.held_until is None:
        return Phrase("Seat {seat} is not held.", seat=place)
    elif command == "seat_hold_end" and sitting.held_until is not None:
        return Phrase("Seat {seat} is held again.", seat=place)
    elif command not in ("seat_hold", "seat_hold_end", "rack_hand_over") and sitting.time_paid_to is not None:
        return Phrase("Time was collected there. Let {name} leave instead.", name=_whose(entry, there))
    return ""


def _whose(entry: JournalEntry, there: Mapping[Place, Seating]) -> str:
    """What the player is called whom an entry is about; no query where they are at the table."""
    return named(f"player:{entry.data['player']}", [stay.player for stay in there.values()])


def _place_after(entry: JournalEntry) -> Place:
    return Place(entry.data["after"], entry.data.get("after_behind") or 0)


def _problem(entry: JournalEntry, live: Round | None, there: Mapping[Place, Seating]) -> str:
    """Say why a step cannot be taken back though it was the last: the people whom it concerns have left."""
    if entry.command == "offer_answer":
        sitting = there.get(Place(entry.data["seat"]))
        if sitting is None or sitting.player_id != entry.data["player"]:
            return Phrase(
                "{name} no longer sits at seat {seat}.",
                name=_whose(entry, there),
                seat=entry.data["seat"],
            )
        return ""
    if live is None or entry.data["round"] != live.pk:
        return Phrase("It belongs to a round that is over.")
    if entry.command in _PLACED:
        for bet in bets_before(entry):
            sitting = there.get(place_of(bet))
            # Nobody leaves while they have wagers: who came later is somebody else, whatever their name.
            if bet["wagers"] and (sitting is None or sitting.seated_at > entry.at):
                return Phrase(
                    "{player} no longer sits at seat {seat}.", player=named(bet["player"]), seat=place_of(bet)
                )
    return ""


def bets_before(entry: JournalEntry) -> list[dict[str, Any]]:
    """The wagers of the seats that a placing of wagers concerned, as they lay before it."""
    before: list[dict[str, Any]] = entry.data["before"]
    return before
