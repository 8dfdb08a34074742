"""Django's own check of a deployment finds nothing to say of the house as it is run for real."""

from __future__ import annotations

import secrets
import subprocess
import sys
from pathlib import Path

from cardroom.environment import PROJECT_DIR


def checked(state_dir: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environ = {
        "PATH": "/usr/bin:/bin",
        "CARDROOM_STATE_DIR": str(state_dir),
        "CARDROOM_SECRET_KEY": secrets.token_urlsafe(64),
        "CARDROOM_DATABASE_URL": "postgresql://cardroom:secret@127.0.0.1:1/cardroom",
        "CARDROOM_REDIS_URL": "redis://127.0.0.1:1/0",
        "CARDROOM_ALLOWED_HOSTS": "floor.example",
        "CARDROOM_HTTPS": "1",
        **variables,
    }
    command = [sys.executable, PROJECT_DIR / "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def test_the_deployment_check_is_clean_in_production(tmp_path: Path) -> None:
    done = checked(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout


def test_the_deployment_check_is_not_clean_without_https_or_with_debug(tmp_path: Path) -> None:
    """The control of the test above."""
    plain = checked(tmp_path, CARDROOM_HTTPS="0", CARDROOM_DEBUG="1")
    assert plain.returncode == 1
    assert "security.W018" in plain.stderr
    assert "security.W012" in plain.stderr
