"""The path of a position over the points of a round at which it decides."""

import pytest

from games.points import decided, decision_paths, gone_back, gone_on, is_whole, present_point
from games.refusal import Refusal
from games.registry import WITH_RULES, game_of, terms_of

POINTS = game_of("ultimate_texas_holdem").points(terms_of("ultimate_texas_holdem", {}))


def test_the_present_point_goes_by_the_cards_that_lie_there() -> None:
    assert [present_point(POINTS, cards) for cards in (0, 2, 3, 4, 5)] == [0, 0, 1, 1, 2]


def test_a_path_is_whole_with_a_decision_that_does_not_go_on() -> None:
    assert [path.id for path in decision_paths(POINTS) if not is_whole(POINTS, path.id)] == []
    assert not any(is_whole(POINTS, path) for path in ("", "check", "check check", "2x", "4x check"))


@pytest.mark.parametrize(
    ("now", "path", "decision", "after"),
    [(0, "", "4x", "4x"), (0, "4x", "check", "check"), (1, "check", "2x", "check 2x"), (2, "check check 1x", "fold", "check check fold")],
)  # fmt: skip
def test_a_decision_goes_on_from_the_path_and_may_be_changed_at_its_point(
    now: int, path: str, decision: str, after: str
) -> None:
    assert decided(POINTS, now, path, decision) == after


@pytest.mark.parametrize(
    ("now", "path", "decision", "code"),
    [
        (1, "4x", "2x", "has_decided"),
        (1, "check", "4x", "decision_not_now"),
        (0, "", "fold", "decision_not_now"),
    ],
)
def test_a_decision_of_another_point_is_refused(now: int, path: str, decision: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        decided(POINTS, now, path, decision)
    assert refused.value.code == code


def test_who_decides_nothing_lets_a_point_pass() -> None:
    assert [gone_on(POINTS, now, "") for now in (0, 1, 2)] == ["", "check", "check check"]
    assert [gone_on(POINTS, 2, path) for path in ("check", "4x", "check 2x")] == [
        "check check",
        "4x",
        "check 2x",
    ]


@pytest.mark.parametrize("rulebook", WITH_RULES)
def test_every_decision_of_a_game_is_a_path_over_its_points(rulebook: str) -> None:
    game, terms = game_of(rulebook), terms_of(rulebook, {})
    points = game.points(terms)
    decisions = game.decisions(terms)
    assert len({each.label for each in decisions}) == len(decisions)
    assert all(is_whole(points, each.id) for each in decisions)
    assert bool(decisions) == bool(points)


def test_a_round_that_is_taken_back_is_decided_anew_from_there() -> None:
    assert [gone_back(POINTS, 1, path) for path in ("check check", "check 2x", "4x", "check check fold")] == [
        "check", "check 2x", "4x", "check",
    ]  # fmt: skip
    assert [gone_back(POINTS, 0, path) for path in ("check", "check 2x", "4x", "")] == ["", "", "4x", ""]
