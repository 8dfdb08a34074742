"""What a table charges beside its rounds' quotes: waivers, and time that is collected by the clock."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.seat_time import time_collect, time_take_back
from cardroom.floor.acts.waivers import fee_waive, waiver_withdraw
from cardroom.floor.reads.charges import (
    charges_state,
    collection_state,
    collections_at,
    waiver_state,
    waivers_at,
)
from cardroom.floor.reads.reach import table_in_reach
from cardroom.floor.reads.views import table_view
from cardroom.people.approval import approver_authenticate
from cardroom.people.rights import Right

from .. import answers, bodies
from .. import charges as forms
from ..base import HouseView, done, page, versioned
from ..forms import Nothing, read, read_query
from ..headers import envelope, signed_in
from ..operations import RESTING, command, reads

_TAG = "Fees"


class Charges(HouseView):
    @reads(
        "Read what a table charges",
        forms.Charges,
        etag=True,
        description="Every fee of its schedule, the published waivers and those that stand in the round in play, and "
        "the time that each seat owes.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        return versioned(charges_state(table_view(table_in_reach(signed_in(request), table_id))))


class Waivers(HouseView):
    @reads("List the waivers of a table", answers.page_of(forms.WaiverRow), query=bodies.Page, tag=_TAG)
    def get(self, request: Request, table_id: int) -> Response:
        table = table_in_reach(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            waivers_at(table),
            waiver_state,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )


class RoundWaivers(HouseView):
    @command(
        "Waive a fee of the round",
        forms.WaiveFee,
        forms.WaivedAnswer,
        description='By a published rule, until "no more bets" fixes the fees. A supervisor gives it, or signs it with '
        "their own user name and password.",
        example={"rule": "short_handed", "reason": "two players wait for a third"},
        further_errors=RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        said = read(forms.WaiveFee, request)
        if (signature := said.pop("approver", None)) is not None:
            # Whoever may not run rounds here learns nothing about passwords.
            table_in_reach(given.actor, table_id, Right.RUN_ROUNDS)
            said["approver"] = approver_authenticate(**signature)
        return done(fee_waive(given, table_id, **said))


class WaiverWithdraw(HouseView):
    @command(
        "Withdraw a waiver",
        None,
        forms.WaivedAnswer,
        description='The fee is due again; until "no more bets".',
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, waiver_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(waiver_withdraw(given, table_id, waiver_id=waiver_id))


class TimeCollections(HouseView):
    @reads(
        "List the collections of time at a table",
        answers.page_of(forms.TimeCollectionRow),
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = table_in_reach(signed_in(request), table_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            collections_at(table),
            collection_state,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )

    @command(
        "Collect time",
        forms.CollectTime,
        forms.CollectedAnswer,
        description="Of every seat that owes any, or of those named; a seat pays for all periods that have begun since "
        "it paid last, and what is not collected is carried.",
        example={"seats": [1, 4, 5]},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(time_collect(given, table_id, **read(forms.CollectTime, request)))


class TimeTakeBack(HouseView):
    @command(
        "Take a collection of time back",
        forms.TakeBack,
        forms.TakenBackAnswer,
        description="Whole: the cents go from the drop box to the seats, which owe again. With a reason and a second "
        "person's signature.",
        example={"reason": "the wrong table", "approver": {"username": "…", "password": "…"}},
        further_errors=RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, collection_id: int) -> Response:
        given = envelope(request)
        said = read(forms.TakeBack, request)
        table_in_reach(given.actor, table_id, Right.RUN_ROUNDS)
        approver = approver_authenticate(**said["approver"])
        return done(
            time_take_back(
                given, table_id, collection_id=collection_id, reason=said["reason"], approver=approver
            )
        )
