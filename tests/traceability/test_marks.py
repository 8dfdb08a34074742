"""Marks on tests: an unknown id stops the run, and outcomes are reported by clause."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.samples import ROOT

MARKED = """
import pytest

@pytest.mark.clause("california:winners.2.a", "california:winners.2.b")
def test_both():
    pass

@pytest.mark.parametrize("n", [
    1, pytest.param(2, marks=pytest.mark.clause("california:winners.2.c"))
])
def test_each(n):
    assert n != 2

@pytest.mark.clause("california:type.1")
class TestBank:
    @pytest.fixture
    def bank(self):
        raise RuntimeError

    def test_error(self, bank):
        pass

    @pytest.mark.skip
    def test_skip(self):
        pass

def test_unmarked():
    pass
"""


def run(folder: Path, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest of its own on one file, with the plugin and without the site's settings."""
    (folder / "test_some.py").write_text(source, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.clauses",
        "-p",
        "no:cacheprovider",
    ]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", str(folder), *arguments, "test_some.py"],
        cwd=folder, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip


def report(folder: Path, *arguments: str) -> dict[str, Any]:
    run(folder, MARKED, f"--clauses-report={folder / 'report.json'}", *arguments)
    found: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.outside
@pytest.mark.parametrize("arguments", [[], ["-p", "xdist", "-n", "2"]], ids=["one process", "two processes"])
def test_outcomes_are_written_by_clause_and_test(tmp_path: Path, arguments: list[str]) -> None:
    assert report(tmp_path, *arguments) == {
        "california:winners.2.a": {"test_some.py::test_both": {"passed": 1}},
        "california:winners.2.b": {"test_some.py::test_both": {"passed": 1}},
        "california:winners.2.c": {"test_some.py::test_each": {"failed": 1}},
        "california:type.1": {
            "test_some.py::TestBank::test_error": {"failed": 1},
            "test_some.py::TestBank::test_skip": {"skipped": 1},
        },
    }


@pytest.mark.outside
def test_a_run_that_only_collects_writes_the_tests_without_outcomes(tmp_path: Path) -> None:
    found = report(tmp_path, "--collect-only")
    assert found["california:winners.2.c"] == {"test_some.py::test_each": {}}
    assert set(found["california:type.1"]) == {
        "test_some.py::TestBank::test_error",
        "test_some.py::TestBank::test_skip",
    }


@pytest.mark.outside
def test_an_id_that_no_provision_has_stops_the_run(tmp_path: Path) -> None:
    ran = run(tmp_path, MARKED.replace("winners.2.b", "winners.9.z"))
    assert ran.returncode == 4
    assert (
        "test_some.py::test_both: there is no provision 'california:winners.9.z'" in ran.stderr + ran.stdout
    )


@pytest.mark.outside
def test_so_does_one_of_a_provision_that_is_physical_and_a_mark_without_an_id(tmp_path: Path) -> None:
    physical = run(tmp_path, MARKED.replace("winners.2.b", "deck.1"))
    assert physical.returncode == 4 and "california:deck.1 is physical" in physical.stderr + physical.stdout
    empty = run(tmp_path, MARKED.replace('"california:type.1"', ""))
    assert empty.returncode == 4 and "takes ids" in empty.stderr + empty.stdout
