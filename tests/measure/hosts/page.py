"""docs/measured/hosts.md: what was done to the hosts, and what has come of each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.measure.conditions import ran_on, written_by

from .clients import PATIENCE_SECONDS
from .cluster import DISK_MEGABYTES
from .faults import CLOCK_SECONDS, OPERATOR_SECONDS
from .run import AGAIN_SECONDS, CLIENTS, REPORT_SECONDS

#: What the site as it is has to leave at 0.
_FAULTS = ("lost", "doubled", "breaks", "stuck", "faults")


def came_out(row: Mapping[str, Any], has_to: str) -> bool:
    """Tell whether a fault came out as it must: whole for the site as it is, and for a control with what it is to show."""
    if has_to == "whole":
        return not any(row[name] for name in _FAULTS) and None not in (row["again"], row["report"])
    if has_to == "unanswered":
        return bool(row["other"].get("no answer", 0) > 0)
    return bool(row[has_to] > 0)


def page(taken: Sequence[Mapping[str, Any]], has_to: Mapping[str, str]) -> str:
    """Return the whole page; `has_to` says of each kind of run what it has to show."""
    whole = [row for row in taken if has_to[row["kind"]] == "whole"]
    controls = [row for row in taken if has_to[row["kind"]] != "whole"]
    return f"""# The site on seven hosts

{written_by("hosts", "tests/measure/hosts/")}

- Machine: {ran_on()}. Seven network namespaces of it are the hosts: clients, web servers on two, worker and beat on a third,
  Valkey, PostgreSQL, and its streaming standby. Each is one hop from a router, which loses what the two hosts of a cut send each
  other: no refusal, no packet. The processors are shared by all of them, and by whatever else ran.
- Real programs by the site's own commands, on the address of several servers that [deployment](../deployment.md) names. A
  commit waits for the standby (`synchronous_standby_names`). Disks of PostgreSQL are file systems in memory of
  {DISK_MEGABYTES} MB, so that one can be full: what a power cut does to a disk is not tried here.
- {CLIENTS} clients post buy-ins, each of another amount, and whole rounds, each at a table of its own. Without an answer within
  {PATIENCE_SECONDS:g} s, or answered 503, they send the same command under the same key to the other web server. Answers
  leave the site 100 ms late, so that faults fall between commit and answer too.
- In the middle of each fault a shift of a second room is closed, whose report the worker has to make, within
  {REPORT_SECONDS:.0f} s of the end of the fault.
- A killed host loses all its processes by -9. PostgreSQL is promoted {OPERATOR_SECONDS} s after its host was killed, as an operator
  would who was called at once, and the other server is made anew from it afterwards. A clock is set back by
  {CLOCK_SECONDS // 60} minutes for the programs of one host, and forward again (`clocked.py`).
- Pairs that are not cut here send each other nothing: clients and all but the web servers, web and worker, Valkey and PostgreSQL.

## The site as it is

{_table(whole)}
Requests are all that were sent, acknowledged are commands answered as carried out, found are those in the journal. *Lost*: answered and not
there; *twice*: there more often than asked for; *broken*: breaks that `manage.py verify` finds. *Taken again*: from the end of
the fault until each client had a command taken ({AGAIN_SECONDS:.0f} s at most). *No command*: the longest time in which none was
taken at all, and of one client. *No word*: the longest time in which nothing was answered, a refusal neither.

What was answered else: {_others(whole)}.

## Controls

Each is the site with one safeguard taken away, and has to fail.

{_table(controls, [f"{row['kind']}: " for row in controls])}
{_verdicts(controls, has_to)}
"""


def _table(rows: Sequence[Mapping[str, Any]], before: Sequence[str] = ()) -> str:
    heads = (
        *("fault", "s", "requests", "acknowledged", "found", "**lost**", "**twice**", "**broken**"),
        *(
            "503 or 409",
            "no answer",
            "no word, s",
            "no command, s: any",
            "one client",
            "taken again, s",
            "report, s",
        ),
    )
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    for row, words in zip(rows, before or [""] * len(rows), strict=True):
        unanswered = row["other"].get("no answer", 0)
        cells = [
            f"{words}{row['fault']}",
            f"{row['seconds']:.0f}",
            *(f"{row[name]:,}" for name in ("tries", "acknowledged", "found")),
            *(f"**{row[name]}**" for name in ("lost", "doubled", "breaks")),
            str(sum(row["other"].values()) - unanswered),
            str(unanswered),
            *(f"{row[name]:.1f}" for name in ("mute", "silent", "waited")),
            *("**never**" if row[name] is None else f"{row[name]:.1f}" for name in ("again", "report")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _others(rows: Sequence[Mapping[str, Any]]) -> str:
    kinds = sorted({kind for row in rows for kind in row["other"]} - {"no answer"})
    times = {kind: sum(row["other"].get(kind, 0) for row in rows) for kind in kinds}
    return ", ".join(f"`{kind}` {number} times" for kind, number in times.items()) or "nothing"


def _verdicts(controls: Sequence[Mapping[str, Any]], has_to: Mapping[str, str]) -> str:
    words = {
        "lost": "lose commands",
        "doubled": "have commands twice",
        "unanswered": "leave requests unanswered",
    }
    return "".join(
        f"- {row['kind']} has to {words[has_to[row['kind']]]}: "
        f"{'it did' if came_out(row, has_to[row['kind']]) else '**it did not**'}.\n"
        for row in controls
    )
