"""Room on the stack of Python's frames for all that a test calls, mapped once a process.

CPython keeps the frames of functions in pieces of 16 KB, and maps the next piece whenever a call does not fit into the last
one: a call that begins a piece in a loop maps and unmaps memory each time it is made. That took a sixth of the processor's
time where templates are rendered. A frame that asks for more than a piece gets one of twice the size to itself, and what is
called from it goes behind it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

#: Values that the frame asks room for: a little more than 1 MiB of them, so that as much again is mapped behind it.
_VALUES = 2**17 + 2**10


def roomy(function: Callable[..., Any], **given: Any) -> Any:
    """Call a function with that much room for frames behind it."""
    return function(**given)


roomy.__code__ = roomy.__code__.replace(co_stacksize=_VALUES)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> object:
    """Run the tests as whoever else would run them, with room for frames."""
    plugins = session.config.pluginmanager
    others = plugins.subset_hook_caller("pytest_runtestloop", [sys.modules[__name__]])
    return roomy(others, session=session)
