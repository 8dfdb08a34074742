"""`make fuzz-api`: made-up requests to every operation of the API, of each role as many; writes docs/measured/fuzz-api.md."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.measure.conditions import ran_on, written_by

from .fuzz import CALLERS, ELSEWHERE, NOBODY, OUTSIDER, Asker, Made, requests, world
from .test_rights import OPERATIONS

#: Where the page is written (`make fuzz-api`), and how many requests each role sends to each operation.
WRITES_TO, REQUESTS = "FUZZ_WRITTEN_TO", int(os.environ.get("FUZZ_REQUESTS", "3"))


@pytest.mark.slow
@pytest.mark.django_db
def test_whatever_each_role_sends_is_answered_as_written_and_by_its_rights() -> None:
    statuses: dict[str, Counter[int]] = {who: Counter() for who in CALLERS}
    findings: list[tuple[str, str]] = []
    with world() as cast:
        for method, path in OPERATIONS:
            asker = Asker(cast, method, path)
            for who in CALLERS:
                asked = _asked(asker, who, statuses[who], (method, path))
                findings += [(who, found) for found in asked]
    if written_to := os.environ.get(WRITES_TO):
        Path(written_to).write_text(page(statuses, findings), encoding="utf-8")
    assert findings == []


def _asked(asker: Asker, who: str, statuses: Counter[int], operation: tuple[str, str]) -> Iterator[str]:
    """Send the requests of one role to one operation, count how they are answered, and yield what is wrong."""
    wrong: list[str] = []

    @settings(
        max_examples=REQUESTS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(made=requests(*operation))
    def ask(made: Made) -> None:
        try:
            statuses[asker.ask(who, made)] += 1
        except (AssertionError, Exception) as error:  # noqa: BLE001  # each is a finding, and the others go on
            wrong.append(f"{' '.join(operation)}: {str(error).splitlines()[0]}")

    ask()
    yield from dict.fromkeys(wrong)


_NAMES = {
    ELSEWHERE: "the right in another room alone",
    OUTSIDER: "no role anywhere",
    NOBODY: "nobody signed in",
}


def page(statuses: dict[str, Counter[int]], findings: list[tuple[str, str]]) -> str:
    """Return docs/measured/fuzz-api.md."""
    requests_sent = sum(sum(counted.values()) for counted in statuses.values()) + len(findings)
    lines = [
        "# Made-up requests to the API",
        "",
        written_by("fuzz-api", "tests/api/test_fuzz.py"),
        "",
        f"- Machine: {ran_on()}.",
        "",
        f"Schemathesis drew {requests_sent} requests from the OpenAPI document, well formed and malformed: {REQUESTS} of each role to",
        f"each of {len(OPERATIONS)} operations, most of them to rows that there are and on their present version. Every answer must have",
        "a status, headers and a shape that the document names, and none may be a 5xx. A role without the operation's right",
        "gets nothing but refusals that tell nothing of the room, and no refusal writes anything.",
        "",
        "| Who asks | Operations | Answered | 2xx | 400, 422, 428 | 401 | 403 | 404 | 409, 412 | Other | Findings |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for who, counted in statuses.items():
        columns = [
            sum(count for status, count in counted.items() if status in among)
            for among in (range(200, 300), (400, 422, 428), (401,), (403,), (404,), (409, 412))
        ]
        answered = sum(counted.values())
        found = sum(of == who for of, _ in findings)
        cells = [len(OPERATIONS), answered, *columns, answered - sum(columns), found]
        lines.append(f"| {_NAMES.get(who, who.replace('_', ' '))} | {' | '.join(map(str, cells))} |")
    if findings:
        lines += ["", "## Findings", "", *(f"- {who}: {found}" for who, found in findings)]
    return "\n".join(lines) + "\n"
