"""The pages of docs say what is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR, VARIABLES

PAGES = sorted([*PROJECT_DIR.glob("*.md"), *(PROJECT_DIR / "docs").rglob("*.md")])

#: Pages whose paths are checked. Those of `docs/measured` name the paths of their day.
WRITTEN = [
    *(PROJECT_DIR / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((PROJECT_DIR / "docs").glob("*.md")),
    PROJECT_DIR / "docs" / "measured" / "README.md",
    *sorted((PROJECT_DIR / "docs" / "recipes").glob("*.md")),
]
#: Where a path may begin: docs name modules from the project, from `cardroom/`, and on pages about the floor from there.
STARTS = [PROJECT_DIR / start for start in (".", "cardroom", "cardroom/floor", "templates/web")]
FOLDERS = {each.name for start in STARTS for each in start.iterdir() if each.is_dir()}
#: Names of the files of the product and of its tests.
FILES = {
    each.name
    for folder in ("cardroom", "fees", "games", "templates", "tests", "docs")
    for each in (PROJECT_DIR / folder).rglob("*.*")
}
PATH = re.compile(r"`((?:[\w.-]+/)*[\w.-]*)`")
SOURCE = re.compile(r".\.(py|toml|html|js|css|md)$")


def missing_of(text: str) -> list[str]:
    """Return the paths in backticks that are not there.

    `dir/file.py` is a path, and so is anything below a folder of the project. `file.py` is the name of a file somewhere.
    """
    found = PATH.findall(text)
    names = {path for path in found if "/" not in path and SOURCE.search(path)}
    paths = {path for path in found if "/" in path and (SOURCE.search(path) or path.split("/")[0] in FOLDERS)}
    there = {path for path in names | paths if any((start / path).exists() for start in STARTS)}
    missing = (names - FILES | paths) - there
    return [path for path in found if path in missing]


def test_the_page_of_settings_names_every_variable_and_no_other() -> None:
    page = (PROJECT_DIR / "docs" / "settings.md").read_text()
    assert set(re.findall(r"^\| `(CARDROOM_[A-Z_]+)`", page, re.MULTILINE)) == set(VARIABLES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    assert missing_of(page.read_text()) == []


def test_a_path_that_is_not_there_is_found() -> None:
    there = "`games/rotation/`, `cardroom/floor/checks/rounds.py`, `reports/shift/tie_out.py`, `pyproject.toml`, `tie_out.py`, `a/b`"
    assert missing_of(there) == []
    gone = ["games/gone.py", "services/gone.py", "cardroom/gone", "gone.py"]
    assert missing_of(", ".join(f"`{path}`" for path in gone)) == gone


def test_the_readme_gives_the_two_commands_first() -> None:
    text = (PROJECT_DIR / "README.md").read_text()
    assert text.index("make run") < text.index("make test") < text.index("## Features")
