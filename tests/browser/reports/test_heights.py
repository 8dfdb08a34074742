"""Every report of the catalogue is a page that one looks over: under 3,000 pixels at a desk and on a tablet, and no wider than either."""

from __future__ import annotations

import datetime
import io
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page

from cardroom.floor.models import Shift
from cardroom.reports.catalogue.questions import listed_in
from cardroom.reports.shift.making import shift_report_make
from cardroom.rooms.models import Room
from tests.browser.screen import give_session

pytestmark = [pytest.mark.outside, pytest.mark.django_db(transaction=True)]

#: A page of reports ends there; what is more is folded or on a further page.
MOST = 3000
WIDTHS = (1440, 768)
PAST = 4


def test_no_page_of_a_report_is_higher_than_one_looks_over(page: Page) -> None:
    call_command("load_demo", past=PAST, stdout=io.StringIO(), stderr=io.StringIO())
    room = Room.objects.get(code="tule-slough-demo")
    for shift in room.shifts.filter(closed_at__isnull=False):
        shift_report_make(shift.pk)
    give_session(page.context, "compliance")
    last = Shift.objects.filter(room=room).latest("opened_at").gaming_day
    days = {"from": last - datetime.timedelta(days=PAST), "to": last}
    addresses = [
        f"{reverse('web:catalogue_report', args=[room.code, report.name])}?{urlencode(asked)}"
        for report in listed_in(room)
        for asked in ({}, days)
    ]
    reported = Shift.objects.filter(reports__isnull=False).latest("opened_at")
    addresses += [
        reverse("web:report", args=[reported.pk]),
        reverse("web:period_report", args=[room.code, reported.gaming_day.isoformat()]),
    ]
    too_high = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for address in addresses:
            page.goto(address)
            height, wide = page.evaluate(
                "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
            )
            assert page.locator("h1").inner_text()
            if height > MOST or wide > width:
                too_high[address, width] = (height, wide)
    assert too_high == {}
