"""Upgrade from the last release while tablets are open: the commands of "Upgrading" in docs/deployment.md, on throwaway servers."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import secrets
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import django
from playwright.sync_api import BrowserContext, Page, sync_playwright

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR, read_environment
from cardroom.ops.supervisor.processes import start_child, stop_children
from cardroom.ops.supervisor.programs import programs_of
from cardroom.ops.supervisor.valkey import Valkey
from tests.measure.faults.commands.client import Tablet
from tests.servers.postgres import Postgres
from tests.servers.site import Site
from tests.servers.sites import python, tried
from tests.upgrades.databases import releases
from tests.upgrades.released_code import checkout

from . import cluster
from .drill import Drill, Run
from .site import found

if TYPE_CHECKING:
    from tests.browser.screen import Screen

#: Commands answered by the old version before its backup, after that, and by the new version.
BEFORE, BETWEEN, AFTER = 40, 60, 100
TABLETS = 2
PATIENCE_SECONDS = 180.0


def runs(place: Path) -> Iterator[Run]:
    """Play on the last release, upgrade it, play on; then look in its database, and for the control in the backup of before."""
    version = releases()[-1]
    old = checkout(version, place)
    with cluster.primary() as primary, Valkey(private_socket(_state(place))):
        yield from _runs(place, primary, version, old)


def _runs(place: Path, primary: Postgres, version: str, old: Path) -> Iterator[Run]:
    environ = cluster.environ(place, primary)
    migrate(cluster.environ(place, primary, role=cluster.OWNER), old)
    python(environ, "manage.py", "collectstatic", "--noinput", "--verbosity", "0", directory=old)
    run = Run(f"{version} to this version")
    dump = primary.owned(place / "dump") / "before"
    given, rounds = _played(run, place, primary, old, dump)
    _look(run, environ, given, rounds)
    yield run
    control = Run("gone back to the backup of before", control=True)
    with primary.connect() as admin:
        admin.execute(f"CREATE DATABASE before OWNER {cluster.OWNER} TEMPLATE template0")
    primary.run("pg_restore", *_to(primary), "--dbname=before", dump)
    migrate(cluster.environ(place, primary, role=cluster.OWNER, database="before"), PROJECT_DIR)
    _look(control, cluster.environ(place, primary, database="before"), given, rounds)
    yield control


def _played(
    run: Run, place: Path, primary: Postgres, old: Path, dump: Path
) -> tuple[list[dict[str, Any]], int]:
    """Play on the old version, upgrade it, play on; return what tablets were answered, and how many rounds the page played."""
    environ = cluster.environ(place, primary)
    world = json.loads(
        python(
            environ, "-m", "tests.measure.faults.commands.prepare", f"--tables={TABLETS + 1}", directory=old
        )
    )
    *tables, (of_page, _) = world["tables"]
    with Programs(environ, place, old) as before, opened(before.port, world["session"], of_page) as page:
        tablets = [Tablet(before.port, world["session"], [table], keeps_key=True) for table in tables]
        with posting(tablets):
            answered(tablets, BEFORE)
            primary.run("pg_dump", *_to(primary), "--format=custom", f"--file={dump}", cluster.DATABASE)
            page.plays_round()
            answered(tablets, BETWEEN)
            run.figures["commands answered by the old version"] = len(told(tablets))
            began = time.monotonic()
            before.stop()
            page.begins()  # which waits in the browser
            run.figures["commands that waited in the page"] = page.screen.waiting()
            migrate(cluster.environ(place, primary, role=cluster.OWNER), PROJECT_DIR)
            python(environ, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
            with Programs(environ, place, PROJECT_DIR, before.port) as after:
                run.figures["seconds without an answer"] = f"{time.monotonic() - began:.1f}"
                answered(tablets, AFTER)
                page.goes_on()
                gone = [path for path in page.files if status(after.port, path) != 200]
                wait_until(lambda: status(after.port, "/ready/") == 200, "the new version is ready")
                page.opens_anew()
                for tablet in tablets:
                    tablet.ended.set()
                for tablet in tablets:
                    tablet.join(timeout=60)
        given, rounds = told(tablets), page.rounds
        run.figures["commands answered in all"] = len(given)
        run.figures["of them sent more than once"] = sum(tablet.sent_again for tablet in tablets)
        run.figures["rounds that the page played"] = rounds
        run.figures["files of the old page still served"] = len(page.files) - len(gone)
        run.must(not gone, f"{len(gone)} files that the old page had loaded are gone: {gone[:3]}")
        refused = [tablet.refused for tablet in tablets if tablet.stuck]
        run.must(not refused, f"a tablet could not go on: {refused}")
        run.must(not page.errors, f"errors in scripts of the page: {page.errors[:3]}")
    return given, rounds


@contextlib.contextmanager
def posting(tablets: list[Tablet]) -> Iterator[None]:
    """Have tablets post commands until the end of the block."""
    for tablet in tablets:
        tablet.start()
    try:
        yield
    finally:
        for tablet in tablets:
            tablet.ended.set()
        for tablet in tablets:
            tablet.join(timeout=60)


def _look(run: Run, environ: Mapping[str, str], given: list[dict[str, Any]], rounds: int) -> None:
    """Look for every command that was answered, and verify."""
    there = found(environ, given)
    settled = sum(each["command"] == "round_settle" for each in given) + rounds
    run.figures["commands found"] = len(given) - len(there["lost"])
    run.figures["rounds settled there"] = there["rounds"]
    run.must(
        not there["lost"], f"{len(there['lost'])} of {len(given)} commands that were answered are missing"
    )
    run.must(not there["repeated"], f"{there['repeated']} buy-ins are there twice")
    run.must(
        there["rounds"] == settled, f"{there['rounds']} rounds are settled, and {settled} were answered so"
    )
    verified = tried(environ, "manage.py", "verify")
    run.must(verified.returncode == 0, f"verify: {verified.stdout[-300:]}")


def migrate(as_owner: Mapping[str, str], checkout: Path) -> None:
    """What the `cardroom-migrate` of a checkout runs."""
    script = (checkout / "deploy" / "cardroom-migrate").read_text(encoding="utf-8")
    for command in re.findall(r"^(?:exec )?\.venv/bin/python (manage\.py .+)$", script, re.MULTILINE):
        python(as_owner, *command.split(), directory=checkout)


class Programs:
    """Site, worker and beat of a checkout; as a context manager they run inside the block."""

    def __init__(
        self, environ: Mapping[str, str], place: Path, checkout: Path, port: int | None = None
    ) -> None:
        self._site = Site(environ, place / f"site-{checkout.name}.log", directory=checkout, port=port)
        self._environ, self._checkout = dict(environ), checkout
        self._log = place / f"work-{checkout.name}.log"
        self._others: list[subprocess.Popen[bytes]] = []

    @property
    def port(self) -> int:
        return self._site.port

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            for program in programs_of(read_environment(self._environ)):
                if program.name in ("worker", "beat"):
                    self._others.append(
                        start_child(
                            program.command,
                            environ=self._environ,
                            directory=self._checkout,
                            output=log.fileno(),
                        )
                    )
        try:
            self._site.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """What `systemctl stop cardroom.target` does: SIGTERM to each leader, which lets what is under way end."""
        self._site.stop()
        stop_children(self._others)
        self._others = []


@dataclasses.dataclass
class OpenPage:
    """A tablet's table page in Chromium, opened on the old version and left open over the upgrade."""

    page: Page
    screen: Screen
    address: str
    #: Paths of the static files that the page has loaded, and errors of its scripts.
    files: set[str] = dataclasses.field(default_factory=set)
    errors: list[str] = dataclasses.field(default_factory=list)
    rounds: int = 0

    def plays_round(self) -> None:
        """Play a round, by touch and keyboard, from the wagers to the settlement."""
        self.begins()
        self._ends()
        self.screen.wait_for("ready")

    def begins(self) -> None:
        self.screen.wait_for("ready")
        self.screen.take("Open betting", "betting")
        self.screen.type("1 10")
        self.screen.take("No more bets", "dropped")

    def goes_on(self) -> None:
        """Once the server answers again: what waited is sent, the round ends, and the old page plays another."""
        self.screen.expect_all_sent()
        self._ends()
        self.plays_round()

    def opens_anew(self) -> None:
        """Load the page of the new version in its place, and play a round on it."""
        self.page.reload()
        self.plays_round()

    def _ends(self) -> None:
        self.screen.take("Deal", "cards")
        for hand in ("kh 7d 4c", "b qd jc 3s"):
            self.screen.type(hand)
        self.screen.take("Settle", "settlement")
        self.rounds += 1


