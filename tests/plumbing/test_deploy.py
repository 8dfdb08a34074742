"""The files of deploy/ name modules, commands and variables that exist, and start the programs as here."""

from __future__ import annotations

import configparser
import importlib.util
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from cardroom.config.environment import PROJECT_DIR, VARIABLES, read_environment
from cardroom.ops.supervisor.programs import programs_of

DEPLOY = PROJECT_DIR / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
KEY = "k3y-" * 4 + "of a test, and of nothing else in the whole world"

#: What may differ: where the site listens, and whom it believes to be a proxy.
_PLACES = {"--host", "--port", "--forwarded-allow-ips"}


def unit(path: Path) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string(path.read_text())
    return read


def commands() -> dict[str, list[str]]:
    """Every command that a unit, a service or the image starts, by where it stands."""
    found = {path.name: shlex.split(unit(path)["Service"]["ExecStart"]) for path in UNITS}
    for name, service in COMPOSE["services"].items():
        if service.get("image") == "cardroom" and "command" in service:
            found[f"compose {name}"] = service["command"]
    image = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    (cmd,) = re.findall(r"^CMD (\[.*\])$", image, re.MULTILINE)
    found["image"] = yaml.safe_load(cmd)
    return found


COMMANDS = commands()


@pytest.mark.parametrize("where", COMMANDS)
def test_every_command_names_a_module_or_a_command_of_the_site(where: str) -> None:
    text = " ".join(COMMANDS[where])
    modules = re.findall(r"python -m (\S+)", text)
    managed = re.findall(r"manage\.py (\w+)", text)
    assert modules or managed
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []
    assert set(managed) <= set(get_commands())


@pytest.mark.parametrize(
    ("program", "places"),
    [
        ("web", ("cardroom-web@.service", "image")),
        ("worker", ("cardroom-worker.service", "compose worker")),
        ("beat", ("cardroom-beat.service", "compose beat")),
    ],
)
def test_programs_are_started_as_the_supervisor_starts_them(program: str, places: tuple[str, ...]) -> None:
    configuration = read_environment({"CARDROOM_SECRET_KEY": KEY})
    (ours,) = [
        list(map(str, each.command[1:])) for each in programs_of(configuration) if each.name == program
    ]
    for place in places:
        assert _without_places(COMMANDS[place][1:]) == _without_places(ours), place


