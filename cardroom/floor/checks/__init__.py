"""What may be done at a table now. Each check answers None or why not; the button, the API and the act all ask it.

Every act has one check for the table as a whole (`table_checks`); acts that concern a seat or a player have further
questions, which take them. A check of a table is computed at most once for a reading of it (`once_a_reading`), however
many buttons ask.
"""

from __future__ import annotations

import functools

from cardroom.core.acts import ACTS

from ..errors import WhyNot
from ..reads.table_reading import Check, TableReading


def why_not(reading: TableReading, act: str) -> WhyNot | None:
    """Answer for one act by its name; None too where it has no check for the table as a whole."""
    check = table_checks().get(act)
    return None if check is None else check(reading)


def why_nots(reading: TableReading) -> dict[str, WhyNot | None]:
    """Answer for every act at a table, by its name."""
    return {act: check(reading) for act, check in table_checks().items()}


@functools.cache
def table_checks() -> dict[str, Check]:
    """Return the check of every act at a table that has one, by its name; asked when all acts are declared."""
    return {act.name: act.check for act in ACTS.values() if act.place == "table" and act.check}
