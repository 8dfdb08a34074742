"""The engine's commands as processes of their own: batches, odds from cold, memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.measure import ROOT, Spread, Took, command, commands, cpu
from tests.bench.naive_settle import settle as settle_naively
from tests.bench.rounds import sheets

TURNS = 7
BATCHES = {"evening": 20_000, "full": 8_000}


def time_batches() -> dict[str, tuple[Spread, Spread]]:
    """By stream: sheets a second of processor time, of `settle --batch` and of the naive script, start included."""
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        for stream, count in BATCHES.items():
            file = Path(folder, f"{stream}.jsonl")
            file.write_text("".join(f"{sheet}\n" for sheet in sheets(stream, count)), encoding="utf-8")
            _hold_to_agree(file)
            taken = commands(
                {
                    "engine": ["manage.py", "settle", "--batch", str(file)],
                    "naive": ["tests/bench/naive_settle.py", str(file)],
                },
                TURNS,
            )
            rates[stream] = cpu(taken["engine"]).rate(count), cpu(taken["naive"]).rate(count)
    return rates


def _hold_to_agree(file: Path) -> None:
    settled = subprocess.run(
        [sys.executable, "manage.py", "settle", "--batch", str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    with file.open(encoding="utf-8") as texts:
        for text, answer in zip(texts, settled.stdout.splitlines(), strict=True):
            settlement = json.loads(answer)
            for line in settlement["lines"]:
                del line["clause"], line["reason"]
            if settlement != settle_naively(json.loads(text)):
                raise ValueError(f"the naive script and the engine do not settle this alike: {text}")


def time_odds() -> dict[str, list[Took]]:
    """All odds of all rulebooks in a new process: without and with compiled modules; and Python doing nothing."""
    odds = ["manage.py", "odds", "--json"]
    with tempfile.TemporaryDirectory() as empty:
        return commands(
            {
                "uncompiled": ["-B", "-X", f"pycache_prefix={empty}", *odds],
                "compiled": odds,
                "nothing": ["-c", "pass"],
            },
            TURNS,
        )


def measure_memory(count: int) -> dict[int, Took]:
    """By how many sheets: what a batch took whose sheets are made while it runs."""
    taken = {}
    for number in (count // 1000, count):
        words = [sys.executable, "-m", "tests.bench.rounds", "any", str(number)]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) as making:
            assert making.stdout is not None
            taken[number] = command(["manage.py", "settle", "--batch", "-"], feed=making.stdout)
        if making.returncode != 0:
            raise RuntimeError("the sheets for the batch could not be made")
    return taken
