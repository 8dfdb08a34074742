"""`manage.py` from outside: the engine's commands need no settings, Django's say what they lack."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR
from tests.samples import samples

pytestmark = pytest.mark.outside

#: Without -S, Python would still find the packages of the virtual environment.
BARE_PYTHON = (sys.executable, "-S", "-E")


def manage(
    *arguments: str, given: str = "", environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `manage.py` with no environment but `environ`."""
    return subprocess.run(
        [sys.executable, PROJECT_DIR / "manage.py", *arguments],
        env=environ or {},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("python", [(sys.executable,), BARE_PYTHON])
def test_settle_needs_no_environment_and_any_python_finds_the_packages(python: tuple[str, ...]) -> None:
    """A Python without the packages hands over to that of .venv."""
    sample = samples()[0]
    done = subprocess.run(
        [*python, PROJECT_DIR / "manage.py", "settle", "-"],
        env={},
        cwd="/",
        input=sample.text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    settlement = json.loads(done.stdout)
    assert settlement["bank"] == sample.settlement["bank"]
    assert len(settlement["lines"]) == len(sample.settlement["lines"])


def test_bare_python_has_no_packages() -> None:
    """The control of the test above."""
    done = subprocess.run([*BARE_PYTHON, "-c", "import msgspec"], capture_output=True, text=True, check=False)
    assert "No module named 'msgspec'" in done.stderr


def test_settle_refuses_a_sheet_with_status_1() -> None:
    done = manage("settle", "-", given="{}")
    assert done.returncode == 1
    assert "error" in json.loads(done.stdout)


@pytest.mark.parametrize("command", ["settle", "check"])
def test_without_packages_every_command_says_what_to_install(command: str, tmp_path: Path) -> None:
    (tmp_path / "manage.py").write_bytes((PROJECT_DIR / "manage.py").read_bytes())
    done = subprocess.run(
        [*BARE_PYTHON, tmp_path / "manage.py", command], env={}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "run `make install` first" in done.stderr


@pytest.mark.parametrize("command", [["check"], ["migrate"], ["runserver"]])
def test_without_a_secret_key_django_commands_say_how_to_make_one(command: list[str], tmp_path: Path) -> None:
    done = manage(*command, environ={"CARDROOM_STATE_DIR": str(tmp_path)})
    assert done.returncode == 1
    assert "CARDROOM_SECRET_KEY is not set" in done.stderr
    assert "make run" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_list_of_commands_says_how_to_make_a_secret_key_too(tmp_path: Path) -> None:
    assert "make run" in manage(environ={"CARDROOM_STATE_DIR": str(tmp_path)}).stdout


def test_a_fault_of_the_environment_stops_django_commands_and_is_named(tmp_path: Path) -> None:
    done = manage("check", environ={"CARDROOM_STATE_DIR": str(tmp_path), "CARDROOM_DEBGU": "1"})
    assert done.returncode == 1
    assert "CARDROOM_DEBGU is no variable of the site: did you mean CARDROOM_DEBUG?" in done.stderr


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"CARDROOM_STATE_DIR": "/nowhere/at/all"}, "SQLite file /nowhere/at/all/cardroom.sqlite3"),
        (
            {"CARDROOM_DATABASE_URL": "postgresql://cardroom@/cardroom?host=/nowhere"},
            "PostgreSQL database 'cardroom' at /nowhere",
        ),
    ],
    ids=["no directory", "no server"],
)
def test_a_database_that_cannot_be_reached_is_named(environ: dict[str, str], named: str) -> None:
    done = manage("migrate", environ={**environ, "CARDROOM_SECRET_KEY": secrets.token_urlsafe(64)})
    assert done.returncode == 1
    assert f"The {named}" in done.stderr
    assert "cannot be reached" in done.stderr
    assert "CARDROOM_DATABASE_URL" in done.stderr
    assert "Traceback" not in done.stderr
