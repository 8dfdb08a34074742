"""Drills: one passes only where it could have failed, and writes its own section of the page alone."""

from __future__ import annotations

import dataclasses
import re

from cardroom.config.environment import PROJECT_DIR
from tests.measure.drills.drill import Drill, Run, failures
from tests.measure.drills.every import DRILLS
from tests.measure.drills.moved import DUMP, RESTORE
from tests.measure.drills.page import page, read, section

ONE = Drill("one", "The first", "What is done.", lambda place: iter(()))
OTHER = dataclasses.replace(ONE, name="two-more", title="The second")


def test_a_drill_fails_by_a_fault_and_by_a_control_without_one() -> None:
    whole, control = Run("as it is", figures={"found": 7}), Run("without", control=True)
    assert failures([whole, control]) == ["without: came out whole, so that this drill could not fail"]
    control.must(False, "3 are missing")
    control.must(True, "never said")
    assert failures([whole, control]) == []
    whole.must(False, "1 is missing")
    assert failures([whole, control]) == ["as it is: 1 is missing"]


def test_a_drill_without_a_control_or_of_controls_alone_fails() -> None:
    broken = Run("without", control=True, faults=["gone"])
    for runs in ([], [Run("as it is")], [broken]):
        assert failures(runs) == ["the drill has no run as it is, or no control"]


def test_a_drill_that_is_run_alone_leaves_the_sections_of_the_others() -> None:
    runs = [Run("as it is", figures={"found": 1234}), Run("without", control=True, faults=["gone"])]
    first = page([ONE, OTHER], {"two-more": section(OTHER, runs, 3)}, "")
    both = page([ONE, OTHER], {"one": section(ONE, runs, 5)}, first)
    assert [line for line in both.splitlines() if line.startswith("## ")] == [
        "## one: The first",
        "## two-more: The second",
    ]
    assert section(OTHER, runs, 3).strip() in both
    assert "| found | 1,234 |  |\n" in both
    assert "| came out | whole | broken |\n" in both
    assert "- without: gone\n" in both
    assert page([ONE], {}, both).count("\n## ") == 1, "a drill that is gone has no section"


def test_every_drill_has_a_name_of_its_own_and_a_section_or_is_said_never_to_have_been_run() -> None:
    names = [drill.name for drill in DRILLS]
    assert len(set(names)) == len(names)
    (never,) = re.findall(r"Never run to its end yet: (.*)\.$", read(), re.MULTILINE)
    assert [name for name in names if (f"\n## {name}: " in read()) == (f"`{name}`" in never)] == []


def test_the_drill_of_moving_dumps_and_restores_as_the_operators_page_says() -> None:
    page = (PROJECT_DIR / "docs" / "deployment.md").read_text(encoding="utf-8")
    written = " ".join(page.replace("\\\n", " ").split())
    for words in (DUMP, RESTORE):
        assert f"sudo -u postgres {' '.join(words)} --" in written
