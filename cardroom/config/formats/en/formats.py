"""Formats for English: instants as on the pages (`cardroom.web.clock`), with their zone."""

from __future__ import annotations

from typing import Final

#: "2026-11-21 21:14:05 PST"
DATETIME_FORMAT: Final = "Y-m-d H:i:s T"
