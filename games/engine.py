"""The engine's public contract for every game: round sheets in, settlements out.

The rulebook that a sheet names decides which game reads it. Everything that a sheet may not say is refused with `Refusal`,
whose codes and paths are those of the contract.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from games.bets import BetPosition, Bets
from games.game import Game
from games.refusal import Refusal
from games.registry import DEFAULT_GAME, GAME_OF_RULEBOOK, RULEBOOKS
from games.round_fees import round_fees
from games.settlement import RoundResult, Settlement
from games.sheet_json import show


class _Named(Struct):
    """The one key of a document that decides which game reads it; all others are skipped."""

    rulebook: Any = UNSET


_NAMED = msgspec.json.Decoder(_Named)


def read_sheet(data: str | bytes | Mapping[str, Any]) -> Bets:
    """A round sheet from JSON text or from its parsed object; Refusal for anything that the rules do not allow."""
    game = _game_reading(data)
    try:
        return game.read_sheet(data)
    except Refusal as refusal:
        raise _named(refusal, data) from None


def read_recorded_sheet(document: Mapping[str, Any]) -> Bets:
    """A sheet as a table records it, from its parsed object; Refusal as `read_sheet`.

    It differs in one thing: what the game leaves unseen may be null (in Three Card Poker a folded hand on which no wager
    depends). Such cards affect no settlement.
    """
    game = _game_reading(document)
    try:
        return game.read_recorded_sheet(document)
    except Refusal as refusal:
        raise _named(refusal, document) from None


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets": cards and decisions are not yet keys of it; Refusal as `read_sheet`."""
    game = _game_reading(data)
    try:
        return game.read_bets(data)
    except Refusal as refusal:
        raise _named(refusal, data) from None


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One seat's wagers while betting is open: `{"seat", "player", "wagers", "tips"}` as in `read_bets`.

    A refusal's path starts inside the position (`wagers.ante`); those of the options start at `options`.
    """
    game = GAME_OF_RULEBOOK.get(rulebook)
    if game is None:
        raise _unknown(rulebook)
    return game.check_wagers(rulebook, options, position)


def settle_wagers(sheet: Bets) -> RoundResult:
    """Settle the wagers of a whole round without fees, for callers that collect fees by rules of their own."""
    return GAME_OF_RULEBOOK[sheet.rulebook.id].settle_wagers(sheet)


def settle(sheet: Bets) -> Settlement:
    """Settle a whole round with the fees of its own terms. Every sheet that `read_sheet` lets through can be settled."""
    result = settle_wagers(sheet)
    dead = frozenset() if sheet.terms.rake is None else result.dead_hands
    fees = round_fees(sheet, dead)
    drop = sum([fee.cents for fee in fees])
    return Settlement(
        result.rulebook, result.qualified, result.total_table_action, fees, result.lines, result.bank, result.net, drop,
        result.tokes, result.meter_paid,
    )  # fmt: skip


def settle_json(data: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """Settle a sheet given as JSON text or parsed object; returns a JSON object. Raises Refusal as `read_sheet`."""
    return settle(read_sheet(data)).to_json()


def _game_reading(data: str | bytes | Mapping[str, Any]) -> Game:
    """The game of the rulebook that a document names; the default game says what is wrong with any other document."""
    name: Any = None
    if isinstance(data, str | bytes):
        try:
            name = _NAMED.decode(data).rulebook
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return DEFAULT_GAME
    elif isinstance(data, Mapping):
        name = data.get("rulebook")
    return GAME_OF_RULEBOOK.get(name, DEFAULT_GAME) if type(name) is str else DEFAULT_GAME


def _named(refusal: Refusal, data: str | bytes | Mapping[str, Any]) -> Refusal:
    """The refusal of the game; where no game has the rulebook, one that names those of every game."""
    if refusal.code != "unknown_rulebook":
        return refusal
    document = data if isinstance(data, Mapping) else msgspec.json.decode(data)
    return _unknown(document["rulebook"])


def _unknown(name: str) -> Refusal:
    what = f"there is no rulebook {show(name)}; use one of {', '.join(RULEBOOKS)}."
    return Refusal("unknown_rulebook", "rulebook", what)
