"""The rotation of the bank as plain data, as the API answers it: instants in UTC, days as ISO dates."""

from __future__ import annotations

import dataclasses
from typing import Any

from cardroom.core.dates import utc_text
from games.rotation.record import Deviation

from .rotation import Run, TableRotation, stands


def rotation_record(rotation: TableRotation) -> dict[str, Any]:
    """Return the rotation at a table as plain data, instants in UTC."""
    return {
        "table": rotation.table.pk,
        "number": rotation.table.number,
        "period": rotation.period.name,
        "since": utc_text(rotation.period.since),
        "until": utc_text(rotation.period.until),
        "journal": {"entry": rotation.head_seq, "hash": rotation.head_hash},
        "figures": dataclasses.asdict(rotation.figures),
        "exceptions": [_deviation_state(each) for each in rotation.exceptions],
        "runs": [_run_state(run) for run in rotation.runs],
    }


def _run_state(run: Run) -> dict[str, Any]:
    turn, stop = run.turn, run.stop
    return {
        "cycle": run.cycle,
        "offers": [
            {
                "id": offer.pk,
                "seat": offer.seat,
                "player": offer.player.name,
                "answer": offer.answer,
                "reason": offer.reason,
                "answered_at": utc_text(offer.answered_at),
                "recorded_by": str(offer.recorded_by),
                "stands": stands(offer),
            }
            for offer in run.offers
        ],
        "not_asked": [
            {"seat": stay.seat, "behind": stay.behind, "player": stay.player.name} for stay in run.behind
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
            "player": turn.player.name,
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
                    "state": round_.state,
                    "opened_at": utc_text(round_.opened_at),
                }
                for round_ in run.rounds
            ],
        },
    }


def _deviation_state(each: Deviation) -> dict[str, Any]:
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
