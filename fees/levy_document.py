"""Reads the document of a levy (`fees.levy`) and tells what is wrong with it, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.money import dollars

from .document import MOST_CENTS, Problem
from .errors import FeeError
from .levy import (
    AT_BOUND,
    AUTHORIZED,
    BASES,
    COMBINE,
    DEFAULTS,
    EACH_PERIOD,
    LEVIED_BY,
    MOST_LINES,
    MOST_TABLES,
    OVER,
    PART,
    PER,
    PERIODS,
    ROUNDING,
    TABLES,
    TABLES_BY_BASE,
    TABLES_COUNTED,
    WHOLE,
    WHOLE_BP,
    Levy,
    Tier,
    percent_text,
)

_LENGTHS: Final = {"authority": 120, "source": 200, "text": 1_500}
_HEAD: Final = ("levied_by", "authority", "source", "period", "base", *DEFAULTS, "lines")
_CHOICES: Final[Mapping[str, Any]] = {
    "levied_by": LEVIED_BY,
    "period": PERIODS,
    "tables": TABLES_COUNTED,
    "combine": COMBINE,
    "rounding": ROUNDING,
    "at_bound": AT_BOUND,
}
#: Bounds of lines that have others than of cents.
_BOUNDS: Final[Mapping[str, tuple[str, ...]]] = {TABLES: ("lower_tables", "upper_tables"), EACH_PERIOD: ()}
_AMOUNTS: Final = {
    PART: ("basis_points",),
    WHOLE: ("basis_points", "fixed_cents"),
    OVER: ("basis_points", "fixed_cents"),
    TABLES: ("fixed_cents",),
    TABLES_BY_BASE: ("fixed_cents",),
    EACH_PERIOD: ("fixed_cents",),
}


class LevyRefused(FeeError):
    """A document that is malformed, or whose tiers do not fit: `problems` names every line and why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("levy_refused", "\n".join(problem.message for problem in problems))
        self.problems = tuple(problems)


def read_levy(document: Any) -> Levy:
    """Return what a document says. Raises LevyRefused with every problem."""
    if found := levy_problems(document):
        raise LevyRefused(found)
    lines = [
        Tier(
            number,
            line["per"],
            _lower(line),
            _upper(line),
            line.get("basis_points", 0),
            line.get("fixed_cents", 0),
        )
        for number, line in enumerate(document["lines"], start=1)
    ]
    head = {name: value for name, value in {**DEFAULTS, **document}.items() if name not in ("base", "lines")}
    return Levy(**head, base=tuple(name for name in BASES if name in document["base"]), tiers=tuple(lines))


def levy_problems(document: Any) -> list[Problem]:
    """Return why a document cannot be filed: those of its head, then line by line; empty, it can be."""
    if not isinstance(document, Mapping):
        return [
            Problem(
                0, "bad_levy", "levy: it is an object with levied_by, authority, source, period and lines."
            )
        ]
    found = list(_head_problems(document))
    lines = document.get("lines")
    if not isinstance(lines, list) or not lines:
        return [*found, Problem(0, "lines_missing", "levy: it has no tier. Write one line for each.")]
    if len(lines) > MOST_LINES:
        return [*found, Problem(0, "too_many_lines", f"levy: at most {MOST_LINES} lines, not {len(lines)}.")]
    of_lines = [
        problem for number, line in enumerate(lines, start=1) for problem in _line_problems(number, line)
    ]
    if of_lines:
        return [*found, *of_lines]
    found += _scale_problems(lines)
    if any(line["per"] in (TABLES, TABLES_BY_BASE) for line in lines) and (
        document.get("tables", AUTHORIZED) == AUTHORIZED and not document.get("authorized_tables")
    ):
        found.append(
            Problem(
                0,
                "tables_missing",
                "levy: a line is by the table, and authorized_tables is not given. Write how many the license "
                "authorizes, or count those that were open.",
            )
        )
    return found


def _bad(line: int, code: str, message: str) -> Problem:
    return Problem(line, code, f"line {line}: {message}" if line else f"levy: {message}")


def _head_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    for name in document:
        if name not in _HEAD:
            yield _bad(0, "unknown_key", f"there is no {str(name)[:40]!r}. Known are {', '.join(_HEAD)}.")
    yield from _text_problems(document)
    for name, known in _CHOICES.items():
        if (name not in DEFAULTS or name in document) and not _is_one_of(document.get(name), known):
            yield _bad(0, "unknown_choice", f"{name} is one of {', '.join(known)}.")
    base = document.get("base")
    if not isinstance(base, list) or not base or not all(_is_one_of(each, BASES) for each in base):
        yield _bad(0, "bad_base", f"base is a list of what counts: {', '.join(BASES)}.")
    if not _is_whole(document.get("year_begins", 1), 1, 12):
        yield _bad(0, "bad_month", "year_begins is a month from 1 to 12.")
    if not _is_whole(document.get("authorized_tables", 0), 0, MOST_TABLES):
        yield _bad(0, "bad_tables", f"authorized_tables is a number up to {MOST_TABLES}.")
    least, most = document.get("minimum_cents", 0), document.get("maximum_cents")
    if not _is_whole(least, 0, MOST_CENTS) or not (most is None or _is_whole(most, 0, MOST_CENTS)):
        yield _bad(0, "bad_amount", "minimum_cents and maximum_cents are whole cents, 0 or more.")
    elif most is not None and most < least:
        yield _bad(
            0, "bad_amount", f"the maximum of {dollars(most)} is below the minimum of {dollars(least)}."
        )


