"""Databases of released versions: where they are kept, how they are put back, and what each of their tables held.

`tests/upgrades/VERSION/` holds `postgresql.sql.xz`, a dump with the two roles of docs/deployment.md as owners and grantees,
`sqlite3.xz`, the file of `make run`, `migrations.json`, the SHA-256 of each migration of that version, and `commands.json`, the
journal entry that each of its commands wrote there.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg

from cardroom.config.environment import PROJECT_DIR
from tests.servers.postgres import Postgres

KEPT = Path(__file__).parent
#: The roles of docs/deployment.md, by which the dump names owners and grantees.
OWNER, SITE = "cardroom_owner", "cardroom"
#: A journal entry: its chain, its place in it, its word.
Entry = tuple[str, int, str]
#: The names of columns by which the rows of each table are sought again, and the digest of each row, by table.
Rows = Mapping[str, "TableRows"]


class TableRows:
    """What a table held: its columns, and the digest of each row by its primary key."""

    def __init__(self, columns: Sequence[str], key: str, digests: Mapping[Any, str]) -> None:
        self.columns, self.key, self.digests = list(columns), key, dict(digests)


def releases() -> list[str]:
    """The versions whose databases are kept, the oldest first."""
    found = [path.parent.name for path in KEPT.glob("*/migrations.json")]
    return sorted(found, key=lambda version: [int(part) for part in version.split(".")])


def migrations(checkout: Path = PROJECT_DIR) -> dict[str, str]:
    """The SHA-256 of every migration of a checkout, by its path there."""
    files = sorted((checkout / "cardroom").glob("*/migrations/0*.py"))
    return {
        path.relative_to(checkout).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


def migrations_of(version: str) -> dict[str, str]:
    """The same as a release had them."""
    read: dict[str, str] = json.loads((KEPT / version / "migrations.json").read_text(encoding="utf-8"))
    return read


def commands_of(version: str) -> dict[str, Entry | None]:
    """The journal entry that each command of a release wrote in its database; None for one that writes none."""
    read = json.loads((KEPT / version / "commands.json").read_text(encoding="utf-8"))
    return {name: None if entry is None else tuple(entry) for name, entry in read.items()}


_JOURNAL = "SELECT chain, seq, command FROM floor_journalentry"


def journal_of_postgresql(server: Postgres) -> set[Entry]:
    """The entries of the journal."""
    with connected(server, "site", OWNER) as owner:
        return {(chain, seq, word) for chain, seq, word in owner.execute(_JOURNAL)}


def journal_of_sqlite(path: Path) -> set[Entry]:
    """The same of an SQLite file."""
    with sqlite3.connect(path) as database:
        return set(database.execute(_JOURNAL))


def server_with_roles() -> Postgres:
    """A throwaway server whose superuser is neither role: start it, then `roles_made`."""
    return Postgres(superuser="postgres")


def roles_made(server: Postgres) -> None:
    """Make both roles and an empty database of the owner's on that server, as docs/deployment.md does."""
    with server.connect() as admin:
        for role in (OWNER, SITE):
            admin.execute(f"CREATE ROLE {role} LOGIN")
        admin.execute(f"CREATE DATABASE site OWNER {OWNER} ENCODING 'UTF8' TEMPLATE template0")


def address(server: Postgres, role: str) -> str:
    """The CARDROOM_DATABASE_URL of that database, signed in to as a role."""
    return f"postgresql://{role}@/site?host={server.directory}"


def put_back(server: Postgres, version: str) -> None:
    """Fill that database with a release's."""
    script = lzma.decompress((KEPT / version / "postgresql.sql.xz").read_bytes()).decode()
    with connected(server, "site", OWNER) as owner:
        owner.execute(script.encode())


def sqlite_put_back(path: Path, version: str) -> None:
    """Write the SQLite database of a release to a file."""
    path.write_bytes(lzma.decompress((KEPT / version / "sqlite3.xz").read_bytes()))


def rows_of_postgresql(server: Postgres, like: Rows | None = None) -> Rows:
    """The digest of each row of each table; with `like`, of the tables and columns that were there then."""
    with connected(server, "site", OWNER) as owner:
        if like is None:
            asked = """
                SELECT c.relname, array_agg(a.attname ORDER BY a.attnum),
                       (SELECT k.attname FROM pg_index i JOIN pg_attribute k
                        ON k.attrelid = c.oid AND k.attnum = i.indkey[0] WHERE i.indrelid = c.oid AND i.indisprimary)
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace GROUP BY c.oid, c.relname
            """
            found = owner.execute(asked).fetchall()
        else:
            found = [(table, rows.columns, rows.key) for table, rows in like.items()]
        return {
            table: TableRows(columns, key, _digests(owner.execute(_selected(table, columns, key, "::text"))))
            for table, columns, key in found
        }


def rows_of_sqlite(path: Path, like: Rows | None = None) -> Rows:
    """The same of an SQLite file."""
    found: list[tuple[str, list[str], str]] = []
    with sqlite3.connect(path) as database:
        if like is None:
            tables = database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
            for (table,) in tables.fetchall():
                columns = database.execute(f"PRAGMA table_info('{table}')").fetchall()
                [key] = [column[1] for column in columns if column[5]]
                found.append((table, [column[1] for column in columns], key))
        else:
            found = [(table, rows.columns, rows.key) for table, rows in like.items()]
        return {
            table: TableRows(columns, key, _digests(database.execute(_selected(table, columns, key, ""))))
            for table, columns, key in found
        }


def changed(before: Rows, after: Rows) -> list[str]:
    """The tables of which a row that was there is gone, or has another value in a column that was there."""
    return [
        table
        for table, rows in before.items()
        if any(after[table].digests.get(key) != digest for key, digest in rows.digests.items())
    ]


def _selected(table: str, columns: Sequence[str], key: str, cast: str) -> str:
    return f'SELECT "{key}", ' + ", ".join(f'"{column}"{cast}' for column in columns) + f' FROM "{table}"'


def _digests(rows: Iterable[Sequence[Any]]) -> dict[Any, str]:
    return {row[0]: hashlib.sha256(repr(row[1:]).encode()).hexdigest() for row in rows}


def connected(server: Postgres, database: str, role: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Sign in to a database of the server as a role; each statement commits by itself."""
    return psycopg.connect(host=str(server.directory), user=role, dbname=database, autocommit=True)
