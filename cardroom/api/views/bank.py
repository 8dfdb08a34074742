"""The bank: offers, answers and turns."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.bank import offer_answer, offers_ask_again, turn_end, turn_pause, turn_renew
from cardroom.floor.reads.reach import table_in_reach
from cardroom.floor.reads.records import offer_state, offers_of

from .. import answers, bodies
from ..base import HouseView, done, page
from ..forms import Nothing, read, read_query
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "The bank"


class Offers(HouseView):
    @reads(
        "List the offers of the bank at a table",
        answers.page_of(answers.OfferRow),
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = table_in_reach(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            offers_of(table),
            offer_state,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )

    @command(
        "Log the answer to an offer",
        bodies.BankAnswer,
        answers.OfferAnswer,
        description="Of the seat that must be offered the bank next (`next` in the table's state). "
        "`accepted` begins a turn there; `ineligible` needs a reason.",
        example={"seat": 4, "answer": "declined"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(offer_answer(given, table_id, **read(bodies.BankAnswer, request)))


class OffersAskAgain(HouseView):
    @command(
        "Send the offers round again",
        None,
        answers.TableAnswer,
        description="When every seat has declined.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(offers_ask_again(given, table_id))


class TurnRenew(HouseView):
    @command(
        "Begin a new turn of the last bank",
        None,
        answers.SeatAnswer,
        description="When every other seat has declined.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(turn_renew(given, table_id))


class TurnPause(HouseView):
    @command(
        "Stop the game before the last bank goes on",
        None,
        answers.PauseAnswer,
        description="When every other seat has declined and the rotation profile asks for a stop (`next` is `pause`). "
        "After its minutes a new turn may begin (`turn/renew`).",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(turn_pause(given, table_id))


class TurnEnd(HouseView):
    @command(
        "Give up the bank",
        bodies.Reason,
        answers.TableAnswer,
        description="Between rounds; offers go on clockwise from its seat.",
        example={"reason": "wants to bet"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(turn_end(given, table_id, **read(bodies.Reason, request)))
