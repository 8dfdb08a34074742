"""Canonical JSON of plain data (sorted keys, no blanks), and its SHA-256."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec


def _phrase(value: object) -> str:
    """A text that knows how it is translated (`games.phrases`) is stored, and hashed, as its English."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no wording in canonical JSON: {value!r}")


#: The bytes of `json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`, some eight times as
#: fast, for what is hashed here: texts, whole numbers, true, false, null, and lists and objects of them.
_encode: Final = msgspec.json.Encoder(order="deterministic", enc_hook=_phrase).encode


def canonical_bytes(document: Any) -> bytes:
    """Return plain data as JSON with sorted keys and no blanks, in UTF-8."""
    return _encode(document)


def canonical_json(document: Any) -> str:
    """Return the same as text."""
    return _encode(document).decode()


def canonical_hash(document: Any) -> str:
    """Return the hex SHA-256 of plain data as canonical JSON."""
    return hashlib.sha256(_encode(document)).hexdigest()
