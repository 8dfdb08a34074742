"""`manage.py grant_site_role ROLE`: give the site's role on PostgreSQL what the site needs, and nothing else."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection, transaction

from cardroom.core.migrated import migrations_missing
from cardroom.ops.site_role import grant_queries, role_exists


class Command(BaseCommand):
    help = (
        "Run it as the owner of the tables, after each migrate. Gives ROLE the privileges that the site needs: it reads and "
        "adds rows, and changes or removes them where no guard refuses that. All other privileges on the tables are "
        "taken from it. ROLE must exist: createuser makes it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="the role that the site signs in as; not the owner of the tables")

    def handle(self, *args: Any, **options: Any) -> None:
        role: str = options["role"]
        if connection.vendor != "postgresql":
            raise CommandError(
                "Roles are a matter of PostgreSQL; this database is an SQLite file. Nothing was done."
            )
        try:
            if not role_exists(connection, role):
                raise CommandError(f"There is no role {role!r}. Make it first: createuser --pwprompt {role}")
            with connection.cursor() as cursor:
                cursor.execute("SELECT current_user")
                if cursor.fetchone()[0] == role:
                    raise CommandError(
                        f"You are signed in as {role!r}. Sign in as the owner of the tables, who is another role."
                    )
            if missing := migrations_missing(connection):
                raise CommandError(
                    f"{len(missing)} migrations are missing, {missing[0]} first. Run migrate first."
                )
            with transaction.atomic(), connection.cursor() as cursor:
                queries = grant_queries(connection, role)
                for query in queries:
                    cursor.execute(query)
        except DatabaseError as fault:
            raise CommandError(f"Nothing was granted: {fault}") from None
        self.stdout.write(
            f"{role} has what the site needs: {len(queries)} statements. It owns no table of this site."
        )