@contextlib.contextmanager
def opened(port: int, session: str, table: int) -> Iterator[OpenPage]:
    """Open a table's page in Chromium by a session."""
    # The tests' modules name models: Django is set up before they are imported.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.config.settings")
    os.environ.setdefault("CARDROOM_SECRET_KEY", secrets.token_urlsafe(64))
    django.setup()
    from tests.browser.conftest import BROWSERS, FLAGS
    from tests.browser.screen import Screen

    installed = [path for path in BROWSERS if path.exists()]
    if not installed:
        raise RuntimeError("Chromium is not installed: apt-get install chromium-headless-shell")
    address = f"http://127.0.0.1:{port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(installed[0]), args=FLAGS)
        context: BrowserContext = browser.new_context(
            viewport={"width": 1024, "height": 768}, base_url=address
        )
        context.add_cookies([{"name": "sessionid", "value": session, "domain": "127.0.0.1", "path": "/"}])
        page = context.new_page()
        made = OpenPage(page, Screen(page), f"{address}/tables/{table}/")
        page.on("pageerror", lambda error: made.errors.append(str(error)))
        page.on(
            "response",
            lambda answer: (
                made.files.add(answer.url.removeprefix(address)) if "/static/" in answer.url else None
            ),
        )
        page.goto(made.address)
        made.screen.wait_for("ready")
        yield made
        browser.close()


