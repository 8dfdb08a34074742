"""Fixtures of the API's tests."""

from __future__ import annotations

import pytest

from tests.cast import Cast

from .client import Caller, Hand


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
