"""docs/measured/drills.md: a section a drill, of which those that were run are written anew."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from cardroom.config.environment import PROJECT_DIR
from tests.measure.conditions import ran_on, written_by

from .drill import Drill, Run

PAGE = PROJECT_DIR / "docs" / "measured" / "drills.md"


def page(drills: Sequence[Drill], written: Mapping[str, str], before: str) -> str:
    """Return the whole page: `written` are new sections by the name of their drill, others stay as they are in `before`."""
    kept = dict(re.findall(r"^(## ([a-z-]+): .*?)(?=^## |\Z)", before, re.MULTILINE | re.DOTALL))
    sections = {name: text for text, name in kept.items()} | dict(written)
    missing = ", ".join(f"`{drill.name}`" for drill in drills if drill.name not in sections)
    text = "\n".join(f"{sections[drill.name].rstrip()}\n" for drill in drills if drill.name in sections)
    return f"""# Drills

{written_by("drills", "tests/measure/drills/")}

- Machine: {ran_on()}.
- Every drill but `operators-page`, which installs a machine, runs on servers of its own: PostgreSQL under another account than
  root, with `fsync` and checksums on, the two roles of [the operator's page](../deployment.md), and the site by its own commands
  as the role `cardroom`. They listen on 127.0.0.1 alone and are gone afterwards.
- Each column is a run. A control has a safeguard taken away and has to come out broken: a drill whose control comes out whole
  fails, as one that finds a fault does.
- Each section was written when its drill was last run (`make drills DRILL=name` runs one). Never run to its end yet: {missing or "none"}.

{text}"""


def section(drill: Drill, runs: Sequence[Run], seconds: float) -> str:
    """Return the section of a drill that was run just now."""
    names = dict.fromkeys(name for run in runs for name in run.figures)
    rows = [
        *((name, [run.figures.get(name, "") for run in runs]) for name in names),
        ("**faults**", [f"**{len(run.faults)}**" for run in runs]),
        ("has to come out", [run.has_to_come_out for run in runs]),
        ("came out", [run.came_out for run in runs]),
    ]
    table = "".join(f"| {name} | {' | '.join(_cell(cell) for cell in cells)} |\n" for name, cells in rows)
    said = "".join(f"- {run.kind}: {fault}\n" for run in runs for fault in run.faults[:5])
    return f"""## {drill.name}: {drill.title}

{drill.text.strip()}

Run on {datetime.now(UTC):%Y-%m-%d}, {seconds:.0f} s.

| | {" | ".join(run.kind for run in runs)} |
|---|{"---:|" * len(runs)}
{table}
What was said of faults:

{said}"""


def _cell(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def read(path: Path = PAGE) -> str:
    """Return the page as it is, or an empty text where there is none yet."""
    return path.read_text(encoding="utf-8") if path.exists() else ""
