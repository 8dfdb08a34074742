"""A test of the floor bears no mark of a game that the floor cannot play."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from cardroom.floor.checks import why_not_bet, why_not_rulebook
from games.procedures.stub_count import count_due
from games.three_card_poker.rulebook import RULEBOOKS
from tests.traceability.catalogue import PLAYED_ON_THE_FLOOR, catalogue
from tests.traceability.floor_level import floor_reached, why_not_marked


def asks_the_engine() -> None:
    count_due  # noqa: B018


def asks_the_floor() -> object:
    return why_not_bet


def asks_through_a_helper() -> None:
    assert [asks_the_floor() for _ in range(2)]


class TestSome:
    def helper(self) -> object:
        return why_not_bet

    def test_it(self) -> None:
        assert self.helper()


def item(function: Any, *, fixtures: tuple[str, ...] = (), owner: type | None = None) -> pytest.Item:
    """As much of a collected test as is asked about."""
    return cast(
        "pytest.Item",
        SimpleNamespace(
            function=function, cls=owner, fixturenames=fixtures, get_closest_marker=lambda name: None
        ),
    )


@pytest.mark.parametrize(
    ("test", "reached"),
    [
        (item(asks_the_engine), None),
        (item(asks_the_engine, fixtures=("open_site", "db")), "it uses the database"),
        (item(asks_the_floor), "it uses cardroom.floor.checks.why_not_bet"),
        (item(asks_through_a_helper), "it uses cardroom.floor.checks.why_not_bet"),
        (item(TestSome.test_it, owner=TestSome), "it uses cardroom.floor.checks.why_not_bet"),
    ],
    ids=["engine", "database", "floor", "through a helper", "through a method"],
)
def test_by_what_a_test_reaches_the_floor(test: pytest.Item, reached: str | None) -> None:
    assert floor_reached(test) == reached
    refused, allowed = catalogue()["massachusetts:6(c).2"], catalogue()["california:type.5"]
    assert (why_not_marked(test, refused) is None) == (reached is None)
    assert why_not_marked(test, allowed) is None


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_which_games_the_floor_can_play_is_what_its_own_check_says(rulebook: str) -> None:
    assert (why_not_rulebook(rulebook) is None) == (rulebook in PLAYED_ON_THE_FLOOR)
