"""A plugin of pytest (`-p tests.measure.mutation.plugin`) that runs the tests against the mutants of one module.

Which module, and what else it has to know, is in the environment variable `MUTATION` as JSON (`Order`). All tests run
once against the module as it is, traced: so it is known which lines each of them reaches, and how long it takes. Then a
child is forked for each mutant. It puts the changed code into the function that lives in the process, runs the tests
that reach the changed lines, the shortest first, on a copy of the test database, and ends at the first that fails.

What runs while modules are imported (tables, defaults, functions called there) has run by then. A mutant of it takes a
process of its own (`number` in the order), in which the changed module is imported instead, and runs all of the tests.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import os
import resource
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, settings

from .mutants import Mutant, mutants_of, sample

KILLED, TIMED_OUT, SURVIVED, IMPORTED = "killed", "timed out", "survived", "imported"
#: Processor seconds that the tests of a mutant may take beside three times what they take without it.
_SPARE_SECONDS = 10
#: So many tests run in a fork without a mutant first, and must pass there.
_CONTROL = 20


class Order(msgspec.Struct):
    """What a process of pytest is to do with which module."""

    path: str
    results: str
    most: int | None = None
    seed: int = 0
    #: The one mutant that is imported; None: all are made by forks.
    number: int | None = None
    #: The mutants to be made; None: all that are chosen.
    only: list[int] | None = None
    #: Seconds of each test, so that the shortest comes first.
    seconds: dict[str, float] = {}


_order = msgspec.json.decode(os.environ["MUTATION"], type=Order)
_path = str(Path(_order.path).resolve())
_module = _order.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
_tree = ast.parse(Path(_path).read_text(encoding="utf-8"))


def chosen() -> list[Mutant]:
    """The mutants of the module that this run is about."""
    return sample(mutants_of(_tree), _order.most, _order.seed)


class _Reached:
    """Lines of the module that were run, by test; those of its import under an empty name."""

    def __init__(self) -> None:
        self.lines: defaultdict[str, set[int]] = defaultdict(set)
        self.functions: defaultdict[str, set[str]] = defaultdict(set)
        self.test = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != _path:
            return None
        self.functions[self.test].add(frame.f_code.co_qualname)
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.lines[self.test].add(frame.f_lineno)
        return self._line


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads the module with its mutant."""

    def get_code(self, fullname: str) -> CodeType:
        return chosen()[_order.number or 0].compiled(_tree, _path)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != _module:
            return None
        folder = [str(Path(_path).parent)] if _path.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            fullname, _path, loader=_Loader(fullname, _path), submodule_search_locations=folder
        )


_reached = _Reached()
if _order.number is None:
    sys.settrace(_reached)
else:
    sys.meta_path.insert(0, _Finder())


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take the same examples in each run, and do not look for smaller ones: a failure is all that counts."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", settings(), derandomize=True, database=None, phases=phases)
    settings.load_profile("mutation")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the shortest come first."""
    if _order.seconds:
        items.sort(key=lambda item: _order.seconds.get(item.nodeid, 0.0))


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests once, then against each mutant."""
    if _order.number is not None or session.config.option.collectonly:
        return None
    failures = _Failures()
    session.config.pluginmanager.register(failures)
    importlib.import_module(_module)  # some are imported by the tests first that ask for them
    seconds = dict(_run_once(session.items))
    if failures.failed:
        raise pytest.UsageError(f"tests fail without a mutant: {failures.failed}")
    forks = _Forks(session.items, seconds, failures)
    shortest = sorted(session.items, key=lambda item: seconds[item.nodeid])[:_CONTROL]
    if (outcome := forks.outcome(None, shortest)) != SURVIVED:
        raise pytest.UsageError(f"in a fork, tests fail without a mutant ({outcome})")
    found = []
    for place, mutant in enumerate(chosen()):
        if _order.only is not None and place not in _order.only:
            continue
        outcome = _outcome(mutant, forks)
        found.append({"number": place, "name": mutant.name, "line": mutant.lines.start, "outcome": outcome})
        print(f"{outcome:10}{mutant.lines.start:5}  {mutant.name}", file=sys.__stderr__, flush=True)
    Path(_order.results).write_text(
        json.dumps({"all": len(mutants_of(_tree)), "mutants": found, "seconds": seconds}), encoding="utf-8"
    )
    return True


