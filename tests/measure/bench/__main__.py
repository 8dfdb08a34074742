"""`make bench`: time the rules engine and write docs/measured/benchmarks.md.

    python -m tests.measure.bench [--seed N] [--sheets N]

All that is compared is first held to agree, so that no figure is that of a wrong answer.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from random import Random

from tests.measure.bench.engine import time_rounds
from tests.measure.bench.measure import ROOT
from tests.measure.bench.page import batches, layouts, machine, memory, odds, rounds
from tests.measure.bench.processes import measure_memory, time_batches, time_layouts, time_odds


def main() -> None:
    """Run all benchmarks, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.bench")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="of all sheets")
    parser.add_argument("--sheets", type=int, default=1_000_000, help="of the batch whose memory is measured")
    given = parser.parse_args()
    deal = Random(given.seed)
    parts = [machine(given.seed)]
    for name, part in (
        ("a round by library call", lambda: rounds(time_rounds(deal))),
        ("batches", lambda: batches(time_batches(deal))),
        ("layouts", lambda: layouts(time_layouts(deal))),
        ("odds from cold", lambda: odds(time_odds())),
        ("memory", lambda: memory(measure_memory(given.sheets))),
    ):
        print(f"bench: {name}", file=sys.stderr, flush=True)
        parts.append(part())
    text = "\n".join(parts)
    (ROOT / "docs" / "measured" / "benchmarks.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
