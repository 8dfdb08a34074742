"""Fixtures of the floor's tests."""

from __future__ import annotations

import pytest

from .site import Site, closed_site, house_site, running_site


@pytest.fixture
def site(db: None, request: pytest.FixtureRequest) -> Site:
    """A room whose table 7 is closed and empty; for a test that asks for `open_site` too, open already."""
    return running_site() if "open_site" in request.fixturenames else closed_site()


@pytest.fixture
def open_site(site: Site) -> Site:
    """The same with a shift, an open table on schedule 1, a dealer, seven players, and the bank at seat 3."""
    return site


@pytest.fixture
def massachusetts(db: None) -> Site:
    """A table of a room in Massachusetts that the house banks, with a dealer and seven players."""
    return house_site("massachusetts")


@pytest.fixture
def south_dakota(db: None) -> Site:
    """The same in South Dakota."""
    return house_site("south_dakota")


@pytest.fixture
def shuffle_master(db: None) -> Site:
    """The same by the rules of the game's maker."""
    return house_site("shuffle_master")
