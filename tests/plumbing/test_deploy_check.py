"""Django's own check of a deployment finds nothing to say of the site as it is run for real."""

from __future__ import annotations

import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from cardroom.config.checkpoint_key import checkpoint_key_make
from cardroom.config.environment import PROJECT_DIR

pytestmark = pytest.mark.outside


def checked(state_dir: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, PROJECT_DIR / "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    environ = {**environ_of(state_dir), **variables}
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def environ_of(state_dir: Path) -> dict[str, str]:
    """The environment of a site behind a proxy that speaks https."""
    return {
        "PATH": "/usr/bin:/bin",
        "CARDROOM_STATE_DIR": str(state_dir),
        "CARDROOM_SECRET_KEY": secrets.token_urlsafe(64),
        "CARDROOM_DATABASE_URL": "postgresql://cardroom:secret@127.0.0.1:1/cardroom",
        "CARDROOM_REDIS_URL": "redis://127.0.0.1:1/0",
        "CARDROOM_ALLOWED_HOSTS": "floor.example",
        "CARDROOM_HTTPS": "1",
    }


def test_the_deployment_check_is_clean_in_production(tmp_path: Path) -> None:
    checkpoint_key_make(tmp_path / "checkpoint_key")
    done = checked(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout


def test_the_deployment_check_is_not_clean_without_https_or_with_debug(tmp_path: Path) -> None:
    """The control of the test above."""
    plain = checked(tmp_path, CARDROOM_HTTPS="0", CARDROOM_DEBUG="1")
    assert plain.returncode == 1
    assert "security.W018" in plain.stderr
    assert "security.W012" in plain.stderr


def test_the_deployment_check_names_a_site_without_second_factors(tmp_path: Path) -> None:
    without = checked(tmp_path, CARDROOM_SECOND_FACTOR="0")
    assert without.returncode == 1 and "people.W001" in without.stderr


def test_the_deployment_check_names_a_site_that_signs_no_checkpoints(tmp_path: Path) -> None:
    without = checked(tmp_path)
    assert without.returncode == 1 and "cardroom.W003" in without.stderr


def test_browsers_are_told_to_speak_https_for_a_year_to_all_names_below(tmp_path: Path) -> None:
    code = "from django.conf import settings as s; print(s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS)"
    found = {}
    for https in "01":
        environ = {
            **environ_of(tmp_path),
            "CARDROOM_HTTPS": https,
            "DJANGO_SETTINGS_MODULE": "cardroom.config.settings",
        }
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, env=environ, cwd=PROJECT_DIR, capture_output=True, text=True, check=True
        )
        found[https] = done.stdout.split()
    assert found == {"0": ["0", "False"], "1": ["31536000", "True"]}