class _Failures:
    """Notes the tests that failed; a child ends with the first."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.in_child = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            if self.in_child:
                os._exit(1)
            self.failed.append(report.nodeid)


def _run_once(items: Sequence[pytest.Item]) -> Iterator[tuple[str, float]]:
    """Run each test traced, and yield its processor seconds; what the session has set up stays for the children."""
    caches = list(_caches())
    for item, following in zip(items, [*items[1:], items[0]], strict=True):
        for cache in caches:
            cache.cache_clear()
        _reached.test = item.nodeid
        sys.settrace(_reached)
        began = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        yield item.nodeid, time.process_time() - began
    sys.settrace(None)


def _outcome(mutant: Mutant, forks: _Forks) -> str:
    if not mutant.function or mutant.function in _reached.functions[""]:
        return IMPORTED
    lines = set(mutant.lines)
    tests = [item for item in forks.items if lines & _reached.lines[item.nodeid]]
    return forks.outcome(mutant, tests) if tests else SURVIVED


class _Forks:
    """Children of this process, one after the other; each runs some of the tests against a mutant."""

    def __init__(self, items: list[pytest.Item], seconds: dict[str, float], failures: _Failures) -> None:
        self.items = items
        self._seconds, self._failures, self._database = seconds, failures, _database()

    def outcome(self, mutant: Mutant | None, tests: list[pytest.Item]) -> str:
        """Run the tests in a child, against the module as it is if there is no mutant."""
        code = None if mutant is None else mutant.compiled(_tree, _path)
        # What the session has set up is that of its first test, which pytest would run now.
        tests = [self.items[0], *sorted(tests, key=lambda item: self._seconds[item.nodeid])]
        child = os.fork()
        if not child:
            self._in_child(mutant, code, tests)
        _, status = os.waitpid(child, 0)
        ended = os.waitstatus_to_exitcode(status)
        if ended in (-signal.SIGPROF, -signal.SIGALRM):
            return TIMED_OUT
        return KILLED if ended else SURVIVED

    def _in_child(self, mutant: Mutant | None, code: CodeType | None, tests: list[pytest.Item]) -> None:
        """End the process with 0 if none of the tests fails."""
        try:
            limit = _SPARE_SECONDS + 3 * sum(self._seconds[item.nodeid] for item in tests)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for timer, number, factor in (
                (signal.ITIMER_PROF, signal.SIGPROF, 1),
                (signal.ITIMER_REAL, signal.SIGALRM, 10),
            ):
                signal.signal(number, signal.SIG_DFL)
                signal.setitimer(timer, factor * limit)
            for cache in _caches():
                cache.cache_clear()
            if mutant is not None and code is not None:
                function_of(sys.modules[_module], mutant.function).__code__ = code_of(code, mutant.function)
            _other_database(self._database)
            self._failures.in_child = True
            for item, following in zip(tests, [*tests[1:], self.items[0]], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            os._exit(0)
        except BaseException:  # noqa: BLE001  # whatever it is, the mutant was noticed
            os._exit(1)


def function_of(module: ModuleType, name: str) -> FunctionType:
    """Return the function that lives in a module under a qualified name, out of its decorators."""
    found: Any = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, functools.cached_property):
        found = found.func
    elif isinstance(found, (classmethod, staticmethod)):
        found = found.__func__
    function = inspect.unwrap(found)
    assert isinstance(function, FunctionType)
    return function


def code_of(module: CodeType, name: str) -> CodeType:
    """Return the code of a function within the compiled code of its module."""
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == name:
                return constant
            if name.startswith(f"{constant.co_qualname}."):
                return code_of(constant, name)
    raise LookupError(name)


def _caches() -> Iterator[Any]:
    """The functions of the module that keep what they have returned."""
    for each in list(vars(sys.modules[_module]).values()):
        if hasattr(each, "cache_clear") and getattr(each, "__module__", "") == _module:
            yield each


def _database() -> Path | None:
    """Close the connections, which no child may share, and return the test database's file if one was made."""
    from django.db import connections

    connections.close_all()
    name = Path(str(connections["default"].settings_dict["NAME"]))
    return name if name.is_file() else None


def _other_database(database: Path | None) -> None:
    """Go on with a copy of the test database: a child that is stopped may leave anything in its own."""
    if database is None:
        return
    from django.db import connections

    copy = database.with_suffix(".mutant.sqlite3")
    for suffix in ("", "-wal", "-shm"):
        Path(f"{copy}{suffix}").unlink(missing_ok=True)
    shutil.copyfile(database, copy)
    connections["default"].settings_dict["NAME"] = str(copy)
