"""A JSON document as bytes, and back.

The first byte says how they are to be read:

* `1`: what follows is deflated (RFC 1951, without header) with `dictionary_1.txt` as its preset dictionary;
* any other: it is the first character of the JSON text itself, in UTF-8.

So whoever has the row and the dictionary reads a document with nothing but zlib:

    zlib.decompressobj(-15, zdict=dictionary).decompress(row[1:])

A dictionary is what such documents keep saying, what is said most often last. One that has been used is never changed,
nor taken away: rows last for years. A better one would be number 2, with a byte of its own.
"""

from __future__ import annotations

import json
import pathlib
import zlib
from typing import Any, Final

_DICTIONARY: Final = pathlib.Path(__file__).with_name("dictionary_1.txt").read_bytes()
_NUMBER: Final = b"\x01"

#: A window that reaches over dictionary and document, and no further: its memory is copied for each document.
_WINDOW_BITS: Final = -14
_LEVEL, _MEMORY = 6, 8
_PACKER: Final = zlib.compressobj(
    _LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY
)


def pack(document: Any) -> bytes:
    """Return a JSON document as bytes: packed, or as its text where that is no longer."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    packer = _PACKER.copy()
    packed = _NUMBER + packer.compress(text) + packer.flush()
    return packed if len(packed) < len(text) else text


def unpack(stored: bytes) -> Any:
    """Return the JSON document that `pack` made `stored` of; ValueError where it is none."""
    if not stored.startswith(_NUMBER):
        return json.loads(stored)
    unpacker = zlib.decompressobj(_WINDOW_BITS, zdict=_DICTIONARY)
    try:
        text = unpacker.decompress(stored[1:])
    except zlib.error as fault:
        raise ValueError(f"a packed document cannot be read: {fault}") from fault
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("a packed document cannot be read: it was cut off, or something follows it")
    return json.loads(text)
