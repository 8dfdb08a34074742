"""Serializes the rotation of the bank as plain data, as the API answers it: instants in UTC, days as ISO dates."""

from __future__ import annotations

import dataclasses
from typing import Annotated, TypedDict, cast

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from games.rotation.record import RULES, Deviation

from ..models import Offer, Round, Turn
from .rotation import Run, TableRotation, stands


class RotationOffer(TypedDict):
    """An offer of the bank in a run."""

    id: int
    seat: int
    player: str
    answer: Annotated[str, OneOf(Offer.Answer)]
    reason: str
    passed_over: Annotated[
        bool,
        "Nobody asked: by what is on record the player was ineligible, or absent while the seat was held.",
    ]
    answered_at: Instant
    recorded_by: str
    stands: Annotated[bool, "False when it was withdrawn as a mistake."]


class RotationStop(TypedDict):
    """A stop of the game; of 0 minutes the end of one, as everybody had declined."""

    began_at: Instant
    minutes: Annotated[int, "How long the game stops at least."]
    recorded_by: str


class RotationRound(TypedDict):
    """A round of a turn."""

    id: int
    gaming_day: DayText
    number: int
    player: Annotated[str, "Who banked it."]
    state: Annotated[str, OneOf(Round.State)]
    opened_at: Instant


class RotationHandOver(TypedDict):
    """A provider's rack changed hands within the turn, which went on."""

    at: Instant
    relieved: Annotated[str, "Who handed it over."]
    player: Annotated[str, "Who took it over."]
    cents: Annotated[int, "What the two counted."]


class RotationTurn(TypedDict):
    """A turn at the bank."""

    id: int
    seat: int
    player: Annotated[str, "Who holds it, or held it last."]
    hand_overs: Annotated[list[RotationHandOver], "In order; before the first its `relieved` held the turn."]
    renewed: Annotated[bool, "A new turn of the last bank, as all others declined."]
    rotation: Annotated[str, "Profile as it began; empty: the rulebook's."]
    began_at: Instant
    ended_at: Instant | None
    ended_why: Annotated[str, OneOf(Turn.Ended, blank=True)]
    rounds: list[RotationRound]


class RotationBackLine(TypedDict):
    """A bettor on the back line of a seat's spot while the offers went round; the bank is offered at seats."""

    seat: int
    behind: int
    player: str


class RotationRun(TypedDict):
    """One run of offers around the table, and the turn that came of it."""

    cycle: int
    offers: list[RotationOffer]
    not_asked: list[RotationBackLine]
    stop: RotationStop | None
    turn: RotationTurn | None


class RotationException(TypedDict):
    """Something that the rotation does not allow; `turn`, `round` and `offer` are ids of what it shows in."""

    kind: Annotated[str, OneOf(RULES)]
    rule: str
    clause: str
    at: Instant
    seat: int
    player: str
    text: str
    turn: int | None
    round: int | None
    offer: int | None


class RotationFigures(TypedDict):
    """What a period's rotation comes to in numbers."""

    turns: Annotated[int, "Begun in the period."]
    renewed: int
    banks: Annotated[int, "Different players who banked a settled round."]
    rounds: Annotated[int, "Settled."]
    voids: int
    accepted: int
    declined: int
    absent: int
    ineligible: int
    withdrawn: Annotated[int, "Answers recorded by mistake, which count nowhere else."]
    stops: int
    exceptions: int


class JournalHead(TypedDict):
    """The last entry of a chain."""

    entry: Annotated[int, "The last entry of the table's journal as this was read; 0 for none."]
    hash: str


class RotationRecord(TypedDict):
    """The rotation at a table in a period, `until` exclusive."""

    table: int
    number: int
    period: str
    since: Instant
    until: Instant
    journal: JournalHead
    figures: RotationFigures
    exceptions: list[RotationException]
    runs: list[RotationRun]


class RoomRotationRecord(TypedDict):
    """The rotation at every table of a room."""

    room: int
    tables: list[RotationRecord]


def rotation_record(rotation: TableRotation) -> RotationRecord:
    """Return the rotation at a table as plain data, instants in UTC."""
    return {
        "table": rotation.table.pk,
        "number": rotation.table.number,
        "period": rotation.period.name,
        "since": utc_text(rotation.period.since),
        "until": utc_text(rotation.period.until),
        "journal": {"entry": rotation.head_seq, "hash": rotation.head_hash},
        "figures": cast(RotationFigures, dataclasses.asdict(rotation.figures)),
        "exceptions": [_exception(each) for each in rotation.exceptions],
        "runs": [_run(run) for run in rotation.runs],
    }


def _run(run: Run) -> RotationRun:
    turn, stop = run.turn, run.stop
    return {
        "cycle": run.cycle,
        "offers": [
            {
                "id": offer.pk,
                "seat": offer.seat,
                "player": offer.player.known_as,
                "answer": offer.answer,
                "reason": offer.reason,
                "passed_over": offer.passed_over,
                "answered_at": utc_text(offer.answered_at),
                "recorded_by": str(offer.recorded_by),
                "stands": stands(offer),
            }
            for offer in run.offers
        ],
        "not_asked": [
            {"seat": stay.seat, "behind": stay.behind, "player": stay.player.known_as} for stay in run.behind
        ],
        "stop": None
        if stop is None
        else {
            "began_at": utc_text(stop.began_at),
            "minutes": stop.minutes,
            "recorded_by": str(stop.recorded_by),
        },
        "turn": None
        if turn is None
        else {
            "id": turn.pk,
            "seat": turn.seat,
            "player": turn.player.known_as,
            "hand_overs": [
                {
                    "at": utc_text(each.counted_at),
                    "relieved": "" if each.relieved is None else each.relieved.known_as,
                    "player": each.player.known_as,
                    "cents": each.cents,
                }
                for each in run.hand_overs
            ],
            "renewed": turn.renewed,
            "rotation": turn.rotation,
            "began_at": utc_text(turn.began_at),
            "ended_at": utc_text(turn.ended_at),
            "ended_why": turn.ended_why,
            "rounds": [
                {
                    "id": round_.pk,
                    "gaming_day": round_.gaming_day.isoformat(),
                    "number": round_.number,
                    "player": "" if round_.bank_player is None else round_.bank_player.known_as,
                    "state": round_.state,
                    "opened_at": utc_text(round_.opened_at),
                }
                for round_ in run.rounds
            ],
        },
    }


def _exception(each: Deviation) -> RotationException:
    return {
        "kind": each.kind,
        "rule": each.rule,
        "clause": each.clause,
        "at": utc_text(each.at),
        "seat": each.seat,
        "player": each.player,
        "text": each.text,
        "turn": each.turn,
        "round": each.round,
        "offer": each.offer,
    }
