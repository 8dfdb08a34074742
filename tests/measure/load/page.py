"""docs/measured/load.md: what a run under load came to, and how it was measured."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from tests.measure.conditions import ran_on, written_by

#: A rate counts as held when so much of it was settled in time.
HELD = 0.99
#: Above this part of all processors the machine was saturated: its times are those of a queue.
SATURATED = 0.9


def page(figures: Mapping[str, Any]) -> str:
    """Return the whole page."""
    given, rounds, machine = figures["given"], figures["rounds"], figures["machine"]
    return f"""# Under load: {_how(given)}

{written_by("load", "tests/measure/load/")}

{_verdict(figures)}

## How it was measured

- {figures["seconds"] / 60:g} minutes; {given["tables"]} tables with a dealer's tablet each, {given["floor"]} tablets of the
  floor, {given["boards"]} boards, {rounds["asked"]:g} rounds a second asked for in all. The shift is closed at all tables in the
  middle and the next one opened in the same command, with rounds in play; Celery makes its report meanwhile.
- Machine: {ran_on(load=figures["load"][0], when="play ended")}, uvicorn
  {version("uvicorn")}, {given["web"]} processes of the site. PostgreSQL (writing to disk), Valkey, worker, beat and all clients
  share the machine. Programs are started by the commands of `cardroom/ops/supervisor/programs.py`, which the units in
  `deploy/systemd/` hold too; no proxy stands between.
- A dealer's tablet does what the scripts of the table page do: it posts the page's own forms with their version and
  idempotency key, follows the redirect to the page that comes of it, reads the table's page after a settlement for
  the offline copy, asks for the fees twice while wagers are typed, follows the table's stream, and calls every half
  minute. A round is five commands in four presses: the bank's wager (half of the rounds repeat the last wagers),
  wagers and "no more bets" in one, deal, settlement; every second round the bank is offered on first. Wagers, tips, folds
  and answers are by chance, hands are the same.
- {_feeds(given)}
- A floor tablet shows the board, and every half minute a table for six seconds. A board follows the room's stream and
  fetches all cards every two minutes, as its script does.
- Rounds and presses are due on a schedule that does not wait for answers: times in **since due** begin at the instant at
  which a press was due, however late it was sent; those in *since sent* when it was sent.

## Rounds

| | |
|---|---:|
| rounds due early enough to be settled in the time of play | {rounds["due"]:,} |
| of those, settled in it | {rounds["of_those"]:,} |
| all rounds settled in it | {rounds["settled"]:,} |
| **rounds a second, achieved** | **{rounds["a_second"]:.2f}** of {rounds["asked"]:g} |
| a round begun after it was due, ms: median, 95 of 100 below, worst | {_three(rounds["late"])} |
| requests a second | {figures["requests"] / figures["seconds"]:.1f} |
| answers by status | {", ".join(f"{status}: {count:,}" for status, count in figures["statuses"].items())} |

## Times

{_times(figures)}
## Errors

{_errors(figures)}
## Memory and processors

Memory is resident, a page shared by several processes counted once (PSS), averaged over a few minutes at the start, in the middle
and at the end of play; processors are cores kept busy, on average.

| | processes | MB at the start | in the middle | at the end | growth | most | cores |
|---|---:|---:|---:|---:|---:|---:|---:|
{_groups(machine)}
All processors together were {machine["busy"] / machine["cores"]:.0%} busy, {machine["others"]:.2f} cores of that with other
things. {_saturation(figures)} A round cost {_a_round(figures)} ms of processor time in site and database, with all the
pages and boards that come of it.

## After it

