"""`make mutants`: break the modules of `subjects.py`, run their tests, and write docs/measured/mutants.md.

    python -m tests.measure.mutation [--most N] [--seed N] [--kept] [MODULE …]

At most N mutants of a module are made, chosen by the seed. With modules named, only these are broken and no page is
written. What a module came to is kept in var/mutants until it or the seed changes: a mutant that was noticed is not made
again, and those that survived are when tests have changed. With `--kept` nothing is run, and the page has the modules of
which a result is kept. The command fails where fewer than nine in ten are noticed or a survivor has no reason in
`survivors.toml`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.measure.mutation.page import SURVIVED, ModuleResult, Outcome, page
from tests.measure.mutation.subjects import HERE, ROOT, SUBJECTS, Subject, reasons

_KEPT = ROOT / "var" / "mutants"


def main() -> int:
    """Break the modules and write the page; return 0 if all are noticed well enough."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.mutation")
    parser.add_argument("--most", type=int, default=12, help="mutants of a module at most; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="by which they are chosen")
    parser.add_argument("--kept", action="store_true", help="write the page of what was kept alone")
    parser.add_argument("modules", nargs="*", help="break these alone, and write no page")
    given = parser.parse_args()
    chosen = [subject for subject in SUBJECTS if not given.modules or subject.path in given.modules]
    if not chosen:
        parser.error(f"no such module; there are {', '.join(subject.path for subject in SUBJECTS)}")
    _KEPT.mkdir(parents=True, exist_ok=True)
    most = given.most or None
    if given.kept:
        chosen = [subject for subject in chosen if _kept(subject, most, given.seed).exists()]
    results = [_result(subject, most, given.seed, run=not given.kept) for subject in chosen]
    missing = [subject.path for subject in SUBJECTS if subject not in chosen] if given.kept else []
    text, wrong = page(results, reasons(), given.most, given.seed, missing)
    print(text)
    if not given.modules:
        (ROOT / "docs" / "measured" / "mutants.md").write_text(text, encoding="utf-8")
    for what in wrong:
        print(what, file=sys.stderr)
    return 1 if wrong else 0


def _kept(subject: Subject, most: int | None, seed: int) -> Path:
    """Where the result of a module is kept, by its current source and the mutants that are made of it."""
    files = [ROOT / subject.path, HERE / "mutants.py"]
    return _KEPT / f"{subject.path.replace('/', '_')}-{_digest(files, repr((most, seed)))}.json"


def _digest(files: list[Path], said: str = "") -> str:
    digest = hashlib.sha256(said.encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _result(subject: Subject, most: int | None, seed: int, *, run: bool) -> ModuleResult:
    """What became of the mutants of one module; of those of an earlier run the survivors are tried again if tests have changed."""
    kept, tests = _kept(subject, most, seed), _digest([ROOT / file for file in subject.tests])
    before = msgspec.json.decode(kept.read_bytes(), type=ModuleResult) if kept.exists() else None
    if before is None or (run and before.tests != tests and before.count(SURVIVED)):
        print(f"mutants: {subject.path}", file=sys.stderr, flush=True)
        now = _run(subject, most, seed, kept.with_suffix(".tmp"), before)
        now.tests, now.commit = tests, _commit()
        kept.write_bytes(msgspec.json.encode(now))
        return now
    return before


def _commit() -> str:
    """The commit that is checked out, and whether the files differ from it."""
    command = ["git", "describe", "--always", "--exclude=*", "--dirty", "--abbrev=10"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _run(
    subject: Subject, most: int | None, seed: int, results: Path, before: ModuleResult | None
) -> ModuleResult:
    """Make the mutants, or of those that were made before the survivors."""
    order: dict[str, object] = {"path": subject.path, "results": str(results), "most": most, "seed": seed}
    if before is not None:
        order["only"] = [at for at, each in enumerate(before.outcomes) if each.outcome == SURVIVED]
    if _pytest(subject, order) != 0:
        raise SystemExit(f"{subject.path}: its tests do not run; see above")
    found = json.loads(results.read_text(encoding="utf-8"))
    results.unlink()
    outcomes = {} if before is None else dict(enumerate(before.outcomes))
    for mutant in found["mutants"]:
        if mutant["outcome"] == "imported":
            # A process that the mutant keeps from starting has noticed it too.
            alone = {**order, "number": mutant["number"], "seconds": found["seconds"]}
            mutant["outcome"] = "killed" if _pytest(subject, alone, "-x") else SURVIVED
            print(f"{mutant['outcome']:10}{mutant['line']:5}  {mutant['name']}", file=sys.stderr, flush=True)
        outcomes[mutant["number"]] = Outcome(mutant["name"], mutant["line"], mutant["outcome"])
    return ModuleResult(subject.part, subject.path, found["all"], list(outcomes.values()))


def _pytest(subject: Subject, order: dict[str, object], *words: str) -> int:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "tests.measure.mutation.plugin",
        *words,
        *subject.tests,
    ]
    quiet = subprocess.DEVNULL if words else subprocess.PIPE
    done = subprocess.run(
        command,
        env={**os.environ, "MUTATION": json.dumps(order)},
        stdout=quiet,
        stderr=quiet if words else None,
        check=False,
        text=True,
        cwd=ROOT,
    )
    if done.returncode and not words:
        print(done.stdout, file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
