"""Agreement of counts: which of a box's counts is the valid one.

Two counts agree when they agree in every denomination; the second then stands. Where they differ, a third person who
made neither counts the box afresh, and that recount stands. If it agrees with neither of the two, the box is disputed:
a variance however small the difference. A correction strikes through what stood before it, and takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from .models import CountSheet

_KIND = CountSheet.Kind


def count_that_stands(sheets: Sequence[CountSheet]) -> CountSheet | None:
    """Return the sheet that counts of a box's `sheets` in their order; None while there is none."""
    if len(sheets) < 2 or (len(sheets) == 2 and sheets[0].pieces != sheets[1].pieces):
        return None
    return sheets[-1]


def is_disputed(sheets: Sequence[CountSheet]) -> bool:
    """Tell whether a box was recounted and the recount agreed with neither of the counts before it."""
    by_kind = {sheet.kind: sheet.pieces for sheet in sheets}
    return _KIND.RECOUNT in by_kind and by_kind[_KIND.RECOUNT] not in (
        by_kind[_KIND.FIRST],
        by_kind[_KIND.SECOND],
    )
