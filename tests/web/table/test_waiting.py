"""What waits at a table is answered by the form of a declared command, with a field for each input that is not known."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest

from cardroom.floor.commands.chip_calls import runner_call
from cardroom.floor.models import ChipCall
from cardroom.floor.reads import waiting
from tests.cast import Cast

from ..conftest import Person


def strip(text: str) -> str:
    [found] = re.findall(
        r'<div class="alert look waiting">.*?</div>\s*(?=<div|<ul|<section|</div>)', text, re.DOTALL
    )
    return str(found)


def test_an_answer_that_asks_nothing_is_a_button(running: Cast, person: Callable[[str], Person]) -> None:
    running.send(runner_call, "dealer", cents=50000, note="reds")
    dealer = person("dealer")
    dealer.at_table()
    shown = strip(dealer.text)
    assert "$500 reds" in shown and 'type="text"' not in shown
    call = ChipCall.objects.get()
    assert re.search(rf'<input type="hidden" name="call_id" value="{call.pk}"', shown)


def test_an_answer_with_a_text_has_a_field_for_it_without_a_template_of_its_own(
    running: Cast, person: Callable[[str], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = waiting.KINDS[0]
    asks = dataclasses.replace(kind, command="runner_call", row_input="cents")
    monkeypatch.setattr(waiting, "KINDS", (asks,))
    running.send(runner_call, "dealer", cents=50000, note="reds")
    dealer = person("dealer")
    dealer.at_table()
    shown = strip(dealer.text)
    assert re.search(r'<input type="hidden" name="cents"', shown)
    assert re.search(r'<label for="call-runner-\d+-note">', shown)
    assert re.search(r'<input type="text" name="note"', shown)
