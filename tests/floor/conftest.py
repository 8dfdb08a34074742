"""Fixtures of the floor's tests."""

from __future__ import annotations

import pytest

from .house import House


@pytest.fixture
def house(db: None) -> House:
    """A room whose table 7 is closed and empty."""
    return House()


@pytest.fixture
def open_house(house: House) -> House:
    """The same with a shift, an open table on schedule 1, a dealer, seven players, and the bank at seat 3."""
    house.open()
    house.bank_to(3)
    return house
