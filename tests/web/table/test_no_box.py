"""A table without a drop box says so, and its next step is greyed until one hangs there."""

from __future__ import annotations

import re
from collections.abc import Callable

from cardroom.floor.commands.rounds import bets_place, round_open
from cardroom.floor.models import Round
from tests.cast import Cast

from ..conftest import Person


def test_no_round_collects_while_no_box_hangs_and_the_page_says_so(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    cast.open(box=False)
    cast.bank_to(3)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    cast.send(bets_place, "dealer", positions=[{"seat": 1, "wagers": {"ante": 2000}}])
    dealer = person("dealer")
    dealer.at_table()
    assert re.search(r'data-prompt="no_box".*?drop box', dealer.text, re.DOTALL)
    button = re.search(r'<button[^>]*id="close-bets"[^>]*>', dealer.text)
    assert button is not None
    assert 'aria-disabled="true"' in button[0]
    assert "drop box" in button[0]
    assert dealer.command("no-more-bets").status_code >= 400
    assert Round.objects.get().state == Round.State.BETTING
    cast.hang_box(71)
    dealer.at_table()
    assert 'data-prompt="no_box"' not in dealer.text
    dealer.command("no-more-bets")
    assert Round.objects.get().state == Round.State.BETS_CLOSED
