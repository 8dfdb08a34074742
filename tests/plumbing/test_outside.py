"""A test that leaves the process is marked so, and stays out of `make test`."""

from __future__ import annotations

import subprocess
import sys

import pytest

NOTHING = [sys.executable, "-c", ""]


def test_a_test_without_the_mark_starts_no_process() -> None:
    with pytest.raises(pytest.fail.Exception, match="mark it, or its module, with"):
        subprocess.run(NOTHING, check=True)


@pytest.mark.outside
def test_one_with_the_mark_does() -> None:
    subprocess.run(NOTHING, check=True)
