"""Wagers that look past their own seat: progressive, envy and cover all, settled after all seats."""

from collections.abc import Sequence

from games.hands import paid_class, value3
from games.outcome import BankHand, Claim, seen
from games.positions import Position
from games.terms import Terms
from games.verdict import LOSE, WIN, Verdict, in_full, verdict_of
from games.wagers import COVER_ALL, ENVY, PROGRESSIVE


def table_claims(
    positions: Sequence[Position], bank: BankHand, terms: Terms, meter_cents: int | None
) -> list[Claim]:
    """The late lines: wager by wager in the rulebook's order, within each the positions as given."""
    claims: list[Claim] = []
    for wager in terms.after_all_seats:
        if wager == PROGRESSIVE:
            claims += _progressive(positions, terms, meter_cents)
        elif wager == ENVY:
            claims += _envy(positions, terms)
        else:
            claims += _cover_all(positions, bank, terms)
    return claims


def _kind(position: Position) -> int:
    return paid_class(position.hand, value3(position.hand))


def _progressive(positions: Sequence[Position], terms: Terms, meter_cents: int | None) -> list[Claim]:
    """Paid "for one" on the position's own cards, off the tray or off the meter (ruling 28)."""
    table, clauses = terms.progressive, terms.clauses[PROGRESSIVE]
    claims = []
    for position in positions:
        stake = position.stakes[PROGRESSIVE]
        if not stake or table is None:
            continue
        kind = _kind(position)
        odds = table.odds[kind]
        outcome, cause, cents = LOSE, "misses", 0
        if position.decision in ("fold", "surrender") and not terms.progressive_on_fold:
            odds, cause = None, "folded"
        elif odds is not None and odds.meter:
            outcome, cause, cents = WIN, "meter", meter_cents or 0
        elif odds is not None:
            outcome, cause = WIN, "pays"
        verdict = verdict_of(PROGRESSIVE, outcome, odds, cause, clauses[cause], fixed_cents=cents)
        claims.append(_claim(position, verdict, stake, kind, 0))
    return claims


def _claim(position: Position, verdict: Verdict, stake: int, hand: int, against: int) -> Claim:
    return position.seat, position.player, in_full(verdict, False, stake), seen(hand, against)


def _envy(positions: Sequence[Position], terms: Terms) -> list[Claim]:
    """Once for each player with a progressive wager and each hand of another player that brings envy.

    The line stands on the player's first position with a progressive wager (rulings 29 and 34).
    """
    rule = terms.rulebook.progressive
    if rule is None or not any(position.stakes[PROGRESSIVE] for position in positions):
        return []
    hits = []
    for position in positions:
        kind = _kind(position)
        if rule.envy_cents[kind] and (position.stakes[PROGRESSIVE] or not rule.hit_needs_progressive):
            hits.append((position, kind))
    if not hits:
        return []
    clause = terms.clauses[ENVY]["pays"]
    claims = []
    bettors: set[str] = set()
    for position in positions:
        if not position.stakes[PROGRESSIVE] or position.player in bettors:
            continue
        bettors.add(position.player)
        for hit, kind in hits:
            if hit.player != position.player:
                pays = verdict_of(ENVY, WIN, None, "pays", clause, fixed_cents=rule.envy_cents[kind])
                claims.append(_claim(position, pays, 0, kind, hit.seat))
    return claims


def _cover_all(positions: Sequence[Position], bank: BankHand, terms: Terms) -> list[Claim]:
    """Paid by the one highest hand of all that were dealt, the bank's and folded ones too (ruling 27)."""
    if not any(position.stakes[COVER_ALL] for position in positions):
        return []
    players = len(positions)
    highest = max([bank.value, *(value3(position.hand) for position in positions)]) >> 12
    odds = terms.cover_all[players].odds[highest]
    outcome, cause = (LOSE, "misses") if odds is None else (WIN, "pays")
    verdict = verdict_of(COVER_ALL, outcome, odds, cause, terms.clauses[COVER_ALL][cause])
    return [
        _claim(position, verdict, position.stakes[COVER_ALL], highest, players)
        for position in positions
        if position.stakes[COVER_ALL]
    ]
