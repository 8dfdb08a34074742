"""Fixtures of the floor's tests."""

from __future__ import annotations

import pytest

from .house import House, closed_house, running_house


@pytest.fixture
def house(db: None, request: pytest.FixtureRequest) -> House:
    """A room whose table 7 is closed and empty; for a test that asks for `open_house` too, open already."""
    return running_house() if "open_house" in request.fixturenames else closed_house()


@pytest.fixture
def open_house(house: House) -> House:
    """The same with a shift, an open table on schedule 1, a dealer, seven players, and the bank at seat 3."""
    return house
