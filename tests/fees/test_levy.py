"""What a city or the state takes, worked by hand; amounts and places are invented where no source is named."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from fees.levied import levied, percentage_cents, period_with
from fees.levy import Levy, percent_text
from fees.levy_document import LevyRefused, levy_problems, read_levy

_HEAD: dict[str, Any] = {
    "levied_by": "city",
    "authority": "City of Alder Creek",
    "source": "Code 5.24.080",
    "period": "month",
    "base": ["collection"],
}
#: 8% of the first $100,000, 11% of what is over.
_PARTS: list[dict[str, Any]] = [
    {"per": "part", "lower_cents": 0, "upper_cents": 10_000_000, "basis_points": 800},
    {"per": "part", "lower_cents": 10_000_000, "upper_cents": None, "basis_points": 1_100},
]


def _levy(lines: list[dict[str, Any]], **more: Any) -> Levy:
    return read_levy({**_HEAD, **more, "lines": lines})


def _codes(lines: list[dict[str, Any]], **more: Any) -> list[tuple[int, str]]:
    return [(each.line, each.code) for each in levy_problems({**_HEAD, **more, "lines": lines})]


def test_marginal_tiers_each_take_of_their_part() -> None:
    due = levied(_levy(_PARTS), 25_000_050)
    # 8% of $100,000.00 is $8,000.00; 11% of $150,000.50 is $16,500.055, half a cent up.
    assert [line.due_cents for line in due.lines] == [800_000, 1_650_006]
    assert due.due_cents == 2_450_006
    assert [line.of_cents for line in due.lines] == [10_000_000, 15_000_050]


def test_a_tier_of_the_whole_takes_of_all_of_it() -> None:
    # Above $20,000 the whole pays 13%, not what is over alone; at the bound the lower tier holds, or the upper.
    lines: list[dict[str, Any]] = [
        {"per": "whole", "lower_cents": 0, "upper_cents": 2_000_000, "basis_points": 900},
        {"per": "whole", "lower_cents": 2_000_000, "upper_cents": None, "basis_points": 1_300},
    ]
    assert levied(_levy(lines), 2_000_000).due_cents == 180_000
    assert levied(_levy(lines, at_bound="upper"), 2_000_000).due_cents == 260_000
    assert levied(_levy(lines), 2_000_100).due_cents == 260_013
    assert levied(_levy(lines), 0).due_cents == 0


def test_a_fee_and_a_percentage_of_what_is_over_the_bound() -> None:
    # In the form of Marina 5.32.124: $500 to $10,000; $750 and 5% over $10,000; $1,200 and 9% over $15,000; $1,850 and 13%.
    bounds = [(0, 10_000), (10_000, 15_000), (15_000, 20_000), (20_000, None)]
    lines: list[dict[str, Any]] = [
        {
            "per": "over",
            "lower_cents": lower * 100,
            "upper_cents": upper and upper * 100,
            "basis_points": points,
            "fixed_cents": fixed * 100,
        }
        for (lower, upper), points, fixed in zip(
            bounds, (0, 500, 900, 1_300), (500, 750, 1200, 1850), strict=True
        )
    ]
    for base, due in ((4_000, 500), (10_000, 500), (12_000, 850), (18_000, 1_470), (30_000, 3_150)):
        assert levied(_levy(lines), base * 100).due_cents == due * 100


def test_the_greater_of_tables_and_gross_is_due_for_every_table() -> None:
    # In the form of B&P 19951(c) and (d): so much a table by tables, or by gross revenue, whichever is greater.
    lines: list[dict[str, Any]] = [
        {"per": "tables", "lower_tables": 1, "upper_tables": 5, "fixed_cents": 30_000},
        {"per": "tables", "lower_tables": 6, "upper_tables": None, "fixed_cents": 55_000},
        {"per": "tables_by_base", "lower_cents": 0, "upper_cents": 20_000_000, "fixed_cents": 0},
        {"per": "tables_by_base", "lower_cents": 20_000_000, "upper_cents": None, "fixed_cents": 130_000},
    ]
    levy = _levy(lines, combine="greatest", period="year", authorized_tables=6)
    assert (due := levied(levy, 19_000_000, 6)).due_cents == 6 * 55_000
    assert due.counted == ("tables",)
    assert (due := levied(levy, 21_000_000, 6)).due_cents == 6 * 130_000
    assert due.counted == ("tables_by_base",)
    assert levied(_levy(lines, combine="least", authorized_tables=6), 21_000_000, 6).due_cents == 6 * 55_000
    assert levied(_levy(lines, authorized_tables=6), 21_000_000, 6).due_cents == 6 * 185_000


def test_minimum_and_maximum_bound_the_whole_and_show_what_they_add() -> None:
    due = levied(_levy(_PARTS, minimum_cents=260_000), 1_000_000)
    assert (due.due_cents, due.bounded_cents) == (260_000, 180_000)
    due = levied(_levy(_PARTS, maximum_cents=1_000_000), 25_000_050)
    assert (due.due_cents, due.bounded_cents) == (1_000_000, -1_450_006)


def test_a_base_below_nothing_is_none() -> None:
    assert levied(_levy([*_PARTS, {"per": "period", "fixed_cents": 5_000}]), -700).due_cents == 5_000


def test_a_percentage_is_rounded_once_by_the_rule_of_the_levy() -> None:
    # 8.25% of $1.00 is 8.25 cents, and of $2.00 16.5 cents.
    assert [percentage_cents(100, 825, rule) for rule in ("nearest", "down", "up")] == [8, 8, 9]
    assert [percentage_cents(200, 825, rule) for rule in ("nearest", "down", "up")] == [17, 16, 17]
    assert [percentage_cents(10_000, 825, rule) for rule in ("nearest", "down", "up")] == [825] * 3
    assert [percent_text(points) for points in (800, 1_250, 25, 10_000, 0)] == [
        "8%",
        "12.5%",
        "0.25%",
        "100%",
        "0%",
    ]


def test_periods_are_counted_from_the_month_in_which_the_year_begins() -> None:
    day = datetime.date(2026, 11, 21)
    for period, begins, first, last in (
        ("month", 1, "2026-11-01", "2026-11-30"),
        ("quarter", 1, "2026-10-01", "2026-12-31"),
        ("quarter", 2, "2026-11-01", "2027-01-31"),
        ("year", 7, "2026-07-01", "2027-06-30"),
        ("year", 12, "2025-12-01", "2026-11-30"),
    ):
        found = period_with(_levy(_PARTS, period=period, year_begins=begins), day)
        assert [each.isoformat() for each in found] == [first, last]


def test_what_does_not_fit_is_refused_with_its_line() -> None:
    first, second = _PARTS
    assert _codes([first, {**second, "lower_cents": 9_000_000}]) == [(2, "tiers_overlap")]
    assert _codes([first, {**second, "lower_cents": 11_000_000}]) == [(2, "tiers_gap")]
    assert _codes([first]) == [(1, "tiers_end")]
    assert _codes([{**first, "upper_cents": None}, second]) == [(2, "tiers_overlap")]
    assert _codes([first, {**second, "basis_points": 10_001}]) == [(2, "percent_over_100")]
    assert _codes([first, {**second, "rate": 3}]) == [(2, "unknown_key")]
    assert _codes([first, {**second, "basis_points": 11.0}]) == [(2, "bad_percentage")]
    assert _codes([first, {"per": "part", "lower_cents": 10_000_000}]) == [(2, "amount_missing")]
    assert _codes(_PARTS, tax=1) == [(0, "unknown_key")]
    assert _codes(_PARTS, source=" ") == [(0, "source_missing")]
    assert _codes(_PARTS, base=["tips"]) == [(0, "bad_base")]
    assert _codes(_PARTS, minimum_cents=2, maximum_cents=1) == [(0, "bad_amount")]
    assert _codes([]) == [(0, "lines_missing")]
    tables: list[dict[str, Any]] = [{"per": "tables", "lower_tables": 1, "fixed_cents": 1}]
    assert _codes(tables) == [(0, "tables_missing")]
    assert _codes(tables, tables="opened") == []
    assert _codes([{"per": "period", "fixed_cents": 1}] * 2) == [(2, "line_twice")]
    with pytest.raises(LevyRefused, match="line 2: it begins at \\$90,000"):
        _levy([first, {**second, "lower_cents": 9_000_000}])
