"""The code of a release, out of the repository's history."""

from __future__ import annotations

import subprocess
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR

#: The commit of each release. A tag is not in every clone.
COMMITS = {"0.1.0": "b6bb63b5f313f1e5a736b2ececceae6114019ada"}


def checkout(version: str, place: Path) -> Path:
    """Put the files of a release under `place`, in a directory named by it. Raises RuntimeError where the commit is not here."""
    there = place / version
    there.mkdir()
    commit = COMMITS[version]
    archive = subprocess.run(["git", "archive", commit], cwd=PROJECT_DIR, capture_output=True, check=False)
    if archive.returncode != 0:
        raise RuntimeError(f"commit {commit} of {version} is not in this clone: git fetch --unshallow")
    subprocess.run(["tar", "--extract", f"--directory={there}"], input=archive.stdout, check=True)
    return there
