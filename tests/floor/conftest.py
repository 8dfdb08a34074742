"""Fixtures of the floor's tests: tables of games that the house banks."""

from __future__ import annotations

import pytest

from tests.cast import Cast, house_cast


@pytest.fixture
def massachusetts(db: None) -> Cast:
    """A table of a room in Massachusetts that the house banks, with a dealer and seven players."""
    return house_cast("massachusetts")


@pytest.fixture
def south_dakota(db: None) -> Cast:
    """The same in South Dakota."""
    return house_cast("south_dakota")


@pytest.fixture
def shuffle_master(db: None) -> Cast:
    """The same by the rules of the game's maker."""
    return house_cast("shuffle_master")
