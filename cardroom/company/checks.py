"""System checks of a company's site: its file of cells can be read, and the packages are there."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from cardroom.reports.exports.store import StoreRefused, package

from .cells import CellsRefused, company_read


@register(Tags.files)
def check_company(**kwargs: Any) -> list[CheckMessage]:
    """Name what is wrong with CARDROOM_COMPANY_FILE."""
    if settings.COMPANY_FILE is None:
        return []
    try:
        company_read(settings.COMPANY_FILE)
        for name in ("fsspec", "pyarrow", "duckdb"):
            package(name)
    except CellsRefused as refusal:
        return [Error(str(refusal), hint="See docs/company.md.", id="cardroom.E007")]
    except StoreRefused as refusal:
        return [Error(str(refusal), id="cardroom.E008")]
    return []
