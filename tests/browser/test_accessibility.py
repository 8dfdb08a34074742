"""Every page, the table page in each of its phases, and the administration, held to WCAG 2 A and AA by axe-core, in light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import Page

from cardroom import web
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_record
from cardroom.floor.commands.seats import down_start
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.models import Round
from cardroom.jobs.lifecycle import job_run
from cardroom.obligations.commands.obligations import obligation_add
from cardroom.people.models import Staff
from cardroom.reports.commands.background_reports import background_report_start
from cardroom.reports.shift.making import shift_report_make
from cardroom.rooms.models import Room
from cardroom.tips.commands.entries import tips_hand_in
from cardroom.web.urls import urlpatterns
from tests.browser.axe import faults
from tests.browser.layout import too_wide
from tests.browser.screen import Screen, sign_in
from tests.cast import Cast, running_cast, sheet
from tests.filing import filed_levy, table_settings

pytestmark = pytest.mark.outside

STATIC = Path(web.__file__).parent / "static"
#: The stylesheet's dark colors.
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*:root \{([^{}]*)\}\s*\}")
#: A color, or shadows in colors.
COLORS = re.compile(r"(?:#[0-9a-f]{6}|(?:[\dpx ]+ rgb\([\d /%]+\)(?:, )?)+)")

#: Pages that are looked at, among others.
SEEN = """
    results room floor alerts report catalogue catalogue_report period_reports period_report rotation round
    rulebook placard box tips tip_sheet tip_entries account pin take_over obligations obligation
