"""Texts of the placards that come from data files or are made of names, for the translators: `makemessages` reads Python alone.

A test compares them with the files.
"""

from games.phrases import Phrase

NOTICES = (
    Phrase(
        "Three Card Poker 6 Card Bonus belongs to SHFL Entertainment, Inc., by patent, copyright or both. The Bureau of "
        "Gambling Control makes its rules known because Business and Professions Code section 19826(g) tells it to."
    ),
    Phrase(
        "That the rules are public gives nobody a right to offer the game. A licence is a matter between the cardroom and "
        "the owner: neither the Bureau nor this house's software grants one, and neither settles a dispute about it."
    ),
    Phrase("The cardroom does not bank, does not play, and gains nothing by how a round ends."),
    Phrase("Collection fees are flat amounts. No percentage of what is wagered or won is ever taken."),
    Phrase("Nobody bets on another player's hand, on the base game or on a bonus."),
    Phrase("The player-dealer wager has no upper limit, and need not cover all that is wagered against it."),
    Phrase("The bank passes on after every hand; a player may waive a turn at it."),
    Phrase("The house may change the payouts of Pair Plus. Those printed here are the ones that count."),
    Phrase(
        "A chip beside the marked spots is a bet for the dealer. It is paid as its spot is, and goes to the tip box."
    ),
    Phrase("Chips and plaques alone are wagers: cash and a spoken bet are not taken."),
    Phrase("Match play coupons are not taken at this table."),
    Phrase("Only seated players wager, and whoever holds cards keeps the seat until the round is over."),
    Phrase(
        "Cover All pays for the one highest hand of the table, by the column of the number of players in the round."
    ),
    Phrase(
        "Ante and pair plus are two contests, each by a table of its own; neither need be the size of the other."
    ),
    Phrase("Bad Beat is an extra that nobody has to bet."),
    Phrase("A player may ask to be shown the hands that were folded."),
    Phrase("A progressive bet is collected before the deal and does not come back, whether it wins or not."),
)

#: Hands that bring envy.
ENVY = (Phrase("mini royal of spades"), Phrase("mini royal"))
