"""Fixtures of the tests about tips."""

from __future__ import annotations

import pytest

from tests.kept import kept

from .room import TipRoom


@pytest.fixture
def site(db: None) -> TipRoom:
    """A room with an open shift, table 7 open with seven players, and the bank at seat 3."""
    return kept(_running)


def _running() -> TipRoom:
    return TipRoom().running()
