"""Fixtures of the reports' tests."""

from __future__ import annotations

import pytest

from tests.floor.site import Site, running_site


@pytest.fixture
def open_site(db: None) -> Site:
    """A room with an open shift, table 7 open on schedule 1, seven players, and the bank at seat 3."""
    return running_site()
