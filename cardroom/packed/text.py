"""A JSON document as bytes, and back.

The first byte says how they are to be read:

* `1` or `2`: what follows is deflated (RFC 1951, without header) with the dictionary of that number,
  `dictionary_1.txt` or `dictionary_2.txt`, as its preset dictionary;
* any other: it is the first character of the JSON text itself, in UTF-8.

So whoever has the row and the dictionary reads a document with nothing but zlib:

    zlib.decompressobj(-15, zdict=dictionary).decompress(row[1:])

A dictionary is what such documents keep saying, what is said most often last. One that has been used is never changed,
nor taken away: rows last for years. Documents are packed by the last one; a better one would be number 3.
"""

from __future__ import annotations

import json
import pathlib
import zlib
from typing import Any, Final

_FOLDER: Final = pathlib.Path(__file__).parent
_DICTIONARIES: Final = {number: (_FOLDER / f"dictionary_{number}.txt").read_bytes() for number in (1, 2)}
_NUMBER: Final = bytes([max(_DICTIONARIES)])

#: A window that reaches over dictionary and document: its memory is copied for each document.
_WINDOW_BITS: Final = -15
_LEVEL, _MEMORY = 6, 7
_SCAN: Final = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # typeshed leaves it out
_PACKER: Final = zlib.compressobj(
    _LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY, zlib.Z_DEFAULT_STRATEGY, _DICTIONARIES[max(_DICTIONARIES)]
)


def pack(document: Any) -> bytes:
    """Return a JSON document as bytes: packed, or as its text where that is no longer."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    packer = _PACKER.copy()
    packed = _NUMBER + packer.compress(text) + packer.flush()
    return packed if len(packed) < len(text) else text


def unpack(stored: bytes) -> Any:
    """Return the JSON document that `pack` made `stored` of; ValueError where it is none."""
    dictionary = _DICTIONARIES.get(stored[0]) if stored else None
    if dictionary is None:
        return _read(stored)
    unpacker = zlib.decompressobj(_WINDOW_BITS, zdict=dictionary)
    try:
        text = unpacker.decompress(stored[1:])
    except zlib.error as fault:
        raise ValueError(f"a packed document cannot be read: {fault}") from fault
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("a packed document cannot be read: it was cut off, or something follows it")
    return _read(text)


def _read(text: bytes) -> Any:
    """Return the JSON document that `text` is, UTF-8; ValueError where it is none.

    Documents are mostly small, and `json.loads` takes as long to guess their encoding and to look for blanks around them
    as to read them: it is asked for those alone that are not written as `pack` writes.
    """
    try:
        words = text.decode()
        document, end = _SCAN(words, 0)
    except (StopIteration, UnicodeDecodeError):
        return json.loads(text)
    return document if end == len(words) else json.loads(text)
