"""The terms of Ultimate Texas Hold'em: a rulebook with the room's options put in, and its points of decision."""

from collections.abc import Mapping
from typing import Any

from games.phrases import Phrase
from games.points import Decision, Point, decision_paths
from games.terms import Terms, read_choices, with_approval
from games.ultimate_texas_holdem.approval import TERMS, approved_rulebook
from games.ultimate_texas_holdem.rulebook import UltimateRulebook

CHECK, FOLD = "check", "fold"
#: The points of a round: their ids, what they are called, what a play wager there is called, and the cards of the board.
_POINTS = (
    ("before_flop", Phrase("Before the flop"), Phrase("{times}x before the flop"), 0),
    ("flop", Phrase("After the flop"), Phrase("{times}x after the flop"), 3),
    ("river", Phrase("On the whole board"), Phrase("{times}x on the board"), 5),
)


class UltimateTerms(Terms):
    """Everything the engine needs beside the sheet.

    `points` are those at which positions decide; `times[decision]` is how many times the ante is played by a whole decision,
    0 for a fold; `most_times` the most of them.
    """

    rulebook: UltimateRulebook

    def __init__(self, rulebook: UltimateRulebook, choices: Mapping[str, Any]) -> None:
        super().__init__(rulebook, choices)
        self.points = tuple(_points(rulebook))
        paths = [decision.id for decision in decision_paths(self.points)]
        self.times: Mapping[str, int] = {path: _times_of(path) for path in paths}
        self.most_times = max(self.times.values())


def _points(rulebook: UltimateRulebook) -> list[Point]:
    points = []
    for raises, (name, label, called, board) in zip(rulebook.raises, _POINTS, strict=True):
        play = tuple(
            Decision(f"{times}x", f"{times}x", called=Phrase(called, times=times)) for times in raises
        )
        is_last = board == 5
        without = (
            Decision(FOLD, Phrase("Fold"), gives_up=True)
            if is_last
            else Decision(CHECK, Phrase("Check"), goes_on=True)
        )
        points.append(Point(name, label, (*play, without) if is_last else (without, *play), board))
    return points


def _times_of(path: str) -> int:
    last = path.rsplit(" ", 1)[-1]
    return 0 if last == FOLD else int(last.removesuffix("x"))


def read_options(rulebook: UltimateRulebook, given: Mapping[str, Any]) -> UltimateTerms:
    """The room's options and its approval, checked and put in; Refusal with a path from `options` on."""
    rulebook = with_approval(rulebook, given, approved_rulebook)
    return UltimateTerms(rulebook, read_choices(rulebook, given, TERMS))
