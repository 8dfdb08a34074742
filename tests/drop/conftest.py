"""Fixtures of the count's tests."""

from __future__ import annotations

import pytest

from tests.kept import kept

from .room import CountRoom


@pytest.fixture
def site(db: None) -> CountRoom:
    """A room with an open shift, table 7 open on schedule 1 with seven players, and the bank at seat 3."""
    return kept(_running)


def _running() -> CountRoom:
    return CountRoom().running()
