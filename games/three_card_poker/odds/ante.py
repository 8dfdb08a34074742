"""The ante, played as well as it can be: whether to play or fold each hand, and what that is worth.

All values are per ante of 1 before the deal, the play wager that follows it counted in, for a player who sees three cards
and no others, or one card of the bank besides where the rules have it shown (`games.three_card_poker.odds.shown_card`).
The bank is taken to cover every wager in full.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from games.collection import PrintedSchedule, band_for, why_outside_limits
from games.phrases import Phrase
from games.three_card_poker.odds.ante_rules import AnteRules, won_unqualified, worth_of_playing
from games.three_card_poker.odds.showdown import ANSWERS, DEALS, hands_alike, short_name
from games.three_card_poker.odds.shown_card import ShownCardOdds, shown_card_odds


@dataclass(frozen=True, slots=True)
class AnteOdds:
    """What an ante costs and how to play it.

    `edge` is the bank's, per unit of ante; `hit` is the chance that the ante wins; `played` the chance that
    the hand is worth playing; `decision` names the lowest hand that is. `lowest_played` is what playing that
    hand is worth, `highest_folded` what playing the best of the others would be (a fold is worth -1). Where a card of
    the bank is shown there is no one lowest hand: both are None, and `shown` has the best play by card.
    """

    edge: Fraction
    hit: Fraction
    played: Fraction
    decision: str
    lowest_played: Fraction | None
    highest_folded: Fraction | None
    shown: ShownCardOdds | None = None


@lru_cache(maxsize=32)
def _bare_ante(rules: AnteRules) -> AnteOdds:
    """Odds of an ante of which no card of the bank is shown."""
    worths = [
        (
            each,
            worth_of_playing(each.unqualified, each.qualified, rules)
            + ANSWERS * rules.bonus_of(each.value.kind),
        )
        for each in hands_alike(rules.qualifies)
    ]
    played = [(each, worth) for each, worth in worths if worth > -ANSWERS]
    folded = [(each.value, worth) for each, worth in worths if worth <= -ANSWERS]
    lowest, lowest_worth = min((each.value, worth) for each, worth in played)
    highest, highest_worth = max(folded, default=(None, None))
    net = sum(each.hands * worth for each, worth in played)
    hands_played = sum(each.hands for each, _ in played)
    won = sum(
        each.hands * (won_unqualified(each.unqualified, rules.unqualified_ante) + each.qualified.lower)
        for each, _ in played
    )
    decision = Phrase("play {hand} or better", hand=short_name(lowest))
    if highest is not None and lowest <= highest:  # hands of one value differ in their suits alone
        decision = Phrase("play {hand} or better, near it by the suits", hand=short_name(lowest))
    return AnteOdds(
        edge=Fraction(DEALS - hands_played, DEALS) - Fraction(net) / (DEALS * ANSWERS),
        hit=Fraction(won, DEALS * ANSWERS),
        played=Fraction(hands_played, DEALS),
        decision=decision if folded else Phrase("play every hand"),
        lowest_played=Fraction(lowest_worth) / ANSWERS,
        highest_folded=None if highest_worth is None else Fraction(highest_worth) / ANSWERS,
    )


def _ante_with_card_shown(rules: AnteRules) -> AnteOdds:
    shown = shown_card_odds(rules)
    return AnteOdds(
        edge=shown.edge,
        hit=shown.hit,
        played=shown.played,
        decision=Phrase("play by the card that the bank shows"),
        lowest_played=None,
        highest_folded=None,
        shown=shown,
    )


def best_ante(rules: AnteRules, *, card_shown: bool = False) -> AnteOdds:
    """Odds of an ante whose player decides each hand by exact comparison of playing and folding.

    With `card_shown` the player sees one card of the bank first. ArithmeticError when the hands worth playing are not all
    those from some value up: then no rule "play this or better" exists and none is printed.
    """
    return _ante_with_card_shown(rules) if card_shown else _bare_ante(rules)


@dataclass(frozen=True, slots=True)
class AnteWithFees:
    """One ante of a player-banked round after the collection fees, all in cents.

    `player_loss_cents` is what the player loses on average, fee included, and `edge` its part of the ante.
    `bank_win_cents` is what the bank wins on average from antes that come to `action_cents`, its fee taken
    off; `bank_edge` its part of the action. Bonus wagers are left out.
    """

    schedule: int
    ante_cents: int
    action_cents: int
    player_fee_cents: int
    bank_fee_cents: int
    edge: Fraction
    player_loss_cents: Fraction
    bank_win_cents: Fraction
    bank_edge: Fraction


def with_fees(
    ante: AnteOdds, schedule: PrintedSchedule, *, ante_cents: int, action_cents: int
) -> AnteWithFees:
    """The ante with both fees of a schedule counted in (ruling 13: flat, whatever the round brings).

    ValueError when the ante is outside the schedule's table limit, or the round's total table action is
    less than this ante.
    """
    refused = why_outside_limits(schedule, ante_cents)
    if refused:
        raise ValueError(f"an ante of {ante_cents} cents is {refused} of schedule {schedule.number}")
    if action_cents < ante_cents:
        raise ValueError(
            f"a total table action of {action_cents} cents is less than the ante of {ante_cents} in it"
        )
    bank_fee_cents = band_for(schedule, action_cents).fee_cents
    player_loss_cents = ante.edge * ante_cents + schedule.player_fee_cents
    bank_win_cents = ante.edge * action_cents - bank_fee_cents
    return AnteWithFees(
        schedule=schedule.number,
        ante_cents=ante_cents,
        action_cents=action_cents,
        player_fee_cents=schedule.player_fee_cents,
        bank_fee_cents=bank_fee_cents,
        edge=player_loss_cents / ante_cents,
        player_loss_cents=player_loss_cents,
        bank_win_cents=bank_win_cents,
        bank_edge=bank_win_cents / action_cents,
    )
