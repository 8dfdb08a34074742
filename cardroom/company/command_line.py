"""What the company's commands share: its file of cells."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import CommandError

from .cells import CellsRefused, Company, company_read


def the_company() -> Company:
    """Return the company of this site. Raises CommandError where it names none, or its file is refused."""
    if settings.COMPANY_FILE is None:
        raise CommandError("This site is no company's: set CARDROOM_COMPANY_FILE (docs/company.md).")
    try:
        return company_read(settings.COMPANY_FILE)
    except CellsRefused as refusal:
        raise CommandError(str(refusal)) from None
