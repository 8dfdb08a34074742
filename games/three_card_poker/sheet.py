"""The round sheet: all wagers, cards and decisions of one round, to and from JSON.

`read_sheet` takes a whole round, `read_bets` the same document at "no more bets", and `check_wagers` one seat of it while
betting is open. All three run the same checks and refuse with `Refusal`, whose codes and paths are those of the sheet's
contract: the form first (`games.sheet_json`), then each position (`games.three_card_poker.positions`), then the checks
across positions.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from games.bet_forms import BetForm, BetsForm
from games.bets import BetPosition, Bets, check_action_seat, check_rulebook, read_placed
from games.cards import Hand, hand_text
from games.dealt import check_dealt, check_decided
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import Reader, show
from games.three_card_poker.hands import read_hand
from games.three_card_poker.positions import Position, read_bet_position, read_position
from games.three_card_poker.rulebook import RULEBOOKS, load_rulebook
from games.three_card_poker.sheet_forms import RecordedSheetForm, SheetForm
from games.three_card_poker.terms import ThreeCardTerms, read_options

_SHEETS, _RECORDED_SHEETS, _BETS = Reader(SheetForm), Reader(RecordedSheetForm), Reader(BetsForm)
_POSITIONS = Reader(BetForm)


class Sheet(Bets, frozen=True):
    """One whole round: bets, cards and decisions. Cards are numbers (`games.cards`)."""

    terms: ThreeCardTerms
    positions: tuple[Position, ...]
    bank_hand: Hand

    def to_json(self) -> dict[str, Any]:
        """Serialize the sheet, with every option and every player's name spelled out."""
        document = Bets.to_json(self)
        document["bank_hand"] = hand_text(self.bank_hand)
        return document


def read_sheet(data: str | bytes | Mapping[str, Any]) -> Sheet:
    """A round sheet from JSON text or from its parsed object; Refusal for anything that the rules do not allow."""
    return _whole_sheet(_SHEETS.read(data))


def read_recorded_sheet(document: Mapping[str, Any]) -> Sheet:
    """A sheet as a table records it, from its parsed object; Refusal as `read_sheet`.

    It differs in one thing: the `hand` of a position that folded may be null, "not exposed", where every wager of it is
    given up by the fold. Such cards affect no settlement, and they are mucked unseen.
    """
    return _whole_sheet(_RECORDED_SHEETS.read(document))


def _whole_sheet(form: RecordedSheetForm) -> Sheet:
    terms = _read_terms(form.rulebook, form.options)
    bank_hand = read_hand(form.bank_hand, "bank_hand")
    bank, action_seat, meter, positions = read_placed(terms, form, form.positions, read_position)
    check_action_seat(terms.rulebook, action_seat)
    check_dealt([("bank_hand", bank_hand)], positions)
    check_decided(positions)
    return Sheet(terms, bank, action_seat, meter, positions, bank_hand)


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets": `bank_hand`, `hand` and `decision` are not yet keys of it.

    A `play` tip comes with the decision and is refused here (`tip_needs_wager`).
    """
    form = _BETS.read(data)
    terms = _read_terms(form.rulebook, form.options)
    return Bets(terms, *read_placed(terms, form, form.positions, read_bet_position))


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One seat's wagers while betting is open: `{"seat", "player", "wagers", "tips"}` as in `read_bets`.

    A refusal's path starts inside the position (`wagers.ante`); those of the options start at `options`.
    """
    terms = _read_terms(rulebook, UNSET if options is None else options)
    return read_bet_position(terms, _POSITIONS.read_value(position))


def _read_terms(name: str, options: Mapping[str, Any] | UnsetType) -> ThreeCardTerms:
    check_rulebook(name, RULEBOOKS)
    if options is not UNSET and not isinstance(options, Mapping):
        raise Refusal(
            "wrong_type", "options", Phrase("options are an object, not {options}.", options=show(options))
        )
    return read_options(load_rulebook(name), {} if options is UNSET else options)
