"""Beat goes on where the clock of its host is set back."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from celery import current_app
from celery.beat import PersistentScheduler
from django.conf import settings

from cardroom.jobs.scheduling import PulseScheduler

NOW = datetime.datetime(2026, 11, 26, 12, 0, tzinfo=datetime.UTC)
BACK = datetime.timedelta(minutes=10)
#: Intervals that are looked at after the step, of the tasks that are sent each half minute or minute.
MINUTES = 3


def sent_after_a_step_back(scheduler: PersistentScheduler, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Tick for three minutes, set the clock back, tick for three minutes more; return which tasks were sent in these."""
    sent: set[str] = set()

    def note(entry: Any, producer: Any = None) -> None:
        sent.add(entry.task)

    monkeypatch.setattr(scheduler, "apply_entry", note)
    with time_machine.travel(NOW, tick=False) as clock:
        for _ in range(2):
            sent.clear()
            for _ in range(MINUTES * 60):
                while scheduler.tick() == 0:
                    pass
                clock.shift(1)
            clock.shift(-BACK)
    return sent


@pytest.fixture
def minutely() -> set[str]:
    return {str(entry["task"]) for entry in settings.CELERY_BEAT_SCHEDULE.values() if entry["schedule"] <= 60}


def test_tasks_are_sent_at_their_intervals_after_the_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minutely: set[str]
) -> None:
    monkeypatch.setattr(PulseScheduler, "pulse", lambda self: None)
    scheduler = PulseScheduler(current_app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    assert minutely <= sent_after_a_step_back(scheduler, monkeypatch)


def test_celerys_own_scheduler_sends_nothing_until_the_clock_has_caught_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why the site's looks at the clock."""
    scheduler = PersistentScheduler(current_app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    assert sent_after_a_step_back(scheduler, monkeypatch) == set()
