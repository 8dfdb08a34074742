"""What pages read does not grow with history: plans of a database of a million rounds, with tables where nobody ever played."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cardroom.config.environment import PROJECT_DIR

pytestmark = pytest.mark.outside


def test_no_page_reads_more_for_years_of_history() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.measure.growth"],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    rounds = int(done.stdout.split(" rounds;")[0].rsplit("\n", 1)[-1].replace(",", ""))
    assert rounds > 1_000_000
