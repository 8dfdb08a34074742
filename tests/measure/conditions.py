"""When an instrument ran and on which machine, as each page of docs/measured says it at its top."""

from __future__ import annotations

import os
import platform
from datetime import UTC, date, datetime
from pathlib import Path


def written_by(target: str, source: str, *, note: str = "", day: date | None = None) -> str:
    """Return the line on what wrote a page and when: today's date in UTC, unless it ran on another `day`."""
    day = day or datetime.now(UTC).date()
    return f"Written by `make {target}` (`{source}`) on {day}{note}; not edited by hand."


def ran_on(*, load: float | None = None, when: str = "the run ended") -> str:
    """Return the machine, its load (of the last minute, unless given) and the Python, without a full stop."""
    load = os.getloadavg()[0] if load is None else load
    return f"{hardware()}, load {load:.1f} when {when}. {python()}"


def hardware() -> str:
    """Return the processors and the system."""
    return f"{_processor()}, {os.cpu_count()} processors, {platform.system()} on {platform.machine()}"


def python() -> str:
    """Return the Python and its version."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def _processor() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
