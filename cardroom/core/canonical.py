"""One text for one document: canonical JSON, and its hash."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(document: Any) -> str:
    """Return plain data as JSON with sorted keys and no blanks; it is hashed as UTF-8."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(document: Any) -> str:
    """Return the hex SHA-256 of plain data as canonical JSON."""
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()
