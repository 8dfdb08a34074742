"""Wagers that look past their own seat: progressive, envy and cover all, settled after all seats."""

from collections.abc import Sequence

from games.bank import PLAYER, Claim
from games.cards import Hand
from games.hands import CLASS_NAMES, HandClass, paid_class, value3
from games.money import dollars, payout_cents
from games.positions import Position
from games.settlement import LOSE, WIN
from games.terms import Terms
from games.verdicts import BankHand, Verdict
from games.wagers import Wager


def table_claims(
    positions: Sequence[Position], bank: BankHand, terms: Terms, meter_cents: int | None
) -> list[Claim]:
    """The late lines: wager by wager in the rulebook's order, within each the positions as given."""
    claims: list[Claim] = []
    for wager in terms.after_all_seats:
        if wager == Wager.PROGRESSIVE:
            claims += _progressive(positions, terms, meter_cents)
        elif wager == Wager.ENVY:
            claims += _envy(positions, terms)
        else:
            claims += _cover_all(positions, bank, terms)
    return claims


def _cards(position: Position) -> Hand:
    """The cards of a position: where the house banks, every hand is exposed."""
    assert position.hand is not None
    return position.hand


def _kind(position: Position) -> HandClass:
    return paid_class(_cards(position), value3(_cards(position)))


def _claim(position: Position, wager: Wager, stake: int, owed: int, verdict: Verdict) -> Claim:
    lost = stake if verdict.outcome == LOSE else 0
    return Claim(position.seat, position.player, PLAYER, wager, stake, owed, lost, verdict)


def _progressive(positions: Sequence[Position], terms: Terms, meter_cents: int | None) -> list[Claim]:
    """Paid "for one" on the position's own cards, off the tray or off the meter (ruling 28)."""
    claims = []
    for position in positions:
        stake = position.wagers.get(Wager.PROGRESSIVE)
        if stake:
            owed, verdict = _progressive_verdict(position, stake, terms, meter_cents or 0)
            claims.append(_claim(position, Wager.PROGRESSIVE, stake, owed, verdict))
    return claims


def _progressive_verdict(
    position: Position, stake: int, terms: Terms, meter_cents: int
) -> tuple[int, Verdict]:
    """What is owed on a progressive wager, and the verdict on it."""
    assert terms.progressive is not None  # a wager of these terms

    def clause(cause: str) -> str:
        return terms.clause(Wager.PROGRESSIVE, cause)

    if position.decision == "surrender":  # ruling 24
        reason = "a surrendered hand wins no progressive"
        return 0, Verdict(LOSE, None, clause("surrendered"), reason)
    if position.decision == "fold" and not terms.progressive_on_fold:
        return 0, Verdict(LOSE, None, clause("folded"), "a folded hand wins no progressive here")
    kind = _kind(position)
    name, odds = CLASS_NAMES[kind], terms.progressive.odds[kind]
    if odds is None:
        return 0, Verdict(LOSE, None, clause("misses"), f"{name} pays nothing on the progressive")
    if odds.meter:
        reason = f"{name} takes the meter of {dollars(meter_cents)}"
        return meter_cents, Verdict(WIN, odds, clause("meter"), reason)
    reason = f"{name} pays {odds.text} whatever the bank holds"
    return payout_cents(stake, odds), Verdict(WIN, odds, clause("pays"), reason)


def _envy(positions: Sequence[Position], terms: Terms) -> list[Claim]:
    """Once for each player with a progressive wager and each hand of another player that brings envy.

    The line stands on the player's first position with a progressive wager (rulings 29 and 34). A surrendered hand
    brings none, its player may still be paid for another's (ruling 24).
    """
    rule = terms.rulebook.progressive
    if rule is None:
        return []
    hits = []
    for position in positions:
        if position.decision != "surrender" and (
            Wager.PROGRESSIVE in position.wagers or not rule.hit_needs_progressive
        ):
            kind = _kind(position)
            if rule.envy_cents[kind]:
                hits.append((position, kind))
    claims = []
    bettors: set[str] = set()
    for position in positions if hits else ():
        if Wager.PROGRESSIVE not in position.wagers or position.player in bettors:
            continue
        bettors.add(position.player)
        for hit, kind in hits:
            if hit.player != position.player:
                cents = rule.envy_cents[kind]
                reason = f"{CLASS_NAMES[kind]} at seat {hit.seat} brings envy of {dollars(cents)}"
                pays = Verdict(WIN, None, terms.clause(Wager.ENVY, "pays"), reason)
                claims.append(_claim(position, Wager.ENVY, 0, cents, pays))
    return claims


def _cover_all(positions: Sequence[Position], bank: BankHand, terms: Terms) -> list[Claim]:
    """Paid by the one highest hand of all that were dealt, the bank's, folded and surrendered ones too (ruling 27)."""
    bettors = [position for position in positions if Wager.COVER_ALL in position.wagers]
    if not bettors:
        return []
    players = len(positions)
    kind = max([bank.value, *[value3(_cards(position)) for position in positions]]).kind
    odds = terms.rulebook.cover_all_tables[str(players)].odds[kind]
    highest = f"{CLASS_NAMES[kind]} is the table's highest hand"
    if odds is None:
        clause = terms.clause(Wager.COVER_ALL, "misses")
        verdict = Verdict(LOSE, None, clause, f"{highest} and pays nothing")
    else:
        reason = f"{highest} among {players}: pays {odds.text}"
        verdict = Verdict(WIN, odds, terms.clause(Wager.COVER_ALL, "pays"), reason)
    claims = []
    for position in bettors:
        stake = position.wagers[Wager.COVER_ALL]
        owed = 0 if odds is None else payout_cents(stake, odds)
        claims.append(_claim(position, Wager.COVER_ALL, stake, owed, verdict))
    return claims
