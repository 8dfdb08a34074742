"""The points of a round at which positions decide, one after the other, and the path of a position over them.

A path is what a position decided at each point, joined by blanks: `check 2x`. It ends with a decision that does not go on.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import show


class Decision(NamedTuple):
    """One thing that a position may do at a point of the round.

    `gives_up`: it is out of the round. `goes_on`: it decides again at the next point; else its decision is made. `label` is
    what it is called there, `called` where the point is not said beside it: `2x after the flop`.
    """

    id: str
    label: str
    gives_up: bool = False
    goes_on: bool = False
    called: str = ""


class Point(NamedTuple):
    """A point of the round at which positions decide, the usual decision first.

    `board` is how many cards of the board lie by then, where the game has one.
    """

    id: str
    label: str
    decisions: tuple[Decision, ...]
    board: int = 0


def decision_paths(points: Sequence[Point]) -> Iterator[Decision]:
    """What a position may decide in a whole round: every path, as a decision with the label of its last one."""
    if not points:
        return
    first, *others = points
    for decision in first.decisions:
        if not decision.goes_on:
            yield decision
            continue
        for last in decision_paths(others):
            yield last._replace(id=f"{decision.id} {last.id}")


def present_point(points: Sequence[Point], cards: int) -> int:
    """The number of the point at which positions decide while so many cards of the board lie there, from 0."""
    return max(number for number, point in enumerate(points) if point.board <= cards)


def is_whole(points: Sequence[Point], path: str) -> bool:
    """Whether a position with this path has nothing more to decide."""
    return path in {each.id for each in decision_paths(points)}


def decided(points: Sequence[Point], now: int, path: str, decision: str) -> str:
    """The path after a decision at the point `now`; one that was made at the same point is replaced.

    Refusal `has_decided`, or `decision_not_now` for a decision of another point.
    """
    made = path.split()
    if len(made) <= now and is_whole(points, path):
        what = Phrase("it has decided already: {path}.", path=path)
        raise Refusal("has_decided", "decision", what)
    allowed = [each.id for each in points[now].decisions]
    if decision not in allowed:
        what = Phrase(
            "{decision} is no decision now; it is {allowed}.",
            decision=show(decision),
            allowed=" or ".join(allowed),
        )
        raise Refusal("decision_not_now", "decision", what)
    return " ".join([*made[:now], decision])


def gone_back(points: Sequence[Point], now: int, path: str) -> str:
    """The path of a position as the round is taken back to the point `now`: what was decided later is decided anew."""
    made = path.split()
    return path if len(made) <= now + 1 and is_whole(points, path) else " ".join(made[:now])


def gone_on(points: Sequence[Point], now: int, path: str) -> str:
    """The path of a position as the point `now` comes: whoever has decided nothing at an earlier one has let it pass."""
    made = path.split()
    while len(made) < now and not is_whole(points, " ".join(made)):
        made.append(next(each.id for each in points[len(made)].decisions if each.goes_on))
    return " ".join(made)
