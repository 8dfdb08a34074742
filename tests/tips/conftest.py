"""Fixtures of the tests about tips."""

from __future__ import annotations

import pytest

from tests.kept import kept

from .room import TipRoom


@pytest.fixture
def tips(db: None) -> TipRoom:
    """The running table, whose dealers are tipped."""
    return kept(_running)


def _running() -> TipRoom:
    return TipRoom().running()
