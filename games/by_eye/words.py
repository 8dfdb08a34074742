"""Words of games by eye that are stored in English or come from its data files, for the translators (`games.words`)."""

from games.phrases import Phrase

#: Reasons to void a round.
NAMES = (
    Phrase("Cards do not count to their decks"),
    Phrase("Hand with a wrong number of cards, not to be put right"),
)
