"""The kinds of long runs as the journal tells of them: what an entry says of the request, and the act of the end."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.db.models import QuerySet

from cardroom.floor.journal_match import Recorded

from .models import LongReport, LongRun, Recomputation


@dataclasses.dataclass(frozen=True)
class RunKind:
    """One kind of run: how the journal tells of its request, and the act under which it tells of its end."""

    asked: Recorded
    end_act: str


def _recomputations() -> QuerySet[Recomputation]:
    return Recomputation.objects.all()


def _long_reports() -> QuerySet[LongReport]:
    return LongReport.objects.all()


def _first(run: LongRun) -> Any:
    return str(run.first)


def _last(run: LongRun) -> Any:
    return str(run.last)


RUNS = (
    RunKind(
        Recorded(
            "recomputation",
            _recomputations,
            ("recomputation_start",),
            "recomputation",
            {"first": _first, "last": _last},
        ),
        "recomputation_end",
    ),
    RunKind(
        Recorded(
            "long report",
            _long_reports,
            ("long_report_start",),
            "long_report",
            {"question": lambda run: run.question},
        ),
        "long_report_end",
    ),
)
