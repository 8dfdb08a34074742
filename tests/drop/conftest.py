"""Fixtures of the count's tests."""

from __future__ import annotations

import pytest

from tests.kept import kept

from .room import CountTeam


@pytest.fixture
def team(db: None) -> CountTeam:
    """The running table, where no box hangs yet, and a count team of three."""
    return kept(_running)


def _running() -> CountTeam:
    return CountTeam().running()
