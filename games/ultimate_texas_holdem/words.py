"""Words of Ultimate Texas Hold'em that come from its data files, for the translators (`games.words`)."""

from games.phrases import Phrase

#: Irregularities and reasons to void a round, as its rulebooks name them.
NAMES = (
    Phrase("A card of the board was shown before all had decided"),
    Phrase("Cards of the board shown before all had decided"),
    Phrase("More than one card found face up in the deck"),
)
