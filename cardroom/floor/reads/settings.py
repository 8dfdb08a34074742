"""Query on a table's settings: since when it is set as it is, and by whom."""

from __future__ import annotations

from ..journal import chain_name
from ..models import JournalEntry, Table


def last_set(table: Table) -> JournalEntry | None:
    """Return the journal's latest entry of a setting of `table` (ruling 42); None while it has its first settings."""
    return JournalEntry.objects.filter(chain=chain_name(table), command="table_set").order_by("-seq").first()
