"""Exceptions of fees. Nothing has been written when one of these is raised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fees.document import Problem


class FeeError(Exception):
    """Base of all refusals here: `code` is a stable word for programs, `message` a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ScheduleRefused(FeeError):
    """A schedule that is malformed or not legal: `problems` names every line and why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("schedule_refused", "\n".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class OutsideSchedule(FeeError):
    """A schedule has no fee for this amount: an ante outside its limits, a total below its first band."""
