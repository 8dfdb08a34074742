"""Fixtures of the simulation's tests."""

from __future__ import annotations

import pytest

from tests.floor.site import Site


@pytest.fixture
def site(db: None) -> Site:
    """A room whose table 7 is closed and empty."""
    return Site()
