"""URLconf of the pages."""

from __future__ import annotations

from django.urls import path

from cardroom.core import converters

from .account import lock_views as lock
from .account import signer_views as signers
from .account import take_over_views as take_over
from .account import views as account
from .board import views as board
from .company.views import company_page
from .count import views as count
from .display import views as display
from .filings import game_views as games
from .filings import levy_views as levies
from .filings import schedule_views as schedules
from .imports import views as imports
from .inbox import views as inbox
from .inspection import views as inspection
from .line_up import views as line_up
from .live import views as live
from .obligations import views as obligations
from .parts.documents import FORMS
from .people import views as people
from .placards import views as placards
from .players import provider_views as providers
from .players import views as players
from .procedures import views as procedures
from .programs import views as programs
from .reports import background_report_views as background_reports
from .reports import background_views as background
from .reports import catalogue_views as catalogue
from .reports import checkpoint_views as checkpoints
from .reports import export_views as exports
from .reports import period_report_views as period_reports
from .reports import shift_views as reports
from .reports import statement_views as statements
from .reports import subscription_views as subscriptions
from .reports import verification_views as verification
from .rooms import compliance_views as compliance
from .rooms import results_views as results
from .rooms import settings_views as room_settings
from .rooms import views as rooms
from .rooms import waiting_views as waiting
from .rotation import views as rotation
from .rounds import claims
from .rounds import correction_views as corrections
from .rounds import views as rounds
from .site import views as site
from .table import offline_views as offline
from .table import views as tables
from .tips import views as tips
from .tray import views as tray

converters.register()

app_name = "web"

