"""Sharing comes out to the cent, the same way every time, and never to a supervisor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardroom.tips.sharing import Dealt, Sharing, Support, Terms, parted, shared_out

people = st.dictionaries(st.integers(1, 30), st.integers(0, 90_000), min_size=1, max_size=12)
dealt = st.builds(
    Dealt,
    staff=st.integers(1, 30),
    cents=st.integers(-50_000, 500_000),
    seconds=st.integers(0, 40_000),
    may_share=st.booleans(),
)
terms = st.builds(
    Terms,
    sharing=st.sampled_from(list(Sharing)),
    support=st.sampled_from(list(Support)),
    support_bp=st.integers(1, 10_000),
    support_hourly_cents=st.integers(1, 5_000),
)


@given(st.integers(-10_000_000, 10_000_000), people)
def test_the_parts_come_to_the_sum_and_nobody_is_a_cent_away_from_their_exact_part(
    cents: int, weights: dict[int, int]
) -> None:
    parts = parted(cents, weights)
    whole = sum(weights.values())
    assert sum(parts.values()) == (cents if whole else 0)
    for each, weight in weights.items():
        assert abs(parts[each] * whole - cents * weight) < max(whole, 1)


@given(
    terms,
    st.lists(dealt, max_size=10, unique_by=lambda each: each.staff),
    st.dictionaries(st.integers(31, 60), st.integers(0, 40_000), max_size=6),
)
def test_every_cent_is_shared_out_once_whatever_came_in(
    rule: Terms, dealers: list[Dealt], support: dict[int, int]
) -> None:
    total = sum(each.cents for each in dealers)
    shares = shared_out(rule, dealers, support)
    assert sum(shares.dealers.values()) + sum(shares.support.values()) + shares.held_cents == total
    assert set(shares.dealers) == {each.staff for each in dealers if each.may_share}
    assert all(cents >= 0 for cents in shares.support.values())
    assert sum(shares.support.values()) * 10_000 <= max(total, 0) * rule.support_bp
    if any(each.may_share and each.seconds for each in dealers):
        assert shares.held_cents == 0
    again = shared_out(rule, list(reversed(dealers)), dict(reversed(support.items())))
    assert again.dealers == shares.dealers and again.support == shares.support


def test_cents_that_are_left_go_to_the_greatest_remainders_and_then_to_the_lower_number() -> None:
    assert parted(100, {1: 1, 2: 1, 3: 1}) == {1: 34, 2: 33, 3: 33}
    assert parted(-100, {1: 1, 2: 1, 3: 1}) == {1: -34, 2: -33, 3: -33}
    assert parted(10, {1: 1, 2: 5, 3: 3}) == {1: 1, 2: 6, 3: 3}  # 1.11, 5.56, 3.33


def test_a_pool_goes_by_hours_and_support_staff_get_their_share_first() -> None:
    dealers = [Dealt(1, 9_000, 7_200), Dealt(2, 1_001, 3_600)]
    shares = shared_out(Terms("hours", "share", 1_000), dealers, {9: 1_800, 8: 1_800})
    assert dict(shares.support) == {
        8: 500,
        9: 500,
    }  # a tenth of $100.01, the part of a cent stays with the dealers
    assert dict(shares.dealers) == {1: 6_001, 2: 3_000}


def test_who_keeps_their_own_gives_to_support_staff_in_proportion() -> None:
    dealers = [Dealt(1, 9_000, 60), Dealt(2, 1_000, 60), Dealt(3, -200, 60)]
    shares = shared_out(Terms("keep", "hourly", 5_000, 1_000), dealers, {9: 3_600})
    assert dict(shares.support) == {9: 1_000}
    assert dict(shares.dealers) == {1: 8_100, 2: 900, 3: -200}


def test_who_brought_nothing_gives_nothing_to_support_staff() -> None:
    shares = shared_out(Terms("keep", "share", 10_000), [Dealt(1, 300, 60), Dealt(2, 0, 60)], {9: 60})
    assert (dict(shares.support), dict(shares.dealers)) == ({9: 300}, {1: 0, 2: 0})


def test_without_an_hourly_sum_support_staff_get_none() -> None:
    shares = shared_out(Terms("hours", "hourly", 10_000), [Dealt(1, 5_000, 60)], {9: 36_000})
    assert (dict(shares.support), dict(shares.dealers)) == ({9: 0}, {1: 5_000})


def test_hourly_sums_stop_at_the_share_of_the_pool_that_the_rule_allows() -> None:
    shares = shared_out(Terms("hours", "hourly", 2_000, 1_500), [Dealt(1, 5_000, 60)], {8: 3_600, 9: 7_200})
    assert dict(shares.support) == {8: 333, 9: 667}
    assert dict(shares.dealers) == {1: 4_000}


def test_half_a_cent_of_an_hour_is_rounded_up() -> None:
    shares = shared_out(Terms("hours", "hourly", 10_000, 1_001), [Dealt(1, 50_000, 60)], {8: 1_800})
    assert dict(shares.support) == {8: 501}


def test_what_a_supervisor_was_tipped_goes_to_the_dealers_under_either_rule() -> None:
    dealers = [Dealt(1, 0, 3_600), Dealt(2, 600, 1_800), Dealt(3, 900, 900, may_share=False)]
    assert dict(shared_out(Terms("hours"), dealers, {}).dealers) == {1: 1_000, 2: 500}
    assert dict(shared_out(Terms("keep"), dealers, {}).dealers) == {1: 600, 2: 900}


def test_where_nobody_may_share_the_sum_is_held_and_not_given_to_anybody() -> None:
    shares = shared_out(Terms("hours"), [Dealt(3, 900, 900, may_share=False)], {})
    assert (dict(shares.dealers), shares.held_cents) == ({}, 900)
