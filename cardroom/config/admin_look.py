"""Configures the admin's theme (Unfold): colours, sidebar and dashboard, with what may be set before what is on record."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy

#: Headings of the sidebar and the dashboard: model, what it is called, and what it is for.
SET_HERE = (
    ("rooms.room", "Rooms", "First a room. All its other settings are set on its own page."),
    (
        "people.staff",
        "Staff",
        "Then the accounts of its first two people. They make all others on its own pages.",
    ),
    (
        "people.employment",
        "Roles",
        "Then the roles of those two. The first signs in and sets a PIN, and signs for the second.",
    ),
)
ON_RECORD = {
    "People, tables and filings": (
        ("floor.table", "Tables"),
        ("filings.feeschedule", "Fee schedules"),
        ("filings.gamefiling", "Games"),
        ("people.workpermit", "Work permits"),
        ("people.passwordreset", "Password resets"),
        ("people.player", "Players"),
        ("people.playermerge", "Merges of players"),
        ("people.provider", "Providers"),
        ("people.providercontract", "Contracts of providers"),
    ),
    "Rounds and money": (
        ("floor.round", "Rounds"),
        ("floor.transfer", "Chip movements"),
        ("floor.waiver", "Waivers"),
        ("floor.timecollection", "Time collections"),
        ("floor.procedure", "Procedures"),
        ("floor.deck", "Decks"),
    ),
    "Seats and rotation": (
        ("floor.shift", "Shifts"),
        ("floor.down", "Downs"),
        ("floor.seating", "Seatings"),
        ("floor.turn", "Turns at the bank"),
        ("floor.offer", "Offers of the bank"),
        ("floor.expiryoverride", "Expiry overrides"),
        ("floor.chipcall", "Chip calls"),
        ("floor.offlineentry", "Offline entries"),
        ("floor.tabletgap", "Tablets out of touch"),
    ),
    "Drop, count and tips": (
        ("floor.dropbox", "Drop boxes"),
        ("drop.countsheet", "Count sheets"),
        ("drop.variancecheck", "Variance checks"),
        ("drop.variancenote", "Variance notes"),
        ("tips.poolrule", "Rules for tips"),
        ("tips.handin", "Tips handed in"),
        ("tips.workedhours", "Hours worked"),
        ("tips.poolsheet", "Tips shared out"),
    ),
    "Tables that the house banks": (
        ("floor.trayslip", "Tray slips"),
        ("floor.buyin", "Buy-ins"),
        ("floor.progressivemeter", "Meters"),
        ("floor.metermovement", "Meter movements"),
        ("floor.progressivewin", "Progressive wins"),
    ),
    "Journal and reports": (
        ("floor.journalentry", "Journal"),
        ("reports.shiftreport", "Shift reports"),
        ("reports.periodreport", "Days and months"),
        ("jobs.job", "Scheduled jobs"),
    ),
}


def _list_of(model: str) -> str:
    """The name of the address of a model's list: "rooms.room" is `admin:rooms_room_changelist`."""
    return f"admin:{model.replace('.', '_')}_changelist"


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the admin's first page shows: what may be set here, then what is on record, each with its list."""
    context["set_here"] = [(title, text, reverse(_list_of(model))) for model, title, text in SET_HERE]
    context["on_record"] = [
        (heading, [(title, reverse(_list_of(model))) for model, title in models])
        for heading, models in ON_RECORD.items()
    ]
    return context


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Cardroom",
    "SITE_HEADER": "Cardroom",
    "SITE_SUBHEADER": "Administration",
    "SITE_ICON": lambda _request: static("web/icon.svg"),
    "SITE_URL": "/",
    "STYLES": [lambda _request: static("web/parts/typeface.css")],
    "DASHBOARD_CALLBACK": "cardroom.config.admin_look.dashboard",
    # The felt of `tokens.css`, from its lightest to its darkest.
    "COLORS": {
        "primary": {
            "50": "#eef6f3",
            "100": "#d6e8e2",
            "200": "#b2d3ca",
            "300": "#84b8ab",
            "400": "#62ab9a",
            "500": "#459c88",
            "600": "#1d5f55",
            "700": "#174d45",
            "800": "#123f39",
            "900": "#0e322d",
            "950": "#081f1c",
        },
    },
    "SIDEBAR": {
        "navigation": [
            {
                "items": [
                    {"title": "Back to the floor", "icon": "arrow_back", "link": "/"},
                    {"title": "Overview", "icon": "dashboard", "link": reverse_lazy("admin:index")},
                ]
            },
            {
                "title": "May be set here",
                "items": [
                    {"title": title, "link": reverse_lazy(_list_of(model))} for model, title, _ in SET_HERE
                ],
            },
            *(
                {
                    "title": heading,
                    "collapsible": True,
                    "items": [
                        {"title": title, "link": reverse_lazy(_list_of(model))} for model, title in models
                    ],
                }
                for heading, models in ON_RECORD.items()
            ),
        ],
    },
}
