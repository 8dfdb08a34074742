"""Figures of a run: quantiles by kind of answer, errors by kind, rounds a second, memory, processors, and what is wrong."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .outcomes import is_error

#: Seconds that the boards have to show the last commands.
SETTLING = 15.0
#: Parts of the time of play over which memory is averaged: at its start, in the middle, at its end.
SPANS = {"start": (0.0, 0.08), "middle": (0.46, 0.54), "end": (0.92, 1.01)}
PARTS = ("dealers", "floor", "boards")
#: Ends the kind of a command that was posted through the API.
BY_API = ", by the API"


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value below or at which that part of an ordered, non-empty sequence lies (nearest rank)."""
    rank = max(1, -(-len(ordered) * part // 1))
    return ordered[int(rank) - 1]


def spread(values: Iterable[float]) -> dict[str, float]:
    """Count, quantiles and the greatest of values; of none, the count alone."""
    ordered = sorted(values)
    if not ordered:
        return {"count": 0}
    return {
        "count": len(ordered),
        "p50": quantile(ordered, 0.5),
        "p95": quantile(ordered, 0.95),
        "p99": quantile(ordered, 0.99),
        "max": ordered[-1],
    }


def by_kind(answers: Iterable[Sequence[Any]]) -> dict[str, dict[str, dict[str, float]]]:
    """For each kind of answer, its seconds since it was due, and since it was sent."""
    due: dict[str, list[float]] = {}
    sent: dict[str, list[float]] = {}
    for kind, due_at, sent_at, done, _status, _outcome in answers:
        due.setdefault(kind, []).append(done - due_at)
        sent.setdefault(kind, []).append(done - sent_at)
    return {kind: {"due": spread(due[kind]), "sent": spread(sent[kind])} for kind in sorted(due)}


def troubles_of(parts: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is an error and what is expected, by kind: the count and the first texts of each."""
    errors: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    for part in parts:
        for kind, seen in part["troubles"].items():
            place = errors if is_error(kind.rpartition(": ")[2]) else expected
            all_seen = place.setdefault(kind, {"count": 0, "texts": []})
            all_seen["count"] += seen["count"]
            all_seen["texts"] += seen["texts"]
    return errors, expected


def on_boards(
    given: Iterable[Sequence[Any]],
    versions: Iterable[Sequence[int]],
    boards: Iterable[Mapping[str, Sequence[Any]]],
    until: float,
) -> tuple[list[float], int]:
    """Seconds from the sending of each command to its card on each board, and how many cards never came.

    `given` holds table, version and instant of each command; a board is told a version with its entry of the journal, and
    a card shows all up to its own entry. Commands after `until` are left out.
    """
    entry_of = {(table, version): entry for table, version, entry in versions}
    seconds, missed = [], 0
    commands = [
        (table, entry_of.get((table, version)), sent) for table, version, sent in given if sent <= until
    ]
    for board in boards:
        entries: dict[int, list[int]] = {}
        instants: dict[int, list[float]] = {}
        for table, entry, at in zip(board["tables"], board["entries"], board["at"], strict=True):
            shown = entries.setdefault(table, [])
            if not shown or entry > shown[-1]:
                shown.append(entry)
                instants.setdefault(table, []).append(at)
        for table, entry, sent in commands:
            shown = entries.get(table, [])
            place = len(shown) if entry is None else bisect_left(shown, entry)
            if place == len(shown):
                missed += 1
            else:
                seconds.append(instants[table][place] - sent)
    return seconds, missed


def machine_of(samples: Sequence[Mapping[str, Any]], begin: float, end: float) -> dict[str, Any]:
    """Cores that each group used, and its memory at the start, in the middle and at the end."""
    first, last = samples[0], samples[-1]
    seconds = last["at"] - first["at"]
    groups: dict[str, Any] = {}
    for name in first["groups"]:
        memory = {
            span: _mean(
                each["groups"][name]["memory"]
                for each in samples
                if begin + low * (end - begin) <= each["at"] <= begin + high * (end - begin)
            )
            for span, (low, high) in SPANS.items()
        }
        cpu = last["groups"][name]["cpu"] - first["groups"][name]["cpu"]
        most = max(each["groups"][name]["memory"] for each in samples)
        groups[name] = {
            "cores": cpu / seconds,
            "cpu": cpu,
            "memory": memory,
            "most": most,
            "processes": last["groups"][name]["processes"],
        }
    busy = (last["busy"] - first["busy"]) / seconds
    ours = sum(group["cores"] for group in groups.values())
    return {"groups": groups, "busy": busy, "others": max(0.0, busy - ours), "cores": os.cpu_count() or 1}


def figures_of(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that the page says, from everything that was seen."""
    begin, end, given = seen["begin"], seen["end"], seen["given"]
    parts = [seen[part] for part in PARTS]
    answers = [each for part in parts for each in part["answers"]]
    played = [each for each in answers if begin <= each[2] <= end]
    rounds = [each for each in seen["dealers"]["rounds"] if each[2] <= end]
    # The last round of each table may have been due too late to be settled in time.
    last = end - given["tables"] / given["rounds_per_second"]
    seconds, missed = on_boards(
        seen["dealers"]["given"], seen["boards"]["versions"], seen["boards"]["boards"], end - SETTLING
    )
    errors, expected = troubles_of(parts)
    settled = sum(
        each[0].startswith(("command settle", "command record"))
        and not each[0].endswith(", alone")
        and each[4] == 200
        for each in answers
    )
    figures: dict[str, Any] = {
        "given": given,
        "seconds": end - begin,
        "kinds": by_kind(played),
        "commands": _all_commands(played),
        "pages": by_kind(("any table page", *each[1:]) for each in played if _is_table_page(each[0])),
        "statuses": dict(sorted(Counter(each[4] for each in played).items())),
        "requests": sum(not each[0].endswith(", alone") for each in played),
        "rounds": {
            "asked": given["rounds_per_second"],
            "due": max(0, int(given["rounds_per_second"] * (last - begin))),
            "of_those": sum(each[0] < last for each in rounds),
            "settled": len(rounds),
            "a_second": len(rounds) / (end - begin),
            "late": spread(began - due for due, began, _ in rounds),
            "pressed": settled,
        },
        "boards": {**spread(seconds), "missed": missed},
        "closed": [
            {name: value for name, value in each.items() if name != "report"}
            for each in seen["dealers"]["closed"]
        ],
        "errors": errors,
        "expected": expected,
        "lags": {part: (seen[part]["lags"] or [0.0])[0] for part in PARTS},
        "machine": machine_of(seen["samples"], begin, end),
        "counted": seen["counted"],
        "verify": seen["verify"],
        "logs": seen["logs"],
        "load": seen["load"],
    }
    figures["wrong"] = wrong_in(figures)
    figures["good"] = not figures["wrong"]
    return figures


def wrong_in(figures: Mapping[str, Any]) -> list[str]:
    """Say in words everything that should not be; empty for a run without errors."""
    counted, wrong = figures["counted"], []
    wrong += [f"{seen['count']} × {kind}" for kind, seen in figures["errors"].items()]
    if counted["deadlocks"]:
        wrong.append(f"{counted['deadlocks']} deadlocks in PostgreSQL")
    for log, trouble in figures["logs"].items():
        wrong += [
            f"{count} × {kind} in the log of {log}"
            for kind, count in trouble["counts"].items()
            if kind in ("deadlock", "error", "traceback")
        ]
    if figures["verify"]["status"]:
        wrong.append(f"verify ended with status {figures['verify']['status']}")
    if counted["gaps"] or counted["late_starts"]:
        wrong.append(f"{counted['gaps'] + counted['late_starts']} numbers are missing in the journal")
    if (stored := counted["rounds"].get("settled", 0)) != figures["rounds"]["pressed"]:
        wrong.append(f"{figures['rounds']['pressed']} rounds settled on tablets, {stored} in the database")
    if len(figures["closed"]) != 2:
        wrong.append(f"{len(figures['closed'])} shifts closed and reported, not two")
    if figures["boards"]["missed"]:
        wrong.append(f"{figures['boards']['missed']} commands were never on a board")
    if not figures["boards"]["count"] or not figures["rounds"]["settled"]:
        wrong.append("nothing was played, or nothing was seen of it")
    return wrong


def _all_commands(played: Iterable[Sequence[Any]]) -> dict[str, Any]:
    commands = [each for each in played if each[0].startswith("command ")]
    fed = [each for each in commands if each[0].endswith(BY_API)]
    commands = [each for each in commands if not each[0].endswith(BY_API)]
    return {
        "fed": by_kind(("fed", *each[1:]) for each in fed).get("fed"),
        "press": by_kind(("press", *each[1:]) for each in commands if not each[0].endswith(", alone")).get(
            "press"
        ),
        "alone": by_kind(("alone", *each[1:]) for each in commands if each[0].endswith(", alone")).get(
            "alone"
        ),
    }


def _is_table_page(kind: str) -> bool:
    return kind.startswith("table page") or kind == "page after a command"


def _mean(values: Iterable[float]) -> float:
    taken = list(values)
    return sum(taken) / len(taken) if taken else 0.0
