"""The addresses of the API, from rooms down to rounds. None but the two documents ends in a slash."""

from __future__ import annotations

from django.urls import path, re_path

from cardroom.core import converters

from .views.alerts import AlertAcknowledge, Alerts
from .views.background import (
    Background,
    ErrandTryAgain,
    LetterTryAgain,
    LongReportTryAgain,
    RecomputationTryAgain,
)
from .views.bank import Offers, OffersAskAgain, TurnEnd, TurnPause, TurnRenew
from .views.boxes import (
    Box,
    Boxes,
    BoxesDrop,
    Correct,
    Count,
    Recount,
    ShiftCount,
    Variance,
    Variances,
    Weigh,
)
from .views.charges import Charges, RoundWaivers, TimeCollections, TimeTakeBack, Waivers, WaiverWithdraw
from .views.corrections import ReopenBets, RoundCorrect, Undo
from .views.elsewhere import Docs, Elsewhere, Schema
from .views.engine import SettleSheet
from .views.filings import (
    Game,
    GameFile,
    Games,
    GameWithdraw,
    ScheduleFile,
    ScheduleVersion,
    ScheduleVersions,
    ScheduleWithdraw,
)
from .views.long_reports import LongReport, LongReports, LongStatement, LongStatements
from .views.procedures import (
    BankCard,
    BoxWaive,
    Care,
    CountWaive,
    Dealing,
    DeckInspect,
    DeckRetire,
    Decks,
    DeviceReports,
    Irregularities,
    Procedures,
    Recut,
    RoundDeck,
    StubCounts,
    WinConfirm,
    Wins,
    WinWithdraw,
)
from .views.provider_statements import Statement, Statements
from .views.recomputations import Recomputation, Recomputations
from .views.reports import Report, Reports
from .views.roll_ups import RollUp, RollUps
from .views.rooms import Room, RoomDealers, RoomPlayers, Rooms, RoomSchedules, RoomTables
from .views.rotation import RoomRotation, TableRotation
from .views.rounds import BankWager, Bets, CloseBets, Deal, Finish, Record, Round, Rounds, Settle, Void
from .views.seats import Down, ExpiryOverrides, Seat, SeatMove
from .views.shifts import ShiftClose, ShiftReport, Shifts
from .views.subscriptions import SubscriptionEnd, Subscriptions
from .views.tables import Journal, Table, TableClose, TableOpen, TableSettings
from .views.tips import (
    HandInReverse,
    HandIns,
    HoursReverse,
    OwnTips,
    PersonsTips,
    PoolClose,
    PoolRules,
    PoolSheet,
    WorkedHours,
)

app_name = "api"

converters.register()

