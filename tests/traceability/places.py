"""Whether a place that a provision names is there: code is looked up in its source, data in its file.

Nothing is imported, so that a place can be checked without settings, database or side effects.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.traceability.catalogue import ROOT


def why_not_there(place: str, root: Path = ROOT) -> str | None:
    """None when `place` exists under `root`, else what is missing.

    A place is a dotted name (`games.bank.cover_gross`, `cardroom.floor.models.tables.Table.schedule`), a key of a
    TOML file (`games/three_card_poker/rulebooks/california.toml:order.seats`), or a file (`templates/web/table/table.html`).
    """
    if "/" in place:
        path, _, key = place.partition(":")
        if not (root / path).is_file():
            return f"there is no file {path}"
        return _why_no_key(root / path, key.split(".")) if key else None
    return _why_no_name(place.split("."), root)


def file_of(place: str, root: Path = ROOT) -> str:
    """The path from `root` of the file that holds a place that is there."""
    if "/" in place:
        return place.partition(":")[0]
    module, _ = _module(place.split("."), root)
    return module.relative_to(root).as_posix()


def _why_no_key(path: Path, keys: Sequence[str]) -> str | None:
    found: Any = _toml(path)
    for depth, key in enumerate(keys):
        if not isinstance(found, dict) or key not in found:
            return f"{path.name} has no key {'.'.join(keys[: depth + 1])}"
        found = found[key]
    return None


def _why_no_name(names: Sequence[str], root: Path) -> str | None:
    try:
        path, rest = _module(names, root)
    except FileNotFoundError:
        return f"there is no module {'.'.join(names)}, nor one that could hold it"
    body: Sequence[ast.stmt] = _source(path).body
    for depth, name in enumerate(rest):
        found = next((node for bound, node in _bound(body) if bound == name), None)
        if found is None:
            return f"{path.relative_to(root).as_posix()} has no {'.'.join(rest[: depth + 1])}"
        body = found.body if isinstance(found, ast.ClassDef) else []
    return None


def _module(names: Sequence[str], root: Path) -> tuple[Path, Sequence[str]]:
    """The file of the longest part of a dotted name that is a module, and the names left over."""
    for length in range(len(names), 0, -1):
        stem = root.joinpath(*names[:length])
        for path in (stem.with_suffix(".py"), stem / "__init__.py"):
            if path.is_file():
                return path, names[length:]
    raise FileNotFoundError(".".join(names))


def _bound(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Each name that statements bind, with the statement; imported names are places of their own module."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from ((name.id, node) for name in ast.walk(target) if isinstance(name, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


@cache
def _source(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
