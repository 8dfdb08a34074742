"""What is wrong with a draft, in the labels of the form: no key of the document is left in what its page says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cardroom.web.filings.levy_form import LevyHeadForm, TierForm
from cardroom.web.filings.problem_words import in_form_words
from cardroom.web.filings.schedule_form import HeadForm, LineForm, WaiverForm
from fees.levy_document import levy_problems
from fees.rates import problems

KEY = re.compile(r"\b[a-z]+(?:_[a-z]+)*_(?:cents|positions|tables|points)\b|\bnull\b")
BAND = {"payer": "bank", "per": "positions", "fee_cents": 100}


def line(**more: Any) -> dict[str, Any]:
    return {"payer": "player", "per": "own_ante", **more}


def drafted(lines: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"clause": "Letter", "ante_min_cents": 500, "ante_max_cents": None, "lines": lines, **more}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"ante_max_cents": None, "lines": []}, "schedule: “Main wager from” is missing: write from what main wager on."),
        ({"ante_max_cents": None, "lines": []}, "schedule: “Source of the figures” is missing: write the source of the figures, such as the document and its page."),
        (drafted([line()]), "line 1: “From” is missing: write from what amount on."),
        (drafted([BAND]), "line 1: “To” is missing."),
        (drafted([], waivers=[{"title": "Short", "text": "t", "covers": "all"}]), "waiver 1: “Short name” is missing."),
        (
            drafted([], ante_max_cents=100),
            "table limit $5 - $1: the greatest main wager is below the least; swap “Main wager from” and “Main wager to”, or leave it empty for no limit.",
        ),
        (
            drafted([{**BAND, "lower_positions": 1, "upper_positions": 4}]),
            "line 1: player-dealer band 1 - 4: the number of positions above 4 has no fee; leave the last band open (“To” empty).",
        ),
    ],
)  # fmt: skip
def test_a_schedule_is_told_of_by_the_labels_of_its_form(document: dict[str, Any], said: str) -> None:
    found = problems(document)
    assert any(KEY.search(problem.message) or " is missing" in problem.message for problem in found)
    told = in_form_words(found, HeadForm, LineForm, WaiverForm)
    assert said in [problem.message for problem in told]
    assert [problem.message for problem in told if KEY.search(problem.message)] == []
    assert [problem[:2] for problem in told] == [problem[:2] for problem in found], (
        "the same, of the same lines"
    )


def test_a_levy_is_told_of_by_the_labels_of_its_form() -> None:
    document: dict[str, Any] = {
        "levied_by": "city",
        "authority": "",
        "source": "",
        "period": "month",
        "base": ["collection"],
    }
    document |= {"lines": [{"per": "part", "lower_cents": 0, "upper_cents": None}, {"per": "tables"}]}
    found = levy_problems(document)
    told = [problem.message for problem in in_form_words(found, LevyHeadForm, TierForm)]
    assert "levy: “Whom it is paid to” is missing: name who takes it." in told
    assert "line 1: it says no “Per cent”." in told
    assert "line 2: “From” is a whole number from 1 to 999." in told
    assert not any(KEY.search(message) for message in told)


def test_what_no_form_has_keeps_its_name() -> None:
    found = problems(drafted([line(remark="x")]))
    told = [problem.message for problem in in_form_words(found, HeadForm, LineForm, WaiverForm)]
    assert any("there is no 'remark' here" in message for message in told)
