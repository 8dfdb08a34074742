"""What a rulebook prints becomes a document that can be filed, figure by figure."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fees.printed import printed_schedules
from fees.quote import Ante, quote
from fees.rates import read_schedule
from games.collection import band_for
from games.registry import load_rulebook

from .documents import OPTION_1, OPTION_2


def test_the_documents_two_options_are_printed_as_001_prints_them() -> None:
    assert dict(printed_schedules("california")) == {1: OPTION_1, 2: OPTION_2}


@given(st.sampled_from([1, 2]), st.integers(5000, 100_000))
def test_the_filed_schedule_charges_what_the_engine_charges(number: int, total_cents: int) -> None:
    filed = read_schedule(dict(printed_schedules("california"))[number], number=number, title="Printed")
    engine = load_rulebook("california").fee_schedule(number)
    ante_cents = min(total_cents, engine.ante_max_cents or total_cents)
    one, bank = quote(filed, [Ante(1, "Ann", ante_cents)], bank_seat=7).fees
    assert bank.cents == band_for(engine, ante_cents).fee_cents
    assert one.cents == engine.player_fee_cents
