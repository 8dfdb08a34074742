"""Procedures of a table: its decks, inspections, stub counts, recuts, irregularities and progressive wins."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.boxes import box_waive
from cardroom.floor.acts.commands import Envelope
from cardroom.floor.acts.decks import dealing_set, deck_choose, deck_inspect, deck_place, deck_retire
from cardroom.floor.acts.incidents import bank_card_show, irregularity_report, recut_order
from cardroom.floor.acts.stub import count_waive, device_report, stub_count
from cardroom.floor.acts.wins import win_confirm, win_key, win_withdraw
from cardroom.floor.reads.procedures import care_state, procedure_state, procedures_at
from cardroom.floor.reads.reach import table_in_reach
from cardroom.floor.reads.views import table_view
from cardroom.people.approval import approver_authenticate
from cardroom.people.rights import Right

from .. import answers, bodies
from .. import procedures as forms
from ..base import HouseView, done, page, versioned
from ..forms import Form, Nothing, read, read_query
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "Procedures"
_RESTING = {
    429: (
        "Too many wrong passwords under this approver's user name.",
        "approver_resting",
        "Too many wrong passwords were given under this user name. Wait five minutes.",
        "approver",
    )
}


class Care(HouseView):
    @reads(
        "Read a table's decks, counts and reminders",
        forms.Care,
        etag=True,
        description="Which decks serve, which is due, whether a stub count is, and what the table is reminded of. A "
        "reminder `blocks` where an act is refused until it is answered.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        return versioned(care_state(table_view(table_in_reach(signed_in(request), table_id))))


class Procedures(HouseView):
    @reads(
        "List what was done at a table beside the money",
        answers.page_of(forms.ProcedureRow),
        query=bodies.Page,
        description="Inspections, decks dealt, fees dropped, counts, recuts and irregularities with what followed.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = table_in_reach(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        before, limit = wanted.get("before"), wanted["limit"]
        return page(request, procedures_at(table), procedure_state, key="id", before=before, limit=limit)


class Decks(HouseView):
    @command(
        "Put a deck on the table",
        forms.Colour,
        forms.PlacedAnswer,
        description="Between rounds. The rules say how many decks a table has, and whether their backs differ.",
        example={"colour": "red"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(deck_place(given, table_id, **read(forms.Colour, request)))


class DeckRetire(HouseView):
    @command(
        "Retire a deck",
        bodies.Reason,
        forms.DeckAnswer,
        description="Between rounds, for good. A wrong stub count retires its deck by itself.",
        example={"reason": "worn"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, deck_id: int) -> Response:
        given = envelope(request)
        return done(deck_retire(given, table_id, deck_id=deck_id, **read(bodies.Reason, request)))


class DeckInspect(HouseView):
    @command(
        "Record that somebody has looked a deck over",
        forms.Inspection,
        forms.InspectedAnswer,
        description="The dealer, the floor and the first player each look. The floor's own look takes a supervisor.",
        example={"by": "dealer"},
        further_errors=_RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, deck_id: int) -> Response:
        given = envelope(request)
        return done(
            deck_inspect(
                given, table_id, deck_id=deck_id, **_signed(given, table_id, forms.Inspection, request)
            )
        )


class RoundDeck(HouseView):
    @command(
        "Deal from another deck than the one that is due",
        forms.DeckChoice,
        forms.DeckAnswer,
        description="Before the first card, with a reason.",
        example={"deck_id": 2, "reason": "the other one sticks"},
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(deck_choose(given, table_id, **read(forms.DeckChoice, request)))


class Dealing(HouseView):
    @command(
        "Set how a table shuffles and deals",
        forms.Dealing,
        answers.TableAnswer,
        description="Between rounds. Machines that are no longer used have left the table first, where the rules say so.",
        example={"shuffler": "shuffles"},
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(dealing_set(given, table_id, **read(forms.Dealing, request)))


class StubCounts(HouseView):
    @command(
        "Count the stub",
        forms.StubCount,
        forms.FollowsAnswer,
        description="Answers what follows by the rules. A deck that is not whole is retired at once; the round that it "
        "voids is settled no more, and voided with an approver.",
        example={"stub": 34},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(stub_count(given, table_id, **read(forms.StubCount, request)))


class CountWaive(HouseView):
    @command(
        "Let a round go without the count that is due",
        forms.Ordered,
        answers.TableAnswer,
        description="At a supervisor's word, for the next round alone.",
        example={"reason": "shift change", "approver": {"username": "…", "password": "…"}},
        further_errors=_RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(count_waive(given, table_id, **_signed(given, table_id, forms.Ordered, request)))


class BoxWaive(HouseView):
    @command(
        "Let a table collect without a drop box",
        forms.Ordered,
        answers.TableAnswer,
        description="At a supervisor's word, until a box is put on, within the open shift. Without it nothing is "
        'collected at a table where no box hangs: "no more bets" answers 409 `no_drop_box`.',
        example={"reason": "the box is stuck in its rail", "approver": {"username": "…", "password": "…"}},
        further_errors=_RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(box_waive(given, table_id, **_signed(given, table_id, forms.Ordered, request)))


class DeviceReports(HouseView):
    @command(
        "Record that the shuffler reports a wrong deck",
        None,
        forms.FollowsAnswer,
        description="The deck in the shuffler is retired.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(device_report(given, table_id))


class Irregularities(HouseView):
    @command(
        "Write down an irregularity",
        forms.IrregularityReport,
        forms.IrregularityAnswer,
        description="Answers what follows by the rules: void, reshuffle or play on. A void goes through the void of "
        "the round, with its approver.",
        example={"irregularity": "card_face_up"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(irregularity_report(given, table_id, **read(forms.IrregularityReport, request)))


class Recut(HouseView):
    @command(
        "Order a recut",
        forms.Ordered,
        answers.TableAnswer,
        description='A supervisor orders it, for a reason, between "no more bets" and the first card.',
        example={"reason": "a card showed in the cut"},
        further_errors=_RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(recut_order(given, table_id, **_signed(given, table_id, forms.Ordered, request)))


class BankCard(HouseView):
    @command(
        "Record the card that the bank shows",
        forms.CardUp,
        forms.CardAnswer,
        description="After the deal, before the players decide; it may be recorded, or recorded anew, until the round "
        "is settled. Settling is refused (422 `shown_card_differs`) unless it is one of the bank's three cards.",
        example={"card": "Kh"},
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(bank_card_show(given, table_id, **read(forms.CardUp, request)))


class Wins(HouseView):
    @command(
        "Key in a progressive win",
        forms.WinSeat,
        forms.WinAnswer,
        description="Of the last settled round. It waits for a supervisor, and the next round waits for it.",
        example={"seat": 3},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(win_key(given, table_id, **read(forms.WinSeat, request)))


class WinConfirm(HouseView):
    @command(
        "Confirm a progressive win",
        forms.Confirmed,
        forms.WinAnswer,
        description="A supervisor who did not key it in confirms it. A win of the whole meter seeds it anew.",
        example={"approver": {"username": "…", "password": "…"}},
        further_errors=_RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, win_id: int) -> Response:
        given = envelope(request)
        return done(
            win_confirm(given, table_id, win_id=win_id, **_signed(given, table_id, forms.Confirmed, request))
        )


class WinWithdraw(HouseView):
    @command(
        "Withdraw a progressive win",
        bodies.Reason,
        forms.WinAnswer,
        description="A mistaken entry, while it waits.",
        example={"reason": "wrong seat"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, win_id: int) -> Response:
        given = envelope(request)
        return done(win_withdraw(given, table_id, win_id=win_id, **read(bodies.Reason, request)))


def _signed(given: Envelope, table_id: int, form: type[Form], request: Request) -> dict[str, Any]:
    """Read a body in which a supervisor may sign. Whoever may not work at the table learns nothing about passwords."""
    said = read(form, request)
    table_in_reach(given.actor, table_id, Right.RUN_ROUNDS)
    if "approver" in said:
        said["approver"] = approver_authenticate(**said["approver"])
    return said
