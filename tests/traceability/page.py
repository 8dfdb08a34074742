"""The traceability page of one rulebook, in Markdown. The same verdicts always make the same page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.traceability.catalogue import KINDS, PHYSICAL
from tests.traceability.places import file_of, why_not_there
from tests.traceability.verdicts import Verdict

#: From docs/traceability to the project's root.
_UP = "../../"
#: What the last column says of tests that were collected and not run, and of those that passed.
_NO_OUTCOME = "none"
#: Between what came of the tests and what is planned still.
_REST = "; the rest is planned: "
_PASSED = re.compile(r"\d+ passed(, \d+ skipped)?$")
_STATES = ("passed", "failed", "none", "planned", PHYSICAL)


def page(title: str, verdicts: Sequence[Verdict]) -> str:
    """The whole page: totals by kind, then a row for each provision in the order of the document."""
    return "\n".join([f"# {title}", "", *_preface(), *_totals(verdicts), "", *_rows(verdicts), ""])


def _preface() -> Iterator[str]:
    yield "Written by `make clauses`; do not edit. [What the columns mean](README.md)."
    yield ""


def stale_rows(committed: str, fresh: str) -> Iterator[str]:
    """What of a committed page is out of date, a sentence for each row; nothing when it is what it should be.

    `fresh` is the page as it would be made, its last column apart: that one reports a run, and a committed page may
    only report one in which the tests passed, or what is planned still.
    """
    old, new = _by_clause(committed), _by_clause(fresh)
    for clause in old.keys() - new.keys():
        yield f"{clause} is no provision any more"
    for clause, (row, last) in new.items():
        if clause not in old:
            yield f"{clause} is missing"
        elif old[clause][0] != row:
            yield f"{clause} has changed: its words, its places or its tests"
        elif (why := _why_stale(old[clause][1], last)) is not None:
            yield f"{clause} stands as {old[clause][1]!r}{why}"


def _why_stale(old: str, new: str) -> str | None:
    """None when the last column `old` may stand where `new` would be made without running the tests."""
    outcome, _, plan = old.partition(_REST)
    collected, _, planned = new.partition(_REST)
    if plan != planned:
        return f" and should as {new!r}"
    if collected == _NO_OUTCOME:
        return None if _PASSED.match(outcome) else ""
    return None if outcome == collected else f" and should as {new!r}"


def _by_clause(text: str) -> dict[str, tuple[str, str]]:
    """The rows of a page by clause: all but the last cell, and the last."""
    rows = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            row, _, last = line.removesuffix(" |").rpartition(" | ")
            rows[row.split("`")[1]] = (row, last)
    return rows


def _totals(verdicts: Sequence[Verdict]) -> Iterator[str]:
    found = Counter((verdict.provision.kind, verdict.state) for verdict in verdicts)
    yield f"| kind | provisions | {' | '.join(_STATES)} |"
    yield "|---|" + "--:|" * (1 + len(_STATES))
    for kind in (kind for kind in KINDS if any(found[kind, state] for state in _STATES)):
        counts = [found[kind, state] for state in _STATES]
        yield f"| {kind} | {sum(counts)} | {' | '.join(str(count or '') for count in counts)} |"
    sums = [sum(found[kind, state] for kind in KINDS) for state in _STATES]
    yield f"| **all** | {sum(sums)} | {' | '.join(str(count or '') for count in sums)} |"


def _rows(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "| clause | kind | what it says | what the software does | where | tests | last run |"
    yield "|---|---|---|---|---|---|---|"
    for verdict in verdicts:
        provision = verdict.provision
        cells = (
            f"`{provision.clause}`",
            provision.kind,
            provision.summary,
            provision.effect,
            "<br>".join(_place(place) for place in provision.enforced),
            "<br>".join(_test(name) for name in sorted(verdict.outcomes)),
            _result(verdict),
        )
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _place(place: str) -> str:
    shown = place.replace("games/three_card_poker/rulebooks/", "").replace("cardroom.", "")
    return f"`{shown}`" if why_not_there(place) else f"[`{shown}`]({_UP}{file_of(place)})"


def _test(name: str) -> str:
    path, _, function = name.partition("::")
    return f"[`{function.replace('::', '.')}`]({_UP}{path})"


def _result(verdict: Verdict) -> str:
    if verdict.state == "planned" and not verdict.outcomes:
        return f"planned: {verdict.provision.planned}"
    if verdict.state == PHYSICAL:
        return "–"
    counts = [
        f"{verdict.count(outcome)} {outcome}"
        for outcome in ("failed", "passed", "skipped")
        if verdict.count(outcome)
    ]
    result = ", ".join(counts) or _NO_OUTCOME
    return f"{result}{_REST}{verdict.provision.planned}" if verdict.provision.planned else result


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
