"""The table page reads the table once, and computes each check of it at most once however many buttons ask."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.floor import checks
from cardroom.floor.checks import table_checks
from cardroom.floor.checks.seats import why_not_end_down
from cardroom.floor.reads import table_state
from tests.cast import BANK_HAND, HANDS, Cast
from tests.web.conftest import Person

#: Queries that the table page may take, of a signed-in dealer at a played table.
QUERIES = 18


def _bodies() -> dict[CodeType, str]:
    """The body of every check that is computed once a reading, by its code."""
    found = [
        check
        for module in pkgutil.iter_modules(checks.__path__, f"{checks.__name__}.")
        for check in vars(importlib.import_module(module.name)).values()
        if callable(check) and hasattr(check, "__wrapped__")
    ] + list(table_checks().values())
    return {check.__wrapped__.__code__: check.__name__ for check in found}


def _computed(ask: Callable[[], Any]) -> tuple[Counter[str], int]:
    """How often each check's body ran while `ask` did, and how often a table was read."""
    bodies, ran, reads = _bodies(), Counter[str](), 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal reads
        if event == "call":
            if frame.f_code in bodies:
                ran[bodies[frame.f_code]] += 1
            elif frame.f_code is table_state.read_table.__code__:
                reads += 1

    sys.setprofile(note)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return ran, reads


#: Asked of the table as it would be once everybody has declined, for each seat that may bank then (`reads.offers`).
AHEAD = {"why_not_renew", "why_game_over"}


def _look(dealer: Person) -> None:
    assert dealer.at_table().status_code == 200


def test_each_check_is_computed_at_most_once_for_a_page_of_the_table(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")

    def looks_once() -> None:
        ran, reads = _computed(lambda: _look(dealer))
        assert reads == 1
        assert len(ran) > 20, "the page asks for nearly every check"
        assert {name for name, times in ran.items() if times > 1} <= AHEAD
        assert max(ran.values()) <= 1 + len(running.players)
        with CaptureQueriesContext(connection) as asked:
            _look(dealer)
        assert len(asked) <= QUERIES, [query["sql"] for query in asked]

    looks_once()
    dealer.command("bank", bank_wager_cents="200")
    looks_once()
    dealer.command("bets", **{"wagers-1-ante": "10", "wagers-2-ante": "30"})
    dealer.command("no-more-bets")
    looks_once()
    dealer.command("deal")
    looks_once()
    hands = {f"hand-{seat}": HANDS[seat].lower().replace(" ", "") for seat in (1, 2)}
    dealer.command("settle", bank_hand=BANK_HAND.lower(), **hands)
    looks_once()


def test_the_api_state_of_a_table_asks_each_check_once(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    ran, reads = _computed(lambda: dealer.open(f"/api/tables/{running.table.pk}"))
    assert (reads, max(ran.values())) == (1, 1)
    bodies = {check.__wrapped__.__name__ for check in table_checks().values()}
    assert bodies <= set(ran)


def test_a_new_view_of_the_table_asks_anew(running: Cast) -> None:
    """What is kept belongs to one reading: a command reads the table again, and its checks with it."""
    before = running.state()
    assert why_not_end_down(before) is None
    before.down = None
    assert why_not_end_down(before) is None, "this reading has answered"
    assert why_not_end_down(before.replace_round(None)).code == "no_dealer"
