"""An officer works exceptions of every kind off to zero in the browser, with a second person's PIN, without leaving the inbox."""

from __future__ import annotations

import datetime
import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.incidents import irregularity_report
from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, Offer, Procedure, Round, Shift, Table, TabletGap, Turn
from cardroom.inbox.commands.disputes import dispute_open
from cardroom.inbox.kinds import ITEM_KINDS
from cardroom.inbox.models import Item, ItemStep
from cardroom.inbox.search import room_search
from tests.browser.axe import faults
from tests.browser.layout import too_small
from tests.browser.screen import sign, sign_in
from tests.drop.room import CountTeam, chips
from tests.floor.charging import WAIVING, charge
from tests.floor.test_corrections import as_recorded
from tests.reports.commands import as_superuser

pytestmark = pytest.mark.outside

#: An explanation typed of each.
SAID = "Looked at on video with those who were there"


@pytest.fixture
def cast(transactional_db: None) -> CountTeam:
    """A room with exceptions of every kind, found; several of some."""
    team = CountTeam().running()
    collected(team)
    reviewed(team)
    told(team)
    team.send_room(shift_close, shift_id=Shift.objects.get(closed_at__isnull=True).pk, confirmed=True)
    team.send_room(shift_open, name="Late")
    record = as_recorded(Round.objects.filter(state="settled").earliest("pk"))
    record["positions"][0]["wagers"] = {"ante": 1500}
    by = {"reason": "misread", "approver": team.people["floor"]}
    team.send(round_correct, "floor_2", **{**record, **by})
    room_search(team.room.pk, timezone.now())
    # An obligation falls due by the calendar, days later.
    assert set(Item.objects.values_list("kind", flat=True)) == ITEM_KINDS.keys() - {"obligation"}
    return team


def ready(team: CountTeam) -> CountTeam:
    """Let seat 3 or 6 take the bank where it is to be offered."""
    if team.state().step.kind == "offer":
        team.bank_to(3 if Turn.objects.latest("pk").seat == 6 else 6)
    return team


def collected(team: CountTeam) -> None:
    """Collect without a box, which a supervisor let happen; waive fees; count a box that is over."""
    ready(team).play({5: 1000})
    charge(team, WAIVING)
    team.hang_box(107, kind="jackpot")
    box = team.place()
    ready(team).bet({4: 1000, 5: 2000})
    team.send(fee_waive, "floor", rule="short_handed", reason="slow night")
    team.send(bets_close)
    team.send(round_deal)
    team.settle((4, 5))
    team.drop(box)
    team.counted(box, chips(c100=6))
    team.place(13)


def reviewed(team: CountTeam) -> None:
    """Void three rounds; skip a seat; settle a round that the rules void, and one that is not what was filed."""
    for number in range(3):
        ready(team).deal({4: 1000})
        team.send(round_void, reason=f"jam {number + 1}", approver=team.people["shift_manager"])
    ready(team).deal({4: 1000})
    team.send(irregularity_report, "dealer", irregularity="card_face_up")
    team.settle((4,))
    while team.state().step.kind != "offer":
        team.play({4: 1000})
    team.bank_to(5)
    team.play({4: 1000})
    skipped = Offer.objects.filter(seat=4, answer="declined").latest("pk")
    with as_superuser():
        Procedure.objects.filter(kind="irregularity").update(round_fate="void", void_reason="cards_face_up")
        Round.objects.filter(pk=Round.objects.latest("pk").pk).update(game=None, options={"coverage": "net"})
        Offer.objects.filter(pk=skipped.pk).delete()


def told(team: CountTeam) -> None:
    """Raise alerts of a badge and of the clock, lose a tablet twice, and take a claim down."""
    now = timezone.now()
    with locked(Table, team.table.pk) as table:
        tx = TableTransaction(table=table, actor=team.people["floor"], now=now)
        alert_raise(tx, Alert.Kind.PERMIT_EXPIRED, f"player:{team.players[4].pk}", "Dee's badge expired.")
        alert_raise(tx, Alert.Kind.CLOCK_BACK, "", "The clock was set back.")
    for minutes in (20, 45):
        since = now - datetime.timedelta(minutes=minutes)
        TabletGap.objects.create(room=team.room, table=team.table, screen="a", since=since, until=now)
    team.send(dispute_open, "floor", claim="says the ante should have been paid", seat=4)


