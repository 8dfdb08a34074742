"""docs/measured/commands-played.md: how often the long run carried out each declared command and had it refused, and which it never carries out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from cardroom.core.commands import COMMANDS
from tests.measure.conditions import ran_on, written_by

from .goals import NEVER

_ROW = re.compile(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", re.MULTILINE)
#: How many refusals of a command are named.
_NAMED = 3


def page(played: Mapping[str, tuple[Counter[str], Mapping[str, Counter[str]]]], run: str) -> str:
    """Return the page: by machine, what was carried out, and what was refused with which codes."""
    carried_out = sum((done for done, _ in played.values()), Counter[str]())
    lines = [
        "# Commands played by the state machine",
        "",
        written_by("machine", "tests/measure/machine/"),
        "",
        f"- Machine: {ran_on()}.",
        "",
        "A hypothesis state machine gives declared commands in any order, with inputs of the present state, from many starts, and holds",
        "money, numbers, chain and reports to a model of its own after each. Asked of each command: how often was it carried out,",
        "how often refused, and with which codes most.",
        "",
        run,
        "",
        f"Carried out: {len(carried_out)} of {len(COMMANDS)} kinds of commands, {carried_out.total()} commands.",
        "",
        "| Declaration | "
        + " | ".join(f"Carried out: {name}" for name in played)
        + " | Refused | Most with |",
        "| --- |" + " ---: |" * (len(played) + 1) + " --- |",
    ]
    for name in sorted(COMMANDS):
        refused = sum((codes.get(name, Counter()) for _, codes in played.values()), Counter[str]())
        most = ", ".join(f"`{code}` {times}" for code, times in refused.most_common(_NAMED))
        counts = " | ".join(str(done[name]) for done, _ in played.values())
        lines.append(f"| `{name}` | {counts} | {refused.total()} | {most} |")
    lines += ["", "## Never carried out", ""]
    lines += [f"- `{name}`: {why}" for name, why in NEVER.items()] or ["None."]
    return "\n".join(lines) + "\n"


def carried_out_on(text: str) -> set[str]:
    """Return the commands that a page says were carried out by some machine."""
    return {name for name, *counts in _ROW.findall(text) if any(int(count) for count in counts)}


def listed_on(text: str) -> set[str]:
    """Return the commands of which a page says how often they were carried out: those that there were when it was written."""
    return {name for name, *_ in _ROW.findall(text)}
