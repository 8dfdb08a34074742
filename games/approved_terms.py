"""The terms that approvals of every game may say (`games.approval`), and what follows from them in a rulebook's data."""

from collections.abc import Mapping
from typing import Any

from games.approval import ApprovedTerm, Flag, OneOf, Text, Whole
from games.rulebook import (
    CLOCKWISE,
    COUNTER_CLOCKWISE,
    GAME_ENDS,
    LAST_BANK_MAY_RENEW,
    NAMED_SEAT,
    NEXT_TO_BANK,
)

#: The headings under which the whole of an approval is shown, in their order.
SEATS, WAGERS, PAYTABLES, BANK, ORDER, MAY_BANK, CARDS = GROUPS = (
    "Table and seats",
    "Wagers",
    "Paytables",
    "Bank",
    "Order",
    "Who may bank",
    "Cards",
)
#: The most seats of a table, bettors behind a seat, and rounds that a term may count.
MOST_SEATS, MOST_BEHIND, MOST_ROUNDS = 12, 7, 20
MOST_LEAST_BANK_CENTS = 100_000_000

_COVERS = {
    "gross": "gross: every dollar paid or taken uses up the player-dealer wager",
    "net": "net: what the bank takes covers more of what it pays; it wins no more than its wager either",
    "funds": "funds: hand by hand, all or nothing, from what the bank has",
}

COMMON: tuple[ApprovedTerm, ...] = (
    ApprovedTerm("name", "Name of the game", SEATS, Text()),
    ApprovedTerm("seats", "Seats", SEATS, Whole(2, MOST_SEATS)),
    ApprovedTerm("positions.most_per_player", "Positions a player may hold", SEATS, Whole(1, MOST_SEATS)),
    ApprovedTerm("positions.adjacent", "Positions of a player stand side by side", SEATS, Flag()),
    ApprovedTerm("positions.back_line", "Bettors behind each seat", SEATS, Whole(0, MOST_BEHIND)),
    ApprovedTerm(
        "bank.coverage",
        "What the bank covers",
        BANK,
        OneOf(_COVERS),
        tuple(("bank", cause) for cause in ("uncovered", "short", "capped")),
    ),
    ApprovedTerm("bank.least_cents", "Least wager of the bank", BANK, Whole(1, MOST_LEAST_BANK_CENTS)),
    ApprovedTerm(
        "order.direction",
        "Deal, settlement and offers go",
        ORDER,
        OneOf({CLOCKWISE: "clockwise", COUNTER_CLOCKWISE: "counter-clockwise"}),
    ),
    ApprovedTerm(
        "order.starts",
        "The action starts",
        ORDER,
        OneOf({NEXT_TO_BANK: "next to the bank", NAMED_SEAT: "at a seat named by dice or a button"}),
    ),
    ApprovedTerm("may_bank.rounds", "Rounds in a row", MAY_BANK, Whole(1, MOST_ROUNDS)),
    ApprovedTerm(
        "may_bank.another_first", "Another player banks before the last one does again", MAY_BANK, Flag()
    ),
    ApprovedTerm(
        "may_bank.wagered_rounds", "Rounds wagered in since sitting down", MAY_BANK, Whole(0, MOST_ROUNDS)
    ),
    ApprovedTerm("may_bank.previous_round", "A wager at that seat in the round before", MAY_BANK, Flag()),
    ApprovedTerm(
        "may_bank.all_decline",
        "When all decline",
        MAY_BANK,
        OneOf({LAST_BANK_MAY_RENEW: "the last bank may renew", GAME_ENDS: "the game ends"}),
    ),
    ApprovedTerm("cards.shuffler", "An automatic shuffler is required", CARDS, Flag()),
)
"""What an approval of any game may say."""


def wager_terms(wager: str, name: str, needs: Mapping[str, str]) -> tuple[ApprovedTerm, ...]:
    """What an approval may say of one wager: whether it is offered, its name, what it needs, and what may stand on it."""
    terms = [
        ApprovedTerm(f"wagers.{wager}.offered", f"{name} is offered", WAGERS, Flag()),
        ApprovedTerm(f"wagers.{wager}.name", f"{name}: name on the layout", WAGERS, Text()),
        ApprovedTerm(f"wagers.{wager}.needs", f"{name} needs", WAGERS, OneOf(needs)),
        action_term(wager, name),
        *payable_terms(wager, name),
    ]
    return tuple(terms)


def action_term(wager: str, name: str) -> ApprovedTerm:
    """Whether a wager that lies there before the deal counts toward total table action."""
    return ApprovedTerm(f"wagers.{wager}.action", f"{name} counts toward total table action", WAGERS, Flag())


def payable_terms(wager: str, name: str, *, tip: bool = True) -> tuple[ApprovedTerm, ...]:
    """Whether a fee may come of a wager, and where a `tip` may: whether a bet for the dealer may stand beside it."""
    fee = ApprovedTerm(f"wagers.{wager}.fee", f"{name} may bear a fee", WAGERS, Flag())
    beside = ApprovedTerm(
        f"wagers.{wager}.tip", f"A bet for the dealer may stand beside {name}", WAGERS, Flag()
    )
    return (fee, beside) if tip else (fee,)


def complete_common(whole: dict[str, Any], changed: Mapping[str, str]) -> None:
    """Carry out what follows from common terms that differ, so that the whole is a rulebook's file again.

    `changed` are the full clauses by key.
    """
    if "bank.coverage" in changed:
        whole["options"].pop("coverage", None)
        causes = whole["clauses"].setdefault("bank", {})
        causes.update(
            dict.fromkeys(("uncovered", "short", "capped"), changed["bank.coverage"] or "bank.coverage")
        )
    if "positions.back_line" in changed:
        whole["options"].pop("back_line", None)
    for wager, rule in whole["wagers"].items():
        clause = changed.get(f"wagers.{wager}.fee", "")
        if "fee" in rule and rule.pop("fee"):
            rule.pop("no_fee_clause", None)
        elif clause:
            rule["no_fee_clause"] = clause
        if "tip" in rule:
            others = [spot for spot in whole["tips"]["spots"] if spot != wager]
            whole["tips"]["spots"] = [*others, wager] if rule.pop("tip") else others
