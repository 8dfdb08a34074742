"""The page of checkpoints: what was signed and delivered, each as a file, and bundles for inspectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

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
    assert "1 checkpoint could not be signed, stamped or delivered" in to_do


def test_each_is_a_file(running: Cast, key: str, person: Callable[[str], Person]) -> None:
    made = sign_due()
    answer = person("shift_manager").open(f"{PAGE}1/file/")
    assert answer.content == made.signed.file()
    assert answer["Content-Disposition"] == 'attachment; filename="cache-slough-000001.checkpoint"'
    assert person("inspector").open(f"{PAGE}2/file/").status_code == 404
