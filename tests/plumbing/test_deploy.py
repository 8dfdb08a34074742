"""The files of deploy/ name modules, commands and variables that exist, and start the programs as here."""

from __future__ import annotations

import configparser
import importlib.util
import os
import re
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from cardroom.config.environment import PROJECT_DIR, VARIABLES, read_environment
from cardroom.ops.supervisor.programs import programs_of

DEPLOY = PROJECT_DIR / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
#: The one that is PostgreSQL's and not the site's: it runs a script of this folder.
BASE_BACKUP = DEPLOY / "systemd" / "cardroom-base-backup.service"
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
    found = {
        path.name: shlex.split(unit(path)["Service"]["ExecStart"]) for path in UNITS if path != BASE_BACKUP
    }
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
    for name in ("web", "worker", "beat"):
        waits = COMPOSE["services"][name]["depends_on"]
        assert waits == {"prepare": {"condition": "service_completed_successfully"}}


def test_every_unit_runs_without_privilege() -> None:
    for path in UNITS:
        service = unit(path)["Service"]
        user = "postgres" if path == BASE_BACKUP else "cardroom"
        assert (service["User"], service["NoNewPrivileges"], service["ProtectSystem"]) == (
            user,
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
    assert wrapped(server, "cardroom-manage", "verify", "--against", "a b") == [
        "manage.py verify --against a b on postgresql://cardroom:a@db/live https 1"
    ]
    assert {line.partition(" on ")[2] for line in wrapped(server, "cardroom-migrate")} == {
        "postgresql://cardroom_owner:b@db/live https 1"
    }


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An empty WAL archive."""
    (tmp_path / "archive").mkdir()
    return tmp_path / "archive"


def script(name: str, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script of deploy/ as it is."""
    environ = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run([DEPLOY / name, *words], env=environ, capture_output=True, text=True, check=False)


SEGMENT = "000000010000000000000002"


@pytest.mark.outside
def test_wal_is_stored_once_and_comes_back_as_it_was(archive: Path, tmp_path: Path) -> None:
    wal, back = tmp_path / "wal", tmp_path / "back"
    wal.write_bytes(bytes(range(256)) * 64 + bytes(1_000_000))
    for _ in range(2):  # a second time after a crash between archiving and taking note of it
        done = script("cardroom-wal", "store", wal, archive / SEGMENT)
        assert (done.returncode, done.stderr) == (0, "")
    (stored,) = archive.iterdir()
    assert stored.name == f"{SEGMENT}.gz"
    assert stored.stat().st_size < 20_000, "a file that was ended early takes little"
    assert script("cardroom-wal", "fetch", archive / SEGMENT, back).returncode == 0
    assert back.read_bytes() == wal.read_bytes()


@pytest.mark.outside
def test_wal_is_never_written_over_by_another(archive: Path, tmp_path: Path) -> None:
    wal = tmp_path / "wal"
    wal.write_bytes(b"of one server")
    assert script("cardroom-wal", "store", wal, archive / SEGMENT).returncode == 0
    before = (archive / f"{SEGMENT}.gz").read_bytes()
    wal.write_bytes(b"of another server")
    done = script("cardroom-wal", "store", wal, archive / SEGMENT)
    assert done.returncode == 1
    assert "is there already and differs" in done.stderr
    assert [path.read_bytes() for path in archive.iterdir()] == [before]


@pytest.mark.outside
def test_what_cannot_be_stored_is_not_there_and_postgresql_asks_again(archive: Path, tmp_path: Path) -> None:
    assert script("cardroom-wal", "store", tmp_path / "none", archive / SEGMENT).returncode != 0
    assert list(archive.iterdir()) == []
    wal = tmp_path / "wal"
    wal.write_bytes(b"wal")
    assert script("cardroom-wal", "store", wal, tmp_path / "nowhere" / SEGMENT).returncode != 0
    assert script("cardroom-wal", "fetch", archive / SEGMENT, tmp_path / "back").returncode == 1
    assert not (tmp_path / "back").exists()
    assert script("cardroom-wal", "stare", wal, archive / SEGMENT).returncode == 2


@pytest.mark.outside
def test_a_damaged_file_of_wal_is_not_taken_for_the_end_of_it(archive: Path, tmp_path: Path) -> None:
    """At a status above 125 PostgreSQL stops (`RestoreArchivedFile`); 126 and 127 it calls a command that cannot be run."""
    wal = tmp_path / "wal"
    wal.write_bytes(os.urandom(100_000))
    assert script("cardroom-wal", "store", wal, archive / SEGMENT).returncode == 0
    stored = archive / f"{SEGMENT}.gz"
    stored.write_bytes(stored.read_bytes()[:50_000])
    done = script("cardroom-wal", "fetch", archive / SEGMENT, tmp_path / "back")
    assert done.returncode == 255
    assert "is damaged" in done.stderr and "recovery stops here" in done.stderr


@pytest.fixture
def programs(tmp_path: Path) -> str:
    """The PATH of a machine whose PostgreSQL makes base backups that start at a given WAL file, sound ones or not."""
    (tmp_path / "bin").mkdir()
    sources = {
        "psql": "echo 99",
        "pg_basebackup": 'shift; mkdir "$1"; echo "START WAL LOCATION: 0/2000028 (file $STARTS)" >"$1/backup_label"',
        "pg_verifybackup": 'exit "${VERIFIES:-0}"',
        "pg_archivecleanup": 'echo "cleanup $*"',
    }
    for name, source in sources.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{source}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    return f"{tmp_path}/bin:{os.environ['PATH']}"


@pytest.mark.outside
@pytest.mark.real_time
def test_old_base_backups_go_when_a_new_one_is_whole_with_the_wal_before_the_oldest_that_stays(
    archive: Path, programs: str, tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    for name, days, starts in (("base-20260101T000000Z", 300, 1), ("base-20261101T000000Z", 3, 5)):
        (backups / name).mkdir(parents=True)
        (backups / name / "backup_label").write_text(f"START WAL LOCATION: 0/1 (file {starts:024X})\n")
        long_ago = time.time() - days * 86_400
        os.utime(backups / name, (long_ago, long_ago))
    done = script("cardroom-base-backup", backups, archive, "8", PATH=programs, STARTS=f"{9:024X}")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"cleanup -x .gz {archive} {5:024X}" in done.stdout
    kept = sorted(path.name for path in backups.iterdir())
    assert kept[0] == "base-20261101T000000Z"
    assert len(kept) == 2


@pytest.mark.outside
def test_a_base_backup_that_does_not_verify_gets_no_name_and_removes_none(
    archive: Path, programs: str, tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    (backups / "base-20260101T000000Z").mkdir(parents=True)
    os.utime(backups / "base-20260101T000000Z", (0, 0))
    done = script("cardroom-base-backup", backups, archive, PATH=programs, STARTS=SEGMENT, VERIFIES="1")
    assert done.returncode == 1
    assert "does not verify" in done.stderr
    names = sorted(path.name.partition("-")[0] for path in backups.iterdir())
    assert names == ["base", "unfinished"]


def test_the_base_backup_of_the_unit_and_of_the_containers_is_the_script_that_is_installed() -> None:
    words = shlex.split(unit(BASE_BACKUP)["Service"]["ExecStart"])
    assert words[0] == "/usr/local/sbin/cardroom-base-backup"
    assert set(words[1:3]) == set(unit(BASE_BACKUP)["Service"]["ReadWritePaths"].split())
    volumes = dict(volume.split(":")[:2] for volume in COMPOSE["services"]["database"]["volumes"])
    assert volumes["./cardroom-base-backup"] == words[0]
    assert {volumes["backups"], volumes["wal"]} == set(words[1:3])
    archived = " ".join(COMPOSE["services"]["database"]["command"])
    assert f"archive_command={volumes['./cardroom-wal']} store %p {volumes['wal']}/%f" in archived


def test_the_wrappers_are_those_that_the_docs_install() -> None:
    page = (PROJECT_DIR / "docs" / "deployment.md").read_text()
    assert "install --mode 0750 deploy/cardroom-manage deploy/cardroom-migrate /usr/local/sbin/" in page
    assert (
        "install --mode 0755 deploy/cardroom-base-backup deploy/cardroom-standby deploy/cardroom-wal /usr/local/sbin/"
        in page
    )
    assert "archive_command = '/usr/local/sbin/cardroom-wal store %p /var/backups/cardroom-wal/%f'" in page
    scripts = [path for path in DEPLOY.glob("cardroom-*") if path.is_file()]
    assert len(scripts) == 5
    for path in scripts:
        assert os.access(path, os.X_OK), path
        assert "\nset -eu\n" in path.read_text(), path
