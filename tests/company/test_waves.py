"""Health of cells, and migrating them in waves: no further than the first that fails, and where each is."""

from __future__ import annotations

import http.server
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from cardroom.company.cells import Cell, company_read
from cardroom.company.health import cell_health
from cardroom.company.waves import waves_run
from cardroom.config.version import VERSION

pytestmark = pytest.mark.outside


class SiteOf:
    """Answers as a site does, with the version that its migration has written to a file."""

    def __init__(self, place: Path) -> None:
        self.version_file = place / "version"
        self.ready = True
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/health/":
                    status, said = 200, {"ok": True, "version": site.version_file.read_text()}
                else:
                    checks = [{"name": "worker", "ok": site.ready, "text": "no heartbeat", "age": None}]
                    status, said = (200 if site.ready else 503), {"ok": site.ready, "checks": checks}
                content = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[dict[str, SiteOf]]:
    found = {}
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "version").write_text("0.1.0")
        found[name] = SiteOf(tmp_path / name)
    yield found
    for each in found.values():
        each.stop()


@pytest.fixture
def file(sites: dict[str, SiteOf], settings: Settings, tmp_path: Path) -> Path:
    text = ['company = "Delta Cardrooms"']
    for name, site in sites.items():
        migrate = json.dumps(["sh", "-c", f"printf {VERSION} > {site.version_file}"])
        text += [
            "[[cell]]",
            f'name = "{name}"',
            f'url = "{site.url}"',
            f'store = "{tmp_path / name}"',
            f"migrate = {migrate}",
        ]
    path = tmp_path / "company.toml"
    path.write_text("\n".join(text))
    settings.COMPANY_FILE = path
    return path


def run(command: str, *words: str) -> tuple[int, list[str]]:
    out = io.StringIO()
    try:
        call_command(command, *words, stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_each_cell_says_its_version_and_what_it_is_not_ready_in(file: Path, sites: dict[str, SiteOf]) -> None:
    sites["two"].ready = False
    sites["three"].stop()
    status, [one, two, three] = run("company_cells")
    assert status == 1 and one == "one: version 0.1.0, ready"
    assert two == "two: version 0.1.0, not ready: worker: no heartbeat"
    assert (
        three.startswith(f"three: does not answer: {sites['three'].url}: ")
        and "See whether the site runs" in three
    )


def test_something_else_at_the_address_is_told(tmp_path: Path) -> None:
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = cell_health(Cell("other", f"http://127.0.0.1:{server.server_port}", "/srv/other"))
        server.shutdown()
    assert "answers something else than a site of this software" in found.text and not found.ready


def test_all_are_brought_to_the_version_one_after_the_other(file: Path, sites: dict[str, SiteOf]) -> None:
    assert run("company_migrate", "--only-first") == (0, [f"one: migrated; version {VERSION}, ready"])
    assert sites["two"].version_file.read_text() == "0.1.0"
    assert run("company_migrate") == (
        0,
        [
            f"one: was there; version {VERSION}, ready",
            f"two: migrated; version {VERSION}, ready",
            f"three: migrated; version {VERSION}, ready",
        ],
    )


def test_it_stops_at_the_first_that_fails_and_says_where_each_is(
    file: Path, sites: dict[str, SiteOf]
) -> None:
    file.write_text(
        file.read_text().replace(
            f"printf {VERSION} > {sites['two'].version_file}", "echo must be owner >&2; exit 3"
        )
    )
    status, [one, two, three] = run("company_migrate")
    assert status == 1 and one == f"one: migrated; version {VERSION}, ready"
    assert two == "two: failed; sh ended with status 3: must be owner"
    assert three == "three: not begun; version 0.1.0, ready"
    assert sites["three"].version_file.read_text() == "0.1.0"


def test_a_site_that_is_not_ready_afterwards_has_failed(file: Path, sites: dict[str, SiteOf]) -> None:
    sites["one"].ready = False
    [first, second, _] = waves_run(company_read(file).cells, VERSION, ready_seconds=0)
    assert (
        first.state == "failed"
        and "0 seconds later its site version" in first.fault
        and "worker" in first.fault
    )
    assert second.state == "not begun"


def test_a_cell_without_a_command_is_named(file: Path) -> None:
    file.write_text(
        "\n".join(line for line in file.read_text().splitlines() if not line.startswith("migrate"))
    )
    assert "names no `migrate`: write the command" in run("company_migrate")[1][0]
