"""What stands on the pages of a PDF that reportlab made, for tests to read: their text, string by string."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator

_STREAM = re.compile(rb"<<(?P<about>(?:(?!>>\s*stream).)*)>>\s*stream\r?\n(?P<data>.*?)endstream", re.DOTALL)
_SHOWN = re.compile(rb"\((?P<text>(?:\\.|[^\\()])*)\) Tj")
#: Strings that are shown one after the other without a move in between belong together.
_TOGETHER = re.compile(rb"(?:" + _SHOWN.pattern.replace(b"?P<text>", b"?:") + rb" ?)+")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)


def pages_of(pdf: bytes) -> list[str]:
    """Return the text of each page in the order in which it is written there, strings parted by line feeds.

    Reads what reportlab writes with its own fonts (WinAnsi) and nothing else; AssertionError for another PDF.
    """
    assert pdf.startswith(b"%PDF-"), "this is no PDF"
    shown = [stream for stream in streams_of(pdf) if b" Tj" in stream]
    assert shown, "the PDF has no text"
    return ["\n".join(_line(run[0]) for run in _TOGETHER.finditer(stream)) for stream in shown]


def streams_of(pdf: bytes) -> Iterator[bytes]:
    """Give what is packed into a PDF: its pages, its fonts and what they say of their letters, unpacked."""
    for stream in _STREAM.finditer(pdf):
        data = stream["data"].strip()
        if b"ASCII85Decode" in stream["about"]:
            data = base64.a85decode(data.removesuffix(b"~>"))
        yield zlib.decompress(data) if b"FlateDecode" in stream["about"] else data


def _line(run: bytes) -> str:
    return "".join(_plain(shown["text"]) for shown in _SHOWN.finditer(run))


def _plain(text: bytes) -> str:
    return _ESCAPE.sub(_unescaped, text).decode("cp1252")


def _unescaped(escape: re.Match[bytes]) -> bytes:
    said = escape[1]
    return (
        bytes([int(said, 8)]) if len(said) == 3 else {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(said, said)
    )
