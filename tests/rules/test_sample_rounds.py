"""Every sample round settles, and every sample mistake is refused, as it is written beside it."""

import io
import json
from pathlib import Path

import pytest

from games.command_settle import main
from games.engine import settle_json
from games.refusal import Refusal
from games.three_card_poker.rulebook import RULEBOOKS
from tests.games.naive_settlement import settle as plain_settlement
from tests.samples import Mistake, Sample, compared, mistakes, samples

SAMPLES = samples()
NAMES = [f"{sample.sheet['rulebook']}-{at}" for at, sample in enumerate(SAMPLES, 1)]


@pytest.mark.parametrize("sample", SAMPLES, ids=NAMES)
def test_a_sample_round_settles_as_written(sample: Sample) -> None:
    assert compared(settle_json(sample.text)) == compared(sample.settlement), sample.shows


@pytest.mark.parametrize("sample", SAMPLES, ids=NAMES)
def test_the_plain_settlement_of_the_tests_agrees_with_the_samples(sample: Sample) -> None:
    assert compared(plain_settlement(sample.sheet)) == compared(sample.settlement), sample.shows


@pytest.mark.parametrize(
    "mistake", mistakes(), ids=[f"{n}-{mistake.code}" for n, mistake in enumerate(mistakes(), 1)]
)
def test_a_sample_mistake_is_refused_as_written(mistake: Mistake) -> None:
    with pytest.raises(Refusal) as refused:
        settle_json(mistake.text)
    assert (refused.value.code, refused.value.path) == (mistake.code, mistake.path), mistake.shows
    assert refused.value.message


def test_the_batch_command_answers_all_samples_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "sheets.jsonl"
    texts = [mistake.text for mistake in mistakes()] + [sample.text for sample in SAMPLES]
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    out = io.BytesIO()
    assert main(["--batch", str(file)], stdout=out) == 1
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    refused, settled = answers[: len(mistakes())], answers[len(mistakes()) :]
    assert [answer["error"]["path"] for answer in refused] == [mistake.path for mistake in mistakes()]
    assert [compared(answer) for answer in settled] == [compared(sample.settlement) for sample in SAMPLES]


def test_the_samples_are_of_every_rulebook_and_say_what_they_show() -> None:
    assert {sample.sheet["rulebook"] for sample in SAMPLES} == set(RULEBOOKS)
    assert len(SAMPLES) >= 80 and len(mistakes()) >= 23
    assert all(len(each.shows) > 10 for each in (*SAMPLES, *mistakes()))
