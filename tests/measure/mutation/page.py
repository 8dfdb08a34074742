"""docs/measured/mutants.md: what became of the mutants of each module, and why those that survived are let live."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from tests.measure.conditions import ran_on, written_by

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
    #: The commit at which that was.
    commit: str = ""

    def count(self, outcome: str) -> int:
        """How many came out so."""
        return sum(each.outcome == outcome for each in self.outcomes)

    def percent(self, without: int = 0) -> float:
        """How many of a hundred were noticed, of all or of all less so many."""
        made = len(self.outcomes) - without
        return 100 * (len(self.outcomes) - self.count(SURVIVED)) / made if made else 100.0


#: Why nobody can tell a mutant from the module, by module and name.
Reasons = Mapping[str, Mapping[str, str]]


def page(
    results: list[ModuleResult], reasons: Reasons, most: int, seed: int, missing: list[str]
) -> tuple[str, list[str]]:
    """Return the page, and what falls short; of the modules that are `missing` no run has been kept."""
    wrong = list(_short(results, reasons))
    made = sum(len(result.outcomes) for result in results)
    noticed = made - sum(result.count(SURVIVED) for result in results)
    of = f"at most {most} of each module, chosen by the seed {seed}" if most else "all of them"
    lines = [
        "# Mutants",
        "",
        written_by("mutants", "tests/measure/mutation/"),
        "",
        f"- Machine: {ran_on()}.",
        "",
        "Each mutant is a module with one expression or statement changed: a comparison, an operator, a condition, a whole number",
        "by one, a member of an enumeration, a value returned, two arguments that changed places, a statement left out. The tests",
        "that belong to the module must fail. Some change nothing that anybody can observe; each of these has its reason below, and",
        "the last column leaves them out.",
        "",
        f"{made} mutants were made of {sum(result.all for result in results)}: {of}. Noticed: {noticed} ({100 * noticed / made:.0f} %).",
        *_commits(results),
        "",
        "| Part | Module | Possible | Made | Killed | Timed out | Survived | Noticed | Noticed of those that can be |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for result in results:
        counts = (
            result.all,
            len(result.outcomes),
            *(result.count(each) for each in (KILLED, TIMED_OUT, SURVIVED)),
        )
        row = " | ".join(str(count) for count in counts)
        lines.append(
            f"| {result.part} | `{result.path}` | {row} | {result.percent():.0f} % | {result.percent(_same(result, reasons)):.0f} % |"
        )
    if missing:
        lines += ["", f"Not run yet: {', '.join(f'`{path}`' for path in missing)}."]
    lines += ["", "## Survivors", ""]
    for result in results:
        for each in result.outcomes:
            if each.outcome == SURVIVED:
                why = reasons.get(result.path, {}).get(each.name, "**a gap**")
                lines.append(f"- `{result.path}`, line {each.line}, `{each.name}`: {why}")
    return "\n".join(lines) + "\n", wrong


def _commits(results: list[ModuleResult]) -> Iterator[str]:
    """Say at which commit the modules were run, and of each module that was run again later."""
    runs: dict[str, list[str]] = {}
    for result in results:
        runs.setdefault(result.commit, []).append(f"`{result.path}`")
    first = max(runs, key=lambda commit: len(runs[commit]))
    yield f"Run at commit `{first}`."
    for commit, modules in runs.items():
        if commit != first:
            yield f"At commit `{commit}`: {', '.join(modules)}."


def _same(result: ModuleResult, reasons: Reasons) -> int:
    """How many survivors nobody can tell from the module."""
    known = reasons.get(result.path, {})
    return sum(each.outcome == SURVIVED and each.name in known for each in result.outcomes)


def _short(results: list[ModuleResult], reasons: Reasons) -> Iterator[str]:
    for result in results:
        noticed = result.percent(_same(result, reasons))
        if noticed < GOAL:
            yield f"{result.path}: {noticed:.0f} % are noticed of those that can be, less than {GOAL} %"
        known = reasons.get(result.path, {})
        for each in result.outcomes:
            if each.outcome == SURVIVED and each.name not in known:
                yield f"{result.path}:{each.line}: no reason for {each.name}"
            if each.outcome != SURVIVED and each.name in known:
                yield f"{result.path}: has a reason and is noticed: {each.name}"
