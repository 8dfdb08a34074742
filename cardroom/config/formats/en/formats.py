"""Formats for English: instants as on the pages (`cardroom.web.parts.clock`), with their zone."""

from __future__ import annotations

from typing import Final

#: "Sat Nov 21, 2026, 9:14:05 PM PST"
DATETIME_FORMAT: Final = "D M j, Y, g:i:s A T"
#: "Sat Nov 21, 2026"
DATE_FORMAT: Final = "D M j, Y"
#: "9:14 PM"
TIME_FORMAT: Final = "g:i A"
