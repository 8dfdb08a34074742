"""A table: its present state, opening and closing it, what is played and charged there, its journal."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.tables import table_close, table_open, table_set
from cardroom.floor.reads.reach import table_in_reach
from cardroom.floor.reads.records import entry_state, journal_of
from cardroom.floor.reads.state import table_state
from cardroom.floor.reads.views import table_view
from cardroom.people.rights import Right

from .. import answers, bodies
from ..base import HouseView, done, page, versioned
from ..forms import Nothing, read, read_query
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "Tables"


class Table(HouseView):
    @reads(
        "Read a table as it stands",
        answers.TableState,
        etag=True,
        description="Everything that a table screen shows: seats, the turn at the bank, who must be offered it next and "
        "why, the live round, and for each act why it may not be done now.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        return versioned(table_state(table_view(table_in_reach(signed_in(request), table_id))))


class TableOpen(HouseView):
    @command("Open a table", None, answers.TableAnswer, description="Needs an open shift.", tag=_TAG)
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(table_open(given, table_id))


class TableClose(HouseView):
    @command(
        "Close a table",
        None,
        answers.TableAnswer,
        description="Between rounds. The turn at the bank ends, players leave, the dealer's down ends.",
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(table_close(given, table_id))


class TableSettings(HouseView):
    @command(
        "Choose what is played and charged",
        bodies.Settings,
        answers.TableAnswer,
        description="Between rounds, among what is filed: the game says rulebook, options, rotation and house rake, a game "
        "without a rake is charged by a schedule, and both must be in force. `GET /api/rooms/{room_id}/games` and "
        "`GET /api/rooms/{room_id}/schedules` list them.",
        example={
            "game_id": 1,
            "schedule_id": 1,
            "wager_limits": {"pair_plus": [100, 10000], "six_card_bonus": [100, 10000], "tips": [100, 10000]},
        },
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(table_set(given, table_id, **read(bodies.Settings, request)))


class Journal(HouseView):
    @reads(
        "Read the journal of a table",
        answers.page_of(answers.JournalRow),
        description="Every act, the latest first. Each entry's hash covers the entry and the hash before it.",
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = table_in_reach(signed_in(request), table_id, Right.SEE_REPORTS)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            journal_of(table),
            entry_state,
            key="seq",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )
