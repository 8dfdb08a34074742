"""Shapes that are written by hand for documents of declared acts (`cardroom.core.acts.Document`)."""

from __future__ import annotations

from cardroom.floor.documents import (
    FeeDocument,
    FollowsDocument,
    MovedDocument,
    OpenItemDocument,
    SettlementDocument,
    SheetDocument,
)

from .answers import Error, Moved, OpenItemRow, Shape, ShiftHasOpen
from .procedures import Follows
from .settlements import Fee, RoundSheet, Settlement

#: What an act takes as its whole body.
BODIES: dict[type, type[RoundSheet]] = {SheetDocument: RoundSheet}
#: What stands in an answer.
DOCUMENTS: dict[type, type[Shape]] = {
    FeeDocument: Fee,
    FollowsDocument: Follows,
    MovedDocument: Moved,
    OpenItemDocument: OpenItemRow,
    SettlementDocument: Settlement,
}
#: Acts whose 409 says more than an error.
CONFLICTS: dict[str, type[Error]] = {"shift_close": ShiftHasOpen}
