"""`make sizes`: measure bytes, statements and processor time of a round on PostgreSQL, write docs/measured/sizes.md.

python -m tests.measure.sizes [--sheets N] [--played N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from cardroom.config.broker import private_socket
from cardroom.config.environment import PROJECT_DIR
from cardroom.ops.supervisor.valkey import Valkey
from tests.servers.postgres import DURABLE, Postgres
from tests.servers.sites import site_environ

from . import PLAYED, SHEETS
from .page import page
from .statements import SETTINGS

#: Between two checkpoints lies more than the run writes: the one that it makes itself is the only one.
_SETTINGS = {**DURABLE, **SETTINGS, "max_wal_size": "8GB", "checkpoint_timeout": "1h"}


def main() -> None:
    """Measure, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.sizes")
    parser.add_argument("--sheets", type=int, default=SHEETS, help="rounds posted as whole sheets")
    parser.add_argument("--played", type=int, default=PLAYED, help="rounds played command by command")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-sizes-") as name,
        Postgres(settings=_SETTINGS) as server,
    ):
        state = Path(name)
        server.make_database()
        environ, out = site_environ(state, server.url), state / "figures.json"
        assert server.process is not None
        words = [f"--{name}={value}" for name, value in vars(given).items()]
        words += [f"--out={out}", f"--postgres={server.process.pid}", f"--socket={server.directory}"]
        with Valkey(private_socket(state)):
            for command in (
                ["manage.py", "migrate", "--verbosity", "0"],
                ["-m", "tests.measure.sizes.run", *words],
            ):
                subprocess.run([sys.executable, *command], cwd=PROJECT_DIR, env=environ, check=True)
        text = page(json.loads(out.read_text(encoding="utf-8")))
    (PROJECT_DIR / "docs" / "measured" / "sizes.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
