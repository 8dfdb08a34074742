"""Migrations stand by themselves: they import nothing of the product, whose code changes while they stay."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cardroom.config.environment import PROJECT_DIR

MIGRATIONS = sorted((PROJECT_DIR / "cardroom").rglob("migrations/0*.py"))


@pytest.mark.parametrize("migration", MIGRATIONS, ids=lambda path: path.parent.parent.name)
def test_a_migration_imports_no_live_code(migration: Path) -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(migration.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert imported & {"cardroom", "fees", "games", "tests", ""} == set()


def test_each_app_begins_with_one_migration() -> None:
    assert len(MIGRATIONS) >= 8
    assert {path.name for path in MIGRATIONS} == {"0001_initial.py"}, "run `make migration APP=…` instead"
