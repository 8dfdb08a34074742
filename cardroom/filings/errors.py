"""Exceptions of filings. Nothing has been written when one of these is raised."""

from __future__ import annotations


class FilingError(Exception):
    """Base of all refusals here: `code` is a stable word for programs, `message` a sentence for people.

    `path` names the place in the input, as `options.pair_plus_table`; empty where there is none.
    """

    def __init__(self, code: str, message: str, *, path: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path


class FilingConflict(FilingError):
    """A proper command, but not beside what is filed already, or not in the filing's present state."""


class NotInForce(FilingError):
    """No filed version is in force on the day that was asked about."""
