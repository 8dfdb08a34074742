"""Simulated play of baccarat: what players bet, and a coup from a shuffled shoe.

Everything is drawn from the generator that is passed in; the same generator gives the same play.
"""

from random import Random

from games.baccarat.hands import banker_draws, count, player_draws, points
from games.baccarat.terms import BaccaratTerms
from games.baccarat.wagers import BANKER, DRAGON_7, PANDA_8, PLAYER
from games.cards import DECK, hand_text
from games.game import DrawnBet, Taste

_SIDE_BETS = (100, 200, 500, 1000)
_TIPS = (100, 100, 200, 500)


def draw_bet(chance: Random, terms: BaccaratTerms, taste: Taste, limits: tuple[int, int | None]) -> DrawnBet:
    """A wager on player or banker within its limits, now and then doubled, with bonus wagers and a tip as the player likes."""
    least, most = limits
    cents = max(least, taste.main_cents * (2 if chance.randrange(8) == 0 else 1))
    main = chance.choice((PLAYER, BANKER))
    wagers = {main: cents if most is None else min(most, cents)}
    for spot, usual in zip((DRAGON_7, PANDA_8), taste.side_wagers, strict=True):
        if chance.randrange(100) < usual and spot in terms.placed:
            wagers[spot] = chance.choice(_SIDE_BETS)
    tips = {main: chance.choice(_TIPS)} if chance.randrange(100) < taste.tips and terms.tip_spots else {}
    return DrawnBet(wagers, tips)


def draw_play(chance: Random, terms: BaccaratTerms) -> dict[str, str]:
    """The two hands of a coup from a full, shuffled shoe."""
    shoe = iter(chance.sample([card for card in DECK for _ in range(terms.decks)], 6))
    player, banker = [next(shoe), next(shoe)], [next(shoe), next(shoe)]
    of_player, of_banker = (count([points(card) for card in hand]) for hand in (player, banker))
    third = None
    if player_draws(of_player, of_banker):
        player.append(next(shoe))
        third = points(player[2])
    if banker_draws(of_player, of_banker, third):
        banker.append(next(shoe))
    return {"player_hand": hand_text(tuple(player)), "banker_hand": hand_text(tuple(banker))}
