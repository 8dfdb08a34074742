"""What a rulebook says of the terms that approvals of every game may say (`games.approved_terms`), with their clauses."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.approval import ApprovedTerm, TermValue
from games.procedures.rules import ProcedureRules
from games.rotation.profile import AFTER_ALL_DECLINE, NEVER, profile_under
from games.rulebook import GAME_ENDS, LAST_BANK_MAY_RENEW, NAMED_SEAT, NEXT_TO_BANK
from games.settlement_order import BACK_FROM_ACTION, FROM_ACTION
from games.terms import Terms


def common_values(
    terms: Terms, rules: ProcedureRules, approved: Sequence[ApprovedTerm]
) -> dict[str, TermValue]:
    """The common ones among the terms `approved`, by key; left out is what the rulebook says nothing of.

    Sources of the rulebook go before the clauses that its wagers, its rotation and its procedures have anyway.
    """
    known = {term.key for term in approved}
    found = dict(_values(terms, rules, known))
    return {key: value for key, value in found.items() if key in known}


def _values(terms: Terms, rules: ProcedureRules, known: set[str]) -> Iterator[tuple[str, TermValue]]:
    book = terms.rulebook

    def said(key: str, value: Any, clause: str = "") -> tuple[str, TermValue]:
        return key, TermValue(value, book.sources.get(key, clause))

    yield said("name", book.name)
    yield said("seats", book.seats)
    yield said("positions.most_per_player", book.max_positions)
    yield said("positions.adjacent", book.positions_adjacent)
    yield said("positions.back_line", terms.back_line)
    if book.seat_order in (FROM_ACTION, BACK_FROM_ACTION):  # else deal and settlement go different ways
        yield said("order.direction", book.direction)
    yield said("order.starts", NAMED_SEAT if book.named_start else NEXT_TO_BANK)
    yield said("cards.shuffler", rules.shuffler_clause is not None, rules.shuffler_clause or "")
    for wager in _wagers(known):
        if wager not in terms.offered:
            yield said(f"wagers.{wager}.offered", False)
            continue
        rule = book.wagers[wager]
        clause = book.clause_id(rule.clause)
        yield said(f"wagers.{wager}.offered", True, clause)
        yield said(f"wagers.{wager}.name", rule.name, clause)
        yield said(f"wagers.{wager}.needs", terms.needs[wager], clause)
        yield said(f"wagers.{wager}.action", wager in book.action)
        yield said(f"wagers.{wager}.fee", wager not in book.without_fee, book.without_fee.get(wager, ""))
        yield said(f"wagers.{wager}.tip", wager in terms.tip_spots, book.clause_id(book.tip_clause))
    if book.player_banked:
        yield said("bank.coverage", terms.coverage)
        if book.least_bank_cents is not None:
            yield said("bank.least_cents", book.least_bank_cents)
        yield from rotation_values(terms)


def rotation_values(terms: Terms, rotation: str = "") -> Iterator[tuple[str, TermValue]]:
    """Who may bank: what the rulebook says, and else the profile `rotation` that is filed; empty: the rulebook's own."""
    book = terms.rulebook
    rule, profile = book.may_bank, profile_under(book, rotation)

    def said(key: str, value: Any, of_profile: Any, clause: str = "") -> tuple[str, TermValue]:
        found = of_profile if value is None else value
        return key, TermValue(found, book.sources.get(key, clause if value is None else ""))

    if rule.rounds or profile.offer_after_rounds:
        yield said("may_bank.rounds", rule.rounds, profile.offer_after_rounds, profile.clause)
    yield said("may_bank.another_first", rule.another_first, profile.renewal == NEVER, profile.renew_clause)
    yield said("may_bank.wagered_rounds", rule.wagered_rounds, 0)
    yield said("may_bank.previous_round", rule.previous_round, False)
    renews = LAST_BANK_MAY_RENEW if profile.renewal == AFTER_ALL_DECLINE else GAME_ENDS
    yield said("may_bank.all_decline", rule.all_decline, renews, profile.renew_clause)


def _wagers(known: set[str]) -> list[str]:
    """The wagers that the terms speak of."""
    return sorted({key.split(".")[1] for key in known if key.startswith("wagers.")})
