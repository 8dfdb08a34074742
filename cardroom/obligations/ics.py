"""The calendar as a file of other calendars: iCalendar (RFC 5545), an all-day event a line, with a reminder before it.

Events and not to-dos, for most calendars show no to-dos of a file. An event has the same UID each time, so that a file that is read
in again moves it.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Iterator
from typing import Final

#: The most bytes of a line (RFC 5545, 3.1); the rest follows on lines that begin with a blank.
MOST_BYTES: Final = 75
_CRLF: Final = "\r\n"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Event:
    """A day of the calendar: `uid` is the same each time, `url` the page of its record, `remind_days` before it an alarm (0: none)."""

    uid: str
    day: datetime.date
    summary: str
    description: str = ""
    category: str = ""
    url: str = ""
    remind_days: int = 0


def calendar_text(name: str, events: Iterable[Event], stamp: datetime.datetime) -> str:
    """Return the file: `name` is what a calendar calls it, `stamp` the instant at which it was made."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Cardroom//Obligations//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(name)}",
    ]
    made = f"{stamp.astimezone(datetime.UTC):%Y%m%dT%H%M%SZ}"
    for event in events:
        lines += _event(event, made)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}{_CRLF}" for line in lines for part in _folded(line))


def _event(event: Event, made: str) -> Iterator[str]:
    after = event.day + datetime.timedelta(days=1)
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(event.uid)}"
    yield f"DTSTAMP:{made}"
    yield f"DTSTART;VALUE=DATE:{event.day:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{after:%Y%m%d}"
    yield f"SUMMARY:{_text(event.summary)}"
    if event.description:
        yield f"DESCRIPTION:{_text(event.description)}"
    if event.category:
        yield f"CATEGORIES:{_text(event.category)}"
    if event.url:
        yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    if event.remind_days:
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{_text(event.summary)}"
        yield f"TRIGGER:-P{event.remind_days}D"
        yield "END:VALARM"
    yield "END:VEVENT"


def _text(text: str) -> str:
    """A value of text (RFC 5545, 3.3.11): backslash, semicolon, comma and line breaks are escaped."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escaped.replace("\r\n", "\\n").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """The parts of a line, none longer than `MOST_BYTES` bytes of UTF-8 and none ending within a letter."""
    part, size = "", 0
    for letter in line:
        length = len(letter.encode())
        if size + length > MOST_BYTES:
            yield part
            part, size = " ", 1
        part += letter
        size += length
    yield part
