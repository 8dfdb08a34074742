"""Runs `manage.py verify` on a copy, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.parse
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR


class NotIntact(Exception):
    """`manage.py verify` found breaks in a copy that equals its source; the message holds them."""


def verified_at(url: str) -> str:
    """Run `manage.py verify` on the database of this address and return its last line. Raises NotIntact."""
    done = subprocess.run(
        [sys.executable, PROJECT_DIR / "manage.py", "verify"],
        cwd=PROJECT_DIR,
        env={**os.environ, "CARDROOM_DATABASE_URL": url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise NotIntact((done.stdout + done.stderr).strip())
    return done.stdout.strip().splitlines()[-1]


def sqlite_url(path: Path) -> str:
    """Return the URL of an SQLite file in the form of CARDROOM_DATABASE_URL."""
    return f"sqlite:///{urllib.parse.quote(str(path))}"
