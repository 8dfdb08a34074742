"""Seals of blind counts: the journal holds a count without telling it.

The seal is the hex SHA-256 over the sheet's canonical JSON with a random salt. It goes into the journal's chain as the
sheet is made; figures and salt follow there when the count stands. So no reader of the journal meanwhile learns a
figure, and a figure that was changed meanwhile no longer fits its seal.
"""

from __future__ import annotations

import hashlib
import json
import secrets

from .models import CountSheet


def fresh_salt() -> str:
    """Return 256 random bits in hex: without it, a count of a few thousand dollars could be guessed from its seal."""
    return secrets.token_hex(32)


def seal_of(sheet: CountSheet) -> str:
    """Return the seal that `sheet` must carry, computed from its columns."""
    facts = {
        "box": sheet.box_id,
        "seq": sheet.seq,
        "kind": sheet.kind,
        "made_by": sheet.made_by_id,
        "pieces": sheet.pieces,
        "total_cents": sheet.total_cents,
        "salt": sheet.salt,
    }
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
