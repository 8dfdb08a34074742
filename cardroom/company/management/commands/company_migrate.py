"""`manage.py company_migrate`: bring the cells of the company to a version, one first, then the rest."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.company.command_line import the_company
from cardroom.company.waves import READY_SECONDS, waves_run
from cardroom.config.version import VERSION


class Command(BaseCommand):
    help = (
        "Runs the `migrate` command of each cell, in the order of the file: the first alone, the next once its site is ready in "
        "the new version, and none after one that fails. A cell that is there already is left alone, so that the same command "
        "goes on where it stopped. Says where each cell is; ends with status 1 where one failed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--to", default=VERSION, metavar="VERSION", help=f"the version to reach; without it {VERSION}"
        )
        parser.add_argument(
            "--first", metavar="CELL", help="begin with this cell instead of the first of the file"
        )
        parser.add_argument("--only-first", action="store_true", help="end after the first cell")
        parser.add_argument(
            "--wait",
            type=int,
            default=READY_SECONDS,
            metavar="SECONDS",
            help="how long a site may take to be ready",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        cells = list(the_company().cells)
        if (first := options["first"]) is not None:
            if first not in {cell.name for cell in cells}:
                known = ", ".join(cell.name for cell in cells)
                raise CommandError(f"There is no cell {first!r}. Known are {known}.")
            cells.sort(key=lambda cell: cell.name != first)
        failed = False
        for step in waves_run(
            cells[:1] if options["only_first"] else cells, options["to"], ready_seconds=options["wait"]
        ):
            failed = failed or step.state == "failed"
            said = step.fault or (step.health.text if step.health else "")
            self.stdout.write(f"{step.cell.name}: {step.state}; {said}")
            self.stdout.flush()
        if failed:
            sys.exit(1)
