"""Words of baccarat that are stored in English or come from its data files, for the translators (`games.words`)."""

from games.phrases import Phrase

#: Irregularities, ways of dealing, reasons to void a round and hands, as its rulebooks name them.
NAMES = (
    Phrase("Cards drawn against the rules and not to be put right"),
    Phrase("Shoe does not count to its decks"),
    Phrase("The player's hand"),
    Phrase("The banker's hand"),
)

#: The templates of its reasons, by which a page finds a stored one again.
SENTENCES = (
    Phrase("player {player}, banker {banker}: pays nothing"),
    Phrase("player {player}, banker {banker}: pays {odds}"),
    Phrase("player {player}, banker {banker}: a tie, the wager goes back"),
    Phrase("player {player}, banker {banker}: player loses"),
    Phrase("player {player}, banker {banker}: banker loses"),
    Phrase("player {player}, banker {banker}: player wins"),
    Phrase("player {player}, banker {banker}: banker wins"),
    Phrase("player {player}, banker {banker} with three cards: the wager goes back"),
)
