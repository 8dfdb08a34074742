"""Settings of the test run: the product's own, read from an environment that is made here for this run alone.

Whoever imports this module gets a temporary state directory and a real Valkey in it, both gone when the process ends;
each worker of pytest-xdist imports it and has its own. Two variables are left as they were: CARDROOM_DATABASE_URL says
on which database server the suite makes its test database (`python -m tests.servers postgres -- …`), and
CARDROOM_TRANSACTION_POOLING whether a pooler that shares connections is in between.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path

from cardroom.config.broker import private_socket
from cardroom.config.environment import VARIABLES
from cardroom.ops.supervisor.valkey import Valkey

_state_dir = Path(tempfile.mkdtemp(prefix="cardroom-tests-"))
atexit.register(shutil.rmtree, _state_dir, ignore_errors=True)

for _name in set(VARIABLES) - {"CARDROOM_DATABASE_URL", "CARDROOM_TRANSACTION_POOLING"}:
    os.environ.pop(_name, None)
os.environ["CARDROOM_STATE_DIR"] = str(_state_dir)
os.environ["CARDROOM_SECRET_KEY"] = secrets.token_urlsafe(64)

_valkey = Valkey(private_socket(_state_dir))
atexit.register(_valkey.stop)
_valkey.start()

from cardroom.config.settings import *  # noqa: E402, F403  # the environment it reads had to be made first
from cardroom.config.settings import (  # noqa: E402
    DATABASE_OPTIONS,
    DATABASES,
    INSTALLED_APPS,
    STATIC_ROOT,
    STORAGES,
)

# With a `flush` of its own (tests/flush), which Django calls after each test that commits: its own empties every table.
INSTALLED_APPS = [*INSTALLED_APPS, "tests.flush"]

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file and not memory: write-ahead logging and two connections at once are what the product runs with.
    DATABASES["default"]["TEST"] = {"NAME": str(_state_dir / "test.sqlite3")}
    # Nothing here has to outlive a power cut.
    DATABASE_OPTIONS["init_command"] += " PRAGMA synchronous = OFF;"
else:
    # Tests make and drop databases, and count their own connections.
    del DATABASE_OPTIONS["pool"]

# The tables are made from the models, in half a second instead of some twenty: tests/plumbing/test_schema.py holds
# them against what the migrations make, once.
DATABASES["default"].setdefault("TEST", {})["MIGRATE"] = False

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher"
]  # a slow hash would cost the suite a minute

STATIC_ROOT.mkdir()
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
