"""Fixtures of the API's tests."""

from __future__ import annotations

import pytest

from tests.cast import Cast

from .client import Caller, Hand


@pytest.fixture
def cast(db: None) -> Cast:
    """Two rooms, whose tables are closed and empty."""
    return Cast()


@pytest.fixture
def running(cast: Cast) -> Cast:
    """Table 7 is open on schedule 1 with seven players and the dealer; seat 3 holds the bank."""
    cast.open_table()
    cast.bank_to(3)
    return cast


@pytest.fixture
def floor(cast: Cast) -> Caller:
    """The floor, before anything is open: for what is refused whatever the state of the table."""
    return Caller(cast, "floor")


@pytest.fixture
def dealer(running: Cast) -> Caller:
    """The dealer of the running table."""
    return Caller(running, "dealer")


@pytest.fixture
def hand(dealer: Caller) -> Hand:
    """The dealer of the running table, playing rounds."""
    return Hand(dealer)
