"""Wagers that look past their own seat: progressive, envy and cover all, settled after all seats."""

from collections.abc import Mapping, Sequence

from games.claims import Verdict, claim
from games.money import dollars, payout_cents
from games.settlement import LOSE, WIN, Line
from games.three_card_poker.hands import CLASS_NAMES, HandClass
from games.three_card_poker.positions import Position
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.verdicts import BankHand, Showdown
from games.three_card_poker.wagers import COVER_ALL, ENVY, PROGRESSIVE


def table_claims(
    positions: Sequence[Position],
    hands: Mapping[int, Showdown],
    bank: BankHand,
    terms: ThreeCardTerms,
    meter_cents: int | None,
) -> list[Line]:
    """The late lines: wager by wager in the rulebook's order, within each the positions as given.

    `hands` holds the hand of every position by its seat: where the house banks, all are exposed.
    """
    claims: list[Line] = []
    for wager in terms.rulebook.after_all_seats:
        if wager == PROGRESSIVE:
            claims += _progressive(positions, hands, terms, meter_cents or 0)
        elif wager == ENVY:
            claims += _envy(positions, hands, terms)
        else:
            claims += _cover_all(positions, hands, bank, terms)
    return claims


def _progressive(
    positions: Sequence[Position], hands: Mapping[int, Showdown], terms: ThreeCardTerms, meter_cents: int
) -> list[Line]:
    """Paid "for one" on the position's own cards, off the tray or off the meter (ruling 28)."""
    claims = []
    for position in positions:
        stake = position.wagers.get(PROGRESSIVE)
        if stake:
            kind = hands[position.seat].paid_class
            owed, verdict = _progressive_verdict(position.decision, kind, stake, terms, meter_cents)
            claims.append(claim(position, PROGRESSIVE, stake, owed, verdict))
    return claims


def _progressive_verdict(
    decision: str | None, kind: HandClass, stake: int, terms: ThreeCardTerms, meter_cents: int
) -> tuple[int, Verdict]:
    """What is owed on a progressive wager, and the verdict on it."""
    assert terms.progressive is not None  # a wager of these terms
    clauses = terms.clauses[PROGRESSIVE]
    if decision == "surrender":  # ruling 24
        return 0, Verdict(LOSE, None, clauses["surrendered"], "a surrendered hand wins no progressive")
    if decision == "fold" and not terms.progressive_on_fold:
        return 0, Verdict(LOSE, None, clauses["folded"], "a folded hand wins no progressive here")
    name, odds = CLASS_NAMES[kind], terms.progressive.odds[kind]
    if odds is None:
        return 0, Verdict(LOSE, None, clauses["misses"], f"{name} pays nothing on the progressive")
    if odds.meter:
        reason = f"{name} takes the meter of {dollars(meter_cents)}"
        return meter_cents, Verdict(WIN, odds, clauses["meter"], reason)
    reason = f"{name} pays {odds.text} whatever the bank holds"
    return payout_cents(stake, odds), Verdict(WIN, odds, clauses["pays"], reason)


def _envy(positions: Sequence[Position], hands: Mapping[int, Showdown], terms: ThreeCardTerms) -> list[Line]:
    """Once for each player with a progressive wager and each hand of another player that brings envy.

    The line is on the player's first position with a progressive wager (rulings 29 and 34). A surrendered hand
    brings none, its player may still be paid for another's (ruling 24).
    """
    rule = terms.rulebook.progressive
    if rule is None:
        return []
    hits = [
        position
        for position in positions
        if rule.envy_cents[hands[position.seat].paid_class]
        and (PROGRESSIVE in position.wagers or not rule.hit_needs_progressive)
        and position.decision != "surrender"
    ]
    if not hits:
        return []
    claims = []
    bettors: set[str] = set()
    for position in positions:
        if PROGRESSIVE not in position.wagers or position.player in bettors:
            continue
        bettors.add(position.player)
        for hit in hits:
            if hit.player != position.player:
                kind = hands[hit.seat].paid_class
                cents = rule.envy_cents[kind]
                reason = f"{CLASS_NAMES[kind]} at seat {hit.seat} brings envy of {dollars(cents)}"
                pays = Verdict(WIN, None, terms.clauses[ENVY]["pays"], reason)
                claims.append(claim(position, ENVY, 0, cents, pays))
    return claims


def _cover_all(
    positions: Sequence[Position], hands: Mapping[int, Showdown], bank: BankHand, terms: ThreeCardTerms
) -> list[Line]:
    """Paid by the one highest hand of all that were dealt, the bank's, folded and surrendered ones too (ruling 27)."""
    bettors = [position for position in positions if COVER_ALL in position.wagers]
    if not bettors:
        return []
    players, clauses = len(positions), terms.clauses[COVER_ALL]
    kind = max([bank.value, *[each.value for each in hands.values()]]).kind
    odds = terms.rulebook.cover_all_tables[str(players)].odds[kind]
    highest = f"{CLASS_NAMES[kind]} is the table's highest hand"
    if odds is None:
        verdict = Verdict(LOSE, None, clauses["misses"], f"{highest} and pays nothing")
    else:
        verdict = Verdict(WIN, odds, clauses["pays"], f"{highest} among {players}: pays {odds.text}")
    claims = []
    for position in bettors:
        stake = position.wagers[COVER_ALL]
        owed = 0 if odds is None else payout_cents(stake, odds)
        claims.append(claim(position, COVER_ALL, stake, owed, verdict))
    return claims
