"""Every sample round settles, and every sample mistake is refused, as the shared data has it."""

import io
import json
from typing import Any

import pytest

from games.command import main
from games.refusal import Refusal
from games.settle import settle_json
from tests.shared_data import shared


def _lines(name: str) -> list[str]:
    return shared("rounds", name).read_text(encoding="utf-8").splitlines()


def _compared(settlement: dict[str, Any]) -> dict[str, Any]:
    """What the shared data compares: all but clause and reason, fees in any order."""
    lines = [{k: v for k, v in line.items() if k not in ("clause", "reason")} for line in settlement["lines"]]
    fees = sorted(settlement["fees"], key=lambda fee: (fee["seat"], fee["payer"]))
    return {**settlement, "lines": lines, "fees": fees}


ROUNDS = list(zip(_lines("sheets.jsonl"), _lines("settlements.jsonl"), strict=True))
REFUSALS = [json.loads(line) for line in _lines("refused.jsonl")]


@pytest.mark.parametrize(
    ("sheet", "expected"),
    ROUNDS,
    ids=[f"{n}-{json.loads(s)['rulebook']}" for n, (s, _) in enumerate(ROUNDS, 1)],
)
def test_a_sample_round_settles_as_written(sheet: str, expected: str) -> None:
    assert _compared(settle_json(sheet)) == _compared(json.loads(expected))


@pytest.mark.parametrize(
    "mistake", REFUSALS, ids=[f"{n}-{mistake['code']}" for n, mistake in enumerate(REFUSALS, 1)]
)
def test_a_sample_mistake_is_refused_as_written(mistake: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        settle_json(mistake["raw"] if "raw" in mistake else mistake["sheet"])
    assert (refused.value.code, refused.value.path) == (mistake["code"], mistake["path"])
    assert refused.value.message


def test_the_batch_command_answers_all_samples_in_their_order(tmp_path: Any) -> None:
    mistakes = [m["raw"] if "raw" in m else json.dumps(m["sheet"]) for m in REFUSALS]
    sheets = [sheet for sheet, _ in ROUNDS]
    file = tmp_path / "sheets.jsonl"
    file.write_text("\n".join(mistakes + sheets) + "\n", encoding="utf-8")
    out = io.StringIO()
    assert main(["--batch", str(file)], stdout=out) == 1
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    refused, settled = answers[: len(mistakes)], answers[len(mistakes) :]
    assert [a["error"]["path"] for a in refused] == [m["path"] for m in REFUSALS]
    assert [_compared(a) for a in settled] == [_compared(json.loads(e)) for _, e in ROUNDS]
