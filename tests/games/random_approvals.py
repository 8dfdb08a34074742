"""Approvals of Three Card Poker drawn at random, all of them allowed: for properties that must hold under each."""

from random import Random
from typing import Any

PAIR_PLUS = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair")
SIX_CARDS = (
    *(
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
        "three_of_a_kind",
    ),
)
BONUS = ("straight_flush", "three_of_a_kind", "straight")
QUALIFIES = ("nothing", "jack_high", "queen_high", "king_high", "ace_high", "pair")


def random_approval(rng: Random) -> dict[str, Any]:
    """An approval that says otherwise of some terms, each with a clause."""
    approval: dict[str, Any] = {}

    def maybe(key: str, value: Any) -> None:
        if rng.random() < 0.5:
            return
        into, *rest = key.split(".")
        table = approval
        for name in rest:
            table, into = table.setdefault(into, {}), name
        table[into] = value
        approval.setdefault("sources", {})[key] = f"section {rng.randint(1, 20)}"

    maybe("seats", rng.randint(7, 9))
    maybe("positions.back_line", rng.randint(0, 2))
    maybe("order.direction", rng.choice(("clockwise", "counter_clockwise")))
    maybe("bank.qualifies", rng.choice(QUALIFIES))
    maybe("bank.unqualified_ante", rng.choice(("compared", "paid", "push")))
    maybe("bank.unqualified_play", rng.choice(("compared", "paid", "push", "no_action")))
    maybe("bank.coverage", rng.choice(("gross", "net", "funds")))
    maybe("pair_plus_tables", _table(rng, ("mini_royal", *PAIR_PLUS) if rng.random() < 0.5 else PAIR_PLUS))
    maybe("six_card_bonus_tables", _table(rng, SIX_CARDS))
    maybe("ante_bonus_tables", _table(rng, BONUS))
    if "six_card_bonus_tables" not in approval:
        maybe("wagers.six_card_bonus.offered", False)
    left_out = "six_card_bonus" in approval.get("wagers", {})
    bonuses = ["pair_plus", *([] if left_out else ["six_card_bonus"])]
    lines = ["ante", "play", *(["ante_bonus"] if "ante_bonus_tables" in approval else []), *bonuses]
    maybe("order.lines", rng.sample(lines, len(lines)))
    maybe("fold.forfeits", ["ante", *rng.sample(bonuses, rng.randint(0, len(bonuses)))])
    return {"number": f"GEGR-{rng.randint(1, 9999):06}", **approval}


def _table(rng: Random, hands: tuple[str, ...]) -> list[dict[str, Any]]:
    """Odds that fall from the best hand down; some as numbers to one."""
    to = sorted((rng.randint(1, 200) for _ in hands), reverse=True)
    return [
        {
            "odds": {
                hand: each if rng.random() < 0.5 else f"{each}:1"
                for hand, each in zip(hands, to, strict=True)
            }
        }
    ]