"""


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    cast = running_cast()
    cast.send(round_record, "dealer", sheet=sheet({1: 2000, 4: 6100}, wager=6000, fold=(4,)))
    return cast


def test_dark_differs_from_light_in_colors_alone() -> None:
    """What `faults` relies on: no other rule, file or script goes by the scheme, and the dark rule sets colors."""
    sheet = (STATIC / "web" / "parts" / "tokens.css").read_text(encoding="utf-8")
    (dark,) = DARK.findall(sheet)
    set_in_dark = [tuple(line.split(": ", 1)) for line in re.split(r";\s*", dark.strip()) if line]
    assert set_in_dark
    in_light = sheet[: sheet.index("@media")]
    for name, value in set_in_dark:
        assert f"{name}: " in in_light, name
        assert COLORS.fullmatch(value), f"{name}: {value}"
    files = [path for path in STATIC.rglob("*") if path.suffix in (".css", ".js")]
    assert sum(path.read_text(encoding="utf-8").count("prefers-color-scheme") for path in files) == 1


class Look:
    """A look at the table page that is open, in a phase; `found` says what was wrong in which."""

    def __init__(self, page: Page) -> None:
        self.page, self.found = page, dict[str, list[str]]()

    def __call__(self, phase: str, *, then: Callable[[], Any] | None = None) -> None:
        self.page.reload()
        assert self.page.locator("#screen").get_attribute("data-phase") == phase
        if then is not None:
            then()
        if wrong := faults(self.page):
            self.found[phase if then is None else f"{phase}, opened"] = wrong


def test_the_table_page_has_no_fault_in_any_phase(cast: Cast, page: Page, screen: Screen) -> None:
    screen.open(cast.table, who="shift_manager")
    look = Look(page)
    look("ready")
    look("ready", then=lambda: page.locator("summary", has_text="More").click())
    look("ready", then=lambda: page.locator("summary", has_text="Irregularity").click())
    cast.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    look("betting")
    look("betting", then=lambda: screen.touch_seat(5))
    cast.send(bets_place, "dealer", positions=[{"seat": 5, "wagers": {"ante": 1000}, "tips": {"ante": 100}}])
    cast.send(bets_close, "dealer")
    look("dropped")
    cast.send(round_deal, "dealer")
    look("cards")
    Room.objects.update(records_shown_card=False)
    look("cards", then=lambda: screen.touch_cards("Ah Kd"))
    settled = Round.objects.filter(state=Round.State.SETTLED).latest("pk")
    page.goto(f"/tables/{cast.table.pk}/rounds/{settled.pk}/")
    look("settled")
    look("settled", then=lambda: page.get_by_role("button", name="Step through").click())
    bets = Round.objects.get(state=Round.State.BETS_CLOSED).bets
    now = cast.settle([bet["seat"] for bet in bets])["round"]
    page.goto(f"/tables/{cast.table.pk}/rounds/{now}/")
    look("offer")  # with the settlement on show
    assert look.found == {}


def test_a_table_before_play_has_no_fault(cast: Cast, page: Page, screen: Screen) -> None:
    look, second = Look(page), cast.second_table
    screen.open(second, who="shift_manager")
    look("closed")
    settings = table_settings(cast.room, schedule_id=cast.schedule(1).pk)
    cast.send(table_set, "floor", second, **settings)
    cast.send(table_open, "floor", second)
    look("no_dealer")
    cast.send(down_start, "floor", second, dealer_id=cast.people["dealer_2"].pk)
    look("nobody")
    page.goto(f"/tables/{cast.table.pk}/")
    cast.send(round_record, "dealer", sheet=sheet({1: 2000}))
    look("offer")
    for seat in (4, 5, 6, 7, 1, 2):
        cast.send(offer_answer, "dealer", seat=seat, answer="declined")
    look("renew")
    assert look.found == {}


def test_no_other_page_has_a_fault(cast: Cast, page: Page) -> None:
    """Every address of the site that answers with a page; an address with a part unknown here fails the test."""
    filed_levy(cast.room, cast.people["compliance"])
    settled = Round.objects.get()
    shift = cast.state().shift
    assert shift is not None
    tips = {"dealer_id": cast.people["dealer"].pk, "cents": 1250}
    handed = cast.send_room(tips_hand_in, "floor", shift_id=shift.pk, **tips)
    cast.send(table_close, "floor")
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    shift_report_make(shift.pk)
    days = {"first": shift.gaming_day, "last": shift.gaming_day}
    asked: dict[str, Any] = {"report": "rotation", "options": {}, "table": None, "shift": None, **days}
    background_report = cast.send_room(background_report_start, "compliance", **asked)["background_report"]
    job_run(background_report)
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    licence = {"kind": "licence", "title": "City licence", "due_on": shift.gaming_day}
    obligation = cast.send_room(obligation_add, "compliance", **licence)["obligation"]
    parts = {
        "code": cast.room.code,
        "table_id": cast.table.pk,
        "round_id": settled.pk,
        "shift_id": shift.pk,
        "rulebook_id": "california",
        "number": 1,
        "version": 1,
        "box_id": cast.room.drop_boxes.get().pk,
        "name": "rounds",
        "provider_id": cast.room.providers.get().pk,
        "staff_id": cast.people["dealer"].pk,
        "kind": "hand-ins",
        "entry_id": handed["hand_in"],
        "report_id": background_report,
        "period": f"{shift.gaming_day:%Y-%m}",
        "job_id": 1,
        "subscription_id": 1,
        "rule_id": 1,
        "role": "dealer",
        "slip_id": 1,
        "session_id": 1,
        "player_id": cast.players[1].pk,
        "exclusion_id": 1,
        "reset_id": 1,
        "contract_id": 1,
        "obligation_id": obligation,
        "photo_id": 1,
        "program_id": 1,
        "token_id": 1,
        "webhook_id": 1,
        "employment_id": cast.people["dealer"].employments.get().pk,
        "seat": 1,
    }
    page.goto("/accounts/login/")
    found = {"login": wrong} if (wrong := faults(page)) else {}
    looked_at = set()
    for who, start in (("shift_manager", "/rooms/cache-slough/"), ("count", "/rooms/cache-slough/count/")):
        sign_in(page, who, start)
        for name, address in addresses(parts):
            if name in looked_at or Path(address).suffix:
                continue  # looked at already, or a file
            answer = page.request.get(address, max_redirects=0)
            if answer.status != 200 or "<html" not in answer.text():
                continue  # not theirs, a part of a page, or an address that only takes what is posted
            page.goto(address)
            looked_at.add(name)
            if wrong := faults(page) + too_wide(page):
                found[name] = wrong
    assert looked_at >= set(SEEN.split())
    assert found == {}


def addresses(parts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every address of the pages but those that stream and the table's own, with `parts` filled in."""
    for pattern in urlpatterns:
        converters = pattern.pattern.converters
        if pattern.name is None or pattern.name.endswith("_live") or pattern.name in ("table", "settlement"):
            continue
        if {"alert_id", "slug"} & set(converters):
            continue  # answers a post alone
        yield pattern.name, reverse(f"web:{pattern.name}", kwargs={part: parts[part] for part in converters})


def test_the_administration_has_no_fault(cast: Cast, page: Page) -> None:
    Staff.objects.filter(username="room_manager").update(is_staff=True)
    sign_in(page, "room_manager", "/admin/")
    found = {"index": wrong} if (wrong := faults(page)) else {}
    looked_at = 0
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses = [reverse(f"{name}_changelist")]
        if first := model._default_manager.order_by("pk").values_list("pk", flat=True).first():
            addresses.append(reverse(f"{name}_change", args=[first]))
        for address in addresses:
            answer = page.request.get(address, max_redirects=0)
            if answer.status != 200:
                continue  # not this manager's
            page.goto(address)
            looked_at += 1
            if wrong := faults(page):
                found[address] = wrong
    assert looked_at > 30
    assert found == {}, "\n".join(f"{place}: {wrong}" for place, wrong in found.items())
