"""What stands in deploy/ names modules, commands and variables that there are, and starts the programs as here."""

from __future__ import annotations

import configparser
import importlib.util
import re
import shlex
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
def test_every_command_names_a_module_or_a_command_of_the_house(where: str) -> None:
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


def test_the_services_are_told_what_the_house_knows() -> None:
    names = {name for service in COMPOSE["services"].values() for name in service.get("environment", {})}
    assert {name for name in names if name.startswith("CARDROOM_")} <= set(VARIABLES)
    image = (DEPLOY / "Containerfile").read_text()
    assert set(re.findall(r"CARDROOM_[A-Z_]+", image)) <= set(VARIABLES)


def test_the_image_is_made_of_what_the_house_runs_on_and_no_more() -> None:
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