def _without_places(words: list[str]) -> list[str]:
    kept, skip = [], False
    for word in words:
        if not skip and word not in _PLACES:
            kept.append(word)
        skip = word in _PLACES
    return kept


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("*.example")), ids=lambda path: path.name)
def test_the_example_environments_are_taken_once_their_gaps_are_filled(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    environ = dict(line.split("=", 1) for line in lines)
    assert environ["CARDROOM_SECRET_KEY"] == "", "an example never holds a key"
    configuration = read_environment({**environ, "CARDROOM_SECRET_KEY": KEY})
    assert "127.0.0.1" in configuration.allowed_hosts, "probes on the machine itself call it by this"


def test_the_services_get_no_variable_that_the_site_does_not_know() -> None:
    names = {name for service in COMPOSE["services"].values() for name in service.get("environment", {})}
    assert {name for name in names if name.startswith("CARDROOM_")} <= set(VARIABLES)
    image = (DEPLOY / "Containerfile").read_text()
    assert set(re.findall(r"CARDROOM_[A-Z_]+", image)) <= set(VARIABLES)


def test_the_image_is_made_of_what_the_site_runs_on_and_no_more() -> None:
    image = (DEPLOY / "Containerfile").read_text()
    copied = set(re.findall(r"^COPY (\S+)", image, re.MULTILINE))
    assert copied == {"requirements.txt", "manage.py", "games", "fees", "cardroom", "templates"}
    assert all((PROJECT_DIR / name).exists() for name in copied)


def test_the_programs_wait_for_migrated_tables() -> None:
    for name in ("web", "worker", "beat", "backup"):
        waits = COMPOSE["services"][name]["depends_on"]
        assert waits == {"prepare": {"condition": "service_completed_successfully"}}


def test_every_unit_runs_without_privilege() -> None:
    for path in UNITS:
        service = unit(path)["Service"]
        assert (service["User"], service["NoNewPrivileges"], service["ProtectSystem"]) == (
            "cardroom",
            "yes",
            "strict",
        )


def test_the_worker_is_given_time_for_the_longest_task() -> None:
    from django.conf import settings

    stop = int(unit(DEPLOY / "systemd" / "cardroom-worker.service")["Service"]["TimeoutStopSec"])
    assert stop > settings.CELERY_TASK_TIME_LIMIT
    assert COMPOSE["services"]["worker"]["stop_grace_period"] == f"{stop // 60}m"


@pytest.mark.parametrize("proxy", ["nginx.conf", "Caddyfile"])
def test_proxies_keep_the_metrics_inside(proxy: str) -> None:
    text = (DEPLOY / proxy).read_text()
    assert "/metrics" in text
    assert "404" in text


def test_nginx_passes_events_on_as_they_come() -> None:
    from django.urls import reverse

    text = (DEPLOY / "nginx.conf").read_text()
    (pattern,) = re.findall(r"location ~ (\S+) \{[^}]*proxy_buffering off;", text)
    for address in (reverse("web:table_live", args=[7]), reverse("web:room_live", args=["cache-slough"])):
        assert re.search(pattern, address)


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """A server as docs/deployment.md sets it up: the wrappers with their settings, and programs that print what they get."""
    for folder in ("etc", "site/.venv/bin", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc" / "cardroom.env").write_text(
        "# settings\nCARDROOM_DATABASE_URL=postgresql://cardroom:a@db/live\nCARDROOM_HTTPS=1\n"
    )
    (tmp_path / "etc" / "owner.env").write_text(
        "CARDROOM_DATABASE_URL=postgresql://cardroom_owner:b@db/live\n"
    )
    programs = {
        "site/.venv/bin/python": 'echo "$* on $CARDROOM_DATABASE_URL https $CARDROOM_HTTPS"',
        "bin/setpriv": 'while [ "$1" != .venv/bin/python ]; do shift; done; exec "$@"',
    }
    for name, source in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{source}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def wrapped(server: Path, name: str, *words: str, **variables: str) -> list[str]:
    """Run a wrapper of deploy/ on that server, and return the lines that its programs print."""
    source = (DEPLOY / name).read_text()
    source = source.replace("/etc/cardroom", f"{server}/etc").replace("/opt/cardroom", f"{server}/site")
    environ = {"PATH": f"{server}/bin:{os.environ['PATH']}", **variables}
    done = subprocess.run(
        ["sh", "-c", source, name, *words], env=environ, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.outside
def test_a_setting_of_the_caller_goes_before_that_of_the_server(server: Path) -> None:
    drill = 'postgresql://cardroom:it\'s $a "b"@db/drill'
    assert wrapped(server, "cardroom-manage", "verify", CARDROOM_DATABASE_URL=drill) == [
        f"manage.py verify on {drill} https 1"
    ]
    assert wrapped(server, "cardroom-migrate", CARDROOM_DATABASE_URL=drill) == [
        f"manage.py migrate on {drill} https 1",
        f"manage.py grant_site_role cardroom on {drill} https 1",
    ]


@pytest.mark.outside
def test_without_one_the_site_is_run_on_its_own_database_and_migrated_by_its_owner(server: Path) -> None:
    assert wrapped(server, "cardroom-manage", "backup", "a b") == [
        "manage.py backup a b on postgresql://cardroom:a@db/live https 1"
    ]
    assert {line.partition(" on ")[2] for line in wrapped(server, "cardroom-migrate")} == {
        "postgresql://cardroom_owner:b@db/live https 1"
    }


def test_the_wrappers_are_those_that_the_docs_install() -> None:
    page = (PROJECT_DIR / "docs" / "deployment.md").read_text()
    assert "install --mode 0750 deploy/cardroom-manage deploy/cardroom-migrate /usr/local/sbin/" in page
    assert all(os.access(DEPLOY / name, os.X_OK) for name in ("cardroom-manage", "cardroom-migrate"))
