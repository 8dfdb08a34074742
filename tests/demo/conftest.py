"""The demo room, loaded once for all tests that begin with it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from cardroom.demo.furnish import PASSWORD_FILE, PIN_FILE, Demo, demo_load
from tests.kept import kept


@pytest.fixture
def demo(db: None, tmp_path: Path) -> Demo:
    """The demo room; its password and PIN are in `tmp_path`."""
    demo = kept(loaded)
    (tmp_path / PASSWORD_FILE).write_text(demo.password)
    (tmp_path / PIN_FILE).write_text(demo.pin)
    return demo


def loaded() -> Demo:
    with tempfile.TemporaryDirectory() as folder:
        return demo_load(Path(folder))
