"""Extracts the text of PDFs that reportlab made, for tests: string by string."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator

_STREAM = re.compile(rb"<<(?P<about>(?:(?!>>\s*stream).)*)>>\s*stream\r?\n(?P<data>.*?)endstream", re.DOTALL)
_SHOWN = re.compile(rb"\((?P<text>(?:\\.|[^\\()])*)\) Tj")
#: Strings that are shown one after the other without a move in between belong together.
_TOGETHER = re.compile(rb"(?:" + _SHOWN.pattern.replace(b"?P<text>", b"?:") + rb" ?)+")
_OBJECT = re.compile(rb"^(\d+) 0 obj", re.MULTILINE)
#: A form XObject, which is text that several places may draw: where it is named, and where it is drawn.
_NAMED = re.compile(rb"/(?P<name>FormXob\.\S+) (?P<object>\d+) 0 R")
_DRAWN = re.compile(rb"/(?P<name>FormXob\.\S+) Do")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)


def pages_of(pdf: bytes) -> list[str]:
    """Return the text of each page in the order in which it is written there, strings parted by line feeds.

    Reads what reportlab writes with its own fonts (WinAnsi) and nothing else; AssertionError for another PDF.
    """
    assert pdf.startswith(b"%PDF-"), "this is no PDF"
    forms = _forms_of(pdf)
    streams = [_unpacked(stream) for stream in _STREAM.finditer(pdf) if not _is_form(stream)]
    streams = [_DRAWN.sub(lambda drawn: forms[drawn["name"]], stream) for stream in streams]
    shown = [stream for stream in streams if b" Tj" in stream]
    assert shown, "the PDF has no text"
    return ["\n".join(_line(run[0]) for run in _TOGETHER.finditer(stream)) for stream in shown]


def streams_of(pdf: bytes) -> Iterator[bytes]:
    """Give what is packed into a PDF: its pages, its fonts and what they say of their letters, unpacked."""
    return map(_unpacked, _STREAM.finditer(pdf))


def _forms_of(pdf: bytes) -> dict[bytes, bytes]:
    """The form XObjects of a PDF, by the names under which pages draw them."""
    by_object = {
        _OBJECT.findall(pdf, 0, stream.start("data"))[-1]: _unpacked(stream)
        for stream in _STREAM.finditer(pdf)
        if _is_form(stream)
    }
    return {named["name"]: by_object[named["object"]] for named in _NAMED.finditer(pdf)}


def _is_form(stream: re.Match[bytes]) -> bool:
    return b"/Subtype /Form" in stream["about"]


def _unpacked(stream: re.Match[bytes]) -> bytes:
    data = stream["data"].strip()
    if b"ASCII85Decode" in stream["about"]:
        data = base64.a85decode(data.removesuffix(b"~>"))
    return zlib.decompress(data) if b"FlateDecode" in stream["about"] else data


def _line(run: bytes) -> str:
    return "".join(_plain(shown["text"]) for shown in _SHOWN.finditer(run))


def _plain(text: bytes) -> str:
    return _ESCAPE.sub(_unescaped, text).decode("cp1252")


def _unescaped(escape: re.Match[bytes]) -> bytes:
    escaped = escape[1]
    return (
        bytes([int(escaped, 8)])
        if len(escaped) == 3
        else {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(escaped, escaped)
    )
