"""Pages of docs/measured say at their top when they were written, by what, and on which machine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.api import test_fuzz
from tests.measure.conditions import ran_on
from tests.measure.machine import page as machine
from tests.measure.mutation import page as mutation
from tests.verify import test_attacks

_RESULT = mutation.ModuleResult("fees", "fees/quote.py", 1, [mutation.Outcome("one", 1, mutation.KILLED)])


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("mutants", lambda: mutation.page([_RESULT], {}, 1, 1, [])[0]),
        ("machine", lambda: machine.page({}, "No examples.")),
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
