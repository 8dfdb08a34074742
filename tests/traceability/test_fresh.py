"""A page of docs/traceability that is out of date is found without running the tests."""

from __future__ import annotations

import pytest

from tests.traceability.catalogue import Provision
from tests.traceability.page import page, stale_rows
from tests.traceability.verdicts import Outcomes, verdicts_of

COLLECTED: Outcomes = {"tests/test_some.py::test_it": {}}
RUN: Outcomes = {"tests/test_some.py::test_it": {"passed": 2}}


def provision(clause: str, **changed: object) -> Provision:
    given = {
        "kind": "wager",
        "summary": "Antes come first",
        "effect": "An ante | first",
        "enforced": ("games.three_card_poker.sheet",),
    }
    return Provision(rulebook="california", clause=clause, **{"planned": "", **given, **changed})


def made(provisions: list[Provision], outcomes: Outcomes) -> str:
    """The page of provisions whose tests, all the same, came out so."""
    planned = {each.id for each in provisions if each.planned}
    return page("T", verdicts_of(provisions, {p.id: outcomes for p in provisions if p.id not in planned}))


ANTE = provision("dealing.3")
PLANNED = provision("later", kind="display", enforced=(), planned="screen: it comes with the next one")


def test_a_page_made_from_the_same_marks_is_up_to_date() -> None:
    assert not list(stale_rows(made([ANTE, PLANNED], RUN), made([ANTE, PLANNED], COLLECTED)))


@pytest.mark.parametrize(
    ("now", "message"),
    [
        ([provision("dealing.3", effect="Another")], "dealing.3 has changed"),
        ([provision("dealing.3", enforced=("games.bank",))], "dealing.3 has changed"),
        ([ANTE, provision("new")], "new is missing"),
        ([], "dealing.3 is no provision any more"),
    ],
)
def test_what_has_changed_since_is_named(now: list[Provision], message: str) -> None:
    (found,) = stale_rows(made([ANTE], RUN), made(now, COLLECTED))
    assert message in found


def test_a_mark_moved_to_another_test_is_found() -> None:
    moved: Outcomes = {"tests/test_other.py::test_it": {}}
    (found,) = stale_rows(made([ANTE], RUN), made([ANTE], moved))
    assert "its tests" in found


@pytest.mark.parametrize("counts", [{"failed": 1}, {"failed": 1, "passed": 3}, {"skipped": 1}])
def test_a_page_that_tells_of_tests_that_did_not_pass_is_out_of_date(counts: dict[str, int]) -> None:
    ran: Outcomes = {"tests/test_some.py::test_it": counts}
    (found,) = stale_rows(made([ANTE], ran), made([ANTE], COLLECTED))
    assert "dealing.3 stands as" in found


def test_a_plan_of_which_some_tests_pass_is_up_to_date_until_its_words_or_its_tests_change() -> None:
    def page_of(planned: Provision, outcomes: Outcomes) -> str:
        return page("T", verdicts_of([planned], {planned.id: outcomes}))

    committed = page_of(PLANNED, RUN)
    assert "2 passed; the rest is planned" in committed
    assert not list(stale_rows(committed, page_of(PLANNED, COLLECTED)))
    other = provision("later", kind="display", enforced=(), planned="screen: it comes much later than that")
    [found] = stale_rows(committed, page_of(other, COLLECTED))
    assert "and should as" in found
    [found] = stale_rows(
        page_of(PLANNED, {"tests/test_some.py::test_it": {"failed": 1}}), page_of(PLANNED, COLLECTED)
    )
    assert "stands as '1 failed" in found


def test_a_plan_that_has_ended_is_out_of_date_and_so_is_one_that_says_otherwise() -> None:
    ended = provision("later", kind="display")
    (found,) = stale_rows(made([PLANNED], RUN), made([ended], COLLECTED))
    assert "later has changed" in found
    other = provision("later", kind="display", enforced=(), planned="screen: it comes much later than that")
    (found,) = stale_rows(made([PLANNED], RUN), made([other], COLLECTED))
    assert "and should as" in found
