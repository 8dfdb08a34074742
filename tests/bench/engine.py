"""The engine by library call, against the time that phevaluator takes for the six-card hands alone."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from games.cards import Hand
from games.hands import SIX_CARD_IDS, best_five_of_six
from games.settle import Settlement, settle
from games.sheet import read_sheet
from tests.bench.measure import Spread, each, interleaved
from tests.bench.rounds import sheets

ROUNDS = 1500
TURNS = 15

Evaluate = Callable[..., int]
#: phevaluator ranks five cards from 1, a royal flush, to 7462; the last rank of each class, best first.
LAST_RANKS = (1, 10, 166, 322, 1599, 1609, 2467, 7462)


def class_of_rank(rank: int) -> str:
    """A rank of phevaluator's by the name that the 6 Card Bonus gives its class."""
    better = sum(rank > last for last in LAST_RANKS)
    return SIX_CARD_IDS[len(SIX_CARD_IDS) - 1 - better]


def time_rounds(phevaluator: Path) -> dict[str, Spread]:
    """Processor seconds a round of each step, and of its six evaluations by either phevaluator."""
    texts = list(sheets("full", ROUNDS))
    read = [read_sheet(text) for text in texts]
    settled = [settle(sheet) for sheet in read]
    sixes = [(position.hand, sheet.bank_hand) for sheet in read for position in sheet.positions]
    numbers = [first + second for first, second in sixes]
    compiled = _evaluator()
    in_python = _evaluator(phevaluator)
    for evaluate in (compiled, in_python):
        _hold_to_agree(evaluate, sixes)
    taken = interleaved(
        {
            "settle": each(settle, read),
            "read_sheet": each(read_sheet, texts),
            "to_text": each(Settlement.to_text, settled),
            "to_json": each(Settlement.to_json, settled),
            "compiled": _evaluations(compiled, numbers),
            "in_python": _evaluations(in_python, numbers),
        },
        TURNS,
    )
    return {name: spread.per(ROUNDS) for name, spread in taken.items()}


def _evaluator(folder: Path | None = None) -> Evaluate:
    """`evaluate_cards` of the phevaluator in a folder, or of the one installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "phevaluator"]:
        del sys.modules[name]
    if folder is None:
        evaluator: Any = importlib.import_module("phevaluator.evaluator")
    else:
        sys.path.insert(0, str(folder))
        try:
            evaluator = importlib.import_module("phevaluator.evaluator")
        finally:
            sys.path.remove(str(folder))
        if folder.resolve() not in Path(evaluator.__file__).resolve().parents:
            raise ValueError(f"{folder} holds no phevaluator")
    evaluate: Evaluate = evaluator.evaluate_cards
    return evaluate


def _evaluations(evaluate: Evaluate, hands: list[tuple[int, ...]]) -> Callable[[], None]:
    def job() -> None:
        for hand in hands:
            evaluate(*hand)

    return job


def _hold_to_agree(evaluate: Evaluate, sixes: list[tuple[Hand, Hand]]) -> None:
    for first, second in sixes:
        ours, theirs = SIX_CARD_IDS[best_five_of_six(first, second)], class_of_rank(evaluate(*first, *second))
        if ours != theirs:
            raise ValueError(f"{first + second} is {ours} here and {theirs} to phevaluator")
