"""The administration, held to WCAG 2 A and AA by axe-core: its first page, every list, and the form of each that may be set."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import Page

from cardroom.people.models import Employment, Staff
from tests.browser.axe import faults
from tests.browser.table import sign_in
from tests.cast import Cast, running_cast

pytestmark = pytest.mark.outside


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return running_cast()


def test_the_administration_has_no_fault(cast: Cast, live_server: Any, page: Page) -> None:
    Staff.objects.filter(username="room_manager").update(is_staff=True)
    sign_in(page, live_server, "room_manager", "/admin/")
    found = {"index": wrong} if (wrong := faults(page)) else {}
    looked_at = 0
    dealer = cast.people["dealer"]
    pages_to_sign = {
        Staff: reverse("admin:people_staff_second_factor_off", args=[dealer.pk]),
        Employment: reverse("admin:people_employment_delete", args=[dealer.employments.get().pk]),
    }
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses = [reverse(f"{name}_changelist")]
        if first := model._default_manager.order_by("pk").values_list("pk", flat=True).first():
            addresses.append(reverse(f"{name}_change", args=[first]))
        if model in pages_to_sign:
            addresses.append(pages_to_sign.pop(model))
        for address in addresses:
            answer = page.request.get(f"{live_server.url}{address}", max_redirects=0)
            if answer.status != 200:
                continue  # not this manager's
            page.goto(f"{live_server.url}{address}")
            looked_at += 1
            if wrong := faults(page):
                found[address] = wrong
    assert looked_at > 30 and not pages_to_sign
    assert found == {}, "\n".join(f"{place}: {wrong}" for place, wrong in found.items())