urlpatterns = [
    path("", rooms.home, name="home"),
    path("about/", site.about, name="about"),
    path("account/", account.account_page, name="account"),
    path("account/language/", account.own_language, name="own_language"),
    path("account/pin/", account.pin_page, name="pin"),
    path("account/sessions/<id:session_id>/end/", account.end_session, name="end_session"),
    path("account/lock/", lock.lock_session, name="lock"),
    path("account/locked/", lock.locked_page, name="locked"),
    path("account/unlock/", lock.unlock_session, name="unlock"),
    path("components/", site.components, name="components"),
    path("guides/<slug:role>/", site.guide_page, name="guide"),
    path("rooms/<slug:code>/", rooms.room_page, name="room"),
    path("rooms/<slug:code>/tables/", rooms.table_list, name="tables"),
    path("rooms/<slug:code>/results/", results.results_page, name="results"),
    path("rooms/<slug:code>/compliance/", compliance.compliance_page, name="compliance"),
    path("rooms/<slug:code>/exceptions/", inbox.inbox_page, name="inbox"),
    path("rooms/<slug:code>/exceptions/<slug:slug>/", inbox.item_act, name="item_act"),
    path("rooms/<slug:code>/obligations/", obligations.calendar_page, name="obligations"),
    path("rooms/<slug:code>/obligations/add/", obligations.obligation_added, name="obligation_added"),
    path("rooms/<slug:code>/obligations/calendar.ics", obligations.calendar_file, name="obligations_file"),
    path("rooms/<slug:code>/obligations/<id:obligation_id>/", obligations.obligation_page, name="obligation"),
    path(
        "rooms/<slug:code>/obligations/<id:obligation_id>/<slug:slug>/",
        obligations.obligation_act,
        name="obligation_act",
    ),
    path(
        "rooms/<slug:code>/obligations/<id:obligation_id>/steps/<id:number>/document.pdf",
        obligations.step_document,
        name="obligation_document",
    ),
    path("rooms/<slug:code>/verification/", verification.verification_page, name="verification"),
    path("rooms/<slug:code>/verification/begin/", verification.verification_begin, name="verification_begin"),
    path("company/", company_page, name="company"),
    path("rooms/<slug:code>/exports/", exports.exports_page, name="exports"),
    path("rooms/<slug:code>/checkpoints/", checkpoints.checkpoints_page, name="checkpoints"),
    path(
        "rooms/<slug:code>/checkpoints/<id:number>/file/",
        checkpoints.checkpoint_file,
        name="checkpoint_file",
    ),
    path("rooms/<slug:code>/inspection/", inspection.inspection_page, name="inspection"),
    path("rooms/<slug:code>/inspection/bundle/", inspection.evidence_bundle, name="evidence_bundle"),
    path(
        "rooms/<slug:code>/inspection/check_evidence.html",
        inspection.evidence_checker,
        name="evidence_checker",
    ),
    path("rooms/<slug:code>/settings/", room_settings.settings_page, name="room_settings"),
    path("rooms/<slug:code>/settings/chips/", room_settings.chips_set, name="chips_set"),
    path("rooms/<slug:code>/settings/room/", room_settings.settings_set, name="settings_set"),
    path("rooms/<slug:code>/settings/tables/", room_settings.table_added, name="table_added"),
    path(
        "rooms/<slug:code>/settings/tables/<id:number>/",
        room_settings.table_renumbered,
        name="table_renumbered",
    ),
    path("rooms/<slug:code>/programs/", programs.programs_page, name="programs"),
    path("rooms/<slug:code>/programs/<id:program_id>/end/", programs.program_ended, name="program_ended"),
    path("rooms/<slug:code>/programs/<id:program_id>/tokens/", programs.token_made, name="token_made"),
    path(
        "rooms/<slug:code>/programs/<id:program_id>/tokens/<id:token_id>/revoke/",
        programs.token_revoked,
        name="token_revoked",
    ),
    path("rooms/<slug:code>/programs/<id:program_id>/webhooks/", programs.webhook_made, name="webhook_made"),
    path("rooms/<slug:code>/webhooks/<id:webhook_id>/secret/", programs.secret_made, name="secret_made"),
    path("rooms/<slug:code>/webhooks/<id:webhook_id>/end/", programs.webhook_ended, name="webhook_ended"),
    path("rooms/<slug:code>/people/", people.people_page, name="people"),
    *imports.paths("staff", "people"),
    path("rooms/<slug:code>/people/make/", people.account_made, name="account_made"),
    path("rooms/<slug:code>/people/employ/", people.person_employed, name="person_employed"),
    path(
        "rooms/<slug:code>/people/resets/<id:reset_id>/<slug:slug>/",
        people.reset_answered,
        name="reset_answered",
    ),
    path("rooms/<slug:code>/people/<id:staff_id>/", people.person_page, name="person"),
    path("rooms/<slug:code>/people/<id:staff_id>/<slug:slug>/", people.person_command, name="person_command"),
    path(
        "rooms/<slug:code>/people/<id:staff_id>/roles/<id:employment_id>/<slug:slug>/",
        people.role_command,
        name="role_command",
    ),
    path(
        "rooms/<slug:code>/people/<id:staff_id>/sessions/<id:session_id>/end/",
        people.session_ended,
        name="person_session_ended",
    ),
    path("rooms/<slug:code>/waiting/", waiting.waiting_page, name="waiting"),
    path(
        "rooms/<slug:code>/waiting/<id:entry_id>/<slug:slug>/",
        waiting.waiting_command,
        name="waiting_command",
    ),
    path("rooms/<slug:code>/players/", players.players_page, name="players"),
    *imports.paths("players", "players"),
    path("rooms/<slug:code>/players/<id:player_id>/", players.player_page, name="player"),
    path("rooms/<slug:code>/players/<id:player_id>/texts/", players.texts_page, name="player_texts"),
    path(
        "rooms/<slug:code>/players/<id:player_id>/photos/<id:photo_id>.jpg",
        players.photo_of_room,
        name="player_photo",
    ),
    path(
        "rooms/<slug:code>/players/<id:player_id>/<slug:slug>/",
        players.player_command,
        name="player_command",
    ),
    path("rooms/<slug:code>/providers/", providers.providers_page, name="providers"),
    *imports.paths("providers", "providers"),
    path(
        "rooms/<slug:code>/providers/<id:provider_id>/<slug:slug>/",
        providers.provider_command,
        name="provider_command",
    ),
    path(
        "rooms/<slug:code>/contracts/<id:contract_id>/end/", providers.contract_ended, name="contract_ended"
    ),
    path("rooms/<slug:code>/exclusions/", players.exclusions_page, name="exclusions"),
    path(
        "rooms/<slug:code>/exclusions/<id:exclusion_id>/lift/",
        players.exclusion_lifted,
        name="exclusion_lifted",
    ),
    path("rooms/<slug:code>/floor/", board.floor_page, name="floor"),
    path("rooms/<slug:code>/floor/cards/", board.floor_cards, name="floor_cards"),
    path("rooms/<slug:code>/floor/alerts/", board.alerts_page, name="alerts"),
    path("rooms/<slug:code>/floor/alerts/<id:alert_id>/", board.alert_answer, name="alert_answer"),
    path("rooms/<slug:code>/signers/", signers.room_signers, name="room_signers"),
    path("rooms/<slug:code>/line-up/", line_up.line_up_page, name="line_up"),
    path("rooms/<slug:code>/line-up/strip/", line_up.line_up_strip, name="line_up_strip"),
    path("rooms/<slug:code>/line-up/plan/", line_up.plan_page, name="line_up_plan"),
    path("rooms/<slug:code>/line-up/<slug:slug>/", line_up.line_up_command, name="line_up_command"),
    path("rooms/<slug:code>/live/", live.room_live, name="room_live"),
    path("rooms/<slug:code>/lockouts/<id:staff_id>/lift/", rooms.lift_lockout, name="lockout_lift"),
    path("rooms/<slug:code>/shifts/open/", rooms.open_shift, name="open_shift"),
    path("rooms/<slug:code>/shifts/<id:shift_id>/close/", rooms.close_shift, name="close_shift"),
    path("rooms/<slug:code>/count/", count.count_page, name="count"),
    path("rooms/<slug:code>/count/place/", count.place, name="place"),
    path("rooms/<slug:code>/count/drop/", count.drop, name="drop"),
    path("boxes/<id:box_id>/", count.box_page, name="box"),
    path("boxes/<id:box_id>/<slug:slug>/", count.box_command, name="box_command"),
    path("shifts/<id:shift_id>/count/", count.shift_page, name="count_sheet"),
    path("shifts/<id:shift_id>/count.pdf", count.sheet_print, name="count_sheet_print"),
    path("rooms/<slug:code>/tips/", tips.tips_page, name="tips"),
    path("rooms/<slug:code>/tips/rule/", tips.rule, name="tip_rule"),
    path("rooms/<slug:code>/tips/rule/<id:rule_id>/withdraw/", tips.rule_withdraw, name="tip_rule_withdraw"),
    path("shifts/<id:shift_id>/tips/", tips.sheet_page, name="tip_sheet"),
    *(
        path(f"shifts/<id:shift_id>/tips.{form}", tips.sheet_file, {"form": form}, name=f"tip_sheet_{form}")
        for form in FORMS
    ),
    path("shifts/<id:shift_id>/tips/close/", tips.close, name="tip_close"),
    path("shifts/<id:shift_id>/tips/own/", tips.own_page, name="tip_own"),
    path("shifts/<id:shift_id>/tips/people/<id:staff_id>/", tips.person_page, name="tip_person"),
    path("shifts/<id:shift_id>/tips/entries/", tips.entries_page, name="tip_entries"),
    path("shifts/<id:shift_id>/tips/hand-ins/", tips.hand_in, name="tip_hand_in"),
    path("shifts/<id:shift_id>/tips/hours/", tips.hours, name="tip_hours"),
    path(
        "shifts/<id:shift_id>/tips/<slug:kind>/<id:entry_id>/take-back/",
        tips.reverse_entry,
        name="tip_reverse",
    ),
    path("shifts/<id:shift_id>/report/", reports.report_page, name="report"),
    path("shifts/<id:shift_id>/report.pdf", reports.report_file, {"form": "pdf"}, name="report_pdf"),
    path("shifts/<id:shift_id>/report.xlsx", reports.report_file, {"form": "xlsx"}, name="report_xlsx"),
    path("shifts/<id:shift_id>/report.csv", reports.report_file, {"form": "csv"}, name="report_csv"),
    path("shifts/<id:shift_id>/report.json", reports.report_file, {"form": "json"}, name="report_json"),
    path("rooms/<slug:code>/roll-ups/", period_reports.period_reports_page, name="period_reports"),
    path(
        "rooms/<slug:code>/roll-ups/<slug:period>/",
        period_reports.period_report_page,
        name="period_report",
    ),
    *(
        path(
            f"rooms/<slug:code>/roll-ups/<slug:period>.{form}",
            period_reports.period_report_file,
            {"form": form},
            name=f"period_report_{form}",
        )
        for form in FORMS
    ),
    path("rooms/<slug:code>/reports/", catalogue.catalogue_page, name="catalogue"),
    path("rooms/<slug:code>/background/", background.background_page, name="background"),
    *(
        path(
            f"rooms/<slug:code>/background/<id:job_id>/{command}/",
            background.command_on_job,
            {"command": command},
            name=name,
        )
        for command, name in (("try-again", "job_try_again"), ("cancel", "job_cancel"))
    ),
    path("rooms/<slug:code>/subscriptions/", subscriptions.subscriptions_page, name="subscriptions"),
    path(
        "rooms/<slug:code>/subscriptions/<id:subscription_id>/end/",
        subscriptions.subscription_ended,
        name="subscription_ended",
    ),
    path(
        "rooms/<slug:code>/background-reports/<id:report_id>/",
        background_reports.background_report_page,
        name="background_report",
    ),
    *(
        path(
            f"rooms/<slug:code>/background-reports/<id:report_id>.{form}",
            background_reports.background_report_file,
            {"form": form},
            name=f"background_report_{form}",
        )
        for form in FORMS
    ),
    path(
        "rooms/<slug:code>/reports/<slug:name>/in-background/",
        catalogue.report_in_background,
        name="report_in_background",
    ),
    path("rooms/<slug:code>/reports/<slug:name>/", catalogue.report_page, name="catalogue_report"),
    *(
        path(
            f"rooms/<slug:code>/reports/<slug:name>.{form}",
            catalogue.report_file,
            {"form": form},
            name=f"catalogue_{form}",
        )
        for form in FORMS
    ),
    path("rooms/<slug:code>/statements/", statements.statements_page, name="statements"),
    path(
        "rooms/<slug:code>/statements/<id:provider_id>/in-background/",
        statements.statement_in_background,
        name="statement_in_background",
    ),
    path("rooms/<slug:code>/statements/<id:provider_id>/", statements.statement_page, name="statement"),
    *(
        path(
            f"rooms/<slug:code>/statements/<id:provider_id>.{form}",
            statements.statement_file,
            {"form": form},
            name=f"statement_{form}",
        )
        for form in FORMS
    ),
    *schedules.PAGES.paths(),
    *levies.PAGES.paths(),
    *games.PAGES.paths(),
    path("rules/", placards.rules_list, name="rules"),
    path("rules/<slug:rulebook_id>/", placards.rules_page, name="rulebook"),
    path("rules/<slug:rulebook_id>/placard.pdf", placards.rules_print, name="rulebook_print"),
    path("tables/<id:table_id>/", tables.table_page, name="table"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("tables/<id:table_id>/signers/", signers.table_signers, name="table_signers"),
    path("tables/<id:table_id>/take-over/", take_over.take_over, name="take_over"),
    path("tables/<id:table_id>/set-aside/", offline.set_aside, name="set_aside"),
    path("tables/<id:table_id>/live/", live.table_live, name="table_live"),
    path("tables/<id:table_id>/display/", display.display_page, name="display"),
    path("tables/<id:table_id>/meter/", display.meter_page, name="meter"),
    path("tables/<id:table_id>/placard/", placards.placard_page, name="placard"),
    path("tables/<id:table_id>/placard.pdf", placards.placard_print, name="placard_print"),
    path("tables/<id:table_id>/screen/", live.table_screen, name="table_screen"),
    path("tables/<id:table_id>/preview/", tables.bets_preview, name="preview"),
    path("tables/<id:table_id>/players/", tables.players_offered, name="table_players"),
    path("tables/<id:table_id>/seats/<id:seat>/sheet/", tables.seat_sheet, name="seat_sheet"),
    path(
        "tables/<id:table_id>/players/<id:player_id>/photos/<id:photo_id>.jpg",
        players.photo_at_table,
        name="table_photo",
    ),
    path("tables/<id:table_id>/turns/", rotation.turns_page, name="turns"),
    path("tables/<id:table_id>/rotation/", rotation.table_page, name="rotation"),
    path("tables/<id:table_id>/rotation.pdf", rotation.table_file, {"form": "pdf"}, name="rotation_pdf"),
    path("tables/<id:table_id>/rotation.csv", rotation.table_file, {"form": "csv"}, name="rotation_csv"),
    path("rooms/<slug:code>/rotation/", rotation.room_page, name="room_rotation"),
    path("rooms/<slug:code>/rotation.pdf", rotation.room_file, {"form": "pdf"}, name="room_rotation_pdf"),
    path("rooms/<slug:code>/rotation.csv", rotation.room_file, {"form": "csv"}, name="room_rotation_csv"),
    path("tables/<id:table_id>/tray/", tray.tray_page, name="tray"),
    path("tables/<id:table_id>/tray/<slug:slug>/", tray.tray_command, name="tray_command"),
    path("tables/<id:table_id>/tray/slips/<id:slip_id>.pdf", tray.slip_print, name="tray_slip"),
    path("tables/<id:table_id>/procedures/", procedures.procedures_page, name="procedures"),
    path("tables/<id:table_id>/rounds/<id:round_id>/", tables.settlement_page, name="settlement"),
    path("tables/<id:table_id>/commands/<slug:slug>/", tables.table_command, name="command"),
    path("tables/<id:table_id>/rounds/<id:round_id>/correct/", corrections.correct_page, name="correct"),
    path("rounds/<id:round_id>/", rounds.round_page, name="round"),
    path("rounds/<id:round_id>/claim/", claims.claim_taken, name="claim"),
]
