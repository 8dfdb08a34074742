"""The navigation bar of every page: the sections of a room for who is signed in, and to which section a page belongs.

A section is shown to whoever may open what it leads to; a dealer sees Floor, Tables and Tips.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from cardroom.inbox.reads.items import items_not_closed
from cardroom.people.models import Role
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..site.guides import guide_of
from .access import Permissions

#: Names of the addresses under which a game, a schedule of fees or a levy is drafted, filed and withdrawn.
_FILING = (
    frozenset(
        f"{word}{step}"
        for word in ("schedule", "game", "levy")
        for step in ("", "_new", "_edit", "_next", "_discard", "_lodge", "_withdraw")
    )
    | {f"game_{step}" for step in ("toml", "json", "document", "attach", "detach")}
    | {"schedules", "games", "levies", "schedule_upload", "game_upload"}
)


@dataclasses.dataclass(frozen=True)
class Section:
    """A section of the bar.

    It leads to the first of `ways` whose right a person holds. `pages` are the names of the addresses in it, `guide`
    is the guide that explains them; None where that goes by the reader's role.
    """

    name: Promise
    ways: tuple[tuple[Right, str], ...]
    pages: frozenset[str]
    guide: str | None = None
    #: How many things wait in it, for whoever holds a right: shown beside its name.
    waits: tuple[Right, Callable[[Room], int]] | None = None

    def way_of(self, permissions: Permissions) -> str | None:
        """The name of the address that the section leads to, None for a person to whom it is closed."""
        return next((page for right, page in self.ways if permissions.may(right)), None)


#: In their order on the bar.
SECTIONS = (
    Section(
        pgettext_lazy("bar", "Floor"),
        ((Right.SEE_FLOOR, "web:room"),),
        frozenset(
            {
                "results",
                "room",
                "floor",
                "alerts",
                "alert_answer",
                "open_shift",
                "close_shift",
                "lockout_lift",
            }
        )
        | {
            "waiting",
            "waiting_command",
            "players",
            "player",
            "player_texts",
            "player_command",
            "players_import",
            "providers",
            "providers_import",
            "provider_command",
            "contract_ended",
            "exclusions",
            "exclusion_lifted",
        },
    ),
    Section(
        pgettext_lazy("bar", "Tables"),
        ((Right.SEE_FLOOR, "web:tables"),),
        frozenset(
            {"tables", "table", "set_aside", "turns", "rotation", "placard", "tray", "tray_command"}
            | {"procedures", "settlement", "command", "correct", "round", "claim", "take_over"}
        )
        | _FILING,
    ),
    Section(
        pgettext_lazy("bar", "Line-up"),
        ((Right.CHANGE_DEALER, "web:line_up"),),
        frozenset({"line_up", "line_up_strip", "line_up_plan", "line_up_command"}),
    ),
    Section(
        pgettext_lazy("bar", "Count"),
        ((Right.SEE_BOXES, "web:count"),),
        frozenset({"count", "place", "drop", "box", "box_command", "count_sheet"}),
        guide="count",
    ),
    Section(
        pgettext_lazy("bar", "Tips"),
        ((Right.SEE_OWN_TIPS, "web:tips"),),
        frozenset(
            {"tips", "tip_rule", "tip_rule_withdraw", "tip_sheet", "tip_close", "tip_own", "tip_person"}
            | {"tip_entries", "tip_hand_in", "tip_hours", "tip_reverse"}
        ),
    ),
    Section(
        pgettext_lazy("bar", "Reports"),
        ((Right.SEE_REPORTS, "web:catalogue"), (Right.SEE_STATEMENTS, "web:statements")),
        frozenset(
            {
                "report",
                "period_reports",
                "period_report",
                "catalogue",
                "catalogue_report",
                "report_in_background",
            }
            | {"background_report", "statements", "statement"}
            | {"statement_in_background"}
        ),
        guide="compliance",
    ),
    Section(
        pgettext_lazy("bar", "Compliance"),
        ((Right.SEE_REPORTS, "web:compliance"),),
        frozenset(
            {"compliance", "inbox", "item_act", "room_rotation", "checkpoints", "checkpoint_file", "exports"}
        )
        | {"verification", "verification_begin"}
        | {"inspection", "evidence_bundle", "evidence_checker"}
        | {"obligations", "obligation", "obligation_added", "obligation_act"}
        | {"obligations_file", "obligation_document"}
        | _FILING,
        guide="compliance",
        waits=(Right.SEE_ITEMS, items_not_closed),
    ),
    Section(
        pgettext_lazy("bar", "Settings"),
        ((Right.SEE_REPORTS, "web:room_settings"),),
        frozenset(
            {
                "room_settings",
                "chips_set",
                "settings_set",
                "table_added",
                "table_renumbered",
                "subscriptions",
                "subscription_ended",
                "background",
                "job_try_again",
            }
            | {"job_cancel", "people", "account_made", "person_employed", "reset_answered"}
            | {"person", "person_command", "role_command", "person_session_ended", "staff_import"}
            | {"programs", "program_ended", "token_made", "token_revoked"}
            | {"webhook_made", "secret_made", "webhook_ended"}
        ),
        guide="manager",
    ),
)


@dataclasses.dataclass(frozen=True)
class SectionLink:
    """A section as the bar shows it."""

    name: str
    address: str
    is_current: bool
    waits: int = 0


@dataclasses.dataclass(frozen=True)
class Bar:
    """What the bar shows: the sections that are open to a person, and the address of the guide to the page."""

    sections: list[SectionLink]
    guide: str


def bar_of(permissions: Permissions, page: str | None, *, counts: bool = False) -> Bar:
    """Return the bar of a person on `page` (a name of an address); of their sections the last that holds it is current.

    The last, as filings belong to Compliance for those who have it, and to Tables for the floor. With `counts` each says how
    many things wait in it.
    """
    ways = [(section, section.way_of(permissions)) for section in SECTIONS]
    shown = [(section, way) for section, way in ways if way is not None]
    current = next((section for section, _ in reversed(shown) if page in section.pages), None)
    code = permissions.room.code
    guide = guide_of(page, None if current is None else current.guide, permissions.roles)
    return Bar(
        [
            SectionLink(
                str(section.name),
                reverse(way, kwargs={"code": code}),
                section is current,
                _waiting(section, permissions) if counts else 0,
            )
            for section, way in shown
        ],
        reverse("web:guide", kwargs={"role": guide}),
    )


def _waiting(section: Section, permissions: Permissions) -> int:
    if section.waits is None:
        return 0
    right, count = section.waits
    return count(permissions.room) if permissions.may(right) else 0


#: Where work begins, by role: the first that a person holds decides. A dealer with a table goes there (`home_of`).
_HOMES = (
    (Role.SHIFT_MANAGER, "web:results"),
    (Role.FLOOR, "web:floor"),
    (Role.DEALER, "web:tables"),
    (Role.COUNT, "web:count"),
    (Role.COMPLIANCE, "web:compliance"),
    (Role.INSPECTOR, "web:compliance"),
    (Role.SURVEILLANCE, "web:floor"),
    (Role.ROOM_MANAGER, "web:results"),
    (Role.PROVIDER_LEAD, "web:statements"),
    (Role.SUPPORT, "web:tips"),
)


def home_page_of(permissions: Permissions) -> str | None:
    """Return the name of the address where a person's work in a room begins; None for somebody without a role there."""
    return next((page for role, page in _HOMES if role in permissions.roles), None)
