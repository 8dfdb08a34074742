"""Cells of CSV files: text that a spreadsheet would read as a formula gets an apostrophe, and loses it as it is read back."""

from __future__ import annotations

from typing import Final

#: Spreadsheets read a cell that begins with one of these as a formula; East Asian ones the full-width signs too.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001  # meant


def cell(text: str) -> str:
    """Escape a text cell against formula injection: prefix an apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def cell_read(text: str) -> str:
    """Return the text that `cell` has escaped."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text
