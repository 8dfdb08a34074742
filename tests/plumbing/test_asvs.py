"""The page about OWASP ASVS: every requirement once, every file and test that it names is there, and its sums."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import NamedTuple

import pytest

from cardroom.config.environment import PROJECT_DIR

PAGE = PROJECT_DIR / "docs" / "asvs.md"
STATES = ("met", "partly", "not met", "n/a", "not assessed")
#: How many requirements of ASVS 5.0.0 the page is about: level 2, and level 3 of V6, V7 and V16. One row stands for V9, V10, V17.
ASKED = {
    "V1": 27, "V2": 11, "V3": 19, "V4": 10, "V5": 9, "V6": 47, "V7": 19, "V8": 7,
    "V11": 14, "V12": 9, "V13": 13, "V14": 9, "V15": 13, "V16": 17,
}  # fmt: skip
WHOLE = {"V9", "V10", "V17"}


class Requirement(NamedTuple):
    """A row of the page."""

    number: str
    asks: str
    state: str
    by: str
    test: str


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


LINES = PAGE.read_text(encoding="utf-8").splitlines()
ROWS = [Requirement(*cells(line)) for line in LINES if re.match(r"\| V\d+(\.| \()", line)]


def test_every_requirement_stands_there_once() -> None:
    numbers = [row.number for row in ROWS]
    assert [number for number, times in Counter(numbers).items() if times > 1] == []
    assert {number.split()[0] for number in numbers if number.endswith(" (all)")} == WHOLE
    assert Counter(number.split(".")[0] for number in numbers if "." in number) == ASKED


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_what_a_row_names_is_there(row: Requirement) -> None:
    assert row.state in STATES and row.asks
    named = [
        path for path in re.findall(r"`([^`]+)`", row.by) if "/" in path or path.endswith((".txt", ".toml"))
    ]
    missing = [path for path in named if not (PROJECT_DIR / path).is_file()]
    assert missing == []
    if row.state == "met":
        assert named, "what is met names the file that meets it"
    if row.state == "not met":
        assert row.by, "what is not met says why"
    if row.test:
        file, _, name = row.test.strip("`").partition("::")
        source = (PROJECT_DIR / file).read_text(encoding="utf-8")
        functions = {
            node.name
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        assert not name or name in functions, row.test
        assert any(each.startswith("test_") for each in functions)


def test_the_sums_are_those_of_the_rows() -> None:
    for line in LINES:
        if found := re.match(r"\| (V\d+|all rows) \| \d", line):
            of = [
                row.state
                for row in ROWS
                if found[1] == "all rows" or re.match(rf"{found[1]}[. ]", row.number)
            ]
            assert cells(line)[1:] == [str(of.count(state)) for state in STATES], found[1]
