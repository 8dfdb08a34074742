"""The pages of docs say what is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR, VARIABLES

PAGES = sorted([*PROJECT_DIR.glob("*.md"), *(PROJECT_DIR / "docs").rglob("*.md")])


def test_the_page_of_settings_names_every_variable_and_no_other() -> None:
    page = (PROJECT_DIR / "docs" / "settings.md").read_text()
    assert set(re.findall(r"^\| `(CARDROOM_[A-Z_]+)`", page, re.MULTILINE)) == set(VARIABLES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_readme_gives_the_two_commands_first() -> None:
    text = (PROJECT_DIR / "README.md").read_text()
    assert text.index("make run") < text.index("make test") < text.index("## One round, worked")
