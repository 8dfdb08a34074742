"""Words of Three Card Poker that are stored in English or come from its data files, for the translators (`games.words`)."""

from games.phrases import Phrase

#: Irregularities, ways of dealing, reasons to void a round and hands, as its rulebooks name them.
NAMES = (
    Phrase("Misdeal: a player or the designated player has too many or too few cards"),
    Phrase("Misdeal: a player or the dealer has too many or too few cards"),
    Phrase("Exposed card: the dealer turns it over and deals on"),
    Phrase("Exposed dealer card: it is turned over"),
    Phrase("Exposed dealer card: a card of the dealer is exposed too soon"),
    Phrase("The shuffler jams, stops or does not finish"),
    Phrase("The automated shoe jams, stops or does not deal all cards"),
    Phrase("From the hand"),
    Phrase("From a manual dealing shoe"),
    Phrase("From an automated dealing shoe, in stacks of three"),
    Phrase("Dealer's card exposed too soon"),
    Phrase("Dealing shoe failed"),
    Phrase("More than one card found face up in the shoe or deck"),
    Phrase("Shuffler or shoe failed"),
)

#: The templates of its reasons, by which a page finds a stored one again.
SENTENCES = (
    Phrase("mini royal"),
    Phrase("a mini royal"),
    Phrase("a mini royal of spades"),
    Phrase("less than three of a kind"),
    Phrase("given up by surrendering the hand unseen"),
    Phrase("the bank's {banks} does not qualify: the wager goes back"),
    Phrase("{hand} pays {odds} whatever the bank holds"),
    Phrase("{mine} did not beat the bank's {banks}, as this table asks"),
    Phrase("{hand} with the bank's cards pays nothing"),
    Phrase("{hand} with the bank's cards pays {odds}"),
    Phrase("{mine} against {banks}: no pair or better was beaten"),
    Phrase("{lower} was beaten by {higher}: pays {odds}"),
    Phrase("a surrendered hand wins no progressive"),
    Phrase("a folded hand wins no progressive here"),
    Phrase("{hand} pays nothing on the progressive"),
    Phrase("{hand} takes the meter of {amount}"),
    Phrase("{hand} at seat {seat} brings envy of {amount}"),
    Phrase("{hand} is the table's highest hand and pays nothing"),
    Phrase("{hand} is the table's highest hand among {players}: pays {odds}"),
)
