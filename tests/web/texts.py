"""The texts of the product's sources that staff read: templates, page scripts, Python strings, procedures' names.

Docstrings, comments, codes and addresses are no texts. `texts` yields every text with the place where it stands.
"""

from __future__ import annotations

import ast
import pathlib
import re
import tomllib
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: Sources whose strings no member of staff reads: the API's own document, the server's commands, migrations.
_NOT_FOR_STAFF = (
    "cardroom/ops/",
    "/management/",
    "/migrations/",
    "cardroom/config/",
    "cardroom/demo/simulation/",
)

_COMMENT = re.compile(r"\{#.*?#\}|\{% comment .*?endcomment %\}|<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'")
#: Attributes of an element that are read, shown or spoken.
_READ = re.compile(
    r"\b(?:title|placeholder|alt|value|label|aria-label|aria-description|data-why|data-asks|data-text)"
    r"=(?:\"([^\"]*)\"|'([^']*)')"
)
_ELEMENT = re.compile(r"<[^>]*>", re.DOTALL)
_SCRIPT_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`")
_SCRIPT_COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$|\s//\s.*$", re.MULTILINE)


def texts() -> Iterator[tuple[str, str]]:
    """Yield (place, text) of everything that staff read: place is "path:line"."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in {".html", ".txt"}:
            yield from _template(path)
        elif path.suffix == ".js":
            yield from _script(path)
    for path in sorted((ROOT / "cardroom" / "web" / "static").rglob("*.js")):
        yield from _script(path)
    for package in ("cardroom", "games", "fees"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if not any(each in path.as_posix() for each in _NOT_FOR_STAFF):
                yield from _module(path)
    for path in sorted((ROOT / "games").rglob("procedures/*.toml")):
        yield from _data(path)


def _template(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    source = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), path.read_text())
    for number, line in enumerate(source.splitlines(), 1):
        place = f"{path.relative_to(ROOT)}:{number}"
        for tag in _TAG.findall(line):  # the words of a tag's own arguments
            for found in _QUOTED.finditer(tag):
                yield place, found[1] or found[2]
        bare = _TAG.sub("\N{OBJECT REPLACEMENT CHARACTER}", line)
        for found in _READ.finditer(bare):
            yield place, found[1] or found[2] or ""
        for text in _ELEMENT.split(bare):
            if text.strip():
                yield place, text


def _script(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(_SCRIPT_COMMENT.sub("", path.read_text()).splitlines(), 1):
        for found in _SCRIPT_TEXT.finditer(line):
            yield f"{path.relative_to(ROOT)}:{number}", found[1] or found[2] or found[3] or ""


def _module(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text())
    bare = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def _data(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for each in value.values():
                yield from walk(each)
        elif isinstance(value, list):
            for each in value:
                yield from walk(each)

    for text in walk(tomllib.loads(path.read_text())):
        yield str(path.relative_to(ROOT)), text
