"""What is played for a release's database carries out every command of this version, and fills every table.

`make release-database` says so only on the day of a release: here a command or a table that `world.py` does not know yet is found
with the commit that brings it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardroom.config.broker import private_socket
from cardroom.core.commands import COMMANDS
from cardroom.ops.supervisor.valkey import Valkey
from tests.servers.sites import python, site_environ


@pytest.mark.outside
def test_the_world_of_a_release_carries_out_every_command_and_fills_every_table(tmp_path: Path) -> None:
    """It fails by itself where it does not, with the command or the table (about a minute)."""
    environ = site_environ(tmp_path, None) | {"DJANGO_SETTINGS_MODULE": "cardroom.config.settings"}
    with Valkey(private_socket(tmp_path)):
        python(environ, "manage.py", "migrate", "--verbosity", "0")
        python(environ, "-m", "tests.upgrades.world", str(tmp_path / "written.json"))
    assert json.loads((tmp_path / "written.json").read_text(encoding="utf-8")).keys() == COMMANDS.keys()
