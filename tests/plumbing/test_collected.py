"""No test is lost by its name: a function of a test module is collected, is a fixture, or is used somewhere."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """The functions of a module and of its classes of tests."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from functions(node.body)


def test_every_function_of_a_test_module_is_a_test_or_a_fixture_or_used() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py"))}
    named = Counter(word for text in texts.values() for word in re.findall(r"\w+", text))
    lost = [
        f"{path.relative_to(TESTS)}: {function.name}"
        for path, text in texts.items()
        if path.name.startswith("test_")
        for function in functions(ast.parse(text).body)
        if named[function.name] == 1 and not function.name.startswith("test_")
        if not any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)
    ]
    assert lost == []
