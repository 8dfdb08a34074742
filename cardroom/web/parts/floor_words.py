"""Texts of the floor that are made without `Phrase`, listed for the translators; those of games are in `games.words` and in each game's folder.

`NAMES` are what models and rights call things. `SENTENCES` are the templates of texts that are stored in English with a round:
a page finds the template of such a text again by its English (`languages.found_again`).
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from games.phrases import Phrase, plural

#: What wins of the meter, rights and fields are called.
NAMES = (
    # What a win of the meter is.
    Phrase("pending"),
    Phrase("confirmed"),
    Phrase("withdrawn"),
    # What is missing where a person may not do something (`cardroom.people.rights.Right`).
    Phrase("see the floor"),
    Phrase("run rounds at a table"),
    Phrase("seat, move and leave players"),
    Phrase("open and close tables"),
    Phrase("choose a table's filed game and fee schedule, and set its limits"),
    Phrase("start and end downs"),
    Phrase("supervise decks, recuts and stub counts"),
    Phrase("confirm progressive wins"),
    Phrase("sign for the tray of a table that the house banks"),
    Phrase("waive a fee by a published rule"),
    Phrase("let somebody play or deal on an expired badge or permit"),
    Phrase("approve a correction"),
    Phrase("approve a void before the deal"),
    Phrase("approve a void after the deal"),
    Phrase("open and close shifts"),
    # Fields of forms that a command names by its argument alone.
    Phrase("Seat"),
    Phrase("Note"),
)

#: What a hand of a paytable pays that is no odds.
PAYS = (
    # xgettext:no-python-format  # noqa: ERA001
    _("100% of the meter"),
)

#: What follows from a count of the stub, what a waiver was of, and on what the player-dealer's fee goes.
SENTENCES = (
    Phrase("{cards}: the round is void, the deck is retired"),
    plural("{n} card missing", "{n} cards missing", 1),
    plural("{n} card too many", "{n} cards too many", 1),
    Phrase("the fee of seat {place}"),
    # On what the player-dealer's fee goes, beside its bands.
    Phrase("per round"),
    Phrase("per main wager"),
    Phrase("per position"),
    Phrase("per main wager, by band"),
    Phrase("{band} positions in play"),
    Phrase("{band} position in play"),
)
