"""Runs the suite inside one large chunk of the interpreter's stack (a pytest plugin; it changes no test's outcome).

CPython 3.11 to 3.14 keep the frames of Python functions in chunks of 16 KiB, and give a chunk back to the system as soon
as its last frame returns. A loop whose calls cross the end of a chunk maps and unmaps memory at each of them
(github.com/python/cpython/issues/142183). Tests run some hundred frames deep, so some always stand at an edge.
A chunk is made as large as the frame that it begins with needs: below one frame of more than half a mebibyte lies a
chunk of a mebibyte, in which all the frames of a test fit.
"""

from __future__ import annotations

import sys

import pytest

#: Slots (8 bytes each) that the frame below the tests asks for.
_SLOTS = 70_000


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | pytest.ExitCode | None:
    """Run pytest's own main loop, and in a process of pytest-xdist the worker's, above a frame of `_SLOTS`."""
    main = config.pluginmanager.subset_hook_caller("pytest_cmdline_main", [sys.modules[__name__]])

    def run() -> int | pytest.ExitCode | None:
        code: int | pytest.ExitCode | None = main(config=config)
        return code

    run.__code__ = run.__code__.replace(co_stacksize=_SLOTS)
    return run()
