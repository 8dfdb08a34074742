"""What every test of the suite stands on."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from cardroom.floor.execution import locks
from tests.cast import Cast, closed_cast, running_cast

pytest_plugins = ["tests.clauses", "tests.clock", "tests.outside"]

# No test is timed: how long one example takes says how busy the machine is.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what lives as long as the run: modules, settings and the tests themselves.

    Half a million objects, which it would walk through again and again, and find nothing to free.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session", autouse=True)
def patient_server() -> None:
    """PostgreSQL ends a command that stays silent within a transaction; a test builds a room in one, on a busy machine."""
    locks.SILENCE_MS = 10 * 60 * 1000


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Note every migration as carried out, as it is in a site: the tables were made from the models."""
    with django_db_blocker.unblock():
        call_command("migrate", fake=True, verbosity=0)


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """Two rooms, whose doors are still closed; for a test of the running table, running already."""
    return running_cast() if "running" in request.fixturenames else closed_cast()


@pytest.fixture
def running(cast: Cast) -> Cast:
    """Table 7 is open on schedule 1 with seven players and the dealer; seat 3 holds the bank."""
    return cast


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Forget after each test what the cache holds: counts of wrong passwords are no one else's."""
    yield
    cache.clear()


@pytest.fixture
def site_environ(transactional_db: None) -> dict[str, str]:
    """The environment for a child process of the site (manage.py, a worker): this test's database and Valkey.

    The child sees what is committed, hence the transactional database.
    """
    return environ_of_run()


def environ_of_run() -> dict[str, str]:
    """Return the environment of the site on the database and Valkey of this process's tests."""
    database = connections["default"].settings_dict
    if connections["default"].vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        credentials = f"{database['USER']}:{database['PASSWORD']}".rstrip(":")
        url = f"postgresql://{credentials}@/{database['NAME']}?host={database['HOST']}"
        if database["PORT"]:
            url = f"postgresql://{credentials}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    return {**os.environ, "CARDROOM_DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "cardroom.config.settings"}
