"""`make bench-posting`: time posted sheets on PostgreSQL, write docs/measured/benchmarks-posting.md.

python -m tests.measure.bench.posting [--seconds S]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from cardroom.config.broker import private_socket
from cardroom.ops.supervisor.valkey import Valkey
from tests.measure.bench.measure import ROOT
from tests.servers.sites import database_address, site_environ

from .page import page


def main() -> None:
    """Measure, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.bench.posting")
    parser.add_argument(
        "--seconds", type=float, default=60, help="for which the room plays at five times its peak"
    )
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-bench-") as state,
        database_address("postgresql") as url,
    ):
        environ, out = site_environ(Path(state), url), Path(state) / "figures.json"
        words = [f"--{name}={value}" for name, value in vars(given).items()]
        with Valkey(private_socket(Path(state))):
            for command in (
                ["manage.py", "migrate", "--verbosity", "0"],
                ["-m", "tests.measure.bench.posting.run", f"--out={out}", *words],
            ):
                subprocess.run([sys.executable, *command], cwd=ROOT, env=environ, check=True)
        text = page(json.loads(out.read_text(encoding="utf-8")))
    (ROOT / "docs" / "measured" / "benchmarks-posting.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
