"""What makes `make clauses` fail, and the page it writes."""

from __future__ import annotations

import pytest

from tests.traceability.catalogue import Provision
from tests.traceability.page import page
from tests.traceability.verdicts import verdict_of

PASSED = {"tests/a.py::test_it": {"passed": 2}}
FAILED = {"tests/a.py::test_it": {"passed": 1}, "tests/b.py::TestIt::test_it": {"failed": 1}}
SKIPPED = {"tests/a.py::test_it": {"skipped": 1}}


def provision(kind: str, *, planned: str = "", place: str = "games.engine.settle") -> Provision:
    enforced = () if planned or kind == "physical" else (place,)
    return Provision("california", "1(a)", kind, "text", "does | so", enforced, planned)


@pytest.mark.parametrize("kind", ["settlement", "wager", "paytable", "fee", "bank"])
def test_what_money_or_play_depends_on_needs_a_test_that_passed(kind: str) -> None:
    assert verdict_of(provision(kind), PASSED).problems == ()
    for outcomes in ({}, SKIPPED):
        (problem,) = verdict_of(provision(kind), outcomes).problems
        assert problem == f"california:1(a) ({kind}) has no test that passed: does | so"


@pytest.mark.parametrize("kind", ["record", "display"])
def test_what_is_recorded_or_shown_needs_a_test_or_a_plan(kind: str) -> None:
    assert verdict_of(provision(kind), PASSED).problems == ()
    assert verdict_of(provision(kind, planned="placard: it waits"), {}).problems == ()
    (problem,) = verdict_of(provision(kind), {}).problems
    assert "neither a test that passed nor a plan" in problem


def test_a_plan_stands_as_one_whatever_passes_of_it_and_a_failure_stands_above_it() -> None:
    planned = provision("record", planned="placard: it waits")
    assert (verdict_of(planned, {}).state, verdict_of(planned, {}).problems) == ("planned", ())
    assert (verdict_of(planned, PASSED).state, verdict_of(planned, PASSED).problems) == ("planned", ())
    assert "2 passed; the rest is planned: placard: it waits" in page("T", [verdict_of(planned, PASSED)])
    assert verdict_of(planned, FAILED).state == "failed" and verdict_of(planned, FAILED).problems


def test_what_is_physical_needs_nothing() -> None:
    verdict = verdict_of(provision("physical"), {})
    assert (verdict.problems, verdict.state) == ((), "physical")


def test_one_failed_test_is_named_even_beside_one_that_passed() -> None:
    verdict = verdict_of(provision("fee"), FAILED)
    assert verdict.problems == ("california:1(a) is not kept: tests/b.py::TestIt::test_it failed",)
    assert (verdict.state, verdict.count("passed"), verdict.count("failed")) == ("failed", 1, 1)


def test_a_place_that_is_gone_is_named() -> None:
    (problem,) = verdict_of(provision("fee", place="games.three_card_poker.settle.unsettle"), PASSED).problems
    assert (
        "games.three_card_poker.settle.unsettle" in problem
        and "games/three_card_poker/settle.py has no unsettle" in problem
    )


def test_the_page_has_a_row_for_each_provision_and_is_the_same_every_time() -> None:
    verdicts = [
        verdict_of(provision("fee"), FAILED),
        verdict_of(provision("display", planned="placard: it waits"), {}),
        verdict_of(provision("physical"), {}),
    ]
    written = page("A title", verdicts)
    assert written == page("A title", verdicts)
    rows = [line for line in written.splitlines() if line.startswith("| `1(a)`")]
    assert len(rows) == 3
    assert "does \\| so" in rows[0] and "[`TestIt.test_it`](../../tests/b.py)" in rows[0]
    assert "[`games.engine.settle`](../../games/engine.py)" in rows[0] and "1 failed, 1 passed" in rows[0]
    assert "planned: placard: it waits" in rows[1] and rows[2].endswith("| – |")
    assert "| **all** | 3 |  | 1 |  | 1 | 1 |" in written