# Addresses are tried from the top, so the acts of play come first: they are asked for all day.
urlpatterns = [
    path("tables/<id:table_id>/offers", Offers.as_view(), name="offers"),
    path("tables/<id:table_id>/offers/ask-again", OffersAskAgain.as_view(), name="offers-ask-again"),
    path("tables/<id:table_id>/turn/renew", TurnRenew.as_view(), name="turn-renew"),
    path("tables/<id:table_id>/turn/pause", TurnPause.as_view(), name="turn-pause"),
    path("tables/<id:table_id>/turn/end", TurnEnd.as_view(), name="turn-end"),
    path("tables/<id:table_id>/rotation", TableRotation.as_view(), name="rotation"),
    path("tables/<id:table_id>/rounds", Rounds.as_view(), name="rounds"),
    path("tables/<id:table_id>/rounds/record", Record.as_view(), name="round-record"),
    path("tables/<id:table_id>/rounds/<id:round_id>/correct", RoundCorrect.as_view(), name="round-correct"),
    path("tables/<id:table_id>/undo", Undo.as_view(), name="undo"),
    path("tables/<id:table_id>/rounds/current/bank-wager", BankWager.as_view(), name="bank-wager"),
    path("tables/<id:table_id>/rounds/current/bets", Bets.as_view(), name="bets"),
    path("tables/<id:table_id>/rounds/current/waivers", RoundWaivers.as_view(), name="round-waivers"),
    path(
        "tables/<id:table_id>/rounds/current/waivers/<id:waiver_id>/withdraw",
        WaiverWithdraw.as_view(),
        name="waiver-withdraw",
    ),
    path("tables/<id:table_id>/rounds/current/close-bets", CloseBets.as_view(), name="close-bets"),
    path("tables/<id:table_id>/rounds/current/reopen-bets", ReopenBets.as_view(), name="reopen-bets"),
    path("tables/<id:table_id>/rounds/current/deal", Deal.as_view(), name="deal"),
    path("tables/<id:table_id>/rounds/current/settle", Settle.as_view(), name="settle"),
    path("tables/<id:table_id>/rounds/current/finish", Finish.as_view(), name="finish"),
    path("tables/<id:table_id>/rounds/current/deck", RoundDeck.as_view(), name="round-deck"),
    path("tables/<id:table_id>/rounds/current/recut", Recut.as_view(), name="recut"),
    path("tables/<id:table_id>/rounds/current/bank-card", BankCard.as_view(), name="bank-card"),
    path(
        "tables/<id:table_id>/rounds/current/irregularities", Irregularities.as_view(), name="irregularities"
    ),
    path("tables/<id:table_id>/rounds/current/void", Void.as_view(), name="void"),
    path("tables/<id:table_id>", Table.as_view(), name="table"),
    path("tables/<id:table_id>/open", TableOpen.as_view(), name="table-open"),
    path("tables/<id:table_id>/close", TableClose.as_view(), name="table-close"),
    path("tables/<id:table_id>/settings", TableSettings.as_view(), name="table-settings"),
    path("tables/<id:table_id>/journal", Journal.as_view(), name="journal"),
    path(
        "tables/<id:table_id>/alerts/<id:alert_id>/acknowledge",
        AlertAcknowledge.as_view(),
        name="alert-acknowledge",
    ),
    path("tables/<id:table_id>/charges", Charges.as_view(), name="charges"),
    path("tables/<id:table_id>/waivers", Waivers.as_view(), name="waivers"),
    path("tables/<id:table_id>/time-collections", TimeCollections.as_view(), name="time-collections"),
    path(
        "tables/<id:table_id>/time-collections/<id:collection_id>/take-back",
        TimeTakeBack.as_view(),
        name="time-take-back",
    ),
    path("tables/<id:table_id>/care", Care.as_view(), name="care"),
    path("tables/<id:table_id>/procedures", Procedures.as_view(), name="procedures"),
    path("tables/<id:table_id>/dealing", Dealing.as_view(), name="dealing"),
    path("tables/<id:table_id>/decks", Decks.as_view(), name="decks"),
    path("tables/<id:table_id>/decks/<id:deck_id>/retire", DeckRetire.as_view(), name="deck-retire"),
    path("tables/<id:table_id>/decks/<id:deck_id>/inspect", DeckInspect.as_view(), name="deck-inspect"),
    path("tables/<id:table_id>/drop-box/waive", BoxWaive.as_view(), name="box-waive"),
    path("tables/<id:table_id>/stub-counts", StubCounts.as_view(), name="stub-counts"),
    path("tables/<id:table_id>/stub-counts/waive", CountWaive.as_view(), name="count-waive"),
    path("tables/<id:table_id>/shuffler-reports", DeviceReports.as_view(), name="shuffler-reports"),
    path("tables/<id:table_id>/wins", Wins.as_view(), name="wins"),
    path("tables/<id:table_id>/wins/<id:win_id>/confirm", WinConfirm.as_view(), name="win-confirm"),
    path("tables/<id:table_id>/wins/<id:win_id>/withdraw", WinWithdraw.as_view(), name="win-withdraw"),
    path("tables/<id:table_id>/seats/<seat:seat>", Seat.as_view(), name="seat"),
    path("tables/<id:table_id>/expiry-overrides", ExpiryOverrides.as_view(), name="expiry-overrides"),
    path("tables/<id:table_id>/seats/<seat:seat>/move", SeatMove.as_view(), name="seat-move"),
    path("tables/<id:table_id>/down", Down.as_view(), name="down"),
    path("rooms", Rooms.as_view(), name="rooms"),
    path("rooms/<id:room_id>", Room.as_view(), name="room"),
    path("rooms/<id:room_id>/tables", RoomTables.as_view(), name="room-tables"),
    path("rooms/<id:room_id>/players", RoomPlayers.as_view(), name="room-players"),
    path("rooms/<id:room_id>/dealers", RoomDealers.as_view(), name="room-dealers"),
    path("rooms/<id:room_id>/rotation", RoomRotation.as_view(), name="room-rotation"),
    path("rooms/<id:room_id>/schedules", RoomSchedules.as_view(), name="room-schedules"),
    path("rooms/<id:room_id>/schedules/versions", ScheduleVersions.as_view(), name="schedule-versions"),
    path(
        "rooms/<id:room_id>/schedules/versions/<id:schedule_id>",
        ScheduleVersion.as_view(),
        name="schedule-version",
    ),
    path(
        "rooms/<id:room_id>/schedules/versions/<id:schedule_id>/file",
        ScheduleFile.as_view(),
        name="schedule-file",
    ),
    path(
        "rooms/<id:room_id>/schedules/versions/<id:schedule_id>/withdraw",
        ScheduleWithdraw.as_view(),
        name="schedule-withdraw",
    ),
    path("rooms/<id:room_id>/games", Games.as_view(), name="games"),
    path("rooms/<id:room_id>/games/<id:game_id>", Game.as_view(), name="game"),
    path("rooms/<id:room_id>/games/<id:game_id>/file", GameFile.as_view(), name="game-file"),
    path("rooms/<id:room_id>/games/<id:game_id>/withdraw", GameWithdraw.as_view(), name="game-withdraw"),
    path("rooms/<id:room_id>/shifts", Shifts.as_view(), name="shifts"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/close", ShiftClose.as_view(), name="shift-close"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/report", ShiftReport.as_view(), name="shift-report"),
    path("rooms/<id:room_id>/reports", Reports.as_view(), name="reports"),
    path("rooms/<id:room_id>/reports/<slug:name>", Report.as_view(), name="report"),
    path("rooms/<id:room_id>/roll-ups", RollUps.as_view(), name="roll-ups"),
    path("rooms/<id:room_id>/roll-ups/<slug:period>", RollUp.as_view(), name="roll-up"),
    path("rooms/<id:room_id>/statements", Statements.as_view(), name="statements"),
    path("rooms/<id:room_id>/statements/<id:provider_id>", Statement.as_view(), name="statement"),
    path(
        "rooms/<id:room_id>/statements/<id:provider_id>/long-reports",
        LongStatements.as_view(),
        name="long-statements",
    ),
    path(
        "rooms/<id:room_id>/statements/<id:provider_id>/long-reports/<id:long_statement_id>",
        LongStatement.as_view(),
        name="long-statement",
    ),
    path("rooms/<id:room_id>/long-reports", LongReports.as_view(), name="long-reports"),
    path("rooms/<id:room_id>/long-reports/<id:long_report_id>", LongReport.as_view(), name="long-report"),
    path("rooms/<id:room_id>/recomputations", Recomputations.as_view(), name="recomputations"),
    path("rooms/<id:room_id>/recomputations/<id:run_id>", Recomputation.as_view(), name="recomputation"),
    path("rooms/<id:room_id>/background", Background.as_view(), name="background"),
    path(
        "rooms/<id:room_id>/background/errands/<id:errand_id>/try-again",
        ErrandTryAgain.as_view(),
        name="errand-try-again",
    ),
    path(
        "rooms/<id:room_id>/background/letters/<id:letter_id>/try-again",
        LetterTryAgain.as_view(),
        name="letter-try-again",
    ),
    path(
        "rooms/<id:room_id>/background/long-reports/<id:long_report_id>/try-again",
        LongReportTryAgain.as_view(),
        name="long-report-try-again",
    ),
    path(
        "rooms/<id:room_id>/background/recomputations/<id:run_id>/try-again",
        RecomputationTryAgain.as_view(),
        name="recomputation-try-again",
    ),
    path("rooms/<id:room_id>/subscriptions", Subscriptions.as_view(), name="subscriptions"),
    path(
        "rooms/<id:room_id>/subscriptions/<id:subscription_id>/end",
        SubscriptionEnd.as_view(),
        name="subscription-end",
    ),
    path("rooms/<id:room_id>/alerts", Alerts.as_view(), name="alerts"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/count", ShiftCount.as_view(), name="shift-count"),
    path("rooms/<id:room_id>/boxes", Boxes.as_view(), name="boxes"),
    path("rooms/<id:room_id>/boxes/drop", BoxesDrop.as_view(), name="boxes-drop"),
    path("rooms/<id:room_id>/boxes/<id:box_id>", Box.as_view(), name="box"),
    path("rooms/<id:room_id>/boxes/<id:box_id>/count", Count.as_view(), name="box-count"),
    path("rooms/<id:room_id>/boxes/<id:box_id>/recount", Recount.as_view(), name="box-recount"),
    path("rooms/<id:room_id>/boxes/<id:box_id>/correct", Correct.as_view(), name="box-correct"),
    path("rooms/<id:room_id>/boxes/<id:box_id>/weigh", Weigh.as_view(), name="box-weigh"),
    path("rooms/<id:room_id>/boxes/<id:box_id>/variance", Variance.as_view(), name="box-variance"),
    path("rooms/<id:room_id>/variances", Variances.as_view(), name="variances"),
    path("rooms/<id:room_id>/pool-rules", PoolRules.as_view(), name="pool-rules"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/tokes", PoolSheet.as_view(), name="pool-sheet"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/tokes/close", PoolClose.as_view(), name="pool-close"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/tokes/own", OwnTips.as_view(), name="own-tips"),
    path(
        "rooms/<id:room_id>/shifts/<id:shift_id>/tokes/people/<id:staff_id>",
        PersonsTips.as_view(),
        name="persons-tips",
    ),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/hand-ins", HandIns.as_view(), name="hand-ins"),
    path("rooms/<id:room_id>/shifts/<id:shift_id>/hours", WorkedHours.as_view(), name="worked-hours"),
    path(
        "rooms/<id:room_id>/hand-ins/<id:hand_in_id>/reverse", HandInReverse.as_view(), name="hand-in-reverse"
    ),
    path("rooms/<id:room_id>/hours/<id:hours_id>/reverse", HoursReverse.as_view(), name="hours-reverse"),
    path("rounds/<id:round_id>", Round.as_view(), name="round"),
    path("settle", SettleSheet.as_view(), name="settle-sheet"),
    path("schema/", Schema.as_view(), name="schema"),
    path("docs/", Docs.as_view(url_name="api:schema"), name="docs"),
    # Not `<path:rest>`, which stops at a line feed and would leave such an address to the pages.
    re_path(r"^(?P<rest>(?s:.+))\Z", Elsewhere.as_view(), name="elsewhere"),
]
