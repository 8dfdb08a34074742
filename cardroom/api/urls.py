"""URLconf of the REST API. Addresses go from rooms down to rounds; none but the schema's and its page's ends in a slash."""

from __future__ import annotations

from django.urls import path, re_path

from cardroom.core import converters

from .base import SignedInView
from .commands import command_paths
from .views.alerts import Alerts
from .views.background import (
    Background,
)
from .views.background_reports import (
    BackgroundReport,
    BackgroundReports,
    BackgroundStatement,
    BackgroundStatements,
)
from .views.bank import Offers
from .views.boxes import Box, Boxes, ShiftCount, Variances
from .views.charges import Charges, TimeCollections, Waivers
from .views.engine import SettleSheet
from .views.exports import EXPORTS
from .views.feed import RoomFeed
from .views.filings import (
    Game,
    GameDocument,
    Games,
    Levies,
    LevyVersion,
    ScheduleVersion,
    ScheduleVersions,
)
from .views.items import Item, Items
from .views.line_up import LineUp
from .views.not_found import ApiNotFound, Docs, Schema
from .views.obligations import Obligation, Obligations
from .views.period_reports import PeriodReport, PeriodReports
from .views.procedures import (
    Meter,
    MeterMovements,
    Procedures,
    TableProcedures,
)
from .views.programs import Programs, Webhooks
from .views.provider_statements import Statement, Statements
from .views.reports import Report, Reports
from .views.rooms import (
    Room,
    RoomDealers,
    RoomExclusions,
    RoomPlayerPhoto,
    RoomPlayers,
    RoomPlayerTexts,
    Rooms,
    RoomSchedules,
    RoomStaff,
    RoomTables,
    RoomWaiting,
)
from .views.rotation import RoomRotation, TableRotation
from .views.rounds import Round, Rounds
from .views.shifts import ShiftReport, Shifts
from .views.subscriptions import Subscriptions
from .views.tables import Journal, Table
from .views.tips import (
    HandIns,
    OwnTips,
    PersonsTips,
    PoolRules,
    PoolSheet,
    WorkedHours,
)
from .views.tray import BuyIns, RoomTraySlips, Tray, TraySlips

app_name = "api"

converters.register()

#: What is written by hand, by address: reads. Addresses of commands come from their declarations (`cardroom.api.commands`).
VIEWS: dict[str, type[SignedInView]] = {
    "tables/<id:table_id>/offers": Offers,
    "tables/<id:table_id>/rotation": TableRotation,
    "tables/<id:table_id>/rounds": Rounds,
    "tables/<id:table_id>": Table,
    "tables/<id:table_id>/journal": Journal,
    "tables/<id:table_id>/charges": Charges,
    "tables/<id:table_id>/waivers": Waivers,
    "tables/<id:table_id>/time-collections": TimeCollections,
    "tables/<id:table_id>/tray": Tray,
    "tables/<id:table_id>/tray/slips": TraySlips,
    "tables/<id:table_id>/buy-ins": BuyIns,
    "tables/<id:table_id>/care": TableProcedures,
    "tables/<id:table_id>/procedures": Procedures,
    "tables/<id:table_id>/meter": Meter,
    "tables/<id:table_id>/meter/movements": MeterMovements,
    "rooms": Rooms,
    "rooms/<id:room_id>": Room,
    "rooms/<id:room_id>/feed": RoomFeed,
    "rooms/<id:room_id>/programs": Programs,
    "rooms/<id:room_id>/webhooks": Webhooks,
    "rooms/<id:room_id>/tables": RoomTables,
    "rooms/<id:room_id>/players": RoomPlayers,
    "rooms/<id:room_id>/players/<id:player_id>/photo": RoomPlayerPhoto,
    "rooms/<id:room_id>/players/<id:player_id>/texts": RoomPlayerTexts,
    "rooms/<id:room_id>/waiting": RoomWaiting,
    "rooms/<id:room_id>/exclusions": RoomExclusions,
    "rooms/<id:room_id>/staff": RoomStaff,
    "rooms/<id:room_id>/dealers": RoomDealers,
    "rooms/<id:room_id>/rotation": RoomRotation,
    "rooms/<id:room_id>/schedules": RoomSchedules,
    "rooms/<id:room_id>/schedules/versions": ScheduleVersions,
    "rooms/<id:room_id>/schedules/versions/<id:schedule_id>": ScheduleVersion,
    "rooms/<id:room_id>/games": Games,
    "rooms/<id:room_id>/games/<id:game_id>": Game,
    "rooms/<id:room_id>/games/<id:game_id>/document": GameDocument,
    "rooms/<id:room_id>/levies": Levies,
    "rooms/<id:room_id>/levies/<id:levy_id>": LevyVersion,
    "rooms/<id:room_id>/shifts": Shifts,
    "rooms/<id:room_id>/shifts/<id:shift_id>/report": ShiftReport,
    "rooms/<id:room_id>/reports": Reports,
    "rooms/<id:room_id>/reports/<slug:name>": Report,
    "rooms/<id:room_id>/roll-ups": PeriodReports,
    "rooms/<id:room_id>/roll-ups/<slug:period>": PeriodReport,
    "rooms/<id:room_id>/statements": Statements,
    "rooms/<id:room_id>/statements/<id:provider_id>": Statement,
    "rooms/<id:room_id>/statements/<id:provider_id>/background-reports": BackgroundStatements,
    "rooms/<id:room_id>/statements/<id:provider_id>/background-reports/<id:statement_id>": BackgroundStatement,
    "rooms/<id:room_id>/background-reports": BackgroundReports,
    "rooms/<id:room_id>/background-reports/<id:report_id>": BackgroundReport,
    "rooms/<id:room_id>/background": Background,
    "rooms/<id:room_id>/subscriptions": Subscriptions,
    "rooms/<id:room_id>/alerts": Alerts,
    "rooms/<id:room_id>/tray-slips": RoomTraySlips,
    "rooms/<id:room_id>/shifts/<id:shift_id>/count": ShiftCount,
    "rooms/<id:room_id>/line-up": LineUp,
    "rooms/<id:room_id>/obligations": Obligations,
    "rooms/<id:room_id>/obligations/<id:obligation_id>": Obligation,
    "rooms/<id:room_id>/items": Items,
    "rooms/<id:room_id>/items/<id:item_id>": Item,
    "rooms/<id:room_id>/boxes": Boxes,
    "rooms/<id:room_id>/boxes/<id:box_id>": Box,
    "rooms/<id:room_id>/variances": Variances,
    "rooms/<id:room_id>/pool-rules": PoolRules,
    "rooms/<id:room_id>/shifts/<id:shift_id>/tokes": PoolSheet,
    "rooms/<id:room_id>/shifts/<id:shift_id>/tokes/own": OwnTips,
    "rooms/<id:room_id>/shifts/<id:shift_id>/tokes/people/<id:staff_id>": PersonsTips,
    "rooms/<id:room_id>/shifts/<id:shift_id>/hand-ins": HandIns,
    "rooms/<id:room_id>/shifts/<id:shift_id>/hours": WorkedHours,
    **EXPORTS,
    "rounds/<id:round_id>": Round,
}

urlpatterns = [
    *command_paths(VIEWS),
    path("settle", SettleSheet.as_view(), name="settle-sheet"),
    path("schema/", Schema.as_view(), name="schema"),
    path("docs/", Docs.as_view(url_name="api:schema"), name="docs"),
    # Not `<path:rest>`, which stops at a line feed and would leave such an address to the pages.
    re_path(r"^(?P<rest>(?s:.+))\Z", ApiNotFound.as_view(), name="not-found"),
]
