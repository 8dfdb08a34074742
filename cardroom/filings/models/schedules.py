"""Model `FeeSchedule`: versions of a fee schedule."""

from __future__ import annotations

import datetime
import functools
import json
from typing import Any

from django.db import models

from fees.document import Problem
from fees.printed import why_not_called
from fees.rates import WAGER_WITHOUT_FEE, Schedule, problems, read_schedule
from games.registry import load_rulebook, wagers_with_fees

from ..errors import FilingError
from .filing import StateFiling, filed_is_final


class FeeSchedule(StateFiling):
    """One version of a room's fee schedule: `document` is what `fees.document` reads. Only a legal one can be filed."""

    word = "schedule"
    drafted = ("state_reference", "document")
    guards = filed_is_final("rulebook", *drafted)

    document = models.JSONField(help_text="Table limit and fees, in whole cents, each with its clause.")

    class Meta(StateFiling.Meta):
        pass

    @property
    def default_title(self) -> str:
        return f"Schedule option {self.number}"

    @property
    def schedule(self) -> Schedule:
        """What this version charges. Raises ScheduleRefused for a draft that is not legal yet."""
        return _schedule_read(json.dumps(self.document), self.number, self.title)

    @property
    def problems(self) -> list[Problem]:
        """Why the document cannot be filed for this game, in the order of its lines; empty: it can be."""
        named = why_not_called(self.rulebook, self.number, self.title, self.document)
        found = problems(
            self.document,
            wagers=wagers_with_fees(self.rulebook),
            without_fee=load_rulebook(self.rulebook).without_fee,
        )
        return found if named is None else [named, *found]

    def check_draft(self) -> None:
        """A draft may be illegal, but is a JSON object that both databases can hold.

        What no room could ever file under this approval is refused at once: a fee for a wager that bears none.
        """
        super().check_draft()
        self.document = _storable(self.document)
        if found := [problem for problem in self.problems if problem.code == WAGER_WITHOUT_FEE]:
            raise ScheduleIllegal(found)

    def check_filing(self, first: datetime.date) -> None:
        """Refuse an illegal document with every problem."""
        super().check_filing(first)
        if found := self.problems:
            raise ScheduleIllegal(found)


class ScheduleIllegal(FilingError):
    """A document that the law does not allow: `problems` names every line and why."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(
            "schedule_refused", "\n".join(problem.message for problem in problems), path="document"
        )
        self.problems = tuple(problems)


@functools.lru_cache(maxsize=256)
def _schedule_read(document: str, number: int, title: str) -> Schedule:
    """Read a document once and keep what it says: a command at a table asks for it several times, a report at each round.

    By its text, so that a draft that is edited is another document.
    """
    return read_schedule(json.loads(document), number=number, title=title)


def _storable(document: Any) -> dict[str, Any]:
    """Return `document` as plain JSON that both databases can hold."""
    try:
        text = json.dumps(dict(document), allow_nan=False, ensure_ascii=False)
        text.encode()  # PostgreSQL takes no lone surrogate
    except (TypeError, ValueError) as error:
        raise FilingError(
            "bad_json", f"A schedule's document is a JSON object: {error}.", path="document"
        ) from error
    if "\\u0000" in text:
        raise FilingError(
            "bad_json", "A schedule's document cannot hold the character U+0000.", path="document"
        )
    stored: dict[str, Any] = json.loads(text)
    return stored
