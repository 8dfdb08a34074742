"""Rounds settled and charged again: what came out otherwise is named with its round, and progress is reported as it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.models import Round
from cardroom.reports.verification import settled_again
from cardroom.reports.verification.settled_again import rounds_charged_again, rounds_settled_again
from tests.cast import Cast
from tests.floor.test_rake import set_rake
from tests.kept import kept
from tests.reports.commands import as_superuser


def _three_rounds() -> Cast:
    cast = Cast().running()
    cast.play({4: 1000})
    cast.play({1: 3000, 4: 1000})
    cast.bank_to(5)
    cast.play({4: 1000})
    return cast


@pytest.fixture
def second(db: None) -> Round:
    """The second of three rounds at a table."""
    kept(_three_rounds)
    return Round.objects.order_by("pk")[1]


def changed(of: Round, **columns: Any) -> str:
    """Change the round past its triggers; return how it is named."""
    with as_superuser():
        Round.objects.filter(pk=of.pk).update(**columns)
    return f"round {of.pk} (table 7, Wed Nov 18, 2026 · 2)"


def test_rounds_come_out_as_they_are_recorded(second: Round) -> None:
    assert list(rounds_settled_again(Round.objects.all())) == []
    assert list(rounds_charged_again(Round.objects.all())) == []


@pytest.mark.parametrize(
    "column", ["taken_cents", "paid_cents", "meter_cents", "uncovered_cents", "tips_cents"]
)
def test_a_figure_that_is_not_what_the_engine_settles(second: Round, column: str) -> None:
    named = changed(second, **{column: (getattr(second, column) or 0) + 100})
    assert list(rounds_settled_again(Round.objects.all())) == [
        f"{named}: its {column} is not what the engine settles"
    ]


def test_a_settlement_that_says_otherwise(second: Round) -> None:
    named = changed(second, settlement={**second.settlement, "exhausted": True}, exhausted=True)
    assert list(rounds_settled_again(Round.objects.all())) == [
        f"{named}: its {column} is not what the engine settles" for column in ("settlement", "exhausted")
    ]


def test_a_rake_is_left_as_the_round_has_it(db: None) -> None:
    """What was taken is compared with the filing with the other fees; here it belongs to what is settled."""
    cast = Cast()
    cast.open()
    set_rake(cast, {"mode": "all", "cents": 150})
    cast.bank_to(3)
    cast.play({4: 1000, 5: 2000})
    raked = Round.objects.get()
    assert list(rounds_settled_again(Round.objects.all())) == []
    changed(raked, fees=[{**fee, "cents": fee["cents"] + 100} for fee in raked.fees])
    [told] = rounds_settled_again(Round.objects.all())
    assert told.endswith("its settlement is not what the engine settles")


def test_a_sheet_that_cannot_be_settled(second: Round) -> None:
    named = changed(second, sheet={**second.sheet, "bank_hand": "Kh Kh 4c"})
    [told] = rounds_settled_again(Round.objects.all())
    assert told.startswith(f"{named}: what was recorded cannot be settled again: ")


def test_a_fee_that_does_not_follow_from_the_schedule(second: Round) -> None:
    named = changed(second, bank_fee_cents=200)
    assert list(rounds_charged_again(Round.objects.all())) == [
        f"{named}: its player-dealer fee is recorded as 200 cents, and 100 cents follow from its filed schedule"
    ]


def test_progress_is_told_as_so_many_rounds_are_done(second: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled_again, "STRIDE", 2)
    heard: list[int] = []
    assert list(rounds_settled_again(Round.objects.all(), heard.append)) == []
    assert heard == [2]
    charged: list[int] = []
    assert list(rounds_charged_again(Round.objects.all(), charged.append)) == []
    assert charged == [3]