def told(tablets: list[Tablet]) -> list[dict[str, Any]]:
    """All commands that the tablets were answered."""
    return [each for tablet in tablets for each in list(tablet.told)]


def answered(tablets: list[Tablet], more: int) -> None:
    """Wait until so many more commands were answered."""
    before = len(told(tablets))
    wait_until(
        lambda: len(told(tablets)) >= before + more,
        f"{more} more commands are answered ({[tablet.refused for tablet in tablets]})",
    )


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until it holds. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"in {PATIENCE_SECONDS:.0f} s it did not come to this: {what}")
        time.sleep(0.05)


def status(port: int, path: str) -> int:
    """The status with which the site answers; 0 where nobody does."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0


def _state(place: Path) -> Path:
    state = place / "state"
    state.mkdir(exist_ok=True)
    return state


def _to(primary: Postgres) -> list[str]:
    return ["--host", str(primary.directory), "--port", str(primary.port), "--username", "postgres"]


DRILL = Drill(
    "upgrade",
    "Upgrade with tablets open",
    """The last release runs on PostgreSQL under its two roles, with a worker and beat. Two tablets post commands over the API all the
while, each again under its idempotency key until it is answered; a third is a table's page in Chromium, opened on the old
version. The programs are stopped, the database is migrated by what `cardroom-migrate` runs, static files are collected, and
this version starts on the same port. Meanwhile a round is begun on the page, which waits there. Then tablets and page go on,
the page as it was loaded from the old version; in the end it is loaded anew. Every command that was answered is looked for by
its key, rounds are counted, `verify` has to hold, and every file that the old page had loaded has to be served yet. The control
looks in what was dumped from the old version before the last of the commands.""",
    runs,
)
