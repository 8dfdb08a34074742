"""Fixtures of the reports' tests."""

from __future__ import annotations

import pytest

from tests.floor.house import House, running_house


@pytest.fixture
def open_house(db: None) -> House:
    """A room with an open shift, table 7 open on schedule 1, seven players, and the bank at seat 3."""
    return running_house()
