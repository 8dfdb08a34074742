"""The whole site under its supervisor: it comes up, works, survives a death, and leaves nothing behind."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery

from cardroom.config.broker import celery_address, private_socket, private_url
from cardroom.config.environment import PROJECT_DIR, VARIABLES
from cardroom.jobs.notify_worker import DUE_TASK
from tests.servers.ports import free_port

from .test_processes import wait_until

pytestmark = pytest.mark.outside

#: Seconds in which the site comes up on a machine that is busy with other tests.
UP_SECONDS = 90


class Site:
    """A supervisor of the site on a port and in a state directory of its own, with an SQLite file there."""

    def __init__(self, state_dir: Path, **variables: str) -> None:
        self.state_dir = state_dir
        self.port = free_port()
        self.lines: list[str] = []
        inherited = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        self.environ = {
            **inherited,
            "DJANGO_SETTINGS_MODULE": "cardroom.config.settings",
            "CARDROOM_STATE_DIR": str(state_dir),
            "CARDROOM_PORT": str(self.port),
            **variables,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardroom.ops.supervisor"],
            cwd=PROJECT_DIR,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(iter(self.process.stdout.readline, ""))

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def wait_for(self, text: str, seconds: float = UP_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.output:
            assert self.process.poll() is None, f"the site ended while {text!r} was awaited:\n{self.output}"
            assert time.monotonic() < deadline, f"{text!r} did not come:\n{self.output}"
            time.sleep(0.05)

    def wait_for_end(self, seconds: float = 30) -> int:
        status = self.process.wait(seconds)
        self._reader.join(10)
        return status

    def status_of(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def answers(self) -> bool:
        try:
            return self.status_of("/accounts/login/") == 200
        except OSError:
            return False

    def pids(self) -> dict[int, str]:
        """The processes that were started with this state directory, and their command lines."""
        mark = f"CARDROOM_STATE_DIR={self.state_dir}".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return found

    def pid_of(self, words: str) -> int:
        """The oldest process whose command line has these words."""
        return min(pid for pid, command in self.pids().items() if words in command)

    def kill(self) -> None:
        for pid in self.pids():
            os.kill(pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def state_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One installation, which each test finds as the one before left it: a second start reuses what is there."""
    return tmp_path_factory.mktemp("site") / "var"


@pytest.fixture
def site(state_dir: Path) -> Iterator[Site]:
    site = Site(state_dir)
    try:
        yield site
    finally:
        site.kill()


def programs(commands: dict[int, str]) -> set[str]:
    names = {"valkey-server": "valkey", "uvicorn": "web", " worker ": "worker", " beat ": "beat"}
    return {name for words, name in names.items() if any(words in command for command in commands.values())}


def test_the_site_comes_up_works_outlives_a_death_and_leaves_nothing_behind(site: Site) -> None:
    site.wait_for("The site is open at")
    assert f"http://127.0.0.1:{site.port}/" in site.output
    assert site.status_of("/accounts/login/") == 200
    assert programs(site.pids()) == {"valkey", "web", "worker", "beat"}

    # A real message through the private Valkey to the worker, which says so when it has carried it out.
    with Celery(broker=celery_address(private_url(site.state_dir)), set_as_current=False) as app:
        task = str(app.send_task(DUE_TASK).id)
    wait_until(
        lambda: any(task in line and "task_succeeded" in line for line in list(site.lines)), UP_SECONDS
    )

    os.kill(site.pid_of("uvicorn"), signal.SIGKILL)
    site.wait_for("web ended with status -9; starting it again in 0.5 seconds")
    wait_until(site.answers, UP_SECONDS)

    site.process.send_signal(signal.SIGINT)
    assert site.wait_for_end() == 0, site.output
    assert site.pids() == {}
    assert not site.answers()
    assert site.lines[-1].split() == ["supervisor", "|", "stopped"]


def test_the_site_stops_as_well_on_the_signal_of_service_managers(site: Site) -> None:
    site.wait_for("The site is open at")
    site.process.send_signal(signal.SIGTERM)
    assert site.wait_for_end() == 0, site.output
    assert site.pids() == {}


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_site_stops_while_it_is_being_prepared(site: Site, ending: signal.Signals) -> None:
    site.wait_for("preparing the database")
    site.process.send_signal(ending)
    assert site.wait_for_end() == 0, site.output
    wait_until(lambda: site.pids() == {})


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children that their parent died")
def test_a_supervisor_that_is_killed_takes_the_site_along(site: Site) -> None:
    site.wait_for("The site is open at")
    site.process.kill()
    wait_until(lambda: site.pids() == {}, seconds=30)


def test_a_port_that_is_taken_is_said_before_anything_is_started(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        site = Site(tmp_path / "var", CARDROOM_PORT=str(port))
        assert site.wait_for_end() == 1
    assert f"Port {port} of 127.0.0.1 is taken by another program" in site.output
    assert "CARDROOM_PORT=8001 make run" in site.output
    assert not site.state_dir.exists()


def test_a_second_supervisor_of_the_same_site_is_refused(site: Site) -> None:
    wait_until(lambda: "preparing the database" in site.output)
    second = Site(site.state_dir)
    assert second.wait_for_end() == 1
    assert "Another supervisor runs this site" in second.output


def test_a_fault_of_the_environment_is_said_before_anything_is_started(tmp_path: Path) -> None:
    site = Site(tmp_path / "var", CARDROOM_HTTPS="yes")
    assert site.wait_for_end() == 1
    assert "CARDROOM_HTTPS is 'yes'" in site.output
    assert not site.state_dir.exists()


def test_a_state_directory_with_a_long_path_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    assert private_socket(tmp_path / "var") == tmp_path / "var" / "valkey.sock"
    deep = tmp_path / ("d" * 120)
    assert len(os.fsencode(private_socket(deep))) <= 100
    assert private_socket(deep) == private_socket(deep) != private_socket(tmp_path / ("e" * 120))
