"""The engine's commands as processes of their own: batches, odds from cold, memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from random import Random

from tests.measure.bench.measure import ROOT, Spread, Took, command, commands, cpu
from tests.measure.bench.naive_settle import settle as settle_naively
from tests.measure.bench.rounds import compact, sheets, shuffled

TURNS = 7
BATCHES = {"any": 20_000, "evening": 20_000, "full": 8_000}
LAYOUTS = ("spaced", "compact", "shuffled")


def time_batches(deal: Random) -> dict[str, tuple[Spread, Spread]]:
    """By stream: sheets a second of processor time, of `settle --batch` and of the naive script, start included."""
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        for stream, count in BATCHES.items():
            file = _written(Path(folder, f"{stream}.jsonl"), sheets(stream, count, deal))
            _hold_to_agree(file)
            taken = commands(
                {
                    "engine": ["manage.py", "settle", "--batch", str(file)],
                    "naive": ["tests/measure/bench/naive_settle.py", str(file)],
                },
                TURNS,
            )
            rates[stream] = cpu(taken["engine"]).rate(count), cpu(taken["naive"]).rate(count)
    return rates


def time_layouts(deal: Random) -> dict[str, Spread]:
    """Processor seconds of `settle --batch` for the same sheets by how their JSON is laid out."""
    with tempfile.TemporaryDirectory() as folder:
        texts = list(sheets("any", BATCHES["any"], deal))
        documents = [json.loads(text) for text in texts]
        files = {
            "spaced": _written(Path(folder, "spaced.jsonl"), texts),
            "compact": _written(Path(folder, "compact.jsonl"), map(compact, documents)),
            "shuffled": _written(
                Path(folder, "shuffled.jsonl"), [shuffled(document, deal) for document in documents]
            ),
        }
        taken = commands(
            {name: ["manage.py", "settle", "--batch", str(file)] for name, file in files.items()}, TURNS
        )
    return {name: cpu(took) for name, took in taken.items()}


def _written(file: Path, texts: Iterable[str]) -> Path:
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(f"{text}\n" for text in texts)
    return file


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
            naive = settle_naively(json.loads(text))
            for each in (settlement, naive):
                each["fees"].sort(key=lambda fee: (fee["payer"], fee["seat"]))
            if settlement != naive:
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
        words = [sys.executable, "-m", "tests.measure.bench.rounds", "any", str(number)]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) as making:
            assert making.stdout is not None
            taken[number] = command(["manage.py", "settle", "--batch", "-"], feed=making.stdout)
        if making.returncode != 0:
            raise RuntimeError("the sheets for the batch could not be made")
    return taken