def _text_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    for name, most in _LENGTHS.items():
        given = document.get(name, "")
        if not isinstance(given, str) or len(given) > most:
            yield _bad(0, "bad_text", f"{name} is a text of at most {most} characters.")
        elif not given.strip() and name != "text":
            what = "who takes it" if name == "authority" else "the section that says it"
            yield _bad(0, f"{name}_missing", f"{name} is missing: name {what}.")


def _line_problems(number: int, line: Any) -> Iterator[Problem]:
    if not isinstance(line, Mapping) or not _is_one_of(line.get("per"), PER):
        yield _bad(number, "unknown_per", f"per is one of {', '.join(PER)}.")
        return
    per, bounds = line["per"], _BOUNDS.get(line["per"], ("lower_cents", "upper_cents"))
    known = ("per", *bounds, *_AMOUNTS[per])
    for name in line:
        if name not in known:
            yield _bad(
                number,
                "unknown_key",
                f"a line of {per} has no {str(name)[:40]!r}; it has {', '.join(known)}.",
            )
    yield from _amount_problems(number, line)
    if bounds:
        least, most = (1, MOST_TABLES) if per == TABLES else (0, MOST_CENTS)
        lower: Any = line.get(bounds[0])
        upper: Any = line.get(bounds[1])
        if not _is_whole(lower, least, most):
            yield _bad(number, "bad_bound", f"{bounds[0]} is a whole number from {least} to {most}.")
        elif not (upper is None or _is_whole(upper, lower if per == TABLES else lower + 1, most)):
            yield _bad(number, "bad_bound", f"{bounds[1]} is beyond {bounds[0]}, or null: and up.")


def _amount_problems(number: int, line: Mapping[str, Any]) -> Iterator[Problem]:
    points = line.get("basis_points", 0)
    if not _is_whole(points, 0, None):
        yield _bad(
            number,
            "bad_percentage",
            "basis_points is a whole number of hundredths of a per cent: 12.5% is 1250.",
        )
    elif points > WHOLE_BP:
        yield _bad(number, "percent_over_100", f"{percent_text(points)} is over 100%.")
    if not _is_whole(line.get("fixed_cents", 0), 0, MOST_CENTS):
        yield _bad(
            number, "bad_amount", f"fixed_cents is an amount of 0 to {dollars(MOST_CENTS)}, in whole cents."
        )
    amounts = _AMOUNTS[line["per"]]
    if not any(name in line for name in amounts):
        yield _bad(number, "amount_missing", f"it says no {' and no '.join(amounts)}.")


def _scale_problems(lines: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Gaps, overlaps and open ends among the lines of each scale, each told of the line at which it shows."""
    for per in dict.fromkeys(line["per"] for line in lines):
        scale = [(number, line) for number, line in enumerate(lines, start=1) if line["per"] == per]
        if per == EACH_PERIOD:
            for number, _ in scale[1:]:
                yield Problem(number, "line_twice", f"line {number}: so much a period is said twice.")
            continue
        step = 1 if per == TABLES else 0
        due: int | None = step
        ordered = sorted(scale, key=lambda each: (_lower(each[1]), each[0]))
        for number, line in ordered:
            lower, upper = _lower(line), _upper(line)
            if due is None or lower < due:
                yield Problem(
                    number,
                    "tiers_overlap",
                    f"line {number}: it begins at {_bound_text(per, lower)}, within the tier before it.",
                )
            elif lower > due:
                yield Problem(
                    number,
                    "tiers_gap",
                    f"line {number}: it begins at {_bound_text(per, lower)}, and nothing is said from "
                    f"{_bound_text(per, due)} on.",
                )
            due = None if upper is None else upper + step
        if due is not None:
            number = ordered[-1][0]
            yield Problem(
                number,
                "tiers_end",
                f"line {number}: nothing is said from {_bound_text(per, due)} on. Leave the end of the last tier open.",
            )


def _lower(line: Mapping[str, Any]) -> int:
    lower: int = line.get("lower_tables", line.get("lower_cents", 0))
    return lower


def _upper(line: Mapping[str, Any]) -> int | None:
    upper: int | None = line.get("upper_tables", line.get("upper_cents"))
    return upper


def _bound_text(per: str, bound: int) -> str:
    return f"{bound} tables" if per == TABLES else dollars(bound)


def _is_whole(value: Any, least: int, most: int | None) -> bool:
    return type(value) is int and value >= least and (most is None or value <= most)


def _is_one_of(value: Any, known: Any) -> bool:
    return isinstance(value, str) and value in known