| | |
|---|---|
| `manage.py verify` | {_quiet(figures["verify"])} |
| journal | {figures["counted"]["entries"]:,} entries in {figures["counted"]["chains"]} chains, \
{figures["counted"]["gaps"] + figures["counted"]["late_starts"]} numbers missing |
| rounds settled by tablets, in the database | {rounds["pressed"]:,}, {figures["counted"]["rounds"].get("settled", 0):,} |
| settled rounds by shift | {", ".join(f"{name}: {count:,}" for name, count in figures["counted"]["by_shift"])} |
| reports, seconds after the close | {", ".join(f"{each['ready']:.1f}" for each in figures["closed"])} |
| offers of the bank | {figures["counted"]["offers"]:,} |
| deadlocks (pg_stat_database) | {figures["counted"]["deadlocks"]} |
| transactions committed | {figures["counted"]["commits"]:,} |
"""


def _how(given: Mapping[str, Any]) -> str:
    if not given["feeds"]:
        return "rounds played on tablets"
    return "rounds posted whole" if given["whole"] else "rounds posted command by command"


def _feeds(given: Mapping[str, Any]) -> str:
    if not given["feeds"]:
        return "All rounds are posted so; none by the JSON API."
    commands = (
        "a round is recorded whole, by one request with its sheet, which does its five commands at once;\n  every second round the "
        "bank is offered on first"
        if given["whole"]
        else "five commands are five requests"
    )
    return (
        f"{given['feeds']} of the {given['tables']} tables are fed through the JSON API in place of that: {commands}.\n"
        "  The tablet reads its page once a round, after the settlement."
    )


def _verdict(figures: Mapping[str, Any]) -> str:
    rounds = figures["rounds"]
    held = rounds["of_those"] >= HELD * rounds["due"]
    rate = (
        f"The rate of {rounds['asked']:g} rounds a second was held."
        if held
        else f"**The rate of {rounds['asked']:g} rounds a second was not held**: {rounds['a_second']:.2f} were settled."
    )
    if figures["wrong"]:
        return f"**Not without errors:** {'; '.join(figures['wrong'])}. {rate}"
    return f"No error, no deadlock. {rate}"


def _times(figures: Mapping[str, Any]) -> str:
    head = (
        "| ms | answers | median | 95 of 100 below | 99 of 100 below | worst | *since sent:* median | 95 | 99 |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    )
    rows = [
        _row("**any press, with the page that comes of it**", figures["commands"]["press"]),
        _row("any command, until its redirect", figures["commands"]["alone"]),
        _row("**any command by the API**", figures["commands"]["fed"]),
        _row("**any table page**", figures["pages"].get("any table page")),
        *(_row(kind, each) for kind, each in figures["kinds"].items() if not kind.endswith(", alone")),
    ]
    boards = figures["boards"]
    if boards["count"]:
        rows.append(_row("**a command sent, until its card is on a board**", {"due": boards, "sent": boards}))
    return head + "".join(rows)


def _row(name: str, taken: Mapping[str, Any] | None) -> str:
    if not taken or not taken["due"]["count"]:
        return ""
    due, sent = taken["due"], taken["sent"]
    cells = [due["p50"], due["p95"], due["p99"], due["max"], sent["p50"], sent["p95"], sent["p99"]]
    return f"| {name} | {due['count']:,} | {' | '.join(f'{1000 * cell:,.0f}' for cell in cells)} |\n"


def _three(taken: Mapping[str, float]) -> str:
    if not taken["count"]:
        return "–"
    return ", ".join(f"{1000 * taken[name]:,.0f}" for name in ("p50", "p95", "max"))


def _errors(figures: Mapping[str, Any]) -> str:
    lines = []
    if figures["errors"]:
        lines.append("| error | times | first |\n|---|---:|---|\n")
        for kind, seen in figures["errors"].items():
            lines.append(f"| {kind} | {seen['count']} | {_cell(seen['texts'])} |\n")
    else:
        lines.append(
            "No answer was an error: no status of 500 and above, no unexpected refusal, no lost stream.\n"
        )
    expected = [f"{kind}: {seen['count']}" for kind, seen in figures["expected"].items()]
    lines.append(
        "\nRefusals that a tablet goes on from, because another command came first or holds the table's lock: "
        f"{', '.join(expected) or 'none'}.\n"
    )
    said = [
        f"{log}: {count} × {kind}"
        for log, each in figures["logs"].items()
        for kind, count in each["counts"].items()
    ]
    lines.append(
        f"\nIn the logs of the site, worker, beat and PostgreSQL: {', '.join(said) or 'nothing of note'}.\n"
    )
    lags = ", ".join(f"{part} {1000 * lag:.0f} ms" for part, lag in figures["lags"].items())
    lines.append(f"\nThe clients' own lateness (99 of 100 looks at their clock below): {lags}.\n")
    return "".join(lines)


def _cell(texts: list[str]) -> str:
    return (texts[0] if texts else "").replace("|", "\\|").replace("<", "&lt;")[:200]


def _groups(machine: Mapping[str, Any]) -> str:
    rows = []
    for name, group in machine["groups"].items():
        memory = group["memory"]
        grown = memory["end"] / memory["start"] - 1 if memory["start"] else 0.0
        figures = " | ".join(f"{memory[span] / 1e6:,.0f}" for span in ("start", "middle", "end"))
        rows.append(
            f"| {name} | {group['processes']} | {figures} | {grown:+.0%} | {group['most'] / 1e6:,.0f} "
            f"| {group['cores']:.2f} |\n"
        )
    return "".join(rows)


def _saturation(figures: Mapping[str, Any]) -> str:
    machine = figures["machine"]
    if machine["busy"] / machine["cores"] > SATURATED:
        return "**The machine was saturated:** times hold waiting for a processor."
    return "The machine was not saturated."


def _a_round(figures: Mapping[str, Any]) -> str:
    groups, settled = figures["machine"]["groups"], figures["rounds"]["settled"]
    cpu = sum(groups[name]["cpu"] for name in ("site", "PostgreSQL"))
    return f"{1000 * cpu / settled:.0f}" if settled else "–"


def _quiet(verify: Mapping[str, Any]) -> str:
    said = [line.strip() for line in verify["said"].splitlines() if line.strip()]
    return f"status {verify['status']}: {(said[-1] if said else '').replace('|', '/')}"
