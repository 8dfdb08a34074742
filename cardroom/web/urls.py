"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path

from .pages import live, reports, rooms, rounds, tables

app_name = "web"

urlpatterns = [
    path("", rooms.home, name="home"),
    path("rooms/<slug:code>/", rooms.room_page, name="room"),
    path("rooms/<slug:code>/live/", live.room_live, name="room_live"),
    path("rooms/<slug:code>/shifts/open/", rooms.open_shift, name="open_shift"),
    path("rooms/<slug:code>/shifts/<int:shift_id>/close/", rooms.close_shift, name="close_shift"),
    path("shifts/<int:shift_id>/report/", reports.report_page, name="report"),
    path("shifts/<int:shift_id>/report.csv", reports.report_file, {"form": "csv"}, name="report_csv"),
    path("shifts/<int:shift_id>/report.json", reports.report_file, {"form": "json"}, name="report_json"),
    path("tables/<int:table_id>/", tables.table_page, name="table"),
    path("tables/<int:table_id>/live/", live.table_live, name="table_live"),
    path("tables/<int:table_id>/preview/", tables.bets_preview, name="preview"),
    path("tables/<int:table_id>/turns/", rounds.turns_page, name="turns"),
    path("tables/<int:table_id>/rounds/<int:round_id>/", tables.settlement_page, name="settlement"),
    path("tables/<int:table_id>/acts/<slug:slug>/", tables.table_act, name="act"),
    path("rounds/<int:round_id>/", rounds.round_page, name="round"),
]
