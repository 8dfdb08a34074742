"""Tests say which provisions they prove: `@pytest.mark.clause("california:winners.2.a")`.

A mark takes one id or more; a parameter may carry its own (`pytest.param(…, marks=pytest.mark.clause(…))`). An id that
`docs/clauses` does not have stops the run at collection, as does one of a provision that is physical: nothing that a
program does can prove it. With `--clauses-report=FILE` the outcome of every marked test is written there by clause; of a run that
only collects (`--collect-only`), the tests without outcomes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.traceability.catalogue import PHYSICAL, catalogue

MARKER = "clause(*ids): the provisions of the rule documents that the test proves, as in docs/clauses"
_PROPERTY = "clause"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--clauses-report", metavar="FILE", help="write the outcomes of marked tests there, by clause"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    if config.getoption("--clauses-report") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(Path(config.getoption("--clauses-report"))))


@pytest.hookimpl(tryfirst=True)  # before any deselection: a wrong mark is wrong in every run
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse wrong marks, and note each test's clauses where its report will carry them."""
    wrong = [f"{item.nodeid}: {why}" for item in items for why in _wrong_marks(item)]
    if wrong:
        raise pytest.UsageError("clause marks that prove nothing:\n" + "\n".join(wrong))
    for item in items:
        item.user_properties += [(_PROPERTY, clause) for clause in clauses_of(item)]


def clauses_of(item: pytest.Item) -> list[str]:
    """The ids on a test, its class's and its parameter's included, each once."""
    return list(dict.fromkeys(str(id_) for mark in item.iter_markers("clause") for id_ in mark.args))


def _wrong_marks(item: pytest.Item) -> Iterator[str]:
    for mark in item.iter_markers("clause"):
        if not mark.args or mark.kwargs:
            yield "a clause mark takes ids, at least one, and nothing else"
        for id_ in mark.args:
            provision = catalogue().get(id_)
            if provision is None:
                yield f"there is no provision {id_!r}"
            elif provision.kind == PHYSICAL:
                yield f"{id_} is physical: no test of a program proves it"


class Outcomes:
    """Collects the outcome of every marked test and writes, by clause and test function, how often each came."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, dict[str, dict[str, int]]] = defaultdict(
            lambda: defaultdict(lambda: defaultdict(int))
        )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for clause in clauses_of(item):
                self.found[clause][item.nodeid.partition("[")[0]].update({})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # A call says how the test came out; before and after it only what went wrong, or that it was skipped.
        if report.when != "call" and report.outcome == "passed":
            return
        function = report.nodeid.partition("[")[0]
        for name, clause in report.user_properties:
            if name == _PROPERTY:
                self.found[str(clause)][function][report.outcome] += 1

    def pytest_sessionfinish(self) -> None:
        self.path.write_text(json.dumps(self.found, indent=1, sort_keys=True), encoding="utf-8")
