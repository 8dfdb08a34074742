"""Taking a step back, and correcting a round that is settled."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.corrections import round_correct
from cardroom.floor.acts.undo import bets_reopen, undo
from cardroom.floor.reads.reach import table_in_reach
from cardroom.people.approval import approver_authenticate
from cardroom.people.models import Staff
from cardroom.people.rights import Right

from .. import answers, bodies
from ..base import HouseView, done
from ..forms import Nothing, read
from ..headers import envelope
from ..operations import RESTING, command

_TAG = "Corrections"


class Undo(HouseView):
    @command(
        "Undo the last step",
        bodies.Undo,
        answers.UndoAnswer,
        description="One step back within the round in play or the run of offers: wagers, the bank's wager, \"no more "
        'bets", the deal, an answer to an offer. "No more bets" and the deal take a reason and a second person, who '
        "signs; the fees then go back. Nothing is deleted: the undo is an act of its own.",
        example={},
        further_errors=RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        said = read(bodies.Undo, request)
        approver = _signed(given.actor, table_id, said["approver"]) if said.get("approver") else None
        return done(undo(given, table_id, reason=said["reason"], approver=approver))


class ReopenBets(HouseView):
    @command(
        'Take "no more bets" back',
        None,
        answers.UndoAnswer,
        description='Within ten seconds of "no more bets" by the server\'s clock, and while no card is out. The fees go '
        "back by reversing transfers, and wagers may change again. Later it takes an undo, which is signed.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(bets_reopen(given, table_id))


class RoundCorrect(HouseView):
    @command(
        "Correct a settled round",
        bodies.Correction,
        answers.CorrectedRound,
        description="What was recorded is reversed, and recorded anew: the round as it was played, all of its "
        "positions. The correction is a round of its own under the same number, one revision higher, in the shift that "
        "is open now. The table's version stays as it is, and any version is taken.",
        example={
            "bank_wager_cents": 20000,
            "bank_hand": "Qs 7d 4c",
            "positions": [{"seat": 4, "wagers": {"ante": 1000}, "hand": "9h 9c 2d", "decision": "play"}],
            "reason": "seat 4 held a pair",
            "approver": {"username": "…", "password": "…"},
        },
        further_errors=RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, round_id: int) -> Response:
        given = envelope(request)
        said = read(bodies.Correction, request)
        approver = _signed(given.actor, table_id, said.pop("approver"))
        return done(round_correct(given, table_id, round_id=round_id, approver=approver, **said))


def _signed(actor: Staff, table_id: int, approver: dict[str, Any]) -> Staff:
    """Whoever may not run rounds here learns nothing about passwords."""
    table_in_reach(actor, table_id, Right.RUN_ROUNDS)
    return approver_authenticate(**approver)
