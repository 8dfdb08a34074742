"""Migrations stand by themselves: they import nothing of the product, whose code changes while they stay."""

from __future__ import annotations

import ast
import itertools
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


def test_the_migrations_of_an_app_are_numbered_in_one_line_and_named() -> None:
    by_app = {
        app: [path.name.split("_", 1) for path in paths]
        for app, paths in itertools.groupby(MIGRATIONS, key=lambda path: path.parent.parent.name)
    }
    assert len(by_app) >= 8
    for app, names in by_app.items():
        assert [number for number, _ in names] == [f"{n:04}" for n in range(1, len(names) + 1)], app
        unnamed = [name for _, name in names if name.startswith("auto_")]
        assert not unnamed, f"run `make migration APP={app} NAME=what_it_does`"
