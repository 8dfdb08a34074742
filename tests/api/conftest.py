"""Fixtures of the API's tests."""

from __future__ import annotations

import pytest

from tests.cast import Cast, closed_cast, running_cast

from .client import Caller, Hand


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """Two rooms, whose tables are closed and empty; for a test of the running table, running already."""
    return running_cast() if "running" in request.fixturenames else closed_cast()


@pytest.fixture
def running(cast: Cast) -> Cast:
    """Table 7 is open on schedule 1 with seven players and the dealer; seat 3 holds the bank."""
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
