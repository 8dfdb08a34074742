"""docs/mutants.md: what became of the mutants of each module, and why those that survived are let live."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

KILLED, TIMED_OUT, SURVIVED = "killed", "timed out", "survived"
#: Of a hundred mutants of a module at least so many are to be noticed.
GOAL = 90


class Outcome(msgspec.Struct):
    """What became of one mutant."""

    name: str
    line: int
    outcome: str


class ModuleResult(msgspec.Struct):
    """What became of those that were made of a module, out of `all`."""

    part: str
    path: str
    all: int
    outcomes: list[Outcome]
    #: A digest of the test files that they were last tried against.
    tests: str = ""

    def count(self, outcome: str) -> int:
        """How many came out so."""
        return sum(each.outcome == outcome for each in self.outcomes)

    @property
    def percent(self) -> float:
        """How many of a hundred were noticed."""
        return 100 * (1 - self.count(SURVIVED) / len(self.outcomes)) if self.outcomes else 100.0


Reasons = Mapping[str, Mapping[str, str]]


def page(results: list[ModuleResult], reasons: Reasons, most: int, seed: int) -> tuple[str, list[str]]:
    """Return the page, and what falls short."""
    wrong = list(_short(results, reasons))
    made = sum(len(result.outcomes) for result in results)
    noticed = made - sum(result.count(SURVIVED) for result in results)
    of = f"at most {most} of each module, chosen by the seed {seed}" if most else "all of them"
    lines = [
        "# Mutants",
        "",
        "Written by `make mutants` (`tests/mutation/`); not edited by hand.",
        "",
        "Each mutant is a module with one expression or statement changed: a comparison, an operator, a condition, a whole number",
        "by one, a member of an enumeration, a value returned, two arguments that changed places, a statement left out. The tests",
        "that belong to the module must fail. Mutants that change nothing anybody can observe are counted as survivors.",
        "",
        f"{made} mutants were made of {sum(result.all for result in results)}: {of}. Noticed: {noticed} ({100 * noticed / made:.0f} %).",
        "",
        "| Part | Module | Possible | Made | Killed | Timed out | Survived | Noticed |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for result in results:
        counts = (
            result.all,
            len(result.outcomes),
            *(result.count(each) for each in (KILLED, TIMED_OUT, SURVIVED)),
        )
        row = " | ".join(str(count) for count in counts)
        lines.append(f"| {result.part} | `{result.path}` | {row} | {result.percent:.0f} % |")
    lines += ["", "## Survivors", ""]
    for result in results:
        for each in result.outcomes:
            if each.outcome == SURVIVED:
                why = reasons.get(result.path, {}).get(each.name, "**no reason is given**")
                lines.append(f"- `{result.path}`, line {each.line}, `{each.name}`: {why}")
    return "\n".join(lines) + "\n", wrong


def _short(results: list[ModuleResult], reasons: Reasons) -> Iterator[str]:
    for result in results:
        if result.percent < GOAL:
            yield f"{result.path}: {result.percent:.0f} % are noticed, less than {GOAL} %"
        known = reasons.get(result.path, {})
        for each in result.outcomes:
            if each.outcome == SURVIVED and each.name not in known:
                yield f"{result.path}:{each.line}: no reason for {each.name}"
            if each.outcome != SURVIVED and each.name in known:
                yield f"{result.path}: has a reason and is noticed: {each.name}"
