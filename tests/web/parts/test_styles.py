"""Stylesheets: layouts change with the size of text that a browser is set to."""

from __future__ import annotations

import re
from pathlib import Path

from cardroom import web

STATIC = Path(web.__file__).parent / "static"
#: A width or a height in pixels at which a layout changes.
_IN_PIXELS = re.compile(r"@(?:media|container)[^{]*\dpx")


def test_no_layout_changes_at_so_many_pixels() -> None:
    """In `em` it changes where the words need it, also in a browser that is set to larger text."""
    sheets = list(STATIC.rglob("*.css"))
    assert sheets
    found = [
        f"{sheet.relative_to(STATIC)}: {rule}"
        for sheet in sheets
        for rule in _IN_PIXELS.findall(sheet.read_text(encoding="utf-8"))
    ]
    assert found == []
