"""Registry of games and their rulebooks: the one list to which a new game is added."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from games.baccarat.game import Baccarat
from games.by_eye.game import ByEye
from games.game import Game, TableHand
from games.procedures.rules import ProcedureRules
from games.refusal import Refusal
from games.rulebook import Rulebook
from games.terms import Terms
from games.three_card_poker.game import ThreeCardPoker
from games.ultimate_texas_holdem.game import UltimateTexasHoldem

GAMES: tuple[Game, ...] = (ThreeCardPoker(), Baccarat(), UltimateTexasHoldem(), ByEye())

DEFAULT_GAME = GAMES[0]

GAME_OF_RULEBOOK: Mapping[str, Game] = MappingProxyType(
    {rulebook: game for game in GAMES for rulebook in game.rulebooks}
)

RULEBOOKS: tuple[str, ...] = tuple(GAME_OF_RULEBOOK)
"""Ids of all rulebooks; `load_rulebook` takes one."""


WITH_RULES: tuple[str, ...] = tuple(
    rulebook for rulebook, game in GAME_OF_RULEBOOK.items() if not game.from_filing
)
"""Ids of the rulebooks that say wagers and payouts themselves, and not a filing's options."""


def game_of(rulebook_id: str) -> Game:
    """The game of a rulebook; KeyError where no game has it."""
    if rulebook_id not in GAME_OF_RULEBOOK:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return GAME_OF_RULEBOOK[rulebook_id]


def load_rulebook(rulebook_id: str) -> Rulebook:
    """The rulebook of that id; KeyError when there is none, DataFileError when its file is invalid."""
    return game_of(rulebook_id).load_rulebook(rulebook_id)


def rulebook_with(rulebook_id: str, options: Mapping[str, Any]) -> Rulebook:
    """The rulebook as the options of a table or of a round have it: its name, seats and wagers; errors as `read_options`."""
    return game_of(rulebook_id).rulebook_with(rulebook_id, options)


def read_options(rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
    """The room's options, checked and put in; Refusal `unknown_option` or `bad_option`, path `options.X`."""
    return game_of(rulebook.id).read_options(rulebook, given)


def procedure_rules_of(rulebook: Rulebook) -> ProcedureRules:
    """The procedure rules of a rulebook, as its approval has them; DataFileError when their file is invalid."""
    return game_of(rulebook.id).procedure_rules_of(rulebook)


@cache
def table_hands() -> tuple[tuple[Game, TableHand], ...]:
    """The hands that belong to no position, the bank's among them, of every game that is carded, with their game."""
    found: dict[tuple[str, str], tuple[Game, TableHand]] = {}
    for rulebook in WITH_RULES:
        game = game_of(rulebook)
        for hand in game.deal(terms_of(rulebook, {})).hands:
            found.setdefault((game.id, hand.id), (game, hand))
    return tuple(found.values())


def terms_of(rulebook_id: str, options: Mapping[str, Any]) -> Terms:
    """The terms of a table or of a round, from its rulebook and the options on record; errors as `read_options`."""
    return read_options(load_rulebook(rulebook_id), options)


def main_wagers(rulebook_id: str, options: Mapping[str, Any]) -> frozenset[str]:
    """The wagers that bear the table limit and are charged a fee."""
    return rulebook_with(rulebook_id, options).main


def action_wagers_on_record(rulebook_id: str, options: Mapping[str, Any]) -> frozenset[str]:
    """The wagers of a record that count toward total table action.

    The record may have been tampered with: none where its options cannot be read.
    """
    try:
        return rulebook_with(rulebook_id, options).action
    except Refusal:
        return frozenset()


def wagers_with_fees(book: Rulebook) -> tuple[str, ...] | None:
    """The wagers that may have a fee of their own, by id: they are laid before the deal.

    Beside one main wager the others; where a player may have several main wagers, those too, and so in a game that a filing
    describes; never one of which the document lets no fee come. None: that is for the filing of a game to say.
    """
    if game_of(book.id).from_filing:
        return tuple(sorted(book.placed - book.without_fee.keys())) or None
    placed = book.placed if len(book.main) > 1 else book.placed - book.main
    return tuple(sorted(placed - book.without_fee.keys()))
