"""Fixtures of the simulation's tests."""

from __future__ import annotations

import pytest

from tests.floor.house import House


@pytest.fixture
def house(db: None) -> House:
    """A room whose table 7 is closed and empty."""
    return House()
