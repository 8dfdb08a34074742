"""Tests that leave the process have the mark `outside`: `make check` runs them, `make test` does not.

Such a test starts a browser, a server, a process of the site or a command, mostly with its whole module:
`pytestmark = pytest.mark.outside`. So have those that stay inside and try very many cases. A test without the mark that
starts a process fails, whichever command runs it.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

import pytest

#: What Python reports (`sys.audit`) before a process is started.
_STARTS = frozenset({"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
_MAY_START = ("outside", "slow")

#: The test that runs and may start no process, in a list since the hook below cannot be taken away.
_kept_inside: list[str] = []


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if _kept_inside and event in _STARTS:
        pytest.fail(
            f"{_kept_inside[0]} starts a process ({event}): mark it, or its module, with pytest.mark.outside, "
            "so that make check runs it and make test does not"
        )


sys.addaudithook(_refuse)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Keep a test without the mark inside the process, its fixtures too."""
    if not any(item.get_closest_marker(name) for name in _MAY_START):
        _kept_inside.append(item.nodeid)
    try:
        return (yield)
    finally:
        _kept_inside.clear()
