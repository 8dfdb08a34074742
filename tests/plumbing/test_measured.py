"""Measurements: their pages say when, by what and on which machine they were written; what they name is there."""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.api import test_fuzz
from tests.measure.conditions import ran_on
from tests.measure.drills.page import page as drills_page
from tests.measure.machine import page as machine
from tests.measure.mutation import page as mutation
from tests.measure.mutation.mutants import mutants_of
from tests.measure.mutation.subjects import ROOT, SUBJECTS, reasons
from tests.measure.pieces.__main__ import page as pieces
from tests.verify import test_attacks

_RESULT = mutation.ModuleResult("fees", "fees/quote.py", 1, [mutation.Outcome("one", 1, mutation.KILLED)])


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("mutants", lambda: mutation.page([_RESULT], {}, 1, 1, [])[0]),
        ("machine", lambda: machine.page({}, "No examples.")),
        ("drills", lambda: drills_page([], {}, "")),
        ("pieces", lambda: pieces([], "", "", 1.0)),
        ("fuzz-api", lambda: test_fuzz.page({}, [])),
        ("attacks", lambda: test_attacks.page([])),
    ],
)
def test_a_page_names_its_day_and_machine(target: str, page: Callable[[], str]) -> None:
    top = page().split("\n\n")[1:3]
    assert top[0].startswith(f"Written by `make {target}` (`tests/")
    assert f" on {datetime.now(UTC):%Y-%m-%d}; not edited by hand." in top[0]
    assert top[1].startswith("- Machine: ")
    assert top[1].partition(", load")[0] == f"- Machine: {ran_on()}".partition(", load")[0]


def test_the_modules_that_are_broken_and_their_tests_are_there() -> None:
    files = [file for subject in SUBJECTS for file in (subject.path, *subject.tests)]
    assert [file for file in files if not (ROOT / file).is_file()] == []


@pytest.mark.parametrize("path", reasons())
def test_a_reason_why_a_mutant_survives_is_of_a_mutant_that_can_be_made(path: str) -> None:
    assert path in {subject.path for subject in SUBJECTS}
    made = {mutant.name for mutant in mutants_of(ast.parse((ROOT / path).read_text(encoding="utf-8")))}
    assert [name for name in reasons()[path] if name not in made] == []
