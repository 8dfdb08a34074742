"""Rounds: a round's steps, a whole sheet at once, and what is on record."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_finish,
    round_open,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.reads.reach import round_in_reach, table_in_reach
from cardroom.floor.reads.records import round_record as record_of
from cardroom.floor.reads.records import round_summary, rounds_of
from cardroom.people.approval import approver_authenticate
from cardroom.people.rights import Right

from .. import answers, bodies
from ..base import HouseView, done, page
from ..forms import Nothing, read, read_query, read_sheet_document
from ..headers import envelope, signed_in
from ..operations import RESTING, command, reads
from ..settlements import SHEET_EXAMPLE, RoundSheet

_TAG = "Rounds"


class Rounds(HouseView):
    @reads(
        "List the rounds of a table", answers.page_of(answers.RoundRow), query=bodies.RoundFilter, tag=_TAG
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = table_in_reach(signed_in(request), table_id)
        wanted = read_query(bodies.RoundFilter, request)
        before, limit = wanted.pop("before", None), wanted.pop("limit")
        return page(request, rounds_of(table, **wanted), round_summary, key="id", before=before, limit=limit)

    @command(
        "Open a round",
        bodies.OpenRound,
        answers.RoundAnswer,
        description="Betting opens; the holder of the turn banks it and puts up the wager.",
        example={"bank_wager_cents": 20000},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(round_open(given, table_id, **read(bodies.OpenRound, request)))


class BankWager(HouseView):
    @command(
        "Change the bank's wager",
        bodies.BankWager,
        answers.RoundAnswer,
        description='Until "no more bets".',
        example={"bank_wager_cents": 30000},
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(bank_wager_set(given, table_id, **read(bodies.BankWager, request)))


class Bets(HouseView):
    @command(
        "Place, change or withdraw wagers",
        bodies.Bets,
        answers.RoundAnswer,
        description='Until "no more bets". Seats that are not named keep their wagers; a seat without wagers sits out. '
        "One bad wager refuses them all.",
        example={
            "positions": [{"seat": 4, "wagers": {"ante": 1000, "pair_plus": 500}, "tips": {"ante": 100}}]
        },
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(bets_place(given, table_id, bets=read(bodies.Bets, request)["positions"]))


class CloseBets(HouseView):
    @command(
        'Call "no more bets"',
        bodies.CloseBets,
        answers.QuotedRound,
        description="Wagers freeze; the fees are quoted, fixed and dropped.",
        example={"action_seat": 4},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(bets_close(given, table_id, **read(bodies.CloseBets, request)))


class Deal(HouseView):
    @command(
        "Record the deal",
        None,
        answers.RoundAnswer,
        description="The first card is out: nothing is changed any more.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(round_deal(given, table_id))


class Settle(HouseView):
    @command(
        "Settle the round",
        bodies.Results,
        answers.SettledRound,
        description="Cards and decisions of every position in, settlement out. `tips` only for a tip on `play`.",
        example={
            "bank_hand": "Qs 7d 4c",
            "positions": [{"seat": 4, "hand": "9h 9c 2d", "decision": "play", "tips": {"play": 100}}],
        },
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(round_settle(given, table_id, **read(bodies.Results, request)))


class Finish(HouseView):
    @command(
        "Finish a round that was settled by eye",
        None,
        answers.RoundAnswer,
        description="At a table that records `fees`: no cards, no settlement; it counts as a round of the turn.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(round_finish(given, table_id))


class Void(HouseView):
    @command(
        "Void the round",
        bodies.Void,
        answers.RoundAnswer,
        description="Every stake goes back. A second person signs with their own user name and password, which go no "
        "further than that. Before the first card the floor approves, after it a shift manager.",
        example={"reason": "device failure", "approver": {"username": "…", "password": "…"}},
        further_errors=RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        said = read(bodies.Void, request)
        # Whoever may not run rounds here learns nothing about passwords.
        table_in_reach(given.actor, table_id, Right.RUN_ROUNDS)
        approver = approver_authenticate(**said["approver"])
        return done(round_void(given, table_id, reason=said["reason"], approver=approver))


class Record(HouseView):
    @command(
        "Record a whole round from its sheet",
        RoundSheet,
        answers.SettledRound,
        description="All the steps at once, through the same services: all of it or nothing. The sheet must fit the "
        "table: its bank holds the turn, its players sit where it says, its options are the table's. The card that "
        "the bank showed is no part of the sheet: it comes as `?shown_card=Kh`.",
        example=SHEET_EXAMPLE,
        query=bodies.ShownCard,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        shown = read_query(bodies.ShownCard, request)
        return done(round_record(given, table_id, sheet=read_sheet_document(request), **shown))


class Round(HouseView):
    @reads(
        "Read the record of a round",
        answers.RoundRecord,
        description="Its state, sheet, settlement and every transfer.",
        tag=_TAG,
    )
    def get(self, request: Request, round_id: int) -> Response:
        return Response(record_of(round_in_reach(signed_in(request), round_id)))
