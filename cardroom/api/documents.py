"""Shapes that are written by hand for documents of declared commands (`cardroom.core.json_types.Document`)."""

from __future__ import annotations

from cardroom.floor.command_types import (
    FeeDocument,
    FollowsDocument,
    MovedDocument,
    SettlementDocument,
    SheetDocument,
)

from .answers import Moved, Shape
from .procedures import Follows
from .settlements import Fee, RoundSheet, Settlement

#: What a command takes as its whole body.
BODIES: dict[type, type[RoundSheet]] = {SheetDocument: RoundSheet}
#: What stands in an answer.
DOCUMENTS: dict[type, type[Shape]] = {
    FeeDocument: Fee,
    FollowsDocument: Follows,
    MovedDocument: Moved,
    SettlementDocument: Settlement,
}