def test_a_month_is_worked_off_to_zero_without_leaving_the_inbox(cast: CountTeam, page: Page) -> None:
    inbox = f"/rooms/{cast.room.code}/exceptions/"
    left: list[str] = []
    page.on("framenavigated", lambda frame: left.append(frame.url) if inbox not in frame.url else None)
    page.set_viewport_size({"width": 1440, "height": 900})
    sign_in(page, "compliance", inbox)
    left.clear()
    every = Item.objects.count()
    expect(page.locator(".waits")).to_have_text(str(every))
    assert faults(page, every_rule=True) == []
    several_at_once(page)
    one_after_the_other(page)
    expect(page.locator(".items .waiting")).to_contain_text(f"{every} explained")
    closed_by_two(page)
    expect(page.get_by_text("Every exception is closed.")).to_be_visible()
    expect(page.locator(".waits")).to_have_count(0)
    assert left == []
    assert not Item.objects.exclude(state="closed").exists()
    assert {step.approved_by for step in ItemStep.objects.filter(what="close")} == {
        cast.people["room_manager"]
    }
    home_and_report_say_so(cast, page, every)


def several_at_once(page: Page) -> None:
    """Explain what there are several of, a kind at a time: the second of a kind with the note of the first."""
    together = page.locator(".items .pages a[href*='several=1']")
    while together.count():
        together.first.click()
        expect(page.locator("[data-ticked]")).to_have_text(re.compile(r"^(\d+) of \1 ticked$"))
        assert faults(page, every_rule=True) == []
        page.locator("#act-note").fill(SAID)
        page.get_by_role("button", name="Explain, with this note").click()
        expect(page.get_by_text("Explained.").first).to_be_visible()


def one_after_the_other(page: Page) -> None:
    """Explain the rest, each shown with its evidence, by keys alone; decide the claim."""
    while page.locator("#item .tag.stop").count():
        shown = page.locator("#item-title").inner_text()
        expect(page.locator("#item .said")).to_contain_text("The record says")
        claim = page.get_by_label("Decision")
        if claim.count():
            claim.select_option("denied")
            page.locator("#act-note").fill(SAID)
            page.get_by_role("button", name="Decide").click()
        else:
            page.locator(".items a[aria-current]").focus()
            page.keyboard.press("e")
            page.keyboard.type(SAID)
            page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Explained.").or_(page.get_by_text("Decided.")).first, shown).to_be_visible()


def closed_by_two(page: Page) -> None:
    """Let the second person read what is closed, and sign once for all of it."""
    page.get_by_role("link", name="Close them…").click()
    expect(page.locator(".items .e").first).to_contain_text(SAID)
    # A box is ticked by its label, which is as high as its line.
    assert [each for each in too_small(page) if 'type="checkbox"' not in each] == []
    page.get_by_role("button", name="Close with second person…").click()
    expect(page.locator("#signing .what")).to_contain_text("jam 3")
    sign(page, "room_manager")


def home_and_report_say_so(cast: CountTeam, page: Page, every: int) -> None:
    page.goto(f"/rooms/{cast.room.code}/compliance/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Every exception is closed")
    today = cast.room.items.earliest("gaming_day").gaming_day
    page.goto(f"/rooms/{cast.room.code}/reports/items/?from={today}&to={today}")
    answers = " ".join(page.locator("main").inner_text().split())
    assert f"Exceptions {every} Not closed ✓ 0 Closed by two {every}" in answers


def test_on_a_low_tablet_the_page_begins_at_its_head_with_the_list_beside_the_item(
    cast: CountTeam, page: Page
) -> None:
    page.set_viewport_size({"width": 1024, "height": 600})
    inbox = f"/rooms/{cast.room.code}/exceptions/"
    sign_in(page, "compliance", inbox)
    page.goto(inbox + str(page.locator(".items li > a").last.get_attribute("href")).partition("#")[0])
    seen = page.evaluate(
        """() => { const list = document.querySelector(".items"), at = list.getBoundingClientRect(), chosen = list.querySelector(".chosen").getBoundingClientRect();
            return [scrollY, at.height <= innerHeight, chosen.top >= at.top - 1, chosen.bottom <= at.bottom + 1]; }"""
    )
    assert seen == [0, True, True, True]
    page.mouse.move(900, 400)
    page.mouse.wheel(0, 500)
    page.wait_for_function("scrollY > 0")
    assert page.locator(".items").bounding_box()["y"] >= 0, "it stays beside what is read"  # type: ignore[index]
