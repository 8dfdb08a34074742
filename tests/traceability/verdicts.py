"""Provisions beside the outcomes of their tests: what is proven, what is planned, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.traceability.catalogue import PHYSICAL, PROVEN, Provision
from tests.traceability.places import why_not_there

Outcomes = Mapping[str, Mapping[str, int]]
"""By test function, how many of its runs `passed`, `failed` or were `skipped`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One provision with its tests. `problems` are sentences that make the run fail."""

    provision: Provision
    outcomes: Outcomes
    problems: tuple[str, ...]

    def count(self, outcome: str) -> int:
        """How many runs of its tests came out so."""
        return sum(counts.get(outcome, 0) for counts in self.outcomes.values())

    @property
    def state(self) -> str:
        """`failed`, `planned`, `passed`, `physical` or `none`, in that order of weight.

        What is planned is not kept yet, whatever passes of it.
        """
        if self.count("failed"):
            return "failed"
        if self.provision.planned:
            return "planned"
        if self.count("passed"):
            return "passed"
        return PHYSICAL if self.provision.kind == PHYSICAL else "none"


def verdict_of(provision: Provision, outcomes: Outcomes) -> Verdict:
    """The verdict on one provision by the outcomes of the tests that carry its id."""
    return Verdict(provision, outcomes, tuple(_problems(provision, outcomes)))


def verdicts_of(provisions: Iterable[Provision], report: Mapping[str, Outcomes]) -> list[Verdict]:
    """Verdicts on provisions by a report of `tests.clauses`."""
    return [verdict_of(provision, report.get(provision.id, {})) for provision in provisions]


def _problems(provision: Provision, outcomes: Outcomes) -> Iterator[str]:
    for place in provision.enforced:
        if why := why_not_there(place):
            yield f"{provision.id} names {place} as where it is enforced, but {why}"
    failed = [test for test, counts in outcomes.items() if counts.get("failed")]
    for test in failed:
        yield f"{provision.id} is not kept: {test} failed"
    if failed or provision.kind == PHYSICAL or any(counts.get("passed") for counts in outcomes.values()):
        return
    if provision.planned:
        return
    if provision.kind in PROVEN:
        yield f"{provision.id} ({provision.kind}) has no test that passed: {provision.effect}"
    else:
        yield f"{provision.id} ({provision.kind}) has neither a test that passed nor a plan: {provision.effect}"
