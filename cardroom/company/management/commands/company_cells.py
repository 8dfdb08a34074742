"""`manage.py company_cells`: health and version of each cell of the company."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from cardroom.company.command_line import the_company
from cardroom.company.health import cells_health


class Command(BaseCommand):
    help = "Asks each cell of the company for its version and readiness. Ends with status 1 where one is not ready or does not answer."

    def handle(self, *args: Any, **options: Any) -> None:
        found = cells_health(the_company().cells)
        for each in found:
            self.stdout.write(f"{each.cell.name}: {each.text}")
        if not all(each.ready for each in found):
            sys.exit(1)
