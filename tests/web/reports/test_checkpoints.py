"""The page of checkpoints: what was signed and delivered, each as a file, and bundles for inspectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from cardroom.reports.checkpoints.bundle import CHECKER
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.verify.signed import keyed, sign_due
from tests.web.conftest import Person

PAGE = "/rooms/cache-slough/checkpoints/"


@pytest.fixture
def key(settings: Settings, tmp_path: Path) -> str:
    return keyed(settings, tmp_path)


def text(browser: Person, address: str = PAGE) -> str:
    return browser.open(address).content.decode()


def test_without_a_key_the_page_says_what_to_do(running: Cast, person: Callable[[str], Person]) -> None:
    shown = text(person("compliance"))
    assert "There is no key, and nothing is signed" in shown and "manage.py checkpoint_key" in shown


def test_it_lists_what_was_signed_and_what_was_not_delivered(
    running: Cast, key: str, person: Callable[[str], Person], tmp_path: Path
) -> None:
    Room.objects.update(checkpoint_directory=str(tmp_path / "not-mounted"))
    made = sign_due()
    shown = text(person("inspector"))
    assert made.hash[:16] in shown and "an hour has passed" in shown
    assert f"not yet: {tmp_path / 'not-mounted'}" in shown and "There is no directory" in shown
    to_do = text(person("inspector"), "/rooms/cache-slough/compliance/")
    assert "1 checkpoint could not be signed, stamped or delivered and is tried again" in to_do


def test_each_is_a_file(running: Cast, key: str, person: Callable[[str], Person]) -> None:
    made = sign_due()
    answer = person("shift_manager").open(f"{PAGE}1/file/")
    assert answer.content == made.signed.file()
    assert answer["Content-Disposition"] == 'attachment; filename="cache-slough-000001.checkpoint"'
    assert person("inspector").open(f"{PAGE}2/file/").status_code == 404


def test_a_bundle_of_today_is_given_to_those_who_verify(
    running: Cast, key: str, person: Callable[[str], Person]
) -> None:
    made = sign_due()
    today = gaming_day(running.room, timezone.now())
    address = f"{PAGE}evidence/?first={today}&last={today}"
    answer = person("inspector").open(address)
    lines = answer.getvalue().decode().splitlines()
    assert (
        lines[0].startswith("cardroom evidence 1\t")
        and f"checkpoint\t{made.document}\t{made.signature}" in lines
    )
    assert lines[-1] == f"end\t{len(lines) - 1}"
    assert person("room_manager").open(address).status_code == 403
    assert "that is for Compliance, Inspector" in text(person("room_manager"))


@pytest.mark.parametrize(
    "days", ["first=2026-11-30&last=2026-11-01", "first=2026-11-01&last=2026-11-30", "first=x"]
)
def test_days_that_do_not_fit_are_refused(running: Cast, person: Callable[[str], Person], days: str) -> None:
    assert person("compliance").open(f"{PAGE}evidence/?{days}").status_code == 422


def test_the_page_that_checks_is_given_as_a_file(running: Cast, person: Callable[[str], Person]) -> None:
    answer = person("inspector").open(f"{PAGE}check_evidence.html")
    assert answer.getvalue() == CHECKER.read_bytes()
    assert answer["Content-Disposition"] == 'attachment; filename="check_evidence.html"'
